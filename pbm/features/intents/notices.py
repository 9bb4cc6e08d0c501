"""The answer to what somebody asked or wished for."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.notices import AnswerContent


class Answered(AnswerContent, frozen=True, kw_only=True):
    """A question or a wish is answered.

    sentences  what is to be said
    excerpt    what a help page says about it, or ""
    """

    sentences: Sequence[str]
    excerpt: str = ""

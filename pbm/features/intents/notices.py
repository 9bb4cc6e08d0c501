"""The answer to what somebody asked or wished for."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.notices import AnswerContent


class Answered(AnswerContent, frozen=True, kw_only=True):
    """The answer to a question or a wish.

    sentences  the answer
    excerpt    a passage of a help page, or ""
    """

    sentences: Sequence[str]
    excerpt: str = ""

"""What the writer of notes is told."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.notices import PersonalContent


class NotesShown(PersonalContent, frozen=True, kw_only=True):
    """All notes of a player at a board; `is_added`: one has just been made."""

    lines: Sequence[str]
    is_added: bool = False

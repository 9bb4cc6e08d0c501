"""Notices to the writer of notes and variations."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.notices import PersonalContent


class NotesShown(PersonalContent, frozen=True, kw_only=True):
    """All notes of a player at a board; `is_added`: one has just been made."""

    lines: Sequence[str]
    is_added: bool = False


class VariationsShown(PersonalContent, frozen=True, kw_only=True):
    """All variations stored for a board, a line each."""

    lines: Sequence[str]

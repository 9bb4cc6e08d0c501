"""Notices to the owner of a plan."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbm.core.notices import PersonalContent


class MoveQueued(PersonalContent, frozen=True, kw_only=True):
    """A move is queued for the player's turn; "" if none is."""

    is_brief = True

    queued: str


class PlanShown(PersonalContent, frozen=True, kw_only=True):
    """The player's plan, a line a branch; none without lines.

    is_after_own  it begins after the player's own next move
    place         the branch at whose end the view shows the board; "" for the present one
    is_known      what the board is there follows from the branch alone
    is_typed      it was asked for at a terminal, where nothing is a reply
    """

    lines: Sequence[str]
    is_after_own: bool = False
    place: str = ""
    is_known: bool = True
    is_typed: bool = False

    def build_typed(self) -> PlanShown:
        """Return the same content as requested at a terminal."""
        return replace(self, is_typed=True)

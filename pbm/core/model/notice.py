"""Notices: what somebody is to be told, as data. Mail room and terminal write it as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbm.core.model.refusal import RefusalCode


@dataclass(frozen=True, slots=True)
class Thread:
    """The place of a mail: board, seat (None for a spectator), the number of the move to make, and
    how often moves were taken back. Without a board, only the player matters."""

    board: int
    seat: int | None
    ply: int
    undos: int


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell.

    template   which text says it; its first line is the subject
    data       what the text needs
    addresses  where it goes; empty for a terminal
    player     whose reply token it carries; 0 for a stranger
    thread     the board's conversation it belongs to
    answer     it answers the command itself: it goes to whoever sent it
    failed     it says that something was not done
    refusal    why a command was refused
    """

    template: str
    data: Mapping[str, Any] = field(default_factory=dict)
    addresses: tuple[str, ...] = ()
    player: int = 0
    thread: Thread | None = None
    answer: bool = False
    failed: bool = False
    refusal: RefusalCode | None = None
    html: bool = False

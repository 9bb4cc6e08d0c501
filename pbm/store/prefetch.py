"""What was read for several mails at once: rows that the shared reads hand out in place of asking.

It holds rows and decides nothing. A row stays valid within its transaction until something writes
to its table (the session then drops all of it) or its board is taken a second time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

Addresses: TypeAlias = tuple[dict[int, list[str]], dict[int, list[str]]]


@dataclass(slots=True)
class Prefetched:
    """Rows by the number of their board, mail or player, or by name or address."""

    TABLES: ClassVar[frozenset[str]] = frozenset(
        {"players", "addresses", "watchers", "boards", "seats", "moves"}
    )

    claimed: dict[int, Any] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    executed: dict[str, int] = field(default_factory=dict)
    boards: dict[int, Any] = field(default_factory=dict)
    seats: dict[int, Sequence[Any]] = field(default_factory=dict)
    at: dict[int, Addresses] = field(default_factory=dict)
    logs: dict[int, list[Any]] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    passwords: dict[int, str] = field(default_factory=dict)
    players: dict[int, Any] = field(default_factory=dict)
    addresses: dict[str, Sequence[Any]] = field(default_factory=dict)

    def forget_board(self, number: int) -> None:
        """Nothing is known of that board any more."""
        for rows in (self.boards, self.seats, self.at, self.logs):
            rows.pop(number, None)

    def saved(self, number: int, entries: Sequence[Any]) -> None:
        """A board was written: its rows have changed, its log has these entries more."""
        self.boards.pop(number, None)
        self.seats.pop(number, None)
        if number in self.logs:
            self.logs[number].extend(entries)

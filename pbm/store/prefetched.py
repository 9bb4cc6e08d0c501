"""A cache of the rows that a batch of mails will need, read by one statement each.

Without it a mail takes a worker 1.33 times as much processor time
(docs/decisions/0016-statements-by-hand.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, field

from pbm.store.rows import Row
from pbm.store.tables import BoardRow, MoveRow, PlayerRow, SeatRow

Addresses: TypeAlias = tuple[dict[int, list[str]], dict[int, list[str]]]
"""The addresses of a board's players and those of its watchers, by player."""


def build_binding(password: str, links: int) -> str:
    """Return what a player's links and reply addresses are bound to, and end with: the password
    hash, and the number of times that the player has ended them."""
    return f"{password}#{links}" if links else password


class Reader(NamedTuple):
    """What a player's mails depend on.

    binding      what links and reply addresses are bound to
    preferences  as JSON
    writes_to    the address of the server that the player last wrote to, or ""
    """

    binding: str = ""
    preferences: str = "{}"
    writes_to: str = ""


class AccountRow(PlayerRow):
    """A player, and whether one of the addresses is confirmed."""

    is_confirmed: bool


class SeatedRow(SeatRow):
    """A seat, and who sits there."""

    userid: str
    password: str
    links: int
    player_state: str
    preferences: str
    writes_to: str
    away: float | None
    seen: float


class _Readable(Protocol):
    """A row with what the mails of a player depend on."""

    @property
    def password(self) -> str: ...
    @property
    def links(self) -> int: ...
    @property
    def preferences(self) -> str: ...
    @property
    def writes_to(self) -> str: ...


def build_reader(row: _Readable) -> Reader:
    """Return what the mails of the player in a row depend on."""
    return Reader(build_binding(row.password, row.links), row.preferences, row.writes_to)


class ClaimRow(Row):
    """A claimed mail."""

    id: int
    attempts: int


class Prefetched(Struct):
    """Rows by the number of their board, mail or player, or by name or address.

    They are valid within one transaction, until a statement may have written to one of TABLES (the
    session then drops them all) or their board is locked a second time."""

    TABLES: ClassVar[frozenset[str]] = frozenset(
        {"players", "addresses", "bans", "watchers", "boards", "seats", "moves"}
    )

    claimed: dict[int, ClaimRow | None] = field(default_factory=dict)
    fingerprints: dict[int, str] = field(default_factory=dict)
    executed: dict[str, int] = field(default_factory=dict)
    boards: dict[int, BoardRow] = field(default_factory=dict)
    seats: dict[int, Sequence[SeatedRow]] = field(default_factory=dict)
    addresses_at: dict[int, Addresses] = field(default_factory=dict)
    logs: dict[int, list[MoveRow]] = field(default_factory=dict)
    givers: dict[int, int | None] = field(default_factory=dict)
    names: dict[str, AccountRow | None] = field(default_factory=dict)
    owners: dict[str, Sequence[AccountRow]] = field(default_factory=dict)
    bans: dict[str, str] = field(default_factory=dict)
    readers: dict[int, Reader] = field(default_factory=dict)
    players: dict[int, AccountRow] = field(default_factory=dict)
    written_boards: set[int] = field(default_factory=set)

    def forget_board(self, number: int) -> None:
        """Drop what was read of a board."""
        for rows in (self.boards, self.seats, self.addresses_at, self.logs):
            rows.pop(number, None)

    def undo_writes(self) -> None:
        """Drop what was read of the boards that were written since the last savepoint."""
        for number in self.written_boards:
            self.forget_board(number)

    def note_saved(self, number: int, entries: Sequence[MoveRow]) -> None:
        """Note that a board was written: its rows have changed, its log has these entries more."""
        self.written_boards.add(number)
        self.boards.pop(number, None)
        self.seats.pop(number, None)
        if number in self.logs:
            self.logs[number].extend(entries)

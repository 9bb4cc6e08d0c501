"""What lists, pages, feeds and the operator's tables show of a board."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from icalendar import Calendar, Event

from pbm.core.board import Board, name_anonymous
from pbm.core.storing import Unplayable, copy_columns, find_title, load
from pbm.games import UnknownGame, get_game
from pbm.rules import Value
from pbm.rules.phrases import Listing, combine, join_phrases, phrase
from pbm.store.reads import find_seats_by_board
from pbm.store.tables import BoardColumns, BoardRow
from pbm.store.transaction import Session

_SAID: Mapping[str, str] = {
    "invited": phrase("invited"),
    "sleeping": phrase("sleeping"),
    "cancelled": phrase("cancelled"),
}
"""What lists say of boards that are neither played nor over."""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A seat in a list of boards: the name that everybody reads, and its player's number."""

    name: str
    player: int
    is_on_move: bool


@dataclass(kw_only=True)
class BoardSummary(BoardColumns):
    """A board of a list. `status` is how far it is or who won; `moved` is when the turn began, or
    when the board ended; `within`, in words, how soon the reader has to move."""

    game: str
    options: Mapping[str, Value]
    seats: Sequence[SeatSummary]
    status: str
    moved: float
    within: str = ""

    @property
    def heading(self) -> str:
        """What a mail calls the board, above its players."""
        heading = phrase("{game}, board {number}", game=find_title(self.game), number=self.id)
        if not self.title:
            return heading
        return combine('{heading}, "{title}"', heading=heading, title=self.title)

    @property
    def names(self) -> str:
        """The names of the seats; a star marks whose turn it is."""
        return join_phrases(
            " ",
            [
                combine("{name}*", name=seat.name) if seat.is_on_move else seat.name
                for seat in self.seats
            ],
        )


def summarize_boards(
    session: Session, rows: Sequence[BoardRow], *, for_operator: bool = False
) -> list[BoardSummary]:
    """Return the boards as everybody may see them in a list; `for_operator` names the players of
    anonymous boards too."""
    seats_by_board = find_seats_by_board(session, [row.id for row in rows])
    summaries = []
    for row in rows:
        seats = seats_by_board.get(row.id, [])
        on_move = {int(seat) for seat in row.to_move.split(",") if seat}
        names: Sequence[str] = [seat.userid for seat in seats]
        if row.anonymous and not for_operator:
            names = name_anonymous(row.game, row.players, row.options)
        is_stuck = row.state in ("running", "invited") and not _is_playable(session, row)
        winners = [seat.userid for seat in seats if seat.rank == 1]
        status = _say_status(row, winners, len(seats))
        summaries.append(
            BoardSummary(
                **copy_columns(row),
                game=row.game,
                options=json.loads(row.options),
                seats=[
                    SeatSummary(name, seat.player_id, seat.seat in on_move)
                    for seat, name in zip(seats, names, strict=True)
                ],
                status=phrase("cannot go on") if is_stuck else status,
                moved=row.moved,
            )
        )
    return summaries


def summarize_board(board: Board) -> BoardSummary:
    """Return a board that was loaded, as everybody may see it in a list."""
    to_move = () if board.is_over else board.position.to_move
    winners = [seat.userid for seat in board.seats if seat.rank == 1]
    return BoardSummary(
        **copy_columns(board),
        game=board.game.info.name,
        options=board.options,
        seats=[SeatSummary(seat.userid, seat.player, seat.seat in to_move) for seat in board.seats],
        status=_say_status(board, winners, len(board.seats)),
        moved=board.turn_began,
    )


def _say_status(board: BoardColumns, winners: Sequence[str], seats: int) -> str:
    if board.state == "running":
        return phrase("move {number}", number=board.ply + 1)
    if board.state != "over":
        return _SAID.get(board.state, board.state)
    if len(winners) == seats:
        return phrase("draw")
    if len(winners) == 1:
        return phrase("{player} won", player=winners[0])
    return phrase("{players} won", players=Listing([*winners]))


def _is_playable(session: Session, row: BoardRow) -> bool:
    """Whether the position can be loaded: the game may be missing or have changed."""
    try:
        if get_game(row.game).find_version(row.version) is None:
            load(session, row.id)
    except (UnknownGame, Unplayable):
        return False
    return True


# Calendars (RFC 5545) of what happens when.


class CalendarEvent(NamedTuple):
    """An event of a calendar: a name that stays the same, its times, what happens."""

    uid: str
    begins: float
    ends: float | None
    summary: str


def write_calendar(name: str, entries: Iterable[CalendarEvent], host: str, now: float) -> str:
    """Return a calendar with these entries, made by the part of the server with that name."""
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//pbm//{name}//EN")
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.uid}@{host}")
        event.add("dtstamp", _to_time(now))
        event.add("dtstart", _to_time(entry.begins))
        if entry.ends is not None:
            event.add("dtend", _to_time(entry.ends))
        event.add("summary", entry.summary)
        calendar.add_component(event)
    text: bytes = calendar.to_ical()
    return text.decode()


def _to_time(at: float) -> datetime:
    return datetime.fromtimestamp(int(at), UTC)

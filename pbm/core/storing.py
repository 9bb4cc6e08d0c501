"""Boards in the database: loaded, saved, and what their logs say of repetitions and rolls.

A board is played on under the version of its game with which it began, if the game still has that.
The stored position is a cache of what the moves make (`log.replay`): one that cannot be read, or
comes from a version that is gone, is replayed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache, partial
from typing import Any, ClassVar

import msgspec
from sqlalchemy import Update, bindparam, insert, select, update

from pbm.core import board as board_clocks
from pbm.core.board import Board
from pbm.core.clock import TimeControl
from pbm.core.feature import list_hooks
from pbm.core.log import (
    ROUGH,
    LogEntry,
    build_entry,
    build_key,
    count_occurrences,
    join_news,
    replay,
)
from pbm.core.player import is_bot_account, parse_preferences
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import COLUMNS, Person, Seat
from pbm.core.seat import PLAIN_COLUMNS as SEAT_COLUMNS
from pbm.games import UnknownGame, get_game
from pbm.locale import Page
from pbm.locale.words import name_game
from pbm.rules import (
    CHANCE_TO_MOVE,
    NOBODY,
    Canvas,
    Game,
    GameInfo,
    IllegalMove,
    Outcome,
    Picture,
    Position,
    Value,
)
from pbm.rules.phrases import pack, phrase, unpack
from pbm.store import reads
from pbm.store.prefetched import SeatedRow
from pbm.store.tables import BoardColumns, BoardRow, MoveRow, boards, moves, seat_members, seats
from pbm.store.transaction import Session

PLAIN_COLUMNS = tuple(each.name for each in fields(BoardColumns))
"""The columns of a board that are fields of the same name."""
_COLUMNS = tuple(name for name in BoardRow.column_types if name != "id")
_NO_BOARD = phrase("there is no board with that number")
_ADD_MOVES = insert(moves)
_ADD_SEATS = insert(seats)
_ADD_BOARD = insert(boards).returning(boards.c.id)


@lru_cache(maxsize=256)
def _update_board(names: frozenset[str]) -> Update:
    """Return the statement that writes these columns of a board."""
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in sorted(names)}
    return update(boards).where(boards.c.id == bindparam("key")).values(values)


@lru_cache(maxsize=256)
def _update_seat(names: frozenset[str]) -> Update:
    """Return the statement that writes these columns of a seat."""
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in sorted(names)}
    is_seat = (seats.c.board_id == bindparam("key")) & (seats.c.seat == bindparam("which"))
    return update(seats).where(is_seat).values(values)


_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError)
"""What a game may raise for a position or a move that it cannot read."""


class BoardSleeping(Refusal):
    """The board sleeps: for everybody but its challenger, who can wake it, it does not exist."""

    def __init__(self, number: int) -> None:
        super().__init__(RefusalCode.NO_SUCH_BOARD, _NO_BOARD, "list", "games")
        self.number = number


def refuse_no_board() -> Refusal:
    """Return the refusal of a board that there is not, or that is not for the sender's eyes."""
    return Refusal(RefusalCode.NO_SUCH_BOARD, _NO_BOARD, "list", "games")


def load(
    session: Session, number: int, *, lock: bool = False, anyway: bool = False, asleep: bool = False
) -> Board:
    """Return the board with that number, locked for writing on request. Refusal when there is none,
    BoardSleeping when it sleeps and `asleep` is not set, Unplayable as for `build_board`."""
    row = reads.find_board(session, number, lock=lock)
    if row is None:
        raise refuse_no_board()
    if row.state == "sleeping" and not asleep:
        raise BoardSleeping(number)
    return build_board(session, row, reads.find_seats(session, number), anyway=anyway)


def find_seated(session: Session, number: int, player: int) -> tuple[Board, Seat] | None:
    """Return a board and the first seat that a player has there; None when either is gone."""
    row = reads.find_board(session, number)
    if row is None or row.state == "sleeping":
        return None
    board = build_board(session, row, reads.find_seats(session, number), anyway=True)
    seat = next((each for each in board.seats if each.is_held_by(player)), None)
    return (board, seat) if seat is not None else None


def _read(session: Session, row: BoardRow) -> tuple[Game, Mapping[str, Value], Position]:
    """Return game, options and position of a board; the position is replayed when the stored one is
    of another version or unreadable. Unplayable when a replay fails too."""
    try:
        newest = get_game(row.game)
    except UnknownGame:
        raise refuse_missing_game(row.game, row.id) from None
    options = msgspec.json.decode(row.options)
    game = newest.find_version(row.version) or newest
    is_current = row.version == game.info.version
    if is_current:
        try:
            return game, options, game.decode(row.position)
        except _UNREADABLE:
            pass
    try:
        options = options if is_current else dict(game.upgrade(options, row.version))
        position = replay(
            game, row.players, options, map(build_entry, reads.find_log(session, row.id))
        )
    except _UNREADABLE:
        raise refuse_outdated_board(game, row.id) from None
    if row.state == "running" and (position.outcome or position.to_move == CHANCE_TO_MOVE):
        raise refuse_outdated_board(game, row.id)
    return game, options, position


def build_board(
    session: Session, row: BoardRow, seated: Iterable[SeatedRow], *, anyway: bool = False
) -> Board:
    """Build a board from its rows. Unplayable when its position cannot be restored; with `anyway`
    the board then has a stand-in for the position, for its players and its log."""
    try:
        game, options, position = _read(session, row)
    except Unplayable:
        if not anyway:
            raise
        game, options = build_stand_in(row.game, row.version, row.players), json.loads(row.options)
        position = UnreadablePosition(row.position, game.info.seats[row.players], options)
    ranks, reason = json.loads(row.outcome) if row.outcome else ((), "")
    return Board(
        **copy_columns(row),
        game=game,
        options=options,
        position=position,
        seats=_add_members(session, row.id, [_build_seat(each) for each in seated]),
        chance_questions=row.asked,
        proposals=msgspec.json.decode(row.proposals),
        secret=row.secret,
        former=decode_former(row.former),
        turn_began=row.moved,
        control=TimeControl(
            row.nag_days,
            row.forfeit_days,
            row.total_days,
            row.bank_days,
            row.increment_days,
            row.deadline,
            row.grace_hours,
        ),
        pauses=[(begin, end) for begin, end in json.loads(row.paused)],
        undo_state=json.loads(row.kept) if row.kept else {},
        agreed=Outcome(tuple(ranks), unpack(reason)) if ranks else None,
        event=row.event_id,
        stored={name: getattr(row, name) for name in _COLUMNS},
    )


def decode_former(text: str | None) -> list[tuple[int, bytes]]:
    """Return the former secrets of a board, as `Board.former` has them, from their column."""
    return [(last, bytes.fromhex(secret)) for last, secret in json.loads(text)] if text else []


def encode_former(former: Sequence[tuple[int, bytes]]) -> str | None:
    """Return the former secrets of a board as their column."""
    return json.dumps([[last, secret.hex()] for last, secret in former]) if former else None


def _build_seat(row: SeatedRow) -> Seat:
    plain = {name: getattr(row, name) for name in SEAT_COLUMNS}
    if row.seen > (row.standin or 0.0):
        plain["standin"] = None
    return Seat(
        seat=row.seat,
        player=row.player_id,
        account=row.userid,
        is_active=row.player_state == "active",
        preferences=parse_preferences(row.preferences),
        away=row.away,
        party=row.userid if row.decides else "",
        stored=tuple([getattr(row, name) for name in COLUMNS]),
        is_bot=is_bot_account(row.userid.lower(), row.password),
        **plain,
    )


def _add_members(session: Session, board: int, seats: list[Seat]) -> list[Seat]:
    """Return the seats of a board with the members of the parties that hold some."""
    if not any(seat.decides for seat in seats):
        return seats
    for row in reads.find_seat_members(session, board):
        person = Person(
            row.player_id, row.userid, row.state == "active", parse_preferences(row.preferences)
        )
        seats[row.seat].members = (*seats[row.seat].members, person)
    return seats


def copy_columns(board: BoardColumns) -> dict[str, Any]:
    """Return the columns of a board that everybody may know, by name."""
    return {name: getattr(board, name) for name in PLAIN_COLUMNS}


def _list_columns(board: Board) -> dict[str, Any]:
    """Return the values of a board's columns, without its number."""
    outcome, control = board.outcome, board.control
    columns = {
        **copy_columns(board),
        "game": board.game.info.name,
        "version": board.game.info.version,
        "options": json.dumps(dict(board.options)),
        "players": len(board.seats),
        "position": board.position.encode(),
        "to_move": "" if board.is_over else ",".join(map(str, sorted(board.position.to_move))),
        "asked": board.chance_questions,
        "proposals": json.dumps(board.proposals) if board.proposals else "{}",
        "outcome": None
        if outcome is None
        else json.dumps([list(outcome.ranks), pack(outcome.reason)]),
        "secret": board.secret,
        "former": encode_former(board.former),
        "nag_days": control.nag,
        "forfeit_days": control.forfeit,
        "total_days": control.total,
        "bank_days": control.bank,
        "increment_days": control.increment,
        "deadline": control.at,
        "grace_hours": control.grace,
        "moved": board.turn_began,
        "paused": json.dumps(board.pauses),
        "look": board_clocks.find_next_check(board),
        "kept": json.dumps(board.undo_state) if board.undo_state else None,
        "event_id": board.event,
        "anonymous": board.is_anonymous,
    }
    del columns["id"]
    return columns


def insert_board(session: Session, board: Board) -> None:
    """Insert a board with its seats and its log. It gets its number."""
    columns = _list_columns(board)
    board.id = int(session.execute(_ADD_BOARD, columns).scalar_one())
    board.stored = columns
    for seat in board.seats:
        seat.stored = seat.columns
    key = {"board_id": board.id}
    rows = [
        {**key, "seat": seat.seat, **dict(zip(COLUMNS, seat.stored, strict=True))}
        for seat in board.seats
    ]
    session.execute(_ADD_SEATS, rows)
    if members := [
        {**key, "seat": seat.seat, "player_id": each.player, "place": place}
        for seat in board.seats
        for place, each in enumerate(seat.members)
    ]:
        session.execute(insert(seat_members), members)
    if board.entries:
        session.execute(_ADD_MOVES, [_log_row(board, entry) for entry in board.entries])


def save(session: Session, board: Board, now: float) -> None:
    """Write what has changed of the board and its seats, and new log rows; call `on_result` when it
    has ended or its result was taken back."""
    board.conclude(now)
    board_clocks.settle_clocks(session, board)
    had_ranks = _find_rated_ranks(board)
    _save_board(session, board)
    for seat in board.seats:
        if seat.has_changed:
            _save_seat(session, board, seat)
    if board.is_over or board.is_reopened or had_ranks:
        for note_result in list_hooks(lambda each: each.on_result):
            note_result(session, board, now, had_ranks)


def _find_rated_ranks(board: Board) -> tuple[int, ...]:
    """Return the ranks with which the board was rated before; empty if it was not."""
    stored = board.stored
    if stored["state"] != "over" or not stored["outcome"]:
        return ()
    return tuple(json.loads(stored["outcome"])[0])


def _save_board(session: Session, board: Board) -> None:
    """Write the columns that have changed, and new log rows. What indexes are made of is seldom
    among them: to enter it again takes as long as all the rest."""
    columns, stored = _list_columns(board), board.stored
    changed = {name: value for name, value in columns.items() if value != stored[name]}
    if changed:
        values = {f"new_{name}": value for name, value in changed.items()}
        session.defer(_update_board(frozenset(changed)), ({"key": board.id, **values},))
        board.stored = columns
    log_rows = [_log_row(board, entry) for entry in board.entries]
    session.defer(_ADD_MOVES, log_rows)
    reads.note_board_saved(session, board.id, [MoveRow(**row) for row in log_rows])


def _save_seat(session: Session, board: Board, seat: Seat) -> None:
    columns = seat.columns
    changed = {
        name: value
        for name, value, before in zip(COLUMNS, columns, seat.stored, strict=True)
        if value != before
    }
    values = {f"new_{name}": value for name, value in changed.items()}
    row = {"key": board.id, "which": seat.seat, **values}
    session.defer(_update_seat(frozenset(changed)), (row,))
    seat.stored = columns


def _log_row(board: Board, entry: LogEntry) -> dict[str, Any]:
    return {
        "board_id": board.id,
        "number": entry.number,
        "ply": entry.ply,
        "kind": entry.kind,
        "seat": entry.seat,
        "move": entry.move,
        "words": pack(entry.words),
        "news": join_news(entry.news),
        "comment": entry.comment if entry.seat is not None else pack(entry.comment),
        "at": entry.at,
        "key": entry.key,
    }


def _is_third_time(session: Session, board: Board) -> bool:
    """Whether the present position stands for the third time; never in a game where that means
    nothing. Most often a glance at the log's keys is enough, unless the log began on a server that
    did not know rough keys."""
    newest = board.entries[-1].key if board.entries else ""
    key = newest or build_key(board.position)
    rows = reads.find_log(session, board.id) if key else ()
    keys = [row.key for row in rows if row.key]
    is_comparable = not keys or keys[0].startswith(ROUGH) == key.startswith(ROUGH)
    if is_comparable and keys.count(key) < 2:
        return False
    log = map(build_entry, rows)
    seats = len(board.seats)
    return count_occurrences(board.position, board.game, seats, board.options, log) >= 3


def has_rolled(session: Session, board: int) -> bool:
    """Whether there has been a roll, draw or shuffle on a board."""
    return any(row.kind == "chance" for row in reads.find_log(session, board))


def find_draw_claim(session: Session, board: Board) -> str:
    """Return why a player may claim a draw without the others, as a clause; "" when nobody may: by
    repetition, or by the game's own rule."""
    if board.is_over:
        return ""
    if _is_third_time(session, board):
        return phrase("the position stands for the third time")
    return board.position.claim


def check_clocks_soon(session: Session, player: int, now: float) -> None:
    """Have the scheduler check a player's boards: their clocks may run out sooner."""
    own = select(seats.c.board_id).where(seats.c.player_id == player, seats.c.rank.is_(None))
    session.execute(
        update(boards).where(boards.c.id.in_(own), boards.c.state == "running").values(look=now)
    )


# Unplayable boards: their game is missing, or its present rules reject their logs. They are
# still listed, and the operator can end them.

_NOTHING = phrase("nothing can be played here at the moment")


class Unplayable(Refusal):
    """A board or a game cannot be played at the moment."""


def refuse_missing_game(game: str, board: int = 0) -> Unplayable:
    """Return the refusal for a game that is not installed."""
    return Unplayable(
        RefusalCode.UNPLAYABLE,
        phrase(
            "{game} cannot be played at the moment: the operator has been told, and the clocks "
            "are stopped",
            game=game,
        ),
        board=board,
    )


def refuse_outdated_board(game: Game, board: int) -> Unplayable:
    """Return the refusal for a board whose log the present rules reject."""
    return Unplayable(
        RefusalCode.UNPLAYABLE,
        phrase(
            "board {board} is on hold for the operator: its moves do not fit the current rules of "
            "{game}",
            board=board,
            game=find_title(game.info.name),
        ),
        board=board,
    )


def build_stand_in(name: str, version: int, players: int) -> Game:
    """Return a stand-in for the game of a board whose position cannot be restored. It hides
    nothing, since it shows only what spectators may read."""
    try:
        stand_in_info = replace(get_game(name).info, version=version, features=frozenset())
    except UnknownGame:
        seats = tuple(f"seat {seat}" for seat in range(1, players + 1))
        stand_in_info = GameInfo(
            name, name, version, range(players, players + 1), {players: seats}, "", ""
        )

    class StandIn(Game):
        """Nothing can be played here."""

        info = stand_in_info

        def start(self, players: int, options: Mapping[str, Value]) -> Position:
            raise refuse_missing_game(name)

        def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
            raise refuse_missing_game(name)

    return StandIn()


@dataclass(frozen=True, slots=True)
class UnreadablePosition(Position):
    """A position of which only the stored text is known: its turns are not, moves are counted."""

    moves_once: ClassVar[bool] = True
    text: str
    names: tuple[str, ...]
    options: Mapping[str, Value]
    to_move: frozenset[int] = NOBODY
    turn: int = 0
    outcome: Outcome | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def playing(self) -> frozenset[int]:
        """All seats, since it is unknown who has left."""
        return frozenset(range(self.players))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.names

    def legal_moves(self, seat: int) -> Sequence[str]:
        return ()

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        raise IllegalMove(_NOTHING)

    def apply(self, seat: int, move: str) -> Position:
        raise IllegalMove(_NOTHING)

    def resign(self, seat: int) -> Position:
        raise IllegalMove(_NOTHING)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        canvas.paragraph(phrase("(the position cannot be shown)"), indent=2)
        return canvas.picture()

    def dump(self) -> list[Any]:
        return []

    def encode(self) -> str:
        return self.text


# Titles of games as pages show them: in each language its own, where a game has one there.


def find_title(name: str) -> str:
    """Return the title of a game, or its name where the game is gone."""
    try:
        title = get_game(name).info.title
    except UnknownGame:
        return name
    return _build_title(name, title)


@cache
def _build_title(name: str, title: str) -> str:
    return Page(partial(name_game, name, title))

"""Boards in the database: loaded, saved, and what their logs say of repetitions and rolls.

A board is played on under the version of its game with which it began, if the game still has that.
The stored position is a cache of what the moves make (`log.replay`): one that cannot be read, or
comes from a version that is gone, is replayed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, update

from pbm.core.model import board_clocks
from pbm.core.model.board import Board
from pbm.core.model.clock import build_control
from pbm.core.model.log import ROUGH, Entry, build_entry, build_key, count_occurrences, replay
from pbm.core.model.player import parse_preferences
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.seat import Seat
from pbm.core.model.unplayable import (
    Unplayable,
    UnreadablePosition,
    build_stand_in,
    refuse_missing_game,
    refuse_outdated_board,
)
from pbm.games import UnknownGame, get_game
from pbm.rules import CHANCE_TO_MOVE, Game, Outcome, Position, Value
from pbm.rules.game import build_position, list_stored_values
from pbm.store import reads
from pbm.store.board_tables import BoardRow, MoveRow, boards, moves, seats
from pbm.store.prefetch import SeatedRow
from pbm.store.transaction import Session

_NO_BOARD = ("there is no board with that number", "list", "games")
_ADD_MOVES = insert(moves)
_SAVE = (
    update(boards)
    .where(boards.c.id == bindparam("key"))
    .values(
        position=bindparam("position"),
        to_move=bindparam("to_move"),
        number=bindparam("number"),
        ply=bindparam("ply"),
        turn_ply=bindparam("turn_ply"),
        asked=bindparam("asked"),
        undos=bindparam("undos"),
        proposals=bindparam("proposals"),
        outcome=bindparam("outcome"),
        moved=bindparam("moved"),
        ended=bindparam("ended"),
        look=bindparam("look"),
        kept=bindparam("kept"),
    )
)
# What indexes are made of is written only when it changes: to enter it again takes as long as all
# the rest.
_SET_STATE = (
    update(boards).where(boards.c.id == bindparam("key")).values(state=bindparam("new_state"))
)
_SET_RANK = (
    update(seats)
    .where(seats.c.board_id == bindparam("board"), seats.c.seat == bindparam("which"))
    .values(rank=bindparam("new_rank"))
)
_RENEW = (
    update(boards)
    .where(boards.c.id == bindparam("key"))
    .values(version=bindparam("new_version"), options=bindparam("settled"))
)
_SAVE_SEAT = (
    update(seats)
    .where(seats.c.board_id == bindparam("board"), seats.c.seat == bindparam("which"))
    .values(
        accepted=bindparam("accepted"),
        moved=bindparam("moved"),
        plan=bindparam("plan"),
        submitted=bindparam("submitted"),
        spent=bindparam("spent"),
        due=bindparam("due"),
        reminded=bindparam("reminded"),
        notes=bindparam("notes"),
    )
)


_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError)
"""What a game may raise for a position or a move that it cannot read."""


@lru_cache(maxsize=64)
def _decode(game: Game, text: str) -> Position:
    """What `game.decode` returns, sooner where the game leaves that as it is. Few are kept: most
    are read once, and then the board has moved on."""
    if type(game).decode is not Game.decode:
        return game.decode(text)
    return build_position(game, msgspec.json.decode(text))


def encode_position(position: Position) -> str:
    """What `position.encode()` returns, in a tenth of the time where the game leaves that as it is
    and everything in it is ASCII."""
    if type(position).encode is not Position.encode:
        return position.encode()
    text = msgspec.json.encode(list_stored_values(position)).decode()
    return text if text.isascii() else position.encode()


class Asleep(Refusal):
    """The board sleeps: for everybody but its challenger, who can wake it, it does not exist."""

    def __init__(self, number: int) -> None:
        super().__init__(RefusalCode.NO_SUCH_BOARD, *_NO_BOARD)
        self.number = number


def load(
    session: Session, number: int, *, lock: bool = False, anyway: bool = False, asleep: bool = False
) -> Board:
    """The board with that number, locked for writing on request. Refusal when there is none, Asleep
    when it sleeps and `asleep` is not set, Unplayable as for `build_board`."""
    row = reads.find_board(session, number, lock=lock)
    if row is None:
        raise Refusal(RefusalCode.NO_SUCH_BOARD, *_NO_BOARD)
    if row.state == "sleeping" and not asleep:
        raise Asleep(number)
    return build_board(session, row, reads.find_seats(session, number), anyway=anyway)


def _read(session: Session, row: BoardRow) -> tuple[Game, Mapping[str, Value], Position, bool]:
    """Game, options and position of a board, and whether it was replayed because the stored
    position is of another version or unreadable. Unplayable when a replay fails too."""
    try:
        newest = get_game(row.game)
    except UnknownGame:
        raise refuse_missing_game(row.game, row.id) from None
    options = msgspec.json.decode(row.options)
    game = newest.find_version(row.version) or newest
    is_current = row.version == game.info.version
    if is_current:
        try:
            return game, options, _decode(game, row.position), False
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
    return game, options, position, True


def build_board(
    session: Session, row: BoardRow, seated: Iterable[SeatedRow], *, anyway: bool = False
) -> Board:
    """Build a board from its rows. Unplayable when its position cannot be restored; with `anyway`
    the board then has a stand-in for the position, for its players and its log."""
    try:
        game, options, position, is_renewed = _read(session, row)
    except Unplayable:
        if not anyway:
            raise
        game, options, is_renewed = (
            build_stand_in(row.game, row.players),
            json.loads(row.options),
            False,
        )
        position = UnreadablePosition(row.position, game.info.seats[row.players], options)
    ranks, reason = json.loads(row.outcome) if row.outcome else ((), "")
    return Board(
        id=row.id,
        game=game,
        options=options,
        state=row.state,
        position=position,
        seats=[
            Seat(
                seat.seat,
                seat.player_id,
                seat.userid,
                seat.player_state == "active",
                parse_preferences(seat.preferences),
                seat.accepted,
                seat.moved,
                seat.plan,
                seat.submitted,
                seat.rank,
                seat.spent,
                seat.due,
                seat.reminded,
                seat.away,
                seat.notes,
            )
            for seat in seated
        ],
        number=row.number,
        ply=row.ply,
        turn_ply=row.turn_ply,
        asked=row.asked,
        undos=row.undos,
        rated=row.rated,
        proposals=msgspec.json.decode(row.proposals),
        secret=row.secret,
        commitment=row.commitment,
        created=row.created,
        moved=row.moved,
        ended=row.ended,
        control=build_control(
            row.nag_days, row.forfeit_days, row.total_days, row.bank_days, row.increment_days
        ),
        answer_days=row.answer_days,
        rematch=row.rematch,
        kept=json.loads(row.kept) if row.kept else {},
        agreed=Outcome(tuple(ranks), reason) if ranks else None,
        had_ranks=tuple(ranks) if row.state == "over" else (),
        event=row.event_id,
        pool=row.pool,
        is_renewed=is_renewed,
        had_state=row.state,
    )


def save(session: Session, board: Board, now: float) -> None:
    """Write the board, its changed seats and new log rows; update the ratings and the event that it
    belongs to when it has ended or its result was taken back."""
    board.conclude(now)
    board_clocks.settle_clocks(session, board)
    outcome = board.outcome
    row = {
        "key": board.id,
        "position": encode_position(board.position),
        "to_move": "" if board.is_over else ",".join(map(str, sorted(board.position.to_move))),
        "number": board.number,
        "ply": board.ply,
        "turn_ply": board.turn_ply,
        "asked": board.asked,
        "undos": board.undos,
        "proposals": json.dumps(board.proposals) if board.proposals else "{}",
        "outcome": None if outcome is None else json.dumps([list(outcome.ranks), outcome.reason]),
        "moved": board.moved,
        "ended": board.ended,
        "look": board_clocks.find_next_check(board),
        "kept": json.dumps(board.kept) if board.kept else None,
    }
    session.defer(_SAVE, (row,))
    if board.state != board.had_state:
        session.defer(_SET_STATE, ({"key": board.id, "new_state": board.state},))
        board.had_state = board.state
    if board.is_renewed:
        options = json.dumps(dict(board.options))
        renewed = {"key": board.id, "new_version": board.game.info.version, "settled": options}
        session.defer(_RENEW, (renewed,))
        board.is_renewed = False
    log_rows = [_log_row(board, entry) for entry in board.entries]
    session.defer(_ADD_MOVES, log_rows)
    reads.note_board_saved(session, board.id, [MoveRow(**row) for row in log_rows])
    for seat in board.seats:
        if seat.changed:
            changed = {
                "board": board.id,
                "which": seat.seat,
                "accepted": seat.accepted,
                "moved": seat.moved,
                "plan": seat.plan,
                "submitted": seat.submitted,
                "spent": seat.spent,
                "due": seat.due,
                "reminded": seat.reminded,
                "notes": seat.notes,
            }
            session.defer(_SAVE_SEAT, (changed,))
            seat.changed = False
        if seat.has_new_rank:
            ranked = {"board": board.id, "which": seat.seat, "new_rank": seat.rank}
            session.defer(_SET_RANK, (ranked,))
            seat.has_new_rank = False
    if outcome is not None and board.state == "over" and not board.had_ranks:
        from pbm.core.model.board_rating import rate_board  # few moves end a game

        board.had_ranks = outcome.ranks
        rate_board(session, board, now)
    elif board.had_ranks and board.state != "over":
        from pbm.core.model.board_rating import withdraw_ratings  # seldom needed

        withdraw_ratings(session, board, board.had_ranks)
        board.had_ranks = ()
    if board.event is not None and (board.is_over or board.is_reopened):
        from pbm.core.model.events.event_results import note_result  # seldom needed

        note_result(session, board, now)


def _log_row(board: Board, entry: Entry) -> dict[str, Any]:
    return {
        "board_id": board.id,
        "number": entry.number,
        "ply": entry.ply,
        "kind": entry.kind,
        "seat": entry.seat,
        "move": entry.move,
        "words": entry.words,
        "news": entry.news,
        "comment": entry.comment,
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
    """Why a player may claim a draw without the others, as a clause; "" when nobody may: by
    repetition, or by the game's own rule."""
    if board.is_over:
        return ""
    if _is_third_time(session, board):
        return "the position stands for the third time"
    return board.position.claim

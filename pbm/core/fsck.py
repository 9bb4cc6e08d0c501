"""Checks whether the database agrees with itself: logs without gaps, positions that a replay
reproduces, results that fit, queues in states that exist. It only reads and repairs nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import exists, false, or_, select, true

from pbm.core import board as board_clocks
from pbm.core import retention
from pbm.core.board import Board
from pbm.core.feature import list_hooks
from pbm.core.log import LogEntry, audit_rolls, build_entry, count_plies, drop_undone, replay
from pbm.core.secrets import compute_commitment
from pbm.core.storing import Unplayable, build_board
from pbm.games import load_games
from pbm.rules import MoveError
from pbm.rules.phrases import unpack
from pbm.store import reads
from pbm.store.prefetched import SeatedRow
from pbm.store.rows import Query
from pbm.store.tables import (
    BoardRow,
    PlayerRow,
    addresses,
    boards,
    inbound,
    outbound,
    players,
)
from pbm.store.transaction import Session

OPEN = ("running", "invited")
_STATES = ("sleeping", "invited", "running", "over", "cancelled")
_DECIDED = ("draw", "adjudicate")


def find_differences(session: Session, numbers: Iterable[int] | None = None) -> Iterator[str]:
    """Yield a sentence for each contradiction, those of boards first: of these numbers, or of
    all."""
    for number in find_board_numbers(session) if numbers is None else numbers:
        difference = find_board_difference(session, number)
        if difference:
            yield f"board {number}: {difference}"
    yield from _check_queues(session)
    yield from _check_accounts(session)
    for find_more in list_hooks(lambda each: each.finds_differences):
        yield from find_more(session)


def find_unplayable(session: Session, most: int = 1000) -> list[tuple[int, str]]:
    """Yield (number, why) of open boards that cannot be played. Only those are tried, `most` at
    most, that the installed version of their game has not saved yet."""
    versions = [(game.info.name, game.info.version) for game in load_games()]
    current = [
        (boards.c.game == name) & (boards.c.version == version) for name, version in versions
    ]
    query = select(boards).where(boards.c.state.in_(OPEN), ~or_(false(), *current))
    boards_and_reasons = []
    for row in session.all(Query(BoardRow, query.order_by(boards.c.id).limit(most))):
        try:
            build_board(session, row, reads.find_seats(session, row.id))
        except Unplayable as refusal:
            boards_and_reasons.append((row.id, refusal.text))
    return boards_and_reasons


def find_board_numbers(session: Session) -> Sequence[int]:
    """Return the numbers of all boards."""
    return session.execute(select(boards.c.id).order_by(boards.c.id)).scalars().all()


def find_board_difference(session: Session, number: int) -> str:
    """Return the fault of a board, or ""."""
    row = reads.find_board(session, number)
    seats = reads.find_seats(session, number)
    if row is None:
        return "there is no such board"
    if [seat.seat for seat in seats] != list(range(row.players)):
        return f"it has seats {[seat.seat for seat in seats]} for {row.players} players"
    log = [build_entry(entry) for entry in reads.find_log(session, number)]
    try:
        board = build_board(session, row, seats)
        return (
            _check_log(row, log)
            or _check_position(row, board, log)
            or _check_chance(row, board, log)
            or _check_state(row, board, seats, log)
            or _check_clocks(row, board)
        )
    except Unplayable as unplayable:
        return unplayable.text
    except (MoveError, ValueError, LookupError) as error:
        return f"it cannot be replayed: {error}"


def _check_log(row: BoardRow, log: list[LogEntry]) -> str:
    numbers = [entry.number for entry in log]
    if numbers != list(range(1, len(log) + 1)):
        first = next(at for at, n in enumerate([*numbers, 0], 1) if n != at)
        return f"move {first} is missing in its log"
    if row.number != len(log):
        return f"its last move is number {row.number}, the log has {len(log)}"
    ply = 0
    for at, entry in enumerate(log, 1):
        if entry.kind == "undo":
            ply = count_plies(log[:at])
            continue
        ply += entry.kind == "move"
        if entry.ply != ply:
            return f"move {entry.number} stands at ply {entry.ply}, not {ply}"
    return "" if row.ply == ply else f"it is at ply {row.ply}, its log at {ply}"


def say_plainly(encoded: str) -> object:
    """Return the stored form of a position, with its sentences in English as older versions stored
    them."""

    def say(value: object) -> object:
        if isinstance(value, list):
            return [say(each) for each in value]
        if isinstance(value, str):
            return str(unpack(value))
        return value

    try:
        return say(json.loads(encoded))
    except ValueError:  # a game may store its positions otherwise
        return encoded


def _check_position(row: BoardRow, board: Board, log: list[LogEntry]) -> str:
    position = replay(board.game, row.players, board.options, log)
    replayed = position.encode()
    is_same = replayed == row.position or say_plainly(replayed) == say_plainly(row.position)
    if row.version == board.game.info.version and not is_same:
        return "its stored position is not the one that a replay of its moves makes"
    on_move = "" if board.is_over else ",".join(map(str, sorted(position.to_move)))
    if row.to_move != on_move:
        return f"seats {row.to_move or 'none'} are on the move, by the position {on_move or 'none'}"
    return ""


def _check_chance(row: BoardRow, board: Board, log: list[LogEntry]) -> str:
    """Return why an answer of chance does not follow from the secret that the board is committed
    to. An imported board has no secret: its dice were checked with its record."""
    if not row.secret and not row.commitment and board.is_over:
        return ""
    if compute_commitment(row.secret) != row.commitment:
        return "its commitment is not that of its secret"
    start = board.game.setup(row.players, board.options)
    for roll in audit_rolls(start, row.id, row.secret, log, board.former):
        if not roll.is_right:
            return f"chance in move {roll.number} is not what its secret decides"
    return ""


def _check_state(
    row: BoardRow, board: Board, seats: Sequence[SeatedRow], log: list[LogEntry]
) -> str:
    outcome = board.position.outcome
    if row.state not in _STATES:
        return f"it is in the state {row.state}, which does not exist"
    if (row.ended is not None) != board.is_over:
        return f"it is {row.state}, but {'has no' if board.is_over else 'has a'} time of its end"
    if not board.is_over and (outcome is not None or row.outcome):
        return f"it is {row.state}, but has a result"
    if row.state != "over":
        return ""
    stored = json.loads(row.outcome) if row.outcome else None
    if stored is None:
        return "it is over, but has no result"
    decided = any(entry.kind in _DECIDED for entry in drop_undone(log))
    if outcome is None and not decided:
        return "it is over, but its position has no result and nobody decided one"
    if outcome is not None and not decided and stored[0] != list(outcome.ranks):
        return f"its ranks are {stored[0]}, by the position {list(outcome.ranks)}"
    if [seat.rank for seat in seats] != stored[0]:
        return "the ranks of its seats are not those of its result"
    return ""


def _check_clocks(row: BoardRow, board: Board) -> str:
    if board.is_over and row.look is not None:
        return "it is over, but its clock is still to be looked at"
    if row.look is None and board_clocks.find_next_check(board) is not None:
        return "its clock runs, but nobody looks at it"
    if any(seat.spent < 0 for seat in board.seats):
        return "a seat has spent less than no time"
    # Who completes their orders after a warning stays warned until the turn ends: else a change of
    # mind would win a day.
    warned = [seat for seat in board.seats if seat.due is not None]
    if not board.position.takes_orders and any(seat not in board.on_move for seat in warned):
        return "a seat that is not on the move was warned of a forfeit"
    return ""


def _check_queues(session: Session) -> Iterator[str]:
    for number, state, finished in session.tuples(
        select(inbound.c.id, inbound.c.state, inbound.c.finished).where(
            or_(
                inbound.c.state.not_in(("waiting", "done", "aside")),
                (inbound.c.state == "waiting") & inbound.c.finished.is_not(None),
                (inbound.c.state != "waiting") & inbound.c.finished.is_(None),
            )
        )
    ):
        yield f"incoming mail {number} is {state}, finished {finished}"
    for number, state, finished in session.tuples(
        select(outbound.c.id, outbound.c.state, outbound.c.finished).where(
            or_(
                outbound.c.state.not_in(("waiting", "sent", "failed", "dropped")),
                (outbound.c.state == "waiting") & outbound.c.finished.is_not(None),
                (outbound.c.state != "waiting") & outbound.c.finished.is_(None),
            )
        )
    ):
        yield f"outgoing mail {number} is {state}, finished {finished}"
    for column, table in (
        (outbound.c.inbound_id, inbound),
        (outbound.c.board_id, boards),
        (outbound.c.player_id, players),
        (inbound.c.board_id, boards),
    ):
        kept = column > retention.find_last_deleted(session) if table is inbound else true()
        lost = select(column.table.c.id).where(
            column.is_not(None), kept, ~exists().where(table.c.id == column)
        )
        for number in session.execute(lost.limit(1)).scalars():
            yield f"{column.table.name} {number} belongs to a row of {table.name} that is not there"


def _check_accounts(session: Session) -> Iterator[str]:
    for row in session.stream(Query(PlayerRow, select(players))):
        if row.name != row.userid.lower():
            yield f"player {row.id} is named {row.name}, but written {row.userid}"
        if row.state not in ("active", "waiting", "suspended", "closed"):
            yield f"player {row.userid} is in the state {row.state}, which does not exist"
    lost = select(addresses.c.id).where(~exists().where(players.c.id == addresses.c.player_id))
    for number in session.execute(lost.limit(1)).scalars():
        yield f"address {number} belongs to no player"

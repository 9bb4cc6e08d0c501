"""Checks whether events agree with their boards, and their tables with those that are computed from
a record written out and read again."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec.structs import replace
from sqlalchemy import exists, select

from pbm.core.events.record import build_record
from pbm.core.events.views import list_parts
from pbm.pairing.game_points import score_ranks
from pbm.pairing.lots import commit
from pbm.pairing.record import Game, Record, read_json, write_json
from pbm.pairing.standings import standings
from pbm.store import reads
from pbm.store.event_tables import EventRow, events, pairings
from pbm.store.rows import Query
from pbm.store.tables import boards
from pbm.store.transaction import Session

_STATES = ("open", "running", "over", "cancelled")
_ALL = Query(EventRow, select(events).order_by(events.c.id))


def find_event_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each contradiction in an event."""
    for row in session.stream(_ALL):
        for difference in _check_event(session, row):
            yield f"event {row.id}: {difference}"
    lost = select(boards.c.id).where(
        boards.c.event_id.is_not(None), ~exists().where(pairings.c.board_id == boards.c.id)
    )
    for number in session.execute(lost.limit(1)).scalars():
        yield f"board {number} belongs to an event that has no such game"


def _check_event(session: Session, row: EventRow) -> Iterator[str]:
    if row.state not in _STATES:
        yield f"it is in the state {row.state}, which does not exist"
    if (row.state in ("open", "running")) != (row.look is not None):
        yield f"it is {row.state}, but {'nobody looks' if row.look is None else 'looked'} at it"
    if commit(row.secret) != row.commitment:
        yield "its commitment is not that of its secret"
    record = build_record(session, row)
    numbers = sorted(entrant.number for entrant in record.entrants)
    if row.state == "running" and numbers != list(range(1, len(numbers) + 1)):
        yield f"its start numbers are {numbers}"
    yield from _check_games(session, record)
    if all(_has_its_players(record, game) for game in record.games):
        yield from _check_tables(record)


def _check_games(session: Session, record: Record) -> Iterator[str]:
    """Yield each game without the result of its board, unless that was decided otherwise."""
    for game in record.games:
        if not _has_its_players(record, game):
            yield f"game {game.id} is played by {game.seats}"
        board = reads.find_board(session, game.board) if game.board is not None else None
        if game.board is not None and board is None:
            yield f"game {game.id} is played on board {game.board}, which is not there"
        elif board is not None and board.state == "over" and game.how == "played":
            ranks = json.loads(board.outcome)[0] if board.outcome else ()
            if game.points != tuple(score_ranks(ranks)):
                yield f"game {game.id} has other points than the result of board {board.id}"
        elif board is not None and game.is_open and board.state in ("over", "cancelled"):
            yield f"game {game.id} is open, but board {board.id} is over"


def _has_its_players(record: Record, game: Game) -> bool:
    """Whether its players take part, and nobody plays against themselves."""
    numbers = {entrant.number for entrant in record.entrants}
    return numbers.issuperset(game.seats) and len(set(game.seats)) == len(game.seats)


def _check_tables(record: Record) -> Iterator[str]:
    """Yield why the tables cannot be computed again from the record as it is given out."""
    copy = read_json(write_json(record))
    hidden = record.ended is None
    for title, group, stage in list_parts(record):
        again = copy if not hidden else _with_secret(copy, record)
        if standings(record, group, stage) != standings(again, group, stage):
            yield f"the standings{title and ' of ' + title} are not those of its record"


def _with_secret(copy: Record, record: Record) -> Record:
    return replace(copy, secret=record.secret, entrants=record.entrants)

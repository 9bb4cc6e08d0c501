"""Pairing the next games of an event, and making their boards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec import structs
from sqlalchemy import update

from pbm.core.events.finding import tell
from pbm.core.events.notices import EventFree
from pbm.core.events.record import (
    find_due,
    insert_games,
    name_event,
    read_options,
)
from pbm.core.events.views import format_day
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.boards.making import insert_board
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.updates import notify_new_board
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.board_options import load_terms
from pbm.core.kernel.notices.boards import BoardUpdate
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player, get_player
from pbm.games import get_game
from pbm.pairing.kinds import get_kind
from pbm.pairing.next_round import count_rounds
from pbm.pairing.record import Game, Record
from pbm.rules.phrases import combine, join_phrases, phrase, unpack
from pbm.store.event_tables import EventRow, PairingRow, pairings
from pbm.store.reads.event_rows import EnteredRow, find_entrants, find_unmade_pairings

_MOST_BOARDS = 50
"""Boards that one piece of work makes."""


def add_games(
    context: Context, row: EventRow, record: Record, games: Sequence[Game]
) -> list[Notice]:
    """Add the games that come next; notices to those who have no opponent."""
    if not games:
        return []
    rounds = count_rounds(record)
    due = {game.id: find_due(record, game, rounds) for game in games}
    insert_games(context.session, row.id, games, due)
    free = {game.seats[0]: game for game in games if game.is_bye}
    entered = [each for each in find_entrants(context.session, row.id) if each.number in free]
    return tell(
        context,
        entered,
        lambda entrant: EventFree(
            event=row.id,
            name=name_event(row),
            game=row.game,
            round=free[entrant.number].round,
            reason=free[entrant.number].reason,
        ),
    )


def make_boards(context: Context, row: EventRow) -> list[Notice]:
    """Make boards for games that have none yet, a bounded number of them."""
    games = find_unmade_pairings(context.session, row.id, _MOST_BOARDS)
    if not games:
        return []
    entered = {each.number: each for each in find_entrants(context.session, row.id)}
    notices: list[Notice] = []
    for game in games:
        notices += make_board(context, row, game, entered)
    return notices


def make_board(
    context: Context,
    row: EventRow,
    pairing: PairingRow | Game,
    entered: Mapping[int, EnteredRow],
    challenger: int | None = None,
) -> list[Notice]:
    """Make the board of a game. It begins at once, as its players agreed when they entered; with a
    `challenger` it is an invitation to the others."""
    number, seats = _read_game(pairing)
    people = _find_people(context, [entered[each] for each in seats])
    game = get_game(row.game)
    terms = load_terms(json.loads(row.options), json.loads(row.server))
    position = game.setup(len(people), terms.options)
    is_asked = challenger is not None
    accepted = [each.id for each in people]
    if challenger is not None:
        accepted = [entered[challenger].player_id]
    board = insert_board(
        context,
        game,
        position,
        people,
        terms,
        state="invited" if is_asked else "running",
        accepted=accepted,
        event=row.id,
        answer_days=read_options(row).answer if is_asked else None,
    )
    if not is_asked:
        board.start(context.now)
    save(context.session, board, context.now)
    chosen = (pairings.c.event_id == row.id) & (pairings.c.number == number)
    context.session.execute(
        update(pairings).where(chosen).values(board_id=board.id, begun=context.now)
    )
    return _announce(context, row, pairing, board)


def _read_game(pairing: PairingRow | Game) -> tuple[int, Sequence[int]]:
    if isinstance(pairing, Game):
        return pairing.id, pairing.seats
    return pairing.number, json.loads(pairing.entrants)


def _find_people(context: Context, rows: Sequence[EnteredRow]) -> list[Player]:
    people = [get_player(context.session, row.player_id) for row in rows]
    return [player for player in people if player is not None]


def _announce(
    context: Context, row: EventRow, pairing: PairingRow | Game, board: Board
) -> list[Notice]:
    """Return the notices of a new board, with what the event says of it."""
    due = pairing.due if not isinstance(pairing, Game) else None
    remark = _describe_round(row, pairing)
    if board.state == "invited":
        until = format_day(context.now + read_options(row).answer * DAY)
        rule = phrase("Who declines it, or does not answer by {time}, loses it", time=until)
        remark = join_phrases(" ", [remark, rule])
    elif due is not None:
        rule = phrase("What is unfinished on {time} is decided then", time=format_day(due))
        remark = join_phrases(" ", [remark, rule])
    return [_add_remark(notice, remark) for notice in notify_new_board(context, board)]


def _describe_round(row: EventRow, pairing: PairingRow | Game) -> str:
    """Say in which round of which event a game is, and why, as a sentence."""
    options = read_options(row)
    kind = get_kind(options.kind)
    where = phrase(
        "round {round} of event {event}, {name}",
        round=pairing.round,
        event=row.id,
        name=name_event(row),
    )
    if kind.has_challenges:
        where = phrase("event {event}, {name}", event=row.id, name=name_event(row))
    division = pairing.group if isinstance(pairing, Game) else pairing.division
    group = kind.name_group(options, division)
    if pairing.stage == "final":
        group = phrase("final")
    if group:
        where = combine("{group}, {where}", group=group, where=where)
    if not pairing.reason:
        return combine("{where}.", where=where)
    return combine("{where}: {why}", where=where, why=unpack(pairing.reason))


def _add_remark(notice: Notice, remark: str) -> Notice:
    if not isinstance(notice.content, BoardUpdate):
        return notice
    content = structs.replace(notice.content, remark=remark)
    return Notice(
        content, notice.addresses, notice.player, notice.thread, notice.is_answer, notice.left
    )

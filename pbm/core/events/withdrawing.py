"""What a withdrawal, an adjudication or a correction does to the boards of an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbm.core.events.record import (
    build_record,
    update_entrants,
    update_event,
    update_games,
)
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.storing import build_board, save
from pbm.core.kernel.boards.updates import notify_board
from pbm.core.kernel.context import Context
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.pairing.begin import leave
from pbm.pairing.record import Game, Record
from pbm.rules import Outcome
from pbm.rules.phrases import Phrase, combine, fill_in, phrase
from pbm.store import reads
from pbm.store.event_tables import EventRow
from pbm.store.reads.event_rows import find_entrants

# TRANSLATORS: what stands before each is a userid: "ann left event 3"
WHY: Mapping[str, Phrase] = {
    "withdrew": phrase("left event {event}"),
    "silent": phrase("was silent for too long in event {event}"),
    "closed": phrase("is no longer here"),
    "removed": phrase("was taken out of event {event}"),
}
"""Why an entrant's boards end, after the userid."""


class BoardIsLocked(Refusal):
    """Somebody moves on a board of the event at this very moment."""

    def __init__(self, board: int) -> None:
        super().__init__(
            RefusalCode.WRONG_STATE,
            phrase(
                "somebody moves on board {board} at this very moment: send that again", board=board
            ),
        )


def withdraw(
    context: Context, row: EventRow, number: int, why: str
) -> tuple[Sequence[str], Sequence[Notice]]:
    """Take an entrant out of an event that runs. Returns what became of the boards, a line each,
    and the notices to their other players and watchers."""
    record = build_record(context.session, row, context.now)
    after = leave(record, number, context.now, why)
    name = record.name_of(number)
    said = fill_in(WHY[why], event=row.id)
    reason = combine("{who} {what}", who=name, what=said)
    notices = carry_out(context, row.id, record, after, reason, leaver=number, said=said)
    entered = find_entrants(context.session, row.id)
    update_entrants(context.session, row.id, entered, after.entrants)
    update_event(context.session, row.id, look=context.now)
    own = {each.player_id for each in entered if each.number == number}
    boards = _describe_boards(record, after, number)
    return boards, [notice for notice in notices if notice.player not in own]


def _describe_boards(before: Record, after: Record, number: int) -> list[str]:
    """Say what became of an entrant's boards, a line each."""
    was = {game.id: game for game in before.games}
    lines: list[str] = []
    for game in after.games:
        if number not in game.seats or game == was[game.id] or game.board is None:
            continue
        others = ", ".join(before.name_of(each) for each in game.seats if each != number)
        lines.append(
            phrase("board {board} against {others} does not count", board=game.board, others=others)
            if game.how == "annulled"
            else phrase("board {board} against {others} is lost", board=game.board, others=others)
        )
    return lines


def carry_out(
    context: Context,
    event: int,
    before: Record,
    after: Record,
    why: str,
    *,
    leaver: int = 0,
    said: str = "",
) -> list[Notice]:
    """Write the games that have changed between two records of an event, and end their boards; the
    notices to the players. Where three or more play, the others go on without the leaver, of whom
    `said` tells what became. Raise BoardIsLocked when a board cannot be locked at once."""
    was = {game.id: game for game in before.games}
    changed = [game for game in after.games if game != was[game.id]]
    left = [game for game in after.open_games if leaver in game.seats]
    notices: list[Notice] = []
    for game in (*changed, *left):
        if was[game.id].is_open and game.board is not None:
            board = _lock_board(context, game.board)
            if not board.is_over:
                notices += _end_board(context, board, game, why, leaver, said)
    context.session.flush()
    update_games(context.session, event, changed)
    return notices


def _lock_board(context: Context, number: int) -> Board:
    row = reads.try_lock_board(context.session, number)
    if row is None:
        raise BoardIsLocked(number)
    return build_board(context.session, row, reads.find_seats(context.session, number), anyway=True)


def _end_board(
    context: Context, board: Board, game: Game, why: str, leaver: int, said: str
) -> list[Notice]:
    """End a board as the record says, or the leaver's part in it; the notices to its players."""
    seat = game.seats.index(leaver) if leaver in game.seats else None
    event = why
    if game.how == "annulled" or board.state == "invited":
        board.cancel(None, why, context.now)
        event = phrase("the board ends without a result: {why}", why=why)
    elif seat is not None and game.how in ("open", "forfeit"):
        if seat not in board.position.playing:
            return []
        board.forfeit(seat, context.now, said)
    else:
        _adjudicate(board, game, why, context.now)
    save(context.session, board, context.now)
    return notify_board(context, board, event)


def _adjudicate(board: Board, game: Game, why: str, now: float) -> None:
    """End a board with the points that its game is given."""
    points = game.points or (0.0,) * len(board.seats)
    ranks = tuple(1 + sum(other > own for other in points) for own in points)
    board.adjudicate(Outcome(ranks, why), now)

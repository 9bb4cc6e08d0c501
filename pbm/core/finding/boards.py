"""Boards worth a look: one's own, the most urgent first, and the best that can be watched."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from pbm.core.finding.digest import find_waiting_boards
from pbm.core.finding.list_notices import BoardLine, BoardList
from pbm.core.finding.looking import build_lines
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.words import find_game_name
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.ratings import NEW
from pbm.rules.phrases import phrase
from pbm.store.reads.board_rows import (
    ListedSeatRow,
    find_boards_of_players,
    find_newest_boards,
    find_seats_by_board,
    find_watched_boards,
)
from pbm.store.reads.player_rows import find_ratings_of_players

_MOST = 100
_MOST_COMPARED = 200


def list_own_boards(call: Call) -> list[Notice]:
    """List the sender's open boards: those that wait for the sender, the most urgent first, then
    those that wait for others."""
    me = call.me
    waiting = {row.board: row for row in find_waiting_boards(call, me)}
    rows = find_boards_of_players(
        call.session,
        [me.id],
        ("running", "invited"),
        "",
        only_open=True,
        most=_MOST + 1,
        anonymous=True,
    )

    def describe(line: BoardLine) -> BoardLine:
        row = waiting.get(line.board)
        if row is None:
            return line
        status = phrase("your move {number}", number=row.ply)
        if row.invited:
            status = phrase("to answer")
        elif row.takes_orders:
            status = phrase("your orders")
        return structs.replace(line, status=status, until=row.until)

    def find_place(line: BoardLine) -> tuple[bool, float, int]:
        row = waiting.get(line.board)
        return row is None, math.inf if row is None else row.end, -line.board

    lines = [describe(line) for line in build_lines(call.session, rows[:_MOST])]
    return [
        call.answer(
            BoardList(
                title=phrase("open boards of {userid}", userid=me.userid),
                rows=sorted(lines, key=find_place),
                more=len(rows) > _MOST,
                urgent=len(waiting) > 0,
                is_own=True,
            )
        )
    ]


def watch_best(call: Call) -> list[Notice]:
    """Watch the running board with the strongest players, of a game or of all: of the newest ones
    that the sender neither plays on nor watches. Refuse when there is none."""
    me, words = call.me, call.command.words
    game = call.command.game or (find_game_name(words[0]) if words else "")
    if words and not game:
        raise Refusal(
            RefusalCode.NO_SUCH_GAME,
            phrase("there is no game with that name"),
            "watch best {user} PASSWORD",
            "games",
        )
    games = [game] if game else []
    rows = find_newest_boards(call.session, ("running",), games, _MOST_COMPARED)
    seats = find_seats_by_board(call.session, [row.id for row in rows])
    watched = find_watched_boards(call.session, me.id)
    rows = [
        row
        for row in rows
        if row.id not in watched and all(seat.player_id != me.id for seat in seats[row.id])
    ]
    if not rows:
        raise Refusal(
            RefusalCode.NO_SUCH_BOARD,
            phrase("no other board of {game} is being played", game=game)
            if game
            else phrase("no other board is being played"),
            "list",
        )
    people = {seat.player_id for row in rows for seat in seats[row.id]}
    ratings = {
        (row.player_id, row.game): row.mu for row in find_ratings_of_players(call.session, people)
    }

    def find_strength(game: str, seated: Sequence[ListedSeatRow]) -> float:
        return sum(ratings.get((seat.player_id, game), NEW.mu) for seat in seated) / len(seated)

    best = max(rows, key=lambda row: (find_strength(row.game, seats[row.id]), row.id))
    call.command = replace(call.command, board=best.id, game=best.game)
    return call.do_as("watch")

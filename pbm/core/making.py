"""Inserts new boards, for challenges, offers and events alike."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Sequence

from pbm.core import storing
from pbm.core.board import Board
from pbm.core.context import Context
from pbm.core.feature import list_hooks
from pbm.core.options import Terms
from pbm.core.player import Player
from pbm.core.seat import Seat
from pbm.core.secrets import compute_commitment
from pbm.ratings import HOUSE
from pbm.rules import Game, Position
from pbm.rules.game import ANONYMOUS


def insert_board(
    context: Context,
    game: Game,
    position: Position,
    people: Sequence[Player],
    terms: Terms,
    *,
    state: str,
    accepted: Collection[int],
    event: int | None = None,
    answer_days: float | None = None,
) -> Board:
    """Insert a board, of an event or of none, to which some of its players have agreed. An
    invitation waits for `answer_days`, or for as long as a turn may take. The seats of an anonymous
    board are drawn: whoever named its players is not to know who sits where."""
    secret = context.secrets.generate_board_secret()
    if terms.options.get(ANONYMOUS):
        people = _draw_seats(people, secret)
    rated = not terms.is_unrated(game) and len({player.id for player in people}) == len(people)
    has_bots = any(player.is_bot for player in people)
    board = Board(
        id=0,
        game=game,
        options=terms.options,
        state=state,
        position=position,
        seats=[
            Seat(
                seat,
                player.id,
                player.userid,
                True,
                player.preferences,
                player.id in accepted,
                is_bot=player.is_bot,
            )
            for seat, player in enumerate(people)
        ],
        number=0,
        ply=0,
        turn_ply=0,
        chance_questions=0,
        undos=0,
        rated=rated,
        proposals={},
        secret=secret,
        commitment=compute_commitment(secret),
        created=context.now,
        turn_began=context.now,
        ended=None,
        control=terms.control,
        answer_days=answer_days,
        event=event,
        pool=HOUSE if has_bots and not context.config.bots.rated_with_people else "",
    )
    storing.insert_board(context.session, board)
    for do in list_hooks(lambda each: each.on_inserted):
        do(context, board, terms)
    return board


def _draw_seats(people: Sequence[Player], secret: bytes) -> list[Player]:
    """Return the players in an order that follows from the board's secret alone."""

    def draw(place: int) -> bytes:
        return hmac.digest(secret, f"seat {place}".encode(), "sha256")

    return [people[place] for place in sorted(range(len(people)), key=draw)]

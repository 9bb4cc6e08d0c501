"""Ratings of a player: listed, passed on and deleted."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import list_own
from pbm.core.ratings.rating_boards import rebuild_ratings
from pbm.store.tables import rating_changes, ratings
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the ratings of a player, and each change of them."""
    return {
        "ratings": list_own(session, player, ratings, "game mu sigma boards won lost updated"),
        "rating_changes": list_own(
            session, player, rating_changes, "board_id game mu_before sigma_before mu sigma at"
        ),
    }


def rate_again(act: OperatorAct, old: Player, _new: Player) -> None:
    """Compute the ratings of all games that the first has played anew."""
    games = select(ratings.c.game).where(ratings.c.player_id == old.id)
    for game in sorted(act.session.execute(games).scalars()):
        rebuild_ratings(act.session, game)

"""What the opponents of a player are told whom mails do not reach any more."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from pbm.core.kernel.notices.mails import Unreachable
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player
from pbm.store import reads
from pbm.store.tables import boards, players, seats
from pbm.store.transaction import Session

_OPPONENTS = (
    select(seats.c.player_id, seats.c.board_id)
    .join(players, players.c.id == seats.c.player_id)
    .join(boards, boards.c.id == seats.c.board_id)
    .where(
        seats.c.board_id.in_(bindparam("numbers", expanding=True)),
        boards.c.anonymous.is_(False),
        seats.c.player_id != bindparam("player"),
        players.c.state == "active",
    )
    .distinct()
    .order_by(seats.c.player_id, seats.c.board_id)
)


def tell_opponents(
    session: Session,
    player: Player,
    numbers: Sequence[int],
    *,
    reached: bool = False,
    is_wish: bool = False,
) -> list[Notice]:
    """Return a notice for each opponent on these boards that do not hide who plays. `reached`:
    other addresses of the player still get mail; `is_wish`: the player has asked for none."""
    shared: dict[int, list[int]] = {}
    params = {"numbers": list(numbers), "player": player.id}
    for opponent, board in session.tuples(_OPPONENTS, params):
        shared.setdefault(opponent, []).append(board)
    return [
        Notice(
            Unreachable(userid=player.userid, boards=common, reached=reached, is_wish=is_wish),
            addresses=reads.find_addresses(session, opponent),
            player=opponent,
        )
        for opponent, common in shared.items()
    ]

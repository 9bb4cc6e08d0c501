"""Rows of offers: games waiting for players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import bindparam, func, select

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.features.lobby.tables import OfferRow, offers
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query
from pbm.store.tables import events, players, seats
from pbm.store.transaction import Session


def list_old_rows(now: float, retention: Retention) -> Iterator[OldRows]:
    """Yield ended offers to delete, with the same delay as rows of mails."""
    if retention.rows_days:
        before = now - retention.rows_days * DAY
        yield OldRows((offers.c.id,), (offers.c.state != "open") & (offers.c.expires < before))


_LAST_BEGUN = [
    select(func.max(number)).where(player == bindparam("player"))
    for number, player in (
        (events.c.id, events.c.player_id),
        (offers.c.id, offers.c.player_id),
        (seats.c.board_id, seats.c.player_id),
    )
]


def find_last_begun(session: Session, player: int) -> int:
    """Return a number that changes with each event and offer that a player makes, and each board on
    which the player gets a seat."""
    values = {"player": player}
    return sum(int(session.value(query, values) or 0) for query in _LAST_BEGUN)


class MadeOfferRow(OfferRow):
    """An offer, with its maker."""

    userid: str
    preferences: str


_LISTED_OFFERS = select(offers).where(offers.c.state == "open")
_LISTED = (
    select(offers, players.c.userid, players.c.preferences)
    .join(players, players.c.id == offers.c.player_id)
    .where(
        offers.c.state == "open",
        offers.c.expires > bindparam("now"),
        players.c.state == "active",
    )
    .order_by(offers.c.id)
    .limit(bindparam("most"))
)
_OPEN_OFFERS = Query(MadeOfferRow, _LISTED)
_OPEN_OFFERS_OF_GAME = Query(MadeOfferRow, _LISTED.where(offers.c.game == bindparam("game")))
_COUNT_OWN = (
    select(func.count())
    .select_from(offers)
    .where(
        offers.c.state == "open",
        offers.c.player_id == bindparam("id"),
        offers.c.expires > bindparam("now"),
    )
)
_LOCK_OFFER = Query(
    OfferRow, select(offers).where(offers.c.id == bindparam("id")).with_for_update()
)
_LOCK_EXPIRED = Query(
    OfferRow,
    _LISTED_OFFERS.where(offers.c.expires <= bindparam("now"))
    .order_by(offers.c.expires, offers.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True),
)
_LOCK_FOR_BOTS = Query(
    OfferRow,
    _LISTED_OFFERS.where(
        offers.c.expires > bindparam("now"),
        offers.c.created <= bindparam("before"),
        offers.c.server.like('%"house"%'),
    )
    .order_by(offers.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True),
)


def find_open_offers(session: Session, game: str, now: float, most: int) -> Sequence[MadeOfferRow]:
    """Return the open offers of a game, or of all games for "", oldest first."""
    query = _OPEN_OFFERS_OF_GAME if game else _OPEN_OFFERS
    return session.all(query, {"now": now, "most": most} | ({"game": game} if game else {}))


def count_open_offers(session: Session, player: int, now: float) -> int:
    """Return the number of a player's open offers."""
    return int(session.execute(_COUNT_OWN, {"id": player, "now": now}).scalar_one())


def lock_offer(session: Session, number: int) -> OfferRow | None:
    """Return an offer, locked against other writers."""
    return session.first(_LOCK_OFFER, {"id": number})


def lock_expired_offers(session: Session, now: float, most: int) -> Sequence[OfferRow]:
    """Return expired open offers, locked, without those that another transaction has locked."""
    return session.all(_LOCK_EXPIRED, {"now": now, "most": most})


def lock_offers_for_bots(
    session: Session, now: float, before: float, most: int
) -> Sequence[OfferRow]:
    """Return open offers, made before a time, that a bot may take up, locked in the same way."""
    return session.all(_LOCK_FOR_BOTS, {"now": now, "before": before, "most": most})

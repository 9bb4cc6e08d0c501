"""Reads of events, their entrants and their pairings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import bindparam, func, select

from pbm.store.event_tables import EntrantRow, EventRow, PairingRow, entrants, events, pairings
from pbm.store.rows import Query, Row
from pbm.store.tables import OfferRow, boards, offers, players, seats
from pbm.store.transaction import Session, pad_keys


class EnteredRow(EntrantRow):
    """An entrant, and who it is."""

    userid: str
    player_state: str
    preferences: str
    seen: float
    away: float | None


class WaitingGameRow(PairingRow):
    """A game on a board that is being played: the seats on the move, and since when."""

    to_move: str
    moved: float


class CountRow(Row):
    """How many have entered an event and not left it."""

    event_id: int
    count: int


_EVENT = select(events).where(events.c.id == bindparam("id"))
_GET = Query(EventRow, _EVENT)
_TRY_LOCK = Query(EventRow, _EVENT.with_for_update(skip_locked=True))
_IN_STATE = Query(
    EventRow,
    select(events)
    .where(events.c.state == bindparam("state"))
    .order_by(events.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("skip")),
)
_OF_TOUR = Query(
    EventRow, select(events).where(events.c.tour == bindparam("id")).order_by(events.c.id)
)
_OF_PLAYER = Query(
    EventRow,
    select(events)
    .join(entrants, entrants.c.event_id == events.c.id)
    .where(
        entrants.c.player_id == bindparam("player"),
        events.c.state.in_(("open", "running")),
    )
    .order_by(events.c.id),
)
_DUE = (
    select(events.c.id)
    .where(events.c.look <= bindparam("now"))
    .order_by(events.c.look, events.c.id)
    .limit(bindparam("most"))
)
_ENTRANTS = Query(
    EnteredRow,
    select(
        entrants,
        players.c.userid,
        players.c.state.label("player_state"),
        players.c.preferences,
        players.c.seen,
        players.c.away,
    )
    .join(players, players.c.id == entrants.c.player_id)
    .where(entrants.c.event_id == bindparam("event"))
    .order_by(entrants.c.number),
)
_ENTRANT = Query(
    EntrantRow,
    select(entrants).where(
        entrants.c.event_id == bindparam("event"), entrants.c.player_id == bindparam("player")
    ),
)
_LAST_NUMBER = select(func.max(entrants.c.number)).where(entrants.c.event_id == bindparam("event"))
_COUNTS = Query(
    CountRow,
    select(entrants.c.event_id, func.count().label("count"))
    .where(entrants.c.event_id.in_(bindparam("events", expanding=True)), entrants.c.left.is_(None))
    .group_by(entrants.c.event_id),
)
_PAIRINGS = Query(
    PairingRow,
    select(pairings).where(pairings.c.event_id == bindparam("event")).order_by(pairings.c.number),
)
_UNMADE = Query(
    PairingRow,
    select(pairings)
    .where(
        pairings.c.event_id == bindparam("event"),
        pairings.c.how == "open",
        pairings.c.board_id.is_(None),
    )
    .order_by(pairings.c.number)
    .limit(bindparam("most")),
)
_OPEN = Query(
    PairingRow,
    select(pairings)
    .where(pairings.c.event_id == bindparam("event"), pairings.c.how == "open")
    .order_by(pairings.c.number),
)
_WAITING = Query(
    WaitingGameRow,
    select(pairings, boards.c.to_move, boards.c.moved)
    .join(boards, boards.c.id == pairings.c.board_id)
    .where(
        pairings.c.event_id == bindparam("event"),
        pairings.c.how == "open",
        boards.c.state == "running",
    )
    .order_by(pairings.c.number),
)
_COUNT_MADE = (
    select(func.count())
    .select_from(events)
    .where(
        events.c.player_id == bindparam("player"),
        events.c.state.in_(("open", "running")),
    )
)
_LAST_BEGUN = [
    select(func.max(number)).where(player == bindparam("player"))
    for number, player in (
        (events.c.id, events.c.player_id),
        (offers.c.id, offers.c.player_id),
        (seats.c.board_id, seats.c.player_id),
    )
]


def get_event(session: Session, number: int) -> EventRow:
    """Return the event with that number, which exists."""
    return session.one(_GET, {"id": number})


def try_lock_event(session: Session, number: int) -> EventRow | None:
    """Return the event with that number, locked; None when somebody else has locked it."""
    return session.first(_TRY_LOCK, {"id": number})


def find_events_in_state(
    session: Session, state: str, most: int, skip: int = 0
) -> Sequence[EventRow]:
    """Return the newest events in a state without so many, the newest first."""
    return session.all(_IN_STATE, {"state": state, "most": most, "skip": skip})


def find_events_of_tour(session: Session, tour: int) -> Sequence[EventRow]:
    """Return the events that count for a tour, oldest first."""
    return session.all(_OF_TOUR, {"id": tour})


def find_events_of_player(session: Session, player: int) -> Sequence[EventRow]:
    """Return the events, open or running, that a player has entered."""
    return session.all(_OF_PLAYER, {"player": player})


def find_due_events(session: Session, now: float, most: int) -> Sequence[int]:
    """Return the numbers of events that the scheduler has to look at."""
    return session.execute(_DUE, {"now": now, "most": most}).scalars().all()


def find_entrants(session: Session, event: int) -> Sequence[EnteredRow]:
    """Return the entrants of an event by start number."""
    return session.all(_ENTRANTS, {"event": event})


def find_entrant(session: Session, event: int, player: int) -> EntrantRow | None:
    """Return a player's entry in an event, even if the player has left."""
    return session.first(_ENTRANT, {"event": event, "player": player})


def find_last_start_number(session: Session, event: int) -> int:
    """Return the highest start number of an event; 0 when nobody has entered."""
    return int(session.execute(_LAST_NUMBER, {"event": event}).scalar() or 0)


def count_entrants(session: Session, numbers: Collection[int]) -> Mapping[int, int]:
    """Return how many have entered each of these events and not left it."""
    rows = session.all(_COUNTS, {"events": pad_keys(numbers)}) if numbers else ()
    return {row.event_id: row.count for row in rows}


def find_pairings(session: Session, event: int) -> Sequence[PairingRow]:
    """Return the games of an event, in the order in which they were paired."""
    return session.all(_PAIRINGS, {"event": event})


def find_unmade_pairings(session: Session, event: int, most: int) -> Sequence[PairingRow]:
    """Return games that still need a board, the first ones."""
    return session.all(_UNMADE, {"event": event, "most": most})


def find_open_pairings(session: Session, event: int) -> Sequence[PairingRow]:
    """Return games that are not decided."""
    return session.all(_OPEN, {"event": event})


def find_waiting_pairings(session: Session, event: int) -> Sequence[WaitingGameRow]:
    """Return games whose boards wait for a move."""
    return session.all(_WAITING, {"event": event})


def count_events_made(session: Session, player: int) -> int:
    """Return how many events, open or running, a player has made."""
    return int(session.execute(_COUNT_MADE, {"player": player}).scalar_one())


def find_last_begun(session: Session, player: int) -> int:
    """Return a number that changes with every event and offer that a player makes, and with every
    board on which the player has a seat."""
    values = {"player": player}
    return sum(int(session.value(query, values) or 0) for query in _LAST_BEGUN)


# Reads of open offers: games that wait for players to join.


class MadeOfferRow(OfferRow):
    """An offer, and who made it."""

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
    """Return how many open offers a player has made."""
    return int(session.execute(_COUNT_OWN, {"id": player, "now": now}).scalar_one())


def lock_offer(session: Session, number: int) -> OfferRow | None:
    """Return an offer, locked against other writers."""
    return session.first(_LOCK_OFFER, {"id": number})


def lock_expired_offers(session: Session, now: float, most: int) -> Sequence[OfferRow]:
    """Open offers whose time is over, locked, without those that somebody else has locked."""
    return session.all(_LOCK_EXPIRED, {"now": now, "most": most})


def lock_offers_for_bots(
    session: Session, now: float, before: float, most: int
) -> Sequence[OfferRow]:
    """Open offers made before a time that a bot may take up, locked in the same way."""
    return session.all(_LOCK_FOR_BOTS, {"now": now, "before": before, "most": most})

"""Reads of events, their entrants and their pairings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import bindparam, func, select

from pbm.features.events.tables import PairingRow, pairings
from pbm.store.rows import Query, Row
from pbm.store.tables import EntrantRow, EventRow, boards, entrants, events, players
from pbm.store.transaction import Session, pad_keys


class EnteredRow(EntrantRow):
    """An entrant, with the player's data."""

    userid: str
    player_state: str
    preferences: str
    seen: float
    away: float | None


class WaitingGameRow(PairingRow):
    """A game on a running board: the seats on the move, and since when."""

    to_move: str
    moved: float


class CountRow(Row):
    """The number of entrants of an event, without those who left."""

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


def get_event(session: Session, number: int) -> EventRow:
    """Return the event with that number, which must exist."""
    return session.one(_GET, {"id": number})


def try_lock_event(session: Session, number: int) -> EventRow | None:
    """Return the event with that number, locked; None when somebody else has locked it."""
    return session.first(_TRY_LOCK, {"id": number})


def find_events_in_state(
    session: Session, state: str, most: int, skip: int = 0
) -> Sequence[EventRow]:
    """Return the events in a state, newest first, at most `most` after skipping `skip`."""
    return session.all(_IN_STATE, {"state": state, "most": most, "skip": skip})


def find_events_of_tour(session: Session, tour: int) -> Sequence[EventRow]:
    """Return the events that count for a tour, oldest first."""
    return session.all(_OF_TOUR, {"id": tour})


def find_events_of_player(session: Session, player: int) -> Sequence[EventRow]:
    """Return the events, open or running, that a player has entered."""
    return session.all(_OF_PLAYER, {"player": player})


def find_due_events(session: Session, now: float, most: int) -> Sequence[int]:
    """Return the numbers of events that are due for the scheduler."""
    return session.execute(_DUE, {"now": now, "most": most}).scalars().all()


def find_entrants(session: Session, event: int) -> Sequence[EnteredRow]:
    """Return the entrants of an event by start number."""
    return session.all(_ENTRANTS, {"event": event})


def find_entrant(session: Session, event: int, player: int) -> EntrantRow | None:
    """Return a player's entry in an event, even after leaving it."""
    return session.first(_ENTRANT, {"event": event, "player": player})


def find_last_start_number(session: Session, event: int) -> int:
    """Return the highest start number of an event; 0 when nobody has entered."""
    return int(session.execute(_LAST_NUMBER, {"event": event}).scalar() or 0)


def count_entrants(session: Session, numbers: Collection[int]) -> Mapping[int, int]:
    """Return the number of entrants of each of these events, without those who left."""
    rows = session.all(_COUNTS, {"events": pad_keys(numbers)}) if numbers else ()
    return {row.event_id: row.count for row in rows}


def find_pairings(session: Session, event: int) -> Sequence[PairingRow]:
    """Return the games of an event, in the order in which they were paired."""
    return session.all(_PAIRINGS, {"event": event})


def find_unmade_pairings(session: Session, event: int, most: int) -> Sequence[PairingRow]:
    """Return the first games that still need a board."""
    return session.all(_UNMADE, {"event": event, "most": most})


def find_open_pairings(session: Session, event: int) -> Sequence[PairingRow]:
    """Return the undecided games."""
    return session.all(_OPEN, {"event": event})


def find_waiting_pairings(session: Session, event: int) -> Sequence[WaitingGameRow]:
    """Return games whose boards wait for a move."""
    return session.all(_WAITING, {"event": event})


def count_events_made(session: Session, player: int) -> int:
    """Return the number of open or running events that a player has made."""
    return int(session.execute(_COUNT_MADE, {"player": player}).scalar_one())

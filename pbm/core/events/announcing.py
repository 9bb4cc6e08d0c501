"""Announcing events to those who asked for such mails: once a second player has entered, or after a
day."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import select, update

from pbm.core.events.finding import show_card
from pbm.core.events.notices import EventAnnounced
from pbm.core.events.record import name_event
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.context import Context
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import build_player
from pbm.store import daily_counters, reads
from pbm.store.event_tables import EventRow, events
from pbm.store.reads.event_rows import count_entrants, find_entrants, get_event
from pbm.store.reads.player_rows import find_blockers

_WAITS = DAY
"""Seconds after which an event is announced that nobody else has entered."""
_LEAST = 2
"""Entrants with whom it is announced at once."""
_AT_ONCE = 20


def announce_waiting(context: Context) -> list[Notice]:
    """Announce the open events that have waited for a day, a bounded number of them."""
    query = (
        select(events.c.id)
        .where(
            events.c.announced.is_(None),
            events.c.state == "open",
            events.c.created <= context.now - _WAITS,
        )
        .order_by(events.c.created)
        .limit(_AT_ONCE)
    )
    numbers = context.session.execute(query).scalars().all()
    return [
        notice
        for number in numbers
        for notice in announce(context, get_event(context.session, number))
    ]


def announce_entered(context: Context, row: EventRow) -> list[Notice]:
    """Announce an event that has enough entrants, unless that was done before."""
    if row.announced is not None or row.state != "open":
        return []
    count = count_entrants(context.session, [row.id]).get(row.id, 0)
    return announce(context, row) if count >= _LEAST else []


def announce(context: Context, row: EventRow, *, by_operator: bool = False) -> list[Notice]:
    """Tell those who asked to hear of new events, except the maker, who has entered, and who has
    blocked the maker. Those on vacation can look it up when they are back. Nothing is announced for
    a maker of whom enough events were announced today, cancelled ones included."""
    maker, most = row.player_id or 0, context.config.events.announcements_a_day
    counter = f"announcements {maker}"
    if not (by_operator or daily_counters.allow(context.session, counter, context.now, most)):
        return []
    announced = update(events).where(events.c.id == row.id).values(announced=context.now)
    context.session.execute(announced)
    left_out = {each.player_id for each in find_entrants(context.session, row.id)}
    left_out |= find_blockers(context.session, maker) | {maker}
    card = show_card(context, row)
    notices = []
    for account in reads.find_active_players(context.session):
        player = build_player(account)
        is_away = account.away is not None and account.away > context.now
        if player.get_preference("events", "no") != "yes" or is_away or player.is_bot:
            continue
        if player.id in left_out:
            continue
        content = EventAnnounced(
            event=row.id,
            name=name_event(row),
            game=row.game,
            card=card,
            userid=player.userid,
        )
        cause = 0 if by_operator else maker
        notices.append(replace(context.build_notice(player, content), cause=cause))
    return notices

"""The end of an event: its prize list, and the next season of a league."""

from __future__ import annotations

from typing import Any

from msgspec import structs
from sqlalchemy import insert

from pbm.core.events.finding import show_card, tell
from pbm.core.events.notices import EventOver
from pbm.core.events.record import (
    insert_entrant,
    name_event,
    update_event,
)
from pbm.core.events.views import build_standings, format_day, list_parts, shorten_parts
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.context import Context
from pbm.core.kernel.notices.notice import Notice
from pbm.pairing.kinds import get_kind
from pbm.pairing.lots import commit
from pbm.pairing.record import Record
from pbm.pairing.seasons import list_movements, next_season
from pbm.pairing.standings import standings
from pbm.rules.phrases import phrase
from pbm.store.event_tables import EventRow, events
from pbm.store.reads.event_rows import (
    EnteredRow,
    find_entrants,
    find_events_of_tour,
    get_event,
)

_KEPT = (
    *("kind", "game", "name", "player_id", "options", "server", "rules", "most"),
    *("lowest", "highest", "vacation", "silent", "about", "tour"),
)
"""What the next season of a league has of the last one."""


def finish(context: Context, row: EventRow, record: Record) -> list[Notice]:
    """End an event: the prize list to everybody who played, and the next season if there is one."""
    record = structs.replace(record, ended=context.now)
    update_event(context.session, row.id, state="over", ended=context.now, look=None)
    ended = get_event(context.session, row.id)
    news = _begin_next_season(context, ended, record)
    if row.tour is not None:
        update_event(context.session, row.tour, look=context.now)
    card = show_card(context, ended)
    table = build_standings(record, has_sums=False)
    parts = shorten_parts(table, f"event standings {row.id}")
    places = _find_places(record) | _find_movements(record)
    return tell(
        context,
        _find_readers(context, row),
        lambda entrant: EventOver(
            event=row.id,
            name=name_event(row),
            game=row.game,
            card=card,
            own=places.get(entrant.userid, ""),
            parts=parts,
            news=news,
        ),
    )


def _find_readers(context: Context, row: EventRow) -> list[EnteredRow]:
    """Return who gets the prize list: who has not left; of a tour, who has played in its events."""
    events_played = [row.id]
    if not get_kind(row.kind).has_boards:
        events_played = [each.id for each in find_events_of_tour(context.session, row.id)]
    entered = [each for event in events_played for each in find_entrants(context.session, event)]
    return list({each.player_id: each for each in entered if each.left is None}.values())


def _find_places(record: Record) -> dict[str, str]:
    """Return what each entrant has reached, as a sentence."""
    places = {}
    for title, group, stage in list_parts(record):
        rows = standings(record, group, stage)
        count = sum(not row.left for row in rows)
        kind = get_kind(record.options.kind)
        where = kind.name_group(record.options, group) if title and group is not None else ""
        for row in rows:
            places[row.name] = _say_place(row.place, count, where, is_final=stage == "final")
    return places


def _say_place(place: int, count: int, where: str, *, is_final: bool) -> str:
    """Return what somebody has reached, in one of several groups or in the final of them."""
    if is_final:
        return phrase("you are number {place} of {count} in the final", place=place, count=count)
    if where:
        return phrase(
            "you are number {place} of {count} in {group}", place=place, count=count, group=where
        )
    return phrase("you are number {place} of {count}", place=place, count=count)


def _was_heard_of(entrant: EnteredRow, since: float) -> bool:
    """Whether an entrant has written since then, or was on vacation."""
    return entrant.seen >= since or (entrant.away is not None and entrant.away > since)


def _find_movements(record: Record) -> dict[str, str]:
    """Return what those who change divisions after a season have reached, as a sentence."""
    if not record.options.every:
        return {}
    places = _find_places(record)
    return {
        each.name: phrase(
            "{reached}, and play in division {division} in the next season",
            reached=places[each.name],
            division=each.after + 1,
        )
        for each in list_movements(record)
        if each.after != each.before and each.name in places
    }


def _begin_next_season(context: Context, row: EventRow, record: Record) -> list[str]:
    """Make the next season of a league, with all who stay, promoted and relegated; what to say of
    it."""
    days = record.options.every
    if not days or row.ends is None:
        return []
    begins = row.begins + days * DAY
    while begins <= context.now:
        begins += days * DAY
    secret = context.secrets.generate_board_secret().hex()
    values: dict[str, Any] = {name: getattr(row, name) for name in _KEPT}
    values |= {
        "state": "open",
        "season": row.season + 1,
        "series": row.series or row.id,
        "secret": secret,
        "commitment": commit(secret),
        "created": context.now,
        "announced": context.now,
        "begins": begins,
        "ends": begins + (row.ends - row.begins),
        "look": begins,
    }
    number = context.session.execute(
        insert(events).values(values).returning(events.c.id)
    ).scalar_one()
    players = {each.userid: each for each in find_entrants(context.session, row.id)}
    for entrant in next_season(record).entrants:
        stays = players[entrant.name]
        if stays.player_state == "active" and _was_heard_of(stays, row.begins):
            fresh = structs.replace(entrant, entered=context.now, joins=1, left=None, why="")
            insert_entrant(context.session, number, stays.player_id, fresh)
    return [
        phrase(
            "season {season} is event {event} and begins {time}: you take part again unless you "
            "reply with {line}",
            season=row.season + 1,
            event=number,
            time=format_day(begins),
            line=f"event leave {number}",
        )
    ]

"""The end of an event: its prize list, and the next season of a league."""

from __future__ import annotations

from msgspec import structs

from pbm.core.commands.events.finding_events import show_card, tell
from pbm.core.language.call import Call
from pbm.core.model.events.event_record import update_event
from pbm.core.model.notices.event_notices import EventOver
from pbm.core.model.notices.notice import Notice
from pbm.core.views.event_view import build_standings, list_parts
from pbm.pairing.record import Record
from pbm.pairing.standings import standings
from pbm.store.event_tables import EventRow
from pbm.store.reads.event_rows import find_entrants, get_event


def finish(call: Call, row: EventRow, record: Record) -> list[Notice]:
    """End an event: the prize list to everybody who played, and the next season if there is one."""
    record = structs.replace(record, ended=call.now)
    update_event(call.session, row.id, state="over", ended=call.now, look=None)
    ended = get_event(call.session, row.id)
    if row.tour is not None:
        update_event(call.session, row.tour, look=call.now)
    card = show_card(call, ended)
    parts = build_standings(record, has_sums=False)
    places = _find_places(record)
    entered = find_entrants(call.session, row.id)
    return tell(
        call,
        [each for each in entered if each.left is None],
        lambda entrant: EventOver(
            event=row.id,
            name=row.name,
            game=row.game,
            card=card,
            own=places.get(entrant.number, ""),
            parts=parts,
            news=(),
        ),
    )


def _find_places(record: Record) -> dict[int, str]:
    """What each entrant has reached, as a sentence."""
    places = {}
    for title, group, stage in list_parts(record):
        rows = standings(record, group, stage)
        where = f" in {title.lower()}" if title else ""
        count = sum(not row.left for row in rows)
        for row in rows:
            places[row.number] = f"you are number {row.place} of {count}{where}"
    return places

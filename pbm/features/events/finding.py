"""What the commands of events share: finding the event, its card, mails to its entrants."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbm.core.call import Call
from pbm.core.clubs import may_see
from pbm.core.context import Context, address_to
from pbm.core.notices import Content, Notice
from pbm.core.player import TEAM_SIGN, get_player
from pbm.core.refusal import Offer, Refusal, RefusalCode
from pbm.core.refusal_texts import repeat_line
from pbm.core.words import parse_board_number
from pbm.features.events.notices import EventCard
from pbm.features.events.rows import (
    EnteredRow,
    count_entrants,
    find_entrant,
    find_events_in_state,
)
from pbm.features.events.views import build_card
from pbm.locale.words import is_typo_of
from pbm.rules.phrases import phrase
from pbm.store.reads import find_event
from pbm.store.tables import EventRow

_MOST_NAMED = 200
"""The most events in a state that can be found by name."""


def load_event(call: Call, *, lock: bool = False) -> EventRow:
    """Return the event that the command names, by number or name. Refuse an unknown one."""
    words = call.command.words
    number = parse_board_number(words[-1]) if words else 0
    number = number or _find_named(call, " ".join(words))
    row = find_event(call.session, number, lock=lock)
    if row is None or not is_shown(call, row):
        line = _find_line(call, " ".join(words))
        raise Refusal(
            RefusalCode.NO_SUCH_EVENT,
            phrase("there is no event with that number"),
            line or "events",
            offer=Offer(line, call.command.text) if line else None,
        )
    return row


def is_shown(call: Call, row: EventRow) -> bool:
    """Whether the reader may see an event. One that is private to a club is for the club's members
    and for its entrants, even after they leave the club."""
    return (
        call.sees_all
        or may_see(call.session, row.server, call.readers)
        or any(find_entrant(call.session, row.id, each.id) for each in call.readers)
    )


def _find_named(call: Call, name: str) -> int:
    """Return the number of the one open or running event with that name, or else with it as part of
    the name; 0 for none or several."""
    rows, wanted = _list_shown(call), name.casefold().strip("\"' .!")
    exact = [row.id for row in rows if row.name.casefold() == wanted]
    near = [row.id for row in rows if wanted and wanted in row.name.casefold()]
    found = exact or near
    return found[0] if len(found) == 1 else 0


def _list_shown(call: Call) -> list[EventRow]:
    """Return the events that are open or running, those that the reader may see."""
    return [
        row
        for state in ("open", "running")
        for row in find_events_in_state(call.session, state, _MOST_NAMED)
        if is_shown(call, row)
    ]


def _find_line(call: Call, name: str) -> str:
    """Return the line of the command with the event that was most likely meant: the one nearly so
    called or, for a number alone, the only one; "" for none."""
    rows = _list_shown(call)
    near = [row.id for row in rows if is_typo_of(name.casefold(), row.name.casefold())]
    found = near or [row.id for row in rows if name.lstrip("#").isdecimal()]
    return repeat_line(call, [str(found[0])]) if len(found) == 1 else ""


def show_card(context: Context, row: EventRow) -> EventCard:
    """Describe an event, with how many play and who made it."""
    count = count_entrants(context.session, [row.id]).get(row.id, 0)
    maker = get_player(context.session, row.player_id) if row.player_id is not None else None
    is_here = maker is not None and maker.is_active
    return build_card(row, count, maker.userid if maker is not None and is_here else "")


def tell(
    context: Context, entered: Iterable[EnteredRow], build: Callable[[EnteredRow], Content]
) -> list[Notice]:
    """Return a notice to each of these entrants who is still active."""
    return [
        address_to(
            context.session,
            row.player_id,
            build(row),
            is_team=row.userid.startswith(TEAM_SIGN),
        )
        for row in entered
        if row.player_state == "active"
    ]

"""Entering events and leaving them. To enter is to agree to all boards of the event."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.events.announcing import announce_entered
from pbm.core.events.finding import load_event, show_card
from pbm.core.events.notices import EventEntered, EventLeft
from pbm.core.events.options import find_usual_beginning
from pbm.core.events.record import (
    build_record,
    delete_entrants,
    insert_entrant,
    name_event,
    read_options,
    update_event,
)
from pbm.core.events.withdrawing import withdraw
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.pairing.begin import admit
from pbm.pairing.kinds import get_kind
from pbm.pairing.next_round import can_enter
from pbm.pairing.record import Entrant
from pbm.ratings import NEW, Rating
from pbm.rules.phrases import Phrase, phrase
from pbm.store.event_tables import EventRow
from pbm.store.reads.event_rows import (
    count_entrants,
    find_entrant,
    find_last_start_number,
    get_event,
)
from pbm.store.reads.player_rows import find_rating


def enter(call: Call) -> list[Notice]:
    """Enter an event. Refuse one that is full, for other ratings, too far on or over."""
    me, row = call.me, load_event(call, lock=True)
    points = find_points(call, row.game, me.id)
    _require_entry(call, row, me, points)
    if row.state == "running":
        entrant = admit(build_record(call.session, row, call.now), me.userid, points, call.now)
        insert_entrant(call.session, row.id, me.id, entrant)
        update_event(call.session, row.id, look=call.now)
    else:
        number = find_last_start_number(call.session, row.id) + 1
        rules = read_options(row)
        entrant = Entrant(
            number=number,
            name=me.userid,
            rating=points,
            entered=call.now,
            division=rules.divisions - 1 if row.season > 1 else 0,
        )
        insert_entrant(call.session, row.id, me.id, entrant)
        row = _begin_when_full(call, row)
    content = EventEntered(
        event=row.id,
        name=name_event(row),
        game=row.game,
        card=show_card(call, row),
        userid=me.userid,
        is_late=row.state == "running",
    )
    return [call.answer(content), *announce_entered(call, row)]


def _begin_when_full(call: Call, row: EventRow) -> EventRow:
    """Return the event, which somebody has entered: it begins at once when nobody else can enter,
    unless its maker named the day."""
    entered = count_entrants(call.session, [row.id]).get(row.id, 0)
    is_full = row.most is not None and 0 < row.most <= entered
    if is_full and row.begins == find_usual_beginning(row.created):
        update_event(call.session, row.id, begins=call.now, look=call.now)
    else:
        update_event(call.session, row.id)
    return get_event(call.session, row.id)


def find_entry_problem(context: Context, row: EventRow, player: Player) -> str:
    """Return why a player cannot enter an event now; "" if they can."""
    try:
        _require_entry(context, row, player, find_points(context, row.game, player.id))
    except Refusal as refusal:
        return refusal.text
    return ""


def _require_entry(context: Context, row: EventRow, player: Player, points: int) -> None:
    """Refuse who cannot enter an event."""
    entry = find_entrant(context.session, row.id, player.id)
    if entry is not None and entry.left is None:
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("you already take part in event {event}", event=row.id),
            f"event {row.id}",
        )
    if not get_kind(row.kind).has_boards:
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            phrase(
                "who plays in the events of tour {event} takes part in it: enter those",
                event=row.id,
            ),
            "events",
        )
    if row.state not in ("open", "running"):
        raise _refuse_entry(row, _say_ended(row))
    low, high = row.lowest, row.highest
    if low is not None and high is not None and not low <= points <= high:
        raise Refusal(
            RefusalCode.RATING_OUT_OF_RANGE,
            phrase(
                "event {event} is for ratings from {low} to {high}, yours is {points}",
                event=row.id,
                low=low,
                high=high,
                points=points,
            ),
            "events",
        )
    if row.most and count_entrants(context.session, [row.id]).get(row.id, 0) >= row.most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED, phrase("event {event} is full", event=row.id), "events"
        )
    if row.state == "open":
        return
    if entry is not None:
        raise _refuse_entry(
            row, phrase("you have left event {event} and cannot come back", event=row.id)
        )
    if problem := can_enter(build_record(context.session, row, context.now), context.now):
        raise _refuse_entry(row, problem)


def _say_ended(row: EventRow) -> Phrase:
    if row.state == "cancelled":
        return phrase("event {event} is cancelled", event=row.id)
    return phrase("event {event} is over", event=row.id)


def _refuse_entry(row: EventRow, problem: str) -> Refusal:
    return Refusal(RefusalCode.EVENT_CLOSED, problem, f"event {row.id}", "events")


def find_points(context: Context, game: str, player: int) -> int:
    """Return the rating of a player in a game, as shown."""
    row = find_rating(context.session, player, game)
    return (NEW if row is None else Rating(row.mu, row.sigma)).points


def leave(call: Call) -> list[Notice]:
    """Leave an event: before it begins without a trace, later by its rules of withdrawal. Refuse
    who does not take part."""
    me, row = call.me, load_event(call, lock=True)
    entry = find_entrant(call.session, row.id, me.id)
    if entry is None or entry.left is not None or row.state not in ("open", "running"):
        raise Refusal(
            RefusalCode.NOT_ENTERED,
            phrase("you do not take part in event {event}", event=row.id),
            f"event {row.id}",
        )
    boards: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    if row.state == "open":
        delete_entrants(call.session, row.id, [me.id])
        update_event(call.session, row.id)
    else:
        boards, notices = withdraw(call, row, entry.number, "withdrew")
    content = EventLeft(
        event=row.id,
        name=name_event(row),
        game=row.game,
        userid=me.userid,
        why="",
        boards=boards,
        is_answer=True,
    )
    return [call.answer(content), *notices]

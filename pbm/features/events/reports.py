"""What anybody may see of an event: card, tables, pairings, reasons, dates, the record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from sqlalchemy import select, update

from pbm.config import Server
from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.clubs import is_inside
from pbm.core.context import Context
from pbm.core.feature import PageRow, PageSection
from pbm.core.notices import Notice
from pbm.core.options import load_terms
from pbm.core.player import Player, build_player, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import find_title
from pbm.core.trust import HeldWords
from pbm.core.view import CalendarEvent, write_calendar
from pbm.core.words import parse_board_number, parse_number
from pbm.features.events.admission import find_entry_problem, list_entered
from pbm.features.events.finding import is_shown, load_event, show_card
from pbm.features.events.notices import (
    EventAnnounced,
    EventFile,
    EventLine,
    EventList,
    EventPage,
    EventPart,
    EventShown,
)
from pbm.features.events.record import build_record, name_event, say_name
from pbm.features.events.rows import (
    count_entrants,
    find_entrants,
    find_events_in_state,
    find_events_of_player,
    get_event,
)
from pbm.features.events.views import (
    build_crosstables,
    build_line,
    build_pairings,
    build_standings,
    format_day,
    list_names,
    wrap_sentences,
)
from pbm.pairing.record import Entrant, Record, write_json
from pbm.pairing.rounds import count_rounds, explain_pairing
from pbm.pairing.standings import explain_place
from pbm.pairing.trf import write_trf
from pbm.rules.phrases import combine, get_text, join_phrases, phrase
from pbm.store import reads
from pbm.store.reads import find_blockers, find_event
from pbm.store.tables import EventRow, events

_FILLERS = ("round", "in", "of", "and", "i", "me", "my", "paired", "is", "am")
_MOST_NAMED = 5


def show(call: Call) -> list[Notice]:
    """Show an event: who has entered and, once it has begun, the crosstable."""
    row = load_event(call)
    record = build_record(call.session, row)
    names = [
        f"{entrant.name} ({entrant.rating})" for entrant in record.entrants if entrant.left is None
    ]
    parts: Sequence[EventPart] = [EventPart(phrase("Entered:"), list_names(names))]
    if row.state in ("running", "over"):
        parts = build_crosstables(record)
    content = EventShown(
        event=row.id,
        name=name_event(row),
        game=row.game,
        card=show_card(call, row),
        parts=parts,
        is_in=any(list_entered(call.session, row, each) for each in call.readers),
        closed=_find_problem(call, row),
    )
    return [call.answer(content)]


def _find_problem(call: Call, row: EventRow) -> str:
    """Return why none of those who read the answer can enter an event; "" if one of them can."""
    problems = [find_entry_problem(call, row, each) for each in call.readers or (None,)]
    return "" if "" in problems else problems[0]


def show_standings(call: Call) -> list[Notice]:
    """Show the standings, with the sum of every tie-break."""
    row = load_event(call)
    record = build_record(call.session, row)
    parts = _wait_for(row) or build_standings(record, call.now)
    return [_answer(call, row, phrase("standings"), parts)]


def show_pairings(call: Call) -> list[Notice]:
    """Show who plays whom, the newest round first, each with the reason."""
    row = load_event(call)
    record = build_record(call.session, row)
    parts = _wait_for(row) or build_pairings(record)
    return [_answer(call, row, phrase("pairings"), parts)]


def explain(call: Call) -> list[Notice]:
    """Explain a player's pairing, the last one or that of a round, and the place; without a userid
    the sender's. `with` stands before the userid of an opponent."""
    row = _find_event_asked(call) or load_event(call)
    record = build_record(call.session, row)
    words = [word.lower() for word in call.command.words[:-1] if word.lower() not in _FILLERS]
    rounds = [number for word in words if (number := parse_number(word)) is not None]
    names = [word for word in words if parse_number(word) is None]
    others = names[names.index("with") + 1 :] if "with" in names else []
    own = names[: names.index("with")] if "with" in names else names
    entrant = _find_entrant(call, row, record, own)
    other = _find_entrant(call, row, record, others) if others else None
    round = rounds[0] if rounds else None
    parts = _wait_for(row) or [
        EventPart(
            phrase("The pairing:"), wrap_sentences(_explain_pairing(record, entrant, other, round))
        ),
        EventPart(
            phrase("The place:"), wrap_sentences(explain_place(record, entrant.number, call.now))
        ),
    ]
    return [_answer(call, row, phrase("why {player}", player=entrant.name), parts)]


def _find_event_asked(call: Call) -> EventRow | None:
    """Return the event of a question without a number: that of the board whose mail was answered,
    or the only running one that the sender plays in. Refuse where that is unclear."""
    if not call.command.words or call.command.words[-1]:
        return None
    here = call.command.sender.board
    board = reads.find_board(call.session, here) if here else None
    if board is not None and board.event_id is not None:
        return find_event(call.session, board.event_id)
    senders = [*([call.player] if call.player else []), *call.senders]
    rows = [row for each in senders[:1] for row in find_events_of_player(call.session, each.id)]
    running = [row for row in rows if row.state == "running"]
    if len(running) == 1:
        return running[0]
    raise Refusal(
        RefusalCode.MISSING_ARGUMENT,
        phrase("the number of the event is missing"),
        *([f"event why {row.id}" for row in running[:_MOST_NAMED]] or ["event why EVENT USERID"]),
        "events",
    )


def _explain_pairing(
    record: Record, entrant: Entrant, other: Entrant | None, round: int | None
) -> str:
    """Return why an entrant is paired as they are; or that they are not paired with `other`."""
    if other is None:
        return explain_pairing(record, entrant.number, round)
    met = [
        game.round
        for game in record.games
        if {entrant.number, other.number} <= set(game.seats) and round in (None, game.round)
    ]
    if met:
        return explain_pairing(record, entrant.number, max(met), other.number)
    apart = phrase("{player} is not paired with {other}.", player=entrant.name, other=other.name)
    if round is not None:
        apart = phrase(
            "{player} is not paired with {other} in round {round}.",
            player=entrant.name,
            other=other.name,
            round=round,
        )
    return join_phrases(" ", [apart, explain_pairing(record, entrant.number, round)])


def show_calendar(call: Call) -> list[Notice]:
    """Show the dates of an event, with a file for calendars."""
    row = load_event(call)
    record = build_record(call.session, row)
    dates = list_dates(record, row.state)
    text = write_event_calendar(record, dates, call.config.server, call.now)
    content = EventFile(
        event=row.id,
        name=name_event(row),
        game=row.game,
        title=phrase("calendar"),
        lines=[combine("{time}: {what}", time=date.words, what=date.what) for date in dates],
        file=f"event-{row.id}.ics",
        kind="text/calendar",
        text=text,
    )
    return [call.answer(content)]


def show_record(call: Call) -> list[Notice]:
    """Show the record of an event, as JSON or (`trf`) as FIDE's tournament report."""
    row = load_event(call)
    record = build_record(call.session, row)
    words = [word.lower() for word in call.command.words[:-1]]
    is_trf = any(word.startswith("trf") for word in words)
    groups = [number for word in words if (number := parse_number(word)) is not None]
    if is_trf:
        try:
            text, suffix, kind = (
                write_trf(record, groups[0] - 1 if groups else 0),
                "trf",
                "text/plain",
            )
        except ValueError as error:
            raise Refusal(
                RefusalCode.BAD_ARGUMENT, get_text(error), f"event record {row.id}"
            ) from None
        about = phrase("FIDE's tournament report of this event is in the file.")
    else:
        text, suffix, kind = write_json(record), "json", "application/json"
        about = phrase("All that the tables of this event are computed from is in the file.")
    content = EventFile(
        event=row.id,
        name=name_event(row),
        game=row.game,
        title=phrase("record of {name}", name=name_event(row)),
        lines=[about],
        file=f"event-{row.id}.{suffix}",
        kind=kind,
        text=text if text.endswith("\n") else f"{text}\n",
    )
    return [call.answer(content)]


def _wait_for(row: EventRow) -> list[EventPart]:
    """Return a part that replaces tables where an event has not begun, or was cancelled."""
    if row.state == "open":
        return [
            EventPart(
                "", [phrase("It begins {time}: nobody is paired yet.", time=format_day(row.begins))]
            )
        ]
    if row.state == "cancelled":
        return [EventPart("", [phrase("It was cancelled.")])]
    return []


def _find_entrant(call: Call, row: EventRow, record: Record, words: Sequence[str]) -> Entrant:
    """Return the named entrant, or else the sender. Refuse a player who does not take part."""
    senders = [*([call.player] if call.player else []), *call.senders]
    names = words[:1] or [player.name for player in senders]
    for entrant in record.entrants:
        if entrant.name.lower() in names:
            return entrant
    raise Refusal(
        RefusalCode.NO_SUCH_PLAYER,
        phrase("name a player of event {event}", event=row.id),
        f"event why {row.id} USERID",
        f"event {row.id}",
    )


def _answer(call: Call, row: EventRow, title: str, parts: Sequence[EventPart]) -> Notice:
    return call.answer(
        EventPage(
            event=row.id,
            name=name_event(row),
            game=row.game,
            title=title,
            parts=parts,
        )
    )


# Announcing events to those who asked for such mails: once a second player has entered, or after
# a day.

_WAITS = DAY
"""Seconds after which an event is announced even if nobody else has entered."""
_LEAST = 2
"""The number of entrants with which it is announced at once."""
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
    """Announce an event that has enough entrants, unless it was announced before."""
    if row.announced is not None or row.state != "open":
        return []
    count = count_entrants(context.session, [row.id]).get(row.id, 0)
    return announce(context, row) if count >= _LEAST else []


def announce(context: Context, row: EventRow, *, by_operator: bool = False) -> list[Notice]:
    """Return the announcement to players who asked for such mails, except the maker and the
    entrants. Players on vacation are left out: they can look it up when they are back."""
    announced = update(events).where(events.c.id == row.id).values(announced=context.now)
    context.session.execute(announced)
    people = [build_player(account) for account in reads.find_active_players(context.session)]
    notices = _announce_to(context, row, [each for each in people if not each.is_bot])
    return [replace(each, cause=0 if by_operator else row.player_id or 0) for each in notices]


def pass_on_announcement(context: Context, words: HeldWords) -> list[Notice]:
    """Return the mails of a released announcement, to those whom it still concerns."""
    people = [get_player(context.session, number) for number in words.players]
    row = find_event(context.session, words.about)
    if row is None or row.state != "open":
        return []
    return _announce_to(context, row, [each for each in people if each is not None])


def _announce_to(context: Context, row: EventRow, people: Iterable[Player]) -> list[Notice]:
    session, maker = context.session, row.player_id or 0
    left_out = {each.player_id for each in find_entrants(session, row.id)}
    left_out |= find_blockers(session, maker) | {maker}
    if club := load_terms({}, json.loads(row.server)).club:
        people = [each for each in people if is_inside(session, club, [each])]
    card = show_card(context, row)
    return [
        context.build_notice(
            player,
            EventAnnounced(
                event=row.id,
                name=name_event(row),
                game=row.game,
                card=card,
                userid=player.userid,
            ),
        )
        for player in people
        if player.get_preference("events", "no") == "yes"
        and not (player.away is not None and player.away > context.now)
        and player.id not in left_out
    ]


# The dates of an event, as lines and as a calendar.


@dataclass(frozen=True, slots=True)
class EventDate:
    """A date of an event."""

    at: float
    what: str

    @property
    def words(self) -> str:
        """The time in words."""
        return format_day(self.at)


def list_dates(record: Record, state: str) -> list[EventDate]:
    """Return when an event begins, when each round ends, and when it ends."""
    name = say_name(record.name, record.options.kind, record.options.game)
    dates = [EventDate(record.begins, phrase("{name} begins", name=name))]
    rounds = count_rounds(record) if state in ("running", "over") else 0
    if record.ends is not None:
        share = (record.ends - record.begins) / rounds if rounds else 0.0
        dates += [
            EventDate(
                record.begins + number * share,
                phrase("{name}: round {round} ends", name=name, round=number),
            )
            for number in range(1, rounds)
        ]
        dates.append(EventDate(record.ends, phrase("{name} ends", name=name)))
    return dates


def write_event_calendar(
    record: Record, dates: Sequence[EventDate], server: Server, now: float
) -> str:
    """Return a calendar with these dates."""
    entries = [
        CalendarEvent(f"event-{record.event}-{number}", date.at, None, date.what)
        for number, date in enumerate(dates)
    ]
    return write_calendar("events", entries, server, now)


# The list of events.

_MOST = 50
_MOST_ENDED = 10
_MOST_PAGES = 1000
_PAGE = ("page", "2")
"""How a page is named."""


def list_events(call: Call) -> list[Notice]:
    """List events that are open or running, and the last ones that ended; with a `page` those that
    ended before."""
    page = min(_read_page(call.command.words), _MOST_PAGES)
    skip = (page - 1) * _MOST_ENDED
    ended = find_events_in_state(call.session, "over", _MOST_ENDED + 1, skip)
    rows = find_events_in_state(call.session, "open", _MOST) if page == 1 else ()
    rows = [row for row in rows if is_shown(call, row)]
    return [
        call.answer(
            EventList(
                open=_build_lines(call, rows),
                entry=next((row.id for row in rows if not _find_problem(call, row)), 0),
                running=_list_lines(call, "running", _MOST) if page == 1 else (),
                ended=_build_lines(call, ended[:_MOST_ENDED]),
                page=page,
                more=len(ended) > _MOST_ENDED,
            )
        )
    ]


def _read_page(words: Sequence[str]) -> int:
    """Return the page that is named, behind a word or without; the first where no word stands."""
    page = parse_board_number(words[-1]) if 0 < len(words) <= len(_PAGE) else 0
    if words and not page:
        problem = phrase("a page of this list is named by its number")
        raise Refusal(RefusalCode.BAD_ARGUMENT, problem, "events")
    return page or 1


def _list_lines(call: Call, state: str, most: int) -> Sequence[EventLine]:
    return _build_lines(call, find_events_in_state(call.session, state, most))


def _build_lines(call: Call, found: Sequence[EventRow]) -> Sequence[EventLine]:
    """Return the lines of those events that the reader may see."""
    rows = [row for row in found if is_shown(call, row)]
    counts = count_entrants(call.session, [row.id for row in rows])
    return [build_line(row, counts.get(row.id, 0)) for row in rows]


_MOST_ON_FRONT = 7


def add_to_front_page(call: Call) -> Sequence[PageSection]:
    """Return the open and running events as a section of the front page."""
    lines = [*_list_lines(call, "open", _MOST), *_list_lines(call, "running", _MOST)]
    rows = [
        PageRow(
            line.name,
            f"event/{line.event}",
            phrase(
                "{kind} of {game}, {count} entered; {when}",
                count=line.count,
                kind=line.kind,
                game=find_title(line.game),
                when=line.when,
            ),
        )
        for line in lines[:_MOST_ON_FRONT]
    ]
    more = (phrase("All events"), "events")
    return (PageSection(phrase("Events"), rows=rows, more=more),) if rows else ()

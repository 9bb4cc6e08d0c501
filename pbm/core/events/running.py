"""What happens to an event by itself: it begins, is paired round by round, and ends on its day.

`run_due_events` runs inside the scheduler's transaction and does a bounded piece of the work."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy.exc import DBAPIError

from pbm.core.events.ending import finish
from pbm.core.events.finding import show_card, tell
from pbm.core.events.large_rounds import LargeRounds
from pbm.core.events.notices import (
    EventBegun,
    EventCancelled,
    EventDeadline,
    EventLeft,
)
from pbm.core.events.record import (
    build_record,
    delete_entrants,
    dump_options,
    insert_games,
    name_event,
    read_options,
    update_entrants,
    update_event,
)
from pbm.core.events.starting import add_games, make_boards
from pbm.core.events.views import MOST_LISTED, describe_adjudication, format_day, list_names
from pbm.core.events.withdrawing import BoardIsLocked, carry_out, withdraw
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.context import Context
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.notices.notice import Notice
from pbm.pairing.begin import begin
from pbm.pairing.game_points import adjudicate
from pbm.pairing.next_round import can_start, complete, is_over, pair_next
from pbm.pairing.record import Record
from pbm.ratings import NEW, Rating
from pbm.rules.phrases import phrase
from pbm.store.event_tables import EventRow, entrants
from pbm.store.reads.event_rows import (
    EnteredRow,
    find_due_events,
    find_entrants,
    find_open_pairings,
    find_pairings,
    find_waiting_pairings,
    get_event,
    try_lock_event,
)
from pbm.store.reads.player_rows import find_downtimes, find_ratings_of_players

_MOST = 5
"""Events that one piece of work looks at."""
_AGAIN = 60.0
"""Seconds until an event is looked at again of which a board was locked."""
_POSTPONED = 600.0
"""Seconds until an event is looked at again that failed."""
_WARNING = 3 * DAY
"""How long before boards are adjudicated their players are told, at most."""
_QUIET = 3 * DAY
"""Who was silent for so long before running out of time has gone."""
_LONG_DOWN = DAY
"""After such a downtime events wait, in case only the clock was wrong, and announce anew what they
decide."""
_CALM = 3600.0
"""How long they wait then, and"""
_NOTICE = DAY
"""how long after the return no board is adjudicated."""


def run_due_events(work: DueWork) -> list[Notice]:
    """Look at the events that are due; the notices. One that fails is postponed and reported. What
    takes long to pair is asked of LargeRounds in the background, and its event stays due."""
    context, rounds = work.context, work.background
    notices: list[Notice] = []
    due = find_due_events(context.session, context.now, _MOST)
    back = _find_return(context)
    if back is not None and context.now < back + _CALM:
        for number in due:
            update_event(context.session, number, look=back + _CALM)
        return []
    for number in due:
        try:
            with context.session.savepoint():
                notices += _run(context, number, rounds)
        except BoardIsLocked:
            update_event(context.session, number, look=context.now + _AGAIN)
        except DBAPIError:
            raise
        except Exception as error:
            update_event(context.session, number, look=context.now + _POSTPONED)
            work.failed("event", number, error)
    return notices


def _find_return(context: Context) -> float | None:
    """Return when the server came back from a long downtime, if that was lately."""
    rows = find_downtimes(context.session, context.now - _NOTICE)
    return max((row.ends for row in rows if row.ends - row.begins >= _LONG_DOWN), default=None)


def _run(context: Context, number: int, rounds: LargeRounds | None) -> list[Notice]:
    row = try_lock_event(context.session, number)
    if row is None:
        return []
    if row.state == "open":
        if context.now >= row.begins:
            return _begin(context, row)
        update_event(context.session, number, look=row.begins)
        return []
    if row.state != "running":
        update_event(context.session, number, look=None)
        return []
    return _go_on(context, row, rounds)


def _begin(context: Context, row: EventRow) -> list[Notice]:
    """Begin an event: start numbers by rating; or cancel it when too few have entered."""
    _drop_gone(context, row)
    entered = find_entrants(context.session, row.id)
    _read_ratings(context, row, entered)
    entered = find_entrants(context.session, row.id)
    record = build_record(context.session, row)
    if problem := can_start(record):
        return _cancel(context, row, entered, problem)
    begun = begin(record)
    update_entrants(context.session, row.id, entered, begun.entrants)
    rules = dump_options(begun.options)
    update_event(context.session, row.id, state="running", rules=rules, look=context.now)
    card = show_card(context, get_event(context.session, row.id))
    players = list_names(f"{each.userid} ({each.rating})" for each in entered[:MOST_LISTED])
    if len(entered) > MOST_LISTED:
        more = len(entered) - MOST_LISTED
        line = f"event show {row.id}"
        players.append(phrase("  and {count} more: {line}", count=more, line=line))
    return tell(
        context,
        entered,
        lambda _: EventBegun(
            event=row.id,
            name=name_event(row),
            game=row.game,
            card=card,
            players=players,
        ),
    )


def _drop_gone(context: Context, row: EventRow) -> None:
    """Drop the entries of players who have left the server before the event begins."""
    gone = [
        each.player_id
        for each in find_entrants(context.session, row.id)
        if each.player_state != "active"
    ]
    if gone:
        delete_entrants(context.session, row.id, gone)


def _read_ratings(context: Context, row: EventRow, entered: Sequence[EnteredRow]) -> None:
    """Write down everybody's rating at the beginning."""
    points = {
        each.player_id: Rating(each.mu, each.sigma).points
        for each in find_ratings_of_players(context.session, [each.player_id for each in entered])
        if each.game == row.game
    }
    for each in entered:
        now = points.get(each.player_id, NEW.points)
        if now != each.rating:
            chosen = (entrants.c.event_id == row.id) & (entrants.c.player_id == each.player_id)
            context.session.execute(entrants.update().where(chosen).values(rating=now))


def _cancel(
    context: Context, row: EventRow, entered: Sequence[EnteredRow], problem: str
) -> list[Notice]:
    update_event(context.session, row.id, state="cancelled", ended=context.now, look=None)
    return tell(
        context,
        entered,
        lambda _: EventCancelled(
            event=row.id,
            name=name_event(row),
            game=row.game,
            reason=problem,
        ),
    )


def _go_on(context: Context, row: EventRow, rounds: LargeRounds | None) -> list[Notice]:
    """Do what is due in an event that runs, and note when to look again."""
    notices = make_boards(context, row)
    notices += _take_out_gone(context, row)
    notices += _adjudicate_due(context, row)
    record = build_record(context.session, row, context.now)
    if row.ends is not None and context.now >= row.ends:
        if not record.open_games:
            return notices + finish(context, row, _complete(context, row, record))
        notices += _warn(context, row)
        _schedule(context, row)
        return notices
    find = pair_next if rounds is None else rounds.find
    games = find(record, context.now)
    if games is None:
        update_event(context.session, row.id, look=context.now)
        return notices
    if is_over(record, context.now, games):
        return notices + finish(context, row, record)
    notices += add_games(context, row, record, games)
    notices += make_boards(context, row)
    notices += _warn(context, row)
    _schedule(context, row, has_more=bool(games))
    return notices


def _complete(context: Context, row: EventRow, record: Record) -> Record:
    """Return the record with what could not be played before the end of the event, decided."""
    after = complete(record, context.now)
    insert_games(context.session, row.id, after.games[len(record.games) :], {})
    return after


def _tell_left(
    context: Context, event: EventRow, entrant: EnteredRow, why: str, boards: Sequence[str]
) -> list[Notice]:
    """Tell somebody who was taken out, with what became of the boards."""

    def build(row: EnteredRow) -> EventLeft:
        return EventLeft(
            event=event.id,
            name=name_event(event),
            game=event.game,
            userid=row.userid,
            why=why,
            boards=boards,
            is_answer=False,
        )

    return tell(context, [entrant], build)


def _take_out_gone(context: Context, row: EventRow) -> list[Notice]:
    """Take out who has closed their account or gone silent, and tell them."""
    notices: list[Notice] = []
    entered = find_entrants(context.session, row.id)
    silent = _find_silent(context, row, entered)
    for each in entered:
        if each.left is not None or (each.player_state == "active" and each.number not in silent):
            continue
        why = "silent" if each.player_state == "active" else "closed"
        boards, told = withdraw(context, row, each.number, why)
        notices += told
        notices += _tell_left(context, row, each, silent.get(each.number, ""), boards)
    return notices


def _find_silent(context: Context, row: EventRow, entered: Sequence[EnteredRow]) -> dict[int, str]:
    """Return those who have gone without a word, by start number, and how: who let the time of a
    board run out, or has not moved for so many days. Neither vacations nor downtimes are
    silence."""
    people = {each.number: each for each in entered}
    silent: dict[int, str] = {}
    for each in find_pairings(context.session, row.id):
        if each.late is None or each.ended is None:
            continue
        number = json.loads(each.entrants)[each.late]
        if people[number].seen < each.ended - _QUIET:
            silent[number] = phrase(
                "your time ran out on board {board}, and nothing was heard of you",
                board=each.board_id,
            )
    since = _find_silence(context, row.silent * DAY)
    for waiting in find_waiting_pairings(context.session, row.id):
        seats = json.loads(waiting.entrants)
        for seat in waiting.to_move.split(","):
            entrant = people[seats[int(seat)]] if seat.isdigit() else None
            if entrant is None or _is_away(entrant, since):
                continue
            if max(entrant.seen, waiting.moved) < since:
                silent[entrant.number] = phrase(
                    "nothing was heard of you for {days} days", days=f"{row.silent:g}"
                )
    return silent


def _is_away(entrant: EnteredRow, since: float) -> bool:
    """Whether a vacation of an entrant has ended since then, or has not."""
    return entrant.away is not None and entrant.away > since


def _find_silence(context: Context, seconds: float) -> float:
    """Return the time since when the server has run for so many seconds."""
    since = context.now - seconds
    for down in sorted(
        find_downtimes(context.session, since - seconds), key=lambda each: -each.ends
    ):
        if down.ends > since:
            since -= min(down.ends, context.now) - down.begins
    return since


def _adjudicate_due(context: Context, row: EventRow) -> list[Notice]:
    """Decide the boards whose round, or event, has ended."""
    if _find_return(context) is not None:
        return []
    late = {
        each.number
        for each in find_open_pairings(context.session, row.id)
        if each.due is not None and each.due <= context.now
    }
    if not late:
        return []
    record = build_record(context.session, row)
    late &= {game.id for game in record.open_games}
    after = adjudicate(record, context.now, late)
    rule = describe_adjudication(read_options(row))
    why = phrase(
        "unfinished when its time in event {event} was over: {rule}", event=row.id, rule=rule
    )
    return carry_out(context, row.id, record, after, why)


def _warn(context: Context, row: EventRow) -> list[Notice]:
    """Tell the players of boards that are soon adjudicated, once for each end."""
    soon = context.now + _WARNING
    rows = [
        each
        for each in find_open_pairings(context.session, row.id)
        if each.due is not None and each.board_id is not None
    ]
    ends = sorted({each.due for each in rows if each.due is not None and each.due <= soon})
    ends = [end for end in ends if row.warned is None or end > row.warned]
    if not ends:
        return []
    update_event(context.session, row.id, warned=ends[-1])
    back = _find_return(context)
    until = ends[-1] if back is None else max(ends[-1], back + _NOTICE)
    entered = {each.number: each for each in find_entrants(context.session, row.id)}
    boards: dict[int, list[str]] = {}
    for each in rows:
        if each.due not in ends:
            continue
        seats = json.loads(each.entrants)
        for number in seats:
            others = ", ".join(entered[other].userid for other in seats if other != number)
            board = f"{row.game} {each.board_id}"
            line = phrase("{board} against {others}", board=board, others=others)
            boards.setdefault(number, []).append(line)
    rule = describe_adjudication(read_options(row))
    return tell(
        context,
        [entered[number] for number in sorted(boards)],
        lambda entrant: EventDeadline(
            event=row.id,
            name=name_event(row),
            game=row.game,
            until=format_day(until),
            boards=boards[entrant.number],
            rule=rule,
        ),
    )


def _schedule(context: Context, row: EventRow, *, has_more: bool = False) -> None:
    """Note when to look at the event again: at the next end, or tomorrow for those who are gone; at
    once when boards are still to be made, or others may follow from what was paired just now."""
    soon = context.now + _AGAIN
    games = find_pairings(context.session, row.id)
    back = _find_return(context)
    times = [row.ends, *(each.ended for each in games)]
    times += [] if back is None else [back + _NOTICE]
    for each in games:
        if each.how == "open" and each.due is not None:
            times += [each.due, each.due - _WARNING]
    ahead = [max(at, soon) for at in times if at is not None and at > context.now]
    is_unmade = any(each.how == "open" and each.board_id is None for each in games)
    look = context.now if is_unmade or has_more else min([*ahead, context.now + DAY])
    update_event(context.session, row.id, look=look)

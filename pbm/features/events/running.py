"""What happens to an event by itself: it begins, is paired round by round, and ends on its day.

`run_due_events` runs in the scheduler's transaction and does a bounded piece of the work."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from sqlalchemy import bindparam, case, exists, select, update
from sqlalchemy.exc import DBAPIError

from pbm.core.board import Board
from pbm.core.clock import DAY, WARNED
from pbm.core.context import Context, DueWork, address_to
from pbm.core.notices import Notice
from pbm.core.storing import load
from pbm.features.events.entering import BoardIsLocked, carry_out, withdraw
from pbm.features.events.finding import show_card, tell
from pbm.features.events.notices import EventBegun, EventCancelled, EventDeadline, EventLeft
from pbm.features.events.record import (
    build_record,
    delete_entrants,
    dump_options,
    insert_games,
    name_event,
    read_options,
    update_entrants,
    update_event,
)
from pbm.features.events.reports import announce_waiting
from pbm.features.events.rows import (
    EnteredRow,
    find_due_events,
    find_entrants,
    find_open_pairings,
    find_pairings,
    find_waiting_pairings,
    get_event,
    try_lock_event,
)
from pbm.features.events.starting import add_games, finish, make_boards
from pbm.features.events.tables import pairings
from pbm.features.events.views import (
    MOST_LISTED,
    describe_adjudication,
    format_day,
    list_names,
    list_parts,
)
from pbm.features.parties.matches import find_teams
from pbm.features.ratings.rows import find_ratings_of_players
from pbm.pairing.game_points import adjudicate, score_ranks
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import EventGame, Record, commit, read_json, write_json
from pbm.pairing.rounds import begin, can_start, complete, is_over, pair_next
from pbm.pairing.standings import standings
from pbm.ratings import NEW, Rating
from pbm.rules.phrases import pack, phrase
from pbm.store import reads
from pbm.store.reads import find_captain, find_downtimes
from pbm.store.rows import Query
from pbm.store.tables import EventRow, boards, entrants, events
from pbm.store.transaction import Session

_MOST = 5
"""The most events handled in one piece of work."""
_AGAIN = 60.0
"""Seconds until an event with a locked board is tried again."""
_POSTPONED = 600.0
"""Seconds until an event that failed is tried again."""
_WARNING = 3 * DAY
"""The longest time before an adjudication at which its players are warned."""
_QUIET = 3 * DAY
"""Players who were silent for this long before running out of time count as gone."""
_LONG_DOWN = DAY
"""A downtime of this length makes events wait, in case the clock was wrong."""
_CALM = 3600.0
"""Seconds that events wait after such a downtime."""
_NOTICE = DAY
"""Seconds after such a downtime without adjudications."""


def run_due_events(work: DueWork) -> list[Notice]:
    """Do what is due for events, and return the notices. An event that fails is postponed and
    reported. Large rounds are left to LargeRounds in the background; their events stay due."""
    context = work.context
    rounds = work.background if isinstance(work.background, LargeRounds) else None
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
    """Begin an event, with start numbers by rating; or cancel it when too few have entered."""
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
    """Before the event begins, drop the entries of players who have left the server."""
    gone = [
        each.player_id
        for each in find_entrants(context.session, row.id)
        if each.player_state != "active"
    ]
    if gone:
        delete_entrants(context.session, row.id, gone)


def _read_ratings(context: Context, row: EventRow, entered: Sequence[EnteredRow]) -> None:
    """Store everybody's rating at the beginning."""
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
    """Do what is due in a running event, and set when it is next due."""
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
    """Return the record, with games that could not be played before the event's end decided."""
    after = complete(record, context.now)
    insert_games(context.session, row.id, after.games[len(record.games) :], {})
    return after


def _tell_left(
    context: Context, event: EventRow, entrant: EnteredRow, why: str, boards: Sequence[str]
) -> list[Notice]:
    """Notify an entrant who was taken out, with the fate of the boards."""

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
    """Take out entrants who closed their account or fell silent, and notify them."""
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
    """Return the silent entrants, by start number, with the reason. Silent are those who lost a
    board on time without writing before, or have not moved for the days that the event allows.
    Vacations and downtimes do not count as silence."""
    people = {each.number: each for each in entered}
    silent: dict[int, str] = {}
    if get_kind(row.kind).for_teams:
        return silent  # a team is not seen: its members are
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
    """Whether a vacation of an entrant still runs, or ended after `since`."""
    return entrant.away is not None and entrant.away > since


def _find_silence(context: Context, seconds: float) -> float:
    """Return the time since which the server has been up for that many seconds."""
    since = context.now - seconds
    for down in sorted(
        find_downtimes(context.session, since - seconds), key=lambda each: -each.ends
    ):
        if down.ends > since:
            since -= min(down.ends, context.now) - down.begins
    return since


def _adjudicate_due(context: Context, row: EventRow) -> list[Notice]:
    """Adjudicate the boards whose round, or event, has ended."""
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
    """Warn the players of boards that will soon be adjudicated, and the captains of their teams,
    once for each end."""
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
    lines = defaultdict[int, list[str]](list)
    for number in [each.board_id for each in rows if each.due in ends and each.board_id]:
        board = load(context.session, number, anyway=True)
        for seat in board.seats:
            others = ", ".join(each.userid for each in board.seats if each is not seat)
            values = {"board": f"{row.game} {number}", "others": others}
            people = [each.player for each in seat.people if each.is_active]
            for player in people:
                lines[player].append(phrase("{board} against {others}", **values))
            team = find_teams(context.session, number).get(seat.seat)
            captain = find_captain(context.session, team) if team is not None else None
            if captain is not None and captain not in people:
                own = phrase("{board}, {player} against {others}", player=seat.userid, **values)
                lines[captain].append(own)
    rule = describe_adjudication(read_options(row))
    return [
        address_to(
            context.session,
            player,
            EventDeadline(
                event=row.id,
                name=name_event(row),
                game=row.game,
                until=format_day(until),
                boards=lines[player],
                rule=rule,
            ),
            is_team=False,
        )
        for player in sorted(lines)
    ]


def _schedule(context: Context, row: EventRow, *, has_more: bool = False) -> None:
    """Set when the event is next due: at the next end, or tomorrow to find entrants who are gone;
    at once when boards are still to be made, or the latest pairing may lead to others."""
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


# How a board of an event ended, written down in the transaction in which it did.

_NOTE = (
    update(pairings)
    .where(pairings.c.board_id == bindparam("board"))
    .values(
        points=bindparam("to_each"),
        how=bindparam("ending"),
        note=bindparam("more"),
        late=bindparam("late_seat"),
        ended=bindparam("at"),
    )
)
_LOOK = (
    update(events)
    .where(events.c.id == bindparam("event"))
    .values(
        revision=events.c.revision + 1,
        look=case(
            (events.c.state != "running", events.c.look),
            (events.c.look < bindparam("at"), events.c.look),
            else_=bindparam("at"),
        ),
    )
)
_LEAVING = ("resign", "forfeit")


def note_result(session: Session, board: Board, now: float, _had_ranks: Sequence[int]) -> None:
    """Note how a board of an event has ended, or that it goes on again, and make its event due. A
    result that can be taken back counts only when that time is over."""
    if board.event is None or not (board.is_over or board.is_reopened):
        return
    at = max(now, board.settles)
    points, how, note = _describe_end(board)
    row = {
        "board": board.id,
        "to_each": None if points is None else json.dumps(points),
        "ending": how,
        "more": pack(note),
        "late_seat": _find_late_seat(board),
        "at": at if board.is_over else None,
    }
    session.defer(_NOTE, (row,))
    session.defer(_LOOK, ({"event": board.event, "at": at},))


def _find_late_seat(board: Board) -> int | None:
    """Return the seat that ran out of time last, in the act that ended the board."""
    late = [entry.seat for entry in board.entries if entry.kind == "forfeit"]
    return late[-1] if late and board.is_over else None


def _describe_end(board: Board) -> tuple[Sequence[float] | None, str, str]:
    """Return the points of each seat, the way in which the board ended, and a remark."""
    if not board.is_over:
        return None, "open", ""
    if board.state == "cancelled":
        if _is_withdrawn(board):
            return None, "annulled", phrase("the challenge was withdrawn")
        is_unanswered = not all(seat.accepted for seat in board.seats)
        if is_unanswered:
            ranks = [1 if seat.accepted else 2 for seat in board.seats]
            return score_ranks(ranks), "forfeit", phrase("the challenge was not accepted")
        if board.entries and board.entries[-1].comment:
            return None, "annulled", board.entries[-1].comment
        return [0.0] * len(board.seats), "forfeit", phrase("the time of all players ran out")
    outcome = board.outcome
    if outcome is None:
        raise ValueError("a board that is over has an outcome")
    points = score_ranks(outcome.ranks)
    kinds = {entry.kind for entry in board.entries}
    if "adjudicate" in kinds:
        return points, "adjudicated", outcome.reason
    if kinds.intersection(_LEAVING) and not all(seat.moved for seat in board.seats):
        return points, "forfeit", outcome.reason
    return points, "played", ""


def _is_withdrawn(board: Board) -> bool:
    """Whether the challenger withdrew the invitation before it was answered."""
    last = board.entries[-1] if board.entries else None
    if last is None or last.kind != "cancel" or last.seat is None:
        return False
    return board.seats[last.seat].accepted


# Checks whether events agree with their boards, and their tables with those that are computed
# from a record written out and read again.

_STATES = ("open", "running", "over", "cancelled")
_ALL = Query(EventRow, select(events).order_by(events.c.id))


def find_event_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each contradiction in an event."""
    for row in session.stream(_ALL):
        for difference in _check_event(session, row):
            yield f"event {row.id}: {difference}"
    lost = select(boards.c.id).where(
        boards.c.event_id.is_not(None), ~exists().where(pairings.c.board_id == boards.c.id)
    )
    for number in session.execute(lost.limit(1)).scalars():
        yield f"board {number} belongs to an event that has no such game"


def _check_event(session: Session, row: EventRow) -> Iterator[str]:
    if row.state not in _STATES:
        yield f"it is in the state {row.state}, which does not exist"
    if (row.state in ("open", "running")) != (row.look is not None):
        yield f"it is {row.state}, but {'nobody looks' if row.look is None else 'looked'} at it"
    if commit(row.secret) != row.commitment:
        yield "its commitment is not that of its secret"
    record = build_record(session, row)
    numbers = sorted(entrant.number for entrant in record.entrants)
    if row.state == "running" and numbers != list(range(1, len(numbers) + 1)):
        yield f"its start numbers are {numbers}"
    yield from _check_games(session, record)
    if all(_has_its_players(record, game) for game in record.games):
        yield from _check_tables(record)


def _check_games(session: Session, record: Record) -> Iterator[str]:
    """Yield each game that does not have the result of its board, unless it was decided
    otherwise."""
    for game in record.games:
        if not _has_its_players(record, game):
            yield f"game {game.id} is played by {game.seats}"
        board = reads.find_board(session, game.board) if game.board is not None else None
        if game.board is not None and board is None:
            yield f"game {game.id} is played on board {game.board}, which is not there"
        elif board is not None and board.state == "over" and game.how == "played":
            ranks = json.loads(board.outcome)[0] if board.outcome else ()
            if game.points != tuple(score_ranks(ranks)):
                yield f"game {game.id} has other points than the result of board {board.id}"
        elif board is not None and game.is_open and board.state in ("over", "cancelled"):
            yield f"game {game.id} is open, but board {board.id} is over"


def _has_its_players(record: Record, game: EventGame) -> bool:
    """Whether its players take part, and nobody plays against themselves."""
    numbers = {entrant.number for entrant in record.entrants}
    return numbers.issuperset(game.seats) and len(set(game.seats)) == len(game.seats)


def _check_tables(record: Record) -> Iterator[str]:
    """Yield why the tables cannot be computed from the published record."""
    copy = read_json(write_json(record))
    hidden = record.ended is None
    for title, group, stage in list_parts(record):
        again = (
            copy if not hidden else replace(copy, secret=record.secret, entrants=record.entrants)
        )
        if standings(record, group, stage) != standings(again, group, stage):
            yield f"the standings{title and ' of ' + title} are not those of its record"


# Large rounds are paired outside the transaction: mail need not wait.


class LargeRounds:
    """Pairs large rounds outside transactions. One transaction asks for the games of a round; a
    later one fetches them, if the record of the event is still the one that they were paired
    from."""

    def __init__(self) -> None:
        self._asked: list[Record] = []
        self._paired: dict[int, tuple[Record, tuple[EventGame, ...]]] = {}

    @property
    def is_asked(self) -> bool:
        """Whether a round waits to be paired."""
        return bool(self._asked)

    def find(self, record: Record, now: float) -> tuple[EventGame, ...] | None:
        """Return the games to add to an event; None if they have yet to be paired."""
        paired = self._paired.pop(record.event, None)
        if paired is not None and paired[0] == record:
            return paired[1]
        if not get_kind(record.options.kind).is_large_round(record):
            return pair_next(record, now)
        self._asked.append(record)
        return None

    def pair(self, now: float) -> None:
        """Pair the rounds that were asked for."""
        while self._asked:
            record = self._asked.pop()
            self._paired[record.event] = record, pair_next(record, now)


# Events at a tick of the scheduler: what is due, and what a system clock set back leaves.


def do_due(work: DueWork) -> list[Notice]:
    """Run the due events, and announce those that have waited long enough."""
    call, notices = work.context, list[Notice]()
    if is_due(call.session, call.now):
        notices += run_due_events(work)
    return notices + announce_waiting(call)


def is_due(session: Session, now: float) -> bool:
    """Whether an event is due."""
    return bool(find_due_events(session, now, 1))


def repair_times(session: Session, last: float, now: float) -> None:
    """After the clock was set back: make events due now that wait for a future time, and warn
    again."""
    session.execute(update(events).where(events.c.look > now).values(look=now))
    if last - now > WARNED:
        session.execute(update(events).where(events.c.state == "running").values(warned=None))

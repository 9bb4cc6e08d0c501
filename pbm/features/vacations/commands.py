"""Vacations: days on which all clocks of a player stand still, planned or automatic.

A year has a limited number of days; opponents are notified of each vacation once, when it
begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from msgspec.structs import replace
from sqlalchemy import delete, exists, func, insert, select, update

from pbm.core import board as board_clocks
from pbm.core import clock
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.clock import DAY, HOUR, Span
from pbm.core.context import Context, DueWork
from pbm.core.intents import read_day
from pbm.core.notices import AccountContent, Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import (
    Player,
    delete_own,
    get_player,
    list_own,
    list_vacations,
    pass_on,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import check_clocks_soon
from pbm.core.updates import Change
from pbm.locale.words import read_command_word, says_none
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads import VACATIONS, find_shared_boards, find_vacations
from pbm.store.rows import Query
from pbm.store.tables import PauseRow, pauses
from pbm.store.transaction import Session

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_BETWEEN = re.compile(r"\s+[-\u2013]+\s+|\s+(?:to|till?|until|bis|à|au|al?|hasta|tot)\s+", re.I)
"""What stands between two days, in the five languages."""
_AHEAD = 366 * DAY
_AT_ONCE = 20
_UNTIL = "until"
_QUIET = 7 * DAY
"""For this long after an automatic vacation opponents are not notified of another one."""


def vacation(call: Call) -> list[Notice]:
    """Plan a vacation, end it with `off`, or show the planned ones and the days left. Refuse
    impossible dates and more days than are left."""
    words = [read_command_word(word, (_UNTIL,)) for word in call.command.words]
    if not words:
        return [_answer_with_state(call)]
    if words in (["off"], ["end"]) or (len(words) == 1 and says_none(words[0])):
        _end_vacations(call.session, call.me.id, call.now)
        return [_answer_with_state(call, ended=True)]
    if words[0] == _UNTIL and len(words) == 2 and _DATE.fullmatch(words[1]):
        today = clock.to_local(call.now, call.me.get_preference("zone", "UTC")).date()
        words = [str(today), words[1]]
    if len(words) != 2 or not all(map(_DATE.fullmatch, words)):
        _offer_days(call, [*call.command.words])
    if len(words) != 2:
        problem = phrase("name the first and the last day of your vacation")
        raise _refuse_days(call, problem, RefusalCode.MISSING_ARGUMENT)
    wanted = _read_span(call, words)
    zone = call.me.get_preference("zone", "UTC")
    allowance = call.config.players.vacation_days * DAY
    spans = list_vacations(call.session, call.me.id)
    if clock.measure_overlap(spans, *wanted):
        raise Refusal(
            RefusalCode.BAD_DATE,
            phrase("you already have a vacation planned for that time: cancel it first"),
            "vacation {user} PASSWORD off",
        )
    if clock.exceeds_allowance(spans, allowance, wanted, zone):
        problem = phrase(
            "of {days} days of vacation a year you have {left} left in the year of the first day",
            days=call.config.players.vacation_days,
            left=_format_own_days_left(call, wanted[0]),
        )
        raise _refuse_days(call, problem, RefusalCode.NO_DAYS_LEFT)
    add(call.session, call.me.id, wanted, "vacation", call.now)
    return [_answer_with_state(call), *announce_begun(call, call.me.id)]


def _offer_days(call: Call, words: list[str]) -> None:
    """Refuse days written in words or with dots, such as monday or 24.12., with the dates that they
    mean."""
    today = clock.to_local(call.now, call.me.get_preference("zone", "UTC")).date()
    is_pair = len(words) == 2 and all(word[0].isdecimal() for word in words)
    parts = words if is_pair else _BETWEEN.split(" ".join(words), maxsplit=1)
    first = read_day(parts[0], today)
    last = read_day(parts[-1], first or today)
    if len(parts) == 1 and first is not None:
        problem = phrase("did you mean until {day}?", day=str(first))
        raise Refusal(RefusalCode.BAD_DATE, problem, f"vacation {{user}} PASSWORD until {first}")
    if first is not None and last is not None:
        problem = phrase("write dates as YYYY-MM-DD")
        raise Refusal(RefusalCode.BAD_DATE, problem, f"vacation {{user}} PASSWORD {first} {last}")


def _refuse_days(call: Call, problem: str, code: RefusalCode = RefusalCode.BAD_DATE) -> Refusal:
    """Return the refusal of days, with an example, which no yes takes for what was meant."""
    return Refusal(code, problem, call.command.form, _build_example(call))


def _build_example(call: Call) -> str:
    first = clock.to_local(call.now, call.me.get_preference("zone", "UTC")).date() + timedelta(
        days=7
    )
    last = first + timedelta(days=6)
    return f"vacation {{user}} PASSWORD {first} {last}"


def _read_span(call: Call, words: Sequence[str]) -> Span:
    """Return the span from the first midnight, or now, to the end of the last day, in the player's
    zone."""
    zone = call.me.get_preference("zone", "UTC")
    first, last = (_read_date(call, word) for word in words)
    begin = clock.find_start_of_day(first, zone)
    end = clock.find_start_of_day(last + timedelta(days=1), zone)
    today = clock.to_local(call.now, zone).date()
    if first < today:
        raise _refuse_days(call, phrase("a vacation cannot begin in the past"))
    if last < first:
        raise _refuse_days(call, phrase("the last day comes before the first"))
    if end > call.now + _AHEAD:
        raise _refuse_days(call, phrase("a vacation can be planned at most a year ahead"))
    return max(begin, call.now), end


def _read_date(call: Call, word: str) -> date:
    try:
        if not _DATE.fullmatch(word):
            raise ValueError
        return date(*map(int, word.split("-")))
    except ValueError:
        raise _refuse_days(call, phrase("write dates as YYYY-MM-DD")) from None


def add(session: Session, player: int, span: Span, kind: str, now: float) -> None:
    """Store a vacation."""
    session.execute(
        insert(pauses).values(
            player_id=player, begins=span[0], ends=span[1], kind=kind, created=now
        )
    )
    _store_end(session, player)


def _store_end(session: Session, player: int) -> None:
    last = select(func.max(pauses.c.ends)).where(pauses.c.player_id == player)
    owner = get_player(session, player)
    if owner is not None:
        save_player(session, replace(owner, away=session.execute(last).scalar()))


def _end_vacations(session: Session, player: int, now: float) -> None:
    """End the current vacation and cancel planned ones; the scheduler then checks the boards."""
    of_player = (pauses.c.player_id == player) & pauses.c.kind.in_(VACATIONS)
    is_unheard = pauses.c.announced.is_(None)
    session.execute(delete(pauses).where(of_player, pauses.c.begins >= now, is_unheard))
    session.execute(update(pauses).where(of_player, pauses.c.ends > now).values(ends=now))
    _store_end(session, player)
    check_clocks_soon(session, player, now)


def drop_future_automatic(session: Session, now: float) -> None:
    """Delete automatic vacations that begin in the future, which remain when the clock was set
    back."""
    wrong = delete(pauses).where(pauses.c.kind == "automatic", pauses.c.begins >= now)
    for player in set(session.execute(wrong.returning(pauses.c.player_id)).scalars()):
        _store_end(session, player)


def end_vacation_by_move(
    context: Context, board: Board, changes: list[Change], _proposer: int | None
) -> list[Change]:
    """End the current vacation of a seat that has moved, if any, and add a remark to its move."""
    moved = changes[0] if changes and changes[0].event is None else None
    seat = board.seats[moved.actor] if moved is not None and moved.actor is not None else None
    if moved is None or seat is None or (seat.away or 0) <= context.now:
        return changes
    rows = find_vacations(context.session, seat.player)
    on = [row for row in rows if row.begins <= context.now < row.ends]
    if not on:
        return changes
    context.session.execute(update(pauses).where(pauses.c.id == on[0].id).values(ends=context.now))
    _store_end(context.session, seat.player)
    check_clocks_soon(context.session, seat.player, context.now)
    over = phrase("Your vacation is over, since you moved in it")
    return [replace(moved, remark=over), *changes[1:]]


def take_automatically(context: Context, seat: Seat, begin: float) -> list[Notice] | None:
    """Take a vacation for a seat whose clock would run out: until the player moves, or the year's
    days are used up. None when too few days are left to help, or the player never agreed to that
    board."""
    # Otherwise others could spend a player's vacation by starting boards.
    if not (seat.accepted or seat.moved):
        return None
    zone = seat.preferences.get("zone", "UTC")
    allowance = context.config.players.vacation_days * DAY
    rows = find_vacations(context.session, seat.player)
    end = clock.find_latest_vacation_end(
        [(row.begins, row.ends) for row in rows], allowance, begin, zone
    )
    if not seat.is_active or end - begin < HOUR or end <= context.now:
        return None
    add(context.session, seat.player, (begin, end), "automatic", context.now)
    content = VacationTaken(
        userid=seat.account,
        until=board_clocks.format_time(end, seat.preferences),
        left=_format_days_left(context, seat.player, seat.preferences, end),
    )
    own = Notice(content, reads.find_addresses(context.session, seat.player), seat.player)
    if any(row.kind == "automatic" and row.ends > context.now - _QUIET for row in rows):
        return [own]
    return [own, *announce(context, seat.player, seat.account, end)]


def announce_begun(context: Context, player: int = 0) -> list[Notice]:
    """Notify opponents of planned vacations that have begun: those of one player, or a bounded
    number of all. A player who plans one after the other is announced once a day."""
    earlier = pauses.alias("earlier")
    has_announced = (
        exists()
        .where(earlier.c.player_id == pauses.c.player_id, earlier.c.announced > context.now - DAY)
        .correlate(pauses)
    )
    query = select(pauses.c.id, pauses.c.player_id, pauses.c.ends).where(
        pauses.c.announced.is_(None),
        pauses.c.kind == "vacation",
        pauses.c.begins <= context.now,
        pauses.c.ends > context.now,
        ~has_announced,
    )
    if player:
        query = query.where(pauses.c.player_id == player)
    notices: list[Notice] = []
    for number, who, ends in context.session.tuples(
        query.order_by(pauses.c.begins).limit(_AT_ONCE)
    ):
        values = {"announced": context.now}
        context.session.execute(update(pauses).where(pauses.c.id == number).values(values))
        away = get_player(context.session, int(who))
        if away is not None and away.is_active:
            notices += announce(context, away.id, away.userid, float(ends))
    return notices


def announce(context: Context, player: int, userid: str, until: float) -> list[Notice]:
    """Return one notice for each opponent on running boards, naming the boards."""
    shared: dict[int, dict[int, str]] = {}
    for row in find_shared_boards(context.session, player):
        shared.setdefault(row.player_id, {})[row.board_id] = f"{row.game} {row.board_id}"
    people = [get_player(context.session, number) for number in shared]
    return [
        replace(
            context.build_notice(
                other,
                VacationAnnounced(
                    userid=userid,
                    boards=list(shared[other.id].values()),
                    until=board_clocks.format_time(until, other.preferences),
                ),
            ),
            cause=player,
        )
        for other in people
        if other is not None
    ]


def _format_own_days_left(call: Call, at: float) -> str:
    return _format_days_left(call, call.me.id, call.me.preferences, at)


def _format_days_left(
    context: Context, player: int, preferences: Mapping[str, str], at: float
) -> str:
    allowance = context.config.players.vacation_days * DAY
    zone = preferences.get("zone", "UTC")
    left = (
        clock.compute_allowance_left(list_vacations(context.session, player), allowance, at, zone)
        / DAY
    )
    days = f"{left:.1f}".removesuffix(".0")
    return phrase("1 day") if left == 1 else phrase("{days} days", days=days)


def _answer_with_state(call: Call, *, ended: bool = False) -> Notice:
    player = call.me
    rows = [row for row in find_vacations(call.session, player.id) if row.ends > call.now]
    return call.answer(
        VacationState(
            userid=player.userid,
            ended=ended,
            spans=[
                (
                    board_clocks.format_time(row.begins, player.preferences),
                    board_clocks.format_time(row.ends, player.preferences),
                )
                for row in rows
            ],
            left=_format_own_days_left(call, call.now),
            allowance=call.config.players.vacation_days,
            example=_build_example(call).format(user=player.userid),
        )
    )


def do_due(work: DueWork) -> list[Notice]:
    """Announce the vacations that have begun."""
    return announce_begun(work.context)


def repair_times(session: Session, _last: float, now: float) -> None:
    """After the clock was set back: delete vacations that begin in the future."""
    drop_future_automatic(session, now)


# Vacations of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the vacations of a player."""
    return {"vacations": list_own(session, player, pauses, "begins ends kind created")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the vacations."""
    pass_on(act.session, (pauses,), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Delete the vacations."""
    delete_own(context.session, (pauses,), player.id)


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each vacation or pause that ends before it begins."""
    wrong = Query(PauseRow, select(pauses).where(pauses.c.ends < pauses.c.begins))
    for pause in session.stream(wrong):
        yield f"pause {pause.id} ends before it begins"


# Notices about vacations.


class VacationAnnounced(AccountContent, frozen=True, kw_only=True):
    """An opponent of the reader is on vacation."""

    boards: Sequence[str]
    until: str


class VacationState(AccountContent, frozen=True, kw_only=True):
    """The current and planned vacations as (first, last), and the days left; `ended`: one has just
    been ended."""

    ended: bool
    spans: Sequence[tuple[str, str]]
    left: str
    allowance: int
    example: str


class VacationTaken(AccountContent, frozen=True, kw_only=True):
    """One of the reader's clocks ran out, so a vacation began automatically."""

    until: str
    left: str

"""Vacations: spans in which a player's clocks rest, planned or taken by themselves.

A year has so many days of them; opponents are told of each once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from msgspec import structs
from sqlalchemy import delete, func, insert, select, update

from pbm.core.language.call import Call
from pbm.core.model import board_clocks, clock
from pbm.core.model.clock import DAY, HOUR, Span
from pbm.core.model.notices.account_notices import VacationAnnounced, VacationState, VacationTaken
from pbm.core.model.notices.board_notices import BoardUpdate
from pbm.core.model.notices.notice import Notice
from pbm.core.model.player import get_player
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.seat import Seat
from pbm.store import reads
from pbm.store.reads.board_lists import shared_boards
from pbm.store.reads.pause_rows import VACATIONS, vacations_of
from pbm.store.tables import boards, pauses, players, seats
from pbm.store.transaction import Session

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_AHEAD = 366 * DAY
_TOLD = 7 * DAY
"""For so long after a vacation taken by itself opponents are not told of another one."""


def vacation(call: Call) -> list[Notice]:
    """Plan a vacation, end it with `off`, or show what is planned and left; Refusal for dates that
    do not fit or days that are not left."""
    words = [word.lower() for word in call.command.words]
    if not words:
        return [_state(call)]
    if words in (["off"], ["end"], ["none"]):
        _end(call.session, call.me.id, call.now)
        return [_state(call, ended=True)]
    if len(words) != 2:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            "name the first and the last day of your vacation",
            _example(call),
        )
    wanted = _span(call, words)
    zone = call.me.wants("zone", "UTC")
    allowance = call.config.players.vacation_days * DAY
    known = taken(call.session, call.me.id)
    if clock.overlap(known, *wanted):
        raise Refusal(
            RefusalCode.BAD_DATE,
            "you already have a vacation planned for that time: cancel it first",
            "vacation {user} PASSWORD off",
        )
    if clock.exceeds_allowance(known, allowance, wanted, zone):
        raise Refusal(
            RefusalCode.NO_DAYS_LEFT,
            f"of {call.config.players.vacation_days} days of vacation a year you have "
            f"{_left(call, wanted[0])} left in the year of the first day",
            _example(call),
        )
    add(call.session, call.me.id, wanted, "vacation", call.now)
    told = announced(call, call.me.id, call.me.userid, wanted)
    return [_state(call), *told]


def _example(call: Call) -> str:
    first = clock.to_local(call.now, call.me.wants("zone", "UTC")).date() + timedelta(days=7)
    last = first + timedelta(days=6)
    return f"vacation {{user}} PASSWORD {first} {last}"


def _span(call: Call, words: Sequence[str]) -> Span:
    """From the first midnight, or now, to the end of the last day, in the player's zone."""
    zone = call.me.wants("zone", "UTC")
    first, last = (_date(call, word) for word in words)
    begin = clock.start_of_day(first, zone)
    end = clock.start_of_day(last + timedelta(days=1), zone)
    today = clock.to_local(call.now, zone).date()
    if first < today:
        raise Refusal(RefusalCode.BAD_DATE, "a vacation cannot begin in the past", _example(call))
    if last < first:
        raise Refusal(RefusalCode.BAD_DATE, "the last day comes before the first", _example(call))
    if end > call.now + _AHEAD:
        raise Refusal(
            RefusalCode.BAD_DATE, "a vacation can be planned at most a year ahead", _example(call)
        )
    return max(begin, call.now), end


def _date(call: Call, word: str) -> date:
    try:
        if not _DATE.fullmatch(word):
            raise ValueError
        return date(*map(int, word.split("-")))
    except ValueError:
        raise Refusal(RefusalCode.BAD_DATE, "write dates as YYYY-MM-DD", _example(call)) from None


def taken(session: Session, player: int) -> list[Span]:
    """The vacations of a player, past and planned."""
    return [(row.begins, row.ends) for row in vacations_of(session, player)]


def is_on(session: Session, player: int, now: float) -> bool:
    """Whether a player is on vacation."""
    return any(begin <= now < end for begin, end in taken(session, player))


def add(session: Session, player: int, span: Span, kind: str, now: float) -> None:
    """Store a vacation."""
    session.execute(
        insert(pauses).values(
            player_id=player, begins=span[0], ends=span[1], kind=kind, created=now
        )
    )
    _note_end(session, player)


def _note_end(session: Session, player: int) -> None:
    last = select(func.max(pauses.c.ends)).where(pauses.c.player_id == player).scalar_subquery()
    session.execute(update(players).where(players.c.id == player).values(away=last))


def _end(session: Session, player: int, now: float) -> None:
    """End the vacation that is on and cancel what is planned; the clockwork looks at the boards."""
    of_player = (pauses.c.player_id == player) & pauses.c.kind.in_(VACATIONS)
    session.execute(delete(pauses).where(of_player, pauses.c.begins >= now))
    session.execute(update(pauses).where(of_player, pauses.c.ends > now).values(ends=now))
    _note_end(session, player)
    look_soon(session, player, now)


def forget_after(session: Session, now: float) -> None:
    """Drop vacations that were taken by themselves at a time that has not come yet."""
    wrong = delete(pauses).where(pauses.c.kind == "automatic", pauses.c.begins >= now)
    for player in set(session.execute(wrong.returning(pauses.c.player_id)).scalars()):
        _note_end(session, player)


def look_soon(session: Session, player: int, now: float) -> None:
    """Have the clockwork look at a player's boards: their clocks may run out sooner."""
    own = select(seats.c.board_id).where(seats.c.player_id == player, seats.c.rank.is_(None))
    session.execute(
        update(boards).where(boards.c.id.in_(own), boards.c.state == "running").values(look=now)
    )


def ended_by_move(call: Call, seat: Seat, notices: list[Notice]) -> list[Notice]:
    """The notices of a move; a vacation that was on ends with it, which the mover's says."""
    if seat.away is None or seat.away <= call.now:
        return notices
    rows = vacations_of(call.session, seat.player)
    on = [row for row in rows if row.begins <= call.now < row.ends]
    if not on:
        return notices
    call.session.execute(update(pauses).where(pauses.c.id == on[0].id).values(ends=call.now))
    _note_end(call.session, seat.player)
    look_soon(call.session, seat.player, call.now)
    remark = "Your vacation is over, since you moved in it"
    return [
        replace(notice, content=structs.replace(notice.content, remark=remark))
        if notice.player == seat.player and isinstance(notice.content, BoardUpdate)
        else notice
        for notice in notices
    ]


def by_itself(call: Call, seat: Seat, begin: float) -> tuple[Span, list[Notice]] | None:
    """Take a vacation for a seat whose clock would run out: until the player moves, or the year's
    days are used up. None when there is none left that would help, or when the player never agreed
    to that board: nobody else spends a player's vacation by starting boards."""
    if not (seat.accepted or seat.moved):
        return None
    zone = seat.preferences.get("zone", "UTC")
    allowance = call.config.players.vacation_days * DAY
    rows = vacations_of(call.session, seat.player)
    end = clock.latest_vacation_end(
        [(row.begins, row.ends) for row in rows], allowance, begin, zone
    )
    if not seat.is_active or end - begin < HOUR or end <= call.now:
        return None
    add(call.session, seat.player, (begin, end), "automatic", call.now)
    content = VacationTaken(
        userid=seat.userid,
        until=board_clocks.format_time(end, seat.preferences),
        left=_days_left(call, seat.player, seat.preferences, end),
    )
    own = Notice(content, reads.addresses_of(call.session, seat.player), seat.player)
    if any(row.kind == "automatic" and row.ends > call.now - _TOLD for row in rows):
        return (begin, end), [own]
    return (begin, end), [own, *announced(call, seat.player, seat.userid, (begin, end))]


def announced(call: Call, player: int, userid: str, span: Span) -> list[Notice]:
    """One mail to each opponent on a running board, which names the boards."""
    shared: dict[int, dict[int, str]] = {}
    for row in shared_boards(call.session, player):
        shared.setdefault(row.player_id, {})[row.board_id] = f"{row.game} {row.board_id}"
    people = [get_player(call.session, number) for number in shared]
    return [
        call.to(
            other,
            VacationAnnounced(
                userid=userid,
                boards=list(shared[other.id].values()),
                begin=board_clocks.format_time(span[0], other.preferences)
                if span[0] > call.now
                else "",
                until=board_clocks.format_time(span[1], other.preferences),
            ),
        )
        for other in people
        if other is not None
    ]


def _left(call: Call, at: float) -> str:
    return _days_left(call, call.me.id, call.me.preferences, at)


def _days_left(call: Call, player: int, preferences: Mapping[str, str], at: float) -> str:
    allowance = call.config.players.vacation_days * DAY
    zone = preferences.get("zone", "UTC")
    left = clock.allowance_left(taken(call.session, player), allowance, at, zone) / DAY
    return f"{left:.1f}".removesuffix(".0") + (" day" if left == 1 else " days")


def _state(call: Call, *, ended: bool = False) -> Notice:
    player = call.me
    rows = [row for row in vacations_of(call.session, player.id) if row.ends > call.now]
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
            left=_left(call, call.now),
            allowance=call.config.players.vacation_days,
            example=_example(call).format(user=player.userid),
        )
    )

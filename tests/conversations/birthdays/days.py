"""The birthdays of players: a table, a command, two notices, a page and what is due."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, ForeignKey, Integer, String, Table, insert, select, update

from pbm.core.call import Call
from pbm.core.context import Context, DueWork
from pbm.core.feature import PlainPage
from pbm.core.notices import AccountContent, Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, get_player, list_own, pass_on
from pbm.core.refusal import Refusal, RefusalCode
from pbm.store.tables import metadata, players
from pbm.store.transaction import Session

_DAY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")

birthdays = Table(
    "birthdays",
    metadata,
    Column("player_id", Integer, ForeignKey("players.id"), primary_key=True),
    Column("day", String, nullable=False),
    Column("year", Integer, nullable=False),
)


class BirthdayKept(AccountContent, frozen=True, kw_only=True):
    """The day is noted."""

    day: str


class Congratulation(AccountContent, frozen=True, kw_only=True):
    """Today is the day."""


def keep_day(call: Call) -> list[Notice]:
    """Note the player's birthday. Refuses what is no day."""
    player, day = call.me, call.command.words[0] if call.command.words else ""
    if not _DAY.fullmatch(day):
        raise Refusal(RefusalCode.BAD_ARGUMENT, "a birthday is MM-DD", call.command.form)
    delete_own(call.session, (birthdays,), player.id)
    row = {"player_id": player.id, "day": day, "year": 0}
    call.session.execute(insert(birthdays).values(row))
    return [call.answer(BirthdayKept(userid=player.userid, day=day))]


def congratulate(work: DueWork) -> list[Notice]:
    """Congratulate once a year."""
    context, today = work.context, datetime.fromtimestamp(work.context.now, UTC)
    chosen = (birthdays.c.day == f"{today:%m-%d}") & (birthdays.c.year < today.year)
    notices = []
    for number in (
        context.session.execute(select(birthdays.c.player_id).where(chosen)).scalars().all()
    ):
        player = get_player(context.session, number)
        if player is not None and player.is_active:
            notices.append(context.build_notice(player, Congratulation(userid=player.userid)))
        own = birthdays.c.player_id == number
        context.session.execute(update(birthdays).where(own).values(year=today.year))
    return notices


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the player's birthday."""
    return {"birthday": list_own(session, player, birthdays, "day")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass the birthday on."""
    delete_own(act.session, (birthdays,), new.id)
    pass_on(act.session, (birthdays,), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Forget the birthday."""
    delete_own(context.session, (birthdays,), player.id)


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each day that is none."""
    for number, day in session.tuples(select(birthdays.c.player_id, birthdays.c.day)):
        if not _DAY.fullmatch(str(day)):
            yield f"player {number} was born on {day}"


def show_page(call: Call, _values: Mapping[str, str]) -> PlainPage:
    """Show who tells a birthday."""
    query = select(players.c.userid).join(birthdays).order_by(players.c.userid)
    return PlainPage("Birthdays", ", ".join(call.session.execute(query).scalars()))

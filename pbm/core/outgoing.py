"""Outgoing mails between the notices that they are of and the bytes that are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import RowMapping, bindparam, delete, func, select, update

from pbm.config import Config
from pbm.core.clock import HOUR
from pbm.core.context import Context
from pbm.core.feature import list_hooks
from pbm.core.notices import HeldNotices, HeldRow, Notice
from pbm.core.player import get_player
from pbm.core.storing import load
from pbm.rules.phrases import Listing, phrase
from pbm.store.mail_outcome import NoAnswer
from pbm.store.reads import find_blockers
from pbm.store.tables import boards, held_notices
from pbm.store.transaction import Session, insert_into

Describe = Callable[[Notice, str], tuple[str, str]]
"""Names the kind of a notice and its news in a language."""


class OutgoingMail(Struct, frozen=True):
    """A mail of one notice to one address, numbered, but not composed.

    answers      the Message-ID of the mail that it answers, or ""
    inbound      the number of the mail that caused it
    stored       the hash of the reader's password, which its token is bound to
    preferences  those of the reader
    sender       the address of the server that it comes from
    due          when it is sent
    told         what the mail that a bot's answer makes of it repeats, as JSON; None when no bot is
                 to answer
    """

    notice: Notice
    address: str
    number: int
    created: float
    answers: str
    inbound: int | None
    stored: str
    preferences: Mapping[str, str]
    sender: str
    due: float
    told: str | None = None


class Addressed(Struct, frozen=True):
    """The mails that go out, and why answers do not, the strongest reason first."""

    mails: Sequence[OutgoingMail] = ()
    unanswered: Sequence[NoAnswer] = ()


class Outgoing(Protocol):
    """Turns notices into mails and puts these into the outgoing queue."""

    def address_notices(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        *,
        inbound: int | None,
        answers: str,
        to: str = "",
    ) -> Addressed:
        """Number a mail for each address of each notice that goes out. `inbound` is the number of
        the mail that caused them, `answers` its Message-ID, `to` the address of the server that it
        went to, where mails may come from that one too."""

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        """Compose these mails, enqueue them, and return their rows."""


def add_lines(
    session: Session, notices: Sequence[Notice], now: float, config: Config
) -> Sequence[Notice]:
    """Return the notices that are about to be mailed, with what features add at their ends."""
    hooks = list_hooks(lambda each: each.adds_to_mail)
    return [
        replace(notice, added=(*notice.added, *added))
        if notice.addresses
        and (added := [line for add in hooks for line in add(session, notice, now, config)])
        else notice
        for notice in notices
    ]


# What one player has caused another beyond a day's limit waits for a summary.

_MOST_PLAYERS = 20
_MOST_ROWS = 50
_LONGEST_SUMMARY = 20_000
"""The characters of texts beyond which what else there is waits for the next summary. No text is
cut: what a player may write in a day bounds each row."""

_DUE = (
    select(held_notices.c.player_id)
    .where(held_notices.c.since <= bindparam("before"))
    .group_by(held_notices.c.player_id)
    .order_by(func.min(held_notices.c.since))
    .limit(bindparam("most"))
)
_LIST = (
    select(held_notices.c.cause_id, held_notices.c.board_id, held_notices.c.kind)
    .where(held_notices.c.player_id == bindparam("player"))
    .order_by(held_notices.c.board_id, held_notices.c.subject, held_notices.c.cause_id)
)
_TAKE = (
    delete(held_notices)
    .where(
        held_notices.c.player_id == bindparam("player"),
        held_notices.c.cause_id == bindparam("cause_id"),
        held_notices.c.board_id == bindparam("board_id"),
        held_notices.c.kind == bindparam("kind"),
    )
    .returning(
        held_notices.c.cause_id,
        held_notices.c.board_id,
        held_notices.c.subject,
        held_notices.c.text,
        held_notices.c.count,
    )
)


@cache
def _build_upsert(*, is_sqlite: bool) -> Any:
    query = insert_into(held_notices, is_sqlite=is_sqlite)
    more = query.excluded
    return query.on_conflict_do_update(
        index_elements=list(held_notices.primary_key.columns),
        set_={
            "count": held_notices.c.count + 1,
            "subject": more.subject,
            "text": held_notices.c.text + more.text,
        },
    )


def add_to_summary(
    session: Session,
    notice: Notice,
    now: float,
    config: Config,
    describe: Describe,
) -> None:
    """Keep a notice for its reader's next summary."""
    reader = get_player(session, notice.player)
    language = reader.get_preference("language", "") if reader is not None else ""
    kind, subject = describe(notice, language or config.server.language)
    text = notice.content.passed_on
    row = {
        "player_id": notice.player,
        "cause_id": notice.cause,
        "board_id": notice.thread.board if notice.thread is not None else 0,
        "kind": kind,
        "subject": subject,
        "text": f"{text}\n\n" if text else "",
        "count": 1,
        "since": now,
    }
    session.execute(_build_upsert(is_sqlite=session.is_sqlite), row)


def has_summaries(session: Session, now: float) -> bool:
    """Whether a summary is due."""
    return session.execute(_DUE, {"before": now - HOUR, "most": 1}).scalar() is not None


def build_summaries(context: Context) -> list[Notice]:
    """Return the summaries of what has waited for an hour, of a bounded number of players. What one
    has no room for waits for another hour."""
    due = {"before": context.now - HOUR, "most": _MOST_PLAYERS}
    notices = []
    for number in context.session.execute(_DUE, due).scalars().all():
        player = get_player(context.session, number)
        rows = [
            row for row in _take_rows(context, number) if not _is_unwanted(context, number, row)
        ]
        if player is None or not player.is_active or not rows:
            continue
        names = _name_causes(context, rows)
        content = HeldNotices(
            userid=player.userid,
            names=Listing(names),
            example=names[0] if names[0] != "somebody" else "USERID",
            count=sum(row["count"] for row in rows),
            rows=[
                HeldRow(subject=row["subject"], count=row["count"], text=row["text"].strip())
                for row in rows
            ],
        )
        notices.append(context.build_notice(player, content))
    return notices


def _take_rows(context: Context, player: int) -> list[RowMapping]:
    """Take out what waits for a player, as much as a summary has room for. The rest begins to wait
    again."""
    rows: list[RowMapping] = []
    for key in context.session.execute(_LIST, {"player": player}).mappings().all():
        if len(rows) == _MOST_ROWS or sum(len(row["text"]) for row in rows) >= _LONGEST_SUMMARY:
            rest = update(held_notices).where(held_notices.c.player_id == player)
            context.session.execute(rest.values(since=context.now))
            break
        rows += context.session.execute(_TAKE, {"player": player, **key}).mappings().all()
    return rows


def _is_unwanted(context: Context, reader: int, row: RowMapping) -> bool:
    """Whether the reader has blocked its cause since, and has not agreed to play on the board that
    it is about, if any."""
    if reader not in find_blockers(context.session, row["cause_id"]):
        return False
    return not (row["board_id"] and load(context.session, row["board_id"]).has_agreed(reader))


def _name_causes(context: Context, rows: Sequence[RowMapping]) -> list[str]:
    """Return the userids of those whose acts the rows tell of; "somebody" comes last, for an act
    on a board that hides who plays."""
    numbers = {row["board_id"] for row in rows}
    query = select(boards.c.id).where(boards.c.id.in_(numbers), boards.c.anonymous.is_(True))
    anonymous = set(context.session.execute(query).scalars())
    known = {row["cause_id"] for row in rows if row["board_id"] not in anonymous}
    causes = [get_player(context.session, cause) for cause in known]
    names = sorted(cause.userid for cause in causes if cause is not None)
    return [*names, phrase("somebody")] if anonymous else names

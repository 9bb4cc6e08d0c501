"""Outgoing mails between the notices that they are of and the bytes that are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import bindparam, case, delete, func, select

from pbm.config import Config
from pbm.core.clock import HOUR
from pbm.core.context import Context
from pbm.core.feature import list_hooks
from pbm.core.limits import Limit
from pbm.core.notices import HeldNotices, HeldRow, Notice
from pbm.core.player import get_player
from pbm.rules.phrases import Listing, phrase
from pbm.store.mail_outcome import NoAnswer
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
        """Compose these mails and enqueue them; their rows."""


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
_LONGEST_TEXT = 1000
"""The characters that are kept of each text."""
_LONGEST_TEXTS = 4000
"""The characters of texts beyond which nothing is added to a row."""
_LONGEST_SUMMARY = 20_000
"""The characters of texts that a summary has."""

_DUE = (
    select(held_notices.c.player_id)
    .where(held_notices.c.since <= bindparam("before"))
    .group_by(held_notices.c.player_id)
    .order_by(func.min(held_notices.c.since))
    .limit(bindparam("most"))
)
_TAKE = (
    delete(held_notices)
    .where(held_notices.c.player_id == bindparam("player"))
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
    texts, more = held_notices.c.text, query.excluded
    return query.on_conflict_do_update(
        index_elements=list(held_notices.primary_key.columns),
        set_={
            "count": held_notices.c.count + 1,
            "subject": more.subject,
            "text": case((func.length(texts) < _LONGEST_TEXTS, texts + more.text), else_=texts),
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
    if len(text) > _LONGEST_TEXT:
        text = f"{text[:_LONGEST_TEXT]} …"
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
    """Return the summaries of what has waited for an hour, of a bounded number of players."""
    due = {"before": context.now - HOUR, "most": _MOST_PLAYERS}
    notices = []
    for number in context.session.execute(_DUE, due).scalars().all():
        rows = context.session.execute(_TAKE, {"player": number}).mappings().all()
        player = get_player(context.session, number)
        if player is None or not player.is_active or not rows:
            continue
        names = _name_causes(context, rows)
        content = HeldNotices(
            userid=player.userid,
            names=Listing(names),
            example=names[0] if names[0] != "somebody" else "USERID",
            most=Limit.NOTICES.find_most(context.config),
            count=sum(row["count"] for row in rows),
            rows=list(_describe(rows)),
            more=sum(row["count"] for row in _sort(rows)[_MOST_ROWS:]),
        )
        notices.append(context.build_notice(player, content))
    return notices


def _name_causes(context: Context, rows: Sequence[Mapping[Any, Any]]) -> list[str]:
    """Return the userids of those whose acts the rows tell of; "somebody" comes last, for an act
    on a board that hides who plays."""
    numbers = {row["board_id"] for row in rows}
    query = select(boards.c.id).where(boards.c.id.in_(numbers), boards.c.anonymous.is_(True))
    anonymous = set(context.session.execute(query).scalars())
    known = {row["cause_id"] for row in rows if row["board_id"] not in anonymous}
    causes = [get_player(context.session, cause) for cause in known]
    names = sorted(cause.userid for cause in causes if cause is not None)
    return [*names, phrase("somebody")] if anonymous else names


def _sort(rows: Iterable[Mapping[Any, Any]]) -> list[Mapping[Any, Any]]:
    return sorted(rows, key=lambda row: (row["board_id"], row["subject"]))


def _describe(rows: Iterable[Mapping[Any, Any]]) -> Iterable[HeldRow]:
    """Yield the rows as the summary shows them, with texts as long as there is room."""
    room = _LONGEST_SUMMARY
    for row in _sort(rows)[:_MOST_ROWS]:
        text = row["text"].strip()
        if len(text) > room:
            text = ""
        room -= len(text)
        yield HeldRow(subject=row["subject"], count=row["count"], text=text)

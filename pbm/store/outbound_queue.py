"""The queue of outbound mails, which wait to be sent."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

from sqlalchemy import bindparam, delete, exists, func, insert, literal_column, select, update

from pbm.store import daily_counters
from pbm.store.daily_counters import DAY
from pbm.store.engine import Store
from pbm.store.rows import Query, Row
from pbm.store.tables import FAILED, SENT, WAITING, OutboundRow, outbound, receipts
from pbm.store.transaction import Session, pad_keys

_MINUTE = 60.0
_RESERVED = 32
"""Numbers that are taken from the sequence at a time; those left over are never used."""
_DELIVERED = "250"
"""The code of the answer, which a receipt has in full. SQLite writes a row in place, and the start
of it alone, when it becomes neither longer nor shorter: this is as long as what "sent" is shorter
than "waiting", and the time of the next attempt gives way to that of the last."""
_ENQUEUE = insert(outbound)
_KEEP_ANSWER = insert(receipts)
_EARLIER = outbound.alias("earlier")
_ALL_DUE = (
    select(outbound)
    .where(
        outbound.c.state == WAITING,
        outbound.c.next_attempt <= bindparam("now"),
        ~exists().where(
            _EARLIER.c.state == WAITING,
            _EARLIER.c.recipient == outbound.c.recipient,
            _EARLIER.c.board_id == outbound.c.board_id,
            _EARLIER.c.id < outbound.c.id,
            _EARLIER.c.next_attempt > bindparam("now"),
        ),
    )
    .order_by(outbound.c.precedence, outbound.c.next_attempt, outbound.c.id)
)
_DUE = Query(OutboundRow, _ALL_DUE.limit(bindparam("most")))


class ClaimedRow(Row):
    """A mail that is due, whose recipient was locked."""

    id: int


class ToldRow(Row):
    """A mail that waits for a bot's answer."""

    id: int
    inbound_id: int | None
    player_id: int | None
    recipient: str
    next_attempt: float
    told: str | None


_TOLD = Query(
    ToldRow,
    select(
        outbound.c.id,
        outbound.c.inbound_id,
        outbound.c.player_id,
        outbound.c.recipient,
        outbound.c.next_attempt,
        outbound.c.told,
    ).where(
        outbound.c.board_id.in_(bindparam("boards", expanding=True)),
        outbound.c.state == WAITING,
        outbound.c.told.is_not(None),
        outbound.c.attempts == 0,
        outbound.c.next_attempt > bindparam("after"),
    ),
)
_HASTEN = (
    update(outbound)
    .where(outbound.c.id == bindparam("key"))
    .values(told=None, next_attempt=bindparam("at"))
)
_WITHDRAW = delete(outbound).where(outbound.c.id == bindparam("key"))
_IN_ORDER = (
    _ALL_DUE.with_only_columns(outbound.c.id, outbound.c.recipient).offset(0).subquery("due")
)
"""OFFSET keeps the planner from locking more recipients than those whose mails are returned."""
_CLAIM = Query(
    ClaimedRow,
    select(_IN_ORDER.c.id)
    .where(
        func.pg_try_advisory_xact_lock(
            literal_column(str(crc32(b"recipient") >> 1)), func.hashtext(_IN_ORDER.c.recipient)
        )
    )
    .limit(bindparam("most")),
)
_CLAIMED = Query(OutboundRow, _ALL_DUE.where(outbound.c.id.in_(bindparam("keys", expanding=True))))
_MARK_DONE = (
    update(outbound)
    .where(outbound.c.id == bindparam("key"), outbound.c.state == WAITING)
    .values(
        state=bindparam("new_state"),
        finished=bindparam("at"),
        attempts=outbound.c.attempts + 1,
        why=bindparam("text"),
    )
)
_MARK_SENT = (
    update(outbound)
    .where(outbound.c.id.in_(bindparam("keys", expanding=True)), outbound.c.state == WAITING)
    .values(
        state=SENT,
        finished=bindparam("at"),
        next_attempt=0.0,
        attempts=outbound.c.attempts + 1,
        why=_DELIVERED,
    )
    .execution_options(gathers="keys")
)
_POSTPONE = (
    update(outbound)
    .where(outbound.c.id.in_(bindparam("keys", expanding=True)), outbound.c.state == WAITING)
    .values(next_attempt=bindparam("next_attempt_at"))
    .execution_options(gathers="keys")
)
_RETRY_LATER = (
    update(outbound)
    .where(outbound.c.id == bindparam("key"), outbound.c.state == WAITING)
    .values(
        attempts=outbound.c.attempts + 1,
        next_attempt=bindparam("next_attempt_at"),
        why=bindparam("text"),
    )
)


def reserve_numbers(session: Session, count: int) -> list[int]:
    """Reserve the numbers of the next outgoing mails, which go into their Message-IDs."""
    if session.is_sqlite:
        return session.take_numbers(outbound, count)
    kept: list[int] = session.info.setdefault("numbers", [])
    if len(kept) < count:
        kept += session.take_numbers(outbound, max(count, _RESERVED))
    taken, kept[:count] = kept[:count], []
    return taken


def enqueue(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Store outgoing mails under their reserved numbers."""
    session.defer(_ENQUEUE, rows)


def find_told(session: Session, boards: Collection[int], after: float) -> Sequence[ToldRow]:
    """Return the mails about these boards that wait for a bot's answer and are due after that
    time."""
    return session.all(_TOLD, {"boards": pad_keys(sorted(boards)), "after": after})


def hasten(session: Session, key: int, at: float) -> None:
    """Send a mail at that time, whether or not a bot has answered."""
    session.execute(_HASTEN, {"key": key, "at": at})


def withdraw(session: Session, key: int) -> None:
    """Take a mail out of the queue that another one replaces."""
    session.execute(_WITHDRAW, {"key": key})


def find_due(session: Session, now: float, most: int) -> Sequence[OutboundRow]:
    """Return the outgoing mails that are due, in their precedence, oldest first. One that was
    deferred holds back the later ones about the same board to the same address."""
    return session.all(_DUE, {"now": now, "most": most})


@contextlib.contextmanager
def claiming_due(
    store: Store, now: float, most: int
) -> Iterator[tuple[int, Sequence[OutboundRow]] | None]:
    """Claim mails that are due, as `find_due` has them, for as long as the block runs, and yield
    them and how many were looked at. None when another daemon is the sender, of which an SQLite
    database has one.

    They are flushed first: what is not on the disk yet might be undone by a power failure. On
    PostgreSQL a daemon claims recipients, so that each gets mails in order, and skips those that
    another one has claimed. The mails are read after that: they may have been sent meanwhile."""
    if store.is_sqlite:
        with store.lock_exclusively("sender") as is_sender:
            if not is_sender:
                yield None
                return
            with store.reading() as session:
                rows = find_due(session, now, most)
            if rows:
                store.flush()
            yield len(rows), rows
        return
    with store.reading() as session:
        claimed = session.all(_CLAIM, {"now": now, "most": most})
        keys = pad_keys([row.id for row in claimed])
        yield len(claimed), session.all(_CLAIMED, {"now": now, "keys": keys}) if keys else ()


def mark_sent(session: Session, sent: Sequence[tuple[int, str]], now: float) -> None:
    """Note that these mails were delivered, each with the next server's answer."""
    session.defer(_MARK_SENT, [{"keys": key, "at": now} for key, _ in sent])
    answers = [{"outbound_id": key, "at": now, "answer": answer} for key, answer in sent if answer]
    session.defer(_KEEP_ANSWER, answers)


def mark_failed(session: Session, key: int, why: str, now: float) -> None:
    """Give up on a mail."""
    session.execute(_MARK_DONE, {"key": key, "new_state": FAILED, "at": now, "text": why})


def retry_later(session: Session, key: int, why: str, at: float) -> None:
    """Try a mail again at a later time."""
    session.execute(_RETRY_LATER, {"key": key, "text": why, "next_attempt_at": at})


def keep_rates(
    session: Session, rows: Sequence[OutboundRow], rates: Mapping[str, int], now: float
) -> list[OutboundRow]:
    """Return those of these mails that may go out now. Each domain in `rates` gets that many a
    minute from all daemons together. Mails beyond that wait for the next minute, in their
    precedence."""
    minute = now - now % _MINUTE
    by_domain: dict[str, list[OutboundRow]] = {}
    for row in rows:
        by_domain.setdefault(row.recipient.rpartition("@")[2].lower(), []).append(row)
    late: set[int] = set()
    for domain in sorted(by_domain.keys() & rates.keys()):
        wanted = by_domain[domain]
        name = f"rate {domain} {int(minute % DAY // _MINUTE)}"
        before = daily_counters.increment(session, name, now, len(wanted)) - len(wanted)
        late |= {row.id for row in wanted[max(0, rates[domain] - before) :]}
    at = minute + _MINUTE
    session.defer(_POSTPONE, [{"keys": key, "next_attempt_at": at} for key in sorted(late)])
    return [row for row in rows if row.id not in late]

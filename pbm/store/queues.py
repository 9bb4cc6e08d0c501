"""The two queues: mails that came in and wait to be executed, mails that wait to be sent.

A row is claimed inside the transaction that finishes it, so a daemon that dies leaves it waiting.
Several daemons share a PostgreSQL by SKIP LOCKED; SQLite has one writer at a time anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Table, bindparam, exists, func, insert, or_, select, text, update

from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.prefetch import Prefetched
from pbm.store.tables import AnyRow, bans, inbound, outbound
from pbm.store.transaction import Session, padded

WAITING, DONE, ASIDE = "waiting", "done", "aside"
SENT, FAILED, DROPPED = "sent", "failed", "dropped"

_JOURNAL = insert(inbound)
_PEEK = (
    select(inbound, exists(select(bans.c.id)).label("any_bans"))
    .where(
        inbound.c.state == WAITING,
        or_(
            inbound.c.worker == "",
            inbound.c.worker == bindparam("worker"),
            inbound.c.received < bindparam("before"),
        ),
    )
    .order_by(inbound.c.id)
    .limit(bindparam("most"))
)
_PEEK_NUMBERS = _PEEK.with_only_columns(inbound.c.id)
_READ = (
    select(inbound)
    .where(inbound.c.id.in_(bindparam("keys", expanding=True)), inbound.c.state == WAITING)
    .order_by(inbound.c.id)
)
_CLAIM = (
    select(inbound.c.id, inbound.c.attempts)
    .where(inbound.c.id == bindparam("key"), inbound.c.state == WAITING)
    .with_for_update(skip_locked=True)
)
_FINISH = (
    update(inbound)
    .where(inbound.c.id == bindparam("key"))
    .values(
        state=bindparam("new_state"),
        raw=bindparam("masked"),
        code=bindparam("new_code"),
        about=bindparam("new_about"),
        no_answer=bindparam("reason"),
        outcome=bindparam("said"),
        finished=bindparam("at"),
        player_id=bindparam("player"),
        board_id=bindparam("board"),
    )
)
_TRY_AGAIN = (
    update(inbound)
    .where(inbound.c.id == bindparam("key"))
    .values(
        attempts=inbound.c.attempts + 1,
        code=bindparam("new_code"),
        outcome=bindparam("said"),
    )
)
_ASIDE = (
    update(inbound)
    .where(inbound.c.id == bindparam("key"))
    .values(
        state=ASIDE,
        attempts=inbound.c.attempts + 1,
        faults=inbound.c.faults + bindparam("new_faults"),
        code=bindparam("new_code"),
        outcome=bindparam("said"),
        finished=bindparam("at"),
    )
)
_ASIDE_MASKED = _ASIDE.values(raw=bindparam("masked"))
_STILL_COUNTS = or_(inbound.c.fingerprint.not_like("~%"), inbound.c.received >= bindparam("since"))
"""What is marked with ~ was the same mail only a short time ago."""
_AFTER_FAULTS = (
    update(inbound)
    .where(inbound.c.state == ASIDE, inbound.c.faults > 0)
    .values(state=WAITING, attempts=0, finished=None, worker="")
    .returning(inbound.c.id)
)
_IS_ORIGINAL = inbound.c.code != MailOutcome.DUPLICATE.value
_COPIES = select(func.min(inbound.c.id)).where(
    inbound.c.fingerprint == bindparam("print"),
    inbound.c.id != bindparam("key"),
    inbound.c.state != WAITING,
    _STILL_COUNTS,
    _IS_ORIGINAL,
)
_LOCK_COPIES = text("SELECT pg_advisory_xact_lock(hashtextextended(:print, 0))")
_CLAIM_ALL = (
    select(inbound.c.id, inbound.c.attempts)
    .where(inbound.c.id.in_(bindparam("keys", expanding=True)), inbound.c.state == WAITING)
    .order_by(inbound.c.id)
    .with_for_update(skip_locked=True)
)
_EXECUTED = (
    select(inbound.c.fingerprint, func.min(inbound.c.id).label("first"))
    .where(
        inbound.c.fingerprint.in_(bindparam("prints", expanding=True)),
        inbound.c.state != WAITING,
        _STILL_COUNTS,
        _IS_ORIGINAL,
    )
    .group_by(inbound.c.fingerprint)
)
_LOCK_ALL_COPIES = text(
    "SELECT pg_advisory_xact_lock(mark) FROM (SELECT DISTINCT hashtextextended(print, 0) AS mark"
    " FROM unnest(CAST(:prints AS text[])) AS print ORDER BY mark) AS marks"
)
_AT_ONCE = 32
"""Numbers that are taken from the sequence at a time; those left over at the end are not used."""
_SEQUENCE = text("SELECT nextval(:sequence) FROM generate_series(1, :count)")
_LAST_NUMBER = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
_POST = insert(outbound)
_EARLIER = outbound.alias("earlier")
_DUE = (
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
    .order_by(outbound.c.next_attempt, outbound.c.id)
    .limit(bindparam("most"))
)
_OUT_DONE = (
    update(outbound)
    .where(outbound.c.id == bindparam("key"), outbound.c.state == WAITING)
    .values(
        state=bindparam("new_state"),
        finished=bindparam("at"),
        attempts=outbound.c.attempts + 1,
        why=bindparam("said"),
    )
)
_OUT_SENT = (
    update(outbound)
    .where(outbound.c.id.in_(bindparam("keys", expanding=True)), outbound.c.state == WAITING)
    .values(state=SENT, finished=bindparam("at"), attempts=outbound.c.attempts + 1, why="")
    .execution_options(gathers="keys")
)
_OUT_LATER = (
    update(outbound)
    .where(outbound.c.id == bindparam("key"), outbound.c.state == WAITING)
    .values(
        attempts=outbound.c.attempts + 1,
        next_attempt=bindparam("then"),
        why=bindparam("said"),
    )
)


def journal(session: Session, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Store mails as they came in; their numbers. After the commit they may be answered with
    250."""
    given = _numbers(session, inbound, len(rows))
    session.put_off(_JOURNAL, [{**row, "id": key} for row, key in zip(rows, given, strict=True)])
    return given


def peek(session: Session, most: int, worker: str = "", before: float = 0.0) -> Sequence[AnyRow]:
    """The oldest mails that wait for that worker, for nobody in particular, or since before a
    time, whoever should have taken them. None is claimed. Whether there are any bans is noted, so
    that nobody looks for those of each mail where there are none."""
    given = {"most": most, "worker": worker, "before": before}
    rows = session.execute(_PEEK, given).all()
    session.info["any_bans"] = any(row.any_bans for row in rows[:1])
    return rows


def waiting(session: Session, most: int, worker: str, before: float) -> Sequence[int]:
    """The numbers of what `peek` would find, however large the mails are."""
    found = session.execute(_PEEK_NUMBERS, {"most": most, "worker": worker, "before": before})
    return found.scalars().all()


def read(session: Session, numbers: Sequence[int]) -> Sequence[AnyRow]:
    """Those of these mails that still wait."""
    return session.execute(_READ, {"keys": padded(numbers)}).all() if numbers else ()


def claim(session: Session, number: int) -> AnyRow | None:
    """The mail, when it still waits and nobody else has it, until the end of this transaction."""
    known = session.prefetched
    if known is not None and number in known.claimed:
        return known.claimed[number]
    return session.execute(_CLAIM, {"key": number}).first()


def first_copy(session: Session, fingerprint: str, number: int, since: float = 0.0) -> int | None:
    """The number of another mail with the same fingerprint that was executed: the first one that is
    counts, whatever their numbers, which daemons commit in any order. Two daemons that execute
    copies at the same time wait for each other here. A fingerprint that begins with ~ is that of
    mails received `since` then."""
    known = session.prefetched
    if known is not None and number in known.marks:
        return known.executed.get(fingerprint)
    if not session.is_sqlite:
        session.execute(_LOCK_COPIES, {"print": fingerprint})
    return session.execute(_COPIES, {"print": fingerprint, "key": number, "since": since}).scalar()


def prefetch(session: Session, mails: Mapping[int, str | None], since: float = 0.0) -> None:
    """Claim these mails at once, given with their fingerprints, and look for copies of them, as
    `first_copy` does."""
    known = session.prefetched = session.prefetched or Prefetched()
    known.claimed.update(dict.fromkeys(mails))
    claimed = session.execute(_CLAIM_ALL, {"keys": padded(sorted(mails))})
    known.claimed.update({row.id: row for row in claimed})
    prints = sorted({mark for mark in mails.values() if mark})
    if not prints:
        return
    if not session.is_sqlite:
        session.execute(_LOCK_ALL_COPIES, {"prints": prints})
    known.marks.update({number: mark for number, mark in mails.items() if mark})
    for row in session.execute(_EXECUTED, {"prints": padded(prints), "since": since}):
        known.executed[row.fingerprint] = row.first


def finish(
    session: Session,
    number: int,
    result: MailResult,
    now: float,
    *,
    masked: bytes,
    player: int | None,
    board: int | None,
) -> None:
    """Mark the mail done; `masked` is what is kept of it."""
    row = {
        "key": number,
        "new_state": DONE,
        "masked": masked,
        "new_code": result.code.value,
        "new_about": result.about,
        "reason": result.no_answer.value if result.no_answer is not None else "",
        "said": result.text,
        "at": now,
        "player": player,
        "board": board,
    }
    session.put_off(_FINISH, (row,))
    _executed(session, number)


def retry(session: Session, number: int, result: MailResult) -> None:
    """Count a failed attempt; the mail waits for the next one."""
    row = {"key": number, "new_code": result.code.value, "said": result.text}
    session.execute(_TRY_AGAIN, row)


def bury(
    session: Session,
    number: int,
    result: MailResult,
    now: float,
    *,
    is_fault: bool = False,
    masked: bytes | None = None,
) -> None:
    """The mail is set aside for the operator: it cannot be read, or its handling failed too often,
    by a fault of the server's own. What cannot be read may hold a password anywhere: `masked` is
    then all that is kept of it."""
    row = {
        "key": number,
        "new_code": result.code.value,
        "said": result.text,
        "at": now,
        "new_faults": int(is_fault),
    }
    if masked is None:
        session.execute(_ASIDE, row)
    else:
        session.execute(_ASIDE_MASKED, {**row, "masked": masked})
    _executed(session, number)


def revive(session: Session) -> int:
    """Let the mails that were set aside for a fault of the server's own wait again; how many."""
    return len(session.execute(_AFTER_FAULTS).all())


def _executed(session: Session, number: int) -> None:
    """Copies of this mail that are known to the session find that it came first."""
    known = session.prefetched
    if known is not None and number in known.marks:
        known.executed.setdefault(known.marks[number], number)


def numbers(session: Session, count: int) -> list[int]:
    """The numbers of the next outgoing mails; they stand in their Message-IDs."""
    if session.is_sqlite:
        return _numbers(session, outbound, count)
    kept: list[int] = session.info.setdefault("numbers", [])
    if len(kept) < count:
        kept += _numbers(session, outbound, max(count, _AT_ONCE))
    taken, kept[:count] = kept[:count], []
    return taken


def _numbers(session: Session, table: Table, count: int) -> list[int]:
    """The next numbers for rows of a table, which nobody else gets."""
    if not session.is_sqlite:
        given = {"sequence": f"{table.name}_id_seq", "count": count}
        return list(session.execute(_SEQUENCE, given).scalars())
    known = session.info.setdefault("next", {})
    first = known.get(table.name)
    if first is None:
        first = (session.execute(_LAST_NUMBER, {"table": table.name}).scalar() or 0) + 1
    known[table.name] = first + count
    return list(range(first, first + count))


def post(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Store outgoing mails under the numbers they were given."""
    session.put_off(_POST, rows)


def due(session: Session, now: float, most: int) -> Sequence[AnyRow]:
    """Outgoing mails whose time has come, oldest first. One that was deferred holds back the later
    ones about the same board to the same person."""
    return session.execute(_DUE, {"now": now, "most": most}).all()


def sent(session: Session, keys: Sequence[int], now: float) -> None:
    """These mails were delivered."""
    session.put_off(_OUT_SENT, [{"keys": key, "at": now} for key in keys])


def failed(session: Session, key: int, said: str, now: float) -> None:
    """This mail will never be delivered."""
    session.execute(_OUT_DONE, {"key": key, "new_state": FAILED, "at": now, "said": said})


def later(session: Session, key: int, said: str, then: float) -> None:
    """This mail is tried again at a later time."""
    session.execute(_OUT_LATER, {"key": key, "said": said, "then": then})

"""The queue of inbound mails, which wait to be executed.

A row is claimed in the transaction that finishes it, so that it waits again when a daemon dies.
Several daemons share PostgreSQL by SKIP LOCKED; on SQLite `Store.claiming` lets one worker claim at
a time."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import bindparam, delete, func, insert, not_, or_, select, text, update

from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.prefetched import ClaimRow
from pbm.store.rows import Query, Row
from pbm.store.tables import ASIDE, DONE, WAITING, InboundRow, inbound, mail_ends
from pbm.store.transaction import Session, pad_keys


class SenderRow(Row):
    """A sender, and their first mail."""

    envelope_from: str | None
    first: int


class ExecutedRow(Row):
    """A fingerprint, and the first mail with it that was executed."""

    fingerprint: str | None
    first: int


_JOURNAL = insert(inbound)
_GOES_LAST = or_(inbound.c.stranger, inbound.c.attempts > 0)
_NEXT = (
    select(inbound)
    .where(inbound.c.state == WAITING)
    .order_by(inbound.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_NEXT_FIRST = Query(InboundRow, _NEXT.where(not_(_GOES_LAST)))
_NEXT_LAST = Query(InboundRow, _NEXT.where(_GOES_LAST, inbound.c.received < bindparam("before")))
_OLDER = Query(
    SenderRow,
    select(inbound.c.envelope_from, func.min(inbound.c.id).label("first"))
    .where(
        inbound.c.state == WAITING,
        inbound.c.id < bindparam("newest"),
        inbound.c.id.not_in(bindparam("keys", expanding=True)),
        inbound.c.envelope_from.in_(bindparam("senders", expanding=True)),
        not_(_GOES_LAST),
    )
    .group_by(inbound.c.envelope_from),
)
_CLAIM = Query(
    ClaimRow,
    select(inbound.c.id, inbound.c.attempts)
    .where(inbound.c.id == bindparam("key"), inbound.c.state == WAITING)
    .with_for_update(skip_locked=True),
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
        refusals=bindparam("new_refusals"),
        outcome=bindparam("text"),
        finished=bindparam("at"),
        player_id=bindparam("player"),
        board_id=bindparam("board"),
    )
)
_COUNT_ATTEMPT = (
    update(inbound)
    .where(inbound.c.id == bindparam("key"))
    .values(
        attempts=inbound.c.attempts + 1,
        code=bindparam("new_code"),
        outcome=bindparam("text"),
    )
)
_SET_ASIDE = (
    update(inbound)
    .where(inbound.c.id == bindparam("key"), inbound.c.state == WAITING)
    .values(
        state=ASIDE,
        attempts=inbound.c.attempts + 1,
        faults=inbound.c.faults + bindparam("new_faults"),
        code=bindparam("new_code"),
        outcome=bindparam("text"),
        finished=bindparam("at"),
    )
    .returning(inbound.c.id)
)
_SET_ASIDE_MASKED = _SET_ASIDE.values(raw=bindparam("masked"))
_OLD_ASIDE = (
    select(inbound.c.id)
    .where(inbound.c.state == "aside", inbound.c.finished < bindparam("before"))
    .order_by(inbound.c.id)
    .limit(bindparam("most"))
)
_CLOSE = (
    update(inbound)
    .where(inbound.c.id == bindparam("key"))
    .values(state=DONE, raw=bindparam("removed"))
)
REMOVED = b"\r\n(text removed)\r\n"
"""What is left of the text of a mail that was set aside and is not to be executed any more."""
_IS_COMPARABLE = or_(inbound.c.fingerprint.not_like("~%"), inbound.c.received >= bindparam("since"))
"""A fingerprint that begins with ~ identifies a mail for a short time only."""
_RETRY_FAULTS = (
    update(inbound)
    .where(inbound.c.state == ASIDE, inbound.c.faults > 0)
    .values(state=WAITING, attempts=0, finished=None)
    .returning(inbound.c.id)
)
_IS_ORIGINAL = inbound.c.code != MailOutcome.DUPLICATE.value
_COPIES = select(func.min(inbound.c.id)).where(
    inbound.c.fingerprint == bindparam("print"),
    inbound.c.id != bindparam("key"),
    inbound.c.state != WAITING,
    _IS_COMPARABLE,
    _IS_ORIGINAL,
)
_LOCK_COPIES = select(text("pg_advisory_xact_lock(hashtextextended(:print, 0))"))
_CLAIM_ALL = Query(
    ClaimRow,
    select(inbound.c.id, inbound.c.attempts)
    .where(inbound.c.id.in_(bindparam("keys", expanding=True)), inbound.c.state == WAITING)
    .order_by(inbound.c.id)
    .with_for_update(skip_locked=True),
)
_ATTEMPTS = Query(
    ClaimRow,
    select(inbound.c.id, inbound.c.attempts)
    .where(inbound.c.id.in_(bindparam("keys", expanding=True)), inbound.c.state == WAITING)
    .order_by(inbound.c.id)
    .with_for_update(),
)
_EXECUTED = Query(
    ExecutedRow,
    select(inbound.c.fingerprint, func.min(inbound.c.id).label("first"))
    .where(
        inbound.c.fingerprint.in_(bindparam("prints", expanding=True)),
        inbound.c.state != WAITING,
        _IS_COMPARABLE,
        _IS_ORIGINAL,
    )
    .group_by(inbound.c.fingerprint),
)
_LOCK_ALL_COPIES = select(
    text(
        "pg_advisory_xact_lock(key) FROM (SELECT DISTINCT hashtextextended(print, 0) AS key"
        " FROM unnest(CAST(:prints AS text[])) AS print ORDER BY key) AS keys"
    )
)


def journal(session: Session, rows: Sequence[dict[str, object]]) -> list[int]:
    """Store mails as they came in and return their numbers. They may be answered with 250 after
    the commit."""
    keys = session.take_numbers(inbound, len(rows))
    session.defer(_JOURNAL, [{**row, "id": key} for row, key in zip(rows, keys, strict=True)])
    return keys


def claim_first(session: Session, most: int) -> Sequence[InboundRow]:
    """Claim the oldest mails that go first, until the end of this transaction: those of known
    senders that have not failed. Mails that others have claimed are passed over, and so are the
    later ones of their senders, whose mails are executed in order."""
    mails = session.all(_NEXT_FIRST, {"most": most})
    senders = sorted({mail.envelope_from for mail in mails if mail.envelope_from})
    if session.is_sqlite or not senders:
        return mails
    params = {
        "newest": mails[-1].id,
        "keys": pad_keys([mail.id for mail in mails]),
        "senders": pad_keys(senders),
    }
    older = {row.envelope_from: row.first for row in session.all(_OLDER, params)}
    return [mail for mail in mails if mail.id < older.get(mail.envelope_from, math.inf)]


def claim_last(session: Session, most: int, before: float = math.inf) -> Sequence[InboundRow]:
    """Claim the oldest mails that go last, those of strangers and those that have failed, as far as
    they came before a time."""
    return session.all(_NEXT_LAST, {"most": most, "before": before})


def claim(session: Session, number: int) -> ClaimRow | None:
    """Claim a mail until the end of this transaction; None when it no longer waits or somebody else
    has claimed it."""
    cache = session.prefetched
    if cache is not None and number in cache.claimed:
        return cache.claimed[number]
    return session.first(_CLAIM, {"key": number})


def find_first_copy(
    session: Session, fingerprint: str, number: int, since: float = 0.0
) -> int | None:
    """Return the number of another mail with the same fingerprint that was executed before.

    The first one that is executed counts, whatever their numbers, because daemons commit in any
    order. Two daemons that execute copies at the same time wait for each other here. A fingerprint
    that begins with ~ counts only for mails received `since` a time."""
    cache = session.prefetched
    if cache is not None and number in cache.fingerprints:
        return cache.executed.get(fingerprint)
    if not session.is_sqlite:
        session.value(_LOCK_COPIES, {"print": fingerprint})
    params = {"print": fingerprint, "key": number, "since": since}
    first: int | None = session.value(_COPIES, params)
    return first


def prefetch(session: Session, mails: Mapping[int, str | None], since: float = 0.0) -> None:
    """Claim these mails, which are passed with their fingerprints, and look for copies of them as
    `find_first_copy` does, by one statement each."""
    cache = session.cache
    cache.claimed.update(dict.fromkeys(mails))
    claimed = session.all(_CLAIM_ALL, {"keys": pad_keys(sorted(mails))})
    cache.claimed.update({row.id: row for row in claimed})
    prints = sorted({fingerprint for fingerprint in mails.values() if fingerprint})
    if not prints:
        return
    if not session.is_sqlite:
        session.value(_LOCK_ALL_COPIES, {"prints": prints})
    cache.fingerprints.update({number: each for number, each in mails.items() if each})
    for row in session.all(_EXECUTED, {"prints": pad_keys(prints), "since": since}):
        if row.fingerprint is not None:
            cache.executed[row.fingerprint] = row.first


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
    """Mark a mail done; `masked` is what is kept of its text."""
    row = {
        "key": number,
        "new_state": DONE,
        "masked": masked,
        "new_code": result.code.value,
        "new_about": result.about,
        "reason": result.no_answer.value if result.no_answer is not None else "",
        "new_refusals": " ".join(result.refusals),
        "text": result.text,
        "at": now,
        "player": player,
        "board": board,
    }
    session.defer(_FINISH, (row,))
    _mark_executed(session, number)


def count_failed_attempt(session: Session, number: int, result: MailResult) -> None:
    """Count a failed attempt at a mail, which waits for the next one."""
    row = {"key": number, "new_code": result.code.value, "text": result.text}
    session.execute(_COUNT_ATTEMPT, row)


def set_aside(
    session: Session,
    number: int,
    result: MailResult,
    now: float,
    *,
    is_fault: bool = False,
    masked: bytes | None = None,
) -> None:
    """Set a mail aside for the operator: it cannot be read, or its execution failed too often, by a
    fault of the server's own (`is_fault`). A mail that cannot be read may hold a password anywhere:
    `masked` is then all that is kept of it. Nothing happens to a mail that no longer waits."""
    row = {
        "key": number,
        "new_code": result.code.value,
        "text": result.text,
        "at": now,
        "new_faults": int(is_fault),
    }
    if masked is None:
        changed = session.execute(_SET_ASIDE, row)
    else:
        changed = session.execute(_SET_ASIDE_MASKED, {**row, "masked": masked})
    if changed.scalars().all():
        _mark_executed(session, number)


def give_up(session: Session, number: int, result: MailResult, now: float, masked: bytes) -> None:
    """Mark a mail done that failed by a fault of the server's own and that nobody would miss;
    `masked` is what is kept of its text. Nothing happens to a mail that no longer waits."""
    if claim(session, number) is not None:
        finish(session, number, result, now, masked=masked, player=None, board=None)


def close_set_aside(session: Session, before: float, most: int) -> list[int]:
    """Mark mails done that were set aside before that time, and remove their text. Return their
    numbers."""
    rows = session.column(_OLD_ASIDE, {"before": before, "most": most})
    if rows:
        session.execute(_CLOSE, [{"key": number, "removed": REMOVED} for number in rows])
    return list(rows)


def blame(
    session: Session, numbers: Sequence[int], result: MailResult, now: float, *, most: int
) -> list[int]:
    """Count an attempt at these mails, during which a worker or the whole server died, unless they
    are done. Set those aside whose attempts have come to `most`, if that is not 0, and return their
    numbers. Only the operator lets them be tried again."""
    aside = []
    for mail in session.all(_ATTEMPTS, {"keys": pad_keys(sorted(numbers))}):
        if not most or mail.attempts + 1 < most:
            count_failed_attempt(session, mail.id, result)
        else:
            set_aside(session, mail.id, result, now)
            aside.append(mail.id)
    return aside


def retry_faults(session: Session) -> int:
    """Let the mails that were set aside for a fault of the server's own wait again. Return how many
    there were."""
    return len(session.execute(_RETRY_FAULTS).scalars().all())


def _mark_executed(session: Session, number: int) -> None:
    """Note that this mail was executed before the prefetched copies of it."""
    cache = session.prefetched
    if cache is not None and number in cache.fingerprints:
        cache.executed.setdefault(cache.fingerprints[number], number)


# How the last mails of each player began and ended.

_ENDS_KEPT = 8
"""Mails of a player whose ends are remembered."""
_ENDINGS = select(mail_ends.c.endings).where(
    mail_ends.c.player_id.in_(bindparam("players", expanding=True))
)
_IS_OWN = mail_ends.c.player_id.in_(bindparam("players", expanding=True))
_HAS_BEGUN = select(
    or_(
        func.count(mail_ends.c.player_id.distinct()) >= bindparam("many"),
        func.count(mail_ends.c.id).filter(_IS_OWN) > 0,
    )
).where(mail_ends.c.beginning == bindparam("beginning"))
_ADD_ENDS = insert(mail_ends)
_OLDER_ENDS = (
    select(mail_ends.c.id)
    .where(mail_ends.c.player_id == bindparam("player"))
    .order_by(mail_ends.c.id.desc())
    .offset(_ENDS_KEPT)
)
_DROP_ENDS = delete(mail_ends).where(mail_ends.c.id.in_(_OLDER_ENDS.limit(1000)))


def find_endings(session: Session, players: Collection[int]) -> list[Sequence[str]]:
    """Return the hashes of each of the last mails of these players."""
    rows = session.tuples(_ENDINGS, {"players": list(players)})
    return [endings.split() for (endings,) in rows]


def has_begun(session: Session, beginning: str, players: Collection[int], many: int) -> bool:
    """Whether one of these players has begun a mail with that paragraph, or many others have."""
    values = {"beginning": beginning, "players": list(players), "many": many}
    return bool(beginning) and bool(session.execute(_HAS_BEGUN, values).scalar_one())


def remember_ends(session: Session, player: int, beginning: str, endings: Sequence[str]) -> None:
    """Note how a mail of a player began and ended, and forget all but the last few."""
    row = {"player_id": player, "beginning": beginning, "endings": " ".join(endings)}
    session.execute(_ADD_ENDS, row)
    session.execute(_DROP_ENDS, {"player": player})

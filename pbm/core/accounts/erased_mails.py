"""Erases the mails of erased players from both queues, some at a time, so that no other mail has to
wait."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Column, Table, delete, select, update

from pbm.core.accounts.erasures import Erasure, read_erasures, write_erasures
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.notices.notice import Notice
from pbm.store.backlog import ASIDE, DONE, EMPTY_INBOUND, EMPTY_OUTBOUND, WAITING
from pbm.store.daily_counters import DAY
from pbm.store.tables import inbound, outbound, receipts
from pbm.store.transaction import Session

_AT_ONCE = 500
_LASTS = DAY
"""Mails that were under way when the player was erased come within that time."""


def erase_mails(session: Session, now: float) -> None:
    """Erase some of the mails from and to erased players. Never commits."""
    erasures = read_erasures(session)
    left = [after for each in erasures if (after := _advance(session, each, now)) is not None]
    if left != erasures:
        write_erasures(session, left)


def _advance(session: Session, erasure: Erasure, now: float) -> Erasure | None:
    """Return the erasure after the next mails of each queue; None when it is finished."""
    came = _erase_next(
        session,
        inbound,
        (inbound.c.envelope_from, inbound.c.recipient, inbound.c.raw),
        erasure,
        erasure.inbound,
        EMPTY_INBOUND,
    )
    went = _erase_next(
        session, outbound, (outbound.c.recipient,), erasure, erasure.outbound, EMPTY_OUTBOUND
    )
    is_at_end = (came, went) == (erasure.inbound, erasure.outbound)
    if is_at_end and now > erasure.at + _LASTS:
        return None
    return replace(erasure, inbound=came, outbound=went)


def _erase_next(
    session: Session,
    table: Table,
    columns: Sequence[Column[Any]],
    erasure: Erasure,
    after: int,
    empty: Mapping[str, Any],
) -> int:
    """Erase those of the next mails in which an address of the player stands, or that are the
    player's; the last number searched, which is before the first that still waits."""
    query = select(table.c.id, table.c.state, table.c.player_id, *columns)
    query = query.where(table.c.id > after).order_by(table.c.id).limit(_AT_ONCE)
    for number, state, player, *texts in session.tuples(query):
        if player == erasure.player or any(_names(erasure, text) for text in texts):
            if state == WAITING:
                return after
            if table is outbound:
                session.execute(delete(receipts).where(receipts.c.outbound_id == number))
            emptied = update(table).where(table.c.id == number)
            session.execute(emptied.values(**empty, state=DONE if state == ASIDE else state))
        after = number
    return after


def _names(erasure: Erasure, text: str | bytes | None) -> bool:
    """Whether an address of the player stands in a text or mail."""
    raw = text.encode() if isinstance(text, str) else text or b""
    names = b"|".join(re.escape(address.encode()) for address in erasure.addresses)
    return bool(names) and re.search(rb"(?i)(?<![\w.+-])(?:%b)(?![\w-])" % names, raw) is not None


def do_due(work: DueWork) -> list[Notice]:
    """Go on with erasing the mails of erased players."""
    erase_mails(work.context.session, work.context.now)
    return []

"""Bounces: counts the addresses that fail, and stops mail to them.

A report counts when it was sent to the envelope sender of one of our mails, whose token nobody can
guess, and only against the recipient of that mail. Any other report is just recorded. Reports are
never answered; the player is told at other addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, insert, select, update

from pbm.core.model.notices.mail_notices import AddressStopped, Unreachable
from pbm.core.model.notices.notice import Notice
from pbm.core.model.player import get_player
from pbm.mail.incoming.bounce_report import Report, read_report
from pbm.mail.incoming.message.letter import TooCostly
from pbm.store import reads
from pbm.store.daily_counters import DAY, count_days
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.reads.board_lists import find_open_board_numbers
from pbm.store.rows import Query
from pbm.store.tables import AddressRow, addresses, audit, outbound, players, seats
from pbm.store.transaction import Session

HARD_DAYS = 3
"""Days with a hard bounce after which nothing more is sent to an address."""
_EXPIRY = 60.0
"""Days after which a hard bounce no longer counts."""
_MOST = 20

_OURS = select(outbound.c.recipient).where(outbound.c.id == bindparam("mail"))
_ADDRESSES = Query(AddressRow, select(addresses).where(addresses.c.address == bindparam("address")))
_COUNT = (
    update(addresses)
    .where(addresses.c.id == bindparam("key"))
    .values(bounces=bindparam("count"), bounced=bindparam("at"), stopped=bindparam("since"))
)
_OPPONENTS = (
    select(seats.c.player_id, seats.c.board_id)
    .join(players, players.c.id == seats.c.player_id)
    .where(
        seats.c.board_id.in_(bindparam("numbers", expanding=True)),
        seats.c.player_id != bindparam("player"),
        players.c.state == "active",
    )
    .distinct()
    .order_by(seats.c.player_id, seats.c.board_id)
)
# The reply of a relay when there is no such mailbox (RFC 3463 3.2, 3.3).
_NO_MAILBOX = re.compile(r"5\d\d[ -]5\.(?:1\.\d+|2\.1)\b")


@dataclass(frozen=True, slots=True)
class Bounce:
    """A report on mail of ours. `mail` is the number of the outgoing mail that the token of the
    envelope sender names, 0 without."""

    mail: int
    reports: tuple[Report, ...]


def read_bounce(raw: bytes, mail: int) -> Bounce:
    """What a mail to an envelope sender of ours, or from nobody, reports. Nothing when it costs too
    much to read."""
    try:
        return Bounce(mail, read_report(raw))
    except TooCostly:
        return Bounce(mail, ())


def count_bounce(session: Session, bounce: Bounce, now: float) -> tuple[MailResult, list[Notice]]:
    """Count the bounce; its outcome, and the notices it causes."""
    recipient = session.execute(_OURS, {"mail": bounce.mail}).scalar() if bounce.mail else None
    if recipient is None:
        named = dict.fromkeys(one.address.lower() for one in bounce.reports[:_MOST] if one.address)
        text = f"bounce without our token, not counted: {'; '.join(named)}"
        return MailResult(MailOutcome.UNPROVEN_BOUNCE, text), []
    address = str(recipient).lower()
    # The report may name another address, to which the mail was forwarded.
    matches = [one.hard for one in bounce.reports if one.address.lower() == address]
    if not any(matches or [one.hard for one in bounce.reports]):
        return MailResult(MailOutcome.BOUNCE, f"bounce: {address} waits"), []
    rows = session.all(_ADDRESSES, {"address": address})
    notices = [notice for row in rows for notice in _count(session, row, now)]
    outcome = "failed" if rows else "is nobody's"
    return MailResult(MailOutcome.BOUNCE, f"bounce: {address} {outcome}"), notices


def count_refusal(session: Session, recipient: str, why: str, now: float) -> list[Notice]:
    """Count a mail that the relay refused because there is no such mailbox."""
    if not _NO_MAILBOX.match(why):
        return []
    rows = session.all(_ADDRESSES, {"address": recipient.lower()})
    return [notice for row in rows for notice in _count(session, row, now)]


def _count(session: Session, row: AddressRow, now: float) -> list[Notice]:
    """Count one hard bounce of an address, at most one a day; after the third, stop."""
    day = count_days(now)
    if row.stopped is not None or (row.bounced and count_days(row.bounced) >= day):
        return []
    is_old = row.bounced is not None and now - row.bounced > _EXPIRY * DAY
    times = 1 if is_old else row.bounces + 1
    since = now if times >= HARD_DAYS else None
    session.execute(_COUNT, {"key": row.id, "count": times, "at": now, "since": since})
    return _record_stop(session, row, now) if since else []


def _record_stop(session: Session, row: AddressRow, now: float) -> list[Notice]:
    """Record the stop for the operator; notices to the player's other addresses and to the
    opponents on open boards."""
    player = get_player(session, row.player_id)
    reason = f"mail to {row.address} came back on {HARD_DAYS} days"
    session.execute(
        insert(audit).values(
            at=now, actor="pbm", action="stop address", player_id=row.player_id, reason=reason
        )
    )
    if player is None or not player.is_active:
        return []
    others = reads.find_addresses(session, player.id)
    notices = [
        Notice(
            AddressStopped(userid=player.userid, address=row.address, days=HARD_DAYS),
            addresses=others,
            player=player.id,
        )
    ]
    numbers = find_open_board_numbers(session, player.id)
    for opponent, shared in _find_opponents(session, player.id, numbers):
        notices.append(
            Notice(
                Unreachable(userid=player.userid, boards=shared, reached=bool(others)),
                addresses=reads.find_addresses(session, opponent),
                player=opponent,
            )
        )
    return notices


def _find_opponents(
    session: Session, player: int, numbers: Sequence[int]
) -> Iterable[tuple[int, list[int]]]:
    """Each opponent with the boards in common."""
    shared: dict[int, list[int]] = {}
    params = {"numbers": list(numbers), "player": player}
    for opponent, board in session.tuples(_OPPONENTS, params):
        shared.setdefault(opponent, []).append(board)
    return shared.items()

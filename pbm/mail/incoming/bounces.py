"""Bounces: keeps a score of the addresses that fail, and stops mail to them.

A mail that fails for good adds two points, one that fails for now adds one, at most once a day. A
point is forgotten in a week, so that single failures never add up. Mail stops at five points: on
the third day in a row with a failure for good, on the sixth with one for now.

A report counts when it was sent to the envelope sender of one of our mails, whose token nobody can
guess, and only against the recipient of that mail. Any other report is just recorded. Reports are
never answered; the player is told at other addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import bindparam, insert, select, update

from pbm.core.notices import AddressStopped, Notice
from pbm.core.player import get_player
from pbm.core.submit import CommandService, Submission
from pbm.features.accounts.stopping import tell_opponents
from pbm.mail.incoming.bounce_report import Failure, Report, is_complaint, read_report
from pbm.mail.incoming.message.letter import TooCostly
from pbm.store import reads
from pbm.store.daily_counters import DAY, count_days
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.reads.board_rows import find_open_board_numbers
from pbm.store.rows import Query
from pbm.store.tables import AddressRow, addresses, audit, outbound
from pbm.store.transaction import Session

MOST_SCORE = 5.0
"""Nothing more is sent to an address with this score."""
_POINTS = {Failure.WAITS: 0.0, Failure.SOFT: 1.0, Failure.HARD: 2.0}
_FORGOTTEN = 7.0
"""Days in which one point is forgotten."""
_MOST = 20

_OURS = select(outbound.c.recipient).where(outbound.c.id == bindparam("mail"))
_ADDRESSES = Query(AddressRow, select(addresses).where(addresses.c.address == bindparam("address")))
_COUNT = (
    update(addresses)
    .where(addresses.c.id == bindparam("key"))
    .values(bounce_score=bindparam("score"), bounced=bindparam("at"), stopped=bindparam("since"))
)
# The replies of a relay when there is no such mailbox, and when it is full (RFC 3463 3.2, 3.3).
_NO_MAILBOX = re.compile(r"5\d\d[ -]5\.(?:1\.\d+|2\.1)\b")
_FULL_MAILBOX = re.compile(r"5\d\d[ -]5\.2\.2\b")


@dataclass(frozen=True, slots=True)
class Bounce:
    """A report on mail of ours. `mail` is the number of the outgoing mail that the token of the
    envelope sender names, 0 without; `is_complaint`: its recipient reported it as spam."""

    mail: int
    reports: tuple[Report, ...]
    is_complaint: bool = False


def read_bounce(raw: bytes, mail: int, *, has_sender: bool = False) -> Bounce:
    """Return what a mail to an envelope sender of ours, or from nobody, reports. Nothing when it
    costs too much to read. `has_sender`: its envelope has one, which bounces have not."""
    try:
        if not (reports := read_report(raw)) and is_complaint(
            raw, is_to_sender=bool(mail) and has_sender
        ):
            return Bounce(mail, (), is_complaint=True)
        return Bounce(mail, reports)
    except TooCostly:
        return Bounce(mail, ())


def count_bounce(session: Session, bounce: Bounce, now: float) -> tuple[MailResult, list[Notice]]:
    """Count the bounce; its outcome, and the notices it causes."""
    recipient = session.execute(_OURS, {"mail": bounce.mail}).scalar() if bounce.mail else None
    if bounce.is_complaint:
        return _take_complaint(session, str(recipient or "").lower(), now)
    if recipient is None:
        named = dict.fromkeys(one.address.lower() for one in bounce.reports[:_MOST] if one.address)
        text = f"bounce without our token, not counted: {'; '.join(named)}"
        return MailResult(MailOutcome.UNPROVEN_BOUNCE, text), []
    address = str(recipient).lower()
    # The report may name another address, to which the mail was forwarded.
    matches = [one.failure for one in bounce.reports if one.address.lower() == address]
    failures = matches or [one.failure for one in bounce.reports]
    failure = max(failures, key=_POINTS.__getitem__, default=Failure.WAITS)
    if failure is Failure.WAITS:
        return MailResult(MailOutcome.BOUNCE, f"bounce: {address} waits"), []
    rows = session.all(_ADDRESSES, {"address": address})
    notices = [notice for row in rows for notice in _count(session, row, failure, now)]
    outcome = "failed for now" if failure is Failure.SOFT else "failed"
    outcome = outcome if rows else "is nobody's"
    words = next((one.words for one in bounce.reports if one.words), "")
    outcome += f": {words}" if words and rows else ""
    return MailResult(MailOutcome.BOUNCE, f"bounce: {address} {outcome}"), notices


def _take_complaint(session: Session, address: str, now: float) -> tuple[MailResult, list[Notice]]:
    """Stop mail to the address whose reader reported ours as spam; without our token, which anybody
    can forge, the complaint is only listed."""
    rows = [row for row in session.all(_ADDRESSES, {"address": address}) if row.stopped is None]
    for row in rows:
        score = {"score": MOST_SCORE, "at": now, "since": now}
        session.execute(_COUNT, {"key": row.id, **score})
    notices = [
        notice for row in rows for notice in _record_stop(session, row, now, is_complaint=True)
    ]
    about = f"{address} reported our mail as spam" if address else "without our token"
    done = ": nothing more is sent there" if rows else ", not counted"
    return MailResult(MailOutcome.COMPLAINT, f"complaint: {about}{done}", address), notices


def count_refusal(session: Session, recipient: str, why: str, now: float) -> list[Notice]:
    """Count a mail that the relay refused because there is no such mailbox or it is full."""
    if _NO_MAILBOX.match(why):
        failure = Failure.HARD
    elif _FULL_MAILBOX.match(why):
        failure = Failure.SOFT
    else:
        return []
    rows = session.all(_ADDRESSES, {"address": recipient.lower()})
    return [notice for row in rows for notice in _count(session, row, failure, now)]


def submit_refusal(
    service: CommandService, session: Session, recipient: str, why: str, now: float
) -> None:
    """Count a mail of ours that the relay refused for good, and tell whom that concerns."""

    def count(session: Session) -> list[Notice]:
        return count_refusal(session, recipient, why, now)

    service.submit(session, Submission((count,), now), now)


def forget_score(score: float, since: float | None, now: float) -> float:
    """Return what is left of the score that an address had at its last failure."""
    days = (now - since) / DAY if since is not None else 0.0
    return max(0.0, score - max(0.0, days) / _FORGOTTEN)


def _count(session: Session, row: AddressRow, failure: Failure, now: float) -> list[Notice]:
    """Count a failure of an address, at most one a day; stop mail to it when there are too many."""
    if row.stopped is not None or (row.bounced and count_days(row.bounced) >= count_days(now)):
        return []
    score = forget_score(row.bounce_score, row.bounced, now) + _POINTS[failure]
    since = now if score >= MOST_SCORE else None
    session.execute(_COUNT, {"key": row.id, "score": score, "at": now, "since": since})
    return _record_stop(session, row, now) if since else []


def _record_stop(
    session: Session, row: AddressRow, now: float, *, is_complaint: bool = False
) -> list[Notice]:
    """Record the stop for the operator; notices to the player's other addresses and to the
    opponents on open boards."""
    player = get_player(session, row.player_id)
    happened = "was reported as spam" if is_complaint else "kept coming back"
    reason = f"mail to {row.address} {happened}"
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
            AddressStopped(userid=player.userid, address=row.address, is_complaint=is_complaint),
            addresses=others,
            player=player.id,
        )
    ]
    numbers = find_open_board_numbers(session, player.id)
    return notices + tell_opponents(session, player, numbers, reached=bool(others))

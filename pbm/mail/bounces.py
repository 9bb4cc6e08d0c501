"""Bounces: keeps a score of the addresses that fail, and stops mail to them.

A mail that fails for good adds two points, one that fails for now adds one, at most once a day. A
point is forgotten in a week, so that single failures never add up. Mail stops at five points: on
the third day in a row with a failure for good, on the sixth with one for now.

A report counts when it was sent to the envelope sender of one of our mails, whose token nobody can
guess, and only against the recipient of that mail. Any other report is just recorded. Reports are
never answered; the player is told at other addresses."""

from __future__ import annotations

import email
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from flufl.bounce import all_failures
from sqlalchemy import bindparam, insert, select, update

from pbm.core.notices import AddressStopped, Notice
from pbm.core.player import get_player
from pbm.core.submit import CommandService, Submission
from pbm.features.accounts.stopping import tell_opponents
from pbm.mail.body import MimePart, Walk, decode_content
from pbm.mail.headers import MAX_LINE, Fields, TooCostly, decode_words, get_first, split_header
from pbm.mail.letter import parse_address, parse_author
from pbm.store import reads
from pbm.store.daily_counters import DAY, count_days
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.reads import find_open_board_numbers
from pbm.store.rows import Query
from pbm.store.tables import AddressRow, addresses, audit, outbound
from pbm.store.transaction import Session

# Reads delivery reports: which recipients failed, for good or for now. It trusts nothing.

_HEURISTIC = 65536  # octets that the recognisers for reports of no standard form are shown
_MOST_RECIPIENTS = 100  # recipients of one report
_LONGEST_WORDS = 150
_MULTIPARTS = 30  # "multipart/" in what is shown to them
_SHOWN = (b"from", b"to", b"subject", b"content-type", b"mime-version", b"x-mailer", b"date")
_WAITING = re.compile(r"delay|warning|still being retried|not yet been delivered", re.IGNORECASE)
_STATUSES = {b"message/delivery-status", b"message/global-delivery-status"}
_TEMPORARY = re.compile(r"4\.|[45]\.2\.2|[45]\.3\.4|5\.2\.3")

# flufl.bounce logs a traceback of each error it meets and then raises it: it is caught here.
logging.getLogger("flufl.bounce").disabled = True


class Failure(Enum):
    """What a report says of a recipient: the mail still waits; this mail failed but a later one may
    not (the mailbox is full, the mail too large); the address failed for good."""

    WAITS = "waits"
    SOFT = "soft"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class RecipientReport:
    """One recipient of a delivery report; `words` are those of the server that refused it."""

    address: str
    failure: Failure
    words: str = field(default="", compare=False)


def read_report(raw: bytes) -> tuple[RecipientReport, ...]:
    """Return the recipients a delivery report names, () when it is none; raise TooCostly.

    The standard form (RFC 3464) is read first; only what has none of it goes to the recognisers of
    other forms. Deliveries and relays that succeeded are left out.
    """
    fields, start = split_header(raw)
    walk = Walk(raw)
    recipients: dict[str, Failure] = {}
    words: dict[str, str] = {}
    standard = False
    for part in _walk_parts(walk, walk.top(fields, start)):
        if part.kind in _STATUSES:
            for name, failure, why in _read_statuses(decode_content(raw, part)):
                standard = True
                if name:
                    recipients.setdefault(name, failure)
                    words.setdefault(name, why)
    if not recipients and not standard:
        recipients = _recognise(raw, fields, start)
    failures = list(recipients.items())[:_MOST_RECIPIENTS]
    return tuple(RecipientReport(name, failure, words.get(name, "")) for name, failure in failures)


def is_complaint(raw: bytes, *, is_to_sender: bool) -> bool:
    """Whether a mail says that a recipient reported a mail of ours as spam: in the standard form
    (RFC 5965), or, to the envelope sender of that mail (`is_to_sender`), by enclosing it without
    any word of its delivery. Raise TooCostly."""
    fields, start = split_header(raw)
    walk = Walk(raw)
    kinds = {part.kind for part in _walk_parts(walk, walk.top(fields, start))}
    if b"message/feedback-report" in kinds:
        return True
    return is_to_sender and b"message/rfc822" in kinds and not kinds & _STATUSES


def _walk_parts(walk: Walk, part: MimePart) -> Iterator[MimePart]:
    yield part
    for child in walk.children(part):
        yield from _walk_parts(walk, child)


def _read_statuses(text: bytes) -> Iterator[tuple[str, Failure, str]]:
    """Return the recipients that failed or wait in a delivery-status part, one block each.

    A block of a recipient whose mail was delivered, or that cannot be read, gives "".
    """
    blocks = re.split(
        rb"\n[ \t]*\r?\n", text.replace(b"\r\n", b"\n"), maxsplit=_MOST_RECIPIENTS + 1
    )
    for block in blocks[: _MOST_RECIPIENTS + 1]:
        try:
            fields, _ = split_header(block + b"\n\n")
        except TooCostly:
            continue
        action = _get_field(fields, b"action").lower()
        if not action:
            continue
        recipient = ""
        if action.startswith((b"fail", b"delay")):
            names = (b"original-recipient", b"final-recipient", b"x-actual-recipient")
            recipient = next(
                filter(None, (_parse_recipient(_get_field(fields, name)) for name in names)), ""
            )
        status = _get_field(fields, b"status").decode("latin-1")
        if not action.startswith(b"fail"):
            yield recipient, Failure.WAITS, ""
        else:
            kind, _, diagnosis = _convert_to_ascii(fields, b"diagnostic-code").partition(";")
            why = " ".join((diagnosis or kind).split())[:_LONGEST_WORDS]
            yield recipient, Failure.SOFT if _TEMPORARY.match(status) else Failure.HARD, why


def _get_field(fields: Fields, name: bytes) -> bytes:
    """Return a field of a status block, in whichever spelling."""
    return get_first(fields, name) or get_first(fields, name + b" ")


def _parse_recipient(value: bytes) -> str:
    """Read `rfc822; address`, also without the type or in angle brackets."""
    text = value.decode("latin-1").rpartition(";")[2].strip().strip("<>").strip()
    return parse_address(text.partition(" ")[0].strip("<>"))


def _recognise(raw: bytes, fields: Fields, start: int) -> dict[str, Failure]:
    """Ask the recognisers of flufl.bounce, who are shown a bounded and plain beginning only."""
    is_warning = _WAITING.search(decode_words(get_first(fields, b"subject")))
    failure = Failure.WAITS if is_warning else Failure.HARD
    names = (
        get_first(fields, b"x-failed-recipients").decode("latin-1").split(",")[:_MOST_RECIPIENTS]
    )
    recipients = {name: failure for name in map(parse_address, map(str.strip, names)) if name}
    if recipients:
        return recipients
    shown = raw[start : start + _HEURISTIC].replace(b"\0", b" ").replace(b"\r", b"")
    if shown.lower().count(b"multipart/") > _MULTIPARTS:
        raise TooCostly("MIME parts")
    head = [b"From: mailer-daemon"] if not parse_author(_convert_to_ascii(fields, b"from")) else []
    for name in _SHOWN:
        if name in fields and (name != b"from" or not head):
            head.append(name + b": " + _convert_to_ascii(fields, name).encode())
    lines = [line[:MAX_LINE] for line in shown.split(b"\n")]
    message = email.message_from_bytes(b"\n".join([*head, b"", *lines]))
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # its recognisers trust what they read
        return {}
    both = [(name, Failure.WAITS) for name in sorted(temporary)]
    both += [(name, failure) for name in sorted(permanent)]
    for octets, kind in both[:_MOST_RECIPIENTS]:
        recipient = parse_address(octets.decode("latin-1").strip("<> "))
        if recipient:
            recipients[recipient] = kind
    return recipients


def _convert_to_ascii(fields: Fields, name: bytes) -> str:
    """Return a field's text on one line with a question mark for every other octet."""
    text = get_first(fields, name)[:MAX_LINE].decode("ascii", "replace")
    return "".join(char if " " <= char <= "~" else "?" for char in text)


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
    reports: tuple[RecipientReport, ...]
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

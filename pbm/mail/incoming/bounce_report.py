"""Reads delivery reports: which recipients failed, for good or for now. It trusts nothing."""

import email
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from pbm.mail.incoming.message.address import parse_address, parse_author
from pbm.mail.incoming.message.body import Part, Walk, decode_content
from pbm.mail.incoming.message.headers import Fields, decode_words, get_first, split_header
from pbm.mail.incoming.message.limits import MAX_LINE, TooCostly

_HEURISTIC = 65536  # octets that the recognisers for reports of no standard form are shown
_MOST = 100  # recipients of one report
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
class Report:
    """One recipient of a delivery report; `words` are those of the server that refused it."""

    address: str
    failure: Failure
    words: str = field(default="", compare=False)


def read_report(raw: bytes) -> tuple[Report, ...]:
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
    failures = list(recipients.items())[:_MOST]
    return tuple(Report(name, failure, words.get(name, "")) for name, failure in failures)


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


def _walk_parts(walk: Walk, part: Part) -> Iterator[Part]:
    yield part
    for child in walk.children(part):
        yield from _walk_parts(walk, child)


def _read_statuses(text: bytes) -> Iterator[tuple[str, Failure, str]]:
    """Return the recipients that failed or wait in a delivery-status part, one block each.

    A block of a recipient whose mail was delivered, or that cannot be read, gives "".
    """
    blocks = re.split(rb"\n[ \t]*\r?\n", text.replace(b"\r\n", b"\n"), maxsplit=_MOST + 1)
    for block in blocks[: _MOST + 1]:
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
    from flufl.bounce import all_failures  # here: it takes 50 ms that few mails need

    is_warning = _WAITING.search(decode_words(get_first(fields, b"subject")))
    failure = Failure.WAITS if is_warning else Failure.HARD
    names = get_first(fields, b"x-failed-recipients").decode("latin-1").split(",")[:_MOST]
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
    for octets, kind in both[:_MOST]:
        recipient = parse_address(octets.decode("latin-1").strip("<> "))
        if recipient:
            recipients[recipient] = kind
    return recipients


def _convert_to_ascii(fields: Fields, name: bytes) -> str:
    """Return a field's text on one line with a question mark for every other octet."""
    text = get_first(fields, name)[:MAX_LINE].decode("ascii", "replace")
    return "".join(char if " " <= char <= "~" else "?" for char in text)

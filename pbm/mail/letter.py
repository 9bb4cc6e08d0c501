"""Reads the bytes of a mail into a Letter: who wrote it, and what.

It does no I/O and knows neither players nor commands. Mail that costs too much to read is refused.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from pbm.mail.additions import is_reaction
from pbm.mail.body import extract_text
from pbm.mail.headers import (
    MAX_FIELD,
    MAX_FIELDS,
    MAX_IDS,
    MAX_SECTION,
    MAX_WORDS,
    Fields,
    TooCostly,
    decode_words,
    get_first,
    split_header,
)
from pbm.mail.own_words import extract_own_lines
from pbm.mail.text import normalize

BRIEF = "~"
"""Prefix of a fingerprint that identifies its mail for some minutes only."""
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_MULTIPART = re.compile(rb"(?im)^content-type[ \t]*:[ \t\r\n]*multipart/")
_MAX_MULTIPARTS = 100
_MAX_NAME = 400


class Letter(Struct, frozen=True):
    """What the writer of a mail said, without anything that others wrote.

    sender       the address of the one From; "" if there is none, several or a doubtful one
    subject      normalized like a command, without reply marks and tags
    is_reply     it had such a mark, or was forwarded
    in_reply_to  the ids of In-Reply-To, then those of References, the nearest first
    above        for each of own_lines the marked quote directly above it, "" for none
    unquoted     so many of own_lines stand above every marked quote
    own_lines    the writer's lines, cleaned but not normalized; one that begins with a blank is
                 a comment, others go through `text.normalize` before they are read as commands
    signature    the lines below the mark of a signature, or where an unmarked quote may begin
    quoted       the lines behind one mark of a quote
    withheld     lines that were taken for a program's, of which the writer is told
    mark         the header or phrase that shows that a program wrote it, for the operator
    vouched      the operator's own mail server authenticated `sender`
    failed       that server looked at `sender` and could not authenticate it
    name         the display name in From
    """

    sender: str
    subject: str
    message_id: str
    in_reply_to: tuple[str, ...]
    own_lines: tuple[str, ...]
    machine: Machine
    mark: str
    is_reply: bool
    vouched: bool = False
    failed: bool = False
    name: str = ""
    above: tuple[str, ...] = ()
    unquoted: int = 0
    signature: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


def read_letter(
    raw: bytes,
    *,
    envelope_from: str | None,
    trusts: str = "",
    club: str = "",
) -> Letter:
    """Read a mail; `envelope_from` is None if unknown, "" for the null sender.

    `trusts` names the mail server whose Authentication-Results are trusted, "" for none. `club` is
    the name in the subjects of our mails. Raise TooCostly if the mail exceeds a limit, and nothing
    else, whatever the mail contains.
    """
    fields, start = split_header(raw)
    sender = _read_sender(fields)
    written = _replace_club(decode_words(get_first(fields, b"subject")), club)
    subject, is_reply = strip_marks(written)
    machine, mark = judge(fields, sender, envelope_from)
    name = _read_name(fields)
    own = extract_own_lines(extract_text(raw, fields, start))
    if machine is Machine.NO and is_reaction(own.lines, name):
        machine, mark = Machine.SOFT, REACTION
    elif machine is Machine.NO and not own.has_quote and _is_notice(normalize(written[:200])):
        machine, mark = Machine.SOFT, NOTICE
    vouched = is_authentic(fields, sender, envelope_from, trusts)
    return Letter(
        sender=sender,
        subject=subject,
        message_id=_read_message_id(fields),
        in_reply_to=_list_answered(fields),
        own_lines=own.lines,
        above=own.above,
        unquoted=own.unquoted,
        signature=own.signature,
        quoted=own.quoted,
        machine=machine,
        mark=mark,
        is_reply=is_reply,
        vouched=vouched,
        failed=not vouched and has_results(fields, trusts),
        name=name,
    )


def _replace_club(subject: str, club: str) -> str:
    """Return a subject with the club's tag replaced by the one that every server knows; a mail
    program may have broken it into lines."""
    words = r"\s+".join(map(re.escape, club.split()))
    return re.sub(rf"\[{words}\]", "[pbm]", subject, count=1) if club else subject


def examine(raw: bytes, *, line: int = 0) -> tuple[str | None, str]:
    """Return the reason to refuse a mail in the SMTP dialogue, or None and its fingerprint.

    `line` is the maximum octets of a line, 0 for no limit. One pass over the octets and the header
    section; the MIME tree is not parsed.
    """
    if b"\0" in raw:
        return "the message contains NUL", ""
    if raw.count(b"\r") != raw.count(b"\r\n"):
        return "the message contains a bare CR", ""
    if 0 < line < len(raw) and max(map(len, raw.split(b"\n"))) > line + 1:
        return f"a line is longer than {line} octets", ""
    try:
        fields, start = split_header(raw)
        for name in (b"subject", b"from", b"content-type"):
            get_first(fields, name)
    except TooCostly:
        most = f"{MAX_SECTION} octets, {MAX_FIELDS} fields or {MAX_FIELD} a field"
        return f"the header exceeds {most}", ""
    if lacks_ascii_author(_decode_field(get_first(fields, b"from"))):
        return "the address in From has letters that are not ASCII: write from another", ""
    if get_first(fields, b"subject").count(b"=?") > 2 * MAX_WORDS:
        return f"the subject has more than {MAX_WORDS} encoded words", ""
    if raw.count(b"ultipart/") > _MAX_MULTIPARTS and len(_MULTIPART.findall(raw)) > _MAX_MULTIPARTS:
        return "the message has too many parts", ""
    return None, _compute_fingerprint(fields, raw[start:])


def read_author(raw: bytes) -> str:
    """Return the address of a mail's only From, as `read_letter` finds it; "" when there is
    none."""
    try:
        return _read_sender(split_header(raw)[0])
    except TooCostly:
        return ""


def _compute_fingerprint(fields: Fields, content: bytes) -> str:
    """Return a hash that is equal for all deliveries of a mail, to whichever recipient.

    It covers From, Message-ID, Subject, Date and the content, but neither the recipients nor what
    servers on the way add (Received, Return-Path, Delivered-To, DKIM, spam marks). Without
    Message-ID and Date it begins with BRIEF, because a person may well send two equal mails.
    """
    covered = []
    for name in (b"from", b"message-id", b"subject", b"date"):
        covered += [b"%d:%b" % (len(value), value) for value in fields.get(name, ())]
        covered.append(b"\n")
    covered.append(content.replace(b"\r\n", b"\n").rstrip())
    digest = hashlib.blake2b(b"".join(covered), digest_size=16).hexdigest()
    is_dated = any(fields.get(name, [b""])[0] for name in (b"message-id", b"date"))
    return digest if is_dated else BRIEF + digest


def _read_sender(fields: Fields) -> str:
    """Return the address of the only From; "" if there is a second one, however it is spelled."""
    values = fields.get(b"from")
    if values is None or len(values) != 1 or b"from " in fields:
        return ""
    return parse_author(_decode_field(get_first(fields, b"from")))


def _decode_field(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _read_name(fields: Fields) -> str:
    """Return the display name of From, by which the writer's signature is recognized."""
    shown = decode_words(get_first(fields, b"from")[:_MAX_NAME]).partition("<")[0]
    return " ".join(shown.strip(" \t\"'").split())


def _read_message_id(fields: Fields) -> str:
    match = _ID.search(get_first(fields, b"message-id").decode("latin-1"))
    return match[0] if match else ""


def _list_answered(fields: Fields) -> tuple[str, ...]:
    """Return the ids of the mails that this one answers, the nearest first, each once."""
    if b"in-reply-to" not in fields and b"references" not in fields:
        return ()
    answered: list[str] = []
    for name in (b"in-reply-to", b"references"):
        for value in fields.get(name, ())[:1]:
            ids = _ID.findall(value[-MAX_FIELD:].decode("latin-1"))
            answered += reversed(ids) if name == b"references" else ids
    return tuple(dict.fromkeys(answered))[:MAX_IDS]


# Strips a subject of reply marks, tags and quotes.

# A mark is a few letters and a colon, in any language, or a longer word of ours.
_MARK = re.compile(
    r"(?:[^\W\d_]{1,3}|antw|antwort|réponse|respuesta|doorst)"
    r"(?: ?[\[(]\d{1,4}[\])]| ?[*^_]\d{1,4}|\d{1,2})? ?: ?",
    re.IGNORECASE,
)
# Ours (see Subjects in the command language): it stays, so that it is never read as a command.
_OURS = re.compile(r"\[(?:pbm|[a-z][a-z0-9-]* \d+)\]", re.IGNORECASE)
_TAGS = (
    r"\[[^\[\]]{0,60}\]|\*{2,}[^*]{1,40}\*{2,}|#{2,}[^#]{1,40}#{2,}|_{2,}[^_]{1,40}_{2,}"
    r"|\{[^{}]{1,40}\}|【[^】]{1,40}】|[(<][^()<>\s]{1,20}[)>](?=.)|(?-i:[A-Z]{2,12}) ?: ?"
)
_AHEAD = re.compile(rf"(?P<mark>{_MARK.pattern})|{_TAGS}|>", re.IGNORECASE)
_BEHIND = re.compile(r"(?:\[[^\[\]=-]{1,40}\]|\*{2,}[^*]{1,40}\*{2,}|\(fwd\))$", re.IGNORECASE)
# One pair of quotes around all of the text, rather than around each word.
_QUOTED = re.compile(r"([\"'`<])((?:(?!\1).)*)[\"'`>]")
_ROUNDS = 60


def strip_marks(text: str) -> tuple[str, bool]:
    """Return the subject without marks, and whether it was that of a reply or forwarded mail.

    Removed are reply and forward marks, relays' tags, a leading `>` and surrounding quotes. A
    subject of ours stays from its bracket on.
    """
    text = normalize(text)
    if ours := _OURS.search(text):
        return text[ours.start() :], ":" in text[: ours.start()]
    is_reply = False
    for _ in range(_ROUNDS):
        before = text
        if ahead := _AHEAD.match(text):
            is_reply = is_reply or ahead["mark"] is not None
            text = text[ahead.end() :].lstrip()
        elif quoted := _QUOTED.fullmatch(text):
            text = quoted[2].strip()
        else:
            text = text[:-60] + _BEHIND.sub("", text[-60:]).rstrip()
        if text == before:
            break
    return text, is_reply


# Parses the one address that From may name, without guessing.

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]"
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_ADDRESS = re.compile(rf"({_ATOM}{{1,64}})@({_LABEL}(?:\.{_LABEL})*)\.?")
_LOOSE_ENDS = " \t,;"
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\((?:[^()\\]|\\.)*\)|<[^<>]*>|[^"()<>]+')


def parse_address(text: str) -> str:
    """Return the addr-spec with its domain in lower case and ASCII; "" if it is invalid or its
    local part is not ASCII."""
    if len(text) > 254:
        return ""
    match = _ADDRESS.fullmatch(text if text.isascii() else _convert_domain(text))
    if match is None:
        return ""
    return f"{match[1]}@{match[2].lower()}"


def _convert_domain(text: str) -> str:
    """Return an address with its domain as the DNS has it (RFC 3490); "" where another domain would
    be written so too."""
    local, _, domain = text.rpartition("@")
    try:
        ascii_domain = domain.encode("idna")
        is_reversible = ascii_domain.decode("idna") == unicodedata.normalize("NFC", domain.lower())
    except UnicodeError:
        return ""
    return f"{local}@{ascii_domain.decode()}" if is_reversible else ""


def lacks_ascii_author(value: str) -> bool:
    """Whether only letters outside ASCII keep a From field from naming its author (RFC 6532)."""
    folded = "".join(char if char.isascii() else "x" for char in value)
    return not value.isascii() and not parse_author(value) and bool(parse_author(folded))


def parse_author(value: str) -> str:
    """Return the address of a From field that names exactly one author, else "".

    Doubtful, and therefore "", are several mailboxes, groups, routes, quoted local parts, nested
    comments, anything unbalanced, and an unquoted display name that shows another address. Commas
    in a name are only that while there is one address: `Keller, Ann <ann@example.org>;`.
    """
    if _CONTROL.search(value):
        return ""
    mailbox = None
    bare = ""
    pos = 0
    while pos < len(value):
        token = _TOKEN.match(value, pos)
        if token is None:
            return ""
        pos = token.end()
        text = token[0]
        if text[0] == "<":
            if mailbox is not None:
                return ""
            mailbox = parse_address(text[1:-1].strip())
        elif text[0] in '"(':
            bare += " "  # so that nothing joins across it
        else:
            if mailbox is not None and text.strip(_LOOSE_ENDS):
                return ""
            bare += text
    if ";" in bare.rstrip(_LOOSE_ENDS) or (";" in bare and ":" in bare):
        return ""
    if mailbox is None:
        return parse_address(bare.strip(_LOOSE_ENDS))
    shown = [word.strip("'[]:,").lower() for word in bare.split() if "@" in word]
    return mailbox if all(word == mailbox.lower() for word in shown) else ""


# Tells mail of programs from mail of people (RFC 3834 and the marks in use beside it).
#
# It judges by headers, subject and text alone: it knows neither players nor the mails we sent.


class Machine(Enum):
    """Whether a program wrote a mail.

    HARD: nothing is executed or answered. SOFT: a valid command with the right password is
    executed; errors and help are not sent.
    """

    NO = 0
    SOFT = 1
    HARD = 2


NOTICE = "words above our subject"
REACTION = "a reaction"
NO_REPLIES = "From takes no replies"
"""The soft marks that say who wrote a mail; all others say how it travelled."""

Verdict = tuple[Machine, str]
"""Whether a program wrote a mail, and the mark that shows it: "" if a person did."""
PERSON: Verdict = (Machine.NO, "")

_DAEMON = re.compile(
    r"(?:mailer-?daemon|postmaster|mail[._-]?delivery[._-]?(?:sub)?system|mail[._-]?daemon"
    r"|mdaemon)(?![a-z])",
    re.IGNORECASE,
)
_NO_REPLY = re.compile(
    r"(?:^|[._+-])(?:no|not|do-?not|dont)[._-]?(?:e?mail[._-]?)?(?:reply|answer|respond|response)"
    r"|(?:no-?reply|donotreply)|^bounces?(?:[+._=-]|$)|(?:[-_.]|^)bounces?$"
    r"|^(?:listserv|majordomo|mailman|sympa|ezmlm|listproc)$|^owner-|-(?:owner|request)$"
    r"|^auto-?(?:reply|responder|mailer|confirm)|^notifications?$|^newsletter$",
    re.IGNORECASE,
)
# Words and a colon above a subject of ours that are no reply mark: "Read: [cradle 17] ann - bob".
_ABOVE_OURS = re.compile(r"[^\[\]:]{2,60}: ?\[(?:pbm|[a-z][a-z0-9_-]* \d+)\b", re.IGNORECASE)
# What the fields of programs say: the name of a field, how its value begins, and what wrote it. The
# soft ones only say how a mail travelled.
_FIELDS = tuple(
    (re.compile(name), re.compile(value, re.IGNORECASE | re.DOTALL), machine)
    for name, value, machine in (
        (rb"auto-submitted", rb"(?!no\s*(?:[;(]|$))\S", Machine.HARD),
        (rb"return-path|from", rb"[^<]*<\s*>", Machine.HARD),
        (
            rb"content-type",
            rb"multipart/report|message/(?:delivery-status|disposition-notification|feedback-report)"
            rb"|.*;\s*report-type\s*=",
            Machine.HARD,
        ),
        (
            rb"x-(?:(?:mail-)?auto-?(?:re(?:ply|spond)|generated)|vacation|away|failed-recipients"
            rb"|challenge-response|ms-exchange-generated).*",
            rb"(?!(?:no|false)$)",
            Machine.HARD,
        ),
        (rb"precedence|preference", rb"auto", Machine.HARD),
        (rb"x-delivery-agent", rb".*tmda", Machine.HARD),
        (rb"precedence", rb"(?:bulk|list|junk|first-class-bulk)$", Machine.SOFT),
        (
            rb"(?:list-|(?:x-)?mailing-list|x-(?:list|beenthere|mailman|loop|campaign|csa-|php-list"
            rb"|auto-response-suppress|ms-exchange-inbox)|feedback-id).*",
            rb"(?!(?:none|no)$)",
            Machine.SOFT,
        ),
        (rb"x-spam-(?:flag|status)", rb"yes", Machine.SOFT),
    )
)


def judge(fields: Fields, sender: str, envelope_from: str | None) -> Verdict:
    """Return whether a program wrote the mail, and the mark that shows it."""
    path = None if envelope_from is None else envelope_from.strip().strip("<>").strip()
    if path == "":
        return Machine.HARD, "null envelope sender"
    back = get_first(fields, b"return-path").strip(b" <").decode("latin-1")
    verdicts = (
        _judge_address(path or "", "envelope sender"),
        *_judge_fields(fields),
        _judge_address(back, "Return-Path") if _DAEMON.match(back) else PERSON,
        _judge_address(sender, "From"),
    )
    return max(verdicts, key=_rank)


def _is_notice(subject: str) -> bool:
    """Whether a subject as it arrived has other words above ours than a reply mark."""
    return _ABOVE_OURS.match(subject) is not None and not _MARK.match(subject)


def _rank(verdict: Verdict) -> int:
    return verdict[0].value


def _judge_address(address: str, field: str) -> Verdict:
    """Judge the address in a field by its local part."""
    local = address.rpartition("@")[0] or address
    if _DAEMON.match(local):
        return Machine.HARD, f"{field} is a mail system"
    if _NO_REPLY.search(local):
        return Machine.SOFT, NO_REPLIES if field == "From" else f"{field} takes no replies"
    return PERSON


def _judge_fields(fields: Fields) -> Iterator[Verdict]:
    """Judge the headers that programs set."""
    for names, value, machine in _FIELDS:
        for name in filter(names.fullmatch, fields):
            if value.match(get_first(fields, name).strip()):
                yield machine, name.decode("latin-1").title()


# Decides whether the operator's own mail server has authenticated a mail's From address.
#
# It trusts only the Authentication-Results fields (RFC 8601) that this server wrote. Anything
# unusual counts as not authenticated: the sender then has to prove its identity in another way.

_NAME = b"authentication-results"
_SERVER = re.compile(r"([A-Za-z0-9._-]+)(?: +1)? *(?=;)")
_PIECE = re.compile(r'"([^"\\]*)"|\([^()\\]*\)')
_METHOD = re.compile(r"([a-z0-9-]+)(?:/[0-9]+)?=([a-z]+)", re.IGNORECASE)
_PROPERTY = re.compile(r"((?:[a-z]+\.)?[a-z0-9_-]+)=(\S*)", re.IGNORECASE)
_QUOTED_PLAIN = re.compile(r"[\w.@+/=-]*", re.ASCII)
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_MAX_FIELDS = 20  # fields of one name that are examined
_PLAIN_TAG = {
    b"d": re.compile(rb"[\w.-]+", re.ASCII),
    b"s": re.compile(rb"[\w.-]+", re.ASCII),
    b"a": re.compile(rb"[\w-]+", re.ASCII),
    b"i": re.compile(rb"[\w.+-]*@[\w.-]+", re.ASCII),
}
_SIGNED = (b"from", b"subject")
_SINGLE = (*_SIGNED, b"content-type", b"content-transfer-encoding")


class MethodResult(NamedTuple):
    """The result of one method: `dkim`, `pass`, and its properties, all in lower case."""

    method: str
    value: str
    properties: dict[str, str]


def is_authentic(fields: Fields, sender: str, envelope_from: str | None, server: str) -> bool:
    """Whether the mail server of that name (`[server] trusts`) vouches for `sender`.

    It does with dmarc=pass for the domain of From, or with dkim=pass or spf=pass for that domain
    or a parent of it. (A subdomain's signature proves nothing without a list of public suffixes:
    eve.dyndns.example does not speak for dyndns.example.) This proves the domain only; that its
    users cannot write in one another's names is up to that domain.
    """
    if not server:
        return False
    domain = sender.rpartition("@")[2].lower()
    if not _DOMAIN.fullmatch(domain) or _is_doubtful(fields):
        return False
    checks = read_results(fields.get(_NAME, ()), server)
    return checks is not None and (
        _passes_dmarc(checks, domain)
        or _passes_dkim(checks, domain)
        or _passes_spf(checks, domain, envelope_from)
    )


def has_results(fields: Fields, server: str) -> bool:
    """Whether the mail server of that name has written what it found, or somebody has written it in
    its name."""
    if not server:
        return False
    return read_results(fields.get(_NAME, ()), server) != []


def read_results(values: Sequence[bytes], server: str) -> list[MethodResult] | None:
    """Return the results that the server wrote; None if they cannot be trusted.

    A server adds its fields on top, so they come first. The same name below another server's, or
    in a malformed field, was written by somebody else and not removed.
    """
    checks: list[MethodResult] = []
    ended = False
    if len(values) > _MAX_FIELDS:
        return None
    for value in values:
        if len(value) > MAX_FIELD or not value.isascii():
            return None
        text = value.decode("ascii").replace("\t", " ")
        named = _SERVER.match(text)
        if named is None or named[1] != server:
            ended = True
            if server.lower() in text.partition(";")[0].lower():
                return None
            continue
        parsed = None if ended else _parse_results(text[named.end() :])
        if parsed is None:
            return None
        checks += parsed
    return checks


def _parse_results(text: str) -> list[MethodResult] | None:
    """Return the results that follow the server's name; None if one is malformed."""
    bare = _remove_comments(text)
    if bare is None:
        return None
    checks = []
    for part in bare.split(";")[1:]:
        head, *rest = part.split() or ("none",)
        if head.lower() == "none" and not rest:
            continue
        method = _METHOD.fullmatch(head)
        pairs = [_PROPERTY.fullmatch(word) for word in rest]
        if method is None or None in pairs:
            return None
        named = [(pair[1].lower(), pair[2].lower()) for pair in pairs if pair is not None]
        if len(dict(named)) < len(named):
            return None
        checks.append(MethodResult(method[1].lower(), method[2].lower(), dict(named)))
    return checks


def _remove_comments(text: str) -> str | None:
    """Return the text without comments and quotation marks, `?` for what was quoted and is not
    plain; None where something is nested, escaped or not closed."""

    def show(piece: re.Match[str]) -> str:
        quoted = piece[1]
        return " " if quoted is None else quoted if _QUOTED_PLAIN.fullmatch(quoted) else "?"

    bare = _PIECE.sub(show, text)
    return None if re.search(r'[()"\\]', bare) else bare


def _passes_dmarc(checks: Sequence[MethodResult], domain: str) -> bool:
    matches = [result for result in checks if result.method == "dmarc"]
    return (
        len(matches) == 1
        and matches[0].value == "pass"
        and (matches[0].properties.get("header.from") == domain)
    )


def _passes_dkim(checks: Sequence[MethodResult], domain: str) -> bool:
    for result in checks:
        if result.method == "dkim" and result.value == "pass":
            identity = result.properties.get("header.i", "").rpartition("@")[2]
            if _covers(result.properties.get("header.d", identity), domain):
                return True
    return False


def _passes_spf(checks: Sequence[MethodResult], domain: str, envelope_from: str | None) -> bool:
    matches = [
        each for each in checks if each.method == "spf" and "smtp.mailfrom" in each.properties
    ]
    if len(matches) != 1 or matches[0].value != "pass":
        return False
    checked = matches[0].properties["smtp.mailfrom"].rpartition("@")[2]
    envelope = (envelope_from or "").rpartition("@")[2].lower()
    return checked == envelope and _covers(checked, domain)


def _covers(proven: str, domain: str) -> bool:
    """Whether the proven domain is the other one or a parent of it."""
    if not _DOMAIN.fullmatch(proven):
        return False
    return domain == proven or domain.endswith(f".{proven}")


def _is_doubtful(fields: Fields) -> bool:
    """Whether somebody may have added to what was signed, or put results into a signature's tags,
    which a mail server copies into its own field."""
    if any(name + b" " in fields for name in (*_SINGLE, _NAME, b"dkim-signature")):
        return True
    if any(len(fields.get(name, ())) > 1 for name in _SINGLE):
        return True
    signatures = fields.get(b"dkim-signature", ())
    return len(signatures) > _MAX_FIELDS or not all(map(_is_whole, signatures))


def _is_whole(signature: bytes) -> bool:
    """Whether a signature covers From, Subject and the whole text, and its tags are plain."""
    if len(signature) > MAX_FIELD:
        return False
    tags: dict[bytes, bytes] = {}
    for tag in signature.rstrip(b" \t;").split(b";"):
        name, equals, value = tag.partition(b"=")
        name = name.strip().lower()
        if not equals or name in tags:
            return False
        tags[name] = b"".join(value.split())
    if b"l" in tags or not {b"d", b"h"} <= tags.keys():
        return False
    if any(name in tags and not plain.fullmatch(tags[name]) for name, plain in _PLAIN_TAG.items()):
        return False
    return {*_SIGNED} <= {*tags[b"h"].lower().split(b":")}

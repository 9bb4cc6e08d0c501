"""Decides whether the operator's own mail server has authenticated a mail's From address.

It trusts only the Authentication-Results fields (RFC 8601) that this server wrote. Anything unusual
counts as not authenticated: the sender then has to prove its identity in another way.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbm.mail.incoming.message.headers import Fields
from pbm.mail.incoming.message.limits import MAX_FIELD

_NAME = b"authentication-results"
_SERVER = re.compile(r"([A-Za-z0-9._-]+)(?: +1)? *(?=;)")
_PIECE = re.compile(r"\\.|[\\\"()]|[^\\\"()]+")
_METHOD = re.compile(r"([a-z0-9-]+)(?:/[0-9]+)?=([a-z]+)", re.IGNORECASE)
_PROPERTY = re.compile(r"((?:[a-z]+\.)?[a-z0-9_-]+)=(\S*)", re.IGNORECASE)
_QUOTED = re.compile(r"[\w.@+/=-]*", re.ASCII)
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


@dataclass(frozen=True, slots=True)
class Result:
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


def read_results(values: Sequence[bytes], server: str) -> list[Result] | None:
    """Return the results that the server wrote; None if they cannot be trusted.

    A server adds its fields on top, so they come first. The same name below another server's, or
    in a malformed field, was written by somebody else and not removed.
    """
    checks: list[Result] = []
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


def _parse_results(text: str) -> list[Result] | None:
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
        checks.append(Result(method[1].lower(), method[2].lower(), dict(named)))
    return checks


def _remove_comments(text: str) -> str | None:
    """Remove comments and quotation marks; a quoted text that is not plain becomes `?`.

    None if parentheses or quotes are unbalanced.
    """
    pieces: list[str] = []
    quoted: list[str] | None = None
    depth = 0
    for match in _PIECE.finditer(text):
        piece = match[0]
        if quoted is not None:
            if piece == '"':
                inside = "".join(quoted)
                pieces.append(inside if _QUOTED.fullmatch(inside) else "?")
                quoted = None
            else:
                quoted.append(piece)
        elif piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
            pieces.append(" ")
            if depth < 0:
                return None
        elif depth:
            continue
        elif piece == '"':
            quoted = []
        elif piece[0] == "\\":
            return None
        else:
            pieces.append(piece)
    return "".join(pieces) if quoted is None and depth == 0 else None


def _passes_dmarc(checks: Sequence[Result], domain: str) -> bool:
    matches = [result for result in checks if result.method == "dmarc"]
    return (
        len(matches) == 1
        and matches[0].value == "pass"
        and (matches[0].properties.get("header.from") == domain)
    )


def _passes_dkim(checks: Sequence[Result], domain: str) -> bool:
    for result in checks:
        if result.method == "dkim" and result.value == "pass":
            identity = result.properties.get("header.i", "").rpartition("@")[2]
            if _covers(result.properties.get("header.d", identity), domain):
                return True
    return False


def _passes_spf(checks: Sequence[Result], domain: str, envelope_from: str | None) -> bool:
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

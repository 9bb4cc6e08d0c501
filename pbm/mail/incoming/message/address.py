"""Parses the one address that From may name, without guessing."""

import re
import unicodedata

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

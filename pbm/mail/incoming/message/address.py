"""Parses the one address that From may name, without guessing."""

import re

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]"
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_ADDRESS = re.compile(rf"({_ATOM}{{1,64}})@({_LABEL}(?:\.{_LABEL})*)\.?")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\((?:[^()\\]|\\.)*\)|<[^<>]*>|[^"()<>]+')


def parse_address(text: str) -> str:
    """Returns the addr-spec with its domain in lower case; "" if it is invalid or not ASCII."""
    if len(text) > 254 or not text.isascii():
        return ""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return ""
    return f"{match[1]}@{match[2].lower()}"


def parse_author(value: str) -> str:
    """Returns the address of a From field that names exactly one author, else "".

    Doubtful, and therefore "", are several mailboxes, groups, routes, quoted local parts, nested
    comments, anything unbalanced, and an unquoted display name that shows another address.
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
            if mailbox is not None and not text.isspace():
                return ""
            bare += text
    if "," in bare or ";" in bare:
        return ""
    if mailbox is None:
        return parse_address(bare.strip())
    shown = [word.strip("'[]:").lower() for word in bare.split() if "@" in word]
    return mailbox if all(word == mailbox.lower() for word in shown) else ""

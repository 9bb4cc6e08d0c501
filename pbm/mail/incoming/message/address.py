"""Reads the single address that a From field may name, without guessing or looking anything up."""

import re

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]"
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_ADDRESS = re.compile(rf"({_ATOM}{{1,64}})@({_LABEL}(?:\.{_LABEL})*)\.?")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\((?:[^()\\]|\\.)*\)|<[^<>]*>|[^"()<>]+')


def address(text: str) -> str:
    """Returns an addr-spec with its domain in lower case; "" when it is none or not ASCII."""
    if len(text) > 254 or not text.isascii():
        return ""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return ""
    return f"{match[1]}@{match[2].lower()}"


def author(value: str) -> str:
    """Returns the address of a From field that names one author without doubt, else "".

    Several mailboxes, groups, routes, quoted local parts, nested comments, anything unbalanced and
    a display name without quotes that shows another address are doubts.
    """
    if _CONTROL.search(value):
        return ""
    found = None
    bare = ""
    pos = 0
    while pos < len(value):
        token = _TOKEN.match(value, pos)
        if token is None:
            return ""
        pos = token.end()
        text = token[0]
        if text[0] == "<":
            if found is not None:
                return ""
            found = address(text[1:-1].strip())
        elif text[0] in '"(':
            bare += " "  # so that nothing joins across it
        else:
            if found is not None and not text.isspace():
                return ""
            bare += text
    if "," in bare or ";" in bare:
        return ""
    if found is None:
        return address(bare.strip())
    shown = [word.strip("'[]:").lower() for word in bare.split() if "@" in word]
    return found if all(word == found.lower() for word in shown) else ""

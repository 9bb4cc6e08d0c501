"""Which addresses are one mailbox: its owner makes as many of them as wanted."""

from __future__ import annotations

DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains that ignore dots before the at sign, which nobody can ask them, each with the name under
which its mailboxes are compared."""


def drop_tag(address: str) -> str:
    """Return the address in lower case, without the +tag that its owner chooses freely."""
    local, _, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{host}"


def normalize_mailbox(address: str) -> str:
    """Return the mailbox of an address: in lower case, without +tag, and without dots where its
    domain ignores them."""
    local, _, host = drop_tag(address).rpartition("@")
    if host in DOTLESS:
        local = local.replace(".", "") or local
    return f"{local}@{DOTLESS.get(host, host)}"

"""Tells mails of known senders from those of strangers, which are executed after all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbm.config import Config
from pbm.core.authenticate import find_senders
from pbm.core.command import Command, Sender
from pbm.core.secrets import Secrets, read_token
from pbm.core.words import get_verb
from pbm.features.accounts.codes import find_open_code
from pbm.mail.incoming.message.letter import read_author
from pbm.store import reads
from pbm.store.transaction import Session

MOST_UNPROVEN = 30
"""Mails an hour that an address makes known, since anybody can name it. Beyond these it takes a
genuine reply address too."""


class Precedence:
    """Marks arriving mails, in the transaction that journals them. It counts what came from each
    known address, as far as this process has taken it in."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._secrets = secrets
        self._hour = 0
        self._counts: dict[str, int] = {}

    def mark(self, session: Session, rows: Sequence[dict[str, Any]]) -> None:
        """Set `stranger` in each of these rows of the journal."""
        senders = [(row["envelope_from"] or "").lower() for row in rows]
        known = reads.find_known_addresses(session, set(senders) - {""})
        authors = [
            "" if sender in known else read_author(row["raw"]).lower()
            for sender, row in zip(senders, rows, strict=True)
        ]
        others = set(authors) - {""}
        if others:
            known |= reads.find_known_addresses(session, others)
        for row, sender, author in zip(rows, senders, authors, strict=True):
            address = sender if sender in known else author
            if address not in known:
                row["stranger"] = not self._brings_code(session, row)
                continue
            row["stranger"] = self._count(
                address, row["received"]
            ) > MOST_UNPROVEN and not self._is_reply(session, row, address)

    def _count(self, address: str, now: float) -> int:
        """Count one more from the address; the count of this hour."""
        if now // 3600 != self._hour:
            self._hour, self._counts = int(now // 3600), {}
        self._counts[address] = self._counts.get(address, 0) + 1
        return self._counts[address]

    def _brings_code(self, session: Session, row: dict[str, Any]) -> bool:
        """Whether the mail went to the genuine reply address of one that brought a code, and so
        proves an address."""
        token = read_token(row["recipient"].rpartition("@")[0].partition("+")[2])
        if token is None or token.kind != "c":
            return False
        return find_open_code(session, self._secrets, token.tag, row["received"]) is not None

    def _is_reply(self, session: Session, row: dict[str, Any], address: str) -> bool:
        """Whether the mail went to a genuine reply address of that address's player."""
        token = read_token(row["recipient"].rpartition("@")[0].partition("+")[2])
        if token is None or token.kind in "cd":
            return False
        command = Command(get_verb("help"), Sender(address, token))
        now = row["received"]
        return bool(find_senders(session, command, now, self._secrets, self._config))

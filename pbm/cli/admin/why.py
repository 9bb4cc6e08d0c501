"""Why an incoming mail got no answer, in words an operator needs no manual for.

It reads what the mail room wrote down; it decides nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbm.cli.mask import masked
from pbm.cli.shown import line
from pbm.core.service.retention import REMOVED
from pbm.mail.incoming.handle import BANNED, NO_ANSWER
from pbm.store.queues import TOO_COSTLY
from pbm.store.tables import AnyRow

_COPY = re.compile(r"a copy of mail (\d+)")
_SILENT = {
    REMOVED: ("its text, addresses and outcome are removed: [retention] mails_days", ""),
    BANNED: ("its sender is banned: nothing is executed or answered", "pbm admin bans"),
    "our own address": (
        "it says that it comes from this server itself",
        "players write from addresses of their own",
    ),
    "no single sender": (
        "its From names nobody, several people or no address: nobody can be answered",
        "the sender's mail program has to send one From",
    ),
    "not a report": (
        "it went to an address for delivery reports, but is none that can be read",
        "players answer to Reply-To, not to the envelope sender",
    ),
}
"""Outcomes of mails that were not executed, with what they mean and what to do."""


def of_incoming(row: AnyRow, caused: Sequence[AnyRow]) -> tuple[str, str]:
    """Why no answer was delivered, and what to do about it; "" and "" when one was."""
    if row.state == "waiting":
        return _waiting(row)
    name = f"in:{row.id}"
    if row.state == "aside":
        said = line(masked(row.outcome))
        if row.faults:
            do = f"the log says where; a restart tries it again, as does pbm admin release {name}"
            return f"set aside for a fault of the server's own, and kept: {said}", do
        do = f"the log says where it failed; then pbm admin release {name}, or drop {name}"
        if row.outcome.startswith(TOO_COSTLY):
            do = f"its text is not kept, as it may hold a password: pbm admin drop {name}"
        return f"set aside, not executed: {said}", do
    copy = _COPY.fullmatch(row.outcome)
    if copy:
        return (
            f"the same mail came before, as in:{copy[1]}, and is executed and answered once",
            f"pbm admin mail in:{copy[1]}",
        )
    if row.outcome in _SILENT:
        return _SILENT[row.outcome]
    if row.outcome.startswith("a machine: "):
        mark = line(row.outcome[11:])
        said = f"a program wrote it ({mark}): such mail is never answered"
        return said, "if a person wrote it, the sender's mail program must not mark it so"
    if row.outcome.startswith("bounce without our token"):
        return (
            "a delivery report that did not come back to a mail of ours: anybody can forge one",
            "the relay has to keep our envelope sender; then reports count",
        )
    if row.outcome.startswith("the operator dropped it"):
        return line(row.outcome), "pbm admin audit"
    _, found, said = row.outcome.partition(NO_ANSWER)
    if found:
        return line(said), ""
    return _undelivered(caused)


def _waiting(row: AnyRow) -> tuple[str, str]:
    if not row.attempts:
        return "not executed yet", "is the server running? pbm doctor"
    return (
        f"it could not be executed {row.attempts} times ({line(masked(row.outcome))}), and is "
        "tried again",
        "the server's log says where it failed",
    )


def _undelivered(caused: Sequence[AnyRow]) -> tuple[str, str]:
    for row in caused:
        said = f": {line(masked(row.why))}" if row.why else ""
        if row.state == "waiting":
            return f"out:{row.id} to {line(row.recipient)} is not sent yet{said}", "pbm doctor"
        if row.state != "sent":
            return (
                f"out:{row.id} to {line(row.recipient)} {row.state}{said}",
                f"pbm admin retry out:{row.id}",
            )
    return "", ""

"""Why an incoming mail got no answer, and what the operator can do about it."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.cli.terminal.masking import mask
from pbm.cli.terminal.output import join_lines
from pbm.store.mail_outcome import MailOutcome, NoAnswer
from pbm.store.tables import InboundRow, OutboundRow

_REMOVED = ("its text, addresses and outcome are removed: [retention] mails_days", "")
_SILENT = {
    MailOutcome.DUPLICATE: (
        "the same mail came before, as in:{about}, and is executed and answered once",
        "pbm admin mail in:{about}",
    ),
    MailOutcome.MACHINE: (
        "a program wrote it ({about}): such mail is never answered",
        "if a person wrote it, the sender's mail program must not mark it so",
    ),
    MailOutcome.UNPROVEN_BOUNCE: (
        "a delivery report without our token: anybody can forge one",
        "reports count when the relay keeps our envelope sender",
    ),
    MailOutcome.COMPLAINT: (
        "a report that a mail of ours is spam; it counts with our envelope sender's token alone",
        "pbm admin audit; the player resumes with add",
    ),
    MailOutcome.NOT_A_REPORT: (
        "it went to an address for delivery reports, but is none that can be read",
        "players answer to Reply-To, not to the envelope sender",
    ),
    MailOutcome.OWN_ADDRESS: (
        "it says that it comes from this server itself",
        "players write from addresses of their own",
    ),
    MailOutcome.NO_SENDER: (
        "its From names nobody, several people or no address: nobody can be answered",
        "the sender's mail program has to send one From",
    ),
    MailOutcome.BANNED: (
        "its sender is banned: nothing is executed or answered",
        "pbm admin bans",
    ),
    MailOutcome.POSTMASTER: (
        "a mail to the postmaster: it is for the operator, not executed and not answered",
        "",
    ),
    MailOutcome.DROPPED: ("{outcome}", "pbm admin audit"),
    **dict.fromkeys(
        (
            MailOutcome.FAULT,
            MailOutcome.TIMED_OUT,
            MailOutcome.OUT_OF_MEMORY,
            MailOutcome.CRASHED,
            MailOutcome.UNREADABLE,
            MailOutcome.RESTORED,
        ),
        ("it was not executed, and its text is not kept: {outcome}", "the log says where"),
    ),
}
"""What it means that nothing in a mail was executed or answered, and what to do."""
_ASIDE = {
    MailOutcome.UNREADABLE: (
        "its text is not kept, as it may hold a password: pbm admin drop {name}"
    ),
    MailOutcome.TIMED_OUT: (
        "[limits] seconds_a_mail is the limit; then pbm admin release {name}, or drop {name}"
    ),
    MailOutcome.OUT_OF_MEMORY: (
        "the log says what it asked for; then pbm admin release {name}, or drop {name}"
    ),
    MailOutcome.RESTORED: (
        "to execute it now: pbm admin release {name}; if it was executed since: drop {name}"
    ),
}
"""What to do with a mail that was set aside."""
_FAILED = "the log says where it failed; then pbm admin release {name}, or drop {name}"
_OUR_FAULT = "the log says where; a restart tries it again, as does pbm admin release {name}"


def explain(row: InboundRow, caused: Sequence[OutboundRow]) -> tuple[str, str]:
    """Return why no answer to an incoming mail was delivered, and what to do about it; "" and ""
    when one was. `caused` are the mails that it caused."""
    if row.state == "waiting":
        return _explain_waiting(row)
    if row.state == "aside":
        return _set_aside(row)
    if not row.raw:
        return _REMOVED
    if row.code in _SILENT:
        about, outcome = join_lines(row.about), join_lines(row.outcome)
        why, do = _SILENT[MailOutcome(row.code)]
        return why.format(about=about, outcome=outcome), do.format(about=about)
    if row.no_answer:
        why = NoAnswer(row.no_answer).sentence
        return (f"{why}: {join_lines(row.about)}" if row.about else why), ""
    return _explain_undelivered(caused)


def _explain_waiting(row: InboundRow) -> tuple[str, str]:
    if not row.attempts:
        return "not executed yet", "is the server running? pbm doctor"
    return (
        f"it could not be executed {row.attempts} times ({join_lines(mask(row.outcome))}), and is "
        "tried again",
        "the server's log says where it failed",
    )


def _set_aside(row: InboundRow) -> tuple[str, str]:
    name, outcome = f"in:{row.id}", join_lines(mask(row.outcome))
    if row.faults:
        why = f"set aside for a fault of the server's own, and kept: {outcome}"
        return why, _OUR_FAULT.format(name=name)
    do = _ASIDE[MailOutcome(row.code)] if row.code in _ASIDE else _FAILED
    return f"set aside, not executed: {outcome}", do.format(name=name)


def _explain_undelivered(caused: Sequence[OutboundRow]) -> tuple[str, str]:
    for row in caused:
        reason = f": {join_lines(mask(row.why))}" if row.why else ""
        if row.state == "waiting":
            return (
                f"out:{row.id} to {join_lines(row.recipient)} is not sent yet{reason}",
                "pbm doctor",
            )
        if row.state != "sent":
            return (
                f"out:{row.id} to {join_lines(row.recipient)} {row.state}{reason}",
                f"pbm admin retry out:{row.id}",
            )
    return "", ""

"""Mails in and out, with their results and reasons. Texts that may contain a secret are masked."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import click
from sqlalchemy import ColumnElement, exists, literal, or_, select

from pbm.cli import USAGE, CommandFailed, get_config
from pbm.cli.admin import inspecting
from pbm.cli.open_database import open_database
from pbm.cli.terminal.output import (
    HIDDEN,
    clean,
    describe_waiting,
    find_body,
    find_sender,
    find_subject,
    format_duration,
    format_time,
    is_personal,
    join_lines,
    mask,
    print_rows,
)
from pbm.core.feature import list_refusal_codes
from pbm.daemon.keys import load_secrets
from pbm.games import hides
from pbm.mail.outbox import find_message_id
from pbm.store.mail_outcome import MailOutcome, NoAnswer
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    InboundRow,
    OutboundRow,
    ReceiptRow,
    boards,
    inbound,
    outbound,
    players,
    receipts,
)
from pbm.store.transaction import Session

_OWN_ID = re.compile(r"\S+-([0-9]{1,18})@\S+")
"""The Message-ID of a mail of this server, with its number."""
_STATES = ["waiting", "done", "aside", "sent", "failed", "dropped"]
_CODES = list(
    dict.fromkeys(code.value for code in (*MailOutcome, *NoAnswer, *list_refusal_codes()))
)


@click.command("mails")
@click.option("--in", "way", flag_value="in", help="only incoming")
@click.option("--out", "way", flag_value="out", help="only outgoing")
@click.option("--state", type=click.Choice(_STATES), help="waiting and so on")
@click.option("--stuck", is_flag=True, help="waiting after a failure, set aside, failed, dropped")
@click.option("--unanswered", is_flag=True, help="incoming ones that no mail answers, yet or ever")
@click.option(
    "--why",
    "code",
    type=click.Choice(_CODES),
    metavar="CODE",
    help="incoming ones with this outcome, this reason for no answer or this refusal",
)
@click.option("--address", help="whose From, envelope sender or recipient holds this")
@inspecting.of_board
@inspecting.of_player
@inspecting.between()
@inspecting.show_at_most(50)
@inspecting.as_json
@click.pass_context
def mails(
    ctx: click.Context,
    way: str | None,
    state: str | None,
    stuck: bool,
    unanswered: bool,
    code: str | None,
    address: str | None,
    board: int | None,
    player: str | None,
    limit: int,
    since: float | None,
    before: float | None,
    as_json: bool,
) -> None:
    """Mails, newest first, with what became of them, and when they are tried next.

    A mail is named in:NUMBER or out:NUMBER. Where no answer was delivered, why says the reason;
    pbm admin mail in:7 says it in full, with what to do. A mail that is not in this list never
    came in: it was refused by SMTP (the server's log has a line "refused") or is elsewhere.
    """
    with inspecting.open_session(ctx) as session:
        rows: list[dict[str, Any]] = []
        if way != "out":
            query = _build_query(inbound, state, board, player)
            query = query.where(inbound.c.received < before) if before else query
            query = query.where(inbound.c.received >= since) if since else query
            if code:
                query = query.where(_has_code(code))
            if unanswered:
                query = query.where(~exists().where(outbound.c.inbound_id == inbound.c.id))
            if stuck:
                query = query.where(
                    or_(inbound.c.state == "aside", inbound.c.attempts > 0),
                    inbound.c.state != "done",
                )
            query = query.limit(limit if not address else 5000)
            rows += [
                _summarize_incoming(session, row)
                for row in session.all(Query(InboundRow, query))
                if _is_from(row, address)
            ][:limit]
        if way != "in" and not unanswered and not code:
            query = _build_query(outbound, state, board, player)
            query = query.where(outbound.c.created < before) if before else query
            query = query.where(outbound.c.created >= since) if since else query
            if stuck:
                query = query.where(
                    or_(outbound.c.state.in_(("failed", "dropped")), outbound.c.attempts > 0),
                    outbound.c.state != "sent",
                )
            if address:
                query = query.where(outbound.c.recipient.contains(address, autoescape=True))
            sent = Query(OutboundRow, query.limit(limit))
            rows += [_summarize_outgoing(session, row) for row in session.all(sent)]
    rows.sort(key=lambda row: row["when"] or "", reverse=True)
    if not as_json:  # `why` says it in words
        rows = [{key: row[key] for key in row if key != "no_answer"} for row in rows]
    print_rows(
        rows[:limit],
        as_json=as_json,
        none="none: a mail that is not here never came in, or was refused by SMTP (see the log)",
    )


def _has_code(code: str) -> ColumnElement[bool]:
    """Return the condition that an incoming mail has this outcome, reason for no answer or
    refusal."""
    refusals = literal(" ") + inbound.c.refusals + " "
    return or_(
        inbound.c.code == code,
        inbound.c.no_answer == code,
        refusals.contains(f" {code} ", autoescape=True),
    )


def _build_query(table: Any, state: str | None, number: int | None, player: str | None) -> Any:
    query = select(table).order_by(table.c.id.desc())
    query = query.where(table.c.state == state) if state else query
    query = query.where(table.c.board_id == number) if number else query
    if player:
        own = select(players.c.id).where(players.c.name == player.lower())
        query = query.where(table.c.player_id.in_(own))
    return query


def _is_from(row: InboundRow, address: str | None) -> bool:
    wanted = (address or "").lower()
    return any(wanted in text.lower() for text in (row.envelope_from or "", find_sender(row.raw)))


def find_board_mails(session: Session, board: int) -> list[dict[str, Any]]:
    """Return the mails of a board, oldest first."""
    rows = [
        _summarize_incoming(session, row)
        for row in session.all(
            Query(InboundRow, select(inbound).where(inbound.c.board_id == board))
        )
    ] + [
        _summarize_outgoing(session, row)
        for row in session.all(
            Query(OutboundRow, select(outbound).where(outbound.c.board_id == board))
        )
    ]
    return sorted(rows, key=lambda row: row["when"] or "")


def _summarize_incoming(session: Session, row: InboundRow) -> dict[str, Any]:
    is_done = row.state == "done"
    return {
        "mail": f"in:{row.id}",
        "state": row.state,
        "when": format_time(row.received),
        "who": mask(find_sender(row.raw) or join_lines(row.envelope_from or "")),
        "what": join_lines(mask(row.outcome)) if is_done else describe_waiting(row.raw),
        "board": row.board_id,
        "attempts": row.attempts,
        "next": "at once" if row.state == "waiting" else None,
        "code": row.code or None,
        "refusals": row.refusals.split(),
        "no_answer": row.no_answer or None,
        "why": explain(row, _find_caused(session, row))[0],
    }


def _summarize_outgoing(session: Session, row: OutboundRow) -> dict[str, Any]:
    late = row.next_attempt <= time.time()
    return {
        "mail": f"out:{row.id}",
        "state": row.state,
        "when": format_time(row.created),
        "who": join_lines(row.recipient),
        "what": _show_subject(session, row),
        "board": row.board_id,
        "attempts": row.attempts,
        "next": None
        if row.state != "waiting"
        else "at once"
        if late
        else format_time(row.next_attempt),
        "code": None,
        "refusals": [],
        "no_answer": None,
        "why": join_lines(mask(row.why)),
    }


def _find_game(session: Session, row: OutboundRow) -> str:
    if row.board_id is None:
        return ""
    game = session.execute(select(boards.c.game).where(boards.c.id == row.board_id)).scalar()
    return str(game or "")


def _show_subject(session: Session, row: OutboundRow) -> str:
    """Return the Subject; of a mail for one reader only the bracket."""
    subject = find_subject(row.message)
    return subject.partition("]")[0] + "] ..." if _is_for_one(session, row) else subject


def _is_for_one(session: Session, row: OutboundRow) -> bool:
    """Whether a mail is for its reader only: a seat's view of a game that hides things, a plan or a
    note."""
    game = _find_game(session, row)
    return bool(game and hides(game)) or is_personal(row.message)


@click.command("mail")
@click.argument("name")
@inspecting.revealing
@inspecting.as_json
@click.pass_context
def mail(ctx: click.Context, name: str, reason: str, reveal: bool, as_json: bool) -> None:
    """One mail, in:NUMBER (or just NUMBER) or out:NUMBER, and the mails it caused.

    One that went out may be named by its Message-ID, as the logs of mail servers have it. Its
    answer is what the next mail server said when it took it; with most of them, the number under
    which their log has it.

    Passwords, codes, secret links and the tags of reply tokens are not shown; the text of an
    incoming mail is not kept.
    """
    way, number = parse_mail_name(name)
    with open_database(get_config(ctx)) as store, store.reading() as session:
        number = load_secrets(store).reveal_number(number)
        shown = (_describe_incoming if way == "in" else _describe_outgoing)(
            session, number, reveal=reveal
        )
    if shown is None:
        raise inspecting.refuse_missing(f"mail {way}:{number}")
    if reveal:
        inspecting.record_reveal(ctx, reason, f"mail {way}:{number}", board=shown["board"])
    if as_json:
        print_rows([shown], as_json=True)
        return
    for key, value in shown.items():
        if key == "text":
            click.echo(f"\n{value}")
        elif key == "answers":
            click.echo(f"\n{key}")
            print_rows(value, as_json=False, none="no mail was sent for it")
        else:
            text = " ".join(value) if isinstance(value, list) else str(value or "")
            click.echo(f"{key:<12} {clean(text or '-')}")


def _describe_incoming(session: Session, number: int, *, reveal: bool) -> dict[str, Any] | None:
    row = session.first(Query(InboundRow, select(inbound).where(inbound.c.id == number)))
    return (
        None if row is None else _summarize_incoming(session, row) | _describe_answers(session, row)
    )


def _describe_outgoing(session: Session, number: int, *, reveal: bool) -> dict[str, Any] | None:
    row = session.first(Query(OutboundRow, select(outbound).where(outbound.c.id == number)))
    if row is None:
        return None
    return _summarize_outgoing(session, row) | _describe_text(session, row, reveal=reveal)


def _describe_answers(session: Session, row: InboundRow) -> dict[str, Any]:
    caused = _find_caused(session, row)
    return {
        "do": explain(row, caused)[1],
        "via": row.via,
        "peer": join_lines(row.peer),
        "recipient": mask(join_lines(row.recipient)),
        "envelope_from": mask(join_lines(row.envelope_from or "")),
        "finished": format_time(row.finished),
        "took": format_duration(row.finished - row.received) if row.finished else None,
        "answers": [_summarize_outgoing(session, each) for each in caused],
    }


def _find_caused(session: Session, row: InboundRow) -> Sequence[OutboundRow]:
    """Return the mails that an incoming one caused."""
    query = select(outbound).where(outbound.c.inbound_id == row.id).order_by(outbound.c.id)
    return session.all(Query(OutboundRow, query))


def _describe_text(session: Session, row: OutboundRow, *, reveal: bool) -> dict[str, Any]:
    query = select(receipts).where(receipts.c.outbound_id == row.id).order_by(receipts.c.id)
    said = session.all(Query(ReceiptRow, query))
    return {
        "caused_by": f"in:{row.inbound_id}" if row.inbound_id else None,
        "finished": format_time(row.finished),
        "message_id": find_message_id(row.message) or None,
        "answer": join_lines(mask(said[-1].answer)) if said else None,
        "text": HIDDEN if _is_for_one(session, row) and not reveal else find_body(row.message),
    }


def parse_mail_name(name: str) -> tuple[str, int]:
    """Parse in:7, out:7, 7 (incoming) or the Message-ID of an outgoing mail into direction and
    number. `Secrets.reveal_number` returns the mail's number from that in a Message-ID. Fails for
    anything else."""
    if own := _OWN_ID.fullmatch(name.strip("<>")):
        return "out", int(own[1])
    way, _, number = name.partition(":") if ":" in name else ("in", ":", name)
    if way not in ("in", "out") or not number.isdigit():
        raise CommandFailed(f"a mail is in:NUMBER or out:NUMBER, not {join_lines(name)}", USAGE)
    return way, int(number)


# What became of the mails to each provider.

_DAY = 86400.0
_LONGEST = 100
_PROVIDERS = {
    "gmail.com": ("googlemail.com",),
    "outlook.com": ("hotmail.com", "hotmail.de", "hotmail.co.uk", "live.com", "msn.com"),
    "yahoo.com": ("yahoo.co.uk", "yahoo.de", "yahoo.fr", "ymail.com", "aol.com"),
    "icloud.com": ("me.com", "mac.com"),
    "gmx.net": ("gmx.de", "gmx.at", "gmx.com", "web.de"),
    "proton.me": ("protonmail.com", "pm.me"),
}
_PROVIDER_OF = {domain: name for name, domains in _PROVIDERS.items() for domain in domains}
"""Large providers with several domains."""
_BOUNCE = re.compile(r"bounce: \S+@(\S+) failed(?: for now)?(?:: (.*))?", re.DOTALL)


class SentRow(Row):
    """The delivery of an outgoing mail."""

    recipient: str
    state: str
    attempts: int
    why: str


@dataclass(slots=True)
class Provider:
    """The mails to one provider, and its answers."""

    mails: int = 0
    arrived: int = 0
    late: int = 0
    waiting: int = 0
    refused: int = 0
    bounced: int = 0
    words: Counter[str] = field(default_factory=Counter)


@click.command("deliverability")
@click.option(
    "--days", default=30, show_default=True, type=click.IntRange(1, 3660), help="how many days"
)
@inspecting.as_json
@click.pass_context
def deliverability(ctx: click.Context, days: int, as_json: bool) -> None:
    """What became of the mails to each provider, and what it said.

    arrived: accepted and not reported as failed later; late: accepted after another attempt;
    waiting: deferred or not yet tried; refused: by the relay; bounced: reported as failed. The
    text of old mails is removed, and with it their provider: [retention] mails_days.
    """
    with inspecting.open_session(ctx) as session:
        providers = _count(session, time.time() - days * _DAY)
    rows = [
        _format(name, provider, as_json=as_json)
        for name, provider in sorted(providers.items(), key=lambda item: -item[1].mails)
    ]
    print_rows(rows, as_json=as_json)


def _count(session: Session, since: float) -> dict[str, Provider]:
    providers: dict[str, Provider] = {}
    columns = (outbound.c.recipient, outbound.c.state, outbound.c.attempts, outbound.c.why)
    sent = select(*columns).where(outbound.c.created >= since, outbound.c.recipient != "")
    for row in session.all(Query(SentRow, sent)):
        provider = providers.setdefault(_find_provider(row.recipient), Provider())
        provider.mails += 1
        provider.arrived += row.state == "sent"
        provider.late += row.state == "sent" and row.attempts > 1
        provider.waiting += row.state == "waiting"
        provider.refused += row.state == "failed"
        if row.why and row.state in ("waiting", "failed"):
            provider.words[_generalize(row.why)] += 1
    reports = select(inbound.c.outcome).where(
        inbound.c.received >= since, inbound.c.code == MailOutcome.BOUNCE.value
    )
    for domain, words in _read_bounces(session.execute(reports).scalars()):
        provider = providers.setdefault(_find_provider(domain), Provider())
        provider.bounced += 1
        provider.arrived -= provider.arrived > 0
        if words:
            provider.words[_generalize(words)] += 1
    return providers


def _read_bounces(outcomes: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield the domain and the words of each failure."""
    for outcome in outcomes:
        if match := _BOUNCE.fullmatch(outcome):
            yield match[1], match[2] or ""


def _find_provider(address: str) -> str:
    domain = address.rpartition("@")[2].lower()
    return _PROVIDER_OF.get(domain, domain)


def _generalize(words: str) -> str:
    """Return the words without what differs from mail to mail: addresses, links, queue numbers."""
    plain = re.sub(r"\S+@\S+", "ADDRESS", join_lines(words))
    plain = re.sub(r"\bhttps?://\S+", "URL", plain)
    plain = re.sub(r"\b(?=\w*\d)[\w-]{8,}(?:\.[\w-]+)*", "ID", plain)
    return plain[:_LONGEST]


def _format(name: str, provider: Provider, *, as_json: bool) -> dict[str, Any]:
    words = [{"words": mask(text), "mails": n} for text, n in provider.words.most_common(5)]
    most = f"{words[0]['words']} ({words[0]['mails']})" if words else None
    return {
        "provider": join_lines(name),
        "mails": provider.mails,
        "arrived": provider.arrived,
        "late": provider.late,
        "waiting": provider.waiting,
        "refused": provider.refused,
        "bounced": provider.bounced,
        "words": words if as_json else most,
    }


# Why an incoming mail got no answer, and what the operator can do about it.

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
        "a report that one of our mails is spam; it counts with our envelope sender's token alone",
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
"""Why nothing in a mail was executed or answered, and what to do."""
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
    """Return why no answer to an incoming mail was delivered, and what to do about it; "" and "" if
    one was. `caused` are the mails that it caused."""
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

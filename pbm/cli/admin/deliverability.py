"""What became of the mails to each provider."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import click
from sqlalchemy import select

from pbm.cli.admin import inspecting
from pbm.cli.terminal.masking import mask
from pbm.cli.terminal.output import join_lines, print_rows
from pbm.store.mail_outcome import MailOutcome
from pbm.store.rows import Query, Row
from pbm.store.tables import inbound, outbound
from pbm.store.transaction import Session

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
"""The large providers that have several domains."""
_BOUNCE = re.compile(r"bounce: \S+@(\S+) failed(?: for now)?(?:: (.*))?", re.DOTALL)


class SentRow(Row):
    """What became of an outgoing mail."""

    recipient: str
    state: str
    attempts: int
    why: str


@dataclass(slots=True)
class Provider:
    """The mails to one provider, and its words."""

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
    """Return the words without what differs from mail to mail: addresses, links, numbers of a
    queue."""
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

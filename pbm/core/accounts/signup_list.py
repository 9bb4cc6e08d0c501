"""Says in words who may sign up here."""

from __future__ import annotations

from textwrap import fill

from pbm.config import Players
from pbm.core.kernel.language.call import Call

_WHO = {
    "open": "",
    "invited": "Only people whom the operator has invited can sign up here.",
    "approved": "The operator of this server approves each new player.",
    "closed": "This server takes no new players at the moment.",
}


def describe_signups(players: Players) -> str:
    """Return who may sign up, as a sentence or two; "" for everybody."""
    sentences = [_WHO[players.signups]]
    if players.signup_domains and players.signups != "closed":
        domains = " or ".join(players.signup_domains)
        sentences.append(f"New players need an address of {domains}.")
    return " ".join(filter(None, sentences))


def add_to_page(call: Call, title: str) -> str:
    """Return who may sign up, for the help pages that newcomers read."""
    return fill(describe_signups(call.config.players), 78) if title in ("pbm", "signup") else ""

"""Says in words who may sign up here."""

from __future__ import annotations

from functools import partial
from textwrap import fill

from pbm.config import Players
from pbm.core.kernel.language.call import Call
from pbm.locale import Page, translate
from pbm.rules.phrases import Listing, Phrase, join_phrases, phrase

_WHO = {
    "open": "",
    "invited": phrase("Only people whom the operator has invited can sign up here."),
    "approved": phrase("The operator of this server approves each new player."),
    "closed": phrase("This server takes no new players at the moment."),
}


_CLAUSES = {
    "invited": phrase("only people whom the operator has invited can sign up here"),
    "approved": phrase("the operator of this server approves each new player"),
    "closed": phrase("this server takes no new players at the moment"),
}


def describe_signups(players: Players) -> str:
    """Return who may sign up, as a sentence or two; "" for everybody."""
    sentences = [who] if (who := _WHO[players.signups]) else []
    if players.signup_domains and players.signups != "closed":
        sentences.append(_name_domains(players))
    return join_phrases(" ", sentences) if sentences else ""


def describe_refused_signups(players: Players) -> str:
    """Return why somebody may not sign up, as a clause."""
    who = _CLAUSES.get(players.signups)
    if not players.signup_domains or players.signups == "closed":
        return who or ""
    if who is not None:
        return join_phrases(". ", (who, _name_domains(players)))
    domains = Listing(players.signup_domains, "or")
    return phrase("new players need an address of {domains}", domains=domains)


def _name_domains(players: Players) -> Phrase:
    domains = Listing(players.signup_domains, "or")
    return phrase("New players need an address of {domains}.", domains=domains)


def add_to_page(call: Call, title: str) -> str:
    """Return who may sign up, for the help pages that newcomers read."""
    text = describe_signups(call.config.players) if title in ("pbm", "signup") else ""
    return Page(partial(_fill, text)) if text else ""


def _fill(text: str, language: str) -> str:
    return fill(translate(text, language), 78)

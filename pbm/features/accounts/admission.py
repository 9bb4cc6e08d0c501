"""Who may sign up, and which accounts wait for the operator."""

from __future__ import annotations

from functools import partial
from textwrap import fill

from msgspec.structs import replace

from pbm.config import Players
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.notices import Notice, PlayerWaits
from pbm.core.player import WAITING, Player, save_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.accounts.notices import SignupWaits, Welcome
from pbm.features.accounts.rows import is_invited
from pbm.locale import Page, translate
from pbm.rules.phrases import Listing, Phrase, join_phrases, phrase

_FORM = "signup USERID PASSWORD"


def takes_players(players: Players) -> bool:
    """Whether an account can be opened here, be it only by those whom the operator has invited."""
    return players.signups != "closed"


def may_sign_up(context: Context, address: str) -> bool:
    """Whether the owner of an address may sign up here."""
    if _is_invited(context, address):
        return True
    players = context.config.players
    return players.signups not in ("closed", "invited") and not _is_elsewhere(players, address)


def _is_elsewhere(players: Players, address: str) -> bool:
    domains = [domain.lower() for domain in players.signup_domains]
    return bool(domains) and address.rpartition("@")[2] not in domains


def require_admission(call: Call, address: str) -> None:
    """Refuse a signup from an address that may not sign up here. The operator at the terminal may
    open any account."""
    players = call.config.players
    if call.command.sender.via == "terminal" or may_sign_up(call, address):
        return
    is_elsewhere = _is_elsewhere(players, address)
    forms = (f"{_FORM} NAME@{players.signup_domains[0].lower()}",) if is_elsewhere else ()
    raise Refusal(RefusalCode.SIGNUP_REFUSED, describe_refused_signups(players), *forms)


def admit(call: Call, player: Player, address: str) -> list[Notice]:
    """Welcome a new player who has confirmed that address; or, where the operator approves
    accounts, have it wait and notify the operator."""
    needs_none = call.config.players.signups != "approved" or call.command.sender.via == "terminal"
    if needs_none or _is_invited(call, address):
        return [call.answer(Welcome(userid=player.userid, has_password=player.has_password))]
    save_player(call.session, replace(player, state=WAITING))
    language = player.get_preference("language", "")
    told = SignupWaits(userid=player.userid)
    notices = [Notice(told, addresses=(address,), is_answer=True, language=language)]
    if operator := call.config.house.operator:
        content = PlayerWaits(userid=player.userid, address=address)
        notices.append(Notice(content, addresses=(operator,)))
    return notices


def _is_invited(context: Context, address: str) -> bool:
    """Whether the operator has invited the address, and signups are not closed."""
    return takes_players(context.config.players) and is_invited(context.session, address)


# Says in words who may sign up here.

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

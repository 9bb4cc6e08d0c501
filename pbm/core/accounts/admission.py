"""Who may sign up, and whose account waits for the operator."""

from __future__ import annotations

from msgspec.structs import replace

from pbm.core.accounts.notices import SignupWaits, Welcome
from pbm.core.accounts.signup_list import describe_refused_signups
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.notices.operator import PlayerWaits
from pbm.core.kernel.players.player import WAITING, Player, save_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.store.reads.account_rows import is_invited

_FORM = "signup USERID PASSWORD"


def require_admission(call: Call, address: str) -> None:
    """Refuse a signup of an address that may not sign up here. The operator at the terminal opens
    accounts for whom he likes."""
    config = call.config.players
    if call.command.sender.via == "terminal" or _is_invited(call, address):
        return
    domains = [domain.lower() for domain in config.signup_domains]
    is_elsewhere = bool(domains) and address.rpartition("@")[2] not in domains
    if config.signups in ("closed", "invited") or is_elsewhere:
        forms = (f"{_FORM} NAME@{domains[0]}",) if is_elsewhere else ()
        raise Refusal(RefusalCode.SIGNUP_REFUSED, describe_refused_signups(config), *forms)


def admit(call: Call, player: Player, address: str) -> list[Notice]:
    """Welcome a new player who has confirmed that address, or have the account wait until the
    operator approves it, who is notified."""
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
    is_open = context.config.players.signups != "closed"
    return is_open and is_invited(context.session, address)

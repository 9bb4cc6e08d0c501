"""`confirm CODE`: confirm an address; unlock, close or erase an account."""

from __future__ import annotations

from pbm.core.commands.accounts.addresses import confirm_address
from pbm.core.commands.accounts.closing import close_account
from pbm.core.commands.accounts.codes import redeem_code
from pbm.core.commands.accounts.erasing import erase
from pbm.core.language.call import Call
from pbm.core.language.verbs import get_verb
from pbm.core.language.words import parse_board_number
from pbm.core.model import password_checks
from pbm.core.model.notices.account_notices import Unlocked
from pbm.core.model.notices.notice import Notice
from pbm.core.model.player import get_player
from pbm.core.model.refusal import Refusal, RefusalCode


def confirm(call: Call) -> list[Notice]:
    """Redeem a code and do what it was issued for; Refusal when it is not valid."""
    word = call.command.words[0] if call.command.words else ""
    if not word or parse_board_number(word):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            "the code is missing: copy it from the mail that brought it",
            "confirm CODE",
            get_verb("confirm").build_form(),
        )
    row = redeem_code(call, (word, "".join(call.command.words)))
    if row is None:
        raise Refusal(
            RefusalCode.BAD_CODE, "this code is wrong, expired or already used", "confirm CODE"
        )
    player = get_player(call.session, row.player_id)
    if player is None or not player.is_active:
        raise Refusal(RefusalCode.ACCOUNT_CLOSED, "this account is closed")
    call.player = player
    if row.purpose == "signoff":
        return close_account(call, player)
    if row.purpose == "erase":
        return erase(call, player)
    if row.purpose == "unlock":
        password_checks.unlock(call.session, player.id, call.now)
        return [call.answer(Unlocked(userid=player.userid))]
    return confirm_address(call, player, row)

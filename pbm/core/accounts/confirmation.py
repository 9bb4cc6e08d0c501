"""`confirm CODE`: confirm an address; unlock, close or erase an account."""

from __future__ import annotations

from pbm.core.accounts.addresses import confirm_address
from pbm.core.accounts.closing import close_account
from pbm.core.accounts.codes import list_tags, redeem_code
from pbm.core.accounts.erasing import erase
from pbm.core.accounts.notices import Unlocked
from pbm.core.accounts.signup import find_signup_by_code, open_account
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.verbs import get_verb
from pbm.core.kernel.language.words import parse_board_number
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players import password_checks
from pbm.core.kernel.players.player import WAITING, get_player
from pbm.core.kernel.refusal import Refusal, RefusalCode, refuse_waiting
from pbm.rules.phrases import phrase
from pbm.store.tables import CodeRow


def confirm(call: Call) -> list[Notice]:
    """Redeem a code and do what it was issued for; Refusal when it is not valid."""
    command = call.command
    word = command.words[0] if command.words else ""
    if parse_board_number(word) or not (word or list_tags(call.secrets, command)):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the code is missing: copy it from the mail that brought it"),
            "confirm CODE",
            get_verb("confirm").build_form(),
        )
    if found := find_signup_by_code(call.session, call.secrets, command, call.now):
        _require_recipient(call, found[0].address)
        return open_account(call, *found)
    row = redeem_code(call)
    _require_word(call, row)
    _require_recipient(call, row.address.partition(" ")[0])
    player = get_player(call.session, row.player_id)
    if player is not None and player.state == WAITING:
        raise refuse_waiting()
    if player is None or not player.is_active:
        raise Refusal(RefusalCode.ACCOUNT_CLOSED, phrase("this account is closed"))
    if row.purpose in ("confirm", "change"):
        return confirm_address(call, player, row)
    call.player = player
    if row.purpose == "signoff":
        return close_account(call, player)
    if row.purpose == "erase":
        return erase(call, player)
    password_checks.unlock(call.session, player.id, call.now)
    return [call.answer(Unlocked(userid=player.userid))]


def _require_word(call: Call, row: CodeRow) -> None:
    """Refuse to close an account for a code without the word confirm."""
    if call.command.implied and row.purpose in ("signoff", "erase"):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the word confirm is missing before the code, so your account stays as it is"),
            "confirm CODE",
        )


def _require_recipient(call: Call, address: str) -> None:
    """Refuse a reply without the code from another address than the one that it was sent to."""
    command = call.command
    if not command.words and command.sender.via == "mail" and command.sender.address != address:
        raise Refusal(
            RefusalCode.BAD_CODE,
            phrase(
                "this code was sent to another address: reply from there, or send the code itself"
            ),
            "confirm CODE",
        )

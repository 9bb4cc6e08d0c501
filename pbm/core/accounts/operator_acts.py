"""What an operator does to a player's password and addresses. Nothing here commits."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import insert

from pbm.core.accounts import addresses
from pbm.core.accounts.codes import CODE_DAYS, send_confirmations
from pbm.core.accounts.notices import ResetCode
from pbm.core.kernel.boards.clocks import format_time
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import NO_PASSWORD, save_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import combine, phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.tables import codes


def reset_password(act: OperatorAct, userid: str) -> list[Notice]:
    """Withdraw a password and mail the player a code for a new one; the operator sees neither.
    Refused for an account that is not open or has no address."""
    player = act.find_player(userid)
    recipients = reads.find_addresses(act.session, player.id)
    if not player.is_active or not recipients:
        raise Refusal(
            RefusalCode.WRONG_STATE, "this account is closed or has no address that mail can reach"
        )
    code = act.secrets.generate_code()
    act.session.execute(
        insert(codes).values(
            player_id=player.id,
            purpose="reset",
            digest=act.secrets.digest_code(code),
            created=act.now,
            expires=act.now + CODE_DAYS * DAY,
        )
    )
    save_player(act.session, replace(player, password=NO_PASSWORD, links=player.links + 1))
    act.record("reset password", player=player.id)
    text = combine(
        "{event}. {more}",
        event=act.give_reason(phrase("{who} withdrew your password", who=act.who)),
        more=phrase("A code for a new one comes in another mail"),
    )
    return [
        act.notify(player, phrase("choose a new password"), text),
        Notice(
            ResetCode(
                userid=player.userid,
                code=code,
                days=CODE_DAYS,
                asked=format_time(act.now, player.preferences),
            ),
            recipients,
            player.id,
        ),
    ]


def set_address(act: OperatorAct, userid: str, address: str) -> list[Notice]:
    """Give a player whose mailbox is dead another address. It gets a code, and takes the place of
    all others when that comes back; they are told. Refused for a closed account, and for an address
    that cannot be used."""
    player = act.find_player(userid)
    if not player.is_active:
        raise Refusal(RefusalCode.WRONG_STATE, "this account is closed")
    call = act.build_call(0)
    (address,) = addresses.read_addresses(call, [address], "set-address USERID")
    sent, event = (
        list[Notice](),
        phrase("{who} made {address} your address", who=act.who, address=address),
    )
    if act.config.players.confirm_addresses:
        event = phrase(
            "{who} sent a code to {address}, which takes the place of your addresses when it "
            "returns",
            who=act.who,
            address=address,
        )
    told = act.notify(player, phrase("another address"), act.give_reason(event))
    unconfirmed = addresses.store_addresses(call, player, [address])
    if not act.config.players.confirm_addresses:
        addresses.keep_only(call, player, [address])
    elif not (sent := send_confirmations(call, player, unconfirmed, replaces=[address])):
        problem = "this address is confirmed already, or has had too many codes this week"
        raise Refusal(RefusalCode.WRONG_STATE, problem)
    act.record(f"set address {address}", player=player.id)
    return [*sent, told]

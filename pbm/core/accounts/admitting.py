"""What an operator does about new players: invite, approve, deny."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import delete, insert, update

from pbm.core.accounts.addresses import read_addresses
from pbm.core.accounts.codes import send_confirmations
from pbm.core.accounts.invitations import greet, take_guest
from pbm.core.accounts.notices import Invitation, Welcome
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.notices.operator import OperatorMessage
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players import bans
from pbm.core.kernel.players.player import WAITING, Player, save_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads.account_rows import is_invited
from pbm.store.tables import (
    addresses,
    audit,
    codes,
    inbound,
    invitations,
    outbound,
    players,
    waiting_guests,
)


def invite(act: OperatorAct, address: str) -> list[Notice]:
    """Let an address sign up, and mail it once. Refused for one that was invited before, that has
    a player or is banned, and while nobody may sign up."""
    call = act.build_call(0)
    (invited,) = read_addresses(call, (address,), "pbm admin invite")
    if act.config.players.signups == "closed":
        raise Refusal(RefusalCode.WRONG_STATE, '[players] signups is "closed": nobody may sign up')
    if is_invited(act.session, invited):
        raise Refusal(RefusalCode.ALREADY_DONE, "this address was invited before")
    if reads.find_known_addresses(act.session, {invited}):
        raise Refusal(RefusalCode.ALREADY_DONE, "this address has a player already")
    if bans.find_bans(act.session, (invited,)):
        raise Refusal(RefusalCode.BARRED_ADDRESS, "this address is banned: see pbm admin bans")
    row = {"address": invited, "actor": act.actor, "at": act.now}
    act.session.execute(insert(invitations).values(row))
    act.record(f"invite {invited}")
    return [Notice(Invitation(), addresses=(invited,))]


def approve(act: OperatorAct, userid: str) -> list[Notice]:
    """Open an account that waits for it, begin the board that it was invited to, and send codes to
    its other addresses."""
    player = _find_waiting(act, userid)
    opened = save_player(act.session, replace(player, state="active"))
    act.record("approve", player=player.id)
    rows = reads.find_all_addresses(act.session, player.id)
    others = [row.address for row in rows if not row.confirmed]
    recipients = reads.find_addresses(act.session, player.id)
    content = Welcome(userid=player.userid, has_password=player.has_password)
    welcome = Notice(content, addresses=recipients, player=player.id)
    call = act.build_call(0)
    greeting = greet(call, [welcome], take_guest(call, opened), opened)
    return [*greeting, *send_confirmations(call, opened, others)]


def deny(act: OperatorAct, userid: str) -> list[Notice]:
    """Delete an account that waits to be approved; its userid is free again."""
    player = _find_waiting(act, userid)
    recipients = reads.find_addresses(act.session, player.id)
    text = act.give_reason(phrase("{who} did not approve your signup", who=act.who))
    act.record(f"deny {player.userid}")
    for table in (codes, addresses, waiting_guests):
        act.session.execute(delete(table).where(table.c.player_id == player.id))
    for log in (audit, inbound, outbound):
        named = update(log).where(log.c.player_id == player.id)
        act.session.execute(named.values(player_id=None))
    act.session.execute(delete(players).where(players.c.id == player.id))
    return [Notice(OperatorMessage(subject=phrase("your signup"), text=text), addresses=recipients)]


def _find_waiting(act: OperatorAct, userid: str) -> Player:
    """Return the player of that userid, who waits. Refused for any other."""
    player = act.find_player(userid)
    if player.state != WAITING:
        raise Refusal(RefusalCode.WRONG_STATE, f"this account does not wait: it is {player.state}")
    return player

"""Opening an account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, insert, select, update

from pbm.core.commands.accounts.addresses import read_addresses, store_addresses
from pbm.core.commands.accounts.codes import MOST_A_WEEK, require_room, send_confirmations
from pbm.core.commands.accounts.passwords import require_hash, require_password
from pbm.core.commands.accounts.userids import (
    find_former_owner,
    is_reserved,
    require_valid_userid,
)
from pbm.core.language.call import Call
from pbm.core.model.notices.account_notices import Welcome
from pbm.core.model.notices.notice import Notice
from pbm.core.model.player import Player, find_player
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.store import daily_counters, reads
from pbm.store.daily_counters import count_days
from pbm.store.tables import addresses, codes, players

_FORM = "signup USERID PASSWORD"
_MOST_ADDRESSES = 3


def signup(call: Call) -> list[Notice]:
    """Open an account and send a code to its first address. Refuses a userid that is taken or
    unfit, a bad password and too many accounts; no refusal repeats a word of the command."""
    command = call.command
    name = command.user.lower()
    _require_valid_userid(call, name)
    other = find_player(call.session, name)
    if other is not None and _awaits_confirmation(call, other, command.sender.address):
        return _resend_code(call, other)
    abandoned = other if other is not None and _is_abandoned(call, other) else None
    is_taken = other is not None and abandoned is None
    if is_taken or is_reserved(call, name) or find_former_owner(call, name):
        raise _build_taken_refusal()
    chosen = read_addresses(call, command.words[1:] or (command.sender.address,), _FORM)
    if len(chosen) > _MOST_ADDRESSES:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            f"sign up with at most {_MOST_ADDRESSES} addresses and add the others later",
            f"{_FORM} NAME@EXAMPLE.ORG",
            f"add {command.user} PASSWORD NAME@EXAMPLE.ORG",
        )
    chosen.sort(key=lambda address: address != command.sender.address)
    _require_few(call)
    if call.config.players.confirm_addresses:
        require_room(call, chosen[:1])
    require_hash(call)
    player = _create(call, name, abandoned)
    store_addresses(call, player, chosen)
    if not call.config.players.confirm_addresses:
        call.player = player
        return [call.answer(Welcome(userid=player.userid))]
    notices = send_confirmations(call, player, chosen[:1])
    if not notices:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            f"{MOST_A_WEEK} codes have gone to this address in the last seven days: "
            "use one of them, or try again in a week",
            "confirm CODE",
        )
    return notices


def _require_valid_userid(call: Call, name: str) -> None:
    """Refuse a userid or a password that cannot be one."""
    require_valid_userid(name, _FORM)
    require_password(call, _FORM)
    if call.command.words[0].lower() == name:
        raise Refusal(
            RefusalCode.BAD_PASSWORD,
            "your password must not be your userid, which everybody sees",
            _FORM,
        )


def _build_taken_refusal() -> Refusal:
    return Refusal(RefusalCode.USERID_TAKEN, "this userid is taken: choose another", _FORM)


def _require_few(call: Call) -> None:
    """Refuse an account beyond those that one address may open in a day."""
    source = call.command.sender.address or "terminal"
    limit = call.config.limits.signups_a_day
    if not daily_counters.allow(call.session, f"signups {source}", call.now, limit):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            "too many accounts were opened from your address today: try again tomorrow",
        )


def _create(call: Call, name: str, abandoned: Player | None) -> Player:
    """The new account, in place of one that was never confirmed and so never did anything."""
    command = call.command
    row: Mapping[str, Any] = {
        "userid": command.user,
        "name": name,
        "password": command.new_hash,
        "state": "active",
        "created": call.now,
        "seen": call.now,
    }
    if abandoned is None:
        query = insert(players).values(row).returning(players.c.id)
        number = int(call.session.execute(query).scalar_one())
    else:
        number = abandoned.id
        for table in (codes, addresses):
            call.session.execute(delete(table).where(table.c.player_id == number))
        call.session.execute(update(players).where(players.c.id == number).values(row))
    call.secrets.remember(number, command.new_hash, command.words[0])
    return Player(number, command.user, name, command.new_hash, "active", {}, is_confirmed=False)


def _awaits_confirmation(call: Call, player: Player, address: str) -> bool:
    """Whether the account waits for this very address to be confirmed: whoever writes from there
    gets the code again, whatever the password is."""
    if player.is_confirmed or not address or _is_abandoned(call, player):
        return False
    return any(row.address == address for row in reads.find_all_addresses(call.session, player.id))


def _is_abandoned(call: Call, player: Player) -> bool:
    """Whether nobody confirmed an address of the account while its codes were valid."""
    if player.is_confirmed or not player.is_active:
        return False
    valid = select(codes.c.id).where(codes.c.player_id == player.id, codes.c.expires > call.now)
    return call.session.execute(valid).scalar() is None


def _resend_code(call: Call, player: Player) -> list[Notice]:
    """Send the code of an unconfirmed account again, at most once a day."""
    if not player.is_active:
        raise _build_taken_refusal()
    (address, *_) = [row.address for row in reads.find_all_addresses(call.session, player.id)]
    if daily_counters.count_on(call.session, f"codes {address}", count_days(call.now)):
        return []
    return send_confirmations(call, player, [address])

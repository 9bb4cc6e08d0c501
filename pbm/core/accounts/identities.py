"""Renames, merges and erases players, for the operator. Boards, records and events follow."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import delete, insert, update

from pbm.core.accounts import erasing
from pbm.core.accounts.userids import (
    FORMER,
    change_userid,
    find_former_owner,
    is_reserved,
    require_valid_userid,
)
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.bans import BAN
from pbm.core.kernel.players.player import NO_PASSWORD, Player, find_player, save_player
from pbm.core.kernel.players.rows import pass_on
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import combine, phrase
from pbm.store import reads
from pbm.store.reads.board_rows import find_open_board_numbers
from pbm.store.tables import (
    addresses,
    audit,
    bans,
    codes,
    former_userids,
    held_notices,
    inbound,
    outbound,
)


def rename(act: OperatorAct, userid: str, new: str) -> list[Notice]:
    """Give a player another userid; nobody else can have the former one. Refuse a userid that is
    no userid, reserved or taken."""
    player = _find_person(act, userid)
    context, name = act.context, new.lower()
    require_valid_userid(name)
    other = find_player(act.session, name)
    is_taken = other is not None and other.id != player.id
    if (
        is_taken
        or is_reserved(context, name, by_operator=True)
        or find_former_owner(context, name) not in (0, player.id)
    ):
        raise Refusal(RefusalCode.USERID_TAKEN, "this userid is taken or reserved")
    if new == player.userid:
        raise Refusal(RefusalCode.ALREADY_DONE, "that is the present userid")
    change_userid(context, player, new)
    banned = (bans.c.kind == BAN) & (bans.c.target == player.name)
    act.session.execute(update(bans).where(banned).values(target=name))
    act.record(f"rename {player.userid} to {new}", player=player.id)
    if userid.lower() in act.config.events.makers.lower().split():
        act.remarks.append(f"[events] makers still has {userid}: write {new} there")
    if userid.lower() in map(str.lower, act.config.house.moderators):
        act.remarks.append(f"[house] moderators still has {userid}: write {new} there")
    if not player.is_active:
        return []
    event = phrase(
        "{who} changed your userid from {old} to {new}", who=act.who, old=player.userid, new=new
    )
    subject = phrase("your userid is now {userid}", userid=new)
    return [act.notify(player, subject, act.give_reason(event))]


def erase(act: OperatorAct, userid: str) -> list[Notice]:
    """Erase a player, with open boards resigned. Refused for a bot, and for one who is erased."""
    player = _find_person(act, userid)
    if player.name == f"{FORMER}-{player.id}":
        raise Refusal(RefusalCode.ALREADY_DONE, "this player is already erased")
    act.record("erase", player=player.id)
    return erasing.erase(act.build_call(0), player, act.reason_line)


def merge(act: OperatorAct, userid: str, into: str) -> list[Notice]:
    """Make two accounts of one person one: boards, results, addresses and all else pass to the
    second, the first is closed. Ratings are computed anew; boards that the two played against each
    other no longer count for them. Refused while both are at one open board or in one event."""
    old, new = _find_person(act, userid), _find_person(act, into)
    if old.id == new.id:
        raise Refusal(RefusalCode.BAD_ARGUMENT, "name two different accounts")
    if not new.is_active:
        raise Refusal(RefusalCode.WRONG_STATE, f"the account {new.userid} is {new.state}")
    if old.state == "suspended":
        raise Refusal(RefusalCode.WRONG_STATE, f"the account {old.userid} is suspended")
    _require_apart(act, old, new)
    for require in find_hooks("may_merge"):
        require(act, old, new)
    boards = find_open_board_numbers(act.session, old.id)
    for rename_in_texts in find_hooks("on_rename"):
        rename_in_texts(act.context, old, new.userid)
    _move_rows(act, old, new)
    _move_addresses(act, old, new)
    for pass_on_more in find_hooks("on_merge"):
        pass_on_more(act, old, new)
    _close(act, old)
    act.record(f"merge {old.userid} into {new.userid}", player=new.id)
    event = act.give_reason(
        phrase(
            "{who} made your accounts {old} and {new} one, {new}",
            who=act.who,
            old=old.userid,
            new=new.userid,
        )
    )
    if boards:
        numbers = ", ".join(map(str, boards))
        more = phrase("Its boards are now yours too: {boards}", boards=numbers)
        event = combine("{event}. {more}", event=event, more=more)
    subject = phrase("{old} is now {new}", old=old.userid, new=new.userid)
    return [act.notify(new, subject, event)]


def _find_person(act: OperatorAct, userid: str) -> Player:
    """Return the player of that userid. Refused for nobody, and for a bot."""
    player = act.find_player(userid)
    if player.is_bot:
        raise Refusal(RefusalCode.WRONG_STATE, f"{player.userid} is a computer player")
    return player


def _require_apart(act: OperatorAct, old: Player, new: Player) -> None:
    """Refuse players who meet at an open board or in an event: one person cannot play both."""
    own, others = (set(find_open_board_numbers(act.session, each.id)) for each in (old, new))
    if shared := sorted(own & others):
        raise Refusal(
            RefusalCode.WRONG_STATE,
            f"both play on board {', '.join(map(str, shared))}: end it first (pbm admin cancel)",
        )


def _move_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on what belongs to the account."""
    own = (bans, audit, inbound, outbound, former_userids, held_notices)
    pass_on(act.session, own, old, new)
    caused = held_notices.c.cause_id == old.id
    act.session.execute(update(held_notices).where(caused).values(cause_id=new.id))
    act.session.execute(delete(codes).where(codes.c.player_id == old.id))


def _move_addresses(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on confirmed addresses that the other account does not have; drop the others."""
    own = {row.address for row in reads.find_all_addresses(act.session, new.id)}
    is_old = addresses.c.player_id == old.id
    useless = addresses.c.confirmed.is_(None) | addresses.c.address.in_(own)
    act.session.execute(delete(addresses).where(is_old, useless))
    act.session.execute(update(addresses).where(is_old).values(player_id=new.id))


def _close(act: OperatorAct, old: Player) -> None:
    """Close the first account, which keeps nothing but its userid."""
    save_player(
        act.session,
        replace(old, state="closed", password=NO_PASSWORD, preferences={}, digest_at=None),
    )
    row = {"player_id": old.id, "at": act.now, "actor": act.actor, "reason": act.reason_line}
    act.session.execute(insert(audit).values(action="merged", **row))

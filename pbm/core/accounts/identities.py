"""Renames, merges and erases players, for the operator. Boards, records and events follow."""

from __future__ import annotations

import json

from sqlalchemy import Table, delete, insert, select, update

from pbm.core.accounts import erasing
from pbm.core.accounts.userids import (
    FORMER,
    change_userid,
    find_former_owner,
    is_reserved,
    keep_lots,
    rename_in_sentences,
    require_valid_userid,
)
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.bans import BAN
from pbm.core.kernel.players.player import NO_PASSWORD, Player, find_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.ratings.rating_boards import rebuild_ratings
from pbm.store import reads
from pbm.store.analysis_tables import analysis_requests
from pbm.store.event_tables import entrants, events
from pbm.store.puzzle_tables import puzzles
from pbm.store.reads.board_lists import find_open_board_numbers
from pbm.store.tables import (
    addresses,
    audit,
    bans,
    blocks,
    chats,
    codes,
    former_userids,
    inbound,
    notes,
    offers,
    outbound,
    pauses,
    players,
    ratings,
    seats,
    watchers,
)

_FOLLOWING = (
    *(seats, notes, chats, pauses, bans, audit, inbound, outbound, events, offers, puzzles),
)
"""The tables of which all rows of a player pass to another one."""


def rename(act: OperatorAct, userid: str, new: str) -> list[Notice]:
    """Give a player another userid; nobody else can have the former one. Refuses a userid that is
    no userid, reserved or taken."""
    player = _find_person(act, userid)
    call, name = act.build_call(0), new.lower()
    require_valid_userid(name)
    other = find_player(act.session, name)
    is_taken = other is not None and other.id != player.id
    if is_taken or is_reserved(call, name) or find_former_owner(call, name) not in (0, player.id):
        raise Refusal(RefusalCode.USERID_TAKEN, "this userid is taken or reserved")
    if new == player.userid:
        raise Refusal(RefusalCode.ALREADY_DONE, "that is the present userid")
    change_userid(call, player, new)
    banned = (bans.c.kind == BAN) & (bans.c.target == player.name)
    act.session.execute(update(bans).where(banned).values(target=name))
    act.record(f"rename {player.userid} to {new}", player=player.id)
    if not player.is_active:
        return []
    event = act.add_reason(f"changed your userid from {player.userid} to {new}")
    return [act.notify(player, f"your userid is now {new}", event)]


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
    boards = find_open_board_numbers(act.session, old.id)
    keep_lots(act.build_call(0), old)
    rename_in_sentences(act.build_call(0), old, new.userid)
    _move_rows(act, old, new)
    _move_addresses(act, old, new)
    _move_offers(act, old, new)
    _close(act, old)
    _rate_again(act, old)
    act.record(f"merge {old.userid} into {new.userid}", player=new.id)
    event = act.add_reason(f"made your accounts {old.userid} and {new.userid} one, {new.userid}")
    open_boards = f". Its boards are now yours too: {', '.join(map(str, boards))}" if boards else ""
    return [act.notify(new, f"{old.userid} is now {new.userid}", event + open_boards)]


def _find_person(act: OperatorAct, userid: str) -> Player:
    """The player of that userid. Refused for nobody, and for a bot."""
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
    entered = select(entrants.c.event_id).where(entrants.c.player_id == old.id)
    both = select(entrants.c.event_id).where(
        entrants.c.player_id == new.id, entrants.c.event_id.in_(entered)
    )
    if shared := sorted(act.session.execute(both).scalars()):
        raise Refusal(
            RefusalCode.WRONG_STATE,
            f"both have entered event {', '.join(map(str, shared))}, and have a place each there",
        )


def _move_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on what is simply the player's, and where both have a row, the second's."""
    session = act.session
    for table in (*_FOLLOWING, entrants, former_userids):
        own = table.c.player_id == old.id
        session.execute(update(table).where(own).values(player_id=new.id))
    _move_pairs(act, watchers, "player_id", "board_id", old, new)
    _move_pairs(act, analysis_requests, "player_id", "board_id", old, new)
    _move_pairs(act, blocks, "player_id", "blocked_id", old, new)
    _move_pairs(act, blocks, "blocked_id", "player_id", old, new)
    session.execute(delete(blocks).where(blocks.c.player_id == blocks.c.blocked_id))
    session.execute(delete(codes).where(codes.c.player_id == old.id))


def _move_pairs(
    act: OperatorAct, table: Table, player: str, other: str, old: Player, new: Player
) -> None:
    own = table.c[player]
    has = select(table.c[other]).where(own == new.id)
    act.session.execute(delete(table).where(own == old.id, table.c[other].in_(has)))
    act.session.execute(update(table).where(own == old.id).values({player: new.id}))


def _move_addresses(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on confirmed addresses that the other account does not have; drop the others."""
    own = {row.address for row in reads.find_all_addresses(act.session, new.id)}
    is_old = addresses.c.player_id == old.id
    useless = addresses.c.confirmed.is_(None) | addresses.c.address.in_(own)
    act.session.execute(delete(addresses).where(is_old, useless))
    act.session.execute(update(addresses).where(is_old).values(player_id=new.id))


def _move_offers(act: OperatorAct, old: Player, new: Player) -> None:
    """Put the second in the place of the first among those who have joined open offers."""
    query = select(offers.c.id, offers.c.joined).where(offers.c.state == "open")
    for number, text in act.session.tuples(query):
        joined = json.loads(text)
        if old.id in joined:
            moved = list(dict.fromkeys(new.id if each == old.id else each for each in joined))
            row = update(offers).where(offers.c.id == number)
            act.session.execute(row.values(joined=json.dumps(moved)))


def _close(act: OperatorAct, old: Player) -> None:
    """Close the first account, which keeps nothing but its userid."""
    values = {"state": "closed", "password": NO_PASSWORD, "preferences": "{}", "digest_at": None}
    act.session.execute(update(players).where(players.c.id == old.id).values(values))
    row = {"player_id": old.id, "at": act.now, "actor": act.actor, "reason": act.reason_line}
    act.session.execute(insert(audit).values(action="merged", **row))


def _rate_again(act: OperatorAct, old: Player) -> None:
    """Compute the ratings of all games that the first has played anew."""
    games = select(ratings.c.game).where(ratings.c.player_id == old.id)
    for game in sorted(act.session.execute(games).scalars()):
        rebuild_ratings(act.session, game)

"""`takeover` and `handover`: another player takes over a seat.

A seat can be taken over that was handed over, whose player is late or gone, or has just left; in
Diplomacy any power in civil disorder. The result counts for the player who has the seat at the end.
On a rated board the others must agree, since a losing player could slip away. In a match of teams
the captain replaces one member by another, and nobody else is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import delete, update

from pbm.core.board import TAKES_OVER, Board
from pbm.core.call import Call
from pbm.core.context import Context, add_audit_row
from pbm.core.log import build_entry
from pbm.core.notices import Notice
from pbm.core.player import Player, find_player, get_player
from pbm.core.refusal import Refusal, RefusalCode, tell_limit
from pbm.core.seat import Person, Seat
from pbm.core.storing import save
from pbm.core.turns import require_in_play, require_under_way
from pbm.core.updates import build_change, notify_changes
from pbm.features.parties.matches import find_busy, find_teams
from pbm.features.parties.notices import HandedOver, SeatOffered, SeatPassedOn
from pbm.features.parties.rows import (
    find_offers,
    forget_offer,
    has_seen_other,
    list_able,
    note_left,
    offer_seat,
)
from pbm.rules.game import TAKEOVER
from pbm.rules.phrases import Listing, phrase
from pbm.rules.typed import listing
from pbm.store import reads
from pbm.store.reads import find_blockers, find_captain
from pbm.store.tables import seat_members, watchers
from pbm.store.transaction import Session


def build_rule(board: Board, seat: Seat, *, is_exchange: bool = False) -> str:
    """Return for whom the result of a seat counts that another player takes over, or another member
    of its party or team (`is_exchange`)."""
    if seat.decides:
        return phrase(
            "its result and its rating are those of {party}, whoever plays for it",
            party=seat.userid,
        )
    if board.rated and is_exchange:
        return phrase(
            "this board is rated: its result counts for whoever has the seat at the end, and not "
            "for who left it"
        )
    if board.rated:
        return phrase(
            "this board is rated: its result counts for whoever has the seat at the end, and not "
            "for who left it, so the others are asked first"
        )
    return phrase("the result is that of whoever has the seat at the end")


def may_pass(session: Session, board: Board, seat: Seat) -> bool:
    """Whether anybody may take over a seat whose player is late or has left: not in events, not
    where a team has other members, and not where the game itself says who may."""
    if board.event is not None or seat.decides or board.position.takes_orders:
        return False
    goes_on = board.state == "running" and board.position.outcome is None
    return goes_on and not find_teams(session, board.id)


class _Passed(NamedTuple):
    """A seat to be handed over.

    seat    the seat
    member  the member of its party whose place it is; 0 for the seat itself
    team    the team of which the next player must be; 0 for any player
    """

    seat: Seat
    member: int = 0
    team: int = 0


def hand_over(call: Call) -> list[Notice]:
    """Ask another player to take over the sender's seat, or their place in its party; a captain
    asks a member of the team to replace another one. Until they agree, the present player plays on.
    Refuse players who cannot take over, and boards of events other than matches of teams."""
    board = call.load_board()
    require_under_way(board)
    name = board.game.info.name
    form = f"{name} handover {board.id} {{user}} PASSWORD USERID"
    passed = _find_passed_on(call, board, form)
    seat = passed.seat
    if board.event is not None and not passed.team:
        raise board.make_refusal(
            RefusalCode.IN_EVENT,
            phrase("board {board} belongs to an event: its seats stay", board=board.id),
        )
    require_in_play(board, seat)
    player = _find_asked(call, board, passed, form)
    offer_seat(call.session, board.id, seat.seat, player.id, passed.member)
    power = board.position.seat_names[seat.seat]
    rule = build_rule(board, seat, is_exchange=bool(passed.team))
    who = phrase(
        "{who} asks you to play {power} on board {board}",
        who=call.me.userid if not board.is_anonymous else phrase("its player"),
        power=power,
        board=board.id,
    )
    offered = SeatOffered(
        game=name,
        board=board.id,
        userid=player.userid,
        power=power,
        who=who,
        names="" if board.is_anonymous else call.me.userid,
        rule=rule,
    )
    asked = call.build_notice(player, offered)
    holder = passed.member or seat.player
    if holder == call.me.id:
        news = phrase(
            "you have asked {player} to go on with your seat; until they agree, you play on",
            player=player.userid,
        )
        return [call.answer(HandedOver(game=name, board=board.id, news=news, rule=rule)), asked]
    news = phrase(
        "you have asked {player} to go on for {left}, who plays on until they agree",
        player=player.userid,
        left=seat.name_member(holder),
    )
    told = phrase(
        "{captain}, the captain, has asked {player} to go on with your seat; until they agree, you "
        "play on",
        captain=call.me.userid,
        player=player.userid,
    )
    former = get_player(call.session, holder)
    notices = [call.answer(HandedOver(game=name, board=board.id, news=news, rule=rule)), asked]
    if former is not None and former.is_active:
        own = HandedOver(game=name, board=board.id, news=told, rule=rule)
        notices.append(call.build_notice(former, own))
    return notices


def _find_passed_on(call: Call, board: Board, form: str) -> _Passed:
    """Return the seat that the sender may hand over: their own, that of a member of a party that
    they lead, or in a match of teams any seat of the team that they lead."""
    me, teams = call.me.id, find_teams(call.session, board.id)
    words = call.command.words
    for number, team in teams.items():
        seat, captain = board.seats[number], find_captain(call.session, team)
        if captain == me:
            return _Passed(seat, 0, team)
        if seat.player == me:
            leader = get_player(call.session, captain) if captain is not None else None
            raise board.make_refusal(
                RefusalCode.NOT_CAPTAIN,
                phrase(
                    "in a match of teams that is for the captain, {captain}",
                    captain=leader.userid if leader is not None else "?",
                ),
            )
    seat = board.find_seat(call.me)
    if len(words) < 2:
        return _Passed(seat, me if seat.decides else 0)
    wanted = words[1].lower()
    member = next((each for each in seat.members if each.account.lower() == wanted), None)
    if member is None or find_captain(call.session, seat.player) != me:
        raise board.make_refusal(
            RefusalCode.NOT_CAPTAIN,
            phrase(
                "{userid} does not hold this seat with you, or you are not the captain",
                userid=words[1],
            ),
            form,
        )
    return _Passed(seat, member.player, seat.player if member.player != me else 0)


def _find_asked(call: Call, board: Board, passed: _Passed, form: str) -> Player:
    """Return the player named by the first word. Refuse one who cannot take over."""
    player = find_player(call.session, "".join(call.command.words[:1]))
    is_free = player is not None and player.is_active and not (player.is_bot or player.is_team)
    if player is None or not is_free or player.id in find_blockers(call.session, call.me.id):
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER, phrase("nobody of that userid can be asked"), form
        )
    if player.id in board.people and not board.is_anonymous:
        raise board.make_refusal(
            RefusalCode.ALREADY_SEATED, phrase("whoever plays on the board cannot be asked"), form
        )
    if passed.team and player.id not in list_able(call.session, passed.team):
        raise board.make_refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("{player} is not of the team", player=player.userid),
            form,
        )
    if passed.team and player.id in find_busy(call.session, board.id):
        raise board.make_refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("{player} plays on another board of the match", player=player.userid),
            form,
        )
    return player


def take_over(call: Call) -> list[Notice]:
    """Give the sender a seat that was left or handed over, or ask the others about it. Refuse a
    sender who plays on the board, runs it, or has too many boards, and a seat that nobody has
    left."""
    board = call.load_board()
    offers = find_offers(call.session, board.id, call.me.id)
    seat = _find_left(call, board, offers, call.command.words)
    _require_free(call, board, seat, offers)
    member = offers.get(seat.seat, 0)
    asked = _list_asked(board, seat) if not _is_exchange(call, board, seat, offers) else ()
    if not asked:
        return give_seat(call, board, seat, call.me, member)
    kind = f"{TAKES_OVER} {call.me.userid}"
    agreed = [each.seat for each in board.seats if each.seat not in asked]
    for other in [each for each in board.proposals if each.startswith(TAKES_OVER)]:
        board.reject(other)
    board.begin_act()
    board.propose(kind, [seat.seat, *(each for each in agreed if each != seat.seat)])
    save(call.session, board, call.now)
    event = phrase("{player} would play on for {left}", player=call.me.userid, left=seat.userid)
    notices = notify_changes(call, board, [build_change(board, event)])
    people = Listing([board.seats[each].userid for each in asked])
    news = phrase("you go on with the seat once this has the consent of {people}", people=people)
    name = board.game.info.name
    told = HandedOver(game=name, board=board.id, news=news, rule=build_rule(board, seat))
    return [call.answer(told), *notices]


def _is_exchange(context: Context, board: Board, seat: Seat, offers: Mapping[int, int]) -> bool:
    """Whether a member of the same party, or of the same team in a match, was asked to take
    over."""
    if seat.seat not in offers:
        return False
    return bool(offers[seat.seat]) or seat.seat in find_teams(context.session, board.id)


def _list_asked(board: Board, seat: Seat) -> Sequence[int]:
    """Return the seats whose players must agree: on a rated board those of other people who play
    on; none where the game says who may take over a seat."""
    if not board.rated or board.position.takes_orders:
        return ()
    return [
        each.seat
        for each in board.seats
        if each is not seat and not each.is_bot and each.seat in board.position.playing
    ]


def agree(call: Call, board: Board, kind: str) -> list[Notice]:
    """Give the requested seat to the player who asked for it, after the others have agreed. Refuse
    where that is no longer possible."""
    player = find_player(call.session, kind.partition(" ")[2])
    seat = board.seats[board.proposals[kind][0]]
    board.reject(kind)
    if player is None or not player.is_active or player.id in board.people:
        raise board.make_refusal(
            RefusalCode.PLAYER_UNAVAILABLE, phrase("that player cannot take the seat over any more")
        )
    return give_seat(call, board, seat, player)


def give_seat(
    context: Context, board: Board, seat: Seat, player: Player, member: int = 0
) -> list[Notice]:
    """Give a seat, or (`member`) a place in its party, to another player, and notify everybody, the
    former player too."""
    session, power = context.session, board.position.seat_names[seat.seat]
    before = seat.name_member(member) if member else seat.account
    left = member or seat.player
    is_exchange = seat.seat in find_teams(session, board.id)
    rule = build_rule(board, seat, is_exchange=is_exchange)
    has_left = seat.seat in board.position.vacant or seat.seat not in board.position.playing
    board.begin_act()
    if member:
        _replace_member(context, board, seat, member, player)
    else:
        _seat(context, board, seat, player)
    forget_offer(session, board.id, seat.seat)
    own = watchers.c.board_id == board.id, watchers.c.player_id == player.id
    session.execute(delete(watchers).where(*own))
    save(session, board, context.now)
    add_audit_row(
        context,
        player.userid,
        f"takes over {power}",
        player=player.id,
        board=board.id,
        reason=before,
    )
    event, actors = phrase("{power} has a new player", power=power), ""
    if not board.is_anonymous:
        event = phrase("{player} took over {power}", player=player.userid, power=power)
        is_own = context.player is not None and context.player.id == player.id
        actors = phrase("you took over {power}", power=power) if is_own else ""
    change = build_change(board, event, own=actors, actor=seat.seat)
    notices = notify_changes(context, board, [change])
    former = get_player(session, left)
    if former is not None:
        note_left(context, former, board.id, power)
    if former is not None and not has_left and former.is_active and not former.is_bot:
        told = SeatPassedOn(
            game=board.game.info.name,
            board=board.id,
            power=power,
            by="" if board.is_anonymous else player.userid,
            rule=rule if not board.position.takes_orders else "",
        )
        notices.append(context.build_notice(former, told))
    return notices


def _seat(context: Context, board: Board, seat: Seat, player: Player) -> None:
    """Put a player on a seat, instead of whoever held it."""
    if board.position.takes_orders:
        board.play_orders(seat.seat, [TAKEOVER], context.now)
    elif seat.seat not in board.position.playing:
        log = [build_entry(row) for row in reads.find_log(context.session, board.id)]
        board.take_back(board.ply, None, "", log, context.now)
    elif seat.seat in board.position.to_move:
        board.turn_began = context.now
    seat.player, seat.account = player.id, player.userid
    seat.is_active, seat.preferences = True, player.preferences
    seat.accept()
    seat.discard_plans()
    seat.notes = 0
    seat.tried = None


def _replace_member(
    context: Context, board: Board, seat: Seat, member: int, player: Player
) -> None:
    """Put a player in the place of a member of the party that holds a seat."""
    own = (
        seat_members.c.board_id == board.id,
        seat_members.c.seat == seat.seat,
        seat_members.c.player_id == member,
    )
    context.session.execute(update(seat_members).where(*own).values(player_id=player.id))
    new = Person(player.id, player.userid, True, player.preferences)
    seat.members = tuple(new if each.player == member else each for each in seat.members)


def _find_left(call: Call, board: Board, offers: dict[int, int], words: Sequence[str]) -> Seat:
    """Return the abandoned seat that the words name, by its name or its player's userid; without
    words the only one."""
    names = board.position.seat_names
    left = sorted(_list_left(call, board, offers)) if board.state == "running" else []
    wanted = " ".join(words).lower()
    found = [
        seat
        for seat in left
        if names[seat].lower().startswith(wanted)
        or (board.seats[seat].userid.lower() == wanted and not board.is_anonymous)
    ]
    if len(found) == 1:
        return board.seats[found[0]]
    reason = phrase("nobody has left a seat there")
    if left:
        listed = listing([names[seat] for seat in left])
        reason = phrase("choose one of these: {powers}", powers=listed)
    name = board.game.info.name
    line = f"{name} takeover {board.id} {{user}} PASSWORD"
    lines = [f"{line} {names[seat].lower()}" for seat in left]
    raise board.make_refusal(
        RefusalCode.BAD_ARGUMENT, reason, *(lines or [f"{name} show {board.id}"])
    )


def _list_left(call: Call, board: Board, offers: dict[int, int]) -> set[int]:
    """Return the seats that the sender may take over: those offered to them, those vacant by the
    game's rules, and elsewhere those whose player is late, has closed the account, or left as the
    last act on the board."""
    position = board.position
    left = position.vacant | (offers.keys() & position.playing)
    late = {s.seat for s in board.on_move if _is_late(call, s)}
    end = reads.find_end_of_log(call.session, board.id, 1)
    gone = {row.seat for row in end if row.kind in ("resign", "forfeit") and row.seat is not None}
    passing = (each for each in late | gone if may_pass(call.session, board, board.seats[each]))
    return {*left, *passing}


def _is_late(call: Call, seat: Seat) -> bool:
    """Whether a player who is to move was warned, or has closed the account; not one who said
    before that they would be away."""
    if not seat.is_active or seat.due is None:
        return not seat.is_active
    stops = reads.find_pauses(call.session, seat.player, call.now)
    return not any(each.kind == "vacation" and each.begins <= call.now for each in stops)


def _require_free(call: Call, board: Board, seat: Seat, offers: Mapping[int, int]) -> None:
    """Refuse a sender who has a part in the board, or too many boards."""
    player, show = call.me, board.show_line
    others = [
        each for each in board.seats if each is not seat or seat.seat in board.position.playing
    ]
    if any(each.is_held_by(player.id) for each in others):
        raise board.make_refusal(
            RefusalCode.ALREADY_SEATED, phrase("you play on board {board}", board=board.id), show
        )
    master = reads.find_master(call.session, board.id)
    if master is not None and master.id == player.id:
        raise board.make_refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("you are the master of board {board}: a master does not play", board=board.id),
            show,
        )
    power = board.position.seat_names[seat.seat]
    if board.is_hidden and has_seen_other(call.session, board.id, player.id, power):
        raise board.make_refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("you have seen what is hidden from this seat on board {board}", board=board.id),
            show,
        )
    blockers = find_blockers(call.session, player.id)
    is_fixed = board.event is not None and not _is_exchange(call, board, seat, offers)
    if is_fixed or board.people & {*blockers}:
        raise board.make_refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("you cannot take over a seat on board {board}", board=board.id),
            show,
        )
    most = call.config.limits.open_boards
    if most and reads.count_open_boards(call.session, player.id) >= most:
        raise Refusal(RefusalCode.LIMIT_REACHED, tell_limit(most), show)

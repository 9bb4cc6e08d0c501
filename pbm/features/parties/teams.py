"""Teams: players who play together under one name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import delete, func, insert, select, true, update

from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.context import Context
from pbm.core.notices import Notice
from pbm.core.player import (
    TEAM_SIGN,
    Player,
    find_player,
    get_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import load
from pbm.features.parties.groups import DECLINED, find_invited, find_word, make_team, require_text
from pbm.features.parties.matches import build_table, find_matches
from pbm.features.parties.notices import TeamInvited, TeamNews, TeamShown, TeamWords
from pbm.features.parties.rows import note_left
from pbm.rules.phrases import Listing, phrase
from pbm.store import reads
from pbm.store.reads import TeamMemberNameRow, find_led_teams, find_open_board_numbers
from pbm.store.tables import (
    CAPTAIN,
    INVITED,
    MEMBER,
    RESERVE,
    boards,
    match_boards,
    seat_members,
    seats,
    team_members,
)

_LINE = "team show NAME"
_MOST_BOARDS = 20
_MOST_MATCHES = 3
_MOST_MEMBERS = 40
_NONE = "none"
_SILENT = 14 * DAY
"""The silence after which members may replace their captain."""


def make(call: Call) -> list[Notice]:
    """Make a team, with the sender as captain. Refuse a taken or invalid name, and one team too
    many."""
    me = call.me
    call.require_voice()
    most = call.config.limits.teams
    led = select(func.count()).where(
        team_members.c.player_id == me.id, team_members.c.role == CAPTAIN
    )
    if most and call.session.execute(led).scalar_one() >= most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED, phrase("you lead {most} teams, the limit", most=most)
        )
    form = "team new NAME {user} PASSWORD"
    name = "".join(call.command.words[:1])
    team = make_team(call, name, form)
    news = phrase(
        "you lead the team {team}; to invite players: {line}",
        team=team.userid,
        line=f"team invite {team.userid.removeprefix(TEAM_SIGN)} USERID",
    )
    return [_answer(call, team, news)]


def invite(call: Call) -> list[Notice]:
    """Invite players to the sender's team. Refuse everybody but its captain, and an unknown
    userid."""
    form = "team invite NAME USERID {user} PASSWORD"
    team = _find_led(call, form)
    members = {row.player_id for row in reads.find_team(call.session, team.id)}
    found = find_invited(call, call.command.words[1:], form)
    invited = [player for player in found if player.id not in members]
    if len(members) + len(invited) > _MOST_MEMBERS:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("a team has at most {most} members", most=_MOST_MEMBERS),
        )
    names = [row.userid for row in _list_members(call, team)]
    for player in invited:
        _add(call, team, player, INVITED)
    asked = phrase("you have invited {people}", people=Listing([each.userid for each in invited]))
    news = asked if invited else phrase("all of these play there or are invited")
    return [
        _answer(call, team, news),
        *(
            call.build_notice(
                player,
                TeamInvited(
                    userid=player.userid, team=team.userid, writer=call.me.userid, members=names
                ),
            )
            for player in invited
        ),
    ]


def join(call: Call) -> list[Notice]:
    """Join a team to which the sender was invited. Boards that have begun go on without them."""
    team = _find_team(call, "team join NAME {user} PASSWORD")
    own = next(
        (r for r in reads.find_team(call.session, team.id) if r.player_id == call.me.id), None
    )
    if own is None:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("you were not invited to {team}: its captain invites", team=team.userid),
            f"team show {team.userid}",
        )
    if own.role != INVITED:
        raise Refusal(
            RefusalCode.ALREADY_DONE, phrase("you are a member of {team}", team=team.userid)
        )
    _remove(call, team, call.me.id)
    _add(call, team, call.me, MEMBER)
    told = phrase("{team} has a new member, {userid}", userid=call.me.userid, team=team.userid)
    answer = _answer(call, team, phrase("you are a member of {team}", team=team.userid))
    captains = [row for row in _list_members(call, team) if row.role == CAPTAIN]
    return [answer, *_tell_these(call, team, captains, told)]


def leave(call: Call) -> list[Notice]:
    """Leave a team and all seats that it holds, or decline its invitation. When the captain leaves,
    the longest-standing member becomes captain. Refuse the last member while the team's boards go
    on."""
    team = _find_team(call, "team leave NAME {user} PASSWORD")
    rows = reads.find_team(call.session, team.id)
    own = next((row for row in rows if row.player_id == call.me.id), None)
    if own is None:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT, phrase("you are no member of {team}", team=team.userid)
        )
    if call.command.is_declining and own.role != INVITED:
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("you are a member of {team}", team=team.userid),
            f"team leave {team.userid.removeprefix('@')} {{user}} PASSWORD",
        )
    others = [row for row in rows if row.role != INVITED and row.player_id != call.me.id]
    if own.role == CAPTAIN and not others and find_open_board_numbers(call.session, team.id):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("you are its last member, and its boards go on: resign there first"),
            f"team show {team.userid}",
        )
    _remove(call, team, call.me.id)
    of_team = select(seats.c.board_id).where(seats.c.player_id == team.id)
    for number in find_open_board_numbers(call.session, team.id):
        board = load(call.session, number, anyway=True)
        for seat in board.seats:
            if seat.player == team.id and seat.is_held_by(call.me.id):
                note_left(call, call.me, number, board.position.seat_names[seat.seat])
    call.session.execute(
        delete(seat_members).where(
            seat_members.c.player_id == call.me.id, seat_members.c.board_id.in_(of_team)
        )
    )
    if own.role == INVITED:
        return [call.answer(TeamNews(userid=call.me.userid, team=team.userid, news=DECLINED))]
    if own.role == CAPTAIN and others:
        _crown(call, team, _find_next(others))
    told = phrase("{team} is without {userid} now", userid=call.me.userid, team=team.userid)
    news = phrase("you have left {team}, and the seats that it holds", team=team.userid)
    answer = call.answer(TeamNews(userid=call.me.userid, team=team.userid, news=news))
    return [answer, *_tell(call, team, told, call.me.id)]


def _find_next(rows: Sequence[TeamMemberNameRow]) -> int:
    """Return the next captain: the longest-standing of these members who is no reserve."""
    return min(rows, key=lambda row: row.role == RESERVE).player_id


def pass_on_captaincies(context: Context, player: Player) -> list[Notice]:
    """Appoint the next captain of each team whose captain closes the account."""
    notices = list[Notice]()
    for number, _ in find_led_teams(context.session, player.id):
        team = get_player(context.session, number)
        rows = _list_members(context, team) if team is not None else ()
        others = [row for row in rows if row.player_id != player.id and row.state == "active"]
        if team is None or not others:
            continue
        chosen = _find_next(others)
        _crown(context, team, chosen)
        name = next(row.userid for row in others if row.player_id == chosen)
        told = phrase(
            "{left} has closed the account: {team} is led by {userid} now",
            left=player.userid,
            team=team.userid,
            userid=name,
        )
        notices += _tell(context, team, told, player.id)
    return notices


def appoint(call: Call) -> list[Notice]:
    """Make another member the captain, also on the team's boards. Members may do so when the
    captain has been silent for two weeks."""
    form = "team captain NAME USERID {user} PASSWORD"
    team = _find_team(call, form)
    if not _may_appoint(call, team):
        team = _find_led(call, form)
    wanted = "".join(call.command.words[1:2]).lower()
    chosen = next((r for r in _list_members(call, team) if r.userid.lower() == wanted), None)
    if chosen is None or chosen.state != "active":
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER, phrase("name a member of {team}", team=team.userid), form
        )
    _crown(call, team, chosen.player_id)
    told = phrase("{team} is led by {userid} now", userid=chosen.userid, team=team.userid)
    return [_answer(call, team, told), *_tell(call, team, told, call.me.id)]


def name_reserves(call: Call) -> list[Notice]:
    """Make exactly these members the reserves of the sender's team; `none` ends it. Refuse
    everybody but its captain, the captain as a reserve, and players who are no members."""
    form = "team reserves NAME USERID {user} PASSWORD"
    team = _find_led(call, form)
    rows = {row.userid.lower(): row for row in _list_members(call, team)}
    words = [word.lower() for word in call.command.words[1:]]
    wanted = [] if words == [_NONE] else words
    unknown = [word for word in wanted if word not in rows or rows[word].role == CAPTAIN]
    if unknown or not words:
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER,
            phrase("name members of {team}, or none: its captain is no reserve", team=team.userid),
            form,
        )
    own = team_members.c.team_id == team.id
    chosen = [rows[word].player_id for word in wanted]
    for role, is_it in (
        (MEMBER, team_members.c.role == RESERVE),
        (RESERVE, team_members.c.player_id.in_(chosen)),
    ):
        call.session.execute(update(team_members).where(own, is_it).values(role=role))
    people = Listing([rows[word].userid for word in dict.fromkeys(wanted)])
    told = phrase("{team} has no reserves now", team=team.userid)
    if wanted:
        told = phrase("reserves of {team} are {people} now", people=people, team=team.userid)
    return [_answer(call, team, told), *_tell(call, team, told, call.me.id)]


def show(call: Call) -> list[Notice]:
    """Show a team's members; only members see its invitations."""
    return [_answer(call, _find_team(call, _LINE), "")]


def say(call: Call) -> list[Notice]:
    """Send the body to the other members of a team. Refuse a sender who is no member."""
    team = _find_team(call, "team say NAME {user} PASSWORD")
    people = _list_members(call, team)
    if call.me.id not in [row.player_id for row in people]:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT, phrase("you are no member of {team}", team=team.userid)
        )
    text = require_text(call, "team say NAME {user} PASSWORD")
    others = [row for row in people if row.player_id != call.me.id]
    names = Listing([row.userid for row in others] or [phrase("nobody else")])
    notices = [
        call.build_notice(
            player,
            TeamWords(userid=player.userid, team=team.userid, writer=call.me.userid, text=text),
        )
        for player in _load(call, others)
    ]
    own = TeamWords(userid=call.me.userid, team=team.userid, writer="", text=text, names=names)
    return [call.answer(own), *notices]


def _find_team(call: Call, form: str) -> Player:
    """Return the team that the first word names, with or without its @."""
    name = find_word(call, phrase("the name of the team is missing"), form)
    name = name.lower().removeprefix(TEAM_SIGN)
    team = find_player(call.session, TEAM_SIGN + name)
    if team is None:
        raise Refusal(RefusalCode.NO_SUCH_PLAYER, phrase("there is no team of that name"), form)
    return team


def _find_led(call: Call, form: str) -> Player:
    """Return the team. Refuse a sender who is not its captain."""
    team = _find_team(call, form)
    captain = next((row for row in _list_members(call, team) if row.role == CAPTAIN), None)
    if captain is None or captain.player_id != call.me.id:
        raise Refusal(
            RefusalCode.NOT_CAPTAIN,
            phrase("that is for the captain of {team}", team=team.userid),
            f"team show {team.userid}",
        )
    return team


def _may_appoint(call: Call, team: Player) -> bool:
    """Whether the sender is a member of a team whose captain is silent."""
    rows = _list_members(call, team)
    number = next((row.player_id for row in rows if row.role == CAPTAIN), 0)
    captain = get_player(call.session, number)
    is_heard = captain is not None and captain.is_active and captain.seen > call.now - _SILENT
    return call.me.id in [row.player_id for row in rows] and not is_heard


def _list_members(context: Context, team: Player) -> Sequence[TeamMemberNameRow]:
    return [row for row in reads.find_team(context.session, team.id) if row.role != INVITED]


def _load(context: Context, rows: Iterable[TeamMemberNameRow]) -> list[Player]:
    found = [get_player(context.session, row.player_id) for row in rows]
    return [each for each in found if each is not None and each.is_active]


def _add(context: Context, team: Player, player: Player, role: str) -> None:
    row = {"team_id": team.id, "player_id": player.id, "role": role, "since": context.now}
    context.session.execute(insert(team_members).values(row))


def _remove(context: Context, team: Player, player: int) -> None:
    own = team_members.c.team_id == team.id, team_members.c.player_id == player
    context.session.execute(delete(team_members).where(*own))


def _crown(context: Context, team: Player, player: int) -> None:
    """Make a member the captain of a team, also on the boards that it plays."""
    session, of_team = context.session, team_members.c.team_id == team.id
    for role, is_chosen in (
        (MEMBER, team_members.c.role == CAPTAIN),
        (CAPTAIN, team_members.c.player_id == player),
    ):
        session.execute(update(team_members).where(of_team, is_chosen).values(role=role))
    held = select(seats.c.board_id).where(seats.c.player_id == team.id)
    lowest = select(func.min(seat_members.c.place)).where(seat_members.c.board_id.in_(held))
    place = session.execute(lowest).scalar()
    if place is not None:
        own = seat_members.c.player_id == player, seat_members.c.board_id.in_(held)
        session.execute(update(seat_members).where(*own).values(place=place - 1))


def _tell(context: Context, team: Player, news: str, actor: int) -> list[Notice]:
    """Return notices of a change to the other members."""
    others = [row for row in _list_members(context, team) if row.player_id != actor]
    return _tell_these(context, team, others, news)


def _tell_these(
    context: Context, team: Player, members: Iterable[TeamMemberNameRow], news: str
) -> list[Notice]:
    return [
        context.build_notice(player, TeamNews(userid=player.userid, team=team.userid, news=news))
        for player in _load(context, members)
    ]


def _answer(call: Call, team: Player, news: str) -> Notice:
    """Return the answer that shows the team, below the news."""
    rows = reads.find_team(call.session, team.id)
    members = [row for row in rows if row.role != INVITED]
    is_inside = call.player is not None and call.player.id in [row.player_id for row in members]
    held = (
        select(boards.c.id, boards.c.game)
        .join(seats, seats.c.board_id == boards.c.id)
        .where(
            seats.c.player_id == team.id,
            boards.c.state == "running",
            true() if is_inside or call.sees_all else boards.c.private.is_(False),
        )
        .order_by(boards.c.id.desc())
        .limit(_MOST_BOARDS)
    )
    return call.answer(
        TeamShown(
            team=team.userid,
            news=news,
            captain="".join(row.userid for row in members if row.role == CAPTAIN),
            members=[row.userid for row in members if row.role == MEMBER],
            reserves=[row.userid for row in members if row.role == RESERVE],
            invited=[row.userid for row in rows if row.role == INVITED] if is_inside else [],
            boards=[f"{game} show {number}" for number, game in call.session.tuples(held)],
            matches=[
                build_table(call, row)
                for row in find_matches(call.session, team.id, _MOST_MATCHES)
                if is_inside or _may_see(call, row.id)
            ],
        )
    )


def _may_see(call: Call, match: int) -> bool:
    """Whether the sender may see a match. One with private boards has a table only for those who
    may see these."""
    hidden = select(boards.c.id).join(match_boards, match_boards.c.board_id == boards.c.id)
    own = hidden.where(match_boards.c.match_id == match, boards.c.private).limit(1)
    number = call.session.execute(own).scalar()
    try:
        if number is not None:
            call.require_sight(load(call.session, number))
    except Refusal:
        return False
    return True

"""Matches against another town: an officer invites its captain, the captain enters a team by a list
of addresses, each of which gets one invitation, and either begins the boards.

The invitations are the officer's: they count as all of a player's do, and wait for a moderator
beyond a day's number."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import delete, insert, select, update

from pbm.core.call import Call
from pbm.core.clubs import describe_match
from pbm.core.context import add_audit_row
from pbm.core.notices import Notice
from pbm.core.options import load_terms, read_terms
from pbm.core.player import (
    GUEST,
    TEAM_SIGN,
    Player,
    find_player,
    find_players_by_address,
    get_player,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import find_title
from pbm.core.words import find_game_name, parse_number
from pbm.features.accounts.addresses import read_addresses
from pbm.features.accounts.admission import require_admission
from pbm.features.accounts.inviting import mail_invitation, open_invitation
from pbm.features.accounts.notices import Welcome
from pbm.features.accounts.tables import friend_invitations
from pbm.features.clubs.members import find_led, map_players
from pbm.features.clubs.notices import ClubMatchShown, GuestCalled
from pbm.features.lobby.challenges import start_match
from pbm.features.parties.groups import make_team
from pbm.features.parties.matches import find_matches
from pbm.games import get_game
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads import find_captain
from pbm.store.rows import Query
from pbm.store.tables import (
    CAPTAIN,
    INVITED,
    MEMBER,
    ClubGuestRow,
    ClubMatchRow,
    ClubRow,
    club_guests,
    club_matches,
    clubs,
    team_members,
)

_FORM = "club match NAME GAME @TEAM CAPTAIN@EXAMPLE.ORG {user} PASSWORD --boards=6"
_RESERVES = 2
_USUAL_BOARDS = 4


def make(call: Call) -> list[Notice]:
    """Invite the captain of another town to a match against a team of the club; given the number of
    a match, show it. Refuse everybody but the club's officers, a team that the sender does not
    lead, and a game that is not for two."""
    if len(call.command.words) == 1 and (number := parse_number(call.command.words[0])):
        return [_show(call, _require_part(call, number), "")]
    club = find_led(call, _FORM)
    words = list(call.command.words[1:])
    teams = [word for word in words if word.startswith(TEAM_SIGN)]
    named = [word for word in words if "@" in word[1:]]
    options = [word for word in words if word not in (*teams, *named)]
    name = find_game_name(options[0]) if options else ""
    if not name or len(teams) != 1 or len(named) != 1:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("name a game, a team that you lead, and the address of the other captain"),
            _FORM,
        )
    game, home = get_game(name), find_player(call.session, teams[0])
    terms = read_terms(game, options[1:], lambda _: _FORM, writer=call)
    if terms.userids or 2 not in game.info.players:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT, phrase("such a match is of boards for two players"), _FORM
        )
    if home is None or find_captain(call.session, home.id) != call.me.id:
        raise Refusal(
            RefusalCode.NOT_CAPTAIN,
            phrase("the captain of the team that is to play makes the match"),
            "team new NAME {user} PASSWORD",
        )
    terms.club, terms.private = club.name, True
    terms.boards = terms.boards or _USUAL_BOARDS
    (address,) = read_addresses(call, named, _FORM)
    row = {
        "club_id": club.id,
        "player_id": call.me.id,
        "home_id": home.id,
        "game": game.info.name,
        "options": json.dumps(terms.options),
        "server": json.dumps(terms.dump_server()),
        "created": call.now,
    }
    number = call.session.execute(
        insert(club_matches).values(row).returning(club_matches.c.id)
    ).scalar_one()
    match = _load(call, number)
    waits, told = _invite(call, match, call.me, [address], is_captain=True)
    news = phrase("the captain of the other town is invited")
    return [_show(call, match, news, waits=waits), *told]


def enter(call: Call) -> list[Notice]:
    """As captain, enter a team for a match: one address a line in the body. As a player who was
    invited and has an account already, join the match."""
    match = _find_own(call, "club enter MATCH TEAM {user} PASSWORD")
    own = _find_seat(call, match)
    if own is None or not own.is_captain:
        return _come(call, match)
    if match.match_id is not None:
        raise _refuse_begun(match)
    away = _name_team(call, match)
    match = _load(call, match.id)
    addresses = read_addresses(
        call, call.command.text.split(), f"club enter {match.id} TEAM {{user}} PASSWORD"
    )
    officer = get_player(call.session, match.player_id)
    if officer is None or not officer.is_active:
        raise Refusal(RefusalCode.WRONG_STATE, phrase("whoever made this match has left"))
    most = _load_boards(match) + _RESERVES - len(_find_seats(call, match))
    if len(addresses) > most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "there is room for {most} more addresses: nobody was invited", most=max(most, 0)
            ),
        )
    waits, told = _invite(call, match, officer, addresses, is_captain=False)
    news = phrase("{team} is entered, and its players are invited", team=away.userid)
    return [_show(call, match, news, waits=waits), *told]


def _come(call: Call, match: ClubMatchRow) -> list[Notice]:
    """Note that a guest of an earlier match has joined this one."""
    seat = next(
        (
            each
            for each in _find_seats(call, match)
            if each.player_id is None and _is_invited(call, each)
        ),
        None,
    )
    if seat is None:
        raise _refuse_no_match()
    if match.match_id is not None:
        raise _refuse_begun(match)
    own = update(club_guests).where(club_guests.c.invitation_id == seat.invitation_id)
    call.session.execute(own.values(player_id=call.me.id))
    return [_show(call, match, phrase("you play in this match"))]


def begin(call: Call) -> list[Notice]:
    """Begin the boards of a match: as many as were agreed, or as both sides can fill. Refuse
    everybody but the two captains, and a match without guests."""
    form = "club begin MATCH {user} PASSWORD"
    match = _find_own(call, form)
    own = _find_seat(call, match)
    if call.me.id != match.player_id and not (own is not None and own.is_captain):
        raise _refuse_no_match()
    if match.match_id is not None:
        raise _refuse_begun(match)
    home = get_player(call.session, match.home_id)
    away = get_player(call.session, match.away_id) if match.away_id is not None else None
    guests = [each for each in _find_seats(call, match) if each.player_id is not None]
    if home is None or away is None or not guests:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("the captain of the other town has not entered a team yet"),
            f"club match {match.id} {{user}} PASSWORD",
        )
    call.session.execute(delete(team_members).where(team_members.c.team_id == away.id))
    for seat in guests:
        role = CAPTAIN if seat.is_captain else MEMBER
        row = {"team_id": away.id, "player_id": seat.player_id, "role": role, "since": call.now}
        call.session.execute(insert(team_members).values(row))
    terms = load_terms(json.loads(match.options), json.loads(match.server))
    sides = [len(map_players(call, _list_members(call, team))) for team in (home, away)]
    terms.boards = min(terms.boards, *sides)
    notices = start_match(call, get_game(match.game), [home, away], terms, form)
    begun = find_matches(call.session, home.id, 1)[0]
    own_match = update(club_matches).where(club_matches.c.id == match.id)
    call.session.execute(own_match.values(match_id=begun.id))
    return notices


def _list_members(call: Call, team: Player) -> list[int]:
    return [row.player_id for row in reads.find_team(call.session, team.id) if row.role != INVITED]


def _load(call: Call, number: int) -> ClubMatchRow:
    query = select(club_matches).where(club_matches.c.id == number)
    return call.session.one(Query(ClubMatchRow, query))


def _find_own(call: Call, form: str) -> ClubMatchRow:
    """Return the match whose number is the first word. Refuse a sender who has no part in it."""
    number = parse_number("".join(call.command.words[:1]).lstrip("#"))
    if number is None:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, phrase("the number of the match is missing"), form
        )
    return _require_part(call, number)


def _require_part(call: Call, number: int) -> ClubMatchRow:
    """Return the match with that number. A sender who has no part in it gets the same refusal as
    for one that does not exist."""
    query = select(club_matches).where(club_matches.c.id == number)
    match = call.session.first(Query(ClubMatchRow, query))
    if match is not None and (
        match.player_id == call.me.id
        or _find_seat(call, match) is not None
        or any(_is_invited(call, each) for each in _find_seats(call, match))
    ):
        return match
    raise _refuse_no_match()


def _find_seats(call: Call, match: ClubMatchRow) -> Sequence[ClubGuestRow]:
    query = select(club_guests).where(club_guests.c.club_match_id == match.id)
    order = query.order_by(club_guests.c.is_captain.desc(), club_guests.c.invitation_id)
    return call.session.all(Query(ClubGuestRow, order))


def _find_seat(call: Call, match: ClubMatchRow) -> ClubGuestRow | None:
    seats = _find_seats(call, match)
    return next((each for each in seats if each.player_id == call.me.id), None)


def _is_invited(call: Call, seat: ClubGuestRow) -> bool:
    """Whether an invitation went to a confirmed address of the sender, who is a guest."""
    own = select(friend_invitations.c.address).where(friend_invitations.c.id == seat.invitation_id)
    address = call.session.execute(own).scalar()
    return call.me.is_guest and address in reads.find_addresses(call.session, call.me.id)


def stay(call: Call) -> list[Notice]:
    """Turn a guest into a player of this server. Refuse a guest whose address may not sign up here
    now."""
    me = call.me
    if not me.is_guest:
        raise Refusal(
            RefusalCode.ALREADY_DONE, phrase("you are a player of this server already"), "help"
        )
    for address in reads.find_addresses(call.session, me.id):
        require_admission(call, address)
    left = " ".join(role for role in me.roles.split() if role != GUEST)
    call.player = save_player(call.session, replace(me, roles=left))
    add_audit_row(call, me.userid, "club stay", player=me.id)
    return [call.answer(Welcome(userid=me.userid, has_password=me.has_password))]


def _load_boards(match: ClubMatchRow) -> int:
    return int(json.loads(match.server)["boards"])


def _name_team(call: Call, match: ClubMatchRow) -> Player:
    """Return the guests' team. The first time, make it with the name that its captain gives. Refuse
    an invalid name."""
    if match.away_id is not None and (team := get_player(call.session, match.away_id)) is not None:
        return team
    form = f"club enter {match.id} TEAM {{user}} PASSWORD"
    team = make_team(call, "".join(call.command.words[1:2]), form)
    own = update(club_matches).where(club_matches.c.id == match.id)
    call.session.execute(own.values(away_id=team.id))
    return team


def _invite(
    call: Call, match: ClubMatchRow, host: Player, addresses: Sequence[str], *, is_captain: bool
) -> tuple[int, list[Notice]]:
    """Invite these addresses to a match, each once. Return the number of mails that wait for a
    moderator, and the notices. A guest of an earlier match is called to this one; an address of a
    player of this server gets nothing, and the sender does not learn of it."""
    waiting, notices = 0, list[Notice]()
    for address in _leave_out_invited(call, match, addresses):
        number, waits = open_invitation(call, host, address)
        seat = {"invitation_id": number, "club_match_id": match.id, "is_captain": is_captain}
        call.session.execute(insert(club_guests).values(seat))
        waiting += waits
        known = find_players_by_address(call.session, address)
        for guest in known[:1]:
            if guest.is_guest:
                told = describe_match(call.session, _find_seats(call, match)[-1])
                content = GuestCalled(
                    userid=guest.userid, club=told.club, match=match.id, summary=told.summary
                )
                notices.append(replace(call.build_notice(guest, content), cause=host.id))
        notices += mail_invitation(call, number)
    return waiting, notices


def _leave_out_invited(call: Call, match: ClubMatchRow, addresses: Sequence[str]) -> list[str]:
    query = (
        select(friend_invitations.c.address)
        .join(club_guests, club_guests.c.invitation_id == friend_invitations.c.id)
        .where(club_guests.c.club_match_id == match.id)
    )
    invited = {*call.session.execute(query).scalars()}
    return [each for each in addresses if each not in invited]


def _show(call: Call, match: ClubMatchRow, news: str, waits: int = 0) -> Notice:
    """Return the answer that shows a match as it stands."""
    seats = _find_seats(call, match)
    people = [match.home_id, *([match.away_id] if match.away_id is not None else [])]
    teams = [each.userid for each in map_players(call, people)]
    came = map_players(call, [each.player_id for each in seats if each.player_id is not None])
    club = call.session.one(Query(ClubRow, select(clubs).where(clubs.c.id == match.club_id)))
    own = _find_seat(call, match)
    return call.answer(
        ClubMatchShown(
            userid=call.me.userid,
            club=club.name,
            match=match.id,
            news=news,
            title=find_title(match.game),
            home=teams[0],
            away=teams[1] if len(teams) > 1 else "",
            boards=_load_boards(match),
            guests=[each.userid for each in came],
            has_begun=match.match_id is not None,
            leads=match.player_id == call.me.id or (own is not None and own.is_captain),
            waits=waits,
        )
    )


def _refuse_begun(match: ClubMatchRow) -> Refusal:
    return Refusal(
        RefusalCode.ALREADY_DONE,
        phrase("match {number} has begun", number=match.id),
        "mine {user} PASSWORD",
    )


def _refuse_no_match() -> Refusal:
    return Refusal(
        RefusalCode.NO_SUCH_EVENT,
        phrase("you have no part in a match of clubs with that number"),
        "help clubs",
    )

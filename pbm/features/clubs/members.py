"""Clubs: making, joining and leaving one, and what officers do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sqlalchemy import delete, func, insert, select, update

from pbm.core.call import Call
from pbm.core.clubs import (
    INSIDE,
    NamedMemberRow,
    find_club,
    find_clubs_of,
    find_members,
    refuse_no_club,
)
from pbm.core.context import Context, add_audit_row
from pbm.core.notices import Notice
from pbm.core.player import Player, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.trust import HeldWords
from pbm.features.clubs.lists import show_club
from pbm.features.clubs.notices import (
    ClubAsked,
    ClubInvited,
    ClubLine,
    ClubList,
    ClubNews,
    ClubWords,
)
from pbm.features.clubs.periods import find_next_month
from pbm.features.parties.groups import DECLINED, find_invited, find_word, is_name, require_text
from pbm.locale.words import say_command_word, says_none
from pbm.rules.phrases import Listing, fill_in, phrase
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    ASKING,
    INVITED,
    MEMBER,
    OFFICER,
    ClubRow,
    boards,
    club_members,
    clubs,
    watchers,
)
from pbm.store.transaction import Session

_LONGEST_ABOUT = 300
_MOST_LISTED = 100
_COLOUR = re.compile(r"#[0-9a-f]{6}")


def make(call: Call) -> list[Notice]:
    """Make a club, with the sender as an officer; the body describes it. Refuse a taken or invalid
    name, and one club too many."""
    me, form = call.me, "club new NAME {user} PASSWORD"
    name = "".join(call.command.words[:1]).lower()
    if not is_name(name):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "the name of a club has 2 to 20 letters, digits, - and _, begins with a letter, "
                "and is no word of a command"
            ),
            form,
        )
    call.require_voice()
    most = call.config.limits.clubs
    led = select(func.count()).where(
        club_members.c.player_id == me.id, club_members.c.role == OFFICER
    )
    if most and call.session.execute(led).scalar_one() >= most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("you are an officer of {most} clubs, the limit", most=most),
        )
    if find_club(call.session, name) is not None:
        raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("there is a club of that name"), form)
    row = {"name": name, "created": call.now, "letter": find_next_month(call.now)}
    number = call.session.execute(insert(clubs).values(row).returning(clubs.c.id)).scalar_one()
    about = " ".join(call.command.text.split())[:_LONGEST_ABOUT]
    if about and not call.hold("club text", about, about=number):
        _change(call, number, about=about)
    _add(call, number, me, OFFICER)
    return [_answer(call, name, phrase("you are an officer of the club {club}", club=name))]


def pass_on_text(context: Context, words: HeldWords) -> list[Notice]:
    """Show an officer's description of a club, which was held."""
    _change(context, words.about, about=words.text)
    return []


def invite(call: Call) -> list[Notice]:
    """Invite players to a club; one who has asked to join is a member at once. Refuse everybody but
    its officers, and an unknown userid."""
    form = "club invite NAME USERID {user} PASSWORD"
    club = find_led(call, form)
    rows = {row.player_id: row for row in find_members(call.session, club.id)}
    asking = [number for number, row in rows.items() if row.role == ASKING]
    found = find_invited(call, call.command.words[1:], form)
    invited = [player for player in found if player.id not in rows]
    let_in = [player for player in found if player.id in asking]
    for player in invited:
        _add(call, club.id, player, INVITED)
    for player in let_in:
        _set_role(call, club.id, player.id, MEMBER)
    news = [
        fill_in(told, people=Listing([each.userid for each in people]))
        for told, people in (
            (phrase("you have invited {people}"), invited),
            (phrase("you have let in {people}"), let_in),
        )
        if people
    ] or [phrase("all of these belong to it or are invited")]
    welcome = phrase("you belong to the club {club} now", club=club.name)
    return [
        _answer(call, club.name, *news),
        *(
            call.build_notice(
                player,
                ClubInvited(
                    userid=player.userid,
                    club=club.name,
                    writer=call.me.userid,
                    about=club.about,
                ),
            )
            for player in invited
        ),
        *_tell(call, club, let_in, welcome),
    ]


def join(call: Call) -> list[Notice]:
    """Join a club to which the sender was invited; otherwise ask its officers."""
    club = find_named(call, "club join NAME {user} PASSWORD")
    rows = find_members(call.session, club.id)
    own = _find_own(call, rows)
    if own is not None and own.role in INSIDE:
        raise Refusal(
            RefusalCode.ALREADY_DONE, phrase("you belong to the club {club}", club=club.name)
        )
    if own is not None and own.role == INVITED:
        _set_role(call, club.id, call.me.id, MEMBER)
        told = phrase("the club has a new member, {userid}", userid=call.me.userid)
        answer = _answer(call, club.name, phrase("you belong to the club {club}", club=club.name))
        return [answer, *_tell(call, club, _load(call, rows, OFFICER), told)]
    if own is not None:
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("the officers of {club} know that you ask", club=club.name),
            f"club show {club.name}",
        )
    _add(call, club.id, call.me, ASKING)
    news = phrase("the officers of {club} are asked to let you in", club=club.name)
    answer = call.answer(_tell_news(call.me, club, news))
    return [
        answer,
        *(
            call.build_notice(
                officer,
                ClubAsked(userid=officer.userid, club=club.name, asker=call.me.userid),
            )
            for officer in _load(call, rows, OFFICER)
        ),
    ]


def leave(call: Call) -> list[Notice]:
    """Leave a club, or decline its invitation. The boards that the sender plays there go on. Refuse
    the last officer while there are members to lead."""
    club = find_named(call, "club leave NAME {user} PASSWORD")
    rows = find_members(call.session, club.id)
    own = _find_own(call, rows)
    if own is None:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT, phrase("you do not belong to the club {club}", club=club.name)
        )
    if call.command.is_declining and own.role in INSIDE:
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("you belong to the club {club} now", club=club.name),
            f"club leave {club.name} {{user}} PASSWORD",
        )
    members = [row for row in rows if row.role in INSIDE and row.player_id != call.me.id]
    officers = [row for row in members if row.role == OFFICER]
    if own.role == OFFICER and members and not officers:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("you are its last officer: make somebody else one first"),
            f"club officer {club.name} USERID {{user}} PASSWORD",
        )
    take_out(call, club, call.me.id)
    left = phrase("you have left the club {club}", club=club.name)
    answer = call.answer(_tell_news(call.me, club, DECLINED if own.role == INVITED else left))
    if own.role not in INSIDE:
        return [answer]
    told = phrase("the club is without {userid} now", userid=call.me.userid)
    return [answer, *_tell(call, club, _load(call, rows, OFFICER), told)]


def pass_on_offices(context: Context, player: Player) -> list[Notice]:
    """Make the longest-standing member an officer of each club whose last officer closes the
    account."""
    notices = list[Notice]()
    for name in find_clubs_of(context.session, player.id):
        club = find_club(context.session, name)
        rows = find_members(context.session, club.id) if club is not None else ()
        members = [row for row in rows if row.role in INSIDE and row.player_id != player.id]
        was_officer = any(row.role == OFFICER and row.player_id == player.id for row in rows)
        has_officers = any(row.role == OFFICER for row in members)
        if club is None or not (was_officer and members) or has_officers:
            continue
        _set_role(context, club.id, members[0].player_id, OFFICER)
        told = phrase(
            "{left} has closed the account: the club has a new officer, {userid}",
            left=player.userid,
            userid=members[0].userid,
        )
        notices += _tell(context, club, _load(context, members), told)
    return notices


def remove(call: Call) -> list[Notice]:
    """Remove a member, or decline somebody who asks to join. Refuse everybody but the officers, and
    the removal of an officer."""
    form = "club remove NAME USERID {user} PASSWORD"
    club = find_led(call, form)
    row = _find_member(call, club, form)
    if call.command.is_declining and row.role in INSIDE:
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("{userid} belongs to the club {club}", userid=row.userid, club=club.name),
            f"club remove {club.name} {row.userid} {{user}} PASSWORD",
        )
    if row.role == OFFICER:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("{userid} is an officer: officers leave by themselves", userid=row.userid),
        )
    take_out(call, club, row.player_id)
    add_audit_row(call, call.me.userid, f"club remove {club.name}", player=row.player_id)
    answer = _answer(call, club.name, phrase("the club is without {userid} now", userid=row.userid))
    if row.role == INVITED:
        return [answer]
    told = phrase("you do not belong to the club {club}", club=club.name)
    return [answer, *_tell(call, club, _load(call, [row]), told)]


def appoint(call: Call) -> list[Notice]:
    """Make a member an officer. Refuse everybody but the officers, and somebody who is no
    member."""
    form = "club officer NAME USERID {user} PASSWORD"
    club = find_led(call, form)
    row = _find_member(call, club, form)
    if row.role != MEMBER:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("{userid} is no member who could become one", userid=row.userid),
            f"club show {club.name}",
        )
    _set_role(call, club.id, row.player_id, OFFICER)
    told = phrase("the club has a new officer, {userid}", userid=row.userid)
    others = [each for each in find_members(call.session, club.id) if each.role == OFFICER]
    return [_answer(call, club.name, told), *_tell(call, club, _load(call, others), told)]


def show(call: Call) -> list[Notice]:
    """Show a club. Only members see its members and activity."""
    return [_answer(call, find_named(call, "club show NAME").name)]


class CountedClubRow(Row):
    """A club, with the number of its members."""

    name: str
    about: str
    count: int


_ALL = Query(
    CountedClubRow,
    select(clubs.c.name, clubs.c.about, func.count().label("count"))
    .join(club_members, club_members.c.club_id == clubs.c.id)
    .where(club_members.c.role.in_(INSIDE))
    .group_by(clubs.c.name, clubs.c.about)
    .order_by(clubs.c.name)
    .limit(_MOST_LISTED),
)


def count_clubs(session: Session) -> Sequence[CountedClubRow]:
    """Return the clubs that have members, with the number of members."""
    return session.all(_ALL)


def list_clubs(call: Call) -> list[Notice]:
    """List the clubs that have members."""
    lines = [
        ClubLine(club=row.name, about=row.about, count=row.count)
        for row in count_clubs(call.session)
    ]
    own = [name for each in call.readers for name in find_clubs_of(call.session, each.id)]
    return [call.answer(ClubList(clubs=lines, own=own))]


def say(call: Call) -> list[Notice]:
    """Send the body to all members who take such mails. Refuse everybody but the officers."""
    club = find_led(call, "club say NAME {user} PASSWORD")
    text = require_text(call, "club say NAME {user} PASSWORD")
    people = [each for each in list_readers(call, club) if each.id != call.me.id]
    own = _build_words(call.me, club, "", text, len(people))
    return [call.answer(own), *_say_to(call, club, call.me.userid, text, people)]


def pass_on_words(context: Context, words: HeldWords) -> list[Notice]:
    """Return the notices of an officer's held words, now released."""
    led = find_clubs_of(context.session, words.player)
    people = [each for each in map_players(context, words.players) if each.is_active]
    name = next(
        (
            name
            for name in led
            if all(name in find_clubs_of(context.session, each.id) for each in people)
        ),
        "",
    )
    club = find_club(context.session, name) if name else None
    return _say_to(context, club, words.userid, words.text, people) if club is not None else []


def _say_to(
    context: Context, club: ClubRow, writer: str, text: str, people: Iterable[Player]
) -> list[Notice]:
    return [
        context.build_notice(player, _build_words(player, club, writer, text)) for player in people
    ]


def _build_words(
    reader: Player, club: ClubRow, writer: str, text: str, count: int = 0
) -> ClubWords:
    return ClubWords(
        userid=reader.userid,
        club=club.name,
        colour=club.colour,
        writer=writer,
        text=text,
        count=count,
    )


def list_readers(context: Context, club: ClubRow) -> list[Player]:
    """List the members of a club who take mails to all members."""
    people = _load(context, find_members(context.session, club.id), *INSIDE)
    return [each for each in people if each.get_preference("broadcasts", "yes") == "yes"]


def set_colour(call: Call) -> list[Notice]:
    """Set the colour of a club's pages, or remove it. Refuse everybody but its officers."""
    form = "club colour NAME #1d4e89 {user} PASSWORD"
    club = find_led(call, form)
    colour = "".join(call.command.words[1:2]).lower()
    colour = "none" if says_none(colour) else colour
    if colour != "none" and not _COLOUR.fullmatch(colour):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "a colour is written as # and six digits of 0-9 and a-f, or {none}",
                none=say_command_word("none"),
            ),
            form,
        )
    _change(call, club.id, colour=colour.replace("none", ""))
    return [
        _answer(call, club.name, phrase("its colour is {colour}", colour=say_command_word(colour)))
    ]


def find_named(call: Call, form: str) -> ClubRow:
    """Return the club that the first word names."""
    name = find_word(call, phrase("the name of the club is missing"), form)
    club = find_club(call.session, name)
    if club is None:
        raise refuse_no_club()
    return club


def find_led(call: Call, form: str) -> ClubRow:
    """Return the club that the first word names. Refuse a sender who is not one of its officers."""
    club = find_named(call, form)
    own = _find_own(call, find_members(call.session, club.id))
    if own is None or own.role != OFFICER:
        raise Refusal(
            RefusalCode.NOT_PERMITTED,
            phrase("that is for the officers of the club {club}", club=club.name),
            f"club show {club.name}",
        )
    return club


def _find_own(call: Call, rows: Iterable[NamedMemberRow]) -> NamedMemberRow | None:
    return next((row for row in rows if row.player_id == call.me.id), None)


def _find_member(call: Call, club: ClubRow, form: str) -> NamedMemberRow:
    wanted = "".join(call.command.words[1:2]).lower()
    for row in find_members(call.session, club.id):
        if row.userid.lower() == wanted:
            return row
    raise Refusal(
        RefusalCode.NO_SUCH_PLAYER, phrase("name a member of the club {club}", club=club.name), form
    )


def map_players(context: Context, numbers: Iterable[int]) -> list[Player]:
    """Return the players with these numbers."""
    found = (get_player(context.session, number) for number in numbers)
    return [each for each in found if each is not None]


def _load(context: Context, rows: Iterable[NamedMemberRow], *roles: str) -> list[Player]:
    chosen = [row.player_id for row in rows if not roles or row.role in roles]
    return [each for each in map_players(context, chosen) if each.is_active]


def _add(context: Context, club: int, player: Player, role: str) -> None:
    row = {"club_id": club, "player_id": player.id, "role": role, "since": context.now}
    context.session.execute(insert(club_members).values(row))


def _set_role(context: Context, club: int, player: int, role: str) -> None:
    own = club_members.c.club_id == club, club_members.c.player_id == player
    context.session.execute(update(club_members).where(*own).values(role=role))


def _change(context: Context, club: int, **values: str) -> None:
    context.session.execute(update(clubs).where(clubs.c.id == club).values(**values))


def take_out(context: Context, club: ClubRow, player: int) -> None:
    """Remove a player from a club; the player no longer watches its private boards."""
    own = club_members.c.club_id == club.id, club_members.c.player_id == player
    context.session.execute(delete(club_members).where(*own))
    hidden = select(boards.c.id).where(boards.c.pool == club.name, boards.c.private)
    context.session.execute(
        delete(watchers).where(watchers.c.player_id == player, watchers.c.board_id.in_(hidden))
    )


def _tell(context: Context, club: ClubRow, people: Iterable[Player], news: str) -> list[Notice]:
    """Return notices of a change to these people, except the sender."""
    sender = context.player.id if context.player is not None else 0
    return [
        context.build_notice(player, _tell_news(player, club, news))
        for player in people
        if player.id != sender
    ]


def _tell_news(reader: Player, club: ClubRow, news: str) -> ClubNews:
    return ClubNews(userid=reader.userid, club=club.name, colour=club.colour, news=news)


def _answer(call: Call, name: str, *news: str) -> Notice:
    """Return the answer that shows the club, below the news."""
    return call.answer(show_club(call, name, news))

"""Clubs: groups of players of this server, and their matches against other towns."""

from __future__ import annotations

from pbm.core.context import DueWork
from pbm.core.feature import SIGNED, Button, Feature, Group, Verb
from pbm.core.notices import Notice
from pbm.core.proofs import Act
from pbm.features.clubs import hooks, letters, matches, members, pages, rows
from pbm.features.parties.groups import arrange
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "clubs",
        (),
        members.list_clubs,
        "the clubs of this server",
        Act.LOOK,
        Group.LOOKING,
    ),
    Verb(
        "club new",
        ("name", *SIGNED),
        members.make,
        "make a club and be its officer; the body says what it is",
        Act.PLAYER,
        Group.TALKING,
        "Its boards begin with --club=NAME in a challenge, an offer or an event: they have\n"
        "ratings of the club's own. With --private its members alone see them. More: help clubs.",
        arranges=arrange,
        text="text",
        remedy="pbm admin player {who}",
    ),
    Verb(
        "club show",
        ("name",),
        members.show,
        "who belongs to a club, and what goes on there",
        Act.LOOK,
        Group.LOOKING,
        "Who belongs to it, its private boards and its offers are for its members.",
    ),
    Verb(
        "club join",
        ("name", *SIGNED),
        members.join,
        "join a club that invited you, or ask its officers to let you in",
        Act.PLAYER,
        Group.TALKING,
        arranges=arrange,
        button=Button(
            phrase("Join this club"),
            phrase("You belong to the club, or its officers are asked to let you in."),
        ),
    ),
    Verb(
        "club leave",
        ("name", *SIGNED),
        members.leave,
        "leave a club; your boards there go on",
        Act.PLAYER,
        Group.TALKING,
        arranges=arrange,
        is_final=True,
        remedy="pbm admin player {who}",
        button=Button(
            phrase("Leave this club"),
            phrase("You have left the club."),
            phrase("Yes, I leave; my boards go on"),
        ),
    ),
    Verb(
        "club invite",
        ("name", "userid+", *SIGNED),
        members.invite,
        "ask players to join your club, or let in who asks",
        Act.PLAYER,
        Group.TALKING,
        arranges=arrange,
        button=Button(
            phrase("Ask them to join"),
            phrase("They are asked, or belong to the club now."),
            words={"userid": phrase("Userids of players")},
        ),
    ),
    Verb(
        "club remove",
        ("name", "userid", *SIGNED),
        members.remove,
        "take a member out of your club",
        Act.PLAYER,
        Group.TALKING,
        arranges=arrange,
        is_final=True,
        remedy="pbm admin player {who}",
    ),
    Verb(
        "club officer",
        ("name", "userid", *SIGNED),
        members.appoint,
        "make a member another officer of your club",
        Act.PLAYER,
        Group.TALKING,
        arranges=arrange,
        is_final=True,
        remedy="pbm admin player {who}",
    ),
    Verb(
        "club say",
        ("name", *SIGNED),
        members.say,
        "the body of the mail to all members of your club",
        Act.PLAYER,
        Group.TALKING,
        arranges=arrange,
        text="text",
        button=Button(
            phrase("Write to all members"), phrase("The letter is sent."), needs=("text",)
        ),
    ),
    Verb(
        "club colour",
        ("name", "colour", *SIGNED),
        members.set_colour,
        "the colour of your club's page, boards and mails, such as #1d4e89",
        Act.PLAYER,
        Group.TALKING,
        arranges=arrange,
    ),
    Verb(
        "club hook",
        ("name", "address", "news*", *SIGNED),
        hooks.set_hook,
        "post the news of your club to a room for talk elsewhere",
        Act.PLAYER,
        Group.TALKING,
        "The news are results, events, offers and letters; json or text is the form. The\n"
        "operator says where posts may go. none ends them.",
        arranges=arrange,
        hides_words=True,
    ),
    Verb(
        "club match",
        ("name", "game?", "team?", "address?", *SIGNED),
        matches.make,
        "play a match against another town; with its number, show it",
        Act.MATCH,
        Group.TALKING,
        "club match rooks chess @rooks cleo@example.org ann PASSWORD --boards=6 invites the\n"
        "captain of the others to enter a team.",
        arranges=arrange,
        options=True,
        remedy="pbm admin player {who}",
    ),
    Verb(
        "club enter",
        ("match", "team?", *SIGNED),
        matches.enter,
        "as the captain of guests: the body has the addresses of your team",
        Act.MATCH,
        Group.TALKING,
        arranges=arrange,
        text="text",
        means_addresses=True,
    ),
    Verb(
        "club begin",
        ("match", *SIGNED),
        matches.begin,
        "begin the boards of a match against another town",
        Act.MATCH,
        Group.TALKING,
        arranges=arrange,
        is_final=True,
        remedy="pbm admin player {who}",
    ),
    Verb(
        "club stay",
        SIGNED,
        matches.stay,
        "as a guest of a match: be a player of this server from now on",
        Act.MATCH,
        Group.TALKING,
        "Your userid and your boards stay as they are. Who may not sign up here may not stay.",
        is_final=True,
        remedy="pbm admin player {who}",
    ),
)


def do_due(work: DueWork) -> list[Notice]:
    """Post the news of clubs, and return the letters that are due."""
    hooks.post_news(work)
    return letters.mail_letters(work)


FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    due=do_due,
    is_due=letters.is_due,
    finds_differences=rows.find_differences,
    personal_data=rows.list_personal_data,
    on_merge=rows.pass_on_rows,
    on_close=members.pass_on_offices,
    on_erase=rows.erase_rows,
    passes_on={"club text": members.pass_on_text, "club words": members.pass_on_words},
    lists=rows.LISTS,
    adds_to_front_page=pages.add_to_front_page,
    pages=pages.PAGES,
)

"""Teams, and seats that several people hold together."""

from __future__ import annotations

from pbm.core.feature import SIGNED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.parties import groups, matches, rows, showing, substitutes, talking, teams
from pbm.features.parties.talking import UNNAMED
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "team new",
        ("name", *SIGNED),
        teams.make,
        "make a team and lead it",
        Act.PLAYER,
        Group.TALKING,
        "Its name then stands with an @ where a userid may: chess challenge @rooks bob. The\n"
        "members play the seat together; --decide= says how. More: help teams.",
        arranges=groups.arrange,
        remedy="pbm admin player {who}",
    ),
    Verb(
        "team invite",
        ("name", "userid+", *SIGNED),
        teams.invite,
        "ask players to join your team",
        Act.PLAYER,
        Group.TALKING,
        arranges=groups.arrange,
    ),
    Verb(
        "team join",
        ("name", *SIGNED),
        teams.join,
        "join a team to which you were invited",
        Act.PLAYER,
        Group.TALKING,
        arranges=groups.arrange,
    ),
    Verb(
        "team leave",
        ("name", *SIGNED),
        teams.leave,
        "leave a team, and the seats that it holds",
        Act.PLAYER,
        Group.TALKING,
        "The team plays on without you; you see no more of its boards than anybody else.",
        arranges=groups.arrange,
        is_final=True,
        remedy="pbm admin player {who}",
    ),
    Verb(
        "team captain",
        ("name", "userid", *SIGNED),
        teams.appoint,
        "make another member the captain of your team",
        Act.PLAYER,
        Group.TALKING,
        arranges=groups.arrange,
    ),
    Verb(
        "team reserves",
        ("name", "userid+", *SIGNED),
        teams.name_reserves,
        "say who of your team are its reserves, or none",
        Act.PLAYER,
        Group.TALKING,
        "They step in where the others are too few, or where you name one with handover.",
        arranges=groups.arrange,
    ),
    Verb(
        "team show",
        ("name",),
        teams.show,
        "who plays in a team, and its boards",
        Act.LOOK,
        Group.LOOKING,
    ),
    Verb(
        "team say",
        ("name", *SIGNED),
        teams.say,
        "the body of the mail to the other members of a team",
        Act.PLAYER,
        Group.TALKING,
        arranges=groups.arrange,
        text="text",
    ),
    Verb(
        "takeover",
        ("board", *SIGNED, "seat*"),
        substitutes.take_over,
        "go on with a seat whose player has left",
        Act.PLAYER,
        Group.PLAYING,
        "That is one that was handed over to you, whose player is late or has just left, or\n"
        "in Diplomacy any power in civil disorder. The result counts for whoever has the seat\n"
        "at the end: where the board is rated, the others are asked. Press to the player before\n"
        "you stays that player's.",
        remedy="pbm admin board NUMBER",
    ),
    Verb(
        "handover",
        ("board", *SIGNED, "userid", "member?"),
        substitutes.hand_over,
        "ask another player to go on with your seat",
        Act.SEAT,
        Group.PLAYING,
        "Until they agree you play on. The result then counts for them; where the board is\n"
        "rated, the others are asked. In a team it is your own place that is passed on; its\n"
        "captain may name a second userid, for whom the first goes on. In a match of teams the\n"
        "captain alone exchanges players, for others of the team.",
        is_final=True,
        remedy="pbm admin board NUMBER",
    ),
    Verb(
        "confer",
        ("board", *SIGNED, "text*"),
        talking.confer,
        "the body, or the rest of the line, to your own side alone",
        Act.SEAT,
        Group.BOARDS,
        "For a seat that a team holds. In a reply, begin the first line with team: and your\n"
        "text. Without a text it lists what was said. All of it is open once the board is over.",
        unnamed=UNNAMED,
        text="text",
        hides_words=True,
        has_message=True,
        button=Button(
            phrase("Send"),
            phrase("Passed on to your own side."),
            needs=("text",),
            words={"text": phrase("Write to your own side alone")},
        ),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    shows_own=showing.show_party,
    on_board_due=showing.count_votes,
    due=matches.mail_tables,
    adds_to_record=showing.describe_talk,
    personal_data=rows.list_personal_data,
    on_merge=rows.pass_on_rows,
    on_close=teams.pass_on_captaincies,
    on_erase=rows.erase_rows,
)

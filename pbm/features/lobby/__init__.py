"""How boards come about: challenges, seeks and rematches."""

from __future__ import annotations

from pbm.core import options
from pbm.core.feature import SEATED, SIGNED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.lobby import challenges, rows, seeks, sleeping
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "seeks",
        (),
        seeks.seeks,
        "open offers: who is looking for opponents",
        Act.LOOK,
        Group.LOOKING,
        for_game="maybe",
    ),
    Verb(
        "challenge",
        ("userid+",),
        challenges.challenge,
        "start a board; the first userid moves first",
        Act.CHALLENGE,
        Group.PLAYING,
        "Options go before, between or after the userids. The board starts at once; a player\n"
        "may decline until the first own move. It is an invitation, and the others accept\n"
        "first, with --ask, with clocks faster than the usual ones, and where the game opens\n"
        "with a roll or a draw: once that is known nobody can decline.\n"
        "Your address alone proves nothing. Without more the board is asleep, for a week:\n"
        "nobody hears of it until you reply to its mail. Send the challenge as a reply to a\n"
        "mail that is about no board, and it starts at once; there you may leave yourself out,\n"
        "and then move first.",
        aliases=("chall",),
        for_game="yes",
        options=True,
        text="comment",
        meant_by=("play", "start", "begin"),
        remedy="pbm admin cancel --player {who}",
        button=Button(
            phrase("Challenge"),
            phrase("The board is made."),
            starts=True,
            words={"userid": phrase("Userid or mail address of your opponent")},
        ),
        fields=options.list_challenge_fields,
    ),
    Verb(
        "seek",
        SIGNED,
        seeks.seek,
        "an open offer: whoever joins plays",
        Act.PLAYER,
        Group.PLAYING,
        "Options as with challenge, and --players=3, --rating=1400-1700, --house=level2\n"
        "(who joins if nobody does within a day). none withdraws your offers of that game.",
        for_game="yes",
        options=True,
        text="comment",
        button=Button(
            phrase("Make this offer"),
            phrase("Your open offers stand below: whoever takes one plays."),
            starts=True,
        ),
        fields=options.list_offer_fields,
    ),
    Verb(
        "simul",
        SIGNED,
        seeks.simul,
        "take on many players at once: --boards=20; whoever joins gets a board",
        Act.PLAYER,
        Group.PLAYING,
        "You move first on each. All boards that wait for you come in one mail, every four hours\n"
        "at most; reply with a line for each, such as 18 e4. All who play get the table of\n"
        "results once a week and at the end; simul without options shows it, and these boards.\n"
        "seek none ends the offer.",
        for_game="yes",
        options=True,
        text="comment",
    ),
    Verb(
        "join",
        ("offer", *SIGNED),
        seeks.join,
        "take up an offer; the game starts, and you move before its maker",
        Act.PLAYER,
        Group.PLAYING,
        for_game="maybe",
        text="comment",
        remedy="pbm admin cancel --player {who}",
        button=Button(phrase("Play"), phrase("You have taken the offer."), starts=True),
    ),
    Verb(
        "rematch",
        SEATED,
        seeks.rematch,
        "challenge again after a finished game, with the seats swapped",
        Act.SEAT,
        Group.PLAYING,
        text="comment",
        remedy="pbm admin cancel --player {who}",
        button=Button(
            phrase("Play again with the seats swapped"),
            phrase("A new board starts; a mail brings its link, too."),
        ),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    on_asleep=challenges.wake_for,
    old_rows=rows.list_old_rows,
    personal_data=sleeping.list_personal_data,
    on_merge=sleeping.pass_on_rows,
    passes_on={"offer": seeks.pass_on_comment},
    on_erase=sleeping.erase_rows,
    on_board_due=sleeping.check_board,
    due=seeks.do_due,
    finds_differences=sleeping.find_differences,
)

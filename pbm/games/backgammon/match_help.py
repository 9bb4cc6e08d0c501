"""The help pages of backgammon and its kin."""

_HEAD = {
    "BACKGAMMON": """\
AIM. Bring all your men home and bear them off before the other does.

BOARD. Each player counts the twenty-four points from the own side: your men
go from 24 down to 1, your home is 1 to 6. Your 10 is the other's 15. The mail
shows the board as you count it. At the start each has two men on 24, five on
13, three on 8 and five on 6.
""",
    "NACKGAMMON": """\
AIM. Backgammon from another start: bring all your men home and bear them off.

BOARD. Each player counts the twenty-four points from the own side: your men
go from 24 down to 1, your home is 1 to 6. Your 10 is the other's 15. The mail
shows the board as you count it. At the start each has two men on 24, two on
23, four on 13, three on 8 and four on 6. All else is as in Backgammon.
""",
    "HYPERGAMMON": """\
AIM. Backgammon with three men: bring them home and bear them off.

BOARD. Each player counts the twenty-four points from the own side: your men
go from 24 down to 1, your home is 1 to 6. Your 10 is the other's 15. The mail
shows the board as you count it. At the start each has one man on 24, one on
23 and one on 22. All else is as in Backgammon.
""",
}

_PAGE = """\
{title}, 2 players

{head}
THE ROLL. The server rolls. First one die for each, equal dice again: the
higher begins and plays both. From then on two dice; equal ones are played
four times. Each die moves one man so many points, onto any point but one with
two or more of the other's men. A man alone on a point is hit when one of the
other's comes there: it goes to the bar and must come in on the points 24 to
19, by a die, before its owner moves any other.

BEARING OFF. When all your men are in your home a die takes one off its point;
a die that is larger than your rearmost man's point takes that man.

You must play as many dice as you can; if either can be played but not both,
the larger one. A roll that cannot be played, or in one way only, is played by
the server, and you are told.

WRITING A TURN. The whole turn in one line, * for a hit if you like:
{examples}Blanks or commas between the men, / or - between the points, bar and off by
their words. You may leave out what goes without saying: 24/13 where only one
way leads there, bar/22 where only one play begins so.

THE CUBE. In a match to more than one point, when it is your turn and you may
double, you are asked before the roll:
  roll    the dice come at once, in the answer to your mail
  double  the other takes (play goes on for twice the points, you roll at once
          and only the other may double next) or drops (and loses the game)
  auto    roll, and from now on without asking me, until this game is over;
          write ask with a turn to be asked again: ask {ask}
No day is lost: whoever may not double gets the roll with the other's turn,
and queue roll, sent any time before your turn, has it rolled for you too.
You may not double when the game as it stands would win you the match.

THE END. Bearing off all men wins the game: one point, times the cube. A
gammon, when the loser has borne off none, counts twice; a backgammon, when
besides a man of the loser is on the bar or in the winner's home, three times.
A board is a match to -points=1..25 (1 if not given). Games follow one another
on it until somebody has as many. When a player comes within one point of the
match nobody may double in the next game (the Crawford game). There is no
draw. Resigning gives up the whole match.

OPTIONS
  -points=1..25  the points to win, 1 if not given
  -nocube        a match without doubling
  -nocrawford    a match without the Crawford game
  -jacoby        gammons count only once the cube has been turned

DECIDED HERE. No beavers, no automatic doubles, no limit to the cube. In the
picture [ ] marks where men came to in the last turn.
"""

_EXAMPLES = {
    "BACKGAMMON": ("13/10(2) 8/5(2)", "24/18/13", "13/7 8/7"),
    "NACKGAMMON": ("13/10(2) 8/5(2)", "24/18 13/11", "8/5, 6/5"),
    "HYPERGAMMON": ("24-20, 22-21", "24/18/13", "bar/22"),
}


def page(title: str) -> str:
    """The page of one of the games."""
    examples = _EXAMPLES[title]
    lines = "".join(f"  > {example}\n" for example in examples)
    return _PAGE.format(title=title, head=_HEAD[title], examples=lines, ask=examples[1])

"""The help pages of the games of draughts."""

_WRITING = """\
WRITING. The squares that the piece visits, in their order; of a capture of
several pieces the first and the last are enough where only one fits.
{names}"""
_NUMBERS = """\
Between them -, x or :, all the same. Instead of the numbers you may write
coordinates: {corner} is a1, the next to the right c1, the one above them b2.
"""
_LETTERS = """\
Between them -, x or :, all the same, or nothing at all.
"""
_REPEATED = """\
A draw is claimed with "propose", also when a position comes for the third
time; otherwise that offers one. Resigning loses.

"export" mails the game in PDN."""

ENGLISH = f"""\
ENGLISH DRAUGHTS, 2 players, also called checkers

AIM. Leave the other without a move.

MOVES. Black (X) begins, at the top. A man goes one square forward, slanting,
onto an empty square. A man that comes to the last row becomes a king (black
#, white @); a king goes one square too, but forward or backward:
  > 11-15

CAPTURING. A piece jumps over a piece of the other that stands next to it,
slanting, onto the empty square behind, and takes it off; men jump forward
only. From there the same piece goes on as long as it can. If you can capture
you must, but among several captures you may choose any; one that is begun is
completed. A man that comes to the last row by a capture becomes a king and
stops there.
  > 22x15
  > 15x24

{_WRITING.format(names=_NUMBERS.format(corner="29"))}
THE END. Whoever is on the move and has no move, or no piece, loses. When
both sides have made 40 moves in a row without a capture and without a man's
step, either may claim a draw; after 80 it is one by itself.
{_REPEATED}
"""

INTERNATIONAL = f"""\
INTERNATIONAL DRAUGHTS, 2 players, on 100 squares

AIM. Leave the other without a move.

MOVES. White (X) begins, at the bottom. A man goes one square forward,
slanting, onto an empty square. A king (white #, black @) goes any number of
empty squares along a slanting line:
  > 32-28

CAPTURING. A man jumps over a piece of the other that stands next to it,
slanting, forward or backward, onto the empty square behind. A king jumps from
any distance over a single piece onto any empty square of the line behind it.
From there the same piece goes on as long as it can; no piece is jumped over
twice, and the captured ones leave the board when the capture is complete, so
that they are in the way until then. If you can capture you must, and as many
pieces as possible; kings and men count alike.
  > 28x19
  > 23x32

CROWNING. A man that ends its move on the last row becomes a king; one that
only comes by there in a capture stays a man.

{_WRITING.format(names=_NUMBERS.format(corner="46"))}
THE END. Whoever is on the move and has no move, or no piece, loses. It is a
draw when both sides have made 25 moves in a row with kings only and without a
capture. Three pieces, a king among them, against a lone king may last 16
moves of each side, two or one 5; this counts from the move that brought the
endgame about, and a capture does not make the 16 moves longer.
{_REPEATED}
"""

RUSSIAN = f"""\
RUSSIAN DRAUGHTS, 2 players, also called shashki

AIM. Leave the other without a move.

MOVES. White (X) begins, at the bottom. A man goes one square forward,
slanting, onto an empty square. A king (white #, black @) goes any number of
empty squares along a slanting line:
  > c3-d4

CAPTURING. A man jumps over a piece of the other that stands next to it,
slanting, forward or backward, onto the empty square behind. A king jumps from
any distance over a single piece onto an empty square of the line behind it:
any of them, but one from which it can go on capturing where there is such.
From there the same piece goes on as long as it can; no piece is jumped over
twice, and the captured ones leave the board when the capture is complete, so
that they are in the way until then. If you can capture you must, but among
several captures you may choose any; one that is begun is completed.
  > d4:f6
  > e5:c3

CROWNING. A man that comes to the last row becomes a king; in a capture it
goes on as a king at once.

{_WRITING.format(names=_LETTERS)}
THE END. Whoever is on the move and has no move, or no piece, loses. It is a
draw when both sides have made 15 moves in a row with kings only and without a
capture. Some endgames may last so many moves of each side, from the capture
or the crowning that brought them about: three or more kings against one 15,
two pieces (a king among them) or one against a king 5; with kings on both
sides four or five pieces in all 30, six or seven 60.
{_REPEATED}
"""

TURKISH = f"""\
TURKISH DRAUGHTS, 2 players, also called dama

AIM. Leave the other without a move.

MOVES. White (X) begins, at the bottom. The pieces stand on all squares and
move along rows and columns, never slanting. A man goes one square forward or
sideways onto an empty square. A king (white #, black @) goes any number of
empty squares in one direction:
  > d3-d4

CAPTURING. A man jumps over a piece of the other that stands next to it, in
front or beside, onto the empty square behind. A king jumps from any distance
in any direction over a single piece onto any empty square of the line behind
it. Each piece leaves the board as soon as it is jumped over, so that its
square can be passed in the same move. The same piece goes on as long as it
can, but a king does not turn back on the line along which it came. If you can
capture you must, and as many pieces as possible; kings and men count alike.
  > d4xd6
  > a6xa4

CROWNING. A man that ends its move on the last row becomes a king; one that
can go on capturing from there sideways does so as a man.

{_WRITING.format(names=_LETTERS)}
THE END. Whoever is on the move and has no move, or no piece, loses. When each
side has one piece left it is a draw, unless one is captured within the next
two moves of each. When both sides have made 50 moves in a row without a
capture and without a man's step forward it is a draw.
{_REPEATED}
"""

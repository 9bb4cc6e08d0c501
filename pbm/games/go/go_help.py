"""The page of `go help`."""

HELP = """\
GO, 2 players, area scoring

AIM. Your area, that is your stones on the board and the empty points that
only they surround, shall be larger than the other's.

MOVES. Black (X) begins. A move puts a stone on an empty point or is a pass.
Points are a letter and a number, a1 at the lower left; there is no column i.
Stones of a colour that are joined along the lines form a group, the empty
points next to it are its liberties. After your stone all groups of the other
colour without a liberty are taken off the board. Two things are not allowed:
  suicide: your own group would have no liberty after that.
  ko:      the stones on the whole board would stand as after any earlier
           move, whoever moved then (positional superko).
  > d4
  > pass

THE END, BY MAIL. When both have passed in a row, the side that is then to
move says which groups are dead, naming any stone of each, or `dead none`:
  > dead c3 f7
The other answers `agree`, and the game is over; or changes the list with
`dead` and `alive`, which the first can only `agree` to or not; or plays on
with `resume`, which either may also say at last. So it takes at most three
mails. After `resume` the side that was to move after the two passes moves,
nothing is marked any more, and the next two passes end the game at once, with
every stone on the board alive: whoever disagrees captures what is dead.
(Stone by stone: `dead c3` marks, `done` hands the list over.)

SCORE. Dead stones are taken off. An empty region counts for the colour that
alone borders on it, for nobody when both do. White gets the komi on top:
-komi=7.5 unless given (0.5 with a handicap), a multiple of 0.5. More points
win, as many are a draw. Resigning loses.

OPTIONS. -size=5..19. -handicap=2..9: so many black stones on the marked
points, and white begins; 1 only makes the komi 0.5; white gets nothing back
for the stones.
"""

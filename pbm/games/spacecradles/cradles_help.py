"""The help page of Space Cradles."""

HELP = """\
SPACE CRADLES, 2 to 4 players, after the "Space Cradles Rulebook"

AIM. Be the last one whose mothership has not been taken.

BOARD. Five regions of 4x4 cells in a cross, columns a to l, rows 1 to 12:
north e9-h12, east i5-l8, south e1-h4, west a5-d8 and the centre e5-h8. Each
colour has a side, a back rank at its far end, and a platform behind that:
red north e12-h12, yellow east l5-l8, green south e1-h1, blue west a5-a8.
Small letters are drones, capitals are motherships. You begin with four
drones on your back rank and your mothership on your platform. Two players
are red and green, three red, yellow and green. The player named first in the
challenge begins, then turns go clockwise round the sides.

MOVING. A turn is one move with one piece; there is no passing.
- A step goes to one of the eight cells around, also diagonally round an
  inner corner of the cross: e12-e11, e4-d5.
- A drone that stands in the same region as its own mothership may instead
  teleport to any vacant cell of that region: e12-h9.

BUMPING. A step may go to a cell with a piece and bumps it: the piece slides
away in the direction of the step while cells are vacant and stops at the
edge. At the edge already, it is taken. If it runs into another piece, next
to it or after a slide, both are taken, whosever they are. Drones do not bump
their own colour; a mothership may.

TAKEN PIECES. A drone goes back to its owner's platform. Who loses the
mothership is out: the platform is emptied, the pieces on the board stay as
obstacles that can be bumped and taken. What one move takes is taken at once.

THE PLATFORM. If you have a piece on your platform and a vacant cell in your
back rank, your move must bring one piece in: m-f12 the mothership, d-f12 a
drone. In your first turn, after a move with a drone, you may at once bring
in the mothership too, if there is room: e12-e11,m-e12. Write e12-e11 alone
to leave it out (that is short for e12-e11,end).

WRITING MOVES. from-to for a step, a bump or a teleport; m-f12 or d-f12 from
the platform; end. Case and blanks do not matter. Two players may begin:
  > e12-e11,m-e12
  > F1 - F2, m-f1
  > e11-g9
  > f2-f3.
  > g9-h8

OPTION. -colors=blue,red gives each seat its colour in seat order; the order
of turns follows the colours.

THE END. The last one left wins. If one move takes the last motherships
together, their owners tie for first. Ranks follow the order of elimination,
later is better, at once is equal. Nothing is random.

RESIGNING. Your mothership is removed, your drones stay as obstacles; it
counts as an elimination at that moment.

DECIDED HERE. Which colour has which side. A piece bumped straight into a
neighbour has collided: both go. Who cannot move is skipped; if nobody left
can, they tie for first. Whether you must bring a piece in is seen when you
move, so a resignation that clears your back rank may call for it. An
eliminated drone that is taken leaves the game, also one taken together with
its own mothership.
"""

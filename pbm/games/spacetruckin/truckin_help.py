"""The page of `spacetruckin help`: everything a player must know, with examples that work.

Rules page: spacetruckin. It decides nothing."""

from pbm.games.spacetruckin.tile_set import rows_of_pictures

_BEFORE = """\
SPACE TRUCKIN'  (2 to 6 players; printed rules version 1.0)

AIM
You lay tiles that grow planetary systems, wormholes and stations, man them
with ships, and collect points for each that is completed while your ships
have the majority in it. Most points wins; equal points tie.

THE BOARD
9 by 9 cells, columns a to i, rows 1 to 9. Space is round: a and i are
neighbours, and so are 1 and 9. Each edge of a tile is void (blank), planetary
(@@) or a wormhole (== or ||); where two tiles meet the edges must be equal.
The game begins with a p1ws on e5, and each seat has 7 ships in its pool.

THE TILES
"""

_AFTER = """
Copies, and (of these) with arrows: p4 2, p3 4 (1), p3w 3 (1), p2a 5 (2),
p2aw 6 (2), p2o 4, p2ox 3, p2ax 3, p1 5 (2), p1ws 5 (1; one without is on e5),
p1wr 4 (1), p1wl 4 (1), p1w3 4 (1), ws 8 (2), wc 7 (2), w3 4 (1), w4 2,
st 5 (1), stw 3 (1); and 10 black holes.
Edges that are joined through the middle belong together. In p2ox and p2ax the
two planets are different systems, and so are the wormholes that end in a
nexus (); one that runs into a planet or a station [] ends there. In p2aw and
p1wl, p1wr the wormhole passes by the planet.

YOUR TURN: A TILE
The tile is drawn for you and shown in its four rotations with the number of
cells it fits. You must place it on a vacant cell where it fits; it need not
touch another tile. @0 to @3 are quarter turns clockwise.
   > e6@2           on e6, turned by two quarters
   > E6 2           the same
   > e6             will do when all rotations that fit there look alike
A tile with an arrow obeys the clock, whose second is drawn like a die: 0-14
is ne, 15-29 se, 30-44 sw, 45-59 nw, and an arrow must point to that corner.
Before rotation arrows point to ne; a ws has a second one, to sw.
A tile that fits nowhere is set aside and another is drawn.

SHIPS
With the tile you may send one ship from your pool to it: a battleship to a
planetary segment, a cargo to a wormhole segment, an engineer to a station;
not when the system or wormhole already holds a ship, anyone's, no matter how
far away. The edge says which segment, any edge of it will do, and none is
needed when the tile has only one of that sort.
   > e6@2/battleship:s
   > e6@2/b:s       the same; b, c and e are the roles
   > e6@2 b         and so is this
   > a1@0/cargo:e
   > i9 0 c
A station is manned like this: c3@0/engineer. A feature that this very tile
completes may be manned: it scores and the ship comes back at once.

YOUR TURN: A BLACK HOLE
Do one of these; then the black hole is gone.
   > remove:a1      the cargo on a1, anyone's, leaves the game
   > exchange:a1@0,e5@2
   > exchange a1 e5
   > pass
In an exchange the cell is followed by the tile that comes to it and by its
rotation in all: above, the tile on e5 comes to a1 as @0, the one on a1 to e5
as @2. All edges must fit afterwards, arrows do not matter, ships stay on
their tile and segment, and the start tile may move. Exchanging two tiles that
look the same is allowed.

SCORING
After every move each completed feature that holds a ship is scored:
  system, wormhole   when none of its edges faces a vacant cell:
                     2 a tile, but 2 in all when it has exactly two segments
  station            when the eight cells around it are filled: 9
  over the border    2 more, once, when two of its segments are joined over
                     the border of the board, or the station is on the border
Who has the most ships in it takes the points; several with equally many each
take all of them. The ships return to their pools. Whoever took points for a
planetary system gets a new ship, up to ten in pool and board together; a
cargo that was removed no longer counts.

THE END
When no tile is left to draw. Then each system and wormhole with ships gives 1
a segment by the same majority, each engineer 1 for the station and 1 for each
filled cell around it; nothing for the border.

READING THE BOARD
A ship stands in the middle of its tile, or on the edge when its segment has
one edge only: bR is a battleship of Red, cY a cargo of Yellow, eB an engineer
of Blue. Tiles of the last move have stars at their corners. Below the board:
the tile to place, points, pools, ships on the board, and what is left to
draw, ^ being tiles with arrows.

RESIGNING
Your ships leave the board; ships do not count for you any more. If you were
on the move, the next seat has the drawn tile, with its corner. The last seat
left wins at once. Those who resigned rank last, the earlier the lower.

DECIDED HERE, WHERE THE PRINTED RULES ARE SILENT
- The tile set above (the printed one exists as pictures only), two to six
  seats with seven ships each, one tile at a time.
- A tile set aside is out of the game. When it was the last, the game ends.
- A tile with arrows asks the clock also when it would fit nowhere anyway.
- A tile that two segments of one feature lie on counts once for 2 a tile;
  "exactly two segments" and the 1 a segment at the end count both.
- An exchange never takes back points. It may join features with several
  ships, or carry a ship into a complete one, which then is scored.
- Each planetary system gives its own new ship, also two in one move.
- Without a rotation a tile is laid as the first that fits; when those that
  fit look different you are asked which.
"""

HELP = _BEFORE + rows_of_pictures(7) + _AFTER

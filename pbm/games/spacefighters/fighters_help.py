"""The help page of Space Fighters."""

HELP = """\
Space Fighters, for 2 to 4 teams

Aim
  Be the last team left. Stations earn resources, resources buy ships,
  fighters destroy enemy ships, and an enemy in your own station while you
  have no ship left puts you out.

Board
  13 columns a to m, 13 rows, row 1 at the bottom. Ships step over edges,
  never diagonally. Adjacent tiles share an edge or a corner without a wall
  between them.
  The four coloured stations in the corners are one place each, for one
  control ship: red (a12 to b13), blue (l12 to m13), green (l1 to m2), yellow
  (a1 to b2). Each has five adjacent tiles; a control ship enters and leaves
  by the four that share an edge with it, in one step.
  The central station f6 to h8 has a wall with four doors: g8-g9, g6-g5, f7-e7
  and h7-i7. Its middle tile g7 is the star; only control ships enter it, by
  f7, g6, g8 or h7. The other eight tiles take any ship, and all eight are
  adjacent to the star. Over the wall only the two tiles of a door are
  adjacent.
  A station belongs to the team whose control ship is in it (the central one:
  on the star), else it is neutral. Fighters never enter a coloured station or
  the star.
  Fighters are r b g y, control ships R B G Y, the empty star is *.

Teams
  2 players: red, green. 3: red, blue, green. 4: red, blue, green, yellow. A
  team owns at most 7 fighters and 5 control ships, reserve included. It
  starts with 20 resources, a control ship in its station and two fighters in
  reserve.
  First each team names three of the five tiles adjacent to its station:
    setup c11 c12 b11     fighters on c11 and c12, control ship on b11

Turn
  Two dice are rolled: the fighter die (1 to 6) and the control die (1 to 8,
  read as 4 when it shows more). Then, in this sequence, any of it left out:
  1. deploy ships from the reserve
    deploy f c13    a fighter to a vacant tile adjacent to one of your control
                    ships, to a station you own, or to your own station unless
                    an enemy is in it
    deploy c c13    a control ship to a vacant tile adjacent to a station you
                    own
    deploy c red    or into your own station when it is empty
  2. fighters, each once, up to as many steps as the fighter die shows, over
     own ships, not over enemies, walls, coloured stations or the star
    c3-c6           to a vacant tile
    c3xd5           onto an enemy, and fight it
    c3xyellow       fight the control ship in an adjacent station (f8xstar in
                    the central one), without moving; also after a move
  3. control ships, each once, up to as many steps as the control die allows,
     over nothing at all; empty stations and the star may be passed through
    red-c12         also c12-red, g8-star, a4-c4
  4. end            earns 10 for your own station, 5 for any other coloured
                    one, 20 for the central one
  At any point, one ship a turn, into the reserve: buy f (25), buy c (100).
  Several orders are separated by commas. The turn stays open until "end".
  A "-" is read as "x" when a fighter goes for an enemy. Any cell of a station
  may stand for its name, g7 for the star. The game has no options.

Fights
  The attacker rolls six sides, a defending fighter six, a control ship eight.
  The attacker wins ties. A beaten defender is destroyed (it may be bought
  again) and the attacker stands on its tile; in front of a station it stays
  where it was, and the station is neutral. A beaten attacker goes to its
  team's reserve. After a fight a fighter does nothing more that turn.

Out of the game
  After each order and each change of turn a team is out when it has no ship
  in space (stations count) and an enemy control ship is in its own station;
  also when it has no ship in space, none in reserve and fewer than 25
  resources. If it was on the move, the turn passes on without income.
  Ranks follow the order of leaving, the last team left wins.
  Who resigns leaves too: ships, reserve and resources are gone, stations
  become neutral, and on its own turn there is no income.

Decided here
  The first order of a fighter ends the deployments, the first of a control
  ship ends the fighters' orders too. Buying ends nothing: a ship that is
  bought before the first fighter moves may be deployed in the same turn, and
  acts. A fighter that has moved fights stations only; other fighters' orders
  may stand between its move and its attack. No ship moves to where it stands.
  A control ship takes one step into a station and one step out of it.
  A fight that is being rolled while the defender's team resigns is off: the
  attacker stays and may still act.

A sample game for two
    > setup c11 c12 b11                         red
    > setup k3 l3 k2                            green
    dice 6 7                                    red
    > deploy f c13, c11-g9, b11-e10, end
    dice 6 3                                    green
    > k3-g5, end
    dice 6 2                                    red
    > g9xg5                                     through two doors, 6 steps
    dice 5 3                                    red wins, stands on g5
    > e10-e8, buy f, end                        25 of its 30
    dice 1 1                                    green
    > deploy f j3, end
    dice 6 4                                    red
    > g5-k3, k3xgreen                           moves, then attacks
    dice 4 4                                    a tie: the station is neutral
    > e8-star, end                              earns 10 and 20
"""

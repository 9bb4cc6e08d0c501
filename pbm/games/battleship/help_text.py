"""The help page of Battleship."""

HELP = """\
BATTLESHIP, 2 players

AIM. Sink the fleet of the other, which you do not see.

PLACING. Both place their fleets at the same time, and neither sees where. The
ships of the usual fleet are carrier (5 cells), battleship (4), cruiser (3),
submarine (3) and destroyer (2). They come in this order; name both ends:
  > a1-a5
  > carrier c7-g7
  > j2 to j6
A ship lies along a row or a column, and no two share a cell. A mail may place
them all, one after the other:
  > a1-a5 c1-c4 e1-e3 g1-g3 i1-i2

SHOOTING. When both fleets are at sea, north shoots first; then you take
turns, a shot each, at any cell that you have not shot at:
  > b7
Both are told at once whether it is a hit or a miss, and when the last cell of
a ship is hit, which ship is sunk. A hit does not say which ship it is.

THE BOARD. Left your own sea, right the other's. # is a ship, X a hit, o a
miss, ? a shot of a salvo that is not over. In the other's sea you see your
shots only, and who watches sees shots alone. Brackets mark the last shots.

OPTIONS
  -size=8..14                   cells along an edge; 10 if not given
  -fleet=classic|russian|short  russian: battleship (4), 2 cruisers (3), 3
                                destroyers (2), 4 boats (1; name the cell);
                                short: battleship, cruiser, destroyer
  -apart                        ships may not touch, not even at a corner, as
                                usual with the russian fleet; size 10 or more
  -salvo                        a turn is as many shots as you have ships
                                afloat when it begins; one mail may hold them
                                all, and what they hit is told after the last

THE END. Who has sunk all ships of the other wins, at once or with the last
shot of the salvo. There is no draw by the rules, though you may agree on one.
Resigning loses. Then both fleets are shown to all.

Nothing is left to chance, so there are no dice to verify: fleets are as their
owners placed them, the log of the ended game shows how.
"""

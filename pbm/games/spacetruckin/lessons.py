"""The pictures that explain Space Truckin' on its page."""

from __future__ import annotations

from pbm.rules.lessons import Lesson, list_area
from pbm.rules.phrases import phrase

_OPEN = ("p2a", "e6@2/battleship:s", "p1")
_AREA = list_area("c4", "g7")
LESSONS = (
    Lesson(
        phrase(
            "Edges that meet must match. Red has laid a tile with two planetary edges on e6, "
            "turned so that one meets the planet of e5, and sent a battleship to it. The planetary "
            "system is open: its edge toward d6 faces a vacant cell."
        ),
        _OPEN[:2],
        area=_AREA,
    ),
    Lesson(
        phrase(
            "Yellow has drawn a tile with one planet. Laid on d6, it fits as d6@1 alone, and may "
            "not bring a battleship: the system holds one already, whoever owns it."
        ),
        _OPEN,
        area=_AREA,
        can=("d6@1",),
        cannot=("d6@0", "d6@1/battleship:e"),
    ),
    Lesson(
        phrase(
            "Yellow has laid it. None of the system's edges faces a vacant cell any more, so that "
            "it is complete, and red, who holds the majority in it, takes 2 for each of its three "
            "tiles. The ship is back in the pool, with a new one, as for each planetary system."
        ),
        (*_OPEN, "d6@1"),
        area=_AREA,
    ),
    Lesson(
        phrase(
            "Red's battleship on e6 and yellow's on e8 were in different systems until red laid "
            "the tile on e7, which joins and completes them. With one ship each, both have most: "
            "both take all 8 points."
        ),
        ("p2o", "e6@0/battleship:n", "p1", "e8@2/battleship:s", "p2o", "e7@0"),
        area=list_area("c4", "g9"),
    ),
    Lesson(
        phrase(
            "Space is round: i3 and a3 are neighbours. The wormhole with red's cargo runs from the "
            "station on h3 through i3, over the border, to the station on a3. With h3 it was "
            "complete: 2 for each of three tiles, and 2 more for the border."
        ),
        ("ws", "i3@1/cargo:e", "stw", "a3@1", "stw", "h3@3"),
        area=list_area("a2", "i5"),
    ),
)

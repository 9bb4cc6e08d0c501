"""The pictures that explain Space Fighters on its page: moments of one game."""

from __future__ import annotations

from pbm.rules.lessons import Lesson
from pbm.rules.phrases import phrase

_BEGINNING = (
    *("setup c11 c12 b11", "setup k3 l3 k2"),
    *("6", "7", "deploy f c13", "c11-g9", "b11-e10", "end"),
    *("6", "3", "k3-g5", "end"),
    *("6", "2"),
)
_FIGHT = (*_BEGINNING, "g9xg5", "5", "3")
_STATION = (
    *(*_FIGHT, "e10-e8", "buy f", "end"),
    *("1", "1", "deploy f j3", "end"),
    *("6", "4", "g5-k3", "k3xgreen", "4", "4"),
)
_END = (
    *(*_STATION, "e8-e4", "end", "1", "1", "end"),
    *("6", "8", "k3xk2", "6", "1", "e4-g2", "end", "1", "1", "end"),
    *("6", "8", "k2xj3", "6", "1", "g2-k2", "end", "1", "1", "end"),
    *("6", "8", "j3xl3", "6", "1", "k2-green"),
)
LESSONS = (
    Lesson(
        phrase(
            "Red has rolled six steps for fighters. The one on g9 may go through two doors of the "
            "central station, round the star, and fight on g5: g9xg5. It cannot enter the star, "
            "and the wall lets it through at the doors alone."
        ),
        _BEGINNING,
        can=("g9xg5", "g9-g8"),
        cannot=("g9-star",),
    ),
    Lesson(
        phrase(
            "The attacker rolled 5 and the defender 3: green's fighter is destroyed, and red's "
            "stands in its place. A tie would have been enough. A beaten attacker goes to its "
            "reserve. This fighter does nothing more this turn."
        ),
        _FIGHT,
        cannot=("g5-g4",),
    ),
    Lesson(
        phrase(
            "Later, the same fighter went to k3 and from there attacked the control ship in "
            "green's station. The dice showed 4 and 4, so that the attacker won. It stays on k3, "
            "and the station is neutral: green earns nothing for it."
        ),
        _STATION,
    ),
    Lesson(
        phrase(
            "Red has destroyed green's last ship in space, and a control ship of red enters "
            "green's own station. So green is out, whatever is left in its reserve, and red has "
            "won."
        ),
        _END,
    ),
)

"""The pictures that explain Diplomacy on its page: what becomes of orders."""

from __future__ import annotations

from pbm.rules.lessons import Lesson
from pbm.rules.phrases import phrase

_WEST = ("bre", "pic", "par", "gas", "bur", "mar", "bel", "ruh", "mun", "pie", "tyr", "boh", "kie")
_ALL = ("ready",) * 7
_INTO_BURGUNDY = ("a par - bur", "a mun - ruh", "a ber - mun", *_ALL)
LESSONS = (
    Lesson(
        phrase(
            "Paris and Munich were both ordered to Burgundy, one against one. Neither is stronger, "
            "so that both stay where they were, and Burgundy remains empty."
        ),
        ("a par - bur", "a mun - bur", *_ALL),
        area=_WEST,
    ),
    Lesson(
        phrase(
            "The same with the support of Marseilles: two against one. Paris has moved to "
            "Burgundy, and Munich stays. A unit can support a move only to where it could go "
            "itself."
        ),
        ("a par - bur", "a mar s a par - bur", "a mun - bur", *_ALL),
        area=_WEST,
        cannot=("a mar s f kie - den",),
    ),
    Lesson(
        phrase(
            "The same once more, but an army from Piedmont attacks Marseilles. It gets nowhere, "
            "and yet cuts the support: one against one again, and nobody moves."
        ),
        (
            *("a ven - pie", *_ALL),
            *("a par - bur", "a mar s a par - bur", "a mun - bur", "a pie - mar", *_ALL),
        ),
        area=_WEST,
    ),
    Lesson(
        phrase(
            "Munich, supported from the Ruhr, has taken Burgundy: the French army there is "
            "dislodged. It retreats to an empty neighbour, though not to Munich, from where the "
            "attack came, or it disbands."
        ),
        (*_INTO_BURGUNDY, "a mun - bur", "a ruh s a mun - bur", *_ALL),
        area=_WEST,
        can=("a bur r par", "a bur r gas", "a bur d"),
        cannot=("a bur r mun", "a bur r mar"),
    ),
    Lesson(
        phrase(
            "A convoy: the fleet in the North Sea carries the army from Yorkshire to Belgium in "
            "one move, and stays where it is. Were the fleet dislodged, the army would not move."
        ),
        (
            *("f lon - nth", "a lvp - yor", *_ALL),
            *("f nth c a yor - bel", "a yor - bel", *_ALL),
        ),
        area=("edi", "yor", "lon", "nth", "eng", "bel", "hol", "hel", "pic", "lvp", "wal"),
    ),
)

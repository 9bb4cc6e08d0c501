"""What is played in the year: games that end soon, for two, three and four, with clocks of all
kinds."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Menu:
    """A game, its options, how many may sit down, and how often it is chosen."""

    game: str
    options: str
    seats: tuple[int, ...]
    weight: int
    hides: bool = False


MENU = (
    Menu("tictactoe", "", (2,), 5),
    Menu("fourinarow", "", (2,), 4),
    Menu("cradle", "-size=3", (2, 3), 5),
    Menu("cradle", "", (2, 3), 3),
    Menu("cyclone", "-length=5", (2, 3, 4), 3),
    Menu("dotsandboxes", "-columns=3 -rows=3", (2,), 3),
    Menu("hex", "-size=4", (2,), 3),
    Menu("breakthrough", "-columns=5 -rows=6", (2,), 3),
    Menu("cephalopod", "-rows=3", (2,), 2),
    Menu("atarigo", "-size=7", (2,), 2),
    Menu("linesofaction", "-scrambled", (2,), 1),
    Menu("poolside", "", (3, 4), 3, hides=True),
    Menu("spacecradles", "", (3, 4), 1),
    Menu("spacetruckin", "", (4,), 1),
)
TERMS = (
    *[""] * 8,
    "--nag=3 --forfeit=10",
    "--nag=2 --forfeit=6",
    "--forfeit=14 --total=40",
    "--total=30",
    "--time=10d+1d",
    "--time=6d+12h",
    "--time=36h+12h",
    "--nag=5 --forfeit=none",
    "--nag=none --forfeit=9",
    "--unrated",
)


def choose(dice: random.Random) -> Menu:
    """Return a game by its weight."""
    return dice.choices(MENU, [each.weight for each in MENU])[0]


def terms(dice: random.Random) -> str:
    """Return a clock, mostly the usual one."""
    return dice.choice(TERMS)

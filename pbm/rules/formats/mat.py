"""Records of backgammon matches in the text format of JellyFish (.mat), which GNU Backgammon,
eXtreme Gammon and others read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_COLUMN = 34
"""The width of the first player's column."""


@dataclass(slots=True)
class Leg:
    """One game of a match.

    score   what the players had before it
    turns   (seat, what is written for the turn)
    winner  the seat that won it, with the points; None when it did not end
    """

    score: tuple[int, int]
    turns: list[tuple[int, str]] = field(default_factory=list)
    winner: tuple[int, int] | None = None


def turn(dice: tuple[int, int], play: str) -> str:
    """Return a roll and how it was played, "" if it could not be."""
    return f"{dice[0]}{dice[1]}: {play or 'Cannot Move'}"


def doubles(cube: int) -> str:
    """Return the offer of the cube at that value."""
    return f" Doubles => {cube}"


TAKES, DROPS = " Takes", " Drops"


def match(
    points: int, names: tuple[str, str], headers: Iterable[tuple[str, str]], legs: Sequence[Leg]
) -> str:
    """Return the record of a match to that many points."""
    lines = [f'; [{name} "{value}"]' for name, value in headers]
    lines += ["", f" {points} point match"]
    for number, leg in enumerate(legs, 1):
        first, second = (f"{n} : {s}" for n, s in zip(names, leg.score, strict=True))
        lines += ["", f" Game {number}", f" {first:{_COLUMN + 4}} {second}"]
        rows: list[list[str]] = []
        for seat, text in leg.turns:
            if seat == 0 or not rows:
                rows.append(["", ""])
            rows[-1][seat] = text
        after = _write_winner(leg, rows, points)
        lines += [f"{n:3}) {a:{_COLUMN}} {b}".rstrip() for n, (a, b) in enumerate(rows, 1)]
        lines += after
    return "\n".join(lines).lstrip("\n") + "\n"


def _write_winner(leg: Leg, rows: list[list[str]], points: int) -> list[str]:
    """Return the line below the turns that says who won. There is none where the second player wins
    and has not answered the last turn: it is then said in that place, where readers look for it."""
    if leg.winner is None:
        return []
    seat, won = leg.winner
    over = " and the match" if leg.score[seat] + won >= points else ""
    words = f"Wins {won} point{'s' * (won > 1)}{over}"
    if seat and rows and not rows[-1][1]:
        rows[-1][1] = f" {words}"
        return []
    return [" " * (6 + (_COLUMN + 1) * seat) + words]

"""Makes the puzzles of Cradle: positions of random games in which exactly one placement wins.

    python -m tools.games.cradle_puzzles 200 > pbm/games/cradle/puzzles.txt

Each line has the strength, then the placements that lead there. No two are equal by a turn, a
reflection or what lies out of reach."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from pbm.games import get_game
from pbm.games.cradle.cradle_solver import DEEPEST
from pbm.rules import Position
from pbm.rules.solutions import STRENGTHS, Puzzle
from tools.games.small_cradle import node

STRENGTH_OF = {
    3: "easy",
    5: "medium",
    7: "medium",
    **dict.fromkeys(range(9, DEEPEST + 1), "hard"),
}
"""By the placements until the win, the first and the last included."""
FEWEST = 4
"""Legal placements: with fewer one would guess."""
_EARLIEST, _LATEST = 2, 14
"""Placements before."""


def grade(position: Position) -> str:
    """Return the strength of a position as a puzzle; "" if it is none."""
    if len(position.legal_moves(min(position.to_move))) < FEWEST:
        return ""
    solution = position.solve(wants_all=True)
    if solution is None or len(solution.wins) != 1:
        return ""
    (moves,) = solution.wins.values()
    return STRENGTH_OF.get(moves, "")


def make_puzzles(count: int, dice: random.Random) -> Iterator[Puzzle]:
    """Make `count` puzzles of each strength."""
    seen = set()
    missing = dict.fromkeys(STRENGTHS, count)
    while any(missing.values()):
        position, moves = get_game("cradle").setup(), list[str]()
        while position.outcome is None and len(moves) <= _LATEST:
            _, _, _, height, top, *_ = position.dump()
            place = node(height, top)
            if len(moves) >= _EARLIEST and place not in seen:
                seen.add(place)
                strength = grade(position)
                if missing.get(strength):
                    missing[strength] -= 1
                    yield Puzzle(strength, tuple(moves))
            seat = min(position.to_move)
            moves.append(dice.choice(position.legal_moves(seat)))
            position = position.play(seat, moves[-1])


def main() -> None:
    """Write the lines of the file."""
    made = make_puzzles(int(sys.argv[1]), random.Random(1))
    for puzzle in sorted(made, key=lambda each: STRENGTHS.index(each.strength)):
        sys.stdout.write(" ".join((puzzle.strength, *puzzle.moves)) + "\n")


if __name__ == "__main__":
    main()

"""The conformance suite: where a game is solved, if only in part, `solve` agrees with the rules,
and in each puzzle exactly one move wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from pbm.rules.chance import CHANCE_TO_MOVE
from pbm.rules.errors import MoveError
from pbm.rules.game import Position
from pbm.rules.solutions import STRENGTHS, Puzzle, Solution
from pbm.rules.testing.nonconforming import Nonconforming, require
from pbm.rules.testing.topics import SOLUTIONS


def check_solution(position: Position) -> Solution | None:
    """Check the stated results of a position's moves. Return its solution, if any."""
    solution, quick = position.solve(wants_all=True), position.solve()
    if len(position.to_move) != 1 or position.to_move == CHANCE_TO_MOVE:
        is_none = solution is None and quick is None
        require(is_none, "`solve` is None unless exactly one seat is on the move", SOLUTIONS)
        return None
    (seat,) = position.to_move
    moves = position.legal_moves(seat)
    if quick is not None:
        _check_moves(quick, moves)
    if solution is None:
        return None
    _check_moves(solution, moves)
    missing = [move for move in moves if move not in _list_moves(solution)]
    every = f"`solve(wants_all=True)` has every legal move, {missing[:1]} too"
    require(not missing, every, SOLUTIONS)
    for move in moves:
        _check_end(position, seat, move, solution)
    return solution


def _list_moves(solution: Solution) -> list[str]:
    return [*solution.wins, *solution.loses, *solution.holds]


def _check_moves(solution: Solution, moves: Collection[str]) -> None:
    """Check that a solution names legal moves, each once, with sensible numbers."""
    named = Counter(_list_moves(solution))
    require(named, "`solve` has at least one move, or is None", SOLUTIONS)
    for move, times in named.items():
        require(move in moves, f"`solve` has legal moves alone, and {move!r} is none", SOLUTIONS)
        require(times == 1, f"`solve` has each move once, but {move!r} more often", SOLUTIONS)
    for move, number in [*solution.wins.items(), *solution.loses.items()]:
        is_count = isinstance(number, int) and number >= 1
        what = f"`solve` counts moves, {move!r} included: at least 1, not {number!r}"
        require(is_count, what, SOLUTIONS)


def _check_end(position: Position, seat: int, move: str, solution: Solution) -> None:
    """Check the stated result of a move that ends the game, or that is said to win at once."""
    outcome = position.play(seat, move).outcome
    wins = solution.wins.get(move) == 1
    if outcome is None:
        require(not wins, f"{move!r} wins at once, as `solve` says; the game goes on", SOLUTIONS)
        return
    is_won = set(outcome.winners) == {seat}
    what = f"`wins` has {move!r} with 1, which wins the game at once"
    require(wins or not is_won, what, SOLUTIONS)
    what = f"{move!r} wins, as `solve` says; it ends the game otherwise"
    require(is_won or move not in solution.wins, what, SOLUTIONS)


def check_list(puzzles: Sequence[Puzzle]) -> None:
    """Check that each puzzle says how hard it is and comes once, by moves that can be kept."""
    listed = Counter(puzzle.moves for puzzle in puzzles)
    for puzzle in puzzles:
        what = f"a puzzle is {', '.join(STRENGTHS)}: not {puzzle.strength!r}"
        require(puzzle.strength in STRENGTHS, what, SOLUTIONS)
        spaced = [move for move in puzzle.moves if len(move.split()) != 1]
        what = f"a puzzle has moves without blanks in them: not {spaced[:1]}"
        require(not spaced, what, SOLUTIONS)
        what = f"each puzzle is listed once: {' '.join(puzzle.moves)}"
        require(listed[puzzle.moves] == 1, what, SOLUTIONS)


def follow(position: Position, move: str, following: list[Position]) -> None:
    """Play a move that leads to a puzzle; `following` gets the position after it."""
    require(position.to_move, f"{move!r} leads to a puzzle; the game is over", SOLUTIONS)
    try:
        following.append(position.play(min(position.to_move), move))
    except MoveError as error:
        what = f"{move!r} leads to a puzzle; it was refused: {error}"
        raise Nonconforming(what, SOLUTIONS) from error


def check_puzzle(position: Position) -> None:
    """Check that exactly one move wins in a position."""
    require(position.to_move, "a puzzle leaves a move to be found; the game is over", SOLUTIONS)
    solution = check_solution(position)
    if solution is None:
        raise Nonconforming("`solve` knows the position of a puzzle", SOLUTIONS)
    what = f"exactly one move wins in a puzzle: {', '.join(solution.wins) or 'none'}"
    require(len(solution.wins) == 1, what, SOLUTIONS)

"""A beginner who has read the help, as a program: wins when it can, does not let the opponent win
at once, and takes as much as it can, or makes the longest row, or leaves few moves to the opponent
where who cannot move loses. `level1` is to lose to it."""

from __future__ import annotations

import random

from pbm.bots.backgammon_men import JUDGEMENTS
from pbm.bots.evaluations import find_evaluation
from pbm.bots.simple import find_win
from pbm.games.cephalopod import DICE, Cephalopod
from pbm.games.cyclone import CyclonePosition
from pbm.games.cyclone.paths import board_of, count_steps
from pbm.rules import CHANCE, Position
from pbm.rules.boards.squares import Grid
from pbm.rules.families.placement import PlacementPosition, row_lengths
from pbm.rules.families.two_player import STONES

NAME = "beginner"
MOST_LOOKS = 12
"""Moves of which it looks whether they let the opponent win, or how many answers they leave."""


def choose_move(position: Position, seat: int, dice: random.Random) -> str:
    """Return one of the best moves that do not lose at once, as far as it looks."""
    if win := find_win(position, seat):
        return win
    moves = list(position.legal_moves(seat))
    dice.shuffle(moves)
    if counts_answers(position):
        moves = moves[:MOST_LOOKS]
    moves.sort(key=lambda move: -see_gain(position.play(seat, move), seat))
    threats = dict[str, None]()
    for move in moves[:MOST_LOOKS]:
        threat = find_answer(position, seat, move)
        if not threat:
            return move
        threats[threat] = None
    return next((move for move in threats if move in moves), moves[0])


def counts_answers(position: Position) -> bool:
    """Whether all that the help says is that who cannot move loses."""
    return position.game.info.family == "blocking" and find_evaluation(position) is None


def see_gain(position: Position, seat: int) -> float:
    """Return how far ahead a seat looks at a glance; equal in games in which only the end shows
    it."""
    if position.outcome is not None:
        return 1e9 if position.outcome.ranks[seat] == 1 else -1e9
    if isinstance(position, Cephalopod):
        own, others = (
            sum(die in DICE[side] for die in position.board) for side in (seat, 1 - seat)
        )
        return own - others
    if isinstance(position, CyclonePosition):
        board = board_of(position.players, int(position.options["length"]))
        ways = [count_steps(board, position.spaces, each) for each in range(position.players)]
        return 2 * ways[seat] - sum(ways)
    judgement = JUDGEMENTS.get(position.game.info.name) or find_evaluation(position)
    if judgement is not None:
        return judgement.judge(position, seat)
    if isinstance(position, PlacementPosition) and isinstance(position.geometry, Grid):
        return measure_row(position, position.geometry, seat)
    if counts_answers(position):
        return -float(sum(len(position.legal_moves(other)) for other in position.to_move - {seat}))
    outlook = position.outlook
    return 0.0 if outlook is None else outlook[seat] - max(outlook[:seat] + outlook[seat + 1 :])


def measure_row(position: PlacementPosition, grid: Grid, seat: int) -> float:
    """Return the longest row of a seat on a board of squares."""
    board, stone = position.board, STONES[seat ^ position.swapped]
    own = [cell for cell, sign in enumerate(board) if sign == stone]
    return max((max(row_lengths(board, cell, grid.axes)) for cell in own), default=0)


def find_answer(position: Position, seat: int, move: str) -> str:
    """Return with what the opponent wins at once after a move; "" if it cannot."""
    after = position.play(seat, move)
    others = after.to_move - {seat, CHANCE}
    return next(filter(None, (find_win(after, other) for other in others)), "")

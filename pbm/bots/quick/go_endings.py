"""The end of a game of go: passing where nothing is left to gain, and naming dead stones.

Whose a point is going to be is seen from playouts. A side passes when all points are settled, or
when the other has passed and it wins without those that are not. Until then it neither passes nor
fills its own eyes."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.bots.quick.go_playouts import Board, Counting, find_komi
from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.boards.stone_groups import find_group
from pbm.rules.families.two_player import STONES

_PLAYOUTS = 24
_SETTLED = 0.5
"""How much more often one side than the other has a point that is settled."""
_DEAD = 0.5
"""How much more often the other side has the points of a group that is dead."""


def finish_go(position: Position, dice: Dice) -> Sequence[str]:
    """Return a turn that ends the game or helps to end it; none while there is something to play
    for."""
    if not isinstance(position, Counting):
        return ()
    if not position.stage and not position.passes and position.turn < len(position.board) // 2:
        return ()
    owners = foresee_owners(position, dice)
    ahead = sum((owner > 0) - (owner < 0) for owner in owners) - find_komi(position)
    if not position.stage:
        return ("pass",) if _may_pass(position, owners, ahead) else ()
    (seat,) = position.to_move
    return _settle(position, owners, ahead, position.legal_moves(seat))


def list_useful(position: Position, moves: Sequence[str]) -> Sequence[str]:
    """Return the moves without passes and without stones in own eyes; all if there are no
    others."""
    if not isinstance(position, Counting) or position.stage:
        return moves
    board, points = Board(position), position.geometry.number
    return [
        move
        for move in moves
        if move != "pass" and not board.is_eye(board.points[points[move]], position.side + 1)
    ] or moves


def foresee_owners(position: Counting, dice: Dice) -> list[float]:
    """Foresee whose each point is going to be, from -1 (White) to 1 (Black)."""
    totals = [0] * len(position.board)
    for _ in range(_PLAYOUTS):
        board = Board(position)
        board.fill(position.side, dice)
        for cell, owner in enumerate(board.list_owners()):
            totals[cell] += (0, 1, -1)[owner]
    return [total / _PLAYOUTS for total in totals]


def _may_pass(position: Counting, owners: Sequence[float], ahead: float) -> bool:
    """Whether to pass: if nothing is left to gain, or if that ends the game and is enough. `ahead`
    is how far Black is going to be; after play was resumed no stone is taken off."""
    open_points = sum(abs(owner) < _SETTLED for owner in owners)
    if position.resumed:
        is_won = _leads(position, position.count()[0])
        return is_won if position.passes or _leads(position, ahead) else not open_points
    return not open_points or bool(position.passes and _leads(position, ahead, 2 * open_points))


def _settle(
    position: Counting, owners: Sequence[float], ahead: float, answers: Sequence[str]
) -> list[str]:
    """Return the answer to which stones are dead: agree if it costs nothing, or else correct it."""
    dead = {cell for cell in position.groups() if _is_dead(position, cell, owners)}
    names = position.geometry.names
    marks = [
        f"{'dead' if cell in dead else 'alive'} {names[cell]}"
        for cell in sorted(dead ^ {*position.dead})
    ]
    if "agree" not in answers:
        return [*marks, "done"]
    if not marks or _leads(position, position.count()[0]) or not _leads(position, ahead):
        return ["agree"]
    return [*marks, "done"] if marks[0] in answers else ["resume"]


def _is_dead(position: Counting, cell: int, owners: Sequence[float]) -> bool:
    """Whether a group, given by a point of it, is going to be the other side's."""
    group = find_group(position.board, cell, position.geometry.orthogonal)
    black = sum(owners[there] for there in group) / len(group)
    return (black if position.board[cell] == STONES[0] else -black) < -_DEAD


def _leads(position: Counting, ahead: float, by: float = 0) -> bool:
    """Whether the side to move is ahead, and by more than that, if Black is so far ahead."""
    return (-ahead if position.side else ahead) > by

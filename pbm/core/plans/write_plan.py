"""Writes plans: the branches as typed, checked against the rules where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.playing import respell_move
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.plan_text import FORM, Line, read_plan
from pbm.core.kernel.plans.rules import Problem, is_complete
from pbm.core.kernel.plans.tree import (
    OWN,
    Conflict,
    Node,
    Plan,
    Tree,
    build_branch,
    count_nodes,
    grow,
)
from pbm.core.kernel.refusal import Refusal, RefusalCode, get_move_code
from pbm.core.plans.run_plans import build_rules, note_cut
from pbm.rules import CHANCE_TO_MOVE, MoveError, Position
from pbm.rules.phrases import get_text, phrase

_LONGEST_BRANCH = 250


class Prepared(NamedTuple):
    """The plan below a move that is not played yet; `is_checked`: against the position after it."""

    tree: Tree
    is_checked: bool


def build_tree(
    context: Context, board: Board, seat: Seat, lines: Sequence[str], position: Position | None
) -> Tree:
    """Return the tree of a plan that begins at a position (None: not known yet). Refuse what
    cannot be read or played there, naming the line and the words, and a second answer to a
    question."""
    read = read_plan(lines)
    most = context.config.limits.plan_moves
    if most and sum(len(line.steps) for line in read) > most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("a plan holds at most {most} moves, those of the others included", most=most),
            FORM,
            board=board.id,
        )
    tree: Tree = ()
    for line in read:
        if len(line.steps) > _LONGEST_BRANCH:
            raise _refuse(
                board,
                RefusalCode.LIMIT_REACHED,
                phrase(
                    "line {number} of your plan is longer than {most} moves",
                    number=line.number,
                    most=_LONGEST_BRANCH,
                ),
            )
        rules = build_rules(context, board, seat)
        typed = build_branch(line.steps)
        branch = rules.settle(typed, position)
        if rules.problems:
            problem = rules.problems[0]
            raise _refuse_line(board, line, problem, _measure_depth(typed, problem.node))
        try:
            tree = grow(tree, branch)
        except Conflict as conflict:
            step = line.steps[_measure_depth(branch, conflict.node)]
            words = f"then {step.text}"
            raise _refuse(
                board,
                RefusalCode.BAD_PLAN,
                phrase(
                    "line {number} of your plan, {words}: an earlier line has another answer there",
                    number=line.number,
                    words=words,
                ),
            ) from None
    return tree


def _measure_depth(branch: Tree, node: Node) -> int:
    """Return how many steps come before a node of a branch."""
    depth = 0
    while branch[0] is not node:
        depth, branch = depth + 1, branch[0].children
    return depth


def _refuse_line(board: Board, line: Line, problem: Problem, depth: int) -> Refusal:
    reason, prefix = get_text(problem.reason), f"{problem.node.text}: "
    if reason.startswith(prefix):
        reason = reason.removeprefix(prefix)
    return _refuse(
        board,
        get_move_code(problem.reason),
        phrase(
            "line {number} of your plan, {words}: {problem}",
            number=line.number,
            words=problem.words,
            problem=reason,
        ),
        phrase(
            "move {move} in line {number} of your plan cannot be played there",
            move=depth + 1,
            number=line.number,
        ),
    )


def _refuse(board: Board, code: RefusalCode, problem: str, brief: str = "") -> Refusal:
    form = FORM.replace("GAME", board.game.info.name, 1)
    brief = brief or phrase("your plan could not be read")
    return Refusal(code, problem, form, "help plans", board=board.id, brief=brief)


def after_own(tree: Tree) -> Tree:
    """Return the tree for after the owner's own move."""
    return (Node(False, OWN, tree),)


def prepare_plan(call: Call, board: Board, seat: Seat, text: str) -> Callable[..., None] | None:
    """Prepare the plan below a move, before the move is played: what chance answers to the move
    must not decide whether the plan is refused. Returns what keeps it, None when there is none or
    the move cannot be played anyway."""
    if not call.plan:
        return None
    try:
        try:
            position, rest = _play_all(board.position, seat.seat, text)
        except MoveError as error:
            text = respell_move(board, seat.seat, text, error)
            position, rest = _play_all(board.position, seat.seat, text)
    except MoveError:
        return None
    is_open = bool(rest) or not is_complete(board.position, seat.seat, position)
    tree = build_tree(call, board, seat, call.plan, None if is_open else position)
    tree = after_own(tree) if is_open and not rest else tree
    return partial(_keep_plan, call, board, seat, Prepared(tree, not is_open))


def _play_all(position: Position, seat: int, text: str) -> tuple[Position, str]:
    """Return the position after the moves of a text, up to the first chance, and the text that is
    left."""
    rest = text.strip()
    while rest and position.outcome is None and position.to_move != CHANCE_TO_MOVE:
        move, rest = position.parse(rest, seat)
        position, rest = position.play(seat, move), rest.strip()
    return position, rest


def _keep_plan(
    context: Context, board: Board, seat: Seat, prepared: Prepared, *, is_whole: bool
) -> None:
    """Keep the plan below a move that has just been played; not when some of its moves were not
    (`is_whole`)."""
    if not is_whole:
        lost = phrase("your plan is not kept: not all of your moves were played")
        board.note_lapse(seat, lost)
        return
    own = [entry.kind == "move" and entry.seat == seat.seat for entry in board.entries]
    last = len(own) - 1 - own[::-1].index(True)
    tree = prepared.tree
    if not prepared.is_checked and tree[0].text != OWN:
        rules = build_rules(context, board, seat)
        after = (*board.positions_before, board.position)[last + 1]
        tree = rules.settle(tree, None if rules.hides else after)
        note_cut(board, seat, rules.problems)
    seat.make_plan(Plan(tree, board.entries[last].number) if count_nodes(tree) else None)

"""A plan in lines, for its owner alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from pbm.core.kernel.plans.rules import play_turn, roll_results
from pbm.core.kernel.plans.tree import (
    ANSWER_WORDS,
    ANY,
    OWN,
    PROPOSE,
    RESIGN,
    Node,
    Plan,
    Tree,
    list_chains,
)
from pbm.rules import CHANCE_TO_MOVE, MoveError, Position
from pbm.rules.phrases import combine, phrase

_COLUMNS = 78
_MOST_LINES = 12
_DEEPEST = 12


def strip_own(plan: Plan) -> tuple[Tree, bool]:
    """Return the branches of a plan, and whether they begin after the owner's own next move."""
    is_after_own = bool(plan.tree) and plan.tree[0].text == OWN
    return (plan.tree[0].children if is_after_own else plan.tree), is_after_own


def list_branches(tree: Tree, numbers: dict[int, int] | None = None) -> list[str]:
    """Return a line a branch, indented below the one that it continues. `numbers` has the number of
    the move for a node (its `id`)."""
    chains = list(list_chains(tree))
    width = max((len(chain.place) for chain in chains), default=0)
    lines = []
    for place, _, nodes in chains:
        depth = min(place.count("."), _DEEPEST)
        text = " ".join(_describe(node, numbers or {}) for node in nodes)
        head = f"  {place:<{width}}  {'  ' * depth}"
        pieces = wrap(text, _COLUMNS - len(head) - 2, break_on_hyphens=False)
        lines.append(head + pieces[0])
        lines += [" " * (len(head) + 2) + piece for piece in pieces[1:]]
    return lines


def summarize_plan(plan: Plan | None, *, is_whole: bool = False) -> list[str]:
    """Return the plan as the mails about the board show it to its owner: what it is, and a line a
    branch, but not too many unless `is_whole`."""
    if plan is None:
        return []
    tree, is_after_own = strip_own(plan)
    lines = list_branches(tree)
    title = phrase("Your plan, which only you can see:")
    if is_after_own:
        title = phrase("Your plan, which only you can see, for after your move:")
    if plan.is_due:
        title = phrase("Your plan, which only you can see, for when your turn comes:")
    if len(lines) > _MOST_LINES and not is_whole:
        lines = [
            *lines[: _MOST_LINES - 1],
            combine("  {more}", more=phrase("and more: reply with plan to see all of it")),
        ]
    return [title, *lines]


def _describe(node: Node, numbers: dict[int, int]) -> str:
    number = f" ({numbers[id(node)]})" if id(node) in numbers else ""
    return f"{'then' if node.is_answer else 'if'} {node.text}{number}"


def number_moves(tree: Tree, position: Position | None, seat: int, ply: int) -> dict[int, int]:
    """Return the number of the move that each node is, where that is certain; `ply` moves have been
    made in `position`."""
    return dict(_number(tree, position, seat, ply))


def _number(
    tree: Tree, position: Position | None, seat: int, ply: int
) -> Iterator[tuple[int, int]]:
    for node in tree:
        if position is None:
            return
        found = _step(node, position, seat)
        if node.text not in ANSWER_WORDS and position.to_move != CHANCE_TO_MOVE:
            yield id(node), ply + 1
        if found is not None:
            moves, after = found
            yield from _number(node.children, after, seat, ply + len(moves))


def play_branch(
    path: Sequence[Node], position: Position, seat: int
) -> tuple[Position, tuple[str, ...], bool]:
    """Return the position at the end of a branch, the moves that came last, and whether it is
    certain; otherwise the last position that is."""
    last: tuple[str, ...] = ()
    for node in path:
        if node.is_answer and node.text in ANSWER_WORDS:
            break
        found = _step(node, position, seat)
        if found is None:
            return position, last, False
        moves, position = found
        last = tuple(moves) or last
    return position, last, True


def _step(node: Node, position: Position, seat: int) -> tuple[list[str], Position] | None:
    """Return the moves of a node and the position after it; None when they are not certain."""
    if node.text in (ANY, OWN) or len(position.to_move) != 1:
        return None
    if node.text == PROPOSE or (node.is_answer and node.text in ANSWER_WORDS):
        return [], position
    (mover,) = position.to_move
    try:
        if position.to_move == CHANCE_TO_MOVE:
            results = roll_results(position, node.text)
            return ([], results[0][1]) if results else None
        if node.text == RESIGN:
            return [], position.resign(mover)
        return play_turn(position, seat if node.is_answer else mover, node.text)
    except MoveError:
        return None

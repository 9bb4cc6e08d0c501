"""How far a plan has come: its tree followed along the entries that the log has got since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbm.core.kernel.boards.log import Entry, apply_entry
from pbm.core.kernel.plans.rules import Problem, Rules, is_complete, play_turn, roll_results
from pbm.core.kernel.plans.tree import ANSWER_WORDS, ANY, OWN, PROPOSE, RESIGN, Node, Plan, Tree
from pbm.rules import MoveError, Position
from pbm.rules.phrases import phrase

_LEAVING = ("resign", "forfeit")


@dataclass(frozen=True, slots=True)
class Progress:
    """What became of a plan.

    plan      what is left of it, from the answer on when one is due; None when it has ended
    answer    what is to be played now; "" for nothing
    ended     why it has ended, a clause; "" when it goes on or is used up
    problems  branches that no longer hold and were cut
    """

    plan: Plan | None
    answer: str = ""
    ended: str = ""
    problems: tuple[Problem, ...] = ()


class _Unit(NamedTuple):
    """What belongs together in a log: the moves of a turn, a roll, somebody leaving."""

    kind: str
    seat: int | None
    moves: tuple[str, ...]
    words: str
    after: Position
    last: int
    is_complete: bool


def follow(plan: Plan, rules: Rules, position: Position, entries: Sequence[Entry]) -> Progress:
    """Follow a plan along what has happened since; `position` is the one before these entries."""
    tree, since, is_due = plan.tree, plan.since, plan.is_due
    rest = list(entries)
    problems = rules.problems
    while tree:
        if tree[0].is_answer and not (is_due and rest):
            break
        if not rest:
            return Progress(plan.go_on(tree, since), problems=tuple(problems))
        unit = _take_unit(position, rest)
        if not unit.is_complete and not is_due:
            return Progress(plan.go_on(tree, since), problems=tuple(problems))
        if unit.seat == rules.seat and unit.kind in _LEAVING:
            return Progress(None, ended=phrase("you no longer play"))
        if unit.seat == rules.seat and tree[0].text != OWN:
            return Progress(None, ended=phrase("you moved before it could go on"))
        if not is_due:
            node = _find_branch(tree, rules, unit, position)
            if node is None:
                return Progress(None, ended=_describe_surprise(unit, rules), problems=(*problems,))
            tree, is_due = node.children, node.text == ANY and node.children[0].is_answer
            if not is_due and node.text in (OWN, ANY):
                tree = rules.settle(tree, None if rules.hides else unit.after)
                if not tree:
                    return Progress(
                        None, ended=phrase("nothing of it holds"), problems=(*problems,)
                    )
        position, since = unit.after, unit.last
    if not tree:
        return Progress(None, problems=tuple(problems))
    left = plan.go_on(tree, since, is_due=is_due)
    text = tree[0].text
    if is_due and rules.seat not in position.to_move:
        return Progress(left, problems=tuple(problems))
    if is_due or text in ANSWER_WORDS:
        return Progress(left, text, problems=tuple(problems))
    if rest:
        ended = phrase("something else happened before {move}", move=text)
        if rest[0].kind == "chance":
            ended = phrase("chance decided before {move}", move=text)
        return Progress(None, ended=ended, problems=tuple(problems))
    if rules.seat not in position.to_move:
        ended = phrase("it is not your turn for {move}", move=text)
        return Progress(None, ended=ended, problems=tuple(problems))
    return Progress(left, text, problems=tuple(problems))


def answer_proposal(plan: Plan) -> Plan | None:
    """Return what is left of a plan after somebody has proposed a draw; None when it does not name
    that and so goes on unchanged."""
    if not plan.tree or plan.tree[0].is_answer:
        return None
    for node in plan.tree:
        if node.text == PROPOSE:
            return plan.go_on(node.children, plan.since)
    return None


def _take_unit(position: Position, rest: list[Entry]) -> _Unit:
    """Take what belongs together from the head of `rest`."""
    first, turn, before = rest[0], position.turn, position
    taken = list[Entry]()
    while rest and (rest[0].kind, rest[0].seat) == (first.kind, first.seat):
        if taken and (first.kind not in ("move", "chance") or position.turn != turn):
            break
        taken.append(rest.pop(0))
        position = apply_entry(position, taken[-1])
    moves = tuple(entry.move for entry in taken)
    is_whole = bool(rest) or first.kind != "move" or first.seat is None
    is_whole = is_whole or is_complete(before, first.seat or 0, position)
    words = ", ".join(entry.words or entry.move for entry in taken)
    return _Unit(first.kind, first.seat, moves, words, position, taken[-1].number, is_whole)


def _find_branch(tree: Tree, rules: Rules, unit: _Unit, before: Position) -> Node | None:
    """Return the branch that names what has happened, or else `any`."""
    if tree[0].text == OWN:
        return tree[0] if unit.seat == rules.seat else None
    if unit.kind in _LEAVING:
        is_turn = unit.kind == "resign" and unit.seat in before.to_move
        named = [node for node in tree if node.text == RESIGN and is_turn]
    elif rules.hides:
        named = []
    else:
        named = [node for node in tree if node.text == unit.moves[0] and len(unit.moves) == 1]
        named = named or [node for node in tree if _names(node.text, unit, before)]
    named = named or [node for node in tree if node.text == ANY and _is_covered(node, unit)]
    return named[0] if named else None


def _is_covered(node: Node, unit: _Unit) -> bool:
    """Whether `any` stands for it: somebody's leaving only where an answer comes next."""
    return unit.kind not in _LEAVING or node.children[0].is_answer


def _names(text: str, unit: _Unit, before: Position) -> bool:
    """Whether a text names what has happened: the same moves, or others that lead to the same."""
    if text in (ANY, PROPOSE, RESIGN):
        return False
    if unit.kind == "chance":
        results = roll_results(before, text)
        return bool(results) and results[0][1].encode() == unit.after.encode()
    if unit.seat is None:
        return False
    try:
        moves, after = play_turn(before, unit.seat, text)
    except MoveError:
        return False
    return tuple(moves) == unit.moves or after.encode() == unit.after.encode()


def _describe_surprise(unit: _Unit, rules: Rules) -> str:
    if unit.kind in _LEAVING and unit.seat is not None:
        return phrase("{player} no longer plays", player=rules.name(unit.seat))
    if unit.kind == "chance":
        return phrase("it has no branch for this roll")
    if rules.hides or unit.kind != "move":
        return phrase("it has no branch for what happened")
    return phrase("it has no branch for {moves}", moves=unit.words)

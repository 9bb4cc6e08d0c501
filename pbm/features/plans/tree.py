"""A plan as a tree: what others may do, what its owner answers, and what may follow.

It is stored as text in the game's notation and survives a new version of the game: moves that the
new version does not understand are not played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.seat import Seat
from pbm.locale import Page
from pbm.locale.words import reply_word, say_command_word
from pbm.rules.phrases import Composed, combine, join_phrases

OWN = ""
"""Stands for the owner's own turn, before a plan that was written ahead of it."""


class PlanNode(NamedTuple):
    """An act of another seat or chance or, if `is_answer`, of the owner; with what may follow
    it."""

    is_answer: bool
    text: str
    children: tuple[PlanNode, ...] = ()


Tree = tuple[PlanNode, ...]


class Plan(Struct, frozen=True):
    """The plan of a seat.

    tree       its branches
    since      the number of the last entry of the log before it
    comment    what goes to the others with its first move
    ply        the only ply for which its first move is meant; 0 for any
    is_queued  it was written with `queue`
    is_due     others have answered, and the first move waits for the owner's turn
    """

    tree: Tree
    since: int
    comment: str = ""
    ply: int = 0
    is_queued: bool = False
    is_due: bool = False

    def go_on(self, tree: Tree, since: int, *, is_due: bool = False) -> Plan:
        """Return the rest of the plan after that entry of the log."""
        return replace(self, tree=tree, since=since, is_due=is_due)

    def encode(self) -> str:
        """Return the plan as text for the database."""
        return json.dumps(
            {
                "tree": _dump(self.tree),
                "since": self.since,
                "comment": self.comment,
                "ply": self.ply,
                "queued": self.is_queued,
                "due": self.is_due,
            },
            separators=(",", ":"),
        )


def decode_plan(text: str) -> Plan:
    """Return the plan of a text from `encode()`; ValueError, LookupError or TypeError for any
    other."""
    data = json.loads(text)
    return Plan(
        _load(data["tree"]),
        int(data["since"]),
        str(data["comment"]),
        int(data["ply"]),
        bool(data["queued"]),
        bool(data["due"]),
    )


def find_plan(seat: Seat) -> Plan | None:
    """Return the plan of a seat."""
    return decode_plan(seat.plan) if seat.plan else None


def make_plan(seat: Seat, plan: Plan | None) -> None:
    """Store a plan for a seat in place of any other; None removes it."""
    seat.plan = plan.encode() if plan is not None else None


def _dump(tree: Tree) -> list[object]:
    return [["then" if node.is_answer else "if", node.text, _dump(node.children)] for node in tree]


def _load(data: Sequence[Any]) -> Tree:
    return tuple(
        PlanNode({"if": False, "then": True}[kind], str(text), _load(children))
        for kind, text, children in data
    )


class Chain(NamedTuple):
    """A piece of a tree without forks: its number (`2.1`), the nodes before it, and its own."""

    place: str
    before: tuple[PlanNode, ...]
    nodes: tuple[PlanNode, ...]


def list_chains(tree: Tree, prefix: str = "", before: tuple[PlanNode, ...] = ()) -> Iterator[Chain]:
    """Yield the pieces of a tree from one fork to the next, in order."""
    for number, node in enumerate(tree, 1):
        nodes = [node]
        while len(nodes[-1].children) == 1:
            nodes.append(nodes[-1].children[0])
        place = f"{prefix}{number}"
        yield Chain(place, before, tuple(nodes))
        yield from list_chains(nodes[-1].children, f"{place}.", (*before, *nodes))


# A plan in lines, for its owner alone.

_COLUMNS = 78
_DEEPEST = 12


class PlannedMove(NamedTuple):
    """A move of a plan from a certain position: its number, and its spelling."""

    number: int
    text: str


def strip_own(plan: Plan) -> tuple[Tree, bool]:
    """Return the branches of a plan, and whether they begin after the owner's own next move."""
    is_after_own = bool(plan.tree) and plan.tree[0].text == OWN
    return (plan.tree[0].children if is_after_own else plan.tree), is_after_own


def list_branches(
    tree: Tree,
    told: Mapping[int, PlannedMove],
    mark: Callable[[str], str],
    *,
    has_numbers: bool = True,
) -> list[str]:
    """Return a paragraph for each branch, indented below the one that it continues, in the reader's
    words. `told` has the certain moves, by `id` of the node; `mark` converts other texts to the
    reader's letters for pieces."""
    chains = list(list_chains(tree))
    width = max((len(chain.place) for chain in chains), default=0)
    lines = list[str]()
    for place, _, nodes in chains:
        depth = min(place.count("."), _DEEPEST)
        text = join_phrases(" ", [_describe(node, told, mark, has_numbers) for node in nodes])
        write = partial(_write_branch, f"  {place:<{width}}  {'  ' * depth}", text)
        lines.append(Composed(write(str), write))
    return lines


def _write_branch(head: str, text: str, say: Callable[[str], str]) -> str:
    """Return a branch as lines that fit into a mail."""
    pieces = wrap(say(text), _COLUMNS - len(head) - 2, break_on_hyphens=False)
    return "\n".join([head + pieces[0], *(" " * (len(head) + 2) + each for each in pieces[1:])])


def _describe(
    node: PlanNode, told: Mapping[int, PlannedMove], mark: Callable[[str], str], has_number: bool
) -> str:
    word, own = say_command_word("then" if node.is_answer else "if"), told.get(id(node))
    text: str
    if node.text in ("resign", "accept"):
        text = Page(partial(reply_word, node.text))
    elif node.text in ("any", "propose"):
        text = say_command_word(node.text)
    else:
        text = own.text if own is not None else mark(node.text)
    if own is not None and has_number:
        return combine("{word} {text} ({number})", word=word, text=text, number=own.number)
    return combine("{word} {text}", word=word, text=text)

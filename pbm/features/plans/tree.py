"""A plan as a tree: what somebody else may do, what its owner answers, and what may follow.

It is stored as text in the game's notation, so that it outlives a new version of the game: what
that version no longer understands is not played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from textwrap import wrap
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.seat import Seat
from pbm.locale import Page
from pbm.locale.words import reply_word, say_command_word
from pbm.rules.phrases import Composed, combine, join_phrases, phrase
from pbm.store.transaction import Session

OWN = ""
"""Stands for the owner's own turn, which a plan written before it waits for."""


class PlanNode(NamedTuple):
    """Something that another seat or chance may do, or (`is_answer`) what the owner then does; with
    what may come after it."""

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
        """Return what is left of it after that entry of the log."""
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
    """Return the plan whose `encode()` was `text`; ValueError, LookupError or TypeError for
    another."""
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
    """Keep a plan for a seat in place of any other; None for no plan."""
    seat.plan = plan.encode() if plan is not None else None


def _dump(tree: Tree) -> list[Any]:
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
    """Yield the pieces of a tree from one fork to the next, in order, each with its number."""
    for number, node in enumerate(tree, 1):
        nodes = [node]
        while len(nodes[-1].children) == 1:
            nodes.append(nodes[-1].children[0])
        place = f"{prefix}{number}"
        yield Chain(place, before, tuple(nodes))
        yield from list_chains(nodes[-1].children, f"{place}.", (*before, *nodes))


# A plan in lines, for its owner alone.

_COLUMNS = 78
_MOST_LINES = 12
_DEEPEST = 12


def strip_own(plan: Plan) -> tuple[Tree, bool]:
    """Return the branches of a plan, and whether they begin after the owner's own next move."""
    is_after_own = bool(plan.tree) and plan.tree[0].text == OWN
    return (plan.tree[0].children if is_after_own else plan.tree), is_after_own


def list_branches(tree: Tree, numbers: dict[int, int] | None = None) -> list[str]:
    """Return a paragraph a branch, indented below the one that it continues, in words of its
    reader. `numbers` has the number of the move for a node (its `id`)."""
    chains = list(list_chains(tree))
    width = max((len(chain.place) for chain in chains), default=0)
    lines = list[str]()
    for place, _, nodes in chains:
        depth = min(place.count("."), _DEEPEST)
        text = join_phrases(" ", [_describe(node, numbers or {}) for node in nodes])
        write = partial(_write_branch, f"  {place:<{width}}  {'  ' * depth}", text)
        lines.append(Composed(write(str), write))
    return lines


def _write_branch(head: str, text: str, say: Callable[[str], str]) -> str:
    """Return a branch as lines that fit into a mail."""
    pieces = wrap(say(text), _COLUMNS - len(head) - 2, break_on_hyphens=False)
    return "\n".join([head + pieces[0], *(" " * (len(head) + 2) + each for each in pieces[1:])])


def show_plan(
    _session: Session, _board: Board, seat: Seat, *, ply: int, is_whole: bool
) -> Sequence[str]:
    """Return the plan of a seat as it is, at whatever `ply`, as the mails about the board show it
    to its owner: what it is, and a line a branch, but not too many unless `is_whole`."""
    plan = find_plan(seat)
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


def _describe(node: PlanNode, numbers: dict[int, int]) -> str:
    word = say_command_word("then" if node.is_answer else "if")
    is_reply = node.text in ("resign", "accept")
    text = Page(partial(reply_word, node.text)) if is_reply else say_command_word(node.text)
    if id(node) in numbers:
        number = numbers[id(node)]
        return combine("{word} {text} ({number})", word=word, text=text, number=number)
    return combine("{word} {text}", word=word, text=text)

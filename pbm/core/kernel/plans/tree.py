"""A plan as a tree: what somebody else may do, what its owner answers, and what may follow.

It is stored as text in the game's notation, so that it outlives a new version of the game: what
that version no longer understands is not played."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

ANY = "any"
"""Stands for every answer that no other branch names."""
OWN = ""
"""Stands for the owner's own turn, which a plan written before it waits for."""
PROPOSE, RESIGN, ACCEPT = "propose", "resign", "accept"
ANSWER_WORDS = (RESIGN, PROPOSE, ACCEPT)
"""What may be answered besides a move."""
EVENT_WORDS = (PROPOSE, RESIGN)
"""What others may do besides moving."""


class Node(NamedTuple):
    """Something that another seat or chance may do, or (`is_answer`) what the owner then does; with
    what may come after it."""

    is_answer: bool
    text: str
    children: tuple[Node, ...] = ()


Tree = tuple[Node, ...]


class Conflict(Exception):
    """The same question has two answers; `node` is the second."""

    def __init__(self, node: Node) -> None:
        super().__init__(node.text)
        self.node = node


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

    @property
    def is_planned(self) -> bool:
        """Whether it was written as a plan, not with `queue`."""
        return not self.is_queued

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


def build_queued(text: str, comment: str, ply: int, since: int) -> Plan:
    """Return the plan that `queue` stands for: `if any then MOVE`."""
    tree = (Node(False, ANY, (Node(True, text),)),)
    return Plan(tree, since, comment, ply, is_queued=True)


def _dump(tree: Tree) -> list[Any]:
    return [["then" if node.is_answer else "if", node.text, _dump(node.children)] for node in tree]


def _load(data: Sequence[Any]) -> Tree:
    return tuple(
        Node({"if": False, "then": True}[kind], str(text), _load(children))
        for kind, text, children in data
    )


def grow(tree: Tree, branch: Tree) -> Tree:
    """Return the tree with another branch; what begins alike is one. Conflict when a question then
    has two answers, or an answer stands beside a question."""
    for node in branch:
        same = next((each for each in tree if each[:2] == node[:2]), None)
        if same is not None:
            merged = Node(node.is_answer, node.text, grow(same.children, node.children))
            tree = tuple(merged if each is same else each for each in tree)
        elif tree and (node.is_answer or tree[0].is_answer):
            raise Conflict(node)
        else:
            tree = (*tree, node)
    return tree


def count_nodes(tree: Tree) -> int:
    """Return the number of conditions and answers in a tree."""
    return sum(1 + count_nodes(node.children) for node in tree)


class Chain(NamedTuple):
    """A piece of a tree without forks: its number (`2.1`), the nodes before it, and its own."""

    place: str
    before: tuple[Node, ...]
    nodes: tuple[Node, ...]


def list_chains(tree: Tree, prefix: str = "", before: tuple[Node, ...] = ()) -> Iterator[Chain]:
    """Yield the pieces of a tree from one fork to the next, in order, each with its number."""
    for number, node in enumerate(tree, 1):
        nodes = [node]
        while len(nodes[-1].children) == 1:
            nodes.append(nodes[-1].children[0])
        place = f"{prefix}{number}"
        yield Chain(place, before, tuple(nodes))
        yield from list_chains(nodes[-1].children, f"{place}.", (*before, *nodes))


def find_path(tree: Tree, place: str) -> tuple[Node, ...]:
    """Return the nodes from the root to the end of the branch with that number; empty for none."""
    for chain in list_chains(tree):
        if chain.place == place:
            return (*chain.before, *chain.nodes)
    return ()


def build_branch(steps: Iterable[tuple[bool, str]]) -> Tree:
    """Return a tree with these steps as its only branch."""
    tree: Tree = ()
    for is_answer, text in reversed(list(steps)):
        tree = (Node(is_answer, text, tree),)
    return tree

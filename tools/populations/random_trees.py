"""Random plans and what they must lead to, followed by other means than the server's own."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbm.bots.turns import choose_turn
from pbm.core.log import LogEntry, apply_entry
from pbm.rules import CHANCE, CHANCE_TO_MOVE, MoveError, Position
from pbm.rules.turn_text import turn_text

ANY = "any"
_MOST_CHANCES = 12
_ENDS = ("draw", "cancel")


@dataclass
class Node:
    """Something that may happen or (`answers`) that the owner then does. `after` is the encoded
    position that it leads to, "" where that is not known."""

    answers: bool
    text: str
    after: str = ""
    children: list[Node] = field(default_factory=list)


def grow_tree(position: Position, owner: int, depth: int, dice: random.Random) -> list[Node]:
    """Return a random tree from a position on, in which every branch ends with an answer."""
    if position.outcome is not None or depth == 0:
        return []
    if position.to_move == CHANCE_TO_MOVE:
        nodes = [_roll(position, owner, depth, dice) for _ in range(2)]
    elif owner in position.to_move:
        return [_answer(position, owner, depth, dice)]
    else:
        nodes = [_question(position, owner, depth, dice) for _ in range(dice.randint(1, 3))]
    named = {node.after: node for node in nodes if node.children}
    tree = list(named.values())
    if tree and position.to_move != CHANCE_TO_MOVE and dice.random() < 0.1:
        tree += _words(position, owner, depth, dice)
    if dice.random() < 0.4 or not tree:
        tree.append(Node(False, ANY, "", [_guess(position, owner, dice)]))
    return tree


def _answer(position: Position, owner: int, depth: int, dice: random.Random) -> Node:
    if dice.random() < 0.05:
        return Node(True, dice.choice(("resign", "propose")))
    text, after = take_turn(position, owner, dice)
    return Node(True, text, after.encode(), grow_tree(after, owner, depth - 1, dice))


def _question(position: Position, owner: int, depth: int, dice: random.Random) -> Node:
    (mover,) = position.to_move
    text, after = take_turn(position, mover, dice)
    return Node(False, text, after.encode(), grow_tree(after, owner, depth - 1, dice))


def _words(position: Position, owner: int, depth: int, dice: random.Random) -> list[Node]:
    """Return what else than moving the seat on move may do, and what is answered."""
    if len(position.playing) == 2:
        return [Node(False, "propose", "", [Node(True, dice.choice(("accept", "resign")))])]
    (mover,) = position.to_move
    after = position.resign(mover)
    children = grow_tree(after, owner, depth - 1, dice)
    return [Node(False, "resign", after.encode(), children)] if children else []


def _roll(position: Position, owner: int, depth: int, dice: random.Random) -> Node:
    outcomes, after = roll(position, dice)
    return Node(False, " ".join(outcomes), after.encode(), grow_tree(after, owner, depth, dice))


def _guess(position: Position, owner: int, dice: random.Random) -> Node:
    """Return an answer to whatever may happen: one that fits one of the possible courses."""
    for _ in range(_MOST_CHANCES):
        if position.outcome is not None or owner in position.to_move:
            break
        if position.to_move == CHANCE_TO_MOVE:
            _, position = roll(position, dice)
        else:
            _, position = take_turn(position, min(position.to_move), dice)
    if owner not in position.to_move:
        return Node(True, "resign")
    return Node(True, take_turn(position, owner, dice)[0])


def guess_tree(position: Position, owner: int, dice: random.Random) -> list[Node]:
    """Return a plan for a board that hides something: any, and what is answered, twice at most."""
    first, second = _guess(position, owner, dice), _guess(position, owner, dice)
    if first.text != "resign" and dice.random() < 0.5:
        first.children = [Node(False, ANY, "", [second])]
    tree = [Node(False, ANY, "", [first])]
    if len(position.playing) == 2 and dice.random() < 0.1:
        tree.append(Node(False, "propose", "", [Node(True, dice.choice(("accept", "resign")))]))
    return tree


def take_turn(position: Position, seat: int, dice: random.Random) -> tuple[str, Position]:
    """Return a random turn, up to the next chance, as text, and the position after it."""
    moves = choose_turn(position, seat, "random", dice, lambda part: True)
    text = turn_text(position, seat, moves)
    if text == moves[0]:
        moves = moves[:1]
    for move in moves:
        position = position.play(seat, move)
    return text, position


def roll(position: Position, dice: random.Random) -> tuple[list[str], Position]:
    """Draw random answers of chance, and the position after them."""
    outcomes = []
    while position.chance is not None:
        outcomes.append(dice.choice(position.chance.outcomes))
        position = position.play(CHANCE, outcomes[-1])
    return outcomes, position


def write_lines(tree: Sequence[Node], before: str = "") -> Iterator[str]:
    """Yield the tree as people write it, a line for each branch."""
    for node in tree:
        line = f"{before} {'then' if node.answers else 'if'} {node.text}".strip()
        if node.children:
            yield from write_lines(node.children, line)
        else:
            yield line


class Wrong(AssertionError):
    """Something was played that the owner did not plan, or was not played that the owner did."""


@dataclass
class Expected:
    """What must become of a plan.

    nodes    what it may go on with; None once it has ended
    pending  the answer that is to be played
    waits    it stands behind `any`, and is tried when the owner's turn comes
    own      it begins after the owner's own next turn
    hides    nothing is known of what the others do
    spoke    a draw was to be proposed or agreed to, which may leave no entry in the log
    """

    owner: int
    nodes: list[Node] | None
    own: bool = False
    hides: bool = False
    pending: Node | None = None
    waits: bool = False
    spoke: bool = False
    answers: int = 0

    @property
    def is_alive(self) -> bool:
        """Whether anything of it is left."""
        return self.nodes is not None or self.pending is not None

    def follow(self, position: Position, entries: Sequence[LogEntry], *, mover: int) -> None:
        """Follow it along new entries; those of `mover` at their head were typed by that player.
        Raise Wrong."""
        self.spoke = False
        rest = list(entries)
        typed = [entry for entry in _head(position, rest, mover)]
        while rest:
            unit = typed if typed else _head(position, rest, rest[0].seat)
            is_typed, typed = bool(typed), []
            before = position
            for _ in unit:
                position = apply_entry(position, rest.pop(0))
            if unit[0].kind in _ENDS and unit[0].seat != self.owner:
                self.nodes = self.pending = None
                return
            if unit[0].seat == self.owner and is_typed:
                self._own_turn(unit[0].kind)
            elif unit[0].seat == self.owner:
                self._answered(before, unit)
            else:
                self._happened(before, position, unit)
        if self.pending is not None and self._can_be_played(position):
            raise Wrong(f"{self.pending.text} was not played")
        self.spoke = self.pending is not None and self.pending.text in ("propose", "accept")
        if self.pending is not None and not (self.waits and self.owner not in position.to_move):
            self.nodes = self.pending = None

    def hear_proposal(self) -> None:
        """Follow it when somebody else has proposed a draw."""
        for node in self.nodes or () if not self.own else ():
            if node.text == "propose":
                self.pending, self.nodes, self.waits = node.children[0], None, False

    def _own_turn(self, kind: str) -> None:
        if self.own and kind == "move":
            self.own = False
        else:
            self.nodes = self.pending = None

    def _answered(self, before: Position, unit: Sequence[LogEntry]) -> None:
        if self.pending is None and unit[0].kind in ("draw", "resign"):
            self.hear_proposal()  # another plan has proposed
        if self.pending is None:
            raise Wrong(f"{unit[0].move} was played without a plan for it")
        if unit[0].kind == "resign":
            moves, is_right = ["resign"], self.pending.text == "resign"
        elif unit[0].kind == "draw":  # what was proposed could be claimed
            moves, is_right = ["draw"], self.pending.text in ("propose", "accept")
        else:
            moves = [entry.move for entry in unit]
            is_right = moves == read_turn(before, self.owner, self.pending.text)[: len(moves)]
        if not is_right:
            raise Wrong(f"{moves} was played instead of {self.pending.text}")
        self.answers += 1
        children = self.pending.children
        self.nodes = self.pending = None
        if children and children[0].answers:  # one turn of its own after another
            self.pending, self.waits = children[0], False
        elif children:
            self.nodes = children

    def _happened(self, before: Position, after: Position, unit: Sequence[LogEntry]) -> None:
        if self.pending is not None or self.nodes is None or self.own:
            if self.pending is not None and not self.waits:
                self.pending = self.nodes = None
            return
        same = [n for n in self.nodes if n.after and n.after == after.encode() and not self.hides]
        found = same or [node for node in self.nodes if node.text == ANY]
        if unit[0].kind == "resign":
            is_turn = unit[0].seat in before.to_move
            found = [node for node in found if _stands_for_leaving(node, is_turn=is_turn)]
        if not found:
            self.nodes = None
            return
        self.waits = found[0].text == ANY
        if found[0].children[0].answers:
            self.pending, self.nodes = found[0].children[0], None
        else:
            self.nodes = found[0].children

    def _can_be_played(self, position: Position) -> bool:
        assert self.pending is not None
        if position.outcome is not None or self.pending.text in ("propose", "accept"):
            return False
        if self.pending.text == "resign":
            return self.owner in position.to_move or not self.waits
        if self.owner not in position.to_move:
            return False
        return bool(read_turn(position, self.owner, self.pending.text))


def _stands_for_leaving(node: Node, *, is_turn: bool) -> bool:
    """Whether it stands for a resignation: by its name only that of the seat on move, and any only
    where an answer comes next."""
    return is_turn if node.text == "resign" else node.text == ANY and node.children[0].answers


def _head(position: Position, rest: Sequence[LogEntry], seat: int | None) -> list[LogEntry]:
    """Return the entries at the head that are one turn of a seat, or one roll."""
    taken = list[LogEntry]()
    turn = position.turn
    for entry in rest:
        if entry.seat != seat or (taken and entry.kind != taken[0].kind):
            break
        if taken and entry.kind == "move" and position.turn != turn:
            break
        taken.append(entry)
        position = apply_entry(position, entry)
    return taken


def read_turn(position: Position, seat: int, text: str) -> list[str]:
    """Return the moves of a text, as far as it can be played before the next chance; none when it
    is illegal before anything is revealed."""
    moves, turn, rest = list[str](), position.turn, text
    is_open = not position.game.info.features & {"hidden", "sealed"}
    try:
        while rest and position.outcome is None:
            if position.turn != turn or seat not in position.to_move:
                is_short = is_open or len(moves) == 1
                return [] if is_short and position.chance is None else moves
            move, rest = position.parse(rest, seat)
            position, rest = position.play(seat, move), rest.strip()
            moves.append(move)
    except MoveError:
        return moves if not is_open else []
    return [] if rest and (is_open or len(moves) == 1) else moves

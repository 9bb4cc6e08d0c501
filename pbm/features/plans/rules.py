"""Reads plans, and finds which parts of them can be played in a position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import permutations
from typing import NamedTuple

from msgspec import Struct, field

from pbm.core.refusal import Refusal
from pbm.features.plans.lines import FORM, read_word, split_line
from pbm.features.plans.tree import OWN, Plan, PlannedMove, PlanNode, Tree, list_chains
from pbm.locale.men import read_move
from pbm.locale.words import say_command_word
from pbm.rules import CHANCE, CHANCE_TO_MOVE, IllegalMove, InvalidMove, MoveError, Position
from pbm.rules.phrases import Listing, Phrase, combine, phrase
from pbm.rules.turn_text import require_no_question, turn_text
from pbm.rules.typed_moves import respell

ANY = "any"
"""Stands for every event that no other branch names."""
PROPOSE, RESIGN, ACCEPT = "propose", "resign", "accept"
ANSWER_WORDS = (RESIGN, PROPOSE, ACCEPT)
"""Answers that are not moves."""
EVENT_WORDS = (PROPOSE, RESIGN)
"""Acts of others that are not moves."""
_ROLL = re.compile(r"[a-z0-9]+")
_MOST_ROLLED = 4
_MOST_NAMED = 8

Name = Callable[[int], str]
"""Maps a seat to its userid."""


class PlanRefusalCode(StrEnum):
    """Reasons to refuse a plan, or to show it."""

    BAD_PLAN = "bad_plan"
    """A line of a plan is not `if MOVE then MOVE`, or answers the same question twice."""
    NO_SUCH_BRANCH = "no_such_branch"
    """A plan has no branch with that number."""


class BranchStep(NamedTuple):
    """A step of a branch: an act of somebody else, or an answer."""

    is_answer: bool
    text: str


class BranchLine(NamedTuple):
    """A branch as typed, and the number of its line."""

    number: int
    steps: tuple[BranchStep, ...]


def read_plan(lines: Iterable[str]) -> list[BranchLine]:
    """Read the branches of a plan. Refuse an invalid line, naming its number."""
    return [_read_line(number, line) for number, line in enumerate(lines, 1)]


def _read_line(number: int, line: str) -> BranchLine:
    first, words, parts = split_line(line.strip().rstrip(".!;"))
    if first or words[:1] != ["if"]:
        raise _refuse(number, phrase("a branch begins with the word if"))
    steps = []
    for word, text in zip(words, parts, strict=True):
        if not text.strip(" ,;"):
            raise _refuse(number, phrase("a move is missing after `{word}`", word=word))
        steps.append(BranchStep(word == "then", read_word(text.strip(" ,;"))))
    if not steps[-1].is_answer:
        raise _refuse(
            number, phrase("it does not say what you answer: end it with then and your move")
        )
    return BranchLine(number, tuple(steps))


def _refuse(number: int, problem: str) -> Refusal:
    return Refusal(
        PlanRefusalCode.BAD_PLAN,
        phrase("line {number} of your plan: {problem}", number=number, problem=problem),
        FORM,
    )


class Conflict(Exception):
    """The same event has two answers; `node` is the second."""

    def __init__(self, node: PlanNode) -> None:
        super().__init__(node.text)
        self.node = node


def build_queued(text: str, comment: str, ply: int, since: int) -> Plan:
    """Return the plan of a queued move: `if any then MOVE`."""
    tree = (PlanNode(False, ANY, (PlanNode(True, text),)),)
    return Plan(tree, since, comment, ply, is_queued=True)


def grow(tree: Tree, branch: Tree) -> Tree:
    """Return the tree with another branch, sharing equal beginnings. Raise Conflict if an event
    then has two answers, or an answer stands beside an event."""
    for node in branch:
        same = next((each for each in tree if each[:2] == node[:2]), None)
        if same is not None:
            merged = PlanNode(node.is_answer, node.text, grow(same.children, node.children))
            tree = tuple(merged if each is same else each for each in tree)
        elif tree and (node.is_answer or tree[0].is_answer):
            raise Conflict(node)
        else:
            tree = (*tree, node)
    return tree


def find_path(tree: Tree, place: str) -> tuple[PlanNode, ...]:
    """Return the nodes from the root to the end of the branch with that number; empty for none."""
    for chain in list_chains(tree):
        if chain.place == place:
            return (*chain.before, *chain.nodes)
    return ()


def build_branch(steps: Iterable[tuple[bool, str]]) -> Tree:
    """Return a tree with these steps as its only branch."""
    tree: Tree = ()
    for is_answer, text in reversed(list(steps)):
        tree = (PlanNode(is_answer, text, tree),)
    return tree


class Problem(NamedTuple):
    """A step of a plan that is impossible, and why."""

    node: PlanNode
    reason: MoveError

    @property
    def words(self) -> str:
        """The step as it is typed."""
        word = say_command_word("then" if self.node.is_answer else "if")
        return combine("{word} {text}", word=word, text=self.node.text)


class PlanRules(Struct):
    """Checks the plans of one seat. On boards where something is hidden from seats, a plan says
    nothing of others' moves, and its moves are not tried: a refusal could reveal something. Pieces
    may be written in the player's language."""

    seat: int
    name: Name
    hides: bool = False
    language: str = ""
    problems: list[Problem] = field(default_factory=list)

    def settle(self, tree: Tree, position: Position | None) -> Tree:
        """Return what of a tree can be played from a position (None: unknown), in the game's own
        spelling. The rest is added to `problems`."""
        settled: Tree = ()
        for node in tree:
            try:
                settled = grow(settled, (self._settle(node, position),))
            except MoveError as error:
                self.problems.append(Problem(node, error))
            except Conflict as conflict:
                answer = conflict.node.text
                reason = IllegalMove(
                    phrase("'{text}' is a second answer to the same question", text=answer)
                )
                self.problems.append(Problem(node, reason))
            except _Empty:
                continue
        return settled

    def _settle(self, node: PlanNode, position: Position | None) -> PlanNode:
        """Return the node with what can be played of it and after it. Raise MoveError if the node
        itself is impossible, and _Empty if nothing after it is possible."""
        word = node.text.lower()
        if position is not None and position.outcome is not None and not self.hides:
            raise IllegalMove(phrase("the game is over there"))
        if node.is_answer and word in ANSWER_WORDS:
            if node.children:
                raise IllegalMove(phrase("{word} is the last word of a branch", word=word))
            return PlanNode(True, word)
        if node.is_answer:
            text, after = self._answer(node.text, position)
        else:
            text, after = self._question(node, word, position)
        children = self.settle(node.children, after)
        if node.children and not children and not node.is_answer:
            raise _Empty
        return PlanNode(node.is_answer, text, children)

    def _answer(self, text: str, position: Position | None) -> tuple[str, Position | None]:
        if position is None or self.hides:
            return text, None
        if position.to_move == CHANCE_TO_MOVE:
            raise IllegalMove(
                phrase("chance decides before that: name the roll, as in `if 31 then MOVE`")
            )
        if self.seat not in position.to_move:
            raise IllegalMove(
                phrase("it is {who}'s turn there, not yours", who=self._on_move(position))
            )
        return self._turn(position, self.seat, text)

    def _question(
        self, node: PlanNode, word: str, position: Position | None
    ) -> tuple[str, Position | None]:
        if word == OWN:
            return OWN, None
        if word == PROPOSE:
            return word, position
        if self.hides and word == ANY and not node.children[0].is_answer:
            raise IllegalMove(phrase("on this board each `if any` has its `then`"))
        if position is None and not self.hides:
            return (word if word in (ANY, *EVENT_WORDS) else node.text), None
        if word == ANY:
            if position is not None and self.seat in position.to_move and not self.hides:
                raise IllegalMove(phrase("it is your own turn there: `then` comes before it"))
            return ANY, None
        if self.hides or position is None:
            raise IllegalMove(
                phrase(
                    "this game hides moves, so a plan can only say `if any then MOVE` or "
                    "`if propose then accept`"
                )
            )
        return self._named(word, node.text, position)

    def _named(self, word: str, text: str, position: Position) -> tuple[str, Position | None]:
        """Return what follows a named roll, resignation or move."""
        if position.to_move == CHANCE_TO_MOVE:
            results = roll_results(position, text)
            if not results:
                raise InvalidMove(_refuse_roll(position, text))
            return results[0]
        if self.seat in position.to_move:
            raise IllegalMove(phrase("it is your own turn there: `then` comes before it"))
        (mover,) = position.to_move
        if word in EVENT_WORDS:
            return word, position.resign(mover)
        return self._turn(position, mover, text)

    def _turn(self, position: Position, seat: int, text: str) -> tuple[str, Position]:
        text = read_move(position, seat, text, self.language)
        try:
            moves, after = play_turn(position, seat, text)
        except MoveError as error:
            text = respell(position, seat, text, error)
            moves, after = play_turn(position, seat, text)
        if not is_complete(position, seat, after):
            raise IllegalMove(
                phrase("'{text}' is not all of your turn", text=text)
                if seat == self.seat
                else phrase("'{text}' is not all of {who}'s turn", text=text, who=self.name(seat))
            )
        joined = turn_text(position, seat, moves)
        return (text if joined == moves[0] and len(moves) > 1 else joined), after

    def _on_move(self, position: Position) -> str:
        return Listing(self.name(seat) for seat in sorted(position.to_move))


class _Empty(Exception):
    """Nothing after a condition can be played, which has been added to the problems."""


def play_turn(position: Position, seat: int, text: str) -> tuple[list[str], Position]:
    """Play a text as one turn, up to the first chance. Return the moves and the position after
    them. MoveError when it is more than that, or cannot be played."""
    require_no_question(position, seat, text)
    turn, rest, moves = position.turn, text.strip(), list[str]()
    while rest:
        if position.outcome is not None or position.turn != turn:
            raise IllegalMove(phrase("the turn ends before '{rest}'", rest=rest[:60]))
        if position.to_move == CHANCE_TO_MOVE:
            raise IllegalMove(phrase("chance decides before '{rest}'", rest=rest[:60]))
        move, rest = position.parse(rest, seat)
        position, rest = position.play(seat, move), rest.strip()
        moves.append(move)
    if not moves:
        raise InvalidMove(phrase("a move is missing"))
    return moves, position


def is_complete(before: Position, seat: int, after: Position) -> bool:
    """Whether the seat's turn, or its moves before the next chance, are over."""
    is_same = after.outcome is None and after.turn == before.turn
    return not (is_same and seat in after.to_move)


def roll_results(position: Position, text: str) -> list[tuple[str, Position]]:
    """Return the results of a roll or draw as (canonical text, position), in the order in which it
    is typed and then in every other; empty when it cannot come up."""
    typed = text.lower()
    words = _ROLL.findall(typed)
    spellings = [re.split(r"[\s,]+", typed.strip()), words]
    spellings += [list("".join(words))] if len(words) == 1 else []
    results: dict[str, tuple[str, Position]] = {}
    for spelling in spellings:
        for order in permutations(spelling) if len(spelling) <= _MOST_ROLLED else (spelling,):
            after = _play_chance(position, order)
            if after is not None:
                results.setdefault(after.encode(), (" ".join(order), after))
        if results:
            break
    found = list(results.values())
    if len(found) == 1:
        in_order = sorted(found[0][0].split(), reverse=True)
        separator = "" if all(len(each) == 1 for each in in_order) else " "
        return [(separator.join(in_order), found[0][1])]
    return found


def _play_chance(position: Position, outcomes: Sequence[str]) -> Position | None:
    """Return the position after these answers of chance; None if they cannot come up, or are too
    few."""
    for outcome in outcomes:
        if position.chance is None or outcome not in position.chance.outcomes:
            return None
        position = position.play(CHANCE, outcome)
    return None if position.chance is not None else position


def _refuse_roll(position: Position, text: str) -> Phrase:
    """Return the refusal of a roll that cannot come up, with the form of one."""
    outcomes = list(dict.fromkeys(position.chance.outcomes)) if position.chance else []
    some = ", ".join(outcomes[:_MOST_NAMED]) + (", …" if len(outcomes) > _MOST_NAMED else "")
    first = position.play(CHANCE, outcomes[0]) if outcomes else position
    if first.chance is not None:
        return phrase(
            "'{text}' cannot come up; name two or more of {some}, as in 31", text=text, some=some
        )
    return phrase("'{text}' cannot come up; name one of {some}", text=text, some=some)


def tell_moves(
    tree: Tree, position: Position | None, seat: int, ply: int
) -> dict[int, PlannedMove]:
    """Return what is certain about each node's move; `ply` moves have been made in `position`. None
    as position: nothing is certain."""
    return dict(_tell(tree, position, seat, ply)) if position is not None else {}


def _tell(tree: Tree, position: Position, seat: int, ply: int) -> Iterator[tuple[int, PlannedMove]]:
    for node in tree:
        found = _step(node, position, seat)
        moves = found[0] if found is not None else []
        if node.text not in ANSWER_WORDS and position.to_move != CHANCE_TO_MOVE:
            text = position.mark_letters(node.text)
            if len(moves) == 1:
                text = position.describe(min(position.to_move), moves[0], seat)
            yield id(node), PlannedMove(ply + 1, text)
        if found is not None:
            yield from _tell(node.children, found[1], seat, ply + len(moves))


def play_branch(
    path: Sequence[PlanNode], position: Position, seat: int
) -> tuple[Position, tuple[str, ...], bool]:
    """Return the position at the end of a branch, the last moves, and whether it is certain;
    otherwise the last certain position."""
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


def _step(node: PlanNode, position: Position, seat: int) -> tuple[list[str], Position] | None:
    """Return the moves of a node and the position after it; None when they are uncertain."""
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

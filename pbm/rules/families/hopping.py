"""Games of men that step to a cell next to them or jump over others, as often as they can, into the
camp on the other side."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pbm.rules.drawing.scene import Panel, tally
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.repetition import History, count_repetitions, record_position
from pbm.rules.families.two_player import EMPTY
from pbm.rules.phrases import phrase

PASSING = "pass"
Jumps = Sequence[Sequence[tuple[int, int]]]
"""For each cell the pairs of cells over which and onto which a piece may jump."""
H = TypeVar("H", bound="HoppingPosition")


@dataclass(frozen=True, slots=True)
class HoppingPosition(MoveListPosition):
    """A position of such a game; `history` holds the positions since a piece entered a camp."""

    moves_once = True
    form = re.compile(r"([a-z][0-9]{1,2})(?:-?[a-z][0-9]{1,2}){0,40}?-?([a-z][0-9]{1,2})|pass")
    history: History = ()

    @property
    @abstractmethod
    def jumps(self) -> Jumps:
        """The jumps from each cell."""

    @property
    @abstractmethod
    def nearby(self) -> Sequence[Sequence[int]]:
        """The cells next to each cell."""

    @abstractmethod
    def find_goal(self, side: int) -> frozenset[int]:
        """Return the camp into which a side goes."""

    def find_barred(self, _side: int) -> frozenset[int]:
        """Return the cells on which no move of a side may end."""
        return frozenset()

    @property
    def key(self) -> str:
        return f"{self.board}{self.side}"

    def _ends(self, cell: int) -> set[int]:
        """Return the squares where a move of the piece on a square may end."""
        board, jumps = self.board, self.jumps
        targets = {cell}
        frontier = [cell]
        while frontier:
            for over, there in jumps[frontier.pop()]:
                # The square that the piece has left is empty, so it cannot be jumped over either.
                if (
                    board[there] == EMPTY
                    and board[over] != EMPTY
                    and over != cell
                    and there not in targets
                ):
                    targets.add(there)
                    frontier.append(there)
        targets.remove(cell)
        targets.update(there for there in self.nearby[cell] if board[there] == EMPTY)
        goal = self.find_goal(self.side)
        return targets & goal if cell in goal else targets - self.find_barred(self.side)

    def list_moves(self) -> list[str]:
        names, own = self.geometry.names, self.stones[self.side]
        moves = [
            f"{names[cell]}-{names[there]}"
            for cell, sign in enumerate(self.board)
            if sign == own
            for there in sorted(self._ends(cell))
        ]
        return moves or [PASSING]

    def canonicalize(self, match: re.Match[str]) -> str:
        return f"{match[1]}-{match[2]}" if match[1] else PASSING

    def find_fault(self, move: str) -> str:
        if move == PASSING:
            return phrase("you can move, so you must")
        source, target = move.split("-")
        if why := self.find_source_fault(source) or self.find_target_fault(target):
            return why
        number = self.geometry.number
        goal = self.find_goal(self.side)
        if number[source] in goal and number[target] not in goal:
            return phrase("a piece in the opposite camp must stay there")
        if number[target] in self.find_barred(self.side):
            return phrase("your move may not end in the camp of somebody else")
        return phrase(
            "neither a step nor jumps lead from {source} to {target}", source=source, target=target
        )

    def make_move(self: H, move: str) -> H:
        side, row, own = self.side, list(self.board), self.stones[self.side]
        goal, entered = self.find_goal(side), False
        if move != PASSING:
            source, target = (self.geometry.number[name] for name in move.split("-"))
            row[source], row[target] = EMPTY, own
            entered = target in goal and source not in goal
        board = "".join(row)
        after = self.end_turn(board)
        after = replace(after, history=record_position(self.history, after.key, final=entered))
        camp = [board[cell] for cell in goal]
        if EMPTY not in camp and 2 * camp.count(own) > len(camp):
            return after.win(
                side, phrase("{colour} has filled the opposite camp", colour=self.colour(side))
            )
        if count_repetitions(after.history) >= 3:
            return after.end_in_draw(phrase("the position occurred for the third time"))
        return after

    def arrived(self) -> tuple[int, ...]:
        """Return the number of each side's pieces in its target camp."""
        return tuple(
            sum(self.board[cell] == sign for cell in self.find_goal(side))
            for side, sign in enumerate(self.stones)
        )

    def panels(self) -> tuple[Panel, ...]:
        goal = phrase("arrived, of {all}", all=len(self.find_goal(0)))
        return (tally(goal, self.colours, self.arrived()),)

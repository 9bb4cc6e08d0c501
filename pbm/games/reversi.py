"""Reversi as it was played in 1883: the first four discs are put on the middle squares by turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbm.rules import Value
from pbm.rules.boards.bitboards import mask_of, select
from pbm.rules.boards.stone_groups import put_sign
from pbm.rules.families.many_sides import ManySides, all_sides
from pbm.rules.families.outflanking import OPTIONS, PAGE, OutflankingPosition
from pbm.rules.families.two_player import EMPTY, two_player_game
from pbm.rules.phrases import phrase


@dataclass(frozen=True, slots=True)
class Reversi(OutflankingPosition):
    """A position of the game with the free start."""


@dataclass(frozen=True, slots=True)
class CrowdedReversi(ManySides, Reversi):
    """A position for three or four: discs of all others turn, and who outflanks none puts a disc
    beside another, as in Rolit.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    remark = ""
    kinds = all_sides("disc")
    count: int = 3
    left: tuple[int, ...] = ()

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedReversi:
        return cls(options, cls.initial(options).board, count=players)

    def list_moves(self) -> list[str]:
        geometry = self.geometry
        if middle := self.opening:
            return [geometry.names[cell] for cell in middle]
        own = mask_of(self.board, self.stones[self.side])
        others = geometry.full & ~own & ~mask_of(self.board, EMPTY)
        if found := geometry.outflanking(own, others):
            return select(geometry.names, found)
        return [
            name
            for cell, name in enumerate(geometry.names)
            if self.board[cell] == EMPTY and self._is_beside_disc(cell)
        ]

    def _is_beside_disc(self, cell: int) -> bool:
        rays = self.geometry.rays[cell]
        return any(ray and self.board[ray[0]] != EMPTY for ray in rays)

    def find_fault(self, move: str) -> str:
        why = self.find_target_fault(move)
        if why or self.opening or self._is_beside_disc(self.geometry.number[move]):
            return why or Reversi.find_fault(self, move)
        return phrase("no disc is next to {cell}", cell=move)

    def make_move(self, move: str) -> CrowdedReversi:
        geometry, own = self.geometry, self.stones[self.side]
        cell = geometry.number[move]
        turned = [] if self.opening else geometry.outflanked(self.board, cell, own)
        board = self.board
        for there in (cell, *turned):
            board = put_sign(board, there, own)
        after = replace(self.end_turn(board), news=self.tell_turned(turned))
        if EMPTY in board:
            return after
        return after.end_by_counts(after.counts(), fewer=bool(self.options["misere"]))


GAMES = (
    two_player_game(
        Reversi,
        "reversi",
        "Reversi",
        ("black", "white"),
        "outflank discs and turn them over, from an empty board",
        PAGE.format(
            title="REVERSI",
            players="2 to 4",
            crowd="MORE PLAYERS. With three, black, white and red (%) play in this order, with\n"
            "four blue (@) after them; of the first four discs each puts one, and black the\n"
            "fourth of three. Discs of all others are outflanked together, whatever their\n"
            "colours. Nobody is skipped: whoever outflanks nothing puts a disc on an empty\n"
            "square next to any other, also across a corner, as in Rolit. The board is\n"
            "played until it is full. The discs of whoever resigns stay.\n\n",
            start="; the first four discs, by turns, go on any of the\n"
            "four middle squares and turn nothing over",
            example="d5",
        ),
        *OPTIONS,
        family="territory",
        crowd=CrowdedReversi,
        crowds=(("black", "white", "red"), ("black", "white", "red", "blue")),
    ),
)

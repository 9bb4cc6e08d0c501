"""Games made of sections of variants that are played on two boards by four players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from pbm.rules.chess.variants.help_text import write_help
from pbm.rules.chess.variants.rule_set import VariantRules
from pbm.rules.chess.variants.two_board_position import (
    BoardOfTwo,
    TwoBoardPosition,
    load,
    name_seat,
)
from pbm.rules.chess.variants.variant_game import Card, VariantGame
from pbm.rules.formats import bpgn, pgn
from pbm.rules.game import Game, Position
from pbm.rules.game_info import GameInfo
from pbm.rules.lessons import Lesson
from pbm.rules.options import Value
from pbm.rules.outcome import Played

_PLAYERS = range(4, 5)


class TwoBoardGame(Game):
    """A game on two boards, each played by the rules of a section.

    single  the game on one of the boards
    """

    record_format = bpgn.FORMAT

    def __init__(self, rules: VariantRules, card: Card | None = None) -> None:
        self.single = single = VariantGame(rules, card)
        self.rules, self.card, self.section = single.rules, single.card, single.section
        self.equipment = single.equipment
        self.board_kinds = tuple(self._build_kind(number) for number in (0, 1))
        body: dict[str, Any] = {
            "__doc__": f"A position of {self.card.title}.",
            "__module__": TwoBoardPosition.__module__,
            "__slots__": (),
            "game": self,
        }
        self.position_kind: type[TwoBoardPosition] = type(
            "TwoBoardPosition", (TwoBoardPosition,), body
        )

    def _build_kind(self, number: int) -> type[BoardOfTwo]:
        """Return the class of the positions on a board."""
        return type(
            "BoardOfTwo",
            (BoardOfTwo,),
            {
                "__doc__": f"A position on one board of {self.card.title}.",
                "__module__": BoardOfTwo.__module__,
                "__slots__": (),
                "equipment": self.equipment,
                "game": self.single,
                "number": number,
            },
        )

    @cached_property
    def info(self) -> GameInfo:  # type: ignore[override]
        """The description of the game."""
        names = [name_seat(colour, board) for board in (0, 1) for colour in self.equipment.seats]
        return replace(
            self.single.info,
            players=_PLAYERS,
            seats={4: tuple(names)},
            features=frozenset({"turned", "partners"}),
            length="long",
        )

    def write_help(self, say: Callable[[str], str]) -> str:
        return write_help(self.equipment, self.card.title, self.card.notes, say)

    @cached_property
    def _first(self) -> TwoBoardPosition:
        single = self.single.start(2, {})
        boards = [
            kind({}, single.board, single.side, rest=single.rest) for kind in self.board_kinds
        ]
        return self.position_kind({}, (boards[0], boards[1]))

    def list_lessons(self) -> tuple[Lesson, ...]:
        return self.single.list_lessons()

    def start(self, players: int, options: Mapping[str, Value]) -> TwoBoardPosition:
        return self._first

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
        return load(self.position_kind, self.board_kinds, options, data)

    def record(self, played: Played) -> str:
        """Return the game in BPGN, with the tag Variant."""
        words = pgn.write_moves(self._first, played)
        return bpgn.write(played, words, {"Variant": self.card.title})

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        return self.single.is_recorded(tags)

    def read_record(self, text: str) -> Played:
        """Return the game in a BPGN record."""
        return bpgn.read(text, self.setup())

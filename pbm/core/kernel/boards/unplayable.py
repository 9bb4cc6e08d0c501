"""Unplayable boards: their game is missing, or its present rules reject their logs. They are still
listed, and the operator can end them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbm.core.kernel.language.titles import find_title
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.games import UnknownGame, get_game
from pbm.rules import (
    NOBODY,
    Canvas,
    Game,
    GameInfo,
    IllegalMove,
    Outcome,
    Picture,
    Position,
    Value,
)
from pbm.rules.phrases import phrase

_NOTHING = phrase("nothing can be played here at the moment")


class Unplayable(Refusal):
    """A board or a game cannot be played at the moment."""


def refuse_missing_game(game: str, board: int = 0) -> Unplayable:
    """Return the refusal for a game that is not installed."""
    return Unplayable(
        RefusalCode.UNPLAYABLE,
        phrase(
            "{game} cannot be played at the moment: the operator has been told, and the clocks "
            "are stopped",
            game=game,
        ),
        board=board,
    )


def refuse_outdated_board(game: Game, board: int) -> Unplayable:
    """Return the refusal for a board whose log the present rules reject."""
    return Unplayable(
        RefusalCode.UNPLAYABLE,
        phrase(
            "board {board} is on hold for the operator: its moves do not fit the current rules of "
            "{game}",
            board=board,
            game=find_title(game.info.name),
        ),
        board=board,
    )


def build_stand_in(name: str, version: int, players: int) -> Game:
    """Return a stand-in for the game of a board whose position cannot be restored. It hides
    nothing, since it shows only what spectators may read."""
    try:
        stand_in_info = replace(get_game(name).info, version=version, features=frozenset())
    except UnknownGame:
        seats = tuple(f"seat {seat}" for seat in range(1, players + 1))
        stand_in_info = GameInfo(
            name, name, version, range(players, players + 1), {players: seats}, "", ""
        )

    class StandIn(Game):
        """Nothing can be played here."""

        info = stand_in_info

        def start(self, players: int, options: Mapping[str, Value]) -> Position:
            raise refuse_missing_game(name)

        def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
            raise refuse_missing_game(name)

    return StandIn()


@dataclass(frozen=True, slots=True)
class UnreadablePosition(Position):
    """A position of which only the stored text is known."""

    text: str
    names: tuple[str, ...]
    options: Mapping[str, Value]
    to_move: frozenset[int] = NOBODY
    turn: int = 0
    outcome: Outcome | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def playing(self) -> frozenset[int]:
        """All seats, since it is unknown who has left."""
        return frozenset(range(self.players))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.names

    def legal_moves(self, seat: int) -> Sequence[str]:
        return ()

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        raise IllegalMove(_NOTHING)

    def apply(self, seat: int, move: str) -> Position:
        raise IllegalMove(_NOTHING)

    def resign(self, seat: int) -> Position:
        raise IllegalMove(_NOTHING)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        canvas.paragraph(phrase("(the position cannot be shown)"), indent=2)
        return canvas.picture()

    def dump(self) -> list[Any]:
        return []

    def encode(self) -> str:
        return self.text

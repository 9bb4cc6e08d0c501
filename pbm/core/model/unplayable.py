"""Boards that wait because nobody can tell their position: the game is missing, or its rules no
longer allow the moves that were made. They are listed, and the operator can end them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbm.core.model.refusal import Refusal, RefusalCode
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


class Unplayable(Refusal):
    """Nothing can be played on a board, or nothing of a game, at the moment."""


def missing_game(game: str, board: int = 0) -> Unplayable:
    """The refusal for a game that is not there."""
    return Unplayable(
        RefusalCode.UNPLAYABLE,
        f"games of {game} cannot be played at the moment: the operator has been told, and the "
        "clocks stand still",
        board=board,
    )


def outdated_board(game: Game, board: int) -> Unplayable:
    """The refusal for a board whose moves the rules no longer allow."""
    return Unplayable(
        RefusalCode.UNPLAYABLE,
        f"board {board} waits for the operator: its moves do not fit the present rules of "
        f"{game.info.title}",
        board=board,
    )


def build_stand_in(name: str, players: int) -> Game:
    """What stands for a game on boards whose position nobody can tell. It hides nothing: of each
    move only what a spectator may read is known."""
    try:
        known = replace(get_game(name).info, features=frozenset())
    except UnknownGame:
        seats = tuple(f"seat {seat}" for seat in range(1, players + 1))
        known = GameInfo(name, name, 0, range(players, players + 1), {players: seats}, "", "")

    class StandIn(Game):
        """Nothing can be played here."""

        info = known

        def start(self, players: int, options: Mapping[str, Value]) -> Position:
            raise missing_game(name)

        def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
            raise missing_game(name)

    return StandIn()


@dataclass(frozen=True, slots=True)
class UnreadablePosition(Position):
    """A position that is only known as the text that was stored."""

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
        """All seats: who has left is not known."""
        return frozenset(range(self.players))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """What the seats are called."""
        return self.names

    def legal_moves(self, seat: int) -> Sequence[str]:
        return ()

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        raise IllegalMove("nothing can be played here at the moment")

    def apply(self, seat: int, move: str) -> Position:
        raise IllegalMove("nothing can be played here at the moment")

    def resign(self, seat: int) -> Position:
        raise IllegalMove("nothing can be played here at the moment")

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        canvas.line("  (the position cannot be shown)")
        return canvas.picture()

    def dump(self) -> list[Any]:
        return []

    def encode(self) -> str:
        return self.text

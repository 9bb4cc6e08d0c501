"""Who is ahead in games that alpha-beta searches: pieces, and where they stand.

A game without a row here is judged by its `standing` if it has one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, cast

from pbm.bots.pieces import ChessPieces, Pieces, Quiet, Worth
from pbm.bots.positional import Boxes, Discs, Huddle, Marbles, Mobility, Paths, Tafl
from pbm.rules import Position
from pbm.rules.families.sowing import SowingPosition


class Evaluation(Protocol):
    """How a search judges positions of a game that are not over."""

    @property
    def follows(self) -> bool:
        """Whether captures are followed beyond the horizon."""

    def judge(self, position: Position, seat: int) -> float:
        """Return by how many pieces a seat is ahead."""

    def takes(self, position: Position, move: str) -> bool:
        """Whether a legal move captures, so that the judgement should wait until after it."""


class Seeds(Quiet):
    """An evaluation of sowing games: the seeds in the stores."""

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, SowingPosition):
            return 0.0
        first, second = position.stores
        ahead = (first - second) / 2
        return -ahead if seat ^ position.swapped else ahead


class CountsMen(Protocol):
    """A position that knows what its men are worth, as those of chess variants do."""

    def count_material(self) -> float:
        """Return by how much the first side is ahead."""

    def is_capture(self, move: str) -> bool:
        """Whether a legal move captures."""


class Men:
    """An evaluation of variants of chess: the men, by how they move."""

    follows = True

    def judge(self, position: Position, seat: int) -> float:
        ahead = cast("CountsMen", position).count_material()
        return -ahead if seat else ahead

    def takes(self, position: Position, move: str) -> bool:
        return cast("CountsMen", position).is_capture(move)


class Standing(Quiet):
    """An evaluation by the standing of the game."""

    def judge(self, position: Position, seat: int) -> float:
        standing = position.standing
        return 0.0 if standing is None else standing[seat] - standing[1 - seat]


def _stones(sign: str) -> str:
    return {"X": "O", "#": "@"}[sign]


_CHESS = ChessPieces(
    {
        "P": Worth(1.0, 0.05, 0.04),
        "N": Worth(3.1, 0.0, 0.15),
        "B": Worth(3.2, 0.0, 0.08),
        "R": Worth(5.0, 0.02),
        "Q": Worth(9.0, 0.0, 0.03),
        "K": Worth(0.0, 0.0, -0.12),
    }
)
_MINISHOGI = ChessPieces(
    {
        "P": Worth(1.0, 0.1),
        "S": Worth(3.5, 0.05),
        "G": Worth(4.0),
        "B": Worth(5.0),
        "R": Worth(6.0),
        "T": Worth(3.0),
        "N": Worth(4.0),
        "H": Worth(7.5),
        "D": Worth(8.5),
        "K": Worth(0.0),
    }
)
_XIANGQI = ChessPieces(
    {
        "P": Worth(1.0, 0.12, 0.05),
        "A": Worth(2.0),
        "E": Worth(2.0),
        "H": Worth(4.0, 0.02, 0.1),
        "C": Worth(4.5, 0.0, 0.05),
        "R": Worth(9.0, 0.02, 0.02),
        "K": Worth(0.0),
    },
    columns=9,
)
_SHORT_KINGS = {"X": Worth(1.0, 0.04, 0.01), "#": Worth(1.7, 0.0, 0.05)}
_LONG_KINGS = {"X": Worth(1.0, 0.04, 0.01), "#": Worth(3.2)}
_STONES = {"X": Worth(1.0, 0.0, 0.02)}

EVALUATIONS: Mapping[str, Evaluation] = {
    "chess": _CHESS,
    "chess960": _CHESS,
    "minishogi": _MINISHOGI,
    "xiangqi": _XIANGQI,
    "draughts": Pieces(_SHORT_KINGS, _stones, home=1),
    "russiandraughts": Pieces(_LONG_KINGS, _stones),
    "internationaldraughts": Pieces(_LONG_KINGS, _stones),
    "turkishdraughts": Pieces(_LONG_KINGS, _stones),
    "breakthrough": Pieces({"X": Worth(1.0, 0.1)}, _stones),
    "fanorona": Pieces(_STONES, _stones, capture="[aw]$"),
    "morris": Pieces({"X": Worth(1.0)}, _stones),
    "ataxx": Pieces({"X": Worth(1.0)}, _stones),
    "hexxagon": Pieces({"X": Worth(1.0)}, _stones),
    "sumito": Marbles(),
    "halma": Pieces({"X": Worth(0.0, 0.1, 0.01)}, _stones, corner=True),
    "reversi": Discs(),
    "modernreversi": Discs(),
    "linesofaction": Huddle(),
    "brandubh": Tafl(),
    "hnefatafl": Tafl(),
    "konane": Mobility(),
    "dotsandboxes": Boxes(),
    "corridor": Paths(),
    "kalah": Seeds(),
    "oware": Seeds(),
}
_STANDING = Standing()
_MEN = Men()


def find_evaluation(position: Position) -> Evaluation | None:
    """Return how alpha-beta judges positions of that game; None where it does not search: more
    seats than two, dice, or no way to tell who is ahead."""
    info = position.game.info
    if position.players != 2:
        return None
    evaluation = EVALUATIONS.get(info.name)
    if info.variant_of:
        return _MEN
    if evaluation is None and position.standing is not None and "chance" not in info.features:
        return _STANDING
    return evaluation

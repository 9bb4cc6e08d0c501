"""The pure toolkit that every game is built on: interface, boards, options, pictures.

Standard library only; no clock, no I/O, no random generator (except in `pbm.rules.testing`)."""

from pbm.rules.chance import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Chance,
    pick,
    roll,
    second,
)
from pbm.rules.drawing.picture import Canvas, Picture
from pbm.rules.errors import AmbiguousMove, IllegalMove, InvalidMove, MoveError, RecordError
from pbm.rules.game import API, Game, Position
from pbm.rules.game_info import GameInfo
from pbm.rules.options import Option, OptionError, Value
from pbm.rules.outcome import Outcome, Played, outcome_of

__all__ = [
    "API",
    "CHANCE",
    "CHANCE_TO_MOVE",
    "NOBODY",
    "SEAT_TO_MOVE",
    "AmbiguousMove",
    "Canvas",
    "Chance",
    "Game",
    "GameInfo",
    "IllegalMove",
    "InvalidMove",
    "MoveError",
    "Option",
    "OptionError",
    "Outcome",
    "Picture",
    "Played",
    "Position",
    "RecordError",
    "Value",
    "outcome_of",
    "pick",
    "roll",
    "second",
]

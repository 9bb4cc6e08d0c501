"""The pure toolkit that every game is built on: interface, boards, options, pictures.

Standard library only; no clock, no I/O, no random generator (except in `pbm.rules.testing`)."""

from pbm.rules.drawing.picture import Canvas, Picture
from pbm.rules.game import (
    API,
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    AmbiguousMove,
    Chance,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    MoveError,
    Outcome,
    Played,
    Position,
    RecordError,
    outcome_of,
    pick,
    roll,
    second,
)
from pbm.rules.options import Option, OptionError, Value

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

"""Oware and Kalah: OpenSpiel.

Oware. OpenSpiel ends a game as soon as a position comes again, here it is the third time: games are
left at the second.
Kalah. OpenSpiel calls it mancala and has the usual board only."""

import pyspiel

from pbm.games.mancala import Oware
from pbm.rules import Position
from pbm.rules.families.repetition import count_repetitions
from tools.oracles import Row
from tools.oracles.spiel import Spiel
from tools.oracles.territory import SPIEL, of


def talk(state: pyspiel.State, action: int) -> str:
    return str(state.action_to_string(action)).lower()


def pit(state: pyspiel.State, action: int) -> str:
    """Number a pit: its places are numbered round the ring, the stores 7 and 0."""
    return "abcdef"[(int(state.action_to_string(action)) - 1) % 7]


def first_time(position: Position) -> bool:
    assert isinstance(position, Oware)
    return count_repetitions(position.history) == 1


ROWS = (
    Row("oware", SPIEL, of(Spiel, "oware", talk), within=first_time),
    Row("kalah", SPIEL, of(Spiel, "mancala", pit)),
)

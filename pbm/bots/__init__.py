"""The bots: they choose moves of any game through the game interface.

Pure: chance and the time limit come in as arguments; no clock, no generator, no I/O."""

from pbm.bots.search import Search, mcts_move
from pbm.bots.simple import Dice, random_move
from pbm.bots.turns import mcts_accepts_draw, mcts_turn, random_turn, turn_text

NAMES = ("random", "mcts")
"""The userids of the bots."""

__all__ = [
    "NAMES",
    "Dice",
    "Search",
    "mcts_accepts_draw",
    "mcts_move",
    "mcts_turn",
    "random_move",
    "random_turn",
    "turn_text",
]

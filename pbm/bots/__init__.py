"""The bots: they choose moves of any game through the game interface.

Pure: chance and the time limit come in as arguments; no clock, no generator, no I/O."""

NAMES = ("random", "mcts")
"""The userids of the bots."""

"""The bots: they choose moves of any game through the game interface.

Pure: chance and the time limit come in as arguments; no clock, no generator, no I/O."""

from pbm.rules.phrases import phrase

LEVELS = ("level1", "level2", "level3", "level4", "level5")
"""The userids of the bots that play at a level, weakest first."""
NAMES = ("random", *LEVELS, "mcts")
"""The userids of the bots."""
GROUPS = ("random", phrase("{first} to {last}", first=LEVELS[0], last=LEVELS[-1]), "mcts")
"""The same in words."""

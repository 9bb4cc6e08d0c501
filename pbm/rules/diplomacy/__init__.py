"""Diplomacy, Allan B. Calhamer's game of 1959. Rules: docs/rules/diplomacy.md.

`maps` has the board, `orders` what is written and how each order ends, `legality` what may be
ordered, `movement` the moves of a phase, `phases` the game from one to the next."""

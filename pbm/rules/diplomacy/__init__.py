"""Diplomacy, Allan B. Calhamer's game of 1959: maps, orders, and what becomes of them.

Rules: docs/rules/diplomacy.md. `maps` has the board, `orders` what is written, `legality` what may
be ordered, `movement` what becomes of the moves of a phase, `phases` the game from one to the
next."""

"""The levels of the computer players: played against each other, calibrated; their opening book."""

"""Games of other programs, played through the game interface."""

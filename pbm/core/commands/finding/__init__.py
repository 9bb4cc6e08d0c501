"""Finding something to play, and somebody to play with."""

"""Boards of every shape: cells, their names and neighbours; they know no game."""

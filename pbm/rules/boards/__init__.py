"""Boards of every shape: cells, their names and neighbours."""

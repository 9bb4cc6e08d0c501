"""Seats that somebody else takes over, and the master who runs a board without playing on it."""

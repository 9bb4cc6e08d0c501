"""Boards: their rows, seats, clocks and logs."""

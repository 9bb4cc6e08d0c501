"""A year of play by a population on a fast clock, and what must be true at its end."""

"""The engine of the chess family, whose games are rows of data."""

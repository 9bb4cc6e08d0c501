"""Analysis of games that are over: what a search thinks of their positions and turns."""

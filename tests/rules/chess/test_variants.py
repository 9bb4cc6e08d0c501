"""Chess variants as data: what a file may say, what is refused, and that the shelf is played as
Fairy-Stockfish plays it."""

_SEVERAL = """
    atomic cambodian chak chess crazyhouse grasshopper janggi kyotoshogi losers makruk placement
    racingkings seirawan shogi sittuyin spartan synochess torishogi
"""

"""A whole game of Cradle."""

FINISHED = (
    "a2,b2,c2,c3", "b1,c1,d1,d2", "e2,f2,g2,e3", "d3,d4,e4,f4",
    "c1,d1,c2,d2", "d3,e3,d4,e4", "c2,d2,c3,d3",
)  # fmt: skip
"""Its moves: the first seat wins with the seventh."""

"""Whole games of Cradle."""

FINISHED = (
    "a2,b2,c2,c3",
    "b1,c1,d1,d2",
    "e2,f2,g2,e3",
    "d3,d4,e4,f4",
    "c1,d1,c2,d2",
    "d3,e3,d4,e4",
    "c2,d2,c3,d3",
)
"""Its moves: the first seat wins with the seventh."""

CLIMB = (
    "b1,c1,d1,d2",
    "d3,e3,f3,f4",
    "e1,f1,e2,f2",
    "b3,b4,c4,d4",
    "e2,f2,e3,f3",
    "d1,e1,f1,d2",
    "a2,b2,c2,a3",
    "b1,c1,b2,c2",
    "f1,d2,e2,f2",
    "b3,c3,d3,b4",
    "c2,c3,d3,e3",
)
SPIRAL = (
    "b1,c1,d1,b2",
    "b1,c1,b2,c2",
    "d1,e1,f1,d2",
    "e2,c3,d3,e3",
    "f1,d2,e2,f2",
    "c2,c3,d3,e3",
)
"""After CLIMB, neither player can win by force: SPIRAL leads to the same position, higher up."""

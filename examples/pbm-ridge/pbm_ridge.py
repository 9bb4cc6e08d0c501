"""Ridge: a variant of chess as data. Kings win in the middle, and two cannons take the place of the
queens."""

from __future__ import annotations

from pbm.rules.chess import read_variants

SECTION = """\
[ridge:chess]
queen = -
cannon = c
startFen = rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1
promotionPieceTypes = r b n c
flagPiece = k
flagRegion = d4 e4 d5 e5
"""

(GAME,) = read_variants(SECTION)

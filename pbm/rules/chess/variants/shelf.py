"""The variants of the shelf, as one text of sections."""

from __future__ import annotations

from pbm.rules.chess.variants import chess_shelf, shogi_shelf

TEXT = f"{chess_shelf.TEXT}\n{shogi_shelf.TEXT}"

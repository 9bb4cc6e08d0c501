"""Games of the chess family: their first position, and their records in PGN, out and in.

How the pieces go is in their positions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from pbm.rules.chess.fen import is_shown
from pbm.rules.chess.position import Pieces
from pbm.rules.families.two_player import DuelGame
from pbm.rules.formats import pgn
from pbm.rules.game import CHANCE, AmbiguousMove, Played, Position, RecordError
from pbm.rules.options import Value
from pbm.rules.typed import quoted


class PiecesGame(DuelGame):
    """A game of which `position` is the class of positions. `variants` is what the tag Variant of
    PGN calls it besides its name and aliases; the first is written."""

    position: ClassVar[type[Pieces]]
    variants: ClassVar[tuple[str, ...]]

    def start(self, players: int, options: Mapping[str, Value]) -> Pieces:
        return self.position(options, self.position.rules.board).begun()

    def record(self, played: Played) -> str:
        """The game in PGN; White is who begins."""
        first = self.beginning(played)
        position: Position = first
        words = list[str]()
        for seat, move in played.moves:
            if seat != CHANCE:
                words.append(position.describe(seat, move, seat))
                position = position.play(seat, move)
        return pgn.pgn(played, words, more=self.tags(first))

    def beginning(self, played: Played) -> Pieces:
        """The position before the first move of a game."""
        return self.start(2, played.options)

    def tags(self, first: Pieces) -> dict[str, str]:
        """What PGN says of the game besides the usual; `first` is the position it begins with."""
        return {"Variant": self.variants[0]}

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        names = (self.info.name, *self.info.aliases, *self.variants)
        said = _plain(tags.get("Variant", ""))
        return "GameType" not in tags and said in map(_plain, names)

    def read_record(self, text: str) -> Played:
        """The game that a text in PGN has."""
        written = pgn.read(text)
        for tag in ("Variant", "GameType"):
            if tag in written.tags and not self.is_recorded(written.tags):
                raise RecordError(f"{tag} {quoted(written.tags[tag])} is not {self.info.title}")
        options = self.recorded_options(written.tags)
        first = self.start(2, options)
        if "FEN" in written.tags and not self.is_first(first, written.tags["FEN"]):
            raise RecordError("the game begins with a position of its own (FEN), not the first one")
        return pgn.replayed(written, first, as_written, options=options)

    def recorded_options(self, tags: Mapping[str, str]) -> dict[str, Value]:
        """The options of the game that a record with these tags has."""
        return {}

    def is_first(self, first: Pieces, fen: str) -> bool:
        """Whether the tag FEN of a record is the first position."""
        return is_shown(first, fen)


def as_written(position: Position, word: str, seat: int) -> str:
    """The move that a word of a record means: of those of which a player would be asked which, the
    one that is written so. A b that takes is a pawn."""
    try:
        return pgn.as_typed(position, word, seat)
    except AmbiguousMove:
        spelled = (word.rstrip("!?"), word.rstrip("+#!?"))
        for move in position.legal_moves(seat):
            if isinstance(position, Pieces) and position.described(move) in spelled:
                return move
        raise


def _plain(name: str) -> str:
    """A name without what people write differently."""
    return re.sub(r"[^a-z0-9]", "", name.lower())

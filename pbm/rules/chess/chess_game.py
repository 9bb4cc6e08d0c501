"""Games of the chess family: their first position, and their records in PGN, out and in.

How the pieces go is in their positions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from pbm.rules.chess.fen import shows
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.families.two_player import TwoPlayerGame
from pbm.rules.formats import pgn
from pbm.rules.game import CHANCE, AmbiguousMove, Played, Position, RecordError
from pbm.rules.options import Value
from pbm.rules.typed import quoted


class ChessLikeGame(TwoPlayerGame):
    """A game of which `position` is the class of positions. `variants` is what the tag Variant of
    PGN calls it besides its name and aliases; the first is written."""

    position: ClassVar[type[ChessLikePosition]]
    variants: ClassVar[tuple[str, ...]]

    def start(self, players: int, options: Mapping[str, Value]) -> ChessLikePosition:
        return self.position(options, self.position.rules.board).as_start()

    def record(self, played: Played) -> str:
        """The game in PGN; White is who begins."""
        first = self.start_of(played)
        position: Position = first
        words = list[str]()
        for seat, move in played.moves:
            if seat != CHANCE:
                words.append(position.describe(seat, move, seat))
                position = position.play(seat, move)
        return pgn.pgn(played, words, more=self.tags(first))

    def start_of(self, played: Played) -> ChessLikePosition:
        """The position before the first move of a game."""
        return self.start(2, played.options)

    def tags(self, first: ChessLikePosition) -> dict[str, str]:
        """What PGN says of the game besides the usual; `first` is the position it begins with."""
        return {"Variant": self.variants[0]}

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        names = (self.info.name, *self.info.aliases, *self.variants)
        variant = _plain(tags.get("Variant", ""))
        return "GameType" not in tags and variant in map(_plain, names)

    def read_record(self, text: str) -> Played:
        """The game that a text in PGN has."""
        record = pgn.read(text)
        for tag in ("Variant", "GameType"):
            if tag in record.tags and not self.is_recorded(record.tags):
                raise RecordError(f"{tag} {quoted(record.tags[tag])} is not {self.info.title}")
        options = self.recorded_options(record.tags)
        first = self.start(2, options)
        if "FEN" in record.tags and not self.is_first(first, record.tags["FEN"]):
            raise RecordError("the game begins with a position of its own (FEN), not the first one")
        return pgn.replay(record, first, read_word, options=options)

    def recorded_options(self, tags: Mapping[str, str]) -> dict[str, Value]:
        """The options of the game that a record with these tags has."""
        return {}

    def is_first(self, first: ChessLikePosition, fen: str) -> bool:
        """Whether the tag FEN of a record is the first position."""
        return shows(first, fen)


def read_word(position: Position, word: str, seat: int) -> str:
    """The move that a word of a record means: of those of which a player would be asked which, the
    one that is written so. A b that takes is a pawn."""
    try:
        return pgn.parse_word(position, word, seat)
    except AmbiguousMove:
        spelled = (word.rstrip("!?"), word.rstrip("+#!?"))
        for move in position.legal_moves(seat):
            if isinstance(position, ChessLikePosition) and position.notation(move) in spelled:
                return move
        raise


def _plain(name: str) -> str:
    """A name without what people write differently."""
    return re.sub(r"[^a-z0-9]", "", name.lower())

"""Games of the chess family: the first position, and PGN records in both directions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from pbm.rules.chess.position import ChessLikePosition, shows
from pbm.rules.errors import AmbiguousMove, RecordError
from pbm.rules.families.two_player import TwoPlayerGame
from pbm.rules.formats import pgn
from pbm.rules.game import Position
from pbm.rules.options import Value
from pbm.rules.outcome import Played
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted


class ChessLikeGame(TwoPlayerGame):
    """A game whose positions are instances of `position`. `variants` are the values of the PGN tag
    Variant besides its name and aliases; the first is written."""

    record_format: ClassVar[str] = "pgn"
    position: ClassVar[type[ChessLikePosition]]
    variants: ClassVar[tuple[str, ...]]

    def start(self, players: int, options: Mapping[str, Value]) -> ChessLikePosition:
        return self.position(options, self.position.rules.board).as_start()

    def record(self, played: Played) -> str:
        """Return the game in PGN; White is the side that begins."""
        first = self.start_of(played)
        return pgn.pgn(played, pgn.write_moves(first, played), more=self.tags(first))

    def start_of(self, played: Played) -> ChessLikePosition:
        """Return the position before the first move of a game."""
        return self.start(2, played.options)

    def tags(self, first: ChessLikePosition) -> dict[str, str]:
        """Return the PGN tags of the game besides the usual ones; `first` is its first position."""
        return {"Variant": self.variants[0]}

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        names = (self.info.name, *self.info.aliases, *self.variants)
        variant = _plain(tags.get("Variant", ""))
        return "GameType" not in tags and variant in map(_plain, names)

    def read_record(self, text: str) -> Played:
        """Return the game in a PGN record."""
        record = pgn.read(text)
        for tag in ("Variant", "GameType"):
            if tag in record.tags and not self.is_recorded(record.tags):
                raise RecordError(
                    phrase(
                        "{tag} {other_tag} is not {title}",
                        tag=tag,
                        other_tag=quoted(record.tags[tag]),
                        title=self.info.title,
                    )
                )
        options = self.recorded_options(record.tags)
        first = self.start(2, options)
        if "FEN" in record.tags and not self.is_first(first, record.tags["FEN"]):
            raise RecordError(
                phrase("the game begins with a position of its own (FEN), not the first one")
            )
        return pgn.replay(record, first, read_word, options=options)

    def recorded_options(self, tags: Mapping[str, str]) -> dict[str, Value]:
        """Return the options of the game in a record with these tags."""
        return {}

    def is_first(self, first: ChessLikePosition, fen: str) -> bool:
        """Whether the tag FEN of a record is the first position."""
        return shows(first, fen)


def read_word(position: Position, word: str, seat: int) -> str:
    """Return the move that a word of a record means; if a player would be asked which one, the move
    that is written exactly so. A b that captures is a pawn."""
    try:
        return pgn.parse_word(position, word, seat)
    except AmbiguousMove:
        spellings = (word.rstrip("!?"), word.rstrip("+#!?"))
        for move in position.legal_moves(seat):
            if isinstance(position, ChessLikePosition) and position.notation(move) in spellings:
                return move
        raise


def _plain(name: str) -> str:
    """Return a name without the characters that people write differently."""
    return re.sub(r"[^a-z0-9]", "", name.lower())

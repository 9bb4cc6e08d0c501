"""Games made of sections of variants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from typing import Any, NamedTuple

from pbm.rules.boards.stone_groups import fingerprint
from pbm.rules.chess.variants.equipment import CHESS, SHOGI, XIANGQI, Equipment
from pbm.rules.chess.variants.help_text import USUAL, write_help
from pbm.rules.chess.variants.move_pictures import draw_lessons
from pbm.rules.chess.variants.rule_set import VariantRules
from pbm.rules.chess.variants.spelling import spell_fen
from pbm.rules.chess.variants.start import read_start
from pbm.rules.chess.variants.variant_position import VariantPosition
from pbm.rules.errors import AmbiguousMove, RecordError, VariantError
from pbm.rules.families.two_player import TWO, TwoPlayerGame
from pbm.rules.formats import pgn
from pbm.rules.game import Position
from pbm.rules.game_info import GameInfo
from pbm.rules.lessons import Lesson
from pbm.rules.options import Value
from pbm.rules.outcome import Played
from pbm.rules.phrases import phrase
from pbm.rules.serialization import load_fields
from pbm.rules.typed import quoted

_LONG, _SHORT = 64, 36
"""Boards of so many cells or more make long games, of so many or fewer short ones."""


class Card(NamedTuple):
    """How a variant is introduced.

    name      the game word
    title     the name as people write it
    aliases   other words for it
    summary   one line for the list of games
    style     chess, shogi or xiangqi: how it looks, and under which name lists gather it
    names     the names of its pieces by letter
    notes     a paragraph for the help page
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    summary: str
    style: str = CHESS
    names: Mapping[str, str] = {}
    notes: str = ""


def make_card(rules: VariantRules) -> Card:
    """Return the card of a section that nobody has introduced."""
    word = re.sub(r"[^a-z0-9]", "", rules.name.lower())
    digits = re.match(r"[0-9]*", word)
    lead = digits[0] if digits else ""
    name = word[len(lead) :] + lead if lead else word
    if not re.fullmatch(r"[a-z][a-z0-9]*", name):
        raise VariantError(rules.name, "", "its name has no letter")
    style = _find_style(rules)
    title = rules.name if lead else rules.name[:1].upper() + rules.name[1:]
    size = {"columns": rules.columns, "rows": rules.rows}
    summary = phrase("a variant of chess on {columns} by {rows} squares", **size)
    if style == SHOGI:
        summary = phrase("a variant of shogi on {columns} by {rows} squares", **size)
    elif style == XIANGQI:
        summary = phrase("a variant of xiangqi on {columns} by {rows} squares", **size)
    return Card(name, title, (word,) if lead else (), summary, style)


def _find_style(rules: VariantRules) -> str:
    slots = rules.letters.keys()
    if slots & {"gold", "silver", "lance", "shogiKnight"} and rules.captures_to_hand:
        return SHOGI
    if slots & {"soldier"} and slots & {"cannon", "janggiCannon", "horse", "elephant"}:
        return XIANGQI if "pawn" not in slots else CHESS
    return CHESS


def find_version(rules: VariantRules) -> int:
    """Return a number that changes with the rules of a section: boards that began under others are
    replayed, and wait for the operator where that fails."""
    parts = []
    for one in fields(rules):
        if one.name == "sections":
            continue
        value = getattr(rules, one.name)
        both = value if isinstance(value, list) else [value]
        parts.append((one.name, [_order(part) for part in both]))
    return 1 + fingerprint(repr(parts)) % 1_000_000


def _order(value: object) -> object:
    """Return the same in an order that does not change from one process to the next."""
    if isinstance(value, frozenset):
        return sorted(value)
    return sorted(value.items()) if isinstance(value, dict) else value


class VariantGame(TwoPlayerGame):
    """A game whose rules are a section of variants.

    section      the name of the section, which engines know it by
    is_on_shelf  whether it comes with the server
    """

    record_format = "pgn"

    def __init__(self, rules: VariantRules, card: Card | None = None) -> None:
        self.is_on_shelf = card is not None
        self.version = 1 if card else find_version(rules)
        card = card or make_card(rules)
        self.rules, self.card, self.section = rules, card, rules.name
        self.equipment = Equipment(rules, card.style, card.names)
        body: dict[str, Any] = {
            "__doc__": f"A position of {card.title}.",
            "__module__": VariantPosition.__module__,
            "__slots__": (),
            "equipment": self.equipment,
            "game": self,
        }
        self.position_kind: type[VariantPosition] = type(
            "VariantPosition", (VariantPosition,), body
        )

    @cached_property
    def info(self) -> GameInfo:  # type: ignore[override]
        """The description of the game."""
        rules, card = self.rules, self.card
        cells = rules.columns * rules.rows
        return GameInfo(
            name=card.name,
            title=card.title,
            version=self.version,
            players=TWO,
            seats={2: self.equipment.seats},
            summary=card.summary,
            help=write_help(self.equipment, card.title, card.notes),
            aliases=card.aliases,
            features=frozenset({"paired"}),
            family="kings",
            length="long" if cells >= _LONG else "short" if cells <= _SHORT else "medium",
            is_decisive=self.equipment.is_decisive,
            variant_of=card.style,
        )

    def write_help(self, say: Callable[[str], str]) -> str:
        return write_help(self.equipment, self.card.title, self.card.notes, say)

    @cached_property
    def _first(self) -> VariantPosition:
        tables = self.equipment.tables
        state = read_start(tables)
        return self.position_kind({}, state.board, state.side, rest=tuple(state[2:]))

    def list_lessons(self) -> tuple[Lesson, ...]:
        return tuple(draw_lessons(self.equipment, USUAL))

    def start(self, players: int, options: Mapping[str, Value]) -> VariantPosition:
        return self._first

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> VariantPosition:
        return load_fields(self.position_kind, options, data)

    # Records

    def record(self, played: Played) -> str:
        """Return the game in PGN, with the tags Variant and FEN."""
        words = pgn.write_moves(self._first, played)
        fen = spell_fen(self.equipment.tables, self._first.state)
        tags = {"Variant": self.card.title, "SetUp": "1", "FEN": fen}
        return pgn.pgn(played, words, more=tags, first=self._first.side)

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        names = (self.card.name, self.card.title, self.section, *self.card.aliases)
        variant = _plain(tags.get("Variant", ""))
        return bool(variant) and "GameType" not in tags and variant in map(_plain, names)

    def read_record(self, text: str) -> Played:
        """Return the game in a PGN record."""
        record = pgn.read(text)
        if "Variant" in record.tags and not self.is_recorded(record.tags):
            raise RecordError(
                phrase(
                    "Variant {tag} is not {title}",
                    tag=quoted(record.tags["Variant"]),
                    title=self.card.title,
                )
            )
        fen = record.tags.get("FEN", "")
        own = spell_fen(self.equipment.tables, self._first.state)
        if fen and _bare(fen) not in (_bare(own), _bare(self.rules.start)):
            raise RecordError(
                phrase("the game begins with a position of its own (FEN), not the first one")
            )
        return pgn.replay(record, self._first, _read_word, white=self._first.side)


def _bare(fen: str) -> tuple[str, ...]:
    """Return the board and the side of a FEN."""
    fields = fen.split()
    return (re.sub(r"\[.*\]", "", fields[0]), *fields[1:2]) if fields else ()


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _read_word(position: Position, word: str, seat: int) -> str:
    """Return the move that a word of a record means; if a player would be asked which one, the move
    that is written exactly so."""
    try:
        return pgn.parse_word(position, word, seat)
    except AmbiguousMove:
        spellings = (word.rstrip("!?"), word.rstrip("+#!?"))
        for move in position.legal_moves(seat):
            if isinstance(position, VariantPosition) and position.notation(move) in spellings:
                return move
        raise

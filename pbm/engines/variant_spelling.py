"""Variants of chess as UCI engines take them: their sections as a file, positions and moves."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.engines.dialogue import EngineError, Line
from pbm.rules import Game, Position
from pbm.rules.chess.variants.reader import spell_move
from pbm.rules.chess.variants.variant_game import VariantGame
from pbm.rules.chess.variants.variant_position import VariantPosition

FILE = "variants.ini"
"""The name of the file in the folder of the engine, which is where it runs."""


def is_variant(game: Game) -> bool:
    """Whether the rules of a game are a section."""
    return isinstance(game, VariantGame)


def name_section(game: Game) -> str:
    """Return the name of its section in the file: none that an engine knows by itself."""
    return f"pbm-{game.info.name}"


def write_sections(game: Game) -> str:
    """Return the section of a variant, after those that it inherits from."""
    rules = _require_variant(game).rules
    name, text, parent = name_section(game), "", ""
    for number, section in enumerate(rules.sections, 1):
        own = name if number == len(rules.sections) else f"{name}-{number}"
        text += f"[{own}{':' if parent else ''}{parent}]\n"
        text += "".join(f"{key} = {value}\n" for key, value in section.values.items()) + "\n"
        parent = own
    return text


def find_section(game: Game) -> str:
    """Return the name of the section as the field has it; "" for one of an operator's file, which
    may be another game under a name of the field."""
    variant = _require_variant(game)
    return variant.section if variant.is_on_shelf else ""


def spell_line(line: Line) -> tuple[str, list[str]]:
    """Return the first position in FEN, and the moves since."""
    first = _require_position(line.positions[0])
    moves = [
        _spell(_require_position(line.positions[number]), move)
        for number, (_, move) in enumerate(line.moves)
    ]
    return first.fen if first.state.turn else first.tables.rules.start, moves


def spell_legal_moves(position: Position) -> Iterator[tuple[str, str]]:
    """Return each legal move with its spelling."""
    variant = _require_position(position)
    return ((_spell(variant, move), move) for move in variant.moves())


def _spell(position: VariantPosition, move: str) -> str:
    return spell_move(position.tables, position.state, move, list(position.moves()))


def _require_variant(game: Game) -> VariantGame:
    if not isinstance(game, VariantGame):
        raise EngineError(f"{game.info.name} is no variant that engines know")
    return game


def _require_position(position: Position) -> VariantPosition:
    if not isinstance(position, VariantPosition):
        raise TypeError("not a position of a variant")
    return position

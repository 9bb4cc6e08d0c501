"""UCI, the Universal Chess Interface, and its sisters: USI for shogi, UCCI for xiangqi."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbm.engines.chess_spelling import (
    LETTERS,
    Spelling,
    find_chess_position,
    spell_fen,
    spell_moves,
    spell_sfen,
    split_line,
)
from pbm.engines.dialogue import (
    Dialogue,
    Effort,
    Engine,
    EngineError,
    PlayedLine,
    Thought,
    find_move,
    read_until,
    share_of_score,
)
from pbm.rules import Game, Position
from pbm.rules.chess.variants.reader import spell_move
from pbm.rules.chess.variants.variant_game import VariantGame
from pbm.rules.chess.variants.variant_position import VariantPosition

_SCORE = re.compile(r"\bscore (cp |mate )?([+-]?[0-9]{1,6})\b")
_VALUE = re.compile(r"\bvar (\S+)")
_HASH_MIB = 16
_MATE = 10_000
_ONE_TO_TEN = tuple(map(str, range(1, 11)))
_DIGITS = "0123456789"


@dataclass(frozen=True)
class Uci(Engine):
    """An engine that speaks UCI. `options` are the names of what it lets be set, `variants` the
    games that it knows by name."""

    name: str = "uci"
    games: frozenset[str] = frozenset(LETTERS)
    options: set[str] = field(default_factory=set)
    variants: set[str] = field(default_factory=set)

    def plays(self, game: Game) -> bool:
        return game.info.name in self.games or (self.name == "uci" and is_variant(game))

    def write_files(self, first: Position) -> Mapping[str, str]:
        game = first.game
        return {FILE: write_sections(game)} if is_variant(game) else {}

    def spelling(self, game: str) -> Spelling:
        """Return how cells and moves of a game are spelled."""
        return Spelling("abcdefghi", _ONE_TO_TEN, is_castling_on_rook=game == "chess960")

    def greet(self, first: Position, effort: Effort) -> Dialogue[None]:
        game = first.game
        lines = yield from read_until([f"{self.name}ok"], f"{self.name}\n")
        for line in lines:
            if line.startswith("option "):
                self.options.add(_read_option(line))
                if _read_option(line) == "UCI_Variant":
                    self.variants.update(_VALUE.findall(line))
        setting = self.set("Threads", "1") + self.set("Hash", str(_HASH_MIB))
        if game.info.name != "chess":
            setting += self.choose_game(game)
        if effort.skill is not None:
            setting += self.set("Skill Level", str(effort.skill))
        setting += {"uci": "ucinewgame\n", "usi": "usinewgame\n"}.get(self.name, "")
        yield from read_until(["readyok"], f"{setting}isready\n")

    def choose_game(self, game: Game) -> str:
        """Return what sets the game. EngineError if the engine has no such setting."""
        name = game.info.name
        if is_variant(game):
            setting = self.choose_variant(game)
        elif name == "chess960":
            setting = self.set("UCI_Chess960", "true")
        else:
            setting = self.set("UCI_Variant", name)
        if not setting:
            raise EngineError(f"it does not play {name}")
        return setting

    def choose_variant(self, game: Game) -> str:
        """Return what sets a variant: by its name if the engine has it, or else from the file in
        its folder; "" if it can do neither."""
        if (section := find_section(game)) in self.variants:
            return self.set("UCI_Variant", section)
        setting = self.set("VariantPath", FILE)
        return setting and setting + self.set("UCI_Variant", name_section(game))

    def set(self, option: str, value: str) -> str:
        """Return what sets an option; nothing if the engine does not have it."""
        if option not in self.options:
            return ""
        return f"setoption name {option} value {value}\n"

    def describe_position(self, line: PlayedLine) -> str:
        """Return the command that shows a position."""
        if is_variant(line.position.game):
            fen, moves = spell_line(line)
            return _join_position(f"position fen {fen}", moves)
        first, moves = split_line(line, self.spelling(line.position.game.info.name))
        return _join_position(f"position fen {spell_fen(first)}", moves)

    def think(self, line: PlayedLine, effort: Effort) -> Dialogue[Thought]:
        position = line.position
        limit = f"nodes {effort.nodes}" if effort.nodes else self.limit_time(effort.seconds)
        text = f"{self.describe_position(line)}\ngo {limit}\n"
        lines = yield from read_until(["bestmove", "nobestmove"], text)
        words = lines[-1].split()
        if len(words) < 2:
            raise EngineError(f"no move: {lines[-1][:60]!r}")
        if is_variant(position.game):
            spelled = spell_legal_moves(position)
        else:
            spelling = self.spelling(position.game.info.name)
            spelled = spell_moves(find_chess_position(line), spelling)
        return Thought((find_move(spelled, words[1]),), _read_share(lines))

    def limit_time(self, seconds: float) -> str:
        """Return the thinking time in the words of `go`."""
        return f"movetime {max(1, int(1000 * seconds))}"


@dataclass(frozen=True)
class Usi(Uci):
    """An engine that speaks USI; shogi programs that can play minishogi have a setting for it."""

    name: str = "usi"
    games: frozenset[str] = frozenset({"minishogi"})

    def spelling(self, game: str) -> Spelling:
        return Spelling(drop="*")

    def describe_position(self, line: PlayedLine) -> str:
        first, moves = split_line(line, self.spelling("minishogi"))
        return _join_position(f"position sfen {spell_sfen(first)}", moves)

    def limit_time(self, seconds: float) -> str:
        return f"btime 0 wtime 0 byoyomi {max(1, int(1000 * seconds))}"


@dataclass(frozen=True)
class Ucci(Uci):
    """An engine that speaks UCCI, which is for xiangqi alone."""

    name: str = "ucci"
    games: frozenset[str] = frozenset({"xiangqi"})

    def spelling(self, game: str) -> Spelling:
        return Spelling("abcdefghi", _DIGITS)

    def choose_game(self, game: Game) -> str:
        return ""

    def set(self, option: str, value: str) -> str:
        name = option.replace(" ", "_")
        return f"setoption {name} {value}\n" if name in self.options else ""

    def limit_time(self, seconds: float) -> str:
        return f"time {max(1, int(1000 * seconds))}"


def _join_position(shown: str, moves: Sequence[str]) -> str:
    return f"{shown} moves {' '.join(moves)}" if moves else shown


def _read_option(line: str) -> str:
    """Return the name in the description of an option, of any of the three protocols."""
    return line.removeprefix("option ").removeprefix("name ").partition(" type ")[0]


def _read_share(lines: Sequence[str]) -> float | None:
    """Return what the last score among the lines is worth."""
    for line in reversed(lines):
        score = _SCORE.search(line) if line.startswith("info ") else None
        if score:
            value = int(score[2])
            if score[1] == "mate ":
                value = _MATE if value > 0 else -_MATE
            return share_of_score(value)
    return None


# Variants of chess as UCI engines take them: their sections as a file, positions and moves.

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


def spell_line(line: PlayedLine) -> tuple[str, list[str]]:
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

"""What the conformance suite requires of what a game says of itself: its name, its help, its
options."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from types import CodeType
from typing import Any

from pbm.rules.chance import CHANCE
from pbm.rules.errors import InvalidMove, MoveError
from pbm.rules.game import Game, Position
from pbm.rules.options import Option, OptionError, Value
from pbm.rules.testing.nonconforming import Nonconforming, require
from pbm.rules.testing.playthroughs import choose, random_options
from pbm.rules.testing.position_checks import check_lines, check_picture
from pbm.rules.testing.topics import AMBIGUITY, HELP, INFO, OPTIONS

_EXAMPLE = re.compile(r"^ +(?:\S+ )?> +(\S.*?)(?: {2,}.*)?$", re.MULTILINE)
"""A line of the help with a move, what was rolled before it, and a remark beside it."""
_FEATURES = {"chance", "hidden", "sealed", "swap", "turned", "paired", "orders"}
_TRIED = 8
"""How many games are compared with and without an option."""
_COMPARED = 120
"""How many of their moves are."""


def check_info(game: Game) -> None:
    """Check the fields of `GameInfo`."""
    info = game.info
    require(
        info.name == info.name.lower() and info.name.isalnum(),
        "name: lower case, alphanumeric",
        INFO,
    )
    require(info.name[0].isalpha(), "name begins with a letter", INFO)
    require(info.title and info.summary and info.help, "title, summary and help are written", INFO)
    is_line = "\n" not in info.summary and len(info.summary) <= 70
    require(is_line, "summary is one short line", INFO)
    for count in info.players:
        require(len(info.seats[count]) == count, f"{count} seats have {count} names", INFO)
        require(len(set(info.seats[count])) == count, "seats have different names", INFO)
    unknown = info.features - _FEATURES
    require(not unknown, f"unknown features {sorted(unknown)}", INFO)


def check_help(game: Game) -> None:
    """Check that the help fits into a mail and shows a move."""
    check_lines(game.info.help, "help", HELP)
    require(find_examples(game), "help has an example of a move, such as '  > b2'", HELP)


def find_examples(game: Game) -> set[str]:
    """Return the moves that the help shows."""
    return set(_EXAMPLE.findall(game.info.help))


def find_readable(position: Position, examples: Collection[str]) -> set[str]:
    """Return those examples that are moves in this position, or would be with other pieces."""
    readable = set()
    for text in examples:
        for seat in position.to_move - {CHANCE}:
            try:
                position.parse(text, seat)
            except InvalidMove:
                continue
            except MoveError:
                pass
            readable.add(text)
    return readable


def check_names(game: Game, reserved: Collection[str]) -> None:
    """Check that no name of the game is a word of the command language."""
    for name in (game.info.name, *game.info.aliases):
        require(name not in reserved, f"{name!r} is not a word of the command language", AMBIGUITY)


def check_option(game: Game, option: Option) -> None:
    """Check that an option is explained and has a default of its type."""
    require(option.help, f"-{option.name} has a line of help", OPTIONS)
    if option.default is None:
        return
    try:
        read = option.read(option.default)
    except OptionError as error:
        raise Nonconforming(
            f"-{option.name} has a default that is allowed: {error}", OPTIONS
        ) from None
    is_typed = read == option.default and type(read) is type(option.default)
    require(is_typed, f"-{option.name} has a default of its type", OPTIONS)


def list_values(option: Option) -> list[Value]:
    """Return the values at the ends of what an option allows, but its default."""
    if option.kind == "flag":
        return [not option.default]
    values: list[Value] = list(option.choices)
    if option.kind == "int":
        values = [int(option.low), int(option.high)]
    elif option.kind == "float":
        values = [option.low, option.high]
    return [value for value in values if value != option.default]


def check_extremes(game: Game, option: Option) -> Iterator[Position]:
    """Yield the first positions with an option at its ends, each of which a mail can show."""
    for value in list_values(option):
        for players in {game.info.players[0], game.info.players[-1]}:
            try:
                position = game.setup(players, {option.name: value})
            except OptionError:
                continue
            yield position
            check_picture(position, None, ())


class _Watched(dict[str, Value]):
    """Options that know which of them were read."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        super().__init__(values)
        self.names = set[str]()

    def __getitem__(self, name: str) -> Value:
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)


def check_effect(game: Game, option: Option, seed: int) -> None:
    """Check that an option makes a difference: in the first position, or in what can happen. What
    happens too seldom to be seen here must at least be read."""
    values = list_values(option)
    watched = _Watched({})
    for number in range(_TRIED * bool(values)):
        value, players = values[number % len(values)], game.info.players
        rng = random.Random(seed + number)  # noqa: S311 (not cryptography)
        base = {} if number < len(values) else random_options(game, rng)
        base.pop(option.name, None)
        try:
            usual = game.setup(players[number % len(players)], base)
            other = game.setup(usual.players, {**base, option.name: value})
            watched.update(usual.options)
            usual = game.start(usual.players, watched)
        except OptionError:  # it excludes the others, or needs others
            continue
        if _makes_difference(usual, other, rng):
            return
    is_read = not values or option.name in watched.names
    require(
        is_read or _is_mentioned(game, option.name), f"-{option.name} changes something", OPTIONS
    )


def _is_mentioned(game: Game, name: str) -> bool:
    """Whether a function of the game's own package has this name as a string."""
    parts = type(game).__module__.split(".")
    package = ".".join(parts[:3] if parts[:2] == ["pbm", "games"] else parts[:1])
    for path, module in list(sys.modules.items()):
        if path == package or path.startswith(package + "."):
            for value in list(vars(module).values()):
                members = list(vars(value).values()) if isinstance(value, type) else []
                if any(_has_word(one, name) for one in (value, *members)):
                    return True
    return False


def _has_word(value: object, name: str) -> bool:
    """Whether a function, property or code object has a string among its constants."""
    value = getattr(value, "fget", None) or getattr(value, "__func__", None) or value
    code = value if isinstance(value, CodeType) else getattr(value, "__code__", None)
    if not isinstance(code, CodeType):
        return False
    return any(
        one == name
        or (isinstance(one, tuple) and name in one)
        or (isinstance(one, CodeType) and _has_word(one, name))
        for one in code.co_consts
    )


def _makes_difference(usual: Position, other: Position, rng: random.Random) -> bool:
    """Whether something differs between two games of the same moves."""
    for _ in range(_COMPARED):
        if usual.dump() != other.dump() or usual.render() != other.render():
            return True
        if (usual.to_move, usual.outcome) != (other.to_move, other.outcome):
            return True
        if usual.chance != other.chance:
            return True
        if not usual.to_move:
            return False
        seat, move = choose(usual, rng)
        if seat != CHANCE and list(usual.legal_moves(seat)) != list(other.legal_moves(seat)):
            return True
        usual, other = usual.play(seat, move), other.play(seat, move)
    return False

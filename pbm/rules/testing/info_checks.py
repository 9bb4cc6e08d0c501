"""The conformance suite: the name, the help and the options of a game."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from types import CodeType
from typing import Any

from pbm.rules.chance import CHANCE
from pbm.rules.errors import InvalidMove, MoveError
from pbm.rules.game import ANONYMOUS, Game, Position
from pbm.rules.game_info import FAMILIES, LENGTHS
from pbm.rules.options import Option, OptionError, Value
from pbm.rules.testing.nonconforming import Nonconforming, require
from pbm.rules.testing.playthroughs import choose, random_options
from pbm.rules.testing.position_checks import check_lines, check_picture
from pbm.rules.testing.topics import AMBIGUITY, HELP, INFO, OPTIONS

_EXAMPLE = re.compile(r"^ +(?:\S+ )?> +(\S.*?)(?: {2,}.*)?$", re.MULTILINE)
"""A line of the help with a move, what was rolled before it, and a remark beside it."""
_OPTION = re.compile(r"(?<![\w-])-([a-z][a-z0-9_]*)(?![\w-])")
"""An option as a page writes it."""
_PLACE = re.compile(r"(?<![a-z0-9])[a-z][0-9]{1,2}(?![a-wyz0-9])")
"""Texts in the form of a place on most boards."""
_FEATURES = {
    *("chance", "shuffled", "hidden", "sealed"),
    *("swap", "turned", "paired", "orders", "partners"),
}
_TRIED = 8
"""The number of games compared with and without an option."""
_COMPARED = 120
"""The number of their moves that are compared."""


def check_info(game: Game) -> None:
    """Check the fields of `GameInfo`."""
    info = game.info
    require(
        info.name == info.name.lower() and info.name.isalnum(),
        "name: lower case, alphanumeric",
        INFO,
    )
    require(info.players, "some number of players is allowed", INFO)
    is_once = len({*info.players}) == len(info.players)
    require(is_once, f"each number of players once, not {[*info.players]}", INFO)
    require(info.name[:1].isalpha(), "name begins with a letter", INFO)
    require(info.title and info.summary and info.help, "title, summary and help are written", INFO)
    is_line = "\n" not in info.summary and len(info.summary) <= 70
    require(is_line, "summary is one short line", INFO)
    for count in info.players:
        require(len(info.seats[count]) == count, f"{count} seats have {count} names", INFO)
        require(len(set(info.seats[count])) == count, "seats have different names", INFO)
        for name in info.seats[count]:
            is_word = name.strip() and name.isascii() and name.isprintable()
            require(is_word, f"a seat has a name of plain ASCII, not {name!r}", INFO)
    unknown = info.features - _FEATURES
    require(not unknown, f"unknown features {sorted(unknown)}", INFO)
    for text in (info.title, info.summary):
        is_plain = text.isascii() and text.isprintable()
        require(is_plain, f"title and summary are plain ASCII, not {text!r}", INFO)
    is_family = not info.family or info.family in FAMILIES
    require(is_family, f"family is one of {', '.join(FAMILIES)}, not {info.family!r}", INFO)
    is_length = info.length in LENGTHS
    require(is_length, f"length is one of {', '.join(LENGTHS)}, not {info.length!r}", INFO)


def check_help(game: Game) -> None:
    """Check that the help fits into a mail and shows a move."""
    check_lines(game.info.help, "help", HELP)
    require(find_examples(game), "help has an example of a move, such as '  > b2'", HELP)
    declared = {option.name for option in game.info.options}
    for name in find_named_options(game.info.help):
        have = ", ".join(f"-{one}" for one in sorted(declared)) or "none"
        what = f"help names options that there are ({have}), and -{name} is not one"
        require(name in declared, what, HELP)


def find_examples(game: Game) -> set[str]:
    """Return the moves that the help shows."""
    return set(find_example_lines(game.info.help))


def find_example_lines(text: str) -> list[str]:
    """Return the moves that a text shows, in order."""
    return _EXAMPLE.findall(text)


def find_named_options(text: str) -> list[str]:
    """Return the options that a text names, each as often as it does."""
    return _OPTION.findall(text)


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


def check_example_places(examples: Collection[str], places: Collection[str]) -> None:
    """Check that the moves which the help shows are on the board, if its places have names such as
    b2; `places` are those of all boards that were seen."""
    if not places or not all(map(_PLACE.fullmatch, places)):
        return
    for text in sorted(examples):
        for name in _PLACE.findall(text):
            what = f"help shows moves on the board; {text!r} names {name}, which no board has"
            require(name in places, what, HELP)


def check_names(game: Game, reserved: Collection[str]) -> None:
    """Check that no name of the game is a word of the command language."""
    for name in (game.info.name, *game.info.aliases):
        require(name not in reserved, f"{name!r} is not a word of the command language", AMBIGUITY)
    for alias in game.info.aliases:
        is_word = alias == alias.lower() and alias.isalnum() and alias.isascii()
        require(is_word, f"the alias {alias!r} is lower case, alphanumeric", INFO)
    names = (game.info.name, *game.info.aliases)
    require(len({*names}) == len(names), f"name and aliases differ: {', '.join(names)}", INFO)


def check_option(game: Game, option: Option) -> None:
    """Check that an option is explained and has a default of its type."""
    require(option.help, f"-{option.name} has a line of help", OPTIONS)
    is_line = option.help.isascii() and option.help.isprintable()
    require(is_line, f"-{option.name} has one line of plain ASCII as its help", OPTIONS)
    is_word = re.fullmatch("[a-z][a-z0-9_]*", option.name)
    require(is_word, f"an option is named in lower case, not {option.name!r}", OPTIONS)
    is_number = option.kind in ("int", "float")
    what = f"-{option.name} allows more than one number: from {option.low:g} to {option.high:g}"
    require(not is_number or option.low < option.high, what, OPTIONS)
    has_choices = option.kind != "choice" or len(set(option.choices)) > 1
    require(has_choices, f"-{option.name} has choices", OPTIONS)
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
    values = [] if option.name == ANONYMOUS else list_values(option)  # the server reads it
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

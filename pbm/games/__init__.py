"""The registry of games: those of this package, and those that plugins bring.

A game is one of the tuple `GAMES` of a module of this package, or an entry point of the group
`pbm.games` in any installed package that names a `Game` instance. All are imported when the first
is requested. A game that cannot be loaded is left out and recorded as a `Fault`; the others
work."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import NamedTuple

from pbm.games.dip.own_map import read_own_map
from pbm.rules import API, Game, GameInfo, Option
from pbm.rules.chess.variants.variant_game import read_variant_file
from pbm.rules.diplomacy.maps import MapError
from pbm.rules.errors import VariantError
from pbm.rules.phrases import combine

GROUP = "pbm.games"
"""The entry points of games for version 1 of the interface. Those for version N are `pbm.games.N`,
so that a server knows without importing them which games are not for it."""
_OTHER_GROUP = re.compile(r"pbm\.games\.([0-9]+)")
_NAME = re.compile(r"[a-z][a-z0-9]*")
_ALIAS = re.compile(r"[0-9]*[a-z][a-z0-9]*")
_JOINTS = re.compile("[-_ '`\u00b4\u02bc\u2018\u2019]+")
_expected: set[str] = set()
_brought: dict[str, str] = {}
_unread: dict[str, str] = {}
MAP = ".map"
"""The ending of an operator's map of Diplomacy."""
_reserved: set[str] = set()


class UnknownGame(LookupError):
    """No game is registered under that name or alias."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class MissingGame(UnknownGame):
    """A game that is expected but missing: it cannot be loaded, or boards of it remain."""


class Fault(NamedTuple):
    """A game that was left out: the name of its entry point or module, the package that brings it,
    and the cause, on one line."""

    name: str
    package: str
    cause: str


class Registry(NamedTuple):
    """The registered games by name, the name of the game for each alias and title, and the games
    left out."""

    games: dict[str, Game]
    aliases: dict[str, str]
    faults: list[Fault]


@cache
def get_registry() -> Registry:
    """Build the registry. A game of this package wins over a plugin that claims its name or
    alias."""
    registry = Registry({}, {}, [])
    for module in iter_modules(__path__):
        try:
            own: Iterable[Game] = getattr(import_module(f"{__name__}.{module.name}"), "GAMES", ())
        except Exception as error:
            registry.faults.append(Fault(module.name, "pbm", _explain(error)))
            continue
        for game in own:
            _enter(registry, game)
    installed = entry_points()
    for entry in sorted(installed.select(group=GROUP), key=lambda entry: entry.name):
        _enter_plugin(registry, entry)
    for group in sorted(installed.groups):
        if (other := _OTHER_GROUP.fullmatch(group)) and int(other[1]) != API:
            cause = (
                f"it is written for version {other[1]} of the game interface, and this server has "
                f"version {API}: install a release of it for version {API}"
            )
            for entry in installed.select(group=group):
                registry.faults.append(Fault(entry.name, _find_package(entry), cause))
    registry.faults.extend(Fault(source, source, why) for source, why in _unread.items())
    for source, text in _brought.items():
        _enter_variants(registry, source, text)
    for name, game in registry.games.items():
        title = join_title(game.info.title)
        if len(title) > 1 and title not in registry.games:
            registry.aliases.setdefault(title, name)
    return registry


def _enter(registry: Registry, game: Game) -> None:
    registry.games[game.info.name] = game
    registry.aliases.update(dict.fromkeys(game.info.aliases, game.info.name))


def _enter_plugin(registry: Registry, entry: EntryPoint) -> None:
    """Load the game of an entry point and register it, or the reason why not."""
    try:
        game = entry.load()
        taken = registry.games.keys() | registry.aliases.keys()
        cause = find_flaw(game) or _find_taken_name(game, taken)
    except (Exception, SystemExit) as error:
        cause = _explain(error)
    if cause:
        registry.faults.append(Fault(entry.name, _find_package(entry), cause))
    else:
        _enter(registry, game)


def _read_brought(source: str, text: str) -> tuple[Sequence[Game], list[Fault]]:
    """Return the games of an operator's file, and its faults: a map of Diplomacy is one game, a
    file of chess variants has one a section."""
    if source.endswith(MAP):
        stem = source.replace("\\", "/").rpartition("/")[2].removesuffix(MAP)
        try:
            return [read_own_map(text, stem)], []
        except MapError as error:
            return [], [Fault(stem, source, fault) for fault in error.faults]
    try:
        brought, faults = read_variant_file(text)
    except VariantError as fault:
        return [], [Fault(source, source, fault.why)]
    return brought, [Fault(fault.section, source, str(fault)) for fault in faults]


def _enter_variants(registry: Registry, source: str, text: str) -> None:
    """Register the games of an operator's file, and its faults."""
    brought, faults = _read_brought(source, text)
    registry.faults.extend(faults)
    for game in brought:
        taken = registry.games.keys() | registry.aliases.keys()
        cause = find_flaw(game) or _find_taken_name(game, taken)
        if cause:
            registry.faults.append(Fault(game.info.name, source, cause))
        else:
            _enter(registry, game)


def bring_variants(files: Mapping[str, str], unread: Mapping[str, str]) -> None:
    """Have the games of these files of chess variants on the shelf, in place of those brought
    before: the text of each file by its path, and why others cannot be read."""
    if (files, unread) != (_brought, _unread):
        for kept, new in ((_brought, files), (_unread, unread)):
            kept.clear()
            kept.update(new)
        _forget()


def _find_package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.module


def _explain(error: BaseException) -> str:
    """Return why a game could not be loaded, on one line."""
    lines = str(error).strip().splitlines()
    return (
        combine("{name}: {line}", name=type(error).__name__, line=lines[0][:200])
        if lines
        else type(error).__name__
    )


def find_flaw(game: object) -> str:
    """Return why an object cannot be registered as a game; "" when it can."""
    info = getattr(game, "info", None)
    if not isinstance(game, Game) or not isinstance(info, GameInfo):
        return "it is not an instance of pbm.rules.Game with a GameInfo"
    for form, word in ((_NAME, info.name), *((_ALIAS, alias) for alias in info.aliases)):
        if not isinstance(word, str) or not form.fullmatch(word):
            return f"its name or alias {word!r} is not lower case letters and digits"
    texts = (info.title, info.summary, info.help)
    if not isinstance(info.version, int) or not all(isinstance(text, str) for text in texts):
        return "its version is not a number, or its title, summary or help is not a string"
    if not info.players or any(len(info.seats.get(count, ())) != count for count in info.players):
        return "its seats do not have a name each for every number of players"
    if not all(isinstance(option, Option) for option in info.options):
        return "its options are not all instances of Option"
    return ""


def _find_taken_name(game: Game, names: set[str]) -> str:
    """Return why a name or alias of a game is not free; "" when all are."""
    own = {game.info.name, *game.info.aliases}
    for words, what in ((_reserved, "a word of the command language"), (names, "another game")):
        taken = sorted(words & own)
        if taken:
            return f"the name {taken[0]} is taken by {what}"
    return ""


def find_rejected_name(name: str) -> str:
    """Return why a new game cannot have this name; "" when it can."""
    if name in _reserved:
        return f"the name {name} is taken by a word of the command language"
    registry = get_registry()
    if name not in registry.games and name not in registry.aliases:
        return ""
    return f"there is a game called {name} already (pbm help {name})"


def find_name_clash(game: Game) -> str:
    """Return why a name or alias of a game that is not installed yet is not free; "" when all are.
    A former release of its own package is no obstacle."""
    own = type(game).__module__.partition(".")[0]
    taken = {
        word
        for other in get_registry().games.values()
        if own == "pbm" or type(other).__module__.partition(".")[0] != own
        for word in (other.info.name, *other.info.aliases)
    }
    return _find_taken_name(game, taken)


def reserve(words: Iterable[str]) -> None:
    """Reserve words of the command language: no plugin may bring a game of that name."""
    _reserved.update(words)
    _forget()


def expect(names: Iterable[str]) -> None:
    """Expect games of these names from now on: boards of them exist, whether or not the games are
    still installed."""
    _expected.update(names)
    _list_beginnings.cache_clear()


def list_expected_names() -> frozenset[str]:
    """Return the names of the games that are expected."""
    return frozenset(_expected)


def reload() -> None:
    """Forget the registry and the expected games; the next request builds it again."""
    _expected.clear()
    _forget()


def _forget() -> None:
    """Have the registry, and what was made of it, built again."""
    get_registry.cache_clear()
    count_longest_title.cache_clear()
    _list_beginnings.cache_clear()


def list_missing_names() -> list[str]:
    """Return the names of expected games that are missing, sorted."""
    registry = get_registry()
    names = {fault.name for fault in registry.faults} | _expected
    return sorted(names - registry.games.keys() - registry.aliases.keys())


def join_title(words: str) -> str:
    """Return a title as one word in lower case, without blanks, hyphens, underscores and
    apostrophes."""
    word = words.lower()
    is_plain = word.isascii() and word.isalnum()  # \u02bc, an apostrophe, is a letter
    return word if is_plain else _JOINTS.sub("", word)


@cache
def count_longest_title() -> int:
    """Return the number of words in the longest title."""
    return max(len(_JOINTS.split(game.info.title)) for game in get_registry().games.values())


@cache
def _list_beginnings() -> frozenset[str]:
    """Return how names, aliases and titles begin, as `join_title` has them, those of missing games
    included."""
    games = get_registry()
    words = {*games.games, *games.aliases, *_expected, *(fault.name for fault in games.faults)}
    return frozenset(word[:end] for word in words for end in range(1, len(word) + 1))


def begins_name(letters: str) -> bool:
    """Whether a name, an alias or a title, as `join_title` has it, begins with these letters and
    digits."""
    return letters.lower() in _list_beginnings()


def find_name(word: str) -> str:
    """Return the name of the game with that name, alias or title, in any case, with or without
    blanks, hyphens, underscores and apostrophes, installed or missing; "" for none."""
    games = get_registry()
    if word in games.games:  # as in most commands, and in every row of a board
        return word
    word = join_title(word)
    name = games.aliases.get(word, word)
    if name in games.games or word in _expected:
        return name
    return name if any(fault.name == name for fault in games.faults) else ""


def name_of(word: str) -> str:
    """Return the name of the game that `find_name` finds. Raise UnknownGame, and MissingGame for
    one that is expected."""
    name = find_name(word)
    if name in get_registry().games:
        return name
    raise MissingGame(name) if name else UnknownGame(join_title(word))


def get_game(word: str) -> Game:
    """Return the game with that name, alias or title. Raise like `name_of`."""
    games = get_registry().games
    return games[word] if word in games else games[name_of(word)]


def list_game_names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted(get_registry().games)


def list_shown_names() -> list[str]:
    """Return the names of all games but the variants that lists only count, sorted."""
    return [game.info.name for game in load_games() if not game.info.variant_of]


def list_spellings() -> list[str]:
    """Return the names and aliases of all games, titles as one word among them."""
    games = get_registry()
    return sorted(games.games.keys() | games.aliases.keys())


def load_games() -> list[Game]:
    """Return all games, sorted by name."""
    games = get_registry().games
    return [games[name] for name in sorted(games)]


def list_faults() -> list[Fault]:
    """Return the games left out, and why."""
    return list(get_registry().faults)


def hides(name: str) -> bool:
    """Whether the seats of a game see different things; assumed of an unknown game."""
    try:
        return bool(get_game(name).info.features & {"hidden", "sealed"})
    except UnknownGame:
        return True

"""The registry: which games there are, and which ought to be there and cannot be loaded.

A game is a module of this package with a tuple `GAMES`, which `pbm.games.index` lists, or an entry
point of the group `pbm.games` in any installed package that names a `Game` instance. Modules of
this package are imported when their game is asked for, other packages when any is. One that cannot
be is left out, with a `Fault` that says why; the others are there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from pbm.games.index import INDEX
from pbm.rules import Game, GameInfo, Option
from pbm.rules.moved import MOVED

_NAME = re.compile(r"[a-z][a-z0-9]*")
_ALIAS = re.compile(r"[0-9]*[a-z][a-z0-9]*")
_JOINTS = re.compile("[-_ '`\u00b4\u02bc\u2018\u2019]+")
_expected: set[str] = set()
_reserved: set[str] = set()


class UnknownGame(LookupError):
    """Nobody registered a game of that name or alias."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class MissingGame(UnknownGame):
    """A game of that name ought to be there: it cannot be loaded, or boards of it are left."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that was left out: the name of its entry point or module, the package that brings it,
    and why, as one line."""

    name: str
    package: str
    cause: str


@dataclass(frozen=True, slots=True)
class Registry:
    """What is known of the games there are.

    modules  the module of each game of this package, by its name
    games    the games that have been loaded
    aliases  the names that aliases and titles stand for
    titles   those of all games
    faults   what was left out, so far
    """

    modules: dict[str, str]
    games: dict[str, Game]
    aliases: dict[str, str]
    titles: list[str]
    faults: list[Fault]

    def names(self) -> set[str]:
        """The names of all games."""
        return self.modules.keys() | self.games.keys()

    def load(self, name: str) -> Game | None:
        """The game of that name, loaded when it has not been; None when it cannot be."""
        module = self.modules.get(name)
        if module and name not in self.games:
            try:
                games: Iterable[Game] = import_module(f"{__name__}.{module}").GAMES
                self.games.update((game.info.name, game) for game in games)
            except Exception as error:
                if self.modules.pop(name, None):
                    self.faults.append(Fault(name, "pbm", _said(error)))
        return self.games.get(name)


@cache
def registry() -> Registry:
    """The registry with the games of this package, none loaded, and those of other packages. A
    game of this package wins over one that claims its name or alias."""
    found = Registry({}, {}, {}, [], [])
    for row in INDEX:
        found.modules[row.name] = row.module
        found.aliases.update(dict.fromkeys(row.aliases, row.name))
        found.titles.append(row.title)
    for entry in sorted(entry_points(group="pbm.games"), key=lambda entry: entry.name):
        _enter(found, entry)
    names = found.names()
    titled = [(row.title, row.name) for row in INDEX]
    titled += [(game.info.title, name) for name, game in found.games.items()]
    for title, name in titled:
        if len(joined(title)) > 1 and joined(title) not in names:
            found.aliases.setdefault(joined(title), name)
    return found


def _enter(found: Registry, entry: EntryPoint) -> None:
    """Load the game of an entry point and enter it, or its fault."""
    try:
        game = entry.load()
        cause = _unfit(game) or _taken(game, found.names() | found.aliases.keys())
    except (Exception, SystemExit) as error:
        cause = _said(error)
    if cause:
        package = entry.dist.name if entry.dist is not None else entry.module
        found.faults.append(Fault(entry.name, package, cause))
        return
    found.games[game.info.name] = game
    found.aliases.update(dict.fromkeys(game.info.aliases, game.info.name))
    found.titles.append(game.info.title)


def _said(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name in MOVED:
        return f"it imports {error.name}, which is {MOVED[error.name]} now"
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


def _unfit(game: object) -> str:
    """Why an object cannot stand on the shelf; "" when it can."""
    info = getattr(game, "info", None)
    if not isinstance(game, Game) or not isinstance(info, GameInfo):
        return "it is no instance of pbm.rules.Game with a GameInfo"
    for form, word in ((_NAME, info.name), *((_ALIAS, alias) for alias in info.aliases)):
        if not isinstance(word, str) or not form.fullmatch(word):
            return f"its name or alias {word!r} is not lower case letters and digits"
    texts = (info.title, info.summary, info.help)
    if not isinstance(info.version, int) or not all(isinstance(text, str) for text in texts):
        return "its version is no number, or its title, summary or help no text"
    if not info.players or any(len(info.seats.get(count, ())) != count for count in info.players):
        return "its seats are not named for every number of players"
    if not all(isinstance(option, Option) for option in info.options):
        return "its options are not all Options"
    return ""


def _taken(game: Game, names: set[str]) -> str:
    own = {game.info.name, *game.info.aliases}
    for words, what in ((_reserved, "a word of the command language"), (names, "another game")):
        taken = sorted(words & own)
        if taken:
            return f"the name {taken[0]} is taken by {what}"
    return ""


def reserve(words: Iterable[str]) -> None:
    """Take these for words that no game of another package may be called."""
    _reserved.update(words)
    registry.cache_clear()
    longest_title.cache_clear()


def packages() -> set[str]:
    """The names of the other packages that bring games."""
    return {entry.module.partition(".")[0] for entry in entry_points(group="pbm.games")}


def expect(names: Iterable[str]) -> None:
    """Take these for names of games from now on: boards of them exist, whether or not the games are
    still there."""
    _expected.update(names)


def reload() -> None:
    """Look for games anew when the next one is asked for; nothing is expected."""
    _expected.clear()
    registry.cache_clear()
    longest_title.cache_clear()


def missing_names() -> list[str]:
    """The names of games that ought to be there and are not, sorted. One of this package that
    cannot be loaded is among them once it has been asked for."""
    there = registry()
    names = {fault.name for fault in there.faults} | _expected
    return sorted(names - there.names() - there.aliases.keys())


def joined(words: str) -> str:
    """A title as one word in lower case, without blanks, hyphens, underscores and apostrophes."""
    return _JOINTS.sub("", words.lower())


@cache
def longest_title() -> int:
    """How many words the title of a game has at most."""
    return max(len(_JOINTS.split(title)) for title in registry().titles)


def name_of(word: str) -> str:
    """The name of the game of that name, alias or title, which is not loaded for it, in any case,
    with or without blanks, hyphens, underscores and apostrophes. Raises UnknownGame, and
    MissingGame for one that ought to be there."""
    there, word = registry(), joined(word)
    name = there.aliases.get(word, word)
    if name in there.games or name in there.modules:
        return name
    is_missing = word in _expected or any(fault.name == name for fault in there.faults)
    raise MissingGame(name) if is_missing else UnknownGame(word)


def get_game(word: str) -> Game:
    """The game of that name, alias or title. Raises what `name_of` raises."""
    name = name_of(word)
    game = registry().load(name)
    if game is None:
        raise MissingGame(name)
    return game


def game_names() -> list[str]:
    """The names of all games, sorted."""
    return sorted(registry().names())


def all_games() -> list[Game]:
    """Every game that can be loaded, by name."""
    games = map(registry().load, game_names())
    return [game for game in games if game is not None]


def faults() -> list[Fault]:
    """What was left out: packages, and games of this one that could not be loaded so far."""
    return list(registry().faults)


def hides(name: str) -> bool:
    """Whether the seats of a game see different things; also where nobody knows the game."""
    try:
        return bool(get_game(name).info.features & {"hidden", "sealed"})
    except UnknownGame:
        return True

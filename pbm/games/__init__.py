"""The shelf: which games there are, and which ought to be there and cannot be loaded.

A game is a module of this package with a tuple `GAMES`, or an entry point of the group `pbm.games`
in any installed package that names a `Game` instance. All are imported when the first is asked for.
One that cannot be is left out, with a `Fault` that says why; the others are there."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from pbm.rules import Game, GameInfo, Option
from pbm.rules.moved import MOVED

_NAME = re.compile(r"[a-z][a-z0-9]*")
_ALIAS = re.compile(r"[0-9]*[a-z][a-z0-9]*")
_JOINTS = re.compile("[-_ '`\u00b4\u02bc\u2018\u2019]+")
_expected: set[str] = set()


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
class Shelf:
    """The games by their names, sorted, the names that aliases and titles stand for, and what was
    left out."""

    games: dict[str, Game]
    aliases: dict[str, str]
    faults: tuple[Fault, ...]


@cache
def shelf() -> Shelf:
    """Every game there is. A built-in game wins over a plugin that claims its name or alias."""
    games: dict[str, Game] = {}
    aliases: dict[str, str] = {}
    faults: list[Fault] = []
    for name, package, load in _sources():
        try:
            found = load()
        except (Exception, SystemExit) as error:
            faults.append(Fault(name, package, _said(error)))
            continue
        for game in found:
            cause = _unfit(game) or _taken(game, {*games, *aliases})
            if cause:
                faults.append(Fault(name, package, cause))
                continue
            games[game.info.name] = game
            aliases.update(dict.fromkeys(game.info.aliases, game.info.name))
    for game in games.values():
        title = joined(game.info.title)
        if len(title) > 1 and title not in games:
            aliases.setdefault(title, game.info.name)
    return Shelf(dict(sorted(games.items())), aliases, tuple(faults))


def _sources() -> Iterator[tuple[str, str, Callable[[], Iterable[Game]]]]:
    """What a game may come from: its name, the package that brings it, and what loads it."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            yield module.name, "pbm", partial(_of_module, f"{__name__}.{module.name}")
    for entry in sorted(entry_points(group="pbm.games"), key=lambda entry: entry.name):
        package = entry.dist.name if entry.dist is not None else entry.module
        yield entry.name, package, partial(_of_entry, entry)


def _of_module(path: str) -> Iterable[Game]:
    games: Iterable[Game] = import_module(path).GAMES
    return games


def _of_entry(entry: EntryPoint) -> Iterable[Game]:
    return (entry.load(),)


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
    taken = sorted(names & {game.info.name, *game.info.aliases})
    return f"the name {taken[0]} is taken by another game" if taken else ""


def expect(names: Iterable[str]) -> None:
    """Take these for names of games from now on: boards of them exist, whether or not the games are
    still there."""
    _expected.update(names)


def reload() -> None:
    """Look for games anew when the next one is asked for; nothing is expected."""
    _expected.clear()
    shelf.cache_clear()
    longest_title.cache_clear()


def missing_names() -> list[str]:
    """The names of games that ought to be there and are not, sorted."""
    there = shelf()
    names = {fault.name for fault in there.faults} | _expected
    return sorted(names - there.games.keys() - there.aliases.keys())


def joined(words: str) -> str:
    """A title as one word in lower case, without blanks, hyphens, underscores and apostrophes."""
    return _JOINTS.sub("", words.lower())


@cache
def longest_title() -> int:
    """How many words the title of a game has at most."""
    return max(len(_JOINTS.split(game.info.title)) for game in shelf().games.values())


def get_game(name: str) -> Game:
    """The game of that name, alias or title, in any case, with or without blanks, hyphens,
    underscores and apostrophes. Raises UnknownGame, and MissingGame for one that ought to be
    there."""
    there, word = shelf(), joined(name)
    game = there.games.get(there.aliases.get(word, word))
    if game is not None:
        return game
    is_missing = word in _expected or any(fault.name == word for fault in there.faults)
    raise MissingGame(word) if is_missing else UnknownGame(word)


def game_names() -> list[str]:
    """The names of all games, sorted."""
    return list(shelf().games)


def hides(name: str) -> bool:
    """Whether the seats of a game see different things; also where nobody knows the game."""
    try:
        return bool(get_game(name).info.features & {"hidden", "sealed"})
    except UnknownGame:
        return True

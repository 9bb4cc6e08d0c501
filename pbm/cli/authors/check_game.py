"""`pbm check-game`: the conformance suite, for authors."""

from __future__ import annotations

import cProfile
import dataclasses
import pstats
import random
import sys
import time
import tomllib
import traceback
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType

import click

from pbm.cli import REFUSED, USAGE, CommandFailed
from pbm.cli.terminal.output import print_json
from pbm.config import UnreadableFile, read_own_file
from pbm.core.words import list_command_words
from pbm.games import MAP, UnknownGame, find_flaw, find_name_clash, get_game
from pbm.games.dip.own_map import read_own_map
from pbm.rules import CHANCE, Game, Position
from pbm.rules.chess.variants.variant_game import read_variant_file
from pbm.rules.diplomacy.maps import MapError
from pbm.rules.errors import VariantError
from pbm.rules.testing import Finding, choose, find_faults, find_warnings
from pbm.rules.testing.nonconforming import build_finding
from pbm.rules.testing.topics import AMBIGUITY, SPEED

WARNED_FOR = 30
"""Seconds for which games are played to find warnings."""
PLAYED_WORDS = frozenset({"pass", "swap", "ready", "wait"})
"""Words of the command language that are moves in games with such moves."""


@click.command("check-game")
@click.argument("game", metavar="PATH|NAME")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=12,
    show_default=True,
    help="how many random games are played",
)
@click.option(
    "--moves",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    help="the most moves of each",
)
@click.option("--seed", default=0, show_default=True, help="plays other games")
@click.option(
    "--whole",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="how many more are played to their end, for warnings",
)
@click.option("--json", "as_json", is_flag=True, help="the findings as JSON")
@click.pass_context
def command(
    ctx: click.Context, game: str, games: int, moves: int, seed: int, whole: int, as_json: bool
) -> None:
    """Check a game against the interface, and say what is wrong with it.

    PATH is a module, a package or a folder with a pyproject.toml; NAME a game that is installed.
    Random games are played, and every position is held to what the server relies on. Each finding
    says what was expected, which position and moves show the opposite, what is usually the cause,
    and which page explains it. More games, played to their end for half a minute at most, show
    what may be meant so: a seat that never wins, an end after two moves, or none. Those are
    warnings, and so is a name that has moved in pbm.rules. Exits 1 when there are findings that are
    not warnings.
    """
    warnings.filterwarnings("default", r"pbm\.", DeprecationWarning)  # of names that have moved
    source = GameSource(game)
    reserved = list_command_words() - PLAYED_WORDS
    findings: list[Finding] = []
    for one in source.games:
        own: list[Finding] = []
        if source.is_file and (clash := find_name_clash(one)):
            own.append(Finding(AMBIGUITY, f"names that are free; {clash}"))
        own += find_faults(one, games=games, moves=moves, seed=seed, reserved=reserved)
        if not own and (slow := find_slow_moves(one, time.perf_counter, seed)):
            own.append(slow)
        if not own:
            until = time.perf_counter() + WARNED_FOR
            is_late = partial(_is_past, until, time.perf_counter)
            own += find_warnings(one, games=whole, seed=seed, is_late=is_late)
        findings += own
        if not as_json:
            for finding in own:
                click.echo(finding.explain() + "\n")
            count = f"{_count(own)} in {games} random games (seed {seed})"
            click.echo(f"{one.info.title}: {count}")
    if as_json:
        print_json([_describe(finding) for finding in findings])
    ctx.exit(0 if all(finding.is_warning for finding in findings) else REFUSED)


def _is_past(moment: float, clock: Callable[[], float]) -> bool:
    return clock() > moment


def _count(findings: Sequence[Finding]) -> str:
    """Count findings and warnings, in words."""
    warnings = sum(finding.is_warning for finding in findings)
    counted = {"finding": len(findings) - warnings, "warning": warnings}
    texts = [f"{n} {word}{'s' * (n != 1)}" for word, n in counted.items() if n]
    return " and ".join(texts) or "nothing found"


def _describe(finding: Finding) -> dict[str, object]:
    row = {**dataclasses.asdict(finding), "topic": finding.topic.name}
    return {**row, "cause": finding.topic.cause, "page": finding.topic.page}


# Positions whose list of moves takes too long, with what takes the time.

LIMIT = 0.25
"""The most seconds that a list of moves may take."""
_TURNS = 40
_SHOWN = 6


def find_slow_moves(game: Game, clock: Callable[[], float], seed: int) -> Finding | None:
    """Return the slowest list of moves in a random game, profiled; None when none takes longer than
    LIMIT."""
    rng = random.Random(seed)  # noqa: S311 (not cryptography)
    position, log, slowest = game.setup(), list[tuple[int, str]](), LIMIT
    worst: tuple[Position, int] | None = None
    moves: tuple[tuple[int, str], ...] = ()
    number = 0
    while position.to_move and len(log) < _TURNS:
        for seat in position.to_move - {CHANCE}:
            fresh = game.decode(position.encode())
            began = clock()
            count = len(fresh.legal_moves(seat))
            if clock() - began > slowest:
                slowest, worst, moves, number = clock() - began, (fresh, seat), tuple(log), count
        seat, move = choose(position, rng)
        position = position.play(seat, move)
        log.append((seat, move))
    if worst is None:
        return None
    fresh, seat = game.decode(worst[0].encode()), worst[1]
    profile = cProfile.Profile()
    profile.runcall(fresh.legal_moves, seat)
    what = f"a list of moves takes at most {LIMIT} s; these {number} take {slowest:.2g} s"
    return build_finding(SPEED, what, worst[0], moves, _format_profile(profile))


def _format_profile(profile: cProfile.Profile) -> str:
    """Return the functions that take the most time, with their calls."""
    stats = pstats.Stats(profile).get_stats_profile()
    rows = sorted(stats.func_profiles.items(), key=lambda row: -row[1].cumtime)
    own = [(name, row) for name, row in rows if row.file_name != "~"][:_SHOWN]
    return "\n".join(
        f"{row.cumtime:8.3f} s {row.ncalls:>9} calls  {name} ({row.file_name}:{row.line_number})"
        for name, row in own
    )


# The game that an author works on: loaded from a file or a folder, and again when it was saved.

OPENSPIEL = "openspiel:"
"""The beginning of the name of a game of OpenSpiel."""
_WATCHED = (".py", ".txt", ".toml", ".ini", MAP)
VARIANTS = ".ini"
"""The extension of a file of chess variants."""

Stamp = tuple[tuple[str, int, int], ...]


class GameSource:
    """The source of games: the path of a module or package, or the name of an installed game.
    `games` are those at the last load. In a file of variants, faults outside `section` do not
    matter."""

    def __init__(self, word: str, section: str = "") -> None:
        self._word = word
        self._section = section
        self._path = find_path(word)
        self._stamp: Stamp = ()
        self.games: tuple[Game, ...] = ()
        self.reload()

    @property
    def is_file(self) -> bool:
        """Whether the game comes from a file or folder, not from an installed package."""
        return self._path is not None

    def reload(self) -> None:
        """Load the games as they are on the disk now. Fails with the reason when that is
        impossible."""
        self._stamp = self._read_stamp()
        if self._path is not None:
            self.games = _load_path(self._path, self._section)
        elif self._word.startswith(OPENSPIEL):
            from pbm.adapters.openspiel import OpenSpielError, adapt

            try:
                self.games = (adapt(self._word.removeprefix(OPENSPIEL)),)
            except OpenSpielError as error:
                raise CommandFailed(str(error), REFUSED) from None
        else:
            try:
                self.games = (get_game(self._word),)
            except UnknownGame:
                hint = "give the path of its package, or a name that pbm games lists"
                raise CommandFailed(f"there is no game {self._word}: {hint}", USAGE) from None

    def find(self, name: str = "") -> Game:
        """Return the game with that name, or the first one. Fails when there is none."""
        for game in self.games:
            if name in ("", game.info.name):
                return game
        names = ", ".join(game.info.name for game in self.games)
        raise CommandFailed(f"{self._word} has no game {name}, only {names}", USAGE)

    def has_changed(self) -> bool:
        """Whether a file of the game was saved since it was loaded."""
        return self._stamp != self._read_stamp()

    def _read_stamp(self) -> Stamp:
        if self._path is None:
            return ()
        files = [self._path] if self._path.is_file() else sorted(self._path.rglob("*"))
        stamps = []
        for path in files:
            if path.suffix in _WATCHED and not _is_hidden(path, self._path) and path.is_file():
                status = path.stat()
                stamps.append((str(path), status.st_mtime_ns, status.st_size))
        return tuple(stamps)


def find_path(word: str) -> Path | None:
    """Return the file or folder of a word; None when it is the name of a game."""
    path = Path(word)
    if path.suffix in (".py", VARIANTS, MAP) or "/" in word or word in (".", "..") or path.is_dir():
        if path.exists():
            return path.resolve()
        raise CommandFailed(f"there is no file or folder {word}", USAGE)
    return None


def _is_hidden(path: Path, above: Path) -> bool:
    parts = path.relative_to(above).parts if above.is_dir() else ()
    return any(part.startswith(".") or part == "__pycache__" for part in parts)


def _load_path(path: Path, section: str) -> tuple[Game, ...]:
    """Return the games of a module, of a package, or of the entry points of a project."""
    if path.suffix == VARIANTS:
        return _read_variants(path, section)
    if path.suffix == MAP:
        return (_read_map(path),)
    if path.is_file():
        targets = [(path.parent, path.stem, "")]
    elif (path / "pyproject.toml").is_file():
        targets = _read_entry_points(path)
    elif (path / "__init__.py").is_file():
        targets = [(path.parent, path.name, "")]
    else:
        raise CommandFailed(f"{path} has neither a pyproject.toml nor an __init__.py", USAGE)
    games = [game for target in targets for game in _load_games(*target)]
    if not games:
        raise CommandFailed(
            f"{path} has no game: a module needs GAME = ... or GAMES = (...)", USAGE
        )
    return tuple(dict.fromkeys(games))


def _read_variants(path: Path, section: str) -> tuple[Game, ...]:
    """Return the games of a file of chess variants. Fails, naming every faulty section, unless the
    wanted one can be played."""
    try:
        games, faults = read_variant_file(read_own_file(path))
    except UnreadableFile as error:
        raise CommandFailed(f"{path}: {error}", USAGE) from None
    except VariantError as fault:
        raise CommandFailed(f"{path}: {fault}", REFUSED) from None
    if faults and section not in {game.info.name for game in games}:
        raise CommandFailed("\n".join(f"{path}: {fault}" for fault in faults), REFUSED)
    if not games:
        raise CommandFailed(f"{path} has no section", USAGE)
    return tuple(games)


def _read_map(path: Path) -> Game:
    """Return the game of a map of Diplomacy. Fails, naming every fault of the file."""
    try:
        return read_own_map(read_own_file(path), path.stem)
    except UnreadableFile as error:
        raise CommandFailed(f"{path}: {error}", USAGE) from None
    except MapError as error:
        raise CommandFailed(
            "\n".join(f"{path}: {fault}" for fault in error.faults), REFUSED
        ) from None


def _read_entry_points(folder: Path) -> list[tuple[Path, str, str]]:
    """Return the folder, module and name of each game that a project declares."""
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandFailed(f"{folder / 'pyproject.toml'} cannot be read: {error}", USAGE) from None
    declared = project.get("project", {}).get("entry-points", {}).get("pbm.games", {})
    if not declared:
        raise CommandFailed(
            f'{folder / "pyproject.toml"} declares no game: [project.entry-points."pbm.games"]',
            USAGE,
        )
    source = folder / "src" if (folder / "src").is_dir() else folder
    return [(source, *target.replace(" ", "").partition(":")[::2]) for target in declared.values()]


def _load_games(folder: Path, module: str, name: str) -> list[Game]:
    """Return the games in a module, imported anew."""
    loaded = _import(folder, module)
    value = getattr(loaded, name, None) if name else getattr(loaded, "GAME", None)
    if value is None and name:
        raise CommandFailed(f"{module} has no {name}, which pyproject.toml declares", REFUSED)
    games = [value] if value is not None else list(getattr(loaded, "GAMES", ()))
    for game in games:
        if flaw := find_flaw(game):
            raise CommandFailed(f"{module} cannot be registered: {flaw}", REFUSED)
    return games


def _import(folder: Path, module: str) -> ModuleType:
    top = module.partition(".")[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == top]:
        del sys.modules[name]
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True  # two saves within a second would look alike to the cache
    invalidate_caches()
    try:
        return import_module(module)
    except (Exception, SystemExit) as error:
        lines = traceback.format_exception_only(error)
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if str(folder) in frame.filename]
        where = f"{own[-1].filename}, line {own[-1].lineno}: " if own else ""
        raise CommandFailed(f"{where}{''.join(lines).strip()}", REFUSED) from None

"""`pbm check-game`: the conformance suite, as an author reads it."""

from __future__ import annotations

import cProfile
import dataclasses
import pstats
import random
from collections.abc import Callable, Sequence
from functools import partial

import click

from pbm.cli import REFUSED
from pbm.cli.authors.game_source import GameSource
from pbm.cli.terminal.output import print_json
from pbm.core.words import list_command_words
from pbm.rules import CHANCE, Game, Position
from pbm.rules.testing import Finding, choose
from pbm.rules.testing.nonconforming import build_finding
from pbm.rules.testing.topics import SPEED

WARNED_FOR = 30
"""How many seconds a game is played for warnings."""
PLAYED_WORDS = frozenset({"pass", "swap", "ready", "wait"})
"""Words of the command language that are moves where the game has such moves."""


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
    import time
    import warnings

    pass
    from pbm.games import find_name_clash
    from pbm.rules.testing import Finding, find_faults, find_warnings
    from pbm.rules.testing.topics import AMBIGUITY

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
    """Return a finding as JSON."""
    row = {**dataclasses.asdict(finding), "topic": finding.topic.name}
    return {**row, "cause": finding.topic.cause, "page": finding.topic.page}


# Positions whose list of moves takes too long, with what takes the time.

LIMIT = 0.25
"""How many seconds a list of moves may take."""
_TURNS = 40
_SHOWN = 6


def find_slow_moves(game: Game, clock: Callable[[], float], seed: int) -> Finding | None:
    """Return the slowest list of moves in a random game, profiled; None when none takes longer than
    LIMIT. Each position is decoded first, so that nothing in it is cached."""
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
    """Return the functions that take the most time, each with its calls."""
    stats = pstats.Stats(profile).get_stats_profile()
    rows = sorted(stats.func_profiles.items(), key=lambda row: -row[1].cumtime)
    own = [(name, row) for name, row in rows if row.file_name != "~"][:_SHOWN]
    return "\n".join(
        f"{row.cumtime:8.3f} s {row.ncalls:>9} calls  {name} ({row.file_name}:{row.line_number})"
        for name, row in own
    )

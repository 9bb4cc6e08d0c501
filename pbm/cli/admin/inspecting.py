"""What inspecting commands share: options, a session, and the audit of what is revealed."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, TypeVar

import click
from sqlalchemy import insert

from pbm.cli import REFUSED, USAGE, Failed, completion, get_config
from pbm.cli.act import build_audit_row
from pbm.cli.open_database import open_database
from pbm.cli.terminal.output import clean
from pbm.games import MissingGame, UnknownGame, list_game_names, name_of
from pbm.store.tables import audit
from pbm.store.transaction import Session

_DAY = 86400
_DAYS_AGO = {"today": 0, "yesterday": 1}
_SPAN = re.compile("([0-9]{1,5}) ?(min|h|d|w)")
_UNITS = {"min": 60, "h": 3600, "d": _DAY, "w": 7 * _DAY}

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def as_json(function: F) -> F:
    """Add --json for a list of objects."""
    return click.option("--json", "as_json", is_flag=True, help="as JSON")(function)


def show_at_most(rows: int) -> Callable[[F], F]:
    """Add --limit, `rows` unless it is given."""
    return click.option(
        "--limit",
        default=rows,
        show_default=True,
        type=click.IntRange(1, 100000),
        help="how many",
    )


def between(*, has_numbers: bool = False) -> Callable[[F], F]:
    """Add --since and --before, which is a number too where the rows have one."""

    def decorate(function: F) -> F:
        function = click.option(
            "--before",
            metavar="NUMBER|TIME" if has_numbers else "TIME",
            callback=_parse_number_or_time if has_numbers else _parse_time,
            help="only older ones: the next page",
        )(function)
        return since(function)

    return decorate


def since(function: F) -> F:
    """Add --since."""
    return click.option(
        "--since",
        metavar="TIME",
        callback=_parse_time,
        help="only those since; yesterday, 3d and 2h are times too",
    )(function)


def _parse_game(_ctx: click.Context, _param: click.Parameter, word: str | None) -> str | None:
    """Return the name of a game, installed or missing."""
    if word is None:
        return None
    try:
        return name_of(word.lower())
    except MissingGame as missing:
        return missing.name
    except UnknownGame:
        near = get_close_matches(word.lower(), list_game_names(), n=1)
        advice = f"did you mean {near[0]}?" if near else "pbm games lists them"
        raise click.BadParameter(f"there is no game {clean(word)}: {advice}") from None


def _parse_number_or_time(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> int | float | None:
    """Return a number or a time."""
    if value is not None and value.isascii() and value.isdigit():
        return int(value)
    return _parse_time(ctx, param, value)


def _parse_time(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Return a time, in seconds; BadParameter for anything else."""
    if value is None:
        return None
    found = parse_time(value, time.time())
    if found is None:
        raise click.BadParameter(
            "write a time as 2026-03-02T12:00:00Z, a day as 2026-03-02 or yesterday, or how long "
            "ago it was as 3d or 2h"
        )
    return found


def parse_time(text: str, now: float) -> float | None:
    """Return the time that is meant, in seconds; None for what is none. Days are those of UTC."""
    word = text.lower()
    if word in _DAYS_AGO:
        return (now // _DAY - _DAYS_AGO[word]) * _DAY
    if span := _SPAN.fullmatch(word):
        return now - int(span[1]) * _UNITS[span[2]]
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def of_board(function: F) -> F:
    """Add --board for what belongs to a board."""
    return click.option(
        "--board",
        type=int,
        shell_complete=completion.complete_boards,
        help="only this board",
    )(function)


def of_game(function: F) -> F:
    """Add --game for what belongs to a game; a word that is none is refused."""
    return click.option(
        "--game",
        metavar="GAME",
        callback=_parse_game,
        shell_complete=completion.complete_games,
        help="only this game",
    )(function)


def of_player(function: F) -> F:
    """Add --player for what belongs to a player."""
    return click.option(
        "--player",
        metavar="USERID",
        shell_complete=completion.complete_userids,
        help="only this player",
    )(function)


def revealing(function: F) -> F:
    """Add --reveal and --reason for what is hidden."""
    function = click.option(
        "--reveal", is_flag=True, help="show hidden information too; needs --reason and is recorded"
    )(function)
    return click.option("--reason", default="", help="the reason, for the audit log")(function)


@contextmanager
def open_session(ctx: click.Context) -> Iterator[Session]:
    """Open a read-only session."""
    with open_database(get_config(ctx)) as store, store.reading() as session:
        yield session


def record_reveal(
    ctx: click.Context,
    reason: str,
    what: str,
    *,
    player: int | None = None,
    board: int | None = None,
) -> None:
    """Record that something hidden is about to be shown; Failed without a reason."""
    if not reason.strip():
        raise Failed("--reveal needs --reason", USAGE)
    row = build_audit_row(time.time(), f"reveal {what}", reason, player, board)
    with open_database(get_config(ctx)) as store, store.writing() as session:
        session.execute(insert(audit).values(row))


@contextmanager
def show_progress(items: Sequence[T], label: str) -> Iterator[Iterable[T]]:
    """Yield the items, with a progress bar on standard error if that is a terminal."""
    with click.progressbar(
        items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as progress:
        yield progress


def refuse_missing(what: str) -> Failed:
    """Return the refusal of a command about something that does not exist."""
    return Failed(f"no such {what}", REFUSED)

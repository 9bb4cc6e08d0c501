"""What inspecting commands share: options, a session, and the audit of what is revealed."""

from __future__ import annotations

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

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def as_json(function: F) -> F:
    """--json for a list of objects."""
    return click.option("--json", "as_json", is_flag=True, help="as JSON")(function)


def show_at_most(rows: int, *, is_newest: bool = True) -> Callable[[F], F]:
    """--limit, `rows` unless it is given."""
    return click.option(
        "--limit",
        default=rows,
        show_default=True,
        type=click.IntRange(1, 100000),
        help="how many, newest first" if is_newest else "how many",
    )


def before_number(function: F) -> F:
    """--before for rows that have a number."""
    return click.option(
        "--before", type=int, metavar="NUMBER", help="only lower numbers: the next page"
    )(function)


def _parse_game(_ctx: click.Context, _param: click.Parameter, word: str | None) -> str | None:
    """The name of a game, installed or missing."""
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


def _parse_time(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """A time such as 2026-03-02T12:00:00Z or a day, in seconds; BadParameter for anything else."""
    if value is None:
        return None
    try:
        when = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(
            "write a time as 2026-03-02T12:00:00Z or a day as 2026-03-02"
        ) from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def before_time(function: F) -> F:
    """--before for rows without a number of their own."""
    return click.option(
        "--before",
        metavar="TIME",
        callback=_parse_time,
        help="only older ones: the next page",
    )(function)


def of_board(function: F) -> F:
    """--board for what belongs to a board."""
    return click.option(
        "--board",
        type=int,
        shell_complete=completion.complete_boards,
        help="only this board",
    )(function)


def of_game(function: F) -> F:
    """--game for what belongs to a game; a word that is none is refused."""
    return click.option(
        "--game",
        metavar="GAME",
        callback=_parse_game,
        shell_complete=completion.complete_games,
        help="only this game",
    )(function)


def of_player(function: F) -> F:
    """--player for what belongs to a player."""
    return click.option(
        "--player",
        metavar="USERID",
        shell_complete=completion.complete_userids,
        help="only this player",
    )(function)


def revealing(function: F) -> F:
    """--reveal and --reason for what is hidden."""
    function = click.option(
        "--reveal", is_flag=True, help="show hidden information too; needs --reason and is recorded"
    )(function)
    return click.option("--reason", default="", help="the reason, for the audit log")(function)


@contextmanager
def open_session(ctx: click.Context) -> Iterator[Session]:
    """A read-only session."""
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
    """The items, with a progress bar on standard error if that is a terminal."""
    with click.progressbar(
        items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as progress:
        yield progress


def refuse_missing(what: str) -> Failed:
    """The refusal of a command about something that does not exist."""
    return Failed(f"no such {what}", REFUSED)

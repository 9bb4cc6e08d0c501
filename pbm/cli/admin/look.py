"""What all inspecting commands share: options, an open database, and the record of a reveal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

import click
from sqlalchemy import insert

from pbm.cli import REFUSED, USAGE, Failed, completion, config_of
from pbm.cli.act import record_of
from pbm.cli.open_database import opened
from pbm.store.tables import audit
from pbm.store.transaction import Session

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def as_json(function: F) -> F:
    """--json for a list of objects."""
    return click.option("--json", "as_json", is_flag=True, help="as JSON")(function)


def limit(function: F) -> F:
    """--limit and --before for pages."""
    most = click.IntRange(1, 100000)
    function = click.option(
        "--limit", default=50, show_default=True, type=most, help="at most so many, newest first"
    )(function)
    return click.option(
        "--before", type=int, metavar="NUMBER", help="only those with a lower number: the next page"
    )(function)


def _time(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """A time as the lists show it, 2026-03-02T12:00:00Z, as seconds; a day is its beginning."""
    if value is None:
        return None
    try:
        when = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter("a time is 2026-03-02T12:00:00Z, a day 2026-03-02") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def limit_by_time(function: F) -> F:
    """--limit and --before for pages of what has no number of its own."""
    most = click.IntRange(1, 100000)
    function = click.option(
        "--limit", default=50, show_default=True, type=most, help="at most so many, newest first"
    )(function)
    return click.option(
        "--before",
        metavar="TIME",
        callback=_time,
        help="only older ones, the next page: a time as it is shown",
    )(function)


def of_board(function: F) -> F:
    """--board for what belongs to a board."""
    return click.option(
        "--board", "number", type=int, shell_complete=completion.boards, help="of this board"
    )(function)


def of_player(function: F) -> F:
    """--player for what belongs to a player."""
    return click.option(
        "--player", metavar="USERID", shell_complete=completion.userids, help="of this player"
    )(function)


def revealing(function: F) -> F:
    """--reveal and --reason for what is hidden."""
    function = click.option(
        "--reveal", is_flag=True, help="show hidden hands too; needs --reason, recorded"
    )(function)
    return click.option("--reason", default="", help="why, for the record")(function)


@contextmanager
def looking(ctx: click.Context) -> Iterator[Session]:
    """A session that reads."""
    with opened(config_of(ctx)) as store, store.reading() as session:
        yield session


def revealed(
    ctx: click.Context,
    reason: str,
    what: str,
    *,
    player: int | None = None,
    board: int | None = None,
) -> None:
    """Record that something hidden is about to be shown. Failed without a reason."""
    if not reason.strip():
        raise Failed("--reveal needs --reason", USAGE)
    row = record_of(time.time(), f"reveal {what}", reason, player, board)
    with opened(config_of(ctx)) as store, store.writing() as session:
        session.execute(insert(audit).values(row))


@contextmanager
def bar(items: Sequence[T], label: str) -> Iterator[Iterable[T]]:
    """The items, with a bar on standard error that says how far they are, where it is a
    terminal."""
    with click.progressbar(
        items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as shown:
        yield shown


def missing(what: str) -> Failed:
    """There is no such thing."""
    return Failed(f"there is no {what}", REFUSED)

"""Shell completion of games, boards and userids; on any error it offers nothing."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class
from sqlalchemy import String, Table, cast, select

from pbm.cli import USAGE, CommandFailed, get_config
from pbm.cli.open_database import open_database
from pbm.core.feature import list_verbs
from pbm.core.words import find_game_name
from pbm.games import list_game_names
from pbm.store.tables import boards, players

_MOST = 50


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL. For bash, add to ~/.bashrc:

    \b
      eval "$(pbm completion bash)"
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise CommandFailed(f"there is no completion for {shell}", USAGE)
    click.echo(kind(ctx.find_root().command, {}, "pbm", "_PBM_COMPLETE").source())


def complete_words(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[Any]]:
    """Return completions after a verb or a game: names of verbs and games, and boards and userids
    from the database."""
    first = ctx.info_name or ""
    items: list[CompletionItem[Any]] = []
    if not find_game_name(first):
        items += [CompletionItem(game) for game in list_game_names()]
    else:
        items += [CompletionItem(v.name, help=v.summary) for v in list_verbs() if v.game != "no"]
    items = [item for item in items if item.value.startswith(incomplete.lower())]
    items += complete_boards(ctx, param, incomplete)
    return [*items, *complete_userids(ctx, param, incomplete)]


def complete_boards(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[Any]]:
    """Return the numbers of running boards, newest first."""
    return _complete_column(ctx, boards, "id", "game", incomplete, "running")


def complete_userids(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[Any]]:
    """Return the userids of active players."""
    return _complete_column(ctx, players, "userid", "state", incomplete, "active")


def complete_games(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[Any]]:
    """Return the names of games."""
    return [
        CompletionItem(name) for name in list_game_names() if name.startswith(incomplete.lower())
    ]


def _complete_column(
    ctx: click.Context, table: Table, column: str, about: str, incomplete: str, state: str
) -> list[CompletionItem[Any]]:
    """Return values of a column that begin with `incomplete`; none if the database cannot be
    opened."""
    value = cast(table.c[column], String)
    query = (
        select(value, table.c[about])
        .where(table.c.state == state, value.startswith(incomplete, autoescape=True))
        .order_by(table.c.id.desc())
        .limit(_MOST)
    )
    try:
        with open_database(get_config(ctx)) as store, store.reading() as session:
            return [CompletionItem(row[0], help=row[1]) for row in session.tuples(query)]
    except CommandFailed:
        return []

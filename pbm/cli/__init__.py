"""The command line: `pbm`, a lazy group of commands. A command's module is imported when the
command runs."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from errno import ENOSPC
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

import pbm.features  # noqa: F401 (installs them)
from pbm.cli.table import COMMANDS
from pbm.core.feature import list_verbs
from pbm.core.words import map_words_to_verbs

if TYPE_CHECKING:  # help and completion need no configuration
    from pbm.config import Config

DONE, REFUSED, USAGE, TRY_AGAIN = 0, 1, 2, 75
_NUMBER = re.compile(r"(?:in:|out:|#|--board=)?-?[0-9]{10,200}")
_LARGEST = 2**63 - 1
"""The largest integer a database stores."""


class CommandFailed(Exception):
    """Ends the command with one sentence on standard error and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class LazyGroup(click.Group):
    """A group whose commands are rows of a table, listed without importing them."""

    rows: Sequence[Any] = ()
    """Each with a name and one line of help."""
    more: Callable[[str], click.Command | None] | None = None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table, in its order."""
        return [row.name for row in self.rows]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with that name, imported now; else what `more` finds."""
        for row in self.rows:
            if row.name == cmd_name:
                return self.load(row)
        return self.more(cmd_name) if self.more is not None else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse a word that is no command, with suggestions."""
        word = args[0]
        near = get_close_matches(word.lower(), self.list_words(ctx), n=1)
        if near and word[:1].isalnum() and self.get_command(ctx, word) is None:
            ctx.fail(f"No such command {word!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def list_words(self, ctx: click.Context) -> list[str]:
        """Return all words that can name a command."""
        return self.list_commands(ctx)

    def load(self, row: Any) -> click.Command:
        """Return the command of a row, imported now."""
        module, _, name = row.module.partition(":")
        command: click.Command = getattr(import_module(module), name or "command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the table, one command a line."""
        with formatter.section("Commands"):
            formatter.write_dl([(row.name, row.help) for row in self.rows])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Return the names that begin with `incomplete`."""
        return [
            CompletionItem(row.name, help=row.help)
            for row in self.rows
            if row.name.startswith(incomplete)
        ]


class Pbm(LazyGroup):
    """The whole command line: its own commands and those that players send by mail."""

    rows = COMMANDS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse arguments that are not UTF-8 or larger than a database integer."""
        for word in args:
            if word.encode("utf-8", "ignore").decode() != word:
                raise click.UsageError("an argument is not valid UTF-8", ctx)
            if _NUMBER.fullmatch(word) and abs(int(re.sub("[^0-9]", "", word))) > _LARGEST:
                raise click.UsageError(f"{word} is too large a number", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; print why it failed and exit with its code."""
        try:
            return super().invoke(ctx)
        except CommandFailed as failed:
            click.echo(f"pbm: {failed.message}", err=True)
            ctx.exit(failed.code)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one of the CLI's own commands, a player's verb, or a game followed by a verb."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        word = cmd_name.lower().partition("#")[0]
        heads = {verb.name.partition(" ")[0] for verb in list_verbs()}
        act = import_module("pbm.cli.act")
        if word in map_words_to_verbs() or word in heads or act.is_game(word):
            command: click.Command = act.build_click_command(cmd_name)
            return command
        return None

    def list_words(self, ctx: click.Context) -> list[str]:
        """Return the CLI's own commands, verbs and games."""
        verbs = [verb.name.partition(" ")[0] for verb in list_verbs()]
        return [*super().list_words(ctx), *verbs, *import_module("pbm.games").list_game_names()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the CLI's own commands, then those of players, without and with a game."""
        super().format_commands(ctx, formatter)
        for title, kinds in (
            ("As by mail (prompts for the password, or takes PBM_PASSWORD)", ("no", "maybe")),
            ("At a board: pbm VERB GAME ... or pbm GAME VERB ...", ("yes",)),
        ):
            with formatter.section(title):
                formatter.write_dl(
                    [(verb.name, verb.summary) for verb in list_verbs() if verb.game in kinds]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Return the CLI's own commands, verbs and games that begin with `incomplete`."""
        own = super().shell_complete(ctx, incomplete)
        verbs = {verb.name.partition(" ")[0]: verb.summary for verb in list_verbs()}
        commands = [CompletionItem(word, help=text) for word, text in verbs.items()]
        games = [CompletionItem(game) for game in import_module("pbm.games").list_game_names()]
        return own + [item for item in commands + games if item.value.startswith(incomplete)]


def get_config(ctx: click.Context) -> Config:
    """Return the configuration of --config or PBM_CONFIG, else a trial server's. Fails if
    invalid."""
    from pbm.config import ConfigError, load

    try:
        return load(ctx.find_root().params.get("config"), os.environ)
    except ConfigError as error:
        raise CommandFailed(str(error), USAGE) from None


def _print_version(ctx: click.Context, _param: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not ctx.resilient_parsing:
        from pbm.version import find_version

        click.echo(f"pbm {find_version()}")
        ctx.exit()


@click.command(
    cls=Pbm,
    help="A play-by-email game server. Exit codes: 0 done, 1 refused, 2 usage, 75 try again.",
    epilog="Run pbm COMMAND --help for details.",
)
@click.option(
    "--config",
    metavar="FILE",
    help="the configuration file (default: PBM_CONFIG, or a trial server under ./var)",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and the commit, and exit.",
)
def cli(config: str | None) -> None:
    """Parse --config; the commands do the work."""


def main() -> None:
    """Run the console script. Only their owner can read files that it creates: they hold
    secrets."""
    os.umask(0o077)
    # Enabled again with a database: collecting during imports costs a tenth of the start.
    gc.disable()
    try:
        cli(prog_name="pbm")
    except OSError as error:
        if error.errno != ENOSPC or error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left goes nowhere, without a word
        sys.stderr.write("pbm: the output cannot be written: no space left\n")
        sys.exit(TRY_AGAIN)
    finally:
        # A last collection at the exit would cost a quarter of a command's time.
        gc.freeze()

"""`pbm play`: one board at a terminal, move by move, through the same commands as by mail.

It decides nothing: what is typed becomes a command of the table, the rest is shown."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from pbm.cli import REFUSED, USAGE, Failed, completion, config_of

if TYPE_CHECKING:
    from pbm.cli.session import Table

_PAUSE = 0.5
_LISTED = 30
_HELP = """\
A move, as by mail. Tab completes it; `moves` lists all. Or: resign, propose, undo, accept, reject,
chat TEXT, queue MOVE, help, show. `quit` or Ctrl-D leaves; the board stays."""


@click.command("play")
@click.argument("number", type=int, shell_complete=completion.boards)
@click.option("--as", "userid", required=True, metavar="USERID",
              shell_complete=completion.userids, help="who you are")  # fmt: skip
@click.option("--as-operator", is_flag=True, help="without the password; recorded, and visible")
@click.option("--reason", default="", help="why, for the record")
@click.pass_context
def command(ctx: click.Context, number: int, userid: str, as_operator: bool, reason: str) -> None:
    """Play on a board at this terminal: the board, your move, then the answer when it comes.

    The others get their mails as usual. The password is asked for, or taken from PBM_PASSWORD.
    """
    config = config_of(ctx)
    from pbm.cli.database import opened
    from pbm.cli.line import Asked, ask_password
    from pbm.cli.session import Table

    if as_operator and not reason.strip():
        raise Failed("--as-operator needs --reason here: it shows what the player sees", USAGE)
    asked = Asked(as_operator=as_operator, reveal=as_operator, reason=reason)
    password = "" if as_operator else ask_password("PBM_PASSWORD", f"Password of {userid}")
    with opened(config) as store:
        table = Table(config, store, number, userid, password, asked)
        problem = table.sit_down()
        if problem:
            raise Failed(problem, REFUSED)
        with contextlib.suppress(EOFError, KeyboardInterrupt):
            _play(table)
        click.echo()


def _play(table: Table) -> None:
    """Ask for moves in turn, wait out of turn, until the board is over or the player leaves."""
    click.echo(table.shown())
    while not table.is_over:
        if not table.on_move:
            click.echo(f"{table.waits_for} to move; waiting (Ctrl-C leaves) ...")
            while not table.has_changed():
                time.sleep(_PAUSE)
            click.echo(table.shown())
            continue
        typed = _typed(table.legal_moves())
        if typed in ("quit", "exit"):
            return
        if typed == "moves":
            _list(table.legal_moves())
        elif typed == "?":
            click.echo(_HELP)
        elif typed:
            click.echo(table.do(typed))


def _typed(moves: Sequence[str]) -> str:
    """A line from the terminal, with the legal moves on Tab."""
    with _completing(moves):
        return input("move (? for help): ").strip()


def _list(moves: Sequence[str]) -> None:
    for move in moves[:_LISTED]:
        click.echo(f"  {move}")
    if len(moves) > _LISTED:
        click.echo(f"  ... {len(moves)} in all; Tab shows those that begin as you typed")


@contextlib.contextmanager
def _completing(moves: Sequence[str]) -> Iterator[None]:
    """Tab completes one of the moves, where the terminal can."""
    try:
        import readline
    except ImportError:
        yield
        return

    def candidates(text: str, state: int) -> str | None:
        found = [move for move in moves if move.startswith(text)]
        return found[state] if state < len(found) else None

    before = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer_delims("")
    readline.set_completer(candidates)
    if sys.stdin.isatty():
        readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])

"""`pbm play`: one board at a terminal, move by move, through the same commands as by mail.

It decides nothing: what is typed becomes a command of the table, the rest is shown."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

import click

from pbm.cli import REFUSED, USAGE, Failed, completion, config_of
from pbm.cli.terminal.output import columns, page

if TYPE_CHECKING:
    from pbm.cli.terminal.board_session import Table

_PAUSE = 0.5
_WORDS = (
    "resign",
    "propose",
    "undo",
    "accept",
    "reject",
    "cancel",
    "decline",
    "swap",
    "pass",
    "chat ",
    "queue ",
    "submit ",
    "confirm",
    "show",
    "help",
    "moves",
    "quit",
)
_HELP = """\
Type a move, as by mail; Tab completes it, moves lists all there are.
Out of turn: queue MOVE plays it when your turn comes. Tab completes these too:
  resign (asks first), propose (a draw), undo, accept, reject, cancel, chat TEXT
  submit MOVE shows what a move would do, confirm plays it
  show is the board as spectators see it, show 1#2 board 1 after two moves
  help is the page about the game, help commands lists all commands
The board is drawn again when something happens. quit or Ctrl-D leaves it as it is."""


@click.command("play")
@click.argument("number", type=int, shell_complete=completion.boards)
@click.option(
    "--as",
    "userid",
    required=True,
    metavar="USERID",
    shell_complete=completion.userids,
    help="who you are",
)
@click.option("--as-operator", is_flag=True, help="without the password; recorded, and visible")
@click.option("--reason", default="", help="why, for the record")
@click.pass_context
def command(ctx: click.Context, number: int, userid: str, as_operator: bool, reason: str) -> None:
    """Play on a board at this terminal: the board, your move, then the answer when it comes.

    Tab completes moves and words, ? says what can be typed. The others get their mails as usual.
    The password is asked for, or taken from PBM_PASSWORD. Exit code 0, also when you leave before
    the end.
    """
    config = config_of(ctx)
    from pbm.cli.open_database import opened
    from pbm.cli.terminal.board_session import Table
    from pbm.cli.terminal.command_line import Asked, ask_password

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
        if not table.is_over:
            click.echo(f"\nboard {number} stays; to go on: pbm play {number} --as {userid}")


def _play(table: Table) -> None:
    """Show the board whenever it has changed, and do what is typed, until the board is over or the
    player leaves."""
    while True:
        if table.has_changed():
            headline, text = table.shown()
            click.secho(f"\n{headline}", bold=True)
            click.echo(f"\n{text}")
        if table.is_over:
            return
        typed = _typed(table)
        if typed in ("quit", "exit"):
            return
        if typed == "moves":
            page(columns(table.legal_moves()) or "It is not your turn: there is none.\n")
        elif typed == "?":
            click.echo(_HELP)
        elif typed and (not _is_resignation(typed) or _is_sure()):
            said = table.do(typed)
            if said:
                page(said)


def _is_resignation(typed: str) -> bool:
    return typed.lower().removeprefix("move ").rstrip(".!") == "resign"


def _is_sure() -> bool:
    return input("Really resign? (yes/no): ").strip().lower() in ("yes", "y")


def _typed(table: Table) -> str:
    """A line from the player; "" when something has happened at the board instead. What comes from
    a pipe is for the player's own turns, one line each."""
    number = f"move {table.next_ply}"
    if sys.stdin.isatty():
        from pbm.cli.terminal import prompt

        turn = f"your {number}" if table.on_move else f"{table.waits_for} to move"
        ask = f"{turn} (? for help): "
        return prompt.ask(ask, table.legal_moves(), _WORDS, table.has_changed)
    if not table.on_move:
        while not table.has_changed():
            time.sleep(_PAUSE)
        return ""
    return input(f"your {number} (? for help): ").strip()

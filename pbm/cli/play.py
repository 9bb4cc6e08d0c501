"""`pbm play`: one board at a terminal, move by move.

What is typed becomes a command, as in a mail; nothing is decided here."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING

import click

from pbm.cli import REFUSED, USAGE, CommandFailed, completion, get_config
from pbm.cli.open_database import open_database
from pbm.cli.terminal import command_line
from pbm.cli.terminal.board_session import BoardSession, list_boards
from pbm.cli.terminal.command_line import CommandOptions, prompt_password
from pbm.cli.terminal.output import choose_protocol, colour_board, format_columns, show

if TYPE_CHECKING:
    from pbm.cli.terminal.board_session import BoardSession
    from pbm.cli.terminal.command_line import CommandOptions
    from pbm.config import Config
    from pbm.store.engine import Store

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
    "plan",
    "note ",
    "submit ",
    "confirm",
    "show",
    "help",
    "moves",
    "quit",
)
_HELP = """\
Type a move as in a mail; Tab completes it, moves lists them all.
Out of turn, queue MOVE plays it when your turn comes, and
  if MOVE then MOVE answers a move at once; several branches go on one line, with
  a semicolon before each further if. plan shows your plan, plan none clears it,
  plan #2 shows the board at the end of a branch. Tab completes these too:
  resign (asks first), propose (a draw), undo, accept, reject, cancel, chat TEXT
  note TEXT is for you alone, note shows your notes
  submit MOVE shows the move without playing it, confirm plays it
  show is the spectators' view, show 1#2 is board 1 after two moves
  help explains the game, help commands lists all commands
The board is redrawn when something happens. quit or Ctrl-D leaves the board as it is."""


@click.command("play")
@click.argument("number", type=int, required=False, shell_complete=completion.complete_boards)
@click.option(
    "--as",
    "userid",
    required=True,
    metavar="USERID",
    shell_complete=completion.complete_userids,
    help="your userid",
)
@click.option(
    "--as-operator", is_flag=True, help="without the password; recorded, and players see it"
)
@click.option("--reason", default="", help="the reason, for the audit log")
@click.pass_context
def command(
    ctx: click.Context, number: int | None, userid: str, as_operator: bool, reason: str
) -> None:
    """Play a board at this terminal: see it, type a move, wait for the answer.

    Without a number it lists your open boards; the only one is played at once.

    Tab completes moves and words, ? lists what you can type. The other players get their mails as
    usual. Prompts for the password, or takes it from PBM_PASSWORD. Exits 0 even if you leave
    before the end.
    """
    config = get_config(ctx)

    if as_operator and not reason.strip():
        raise CommandFailed(
            "--as-operator needs --reason here, because it shows what the player sees", USAGE
        )
    options = CommandOptions(as_operator=as_operator, reveal=as_operator, reason=reason)
    password = "" if as_operator else prompt_password("PBM_PASSWORD", f"Password of {userid}")
    with open_database(config) as store:
        if number is None:
            number = _choose_board(config, store, userid, password, options)
        while number:
            table = BoardSession(config, store, number, userid, password, options)
            problem = table.sit_down()
            if problem:
                raise CommandFailed(problem, REFUSED)
            following = 0
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                _play(table)
                following = _offer_rematch(table)
            if not table.is_over:
                click.echo(
                    f"\nboard {number} goes on; to continue: pbm play {number} --as {userid}"
                )
            number = following


def _choose_board(
    config: Config, store: Store, userid: str, password: str, options: CommandOptions
) -> int:
    """Return the player's only open board. Of several, list them, the most urgent first, and return
    0. Failed when there is none."""
    text, numbers = list_boards(config, store, userid, password, options)
    if not numbers:
        raise CommandFailed(f"{text}; to start one: pbm GAME challenge {userid} OTHER", REFUSED)
    if len(numbers) > 1:
        show(text)
        click.echo(f"\nTo play one of them: pbm play {numbers[0]} --as {userid}")
        return 0
    return numbers[0]


def _offer_rematch(table: BoardSession) -> int:
    """Ask for a rematch when the game has a result; the number of the new board, else 0."""
    if not table.has_result:
        return 0
    if input("\nrematch plays it again, Enter leaves: ").strip().lower() != "rematch":
        return 0
    number, text = table.rematch()
    if text:
        show(text)
    return number


def _play(table: BoardSession) -> None:
    """Show the board whenever it changes and execute what is typed, until the board is over or the
    player leaves."""
    while True:
        if table.has_changed():
            headline, text = table.show_changes()
            click.secho(f"\n{headline}", bold=True)
            _show_picture(table)
            drawing = table.drawing
            if drawing is not None and not os.environ.get("NO_COLOR"):
                text = colour_board(text, drawing.picture, drawing.colours)
            click.echo(f"\n{text}")
        if table.is_over:
            return
        line = _read_line(table)
        if line in ("quit", "exit"):
            return
        if line == "moves":
            show(format_columns(table.legal_moves()) or "None: it is not your turn.\n")
        elif line == "?":
            click.echo(_HELP)
        elif line and (not _is_resignation(line) or _is_sure()):
            answer = table.do(line)
            if answer:
                show(answer)


def _show_picture(table: BoardSession) -> None:
    """Show the board as a picture, if the terminal can."""
    write = choose_protocol(os.environ)
    if write is None or table.drawing is None or not sys.stdout.isatty():
        return
    from pbm.pictures.board_picture import draw_board
    from pbm.pictures.png import PictureError, make_png

    with contextlib.suppress(PictureError):
        if svg := draw_board(table.drawing, dark=True):
            click.echo(write(make_png(svg)))


def _is_resignation(line: str) -> bool:
    return line.lower().removeprefix("move ").rstrip(".!") == "resign"


def _is_sure() -> bool:
    return input("Really resign? (yes/no): ").strip().lower() in ("yes", "y")


def _read_line(table: BoardSession) -> str:
    """Return the next line the player types; "" as soon as the board changes. From a pipe, one line
    is read for each of the player's turns."""
    number = f"move {table.next_ply}"
    if sys.stdin.isatty():
        turn = f"your {number}" if table.on_move else f"{table.waits_for} to move"
        ask = f"{turn} (? for help): "
        return command_line.ask(ask, table.legal_moves(), _WORDS, table.has_changed)
    if not table.on_move:
        while not table.has_changed():
            time.sleep(_PAUSE)
        return ""
    return input(f"your {number} (? for help): ").strip()

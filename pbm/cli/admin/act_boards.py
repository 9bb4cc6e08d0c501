"""Acting on boards: cancel, adjudicate, roll back. All players of the board get a mail."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pbm.cli import USAGE, Failed, completion
from pbm.cli.admin import acting, look
from pbm.cli.verify_dice import text_of
from pbm.server import operator
from pbm.server.importing import import_record
from pbm.server.operator import Desk
from pbm.server.records import read
from pbm.server.refusal import Refusal


@click.command("cancel")
@click.argument("number", type=int, shell_complete=completion.boards)
@acting.options
@click.pass_context
def cancel(ctx: click.Context, number: int, yes: bool, reason: str, as_json: bool) -> None:
    """End a board without a result."""
    acting.act(
        ctx, f"End board {number} without a result?",
        lambda desk: operator.cancel(desk, number),
        yes=yes, reason=reason, as_json=as_json,
    )  # fmt: skip


@click.command("adjudicate")
@click.argument("number", type=int, shell_complete=completion.boards)
@click.argument("ranks")
@acting.options
@click.pass_context
def adjudicate(
    ctx: click.Context, number: int, ranks: str, yes: bool, reason: str, as_json: bool
) -> None:
    """End a board with a result: a rank for each seat, 1,2 or 1,1 for a tie."""
    if not all(rank.isdigit() for rank in ranks.split(",")):
        raise Failed("ranks are numbers with commas, a seat each: 1,2", USAGE)
    acting.act(
        ctx, f"End board {number} with the ranks {ranks}?",
        lambda desk: operator.adjudicate(desk, number, tuple(map(int, ranks.split(",")))),
        yes=yes, reason=reason, as_json=as_json,
    )  # fmt: skip


@click.command("rollback")
@click.argument("number", type=int, shell_complete=completion.boards)
@click.argument("ply", type=int)
@acting.options
@click.pass_context
def rollback(
    ctx: click.Context, number: int, ply: int, yes: bool, reason: str, as_json: bool
) -> None:
    """Take a board back to the position after PLY moves, also one that has ended."""
    acting.act(
        ctx, f"Take board {number} back to the position after move {ply}?",
        lambda desk: operator.roll_back(desk, number, ply),
        yes=yes, reason=reason, as_json=as_json,
    )  # fmt: skip


@click.command("import")
@click.argument("files", metavar="RECORD...", nargs=-1, required=True, type=click.Path())
@acting.options
@click.pass_context
def import_(
    ctx: click.Context, files: Sequence[str], yes: bool, reason: str, as_json: bool
) -> None:
    """Make boards of records: JSON, or the mails of `GAME export BOARD`; - is standard input.

    Each is replayed first, and all are refused when one does not lead to the positions, the result
    and the dice that it names. Imported boards do not count for ratings.
    """
    texts = [(name, text_of(name)) for name in files]

    def do(desk: Desk) -> None:
        with look.bar(texts, "import") as shown:
            for name, text in shown:
                _import(desk, name, text)

    acting.act(
        ctx, f"Import {len(texts)} {'record' if len(texts) == 1 else 'records'}?", do,
        yes=yes, reason=reason, as_json=as_json,
    )  # fmt: skip


def _import(desk: Desk, name: str, text: str) -> None:
    """Make a board of one record; Refusal when it does not replay."""
    try:
        record = read(text)
        number = import_record(desk.session, record)
    except Refusal as refusal:
        raise Refusal(f"{name}: {refusal.text}") from None
    desk.record(f"import record of board {record['board']}"[:100], board=number)
    click.echo(f"{name}: board {number}", err=True)

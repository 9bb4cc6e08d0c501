"""`admin export`: writes the records of boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from sqlalchemy import select

from pbm.cli import USAGE, Failed, completion, get_config
from pbm.cli.admin import inspecting
from pbm.cli.open_database import open_database
from pbm.core.refusal import Refusal
from pbm.core.storing import load
from pbm.features.records.record import build_record, format_record
from pbm.store.tables import boards
from pbm.store.transaction import Session


@click.command("export")
@click.argument(
    "numbers", metavar="[BOARD]...", nargs=-1, type=int, shell_complete=completion.complete_boards
)
@click.option("--all", "every", is_flag=True, help="every finished board")
@click.option(
    "--to",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="write one file a board, GAME-BOARD.json; needed for more than one",
)
@click.option(
    "--reveal",
    is_flag=True,
    help="include what players wrote to each other; needs --reason and is recorded",
)
@click.option("--reason", default="", help="the reason, for the audit log")
@click.pass_context
def export(
    ctx: click.Context,
    numbers: Sequence[int],
    every: bool,
    folder: Path | None,
    reveal: bool,
    reason: str,
) -> None:
    """Write the records of boards as JSON, as `GAME export BOARD` mails them. `pbm admin import`
    reads those of finished boards. Records of running boards leave out what is hidden."""
    if every == bool(numbers):
        raise Failed("name boards, or --all", USAGE)
    if folder is None and (every or len(numbers) > 1):
        raise Failed("more than one board needs --to FOLDER", USAGE)
    if reveal:
        inspecting.record_reveal(
            ctx, reason, f"comments of {'all boards' if every else _format_numbers(numbers)}"
        )
    config = get_config(ctx)
    with open_database(config) as store, store.reading() as session:
        chosen = _find_ended(session) if every else numbers
        if folder is None:
            click.echo(_build_record(session, chosen[0], config.server.address, comments=reveal)[1])
            return
        folder.mkdir(parents=True, exist_ok=True)
        with inspecting.show_progress(chosen, "export") as progress:
            for number in progress:
                game, record = _build_record(
                    session, number, config.server.address, comments=reveal
                )
                path = folder / f"{game}-{number}.json"
                path.write_text(record + "\n", encoding="utf-8")
    click.echo(f"{len(chosen)} written to {folder}", err=True)


def _find_ended(session: Session) -> list[int]:
    query = select(boards.c.id).where(boards.c.state.in_(("over", "cancelled")))
    return list(session.execute(query.order_by(boards.c.id)).scalars())


def _format_numbers(numbers: Sequence[int]) -> str:
    return f"board{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _build_record(session: Session, number: int, site: str, *, comments: bool) -> tuple[str, str]:
    """Return the game and record of a board; Failed if there is none."""
    try:
        board = load(session, number)
    except Refusal:
        raise inspecting.refuse_missing(f"board {number}") from None
    return board.game.info.name, format_record(
        build_record(session, board, site, comments=comments)
    )

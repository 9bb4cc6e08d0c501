"""One board for the operator, with a spectator's view unless --reveal is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from sqlalchemy import select

from pbm.cli import USAGE, CommandFailed, completion, get_config
from pbm.cli.admin import inspecting
from pbm.cli.admin.inspecting import format_times, write_values
from pbm.cli.admin.mails import find_board_mails
from pbm.cli.open_database import open_database
from pbm.cli.terminal.output import clean, format_time, print_json, print_rows
from pbm.core.board import Board, find_last_moment, read_calendar
from pbm.core.log import build_entry, drop_undone, replay, split_news
from pbm.core.log_view import list_own_lines
from pbm.core.refusal import Refusal
from pbm.core.storing import build_board, load
from pbm.core.view import summarize_boards
from pbm.features.play.admin import show_board
from pbm.features.records.record import build_record, format_record
from pbm.games import hides
from pbm.rules import Position
from pbm.rules.phrases import unpack
from pbm.store import reads
from pbm.store.prefetched import SeatedRow
from pbm.store.reads import find_board_audit
from pbm.store.tables import MoveRow, boards
from pbm.store.transaction import Session


@click.command("board")
@click.argument("number", type=int, shell_complete=completion.complete_boards)
@click.option("--ply", type=int, metavar="MOVE", help="the position as it was after that move")
@inspecting.revealing
@inspecting.as_json
@click.pass_context
def board(
    ctx: click.Context, number: int, ply: int | None, reason: str, reveal: bool, as_json: bool
) -> None:
    """One board: position, log, seats, clocks, its mails, and what operators did."""
    if reveal:
        inspecting.record_reveal(ctx, reason, f"board {number}", board=_require_board(ctx, number))
    with inspecting.open_session(ctx) as session:
        details = _describe(session, number, ply, reveal=reveal)
    if as_json:
        print_json(details)
        return
    for name, value in _write(details).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            click.echo(f"\n{name}")
            print_rows(value, as_json=False)
        elif name in ("position", "views"):
            click.echo(f"\n{value if isinstance(value, str) else chr(10).join(value)}")
        elif not isinstance(value, list):
            click.echo(f"{name:<12} {clean(str(value)) if value is not None else '-'}")


def _write(details: Mapping[str, Any]) -> dict[str, Any]:
    """Print the details, with options and lists of words in readable form."""
    words = {name: ", ".join(details[name]) or None for name in ("watchers", "proposals")}
    return write_values({**details, **words})


def _require_board(ctx: click.Context, number: int) -> int:
    with inspecting.open_session(ctx) as session:
        if reads.find_board(session, number) is None:
            raise inspecting.refuse_missing(f"board {number}")
    return number


def _describe(session: Session, number: int, ply: int | None, *, reveal: bool) -> dict[str, object]:
    row = reads.find_board(session, number)
    if row is None:
        raise inspecting.refuse_missing(f"board {number}")
    seated = reads.find_seats(session, number)
    board = build_board(session, row, seated, anyway=True)
    log = reads.find_log(session, number)
    position, shown = board.position, board.shown
    if ply is not None:
        position = _find_position(board, log, ply)
        shown = position.uncovered() if board.is_uncovered else position
    (summary,) = summarize_boards(session, [row], for_operator=True)
    details = format_times(show_board(summary), ("moved", "created")) | {
        "reason": board.outcome.reason if board.outcome else None,
        "ended": format_time(row.ended),
        "proposals": list(board.proposals),
        "undos": row.undos,
        "nag_days": row.nag_days,
        "forfeit_days": row.forfeit_days,
        "total_days": row.total_days,
        "commitment": row.commitment,
        "secret": row.secret.hex() if board.is_uncovered else None,
        "watchers": [each.userid for each in reads.find_watchers(session, number)],
        "position": clean(shown.render(None)),
    }
    if reveal:
        details["views"] = [clean(position.render(seat.seat)) for seat in board.seats]
    names = board.position.seat_names
    details["seats"] = [
        _describe_seat(row, names[row.seat], reveal=reveal)
        | {
            "due": format_time(_find_due(session, board, row.seat)),
            "plan": _describe_plan(session, board, row.seat) if reveal else "(hidden)",
        }
        for row in seated
    ]
    is_open = reveal or board.is_uncovered
    details["moves"] = [
        _move(entry, row.game, seated, reveal=is_open, comments=reveal) for entry in log
    ]
    details["mails"] = find_board_mails(session, number)
    details["audit"] = inspecting.list_acts(find_board_audit(session, number))
    return details


def _find_position(board: Board, log: Sequence[MoveRow], ply: int) -> Position:
    """Return the position after `ply` moves."""
    if not 0 <= ply <= board.ply:
        raise CommandFailed(f"board {board.id} has come to move {board.ply} only", USAGE)
    entries = [entry for entry in drop_undone(map(build_entry, log)) if entry.ply <= ply]
    return replay(board.game, len(board.seats), board.options, entries)


def _describe_seat(row: SeatedRow, name: str, *, reveal: bool) -> dict[str, object]:
    return {
        "seat": row.seat,
        "name": name,
        "userid": row.userid,
        "state": row.player_state,
        "accepted": bool(row.accepted),
        "spent_seconds": row.spent,
        "due": None,
        "reminded": row.reminded,
        "rank": row.rank,
        "plan": None,
        "submitted": row.submitted if reveal else bool(row.submitted),
    }


def _find_due(session: Session, board: Board, number: int) -> float | None:
    """Return when a seat on the move forfeits, as far as is known now: by its clock, its days off
    and its vacation; None for a seat that need not move, or has no limit."""
    seat = board.seats[number]
    if board.state != "running" or seat not in board.on_move:
        return None
    return find_last_moment(board, seat, read_calendar(session, board, seat))


def _describe_plan(session: Session, board: Board, number: int) -> str | None:
    """Return the branches of a seat's plan."""
    lines = list_own_lines(session, board, board.seats[number], ply=board.ply).get("plans")
    return "; ".join(" ".join(line.split()) for line in lines[1:]) if lines else None


def _move(
    row: MoveRow, game: str, seated: Sequence[SeatedRow], *, reveal: bool, comments: bool
) -> dict[str, object]:
    hidden = hides(game) and bool(row.words) and not reveal
    return {
        "number": row.number,
        "ply": row.ply,
        "kind": row.kind,
        "seat": row.seat,
        "userid": seated[row.seat].userid if row.seat is not None else None,
        "move": unpack(row.words) if hidden else row.move,
        "words": unpack(row.words) or row.move,
        "news": "; ".join(split_news(row.news)),
        "comment": clean(build_entry(row).comment) if comments or row.seat is None else "",
        "at": format_time(row.at),
    }


# `admin export`: writes the records of boards.


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
        raise CommandFailed("name boards, or --all", USAGE)
    if folder is None and (every or len(numbers) > 1):
        raise CommandFailed("more than one board needs --to FOLDER", USAGE)
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
    """Return the game and record of a board. Fails if there is none."""
    try:
        board = load(session, number)
    except Refusal:
        raise inspecting.refuse_missing(f"board {number}") from None
    return board.game.info.name, format_record(
        build_record(session, board, site, comments=comments)
    )

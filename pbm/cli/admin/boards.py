"""Boards and moves for the operator, with a spectator's view unless --reveal is given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click
from sqlalchemy import select

from pbm.cli import USAGE, Failed, completion
from pbm.cli.admin import inspecting
from pbm.cli.admin.mails import find_board_mails
from pbm.cli.terminal.output import clean, format_time, print_json, print_rows
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log import build_entry, drop_undone, replay
from pbm.core.kernel.boards.storing import build_board
from pbm.core.kernel.boards.view import format_options
from pbm.core.kernel.plans.tree import decode_plan
from pbm.core.kernel.plans.view import summarize_plan
from pbm.games import hides
from pbm.rules import Position
from pbm.store import reads
from pbm.store.prefetch import SeatedRow
from pbm.store.reads.audit_rows import find_board_audit
from pbm.store.rows import Query
from pbm.store.tables import BoardRow, MoveRow, players, seats
from pbm.store.tables import boards as boards_table
from pbm.store.tables import moves as moves_table
from pbm.store.transaction import Session


class SpectatedMoveRow(MoveRow):
    """A move, with its game and whose it is."""

    game: str
    userid: str | None


@click.command("boards")
@inspecting.of_game
@click.option(
    "--state",
    type=click.Choice(["sleeping", "invited", "running", "over", "cancelled"]),
    help="only in this state",
)
@click.option(
    "--player",
    metavar="USERID",
    shell_complete=completion.complete_userids,
    help="only this player",
)
@click.option("--overdue", is_flag=True, help="only running ones, longest wait first")
@inspecting.limit
@inspecting.as_json
@click.pass_context
def boards(
    ctx: click.Context,
    game: str | None,
    state: str | None,
    player: str | None,
    overdue: bool,
    limit: int,
    before: int | None,
    as_json: bool,
) -> None:
    """Boards, newest first."""
    table = boards_table
    query = select(table).order_by(table.c.moved if overdue else table.c.id.desc()).limit(limit)
    if overdue:
        query = query.where(table.c.state == "running")
    for column, value in ((table.c.game, game), (table.c.state, state)):
        query = query.where(column == value) if value else query
    if before:
        query = query.where(table.c.id < before)
    if player:
        own = select(seats.c.board_id).join(players, players.c.id == seats.c.player_id)
        query = query.where(table.c.id.in_(own.where(players.c.name == player.lower())))
    with inspecting.open_session(ctx) as session:
        rows = [_summarize(session, row) for row in session.all(Query(BoardRow, query))]
    print_rows(rows if as_json else [_write_values(row) for row in rows], as_json=as_json)


def _write_values(details: dict[str, Any]) -> dict[str, Any]:
    """The details with options and lists of words as people read them."""
    words = {
        name: ", ".join(value) or None
        for name, value in details.items()
        if name in ("watchers", "proposals")
    }
    return {**details, **words, "options": format_options(details["options"])}


def _summarize(session: Session, row: BoardRow) -> dict[str, Any]:
    seated = reads.find_seats(session, row.id)
    on_move = [seated[int(seat)].userid for seat in row.to_move.split(",") if seat]
    return {
        "board": row.id,
        "game": row.game,
        "state": row.state,
        "players": [seat.userid for seat in seated],
        "to_move": on_move,
        "ply": row.ply,
        "options": json.loads(row.options),
        "rated": bool(row.rated),
        "moved": format_time(row.moved),
        "created": format_time(row.created),
    }


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
    for name, value in _write_values(details).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            click.echo(f"\n{name}")
            print_rows(value, as_json=False)
        elif name in ("position", "views"):
            click.echo(f"\n{value if isinstance(value, str) else chr(10).join(value)}")
        elif not isinstance(value, list):
            click.echo(f"{name:<12} {clean(str(value)) if value is not None else '-'}")


def _require_board(ctx: click.Context, number: int) -> int:
    with inspecting.open_session(ctx) as session:
        if reads.find_board(session, number) is None:
            raise inspecting.refuse_missing(f"board {number}")
    return number


def _describe(session: Session, number: int, ply: int | None, *, reveal: bool) -> dict[str, Any]:
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
    details = _summarize(session, row) | {
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
    details["seats"] = [_describe_seat(row, names[row.seat], reveal=reveal) for row in seated]
    is_open = reveal or board.is_uncovered
    details["moves"] = [
        _move(entry, row.game, seated, reveal=is_open, comments=reveal) for entry in log
    ]
    details["mails"] = find_board_mails(session, number)
    details["audit"] = [
        {
            "when": format_time(act.at),
            "actor": act.actor,
            "action": act.action,
            "reason": act.reason,
        }
        for act in find_board_audit(session, number)
    ]
    return details


def _find_position(board: Board, log: Sequence[MoveRow], ply: int) -> Position:
    """The position after so many moves."""
    if not 0 <= ply <= board.ply:
        raise Failed(f"board {board.id} has come to move {board.ply} only", USAGE)
    entries = [entry for entry in drop_undone(map(build_entry, log)) if entry.ply <= ply]
    return replay(board.game, len(board.seats), board.options, entries)


def _describe_seat(row: SeatedRow, name: str, *, reveal: bool) -> dict[str, Any]:
    return {
        "seat": row.seat,
        "name": name,
        "userid": row.userid,
        "state": row.player_state,
        "accepted": bool(row.accepted),
        "spent_seconds": row.spent,
        "due": format_time(row.due),
        "reminded": row.reminded,
        "rank": row.rank,
        "plan": _describe_plan(row) if reveal else "(hidden)",
        "submitted": row.submitted if reveal else bool(row.submitted),
    }


def _describe_plan(row: SeatedRow) -> str | None:
    """The branches of a seat's plan."""
    if row.plan is None:
        return None
    return "; ".join(" ".join(line.split()) for line in summarize_plan(decode_plan(row.plan))[1:])


def _move(
    row: MoveRow, game: str, seated: Sequence[SeatedRow], *, reveal: bool, comments: bool
) -> dict[str, Any]:
    hidden = hides(game) and bool(row.words) and not reveal
    return {
        "number": row.number,
        "ply": row.ply,
        "kind": row.kind,
        "seat": row.seat,
        "userid": seated[row.seat].userid if row.seat is not None else None,
        "move": row.words if hidden else row.move,
        "words": row.words or row.move,
        "news": row.news,
        "comment": clean(row.comment) if comments or row.seat is None else "",
        "at": format_time(row.at),
    }


@click.command("moves")
@inspecting.of_board
@inspecting.of_player
@inspecting.limit_by_time
@inspecting.as_json
@click.pass_context
def moves(
    ctx: click.Context,
    number: int | None,
    player: str | None,
    limit: int,
    before: float | None,
    as_json: bool,
) -> None:
    """The latest moves on all boards, as spectators see them."""
    table = moves_table
    query = (
        select(table, boards_table.c.game, players.c.userid)
        .join(boards_table, boards_table.c.id == table.c.board_id)
        .outerjoin(seats, (seats.c.board_id == table.c.board_id) & (seats.c.seat == table.c.seat))
        .outerjoin(players, players.c.id == seats.c.player_id)
        .order_by(table.c.at.desc(), table.c.board_id, table.c.number.desc())
        .limit(limit)
    )
    query = query.where(table.c.board_id == number) if number else query
    query = query.where(players.c.name == player.lower()) if player else query
    query = query.where(table.c.at < before) if before else query
    with inspecting.open_session(ctx) as session:
        rows = [
            {
                "at": format_time(row.at),
                "board": row.board_id,
                "game": row.game,
                "number": row.number,
                "ply": row.ply,
                "kind": row.kind,
                "seat": row.seat,
                "userid": row.userid,
                "move": row.words if row.words and hides(row.game) else row.move,
            }
            for row in session.all(Query(SpectatedMoveRow, query))
        ]
    print_rows(rows, as_json=as_json)

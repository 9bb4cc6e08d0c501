"""Operator's actions on boards and events, of which players are told; and importing boards."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import click

from pbm.cli import USAGE, Failed, completion
from pbm.cli.admin import inspecting
from pbm.cli.admin.acts import acting
from pbm.cli.verify_dice import read_text
from pbm.core.events import operator_acts as event_acts
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.refusal import Refusal
from pbm.core.play import operator_acts as play_acts
from pbm.core.records import foreign_records
from pbm.core.records.importing import ReplayedRecord, check_record, store_record
from pbm.core.records.record import parse_record
from pbm.games import UnknownGame, get_game
from pbm.rules.formats import pgn


@click.command("cancel")
@click.argument("number", type=int, shell_complete=completion.complete_boards)
@acting.options
@click.pass_context
def cancel(ctx: click.Context, number: int, yes: bool, reason: str, as_json: bool) -> None:
    """End a board without a result."""
    acting.act(
        ctx,
        f"End board {number} without a result?",
        lambda act: play_acts.cancel(act, number),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("adjudicate")
@click.argument("number", type=int, shell_complete=completion.complete_boards)
@click.argument("ranks")
@acting.options
@click.pass_context
def adjudicate(
    ctx: click.Context, number: int, ranks: str, yes: bool, reason: str, as_json: bool
) -> None:
    """End a board with a result: RANKS is a rank for each seat, 1,2 or 1,1 for a tie."""
    if not all(rank.isdigit() for rank in ranks.split(",")):
        raise Failed("RANKS is one number for each seat, separated by commas: 1,2", USAGE)
    acting.act(
        ctx,
        f"End board {number} with the ranks {ranks}?",
        lambda act: play_acts.adjudicate(act, number, tuple(map(int, ranks.split(",")))),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("rollback")
@click.argument("number", type=int, shell_complete=completion.complete_boards)
@click.argument("ply", type=int)
@acting.options
@click.pass_context
def rollback(
    ctx: click.Context, number: int, ply: int, yes: bool, reason: str, as_json: bool
) -> None:
    """Take a board, running or finished, back to the position after PLY moves."""
    acting.act(
        ctx,
        f"Take board {number} back to the position after move {ply}?",
        lambda act: play_acts.roll_back(act, number, ply),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.group("event")
def event() -> None:
    """Correct an event: a result, a pairing, who plays, its dates. Players are told, with the
    reason."""


@event.command("result")
@click.argument("number", type=int)
@click.argument("board", type=int)
@click.argument("points")
@acting.options
@click.pass_context
def event_result(
    ctx: click.Context,
    number: int,
    board: int,
    points: str,
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Give BOARD of event NUMBER these POINTS, one for each seat: 1,0 or 0.5,0.5; `none`: it does
    not count."""
    given = None
    if points.lower() != "none":
        if not re.fullmatch(r"[0-9]{1,2}(\.5)?(,[0-9]{1,2}(\.5)?)+", points):
            raise Failed("POINTS is a number for each seat: 1,0 or 0.5,0.5, or none", USAGE)
        given = [float(each) for each in points.split(",")]
    acting.act(
        ctx,
        f"Give board {board} of event {number} the result {points}?",
        lambda act: event_acts.set_result(act, number, board, given),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@event.command("remove")
@click.argument("number", type=int)
@click.argument("userid")
@acting.options
@click.pass_context
def event_remove(
    ctx: click.Context, number: int, userid: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Take a player out of event NUMBER, by its rules of withdrawal."""
    acting.act(
        ctx,
        f"Take {userid} out of event {number}?",
        lambda act: event_acts.remove_entrant(act, number, userid),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@event.command("add")
@click.argument("number", type=int)
@click.argument("userid")
@acting.options
@click.pass_context
def event_add(
    ctx: click.Context, number: int, userid: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Enter a player in event NUMBER, or one who has left it; once it has begun, in a Swiss or a
    ladder."""
    acting.act(
        ctx,
        f"Enter {userid} in event {number}?",
        lambda act: event_acts.add_entrant(act, number, userid),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@event.command("pair")
@click.argument("number", type=int)
@click.argument("pairs", metavar="USERID,USERID...", nargs=-1, required=True)
@acting.options
@click.pass_context
def event_pair(
    ctx: click.Context,
    number: int,
    pairs: Sequence[str],
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Let others meet in the open round of the Swiss NUMBER: ann,carl bob,dora. The first of each
    moves first; the boards that they had end without a result."""
    people = [tuple(pair.split(",")) for pair in pairs]
    if not all(len(pair) == 2 for pair in people):
        raise Failed("name two userids for each board, as in ann,carl bob,dora", USAGE)
    acting.act(
        ctx,
        f"Let {' and '.join(pairs)} meet in event {number}?",
        lambda act: event_acts.set_pairs(act, number, [(one, other) for one, other in people]),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@event.command("begins")
@click.argument("number", type=int)
@click.argument("day")
@acting.options
@click.pass_context
def event_begins(
    ctx: click.Context, number: int, day: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Make DAY (YYYY-MM-DD, UTC) the day on which event NUMBER begins."""
    begins = _read_day(day)
    acting.act(
        ctx,
        f"Let event {number} begin on {day}?",
        lambda act: event_acts.set_begin(act, number, begins),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@event.command("ends")
@click.argument("number", type=int)
@click.argument("day")
@acting.options
@click.pass_context
def event_ends(
    ctx: click.Context, number: int, day: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Make DAY (YYYY-MM-DD, UTC) the last day of event NUMBER; open rounds shift with it."""
    last = _read_day(day)
    acting.act(
        ctx,
        f"Make {day} the last day of event {number}?",
        lambda act: event_acts.set_end(act, number, last + DAY),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


def _read_day(day: str) -> float:
    """The first moment of a day, UTC."""
    try:
        return datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise Failed("DAY is written YYYY-MM-DD", USAGE) from None


@event.command("end")
@click.argument("number", type=int)
@acting.options
@click.pass_context
def event_end(ctx: click.Context, number: int, yes: bool, reason: str, as_json: bool) -> None:
    """End event NUMBER now, with its prize list; open boards do not count."""
    acting.act(
        ctx,
        f"End event {number} now?",
        lambda act: event_acts.end_now(act, number),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@event.command("cancel")
@click.argument("number", type=int)
@acting.options
@click.pass_context
def event_cancel(ctx: click.Context, number: int, yes: bool, reason: str, as_json: bool) -> None:
    """Cancel event NUMBER; open boards end without a result."""
    acting.act(
        ctx,
        f"Cancel event {number}?",
        lambda act: event_acts.cancel(act, number),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--game",
    default="",
    shell_complete=completion.complete_games,
    help="the game of a PGN or PDN that does not name it",
)
@click.option(
    "--player",
    "people",
    multiple=True,
    metavar="NAME=USERID",
    help="the userid of NAME in a PGN or PDN; may be repeated",
)
@acting.options
@click.pass_context
def import_(
    ctx: click.Context,
    files: Sequence[str],
    game: str,
    people: Sequence[str],
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Create boards from records: JSON or mails of `GAME export BOARD`, PGN of chess and its
    variants, PDN of draughts. - is standard input.

    Every game is replayed first; if one does not reach the positions, result and dice it names,
    none is imported. White and Black are userids or mapped by --player; an unknown userid becomes a
    closed account. Imported boards are unrated.
    """
    terms = _terms(game, people)
    try:
        with inspecting.show_progress(files, "read") as progress:
            records = [
                record
                for name in progress
                for record in _read_records(name, read_text(name), terms)
            ]
    except Refusal as refusal:
        acting.refuse(ctx, refusal, as_json=as_json)

    def do(act: OperatorAct) -> None:
        for what, record in records:
            number = store_record(act.session, record)
            act.record(f"import {what}"[:100], board=number)
            click.echo(f"{what}: board {number}", err=True)

    acting.act(
        ctx,
        f"Import {len(records)} {'record' if len(records) == 1 else 'records'}?",
        do,
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


def _terms(game: str, people: Sequence[str]) -> foreign_records.Terms:
    """The options about files that other programs wrote."""
    pairs = [pair.rpartition("=") for pair in people]
    if any(not name.strip() or not userid.strip() for name, _, userid in pairs):
        raise Failed("--player is NAME=USERID: --player 'Kasparov, Garry=garry'", USAGE)
    try:
        only_game = get_game(game) if game else None
    except UnknownGame:
        raise Failed("no such game: see pbm games", USAGE) from None
    userids = {" ".join(name.split()).lower(): userid.strip() for name, _, userid in pairs}
    return foreign_records.Terms(only_game, userids, time.time())


def _read_records(
    name: str, text: str, terms: foreign_records.Terms
) -> list[tuple[str, ReplayedRecord]]:
    """The replayed records of a file, each with its title; Refusal for the first that cannot be
    imported."""
    try:
        if pgn.looks_like_record(text):
            games = enumerate(foreign_records.read_games(text, terms), 1)
            return [(f"{name}, game {number}", game) for number, game in games]
        return [(name, check_record(parse_record(text)))]
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{name}: {refusal.text}") from None

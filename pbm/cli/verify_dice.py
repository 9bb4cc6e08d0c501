"""`pbm verify-dice`: recomputes every roll, draw and shuffle of a board from its record.

It needs no server and no database, only the record that players get by mail."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from pbm.cli import REFUSED, USAGE, CommandFailed
from pbm.cli.terminal.output import join_lines, print_json
from pbm.core.log import Roll, audit_rolls
from pbm.core.refusal import Refusal
from pbm.core.secrets import compute_commitment
from pbm.features.records.importing import decode, read_record
from pbm.features.records.record import parse_record
from pbm.rules import MoveError

_MOST = 16 * 1024 * 1024
_WORDS = {"roll": "rolls", "pick": "draws", "second": "looks at the clock"}


def read_text(name: str) -> str:
    """Return the text of a file, or of standard input for `-`, see `decode`. Fails if it cannot be
    read or is too long."""
    return decode(read_bytes(name))[0]


def read_bytes(name: str) -> bytes:
    """Return the content of a file, or of standard input for `-`. Fails if it cannot be read or is
    too long."""
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(_MOST + 1)
        else:
            with Path(name).open("rb") as file:
                raw = file.read(_MOST + 1)
    except OSError as error:
        raise CommandFailed(f"{name} cannot be read: {error.strerror}", USAGE) from None
    if len(raw) > _MOST:
        raise CommandFailed(f"{name} is longer than {_MOST >> 20} MiB: split it", USAGE)
    return raw


@click.command("verify-dice")
@click.argument("record", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="list every roll as JSON")
@click.pass_context
def command(ctx: click.Context, record: str, as_json: bool) -> None:
    """Verify all dice of a finished board. RECORD is what `GAME export BOARD` mails, or that mail
    itself; - is standard input.

    Exits 0 if every roll, draw and shuffle follows from the board's secret, and the secret matches
    the hash in the board's first mail (compare that hash yourself); else 1.
    """
    checked, problem, published, former = _check(read_text(record))
    wrong = [roll for roll in checked if not roll.is_right]
    if as_json:
        print_json(
            [
                {
                    "number": roll.number,
                    "ply": roll.ply,
                    "kind": roll.kind,
                    "outcomes": roll.outcomes,
                    "written": roll.written,
                    "decided": roll.decided,
                    "right": roll.is_right,
                }
                for roll in checked
            ]
        )
    else:
        for roll in wrong:
            click.echo(
                f"entry {roll.number} (move {roll.ply}): the record says "
                f"{join_lines(roll.written)}, the secret {join_lines(roll.decided)}"
            )
        counted = Counter(roll.kind for roll in checked if roll.is_right)
        counts = ", ".join(f"{count} {_WORDS[kind]}" for kind, count in counted.items())
        click.echo(f"right: {counts or 'nothing was left to chance'}")
        for last, secret in former:
            click.echo(
                f"hash to entry {last}: {compute_commitment(secret)} (the board was played on "
                "when this secret was out)"
            )
        first = "the mail with which it went on" if former else "the first mail of the board"
        click.echo(f"hash: {published} (compare it with {first})")
    if problem:
        raise CommandFailed(problem, REFUSED)
    if wrong:
        raise CommandFailed(
            f"{len(wrong)} of {len(checked)} do not follow from the secret", REFUSED
        )


def _check(text: str) -> tuple[list[Roll], str, str, list[tuple[int, bytes]]]:
    """Return the rolls, what stopped the check (or ""), the published hash, and former secrets.
    Fails if the record has no secret."""
    seen: list[Roll] = []
    try:
        shaped = read_record(parse_record(text))
        if not shaped.secret and "chance" not in shaped.game.info.features:
            return [], "", "none", []
        if not shaped.secret:
            raise CommandFailed("the record has no secret: imported boards have none", REFUSED)
        for roll in audit_rolls(
            shaped.start, shaped.board, shaped.secret, shaped.log, shaped.former
        ):
            seen.append(roll)
    except Refusal as refusal:
        raise CommandFailed(refusal.text, REFUSED) from None
    except MoveError as error:
        last = seen[-1].number if seen else 0
        problem = f"the record cannot be replayed after entry {last}: {join_lines(str(error))}"
        return seen, problem, shaped.hash, shaped.former
    return seen, "", shaped.hash, shaped.former

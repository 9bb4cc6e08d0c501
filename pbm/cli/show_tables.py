"""`pbm tables`: crosstable, standings and pairings of an event, computed from its record.

It needs no server and no database, only the record that `event record EVENT` mails."""

from __future__ import annotations

from itertools import chain

import click
from msgspec import DecodeError

from pbm.cli import REFUSED, Failed
from pbm.cli.terminal.output import join_lines, print_json
from pbm.cli.verify_dice import read_text
from pbm.features.events.notices import EventPart
from pbm.features.events.views import (
    build_crosstables,
    build_pairings,
    build_standings,
    wrap_sentences,
)
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import Record, read_json
from pbm.pairing.trf import read_trf
from pbm.pairing.trf_points import list_differences


@click.command("tables")
@click.argument("record", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="print the tables as JSON")
def command(record: str, as_json: bool) -> None:
    """Compute the tables of an event again. RECORD is the file that `event record EVENT` mails,
    JSON or TRF, or another event's tournament report as FIDE defines it (TRF16); - is standard
    input."""
    text = read_text(record)
    event = _read(text)
    differences = [] if text.lstrip().startswith("{") else list_differences(text, event)
    titles = {
        "crosstable": build_crosstables(event),
        "standings": build_standings(event),
        "pairings": build_pairings(event),
    }
    if differences:
        lines = [*chain.from_iterable(map(wrap_sentences, differences))]
        titles["differences"] = [EventPart("Points that differ:", lines)]
    if as_json:
        print_json(
            [
                {"table": title, "part": part.title, "lines": "\n".join(part.lines).splitlines()}
                for title, parts in titles.items()
                for part in parts
            ]
        )
        return
    click.echo(join_lines(event.name or "an event without a name"))
    for parts in titles.values():
        click.echo(_format(parts))


def _read(text: str) -> Record:
    """Return the record in the text. Failed if it is none."""
    try:
        record = read_json(text) if text.lstrip().startswith("{") else read_trf(text)
        get_kind(record.options.kind)
    except (ValueError, DecodeError) as error:
        raise Failed(f"this is no record of an event: {join_lines(str(error))}", REFUSED) from None
    return record


def _format(parts: list[EventPart]) -> str:
    lines = []
    for part in parts:
        lines += ["", *([part.title] if part.title else []), *part.lines]
    return "\n".join(lines)

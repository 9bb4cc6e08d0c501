"""Renders notices as the mails that the terminal shows.

Information for one player only, such as a hand or a one-time code, is mailed whole and shown
masked."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain

import click
from msgspec import DecodeError, Struct

from pbm.cli import REFUSED, CommandFailed
from pbm.cli.terminal.output import clean, join_lines, print_json
from pbm.cli.verify_dice import read_text
from pbm.config import Config
from pbm.core.notices import Notice
from pbm.features.accounts.notices import OneTimeCode
from pbm.features.events.notices import EventPart
from pbm.features.events.views import (
    build_crosstables,
    build_pairings,
    build_standings,
    wrap_sentences,
)
from pbm.games import hides
from pbm.locale import ENGLISH
from pbm.mail.render import render
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import Record, read_json
from pbm.pairing.trf import list_differences, read_trf

_WITHHELD = "(only the player it goes to may read it)\n"


class RenderedMail(Struct, frozen=True):
    """A mail as the terminal shows it; `to` is "" when it is only shown here."""

    to: str
    subject: str
    text: str
    is_answer: bool
    is_failure: bool
    refusal: StrEnum | None


def render_mails(
    notices: Sequence[Notice],
    config: Config,
    *,
    reveal: bool = True,
    language: str = ENGLISH,
) -> list[RenderedMail]:
    """Return the mails of these notices, answers first. What is for one player only is masked,
    unless it is the answer to the command and `reveal` is set."""
    mails = []
    for notice in sorted(notices, key=lambda notice: not notice.is_answer):
        subject, text = render(notice, config, language=language)
        if not (notice.is_answer and reveal) and is_private(notice):
            subject, text = _remove_event(notice, subject), _WITHHELD
        mails += [
            RenderedMail(
                address,
                clean(subject),
                clean(text),
                notice.is_answer,
                notice.is_failure,
                notice.refusal,
            )
            for address in notice.addresses or ("",)
        ]
    return mails


def is_private(notice: Notice) -> bool:
    """Whether a notice contains what others must not see: a one-time code, a seat's view, or an
    answer to a player of a game that hides something, a plan or a note."""
    if isinstance(notice.content, OneTimeCode) or notice.content.is_personal:
        return True
    is_of_seat = notice.thread is not None and notice.thread.seat is not None
    is_own = is_of_seat or (notice.is_answer and notice.player > 0)
    return is_own and any(hides(game) for game in notice.content.named_games)


def _remove_event(notice: Notice, subject: str) -> str:
    if isinstance(notice.content, OneTimeCode):
        return subject
    return subject.partition("]")[0] + "]"


# `pbm tables`: crosstable, standings and pairings of an event, computed from its record.
#
# It needs no server and no database, only the record that `event record EVENT` mails.


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
    """Return the record in the text. Fails if it is none."""
    try:
        record = read_json(text) if text.lstrip().startswith("{") else read_trf(text)
        get_kind(record.options.kind)
    except (ValueError, DecodeError) as error:
        raise CommandFailed(
            f"this is no record of an event: {join_lines(str(error))}", REFUSED
        ) from None
    return record


def _format(parts: list[EventPart]) -> str:
    lines = []
    for part in parts:
        lines += ["", *([part.title] if part.title else []), *part.lines]
    return "\n".join(lines)

"""The operator's acts on mails in the queues: retry, resend, drop, release."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

from pbm.cli import USAGE, CommandFailed, completion
from pbm.cli.admin import inspecting
from pbm.cli.admin.acts import acting
from pbm.cli.admin.mails import parse_mail_name
from pbm.cli.verify_dice import read_bytes
from pbm.core import retention
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.records import foreign
from pbm.features.records.foreign import looks_like_record
from pbm.features.records.importing import ReplayedRecord, check_record, decode, store_record
from pbm.features.records.record import parse_record
from pbm.games import UnknownGame, get_game
from pbm.rules import RecordError


class _Act(NamedTuple):
    """An act on named mails or, with --all, on all mails in one of these states."""

    name: str
    about: str
    question: str
    do: Callable[[OperatorAct, str, int], None]
    states: tuple[str, ...] = ()
    only: str = ""
    problem: str = ""


_ACTS = (
    _Act(
        "retry",
        "Send mails out:NUMBER or execute mails in:NUMBER again, as soon as possible.",
        "Retry {mails} now?",
        retention.retry_mail,
        ("aside", "failed", "dropped"),
    ),
    _Act(
        "resend",
        "Send mails out:NUMBER that were sent once more, as they were, to the same address.",
        "Send {mails} once more?",
        lambda act, _way, number: retention.resend_mail(act, number),
        only="out",
        problem="only mails out:NUMBER can be sent again; use retry for in:",
    ),
    _Act(
        "drop",
        "Drop mails in:NUMBER or out:NUMBER that are waiting or were set aside.",
        "Drop {mails}?",
        retention.drop_mail,
        ("aside",),
    ),
    _Act(
        "release",
        "Execute mails in:NUMBER that were set aside, as if they had just arrived.",
        "Execute {mails}?",
        lambda act, _way, number: retention.release_mail(act, number),
        ("aside",),
        only="in",
        problem="only inbound mails are set aside; use retry for out:",
    ),
)


def _build(row: _Act) -> click.Command:
    def run(
        names: Sequence[str], yes: bool, reason: str, as_json: bool, state: str | None = None
    ) -> None:
        if row.only and any(parse_mail_name(name)[0] != row.only for name in names):
            raise CommandFailed(row.problem, USAGE)
        title, chosen = _choose_mails(names, state)

        def do(act: OperatorAct) -> None:
            """Act on all chosen mails or, if one is refused, on none."""
            mails = chosen(act)
            if not mails:
                raise Refusal(RefusalCode.NO_SUCH_MAIL, f"no mail is {state}")
            for way, number in mails:
                row.do(act, way, number)

        question = row.question.format(mails=title)
        ctx = click.get_current_context()
        acting.act(ctx, question, do, yes=yes, reason=reason, as_json=as_json)

    decorated: Any = acting.options(run)
    if row.states:
        kind = click.Choice(row.states)
        every = click.option("--all", "state", type=kind, help="all mails in this state")
        decorated = every(decorated)
    decorated = click.argument("names", metavar="NAME...", nargs=-1)(decorated)
    return click.command(row.name, help=row.about)(decorated)


retry, resend, drop, release = map(_build, _ACTS)


def _choose_mails(
    names: Sequence[str], state: str | None
) -> tuple[str, Callable[[OperatorAct], Sequence[tuple[str, int]]]]:
    """Return the chosen mails, in words and as (direction, number). Fails for neither or both."""
    if bool(names) == bool(state):
        raise CommandFailed("name mails as in:NUMBER or out:NUMBER, or use --all STATE", USAGE)
    if state:
        return f"all mails {state}", lambda act: retention.find_mails(act, state)
    mails = [parse_mail_name(name) for name in names]
    word = "mail" if len(mails) == 1 else "mails"

    def find(act: OperatorAct) -> Sequence[tuple[str, int]]:
        return [(way, act.secrets.reveal_number(number)) for way, number in mails]

    return f"{word} {', '.join(f'{way}:{number}' for way, number in mails)}", find


# `admin import`: creates boards from records.


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--game",
    default="",
    shell_complete=completion.complete_games,
    help="the game of a PGN, PDN or SGF that does not name it",
)
@click.option(
    "--player",
    "people",
    multiple=True,
    metavar="NAME=USERID",
    help="the userid of NAME in such a file; may be repeated",
)
@click.option("--encoding", default="", help="the encoding of the files, such as cp1251")
@click.option("--skip", is_flag=True, help="leave out games that cannot be imported, and say why")
@click.option("--dry-run", is_flag=True, help="say what would be imported, and import nothing")
@acting.options
@click.pass_context
def import_(
    ctx: click.Context,
    files: Sequence[str],
    game: str,
    people: Sequence[str],
    encoding: str,
    skip: bool,
    dry_run: bool,
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Create boards from records: JSON or mails of `GAME export BOARD`, PGN of chess and its
    variants, PDN of draughts, SGF of go, gomoku, hex, havannah and backgammon, MAT of backgammon. -
    is standard input.

    Every game is replayed first; if one does not reach the positions, result and dice it names,
    none is imported. Players are userids or mapped by --player; an unknown userid becomes a closed
    account. Imported boards are unrated. What a file does not say (dates, endings) is listed.
    """
    terms, skipped, said = _terms(game, people), list[str](), list[str]()
    try:
        with inspecting.show_progress(files, "read") as progress:
            records = [
                record
                for name in progress
                for record in _read_records(
                    name, _read_text(name, encoding, said), terms, skipped if skip else None
                )
            ]
    except Refusal as refusal:
        acting.refuse(ctx, refusal, as_json=as_json)
    for line in [*said, *(f"{left_out} (left out)" for left_out in skipped)]:
        click.echo(line, err=True)
    if dry_run or (skip and not records):
        for what, _, remark in records:
            click.echo(f"{what}{remark}")
        click.echo(f"{len(records)} to import, {len(skipped)} left out; nothing is imported")
        return

    def do(act: OperatorAct) -> None:
        for what, record, remark in records:
            number = store_record(act.session, record)
            act.record(f"import {what}"[:100], board=number)
            click.echo(f"{what}: board {number}{remark}", err=True)

    acting.act(
        ctx,
        f"Import {len(records)} {'record' if len(records) == 1 else 'records'}?",
        do,
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


def _terms(game: str, people: Sequence[str]) -> foreign.ImportTerms:
    """Return the options about files from other programs."""
    pairs = [pair.rpartition("=") for pair in people]
    if any(not name.strip() or not userid.strip() for name, _, userid in pairs):
        raise CommandFailed("--player is NAME=USERID: --player 'Kasparov, Garry=garry'", USAGE)
    try:
        only_game = get_game(game) if game else None
    except UnknownGame:
        raise CommandFailed("no such game: see pbm games", USAGE) from None
    userids = {" ".join(name.split()).lower(): userid.strip() for name, _, userid in pairs}
    return foreign.ImportTerms(only_game, userids, time.time())


def _read_text(name: str, encoding: str, said: list[str]) -> str:
    """Return the text of a file; adds guesses about its encoding to `said`."""
    try:
        text, guessed = decode(read_bytes(name), encoding)
    except RecordError as error:
        raise Refusal(RefusalCode.BAD_RECORD, f"{name}: {error}") from None
    if guessed:
        said.append(f"{name}: {guessed}")
    return text


def _read_records(
    name: str, text: str, terms: foreign.ImportTerms, skipped: list[str] | None
) -> list[tuple[str, ReplayedRecord, str]]:
    """Return the replayed records of a file, each with its title and a list of missing information.
    Refuse at the first that cannot be imported; with a list `skipped` it is left out, and the
    reason added to the list."""
    try:
        if not looks_like_record(text):
            return [(name, check_record(parse_record(text)), "")]
        left_out = None if skipped is None else list[str]()
        games = [*foreign.read_games(text, terms, left_out)]
        if skipped is not None:
            skipped += [f"{name}, {why}" for why in left_out or ()]
        return [
            (
                f"{name}, game {game.number}",
                game.record,
                f" ({'; '.join(game.remarks)})" if game.remarks else "",
            )
            for game in games
        ]
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{name}: {refusal.text}") from None

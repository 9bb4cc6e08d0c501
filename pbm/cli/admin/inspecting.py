"""What inspecting commands share: options, a session, and the audit of revealed secrets."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, TypeVar

import click
from sqlalchemy import RowMapping, bindparam, exists, insert, select

from pbm.cli import REFUSED, USAGE, CommandFailed, completion, get_config
from pbm.cli.act import build_audit_row
from pbm.cli.admin.acts import acting
from pbm.cli.open_database import open_database
from pbm.cli.terminal.output import clean, format_rows, format_time, print_rows
from pbm.core.context import NO_MAIL
from pbm.core.feature import (
    ActRow,
    Argument,
    Bulk,
    Chosen,
    Filter,
    ListRow,
    Verb,
    list_verbs,
)
from pbm.core.log import LogEntry, build_entry, drop_undone
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, find_player
from pbm.core.proofs import Act
from pbm.core.refusal import Refusal
from pbm.core.view import format_options
from pbm.core.words import find_game_name
from pbm.games import MissingGame, UnknownGame, list_game_names, name_of
from pbm.store import reads
from pbm.store.tables import AuditRow, audit, boards, inbound, moves, seats
from pbm.store.transaction import Session

_DAY = 86400
_DAYS_AGO = {"today": 0, "yesterday": 1}
_SPAN = re.compile("([0-9]{1,5}) ?(m|min|h|d|w)")
_CLAUSE = re.compile(r"[;:.,] |\.$")
_UNITS = {"m": 60, "min": 60, "h": 3600, "d": _DAY, "w": 7 * _DAY}

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def as_json(function: F) -> F:
    """Add --json for a list of objects."""
    return click.option("--json", "as_json", is_flag=True, help="as JSON")(function)


def show_at_most(rows: int) -> Callable[[F], F]:
    """Add --limit, `rows` by default."""
    return click.option(
        "--limit",
        default=rows,
        show_default=True,
        type=click.IntRange(1, 100000),
        help="how many",
    )


def between(*, has_numbers: bool = False) -> Callable[[F], F]:
    """Add --since and --before, which also takes a number where rows have one."""

    def decorate(function: F) -> F:
        function = click.option(
            "--before",
            metavar="NUMBER|TIME" if has_numbers else "TIME",
            callback=_parse_number_or_time if has_numbers else _parse_time,
            help="only older ones: the next page",
        )(function)
        return since(function)

    return decorate


def since(function: F) -> F:
    """Add --since."""
    return click.option(
        "--since",
        metavar="TIME",
        callback=_parse_time,
        help="only those since; yesterday, 3d, 2h and 5m are times too",
    )(function)


def _parse_game(_ctx: click.Context, _param: click.Parameter, word: str | None) -> str | None:
    """Return the name of a game, installed or missing."""
    if word is None:
        return None
    try:
        return name_of(word.lower())
    except MissingGame as missing:
        return missing.name
    except UnknownGame:
        near = get_close_matches(word.lower(), list_game_names(), n=1)
        advice = f"did you mean {near[0]}?" if near else "pbm games lists them"
        raise click.BadParameter(f"there is no game {clean(word)}: {advice}") from None


def _parse_number_or_time(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> int | float | None:
    if value is not None and value.isascii() and value.isdigit():
        return int(value)
    return _parse_time(ctx, param, value)


def _parse_time(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Return a time, in seconds; BadParameter for anything else."""
    if value is None:
        return None
    found = parse_time(value, time.time())
    if found is None:
        raise click.BadParameter(
            "write a time as 2026-03-02T12:00:00Z, a day as 2026-03-02 or yesterday, or how long "
            "ago it was as 3d, 2h or 5m"
        )
    return found


def parse_time(text: str, now: float) -> float | None:
    """Return a time in seconds; None for an invalid one. Days are days of UTC."""
    word = text.lower()
    if word in _DAYS_AGO:
        return (now // _DAY - _DAYS_AGO[word]) * _DAY
    if span := _SPAN.fullmatch(word):
        return now - int(span[1]) * _UNITS[span[2]]
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def of_board(function: F) -> F:
    """Add --board, which restricts rows to a board."""
    return click.option(
        "--board",
        type=int,
        shell_complete=completion.complete_boards,
        help="only this board",
    )(function)


def of_game(function: F) -> F:
    """Add --game, which restricts rows to a game; an unknown game is refused."""
    return click.option(
        "--game",
        metavar="GAME",
        callback=_parse_game,
        shell_complete=completion.complete_games,
        help="only this game",
    )(function)


def of_player(function: F) -> F:
    """Add --player, which restricts rows to a player."""
    return click.option(
        "--player",
        metavar="USERID",
        shell_complete=completion.complete_userids,
        help="only this player",
    )(function)


def revealing(function: F) -> F:
    """Add --reveal and --reason for hidden information."""
    function = click.option(
        "--reveal", is_flag=True, help="show hidden information too; needs --reason and is recorded"
    )(function)
    return click.option("--reason", default="", help="the reason, for the audit log")(function)


@contextmanager
def open_session(ctx: click.Context) -> Iterator[Session]:
    """Open a read-only session."""
    with open_database(get_config(ctx)) as store, store.reading() as session:
        yield session


def record_reveal(
    ctx: click.Context,
    reason: str,
    what: str,
    *,
    player: int | None = None,
    board: int | None = None,
) -> None:
    """Record that hidden information will be shown. Fails without a reason."""
    if not reason.strip():
        raise CommandFailed("--reveal needs --reason", USAGE)
    row = build_audit_row(time.time(), f"reveal {what}", reason, player, board)
    with open_database(get_config(ctx)) as store, store.writing() as session:
        session.execute(insert(audit).values(row))


@contextmanager
def show_progress(items: Sequence[T], label: str) -> Iterator[Iterable[T]]:
    """Yield the items, with a progress bar on standard error if that is a terminal."""
    with click.progressbar(
        items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as progress:
        yield progress


def refuse_missing(what: str) -> CommandFailed:
    """Return the refusal of a command about something that does not exist."""
    return CommandFailed(f"no such {what}", REFUSED)


# Makes commands of the operator's rows: lists with their filters, acts that ask for a reason.

_COMPLETIONS = {"board": completion.complete_boards, "userid": completion.complete_userids}
_FILTERS = {
    "game": of_game,
    "player": of_player,
    "board": of_board,
}


def build_list(row: ListRow) -> click.Command:
    """Return the command that prints the rows of a list."""

    def run(as_json: bool, **asked: Any) -> None:
        ctx = click.get_current_context()
        with open_session(ctx) as session:
            found = row.find(session, {**asked, "now": time.time(), "config": get_config(ctx)})
        rows = [format_times(each, row.times) for each in found]
        print_rows(rows if as_json else list(map(write_values, rows)), as_json=as_json)

    options: list[Callable[[Any], Any]] = [
        _FILTERS[each] if isinstance(each, str) else _build_filter(each) for each in row.filters
    ]
    options += [between(has_numbers=row.has_numbers)] if row.times else []
    options += [show_at_most(row.limit), as_json]
    return _decorate(row.name.rpartition(" ")[2], row.about, run, options)


def format_times(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the row with these columns as times."""
    return {**row, **{name: format_time(row[name]) for name in names}}


def write_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with options of games in the spelling used for typing."""
    return {
        name: format_options(value) if isinstance(value, dict) else value
        for name, value in row.items()
    }


def _build_filter(each: Filter) -> Callable[[Any], Any]:
    if each.is_flag:
        return click.option(f"--{each.name}", is_flag=True, help=each.help)
    if each.choices:
        return click.option(f"--{each.name}", type=click.Choice(each.choices), help=each.help)
    return click.option(f"--{each.name}", metavar=each.shown or None, help=each.help)


def build_act(row: ActRow, rows: Sequence[ActRow | ListRow]) -> click.Command:
    """Return the command that does an act, or the group of acts and lists of `rows` that begin with
    its name."""
    do_act = row.do
    if do_act is None:
        own = [each for each in rows if each.name.startswith(f"{row.name} ")]
        commands = {
            each.name.partition(" ")[2]: (
                build_list(each) if isinstance(each, ListRow) else build_act(each, rows)
            )
            for each in own
        }
        for each in own:  # of what it is about, as much as fits a line
            short = _CLAUSE.split(each.about, maxsplit=1)[0]
            commands[each.name.partition(" ")[2]].short_help = short
        return click.Group(row.name, commands, help=row.about)

    def run(yes: bool, reason: str, as_json: bool, **texts: Any) -> None:
        flags = [texts.pop(row.flag[0])] if row.flag is not None else []
        if row.bulk is not None and _is_in_bulk(row, texts):
            chosen = _choose(row.bulk, texts, as_json=as_json)
            question = row.bulk.question.format(count=len(chosen))
            if len(chosen) == 1:
                named = zip((each.name for each in row.arguments), chosen[0], strict=False)
                question = row.question.format(**dict(named))
        else:
            values = [_read(each, texts[each.name]) for each in row.arguments]
            shown = {
                name: " and ".join(text) if isinstance(text, tuple) else text
                for name, text in texts.items()
            }
            if row.flag_ends and any(flags):
                ended = _show_ended(row.flag_ends, values[0])
                _show_remains(values[0], None, ended)
            question, chosen = row.question.format(**shown), [(*values, *flags)]

        def do(act: OperatorAct) -> list[Notice]:
            return [notice for values in chosen for notice in do_act(act, *values)]

        ctx, asks = click.get_current_context(), row.needs_reason
        acting.act(ctx, question, do, yes=yes, reason=reason, as_json=as_json, needs_reason=asks)

    options = [_build_argument(each, required=row.bulk is None) for each in row.arguments]
    if row.bulk is not None:
        options += [of_player, since]
    if row.flag is not None:
        options.append(click.option(f"--{row.flag[0]}", is_flag=True, help=row.flag[1]))
    name = row.name.rpartition(" ")[2]
    return _decorate(name, row.about, run, [*options, acting.options])


def _is_in_bulk(row: ActRow, texts: Mapping[str, Any]) -> bool:
    """Whether --player was given instead of the arguments. Fails for both, or for neither."""
    given = [texts[each.name] is not None for each in row.arguments]
    is_bulk = texts["player"] is not None
    if any(given) if is_bulk else not all(given) or texts["since"] is not None:
        names = " ".join(each.name.upper() for each in row.arguments)
        raise CommandFailed(f"give {names}, or --player, which takes --since", USAGE)
    return is_bulk


def _choose(bulk: Bulk, asked: Mapping[str, Any], *, as_json: bool) -> list[tuple[Any, ...]]:
    """Show what a bulk act will affect, and return the values for each. Fails when there is
    nothing."""
    ctx = click.get_current_context()
    with open_session(ctx) as session:
        try:
            found: Sequence[Chosen] = bulk.find(session, asked)
        except Refusal as refusal:
            acting.refuse(ctx, refusal, as_json=as_json)
    _show(found)
    _show_remains(asked["player"], asked["since"], found)
    if not found:
        raise CommandFailed("nothing was done: there is none", REFUSED)
    return [each.values for each in found]


def _show_ended(find: Callable[[Session, str], Sequence[Chosen]], who: str) -> Sequence[Chosen]:
    """Show what an option will also end, if there is anything, and return it."""
    with open_session(click.get_current_context()) as session:
        found = find(session, who)
    _show(found)
    return found


def _show_remains(who: str, since: float | None, found: Sequence[Chosen]) -> None:
    """Show what else a player did in that time, which an act on these boards does not undo."""
    begins = since if since is not None else time.time() - DAYS_WITHOUT_SINCE * 86400
    undone = {each.values[0] for each in found}
    with open_session(click.get_current_context()) as session:
        remains = list_remains(session, who, begins, undone)
    if remains:
        lately = f" (of the last {DAYS_WITHOUT_SINCE:.0f} days)" if since is None else ""
        click.echo(f"not undone{lately}:", err=True)
        for line in remains:
            click.echo(f"  {line}", err=True)


def _show(found: Sequence[Chosen]) -> None:
    for line in format_rows([each.shown for each in found]) if found else ():
        click.echo(line, err=True)


def _build_argument(each: Argument, *, required: bool) -> Callable[[Any], Any]:
    return click.argument(
        each.name,
        type=int if each.kind in ("board", "number", "words") else str,
        metavar=each.shown or None,
        nargs=-1 if each.is_many else 1,
        required=required,
        shell_complete=_COMPLETIONS.get(each.kind),
    )


def _read(argument: Argument, text: Any) -> Any:
    """Return the value of an argument. Fails for an invalid text."""
    if argument.reads is None:
        return text
    read = argument.reads
    try:
        return list(map(read, text)) if argument.is_many else read(text)
    except ValueError as error:
        raise CommandFailed(str(error), USAGE) from None


def _decorate(
    name: str, about: str, run: Callable[..., None], options: Sequence[Callable[[Any], Any]]
) -> click.Command:
    for option in reversed(options):
        run = option(run)
    return click.command(name, help=about)(run)


def list_acts(rows: Iterable[AuditRow]) -> list[dict[str, object]]:
    """Return acts of operators, as they are shown, with their subjects."""
    return [
        {
            "when": format_time(row.at),
            "actor": row.actor,
            "action": row.action,
            "reason": row.reason,
        }
        for row in rows
    ]


# What a player did that an act of the operator does not undo, as its preview says.

DAYS_WITHOUT_SINCE = 7.0
"""The days that a preview covers without --since."""
_LONGEST_SHOWN = 900
_MOST_BOARDS = 30

_BOARDS = (
    select(boards.c.id, boards.c.game, boards.c.state, boards.c.secret, seats.c.seat)
    .join(seats, seats.c.board_id == boards.c.id)
    .where(seats.c.player_id == bindparam("player"))
    .where(
        exists().where(
            moves.c.board_id == boards.c.id,
            moves.c.seat == seats.c.seat,
            moves.c.at >= bindparam("since"),
        )
    )
    .order_by(boards.c.id)
)
_MAILS = (
    select(inbound.c.id, inbound.c.outcome, inbound.c.board_id)
    .where(inbound.c.player_id == bindparam("player"), inbound.c.received >= bindparam("since"))
    .where(inbound.c.code.in_(("executed", "partly_executed")))
    .order_by(inbound.c.id)
)
_WITHOUT_MAIL = (
    select(audit.c.action)
    .where(audit.c.player_id == bindparam("player"), audit.c.at >= bindparam("since"))
    .where(audit.c.action.startswith(NO_MAIL))
    .order_by(audit.c.id)
)
_VERBS = sorted(list_verbs(), key=lambda verb: len(verb.name), reverse=True)


def list_remains(session: Session, userid: str, since: float, undone: Collection[int]) -> list[str]:
    """Return the player's acts since then that remain when those on the boards `undone` are undone,
    each with the command that deals with it, if there is one."""
    player = find_player(session, userid)
    if player is None:
        return []
    wanted = {"player": player.id, "since": since}
    found = dict[int, str]()
    for row in session.execute(_BOARDS, wanted).mappings().all():
        own = [] if row["id"] in undone else _find_own(session, row["id"], row["seat"], since)
        if own and (how := _describe_board(row, own)):
            found[row["id"]] = how
    told = list(found.values())
    if len(told) > _MOST_BOARDS:
        more = len(told) - _MOST_BOARDS
        told = [*told[:_MOST_BOARDS], f"{more} more boards (pbm admin moves --player {userid})"]
    return [*told, *_list_commands(session, player, wanted, {*undone, *found})]


def _find_own(session: Session, board: int, seat: int, since: float) -> list[LogEntry]:
    """Return a seat's acts on a board since then that still count."""
    log = drop_undone(map(build_entry, reads.find_log(session, board)))
    return [entry for entry in log if entry.seat == seat and entry.at >= since]


def _describe_board(row: RowMapping, own: Sequence[LogEntry]) -> str:
    """Return a player's acts on a board with the operator's remedy; "" if somebody else has
    cancelled it since."""
    name, number, last = f"{row['game']} {row['id']}", row["id"], own[-1]
    if row["state"] == "cancelled":
        how = "declined" if last.move == "decline" else "cancelled"
        return f"{name} ({how}; pbm admin reopen {number})" if last.kind == "cancel" else ""
    if not row["secret"]:
        return f"{name} (imported)"
    what = {"resign": "resigned", "move": "moved"}.get(last.kind, last.kind)
    ply = min(entry.ply - (entry.kind == "move") for entry in own)
    return f"{name} ({what}; pbm admin rollback {number} {ply})"


def _list_commands(
    session: Session, player: Player, wanted: Mapping[str, float], boards: Collection[int]
) -> Iterator[str]:
    """Yield the other commands, each with its number of uses and the mail of the first; those that
    came by a click or from the terminal apart."""
    counts, first, cut = dict[Verb, int](), dict[Verb, int](), list[int]()
    for row in session.execute(_MAILS, wanted).mappings().all():
        number, outcome, board = row["id"], row["outcome"], row["board_id"]
        if len(outcome) >= _LONGEST_SHOWN:
            cut.append(number)
        for verb, named in _read_done(outcome):
            place = named or board
            is_undone = verb.goes_with_board and (not place or place in boards)
            if is_undone or verb.is_read_only or verb.act is Act.OPEN:
                continue
            counts[verb] = counts.get(verb, 0) + 1
            first.setdefault(verb, number)
    for verb, count in counts.items():
        look = f"pbm admin mail in:{first[verb]}"
        do = verb.remedy.format(who=player.userid)
        yield f"{count} {verb.name} ({'; '.join(filter(None, (do, look)))})"
    for number in cut:
        yield f"more in a long mail (pbm admin mail in:{number})"
    acts = (row["action"] for row in session.execute(_WITHOUT_MAIL, wanted).mappings())
    for name, count in Counter(each.removeprefix(NO_MAIL) for each in acts).items():
        do = next((each.remedy for each in _VERBS if each.name == name), "")
        how = "; ".join(filter(None, (do.format(who=player.userid), "by click or at the terminal")))
        yield f"{count} {name} ({how})"


def _read_done(outcome: str) -> Iterator[tuple[Verb, int]]:
    """Yield the commands done according to a mail's outcome, each with the board that it names, or
    0."""
    for part in outcome.split("; "):
        mark, _, words = part.partition(": ")
        if mark != "done":
            continue
        first, _, rest = words.partition(" ")
        if find_game_name(first) and rest:
            words = rest
        line = f"{words} ".replace("#", " ", 1)
        verb = next((each for each in _VERBS if line.startswith(f"{each.name} ")), None)
        if verb is None:
            continue
        after = words.removeprefix(verb.name).split()
        board = next((int(word) for word in after[:1] if word.isdecimal()), 0)
        yield verb, board

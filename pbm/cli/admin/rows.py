"""Makes commands of the operator's rows: lists with their filters, acts that ask for a reason."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from pbm.cli import REFUSED, USAGE, Failed, completion
from pbm.cli.admin import inspecting
from pbm.cli.admin.acts import acting
from pbm.cli.terminal.output import format_rows, format_time, print_rows
from pbm.core.feature import (
    ActRow,
    Argument,
    Bulk,
    Chosen,
    Filter,
    ListRow,
    find_function,
    find_hooks,
)
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal
from pbm.core.remains import DAYS_WITHOUT_SINCE, list_remains
from pbm.core.view import format_options

_COMPLETIONS = {"board": completion.complete_boards, "userid": completion.complete_userids}
_FILTERS = {
    "game": inspecting.of_game,
    "player": inspecting.of_player,
    "board": inspecting.of_board,
}


def build_list(row: ListRow) -> click.Command:
    """Return the command that prints the rows of a list."""

    def run(as_json: bool, **asked: Any) -> None:
        with inspecting.open_session(click.get_current_context()) as session:
            found = find_function(row.find)(session, asked)
        rows = [format_times(each, row.times) for each in found]
        print_rows(rows if as_json else list(map(write_values, rows)), as_json=as_json)

    options: list[Callable[[Any], Any]] = [
        _FILTERS[each] if isinstance(each, str) else _build_filter(each) for each in row.filters
    ]
    options += [inspecting.between(has_numbers=row.has_numbers), inspecting.show_at_most(row.limit)]
    options.append(inspecting.as_json)
    return _decorate(row.name, row.about, run, options)


def format_times(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the row with these of its columns as times."""
    return {**row, **{name: format_time(row[name]) for name in names}}


def write_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with options of games as one types them."""
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


def build_act(row: ActRow, rows: Sequence[ActRow]) -> click.Command:
    """Return the command that does an act, or the group of those of `rows` that begin with its
    name."""
    if not row.do:
        own = [each for each in rows if each.name.startswith(f"{row.name} ")]
        commands = {each.name.partition(" ")[2]: build_act(each, rows) for each in own}
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
            done = find_function(row.do)
            return [notice for values in chosen for notice in done(act, *values)]

        ctx, asks = click.get_current_context(), row.needs_reason
        acting.act(ctx, question, do, yes=yes, reason=reason, as_json=as_json, needs_reason=asks)

    options = [_build_argument(each, required=row.bulk is None) for each in row.arguments]
    if row.bulk is not None:
        options += [inspecting.of_player, inspecting.since]
    if row.flag is not None:
        options.append(click.option(f"--{row.flag[0]}", is_flag=True, help=row.flag[1]))
    name = row.name.rpartition(" ")[2]
    return _decorate(name, row.about, run, [*options, acting.options])


def _is_in_bulk(row: ActRow, texts: Mapping[str, Any]) -> bool:
    """Whether --player was given, in place of the arguments. Failed for both, or for neither."""
    given = [texts[each.name] is not None for each in row.arguments]
    is_bulk = texts["player"] is not None
    if any(given) if is_bulk else not all(given) or texts["since"] is not None:
        names = " ".join(each.name.upper() for each in row.arguments)
        raise Failed(f"give {names}, or --player, which takes --since", USAGE)
    return is_bulk


def _choose(bulk: Bulk, asked: Mapping[str, Any], *, as_json: bool) -> list[tuple[Any, ...]]:
    """Find what is to be done in bulk, and show it; the values of each. Failed when there is
    nothing."""
    ctx = click.get_current_context()
    with inspecting.open_session(ctx) as session:
        try:
            found: Sequence[Chosen] = find_function(bulk.find)(session, asked)
        except Refusal as refusal:
            acting.refuse(ctx, refusal, as_json=as_json)
    _show(found)
    _show_remains(asked["player"], asked["since"], found)
    if not found:
        raise Failed("nothing was done: there is none", REFUSED)
    return [each.values for each in found]


def _show_ended(hook: str, who: str) -> list[Chosen]:
    """Show what an option also ends, if there is anything, and return it."""
    with inspecting.open_session(click.get_current_context()) as session:
        found = [each for find in find_hooks(hook) for each in find(session, who)]
    _show(found)
    return found


def _show_remains(who: str, since: float | None, found: Sequence[Chosen]) -> None:
    """Show what else a player did meanwhile, which stays when something is done to these boards."""
    begins = since if since is not None else time.time() - DAYS_WITHOUT_SINCE * 86400
    undone = {each.values[0] for each in found}
    with inspecting.open_session(click.get_current_context()) as session:
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
        type=int if each.kind in ("board", "number") else str,
        metavar=each.shown or None,
        nargs=-1 if each.is_many else 1,
        required=required,
        shell_complete=_COMPLETIONS.get(each.kind),
    )


def _read(argument: Argument, text: Any) -> Any:
    """Return the value of an argument. Failed when its text is wrong."""
    if not argument.reads:
        return text
    read = find_function(argument.reads)
    try:
        return list(map(read, text)) if argument.is_many else read(text)
    except ValueError as error:
        raise Failed(str(error), USAGE) from None


def _decorate(
    name: str, about: str, run: Callable[..., None], options: Sequence[Callable[[Any], Any]]
) -> click.Command:
    for option in reversed(options):
        run = option(run)
    return click.command(name, help=about)(run)

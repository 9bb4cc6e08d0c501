"""What a feature adds to the kernel, as data, and how the kernel calls it.

A hook is `module:function` in the feature's own package; it is imported when it is first called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.operator_rows import ActRow, ListRow, qualify

Hook: TypeAlias = str


class Feature(NamedTuple):
    """One feature. Every hook may be left out.

    package          where its modules are
    verbs            its commands
    reply_kind       the letter of its reply addresses
    finds_owner      (session, number) -> player's number or None, of such an address
    on_failures_spent  (call) -> notices, when the day's password failures are used up
    on_asleep        (call, number, do) -> notices, for a command on a board that sleeps
    prepares_move    (call, board, seat, text) -> keep(is_whole) or None, before a move is played
    on_inserted      (context, board, terms) -> None, when a board was inserted; may refuse it
    on_dropped       (session, board's number) -> None, before a board that slept is deleted
    names_officials  (session, board) -> (userid, what) of those beside its players, for its view
    on_moved         (call, board, proposer) -> changes, after an act on a board was saved
    on_answered      (call, seat, notices) -> notices, after a move was answered
    on_result        (session, board, now, had_ranks) -> None, when a board has ended or goes on
    adds_to_record   (session, board) -> dict, for the record of a board
    adds_to_page     (call, title) -> str, below a help page
    on_board_due     (work, board) -> notices, when the time has come to check a board
    on_time_out      (context, seat, moment) -> notices or None, before a seat forfeits whose time
                     ran out: None unless its clock is stopped from that moment on
    due              (work) -> notices, at each tick
    is_due           (session, now) -> bool, whether the last tick left something
    on_clock_back    (session, last, now) -> None, when the system clock was set back
    finds_differences  (session) -> sentences, for `pbm admin check`
    personal_data    (session, player) -> dict, for `mydata`
    on_rename        (call, player, userid) -> None, before a player gets another userid
    may_merge        (act, old, new) -> None, refuses two accounts that cannot become one
    on_merge         (act, old, new) -> None, passes on what is the first account's
    on_ban           (act, player's number) -> notices, when a ban is to end what is going on
    ended_by_ban     (session, userid) -> Chosen of each thing that `on_ban` would end
    on_erase         (call, player) -> None, before a player is erased
    operator_acts    what the operator does about it, as rows
    lists            what the operator looks at, as rows
    templates        whether it has a folder `templates` for its notices
    pages            (path, function) of each page: (call, values of the path) -> (title, text),
                     or None where there is none
    """

    package: str
    verbs: tuple[Verb, ...] = ()
    reply_kind: str = ""
    finds_owner: Hook = ""
    on_failures_spent: Hook = ""
    on_asleep: Hook = ""
    prepares_move: Hook = ""
    on_inserted: Hook = ""
    on_dropped: Hook = ""
    names_officials: Hook = ""
    on_moved: Hook = ""
    on_answered: Hook = ""
    on_result: Hook = ""
    adds_to_record: Hook = ""
    adds_to_page: Hook = ""
    on_board_due: Hook = ""
    on_time_out: Hook = ""
    due: Hook = ""
    is_due: Hook = ""
    on_clock_back: Hook = ""
    finds_differences: Hook = ""
    personal_data: Hook = ""
    on_rename: Hook = ""
    may_merge: Hook = ""
    on_merge: Hook = ""
    on_ban: Hook = ""
    ended_by_ban: Hook = ""
    on_erase: Hook = ""
    operator_acts: tuple[ActRow, ...] = ()
    lists: tuple[ListRow, ...] = ()
    templates: bool = False
    pages: tuple[tuple[str, Hook], ...] = ()


_installed: list[Feature] = []


def install(features: Sequence[Feature]) -> None:
    """Make these the features that there are. Before the table of commands is imported."""
    _installed[:] = features
    find_hooks.cache_clear()


def get_features() -> Sequence[Feature]:
    """Return the features that there are, in their order."""
    return _installed


def list_verbs() -> Iterator[Verb]:
    """Yield the commands of all features, each with the full names of its functions."""
    for feature in _installed:
        for verb in feature.verbs:
            do, implied, asked, verify = (
                name and f"{feature.package}.{name}"
                for name in (verb.do, verb.implied, verb.asked, verb.verify)
            )
            yield verb._replace(do=do, implied=implied, asked=asked, verify=verify)


def list_operator_rows() -> Iterator[ActRow | ListRow]:
    """Yield the operator's commands of all features, each with the full names of its functions."""
    for feature in _installed:
        yield from (qualify(row, feature.package) for row in feature.lists)
        yield from (qualify(row, feature.package) for row in feature.operator_acts)


@cache
def find_function(name: str) -> Callable[..., Any]:
    """Import the function with that full name, `package.module:function`."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


@cache
def find_hooks(name: str) -> list[Callable[..., Any]]:
    """Import the hooks of that name of all features."""
    hooks = ((feature.package, getattr(feature, name)) for feature in _installed)
    return [find_function(f"{package}.{hook}") for package, hook in hooks if hook]

"""The operator's commands as rows, which `pbm admin` makes its commands, help and completion of.

Those of a feature stand in its folder. A function is `module:function`, imported when called."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias, TypeVar

Asked: TypeAlias = Mapping[str, Any]
"""The filters of a list by name; None, False or "" for those that were not given."""


class Part(StrEnum):
    """The parts of the help of `pbm admin`, in their order."""

    LOOKING = "Looking"
    SERVER = "The server"
    MAILS = "Mails"
    PLAYERS = "Players"
    BOARDS = "Boards and events"


class Argument(NamedTuple):
    """An argument of an act.

    name     what the act's question calls it
    kind     "text", "number", "board" or "userid"; the shell completes the last two
    shown    how help shows it; its name in capitals unless given
    is_many  stands for one or more
    reads    the function that makes its value of the text; its ValueError says what is wrong
    """

    name: str
    kind: str = "text"
    shown: str = ""
    is_many: bool = False
    reads: str = ""


class Chosen(NamedTuple):
    """One of the things that an act does in bulk: the values of its arguments, and what is shown
    of it before."""

    values: tuple[Any, ...]
    shown: Mapping[str, Any]


class Bulk(NamedTuple):
    """How an act is done to all that a player did since a time, in one go and for one reason.

    find      the function: (session, Asked with "player" and "since") -> Chosen of each
    question  what is asked once several were shown, with {count}; for one, as for its number alone
    """

    find: str
    question: str


class ActRow(NamedTuple):
    """What the operator does, once they have agreed and given a reason; recorded in the audit log
    by the function that does it.

    name       its word; of two words, the first is that of a group
    help       one line of help
    about      what its own help says
    question   what is asked before, with the arguments in braces
    do         the function: (act, one value for each argument) -> notices; "" for a group
    arguments  its arguments
    part       the part of the help
    needs_reason  asks for a reason when none is given
    bulk       how it is done in bulk, with --player and --since in place of its arguments
    flag       an option that it also takes: its name and help; the last value of `do`
    flag_ends  the hook of features that finds what the option also ends, by the first argument:
               it is shown before
    for_moderators  may be done by players whom the operator has made moderators
    """

    name: str
    help: str
    about: str
    question: str = ""
    do: str = ""
    arguments: tuple[Argument, ...] = ()
    part: Part = Part.BOARDS
    needs_reason: bool = True
    bulk: Bulk | None = None
    flag: tuple[str, str] | None = None
    flag_ends: str = ""
    for_moderators: bool = False


class Filter(NamedTuple):
    """An option of a list that chooses some of its rows: with `choices` one of these, as a flag
    yes or no, else a text."""

    name: str
    help: str
    choices: tuple[str, ...] = ()
    shown: str = ""
    is_flag: bool = False


class ListRow(NamedTuple):
    """What the operator looks at, newest first as a rule.

    name     its word
    help     one line of help
    about    what its own help says
    find     the function: (session, Asked) -> rows, each a mapping of column to value; for the
             options that every list has, `operator_lists.narrow` makes the query
    filters  options that choose rows: "game", "player" and "board" are those that many lists have
    times    columns that are times, in seconds
    has_numbers  its rows have one, which --before may name as well as a time
    limit    as many rows as are shown unless --limit says otherwise
    part     the part of the help
    """

    name: str
    help: str
    about: str
    find: str
    filters: tuple[str | Filter, ...] = ()
    times: tuple[str, ...] = ()
    has_numbers: bool = True
    limit: int = 50
    part: Part = Part.LOOKING


OperatorRow = TypeVar("OperatorRow", ActRow, ListRow)


def qualify(row: OperatorRow, package: str) -> OperatorRow:
    """Return the row with the full names of its functions, `package.module:function`."""
    if isinstance(row, ListRow):
        return row._replace(find=f"{package}.{row.find}")
    arguments = tuple(
        each._replace(reads=each.reads and f"{package}.{each.reads}") for each in row.arguments
    )
    bulk = row.bulk and row.bulk._replace(find=f"{package}.{row.bulk.find}")
    return row._replace(do=row.do and f"{package}.{row.do}", arguments=arguments, bulk=bulk)

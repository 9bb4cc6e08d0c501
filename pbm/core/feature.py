"""What a feature adds to the core, as data: commands, hooks, rows of the operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from sqlalchemy import Column, ColumnElement, Select

from pbm.core.proofs import Act
from pbm.core.refusal import RefusalCode

if TYPE_CHECKING:
    from pbm.config import Config, Retention
    from pbm.core.authenticate import PasswordChecks
    from pbm.core.board import Board
    from pbm.core.call import Call
    from pbm.core.command import Command
    from pbm.core.context import Context, DueWork
    from pbm.core.notices import Notice
    from pbm.core.operator import OperatorAct
    from pbm.core.player import Player
    from pbm.core.seat import Seat
    from pbm.core.trust import HeldWords
    from pbm.core.updates import Change
    from pbm.rules import Position
    from pbm.store.transaction import Session


class Do(Protocol):
    """Does a command, or answers it. Refusals are raised."""

    def __call__(self, call: Call, /) -> list[Notice]: ...


class Verify(Protocol):
    """Adds data to a command that it needs before any lock is taken."""

    def __call__(
        self, session: Session, command: Command, checks: PasswordChecks, now: float, /
    ) -> Command: ...


class PageRow(NamedTuple):
    """A row of a section: a link, and a remark. The path begins at the front page, or at the
    beginning of a player's own pages."""

    name: str
    path: str
    about: str


class PageSection(NamedTuple):
    """A section of the front page or a feature's: a text, or a list. `more` is a link below it,
    with its path."""

    title: str
    text: str = ""
    rows: Sequence[PageRow] = ()
    more: tuple[str, str] = ("", "")


class PlainPage(NamedTuple):
    """A page of text and sections, with the colour of its head, such as #1d4e89, or the server's
    own (""). `forms` are the verbs that it offers a player, each with the arguments that need no
    field and what its button says ("": the words of its row)."""

    title: str
    text: str
    colour: str = ""
    sections: Sequence[PageSection] = ()
    forms: Sequence[tuple[str, Mapping[str, str], str]] = ()


class BuildPage(Protocol):
    """Builds a page from the values of its path, or None where there is none."""

    def __call__(self, call: Call, values: Mapping[str, str], /) -> PlainPage | None: ...


class Keep(Protocol):
    """Does what belongs to a turn that was just played: all that was typed, if it `is_whole`."""

    def __call__(self, *, is_whole: bool) -> None: ...


class AddToMail(Protocol):
    """Returns sentences that stand at the end of a mail about to go out: each a paragraph."""

    def __call__(
        self, session: Session, notice: Notice, now: float, config: Config, /
    ) -> Iterable[str]: ...


class PreparedTurn(NamedTuple):
    """A turn as a feature has prepared it before it is played.

    lines     the lines to read as moves or orders
    left_out  a sentence on each part that was left out, for the writer
    keep      stores what belongs to the turn once that was played
    """

    lines: Sequence[str]
    left_out: Sequence[str] = ()
    keep: Keep | None = None


class PrepareTurn(Protocol):
    """Prepares a turn before it is played; None where there is nothing to do. May refuse."""

    def __call__(
        self, call: Call, board: Board, seat: Seat, lines: Sequence[str], /
    ) -> PreparedTurn | None: ...


class FollowUp(Protocol):
    """Does what follows from an act on a board that was saved, and completes its changes.
    `proposer` is the seat that has just proposed a draw."""

    def __call__(
        self, context: Context, board: Board, changes: list[Change], proposer: int | None, /
    ) -> list[Change]: ...


class ShowOwn(Protocol):
    """Returns what the player of a seat alone sees below the board as it was after `ply` moves: a
    title and further lines, or none; all of them if `is_whole`."""

    def __call__(
        self, session: Session, board: Board, seat: Seat, /, *, ply: int, is_whole: bool
    ) -> Sequence[str]: ...


class OldRows(NamedTuple):
    """Rows of a table that are to be deleted: its key, and which they are."""

    key: tuple[Column[Any], ...]
    are_old: ColumnElement[bool]


class UnnamedLines(NamedTuple):
    """How lines are known that are a verb's without naming it: the first line of a reply to a
    board's mail, or lines below a move.

    is_one     whether a line is one
    take       splits the text below a move into other lines, and these. May refuse
    has_moves  whether a line may be meant as one, which no other player must read
    is_private  they are for the writer's own side, and never part of a text to others
    """

    is_one: Callable[[str], bool]
    take: Callable[[Call, Board], tuple[str, tuple[str, ...]]]
    has_moves: Callable[[str, Position], bool]
    is_private: bool = False


@dataclass(frozen=True, eq=False)
class Button:
    """How pages offer a command: as a form with a field for each argument and option.

    label        the button's label
    done         what the page says afterwards
    sure         the label of a box that has to be ticked first; "" without one
    words        what a field is called, by its argument, "text" for the body of a mail, where the
                 usual words say too little
    needs        the arguments that a page asks for although a mail may leave them out
    at_position  it is meant for the board as the page showed it, and not done when that has changed
    starts       it starts something: sent twice it would be done twice, so it is done only while
                 nothing else of the player's has started since the page was made
    is_quiet     no mail confirms it: the page shows what was done
    """

    label: str
    done: str
    sure: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    at_position: bool = False
    starts: bool = False
    is_quiet: bool = False


class OptionField(NamedTuple):
    """An option of a command, or a preference, as a field of a form.

    name     of the option
    head     how it is written, up to its value; a flag is written so and has none
    help     its effect
    kind     "flag", "choice", "count", "date" or "text"
    usual    the default
    choices  the values of a choice, with labels
    example  a value that could be typed; "" where that needs none
    """

    name: str
    head: str
    help: str
    kind: str = "text"
    usual: str = ""
    choices: Sequence[tuple[str, str]] = ()
    example: str = ""


class ListFields(Protocol):
    """Lists the options of a command, for its player and game ("" where it has none)."""

    def __call__(self, call: Call, game: str, /) -> Sequence[OptionField]: ...


class Group(StrEnum):
    """The parts of the page `help commands`, in their order."""

    ACCOUNTS = "Accounts"
    LOOKING = "Looking"
    EVENTS = "Events"
    TALKING = "Talking"
    PLAYING = "Playing"
    AGREEING = "Agreeing"
    BOARDS = "Boards"


SIGNED = ("user", "password")
SEATED = ("board", *SIGNED)


class Verb(NamedTuple):
    """One command.

    name             its word; for the commands of a game it follows the game
    slots            its arguments: board, user, password, each once and in this order, then a name
                     for the words that follow, with * or + for several and ? for optional
    do               the function that does it
    summary          one line of help
    act              what kind of act it is, which says what proof it needs
    group            the part of the page `help commands` in which it stands
    detail           more help, after the line
    implied          the function for a line of a reply to a board's mail that names no verb
    asked            the function that knows its question in a player's own words: (line, event) ->
                     its words, or None
    verify           the function that adds what it needs before any lock is taken:
                     (session, command, checks, now) -> Command
    arranges         the function that brings the words behind it into the order of its slots:
                     (command, words) -> words
    suggests         the function that says what to send instead, where that is not the shortest
                     line: (command) -> line or ""
    for_game         "yes": needs a game; "maybe"; "" has none, but for the board that it is about
    options          takes options
    text             what the body of the mail is to it: "comment", "text" (to pass on) or ""
    takes_ply        may say `#n`, the number of the move it is meant for
    is_final         cannot be undone: never guessed from a misspelt word
    takes_below      lines of another verb, which do not name it, may stand below it
    unnamed          its lines that do not name it
    replaces_move    may stand where moves stand: `move 17 ann PASSWORD resign`
    has_message      a text may stand on the line, behind the board
    means_addresses  addresses at the end of its text are what it brings, and no card of the writer
    hides_words      its words are never repeated: they may be or contain a password or code
    is_for_writer    its words are only for their writer, not for the operator who sees the mail
    may_change       does more than look, although it needs no other proof
    ignores_claim    a userid and password may stand where it needs none
    is_for_later     its move number is that of a later turn
    stands_alone     ends or settles something: a line with more words is talk, not the command
    goes_with_board  undone with the board on which it was sent
    remedy           what the operator can do about it, with {who} for the player
    meant_by         words that people write for it: never done, the answer has the right line
    button           how pages offer it; None where they do not
    fields           the function that lists its options, for the form of a page
    """

    name: str
    slots: tuple[str, ...]
    do: Do
    summary: str
    act: Act
    group: Group
    detail: str = ""
    aliases: tuple[str, ...] = ()
    implied: Do | None = None
    asked: Callable[[str, int], tuple[str, ...] | None] | None = None
    verify: Verify | None = None
    arranges: Callable[[Command, list[str]], list[str]] | None = None
    suggests: Callable[[Command], str] | None = None
    for_game: str = ""
    options: bool = False
    text: str = ""
    takes_ply: bool = False
    is_final: bool = False
    takes_below: bool = False
    unnamed: UnnamedLines | None = None
    replaces_move: bool = False
    has_message: bool = False
    means_addresses: bool = False
    hides_words: bool = False
    is_for_writer: bool = False
    may_change: bool = False
    ignores_claim: bool = False
    is_for_later: bool = False
    stands_alone: bool = False
    goes_with_board: bool = False
    remedy: str = ""
    meant_by: tuple[str, ...] = ()
    button: Button | None = None
    fields: ListFields | None = None

    @property
    def game(self) -> str:
        """ "yes": needs a game, or a board that tells it; "no": never has one; "maybe"."""
        return self.for_game or ("yes" if {"board", "board+"} & {*self.slots} else "no")

    @property
    def is_read_only(self) -> bool:
        """Whether it changes nothing."""
        return self.act in (Act.LOOK, Act.OWN) and not self.may_change

    @property
    def needs_password(self) -> bool:
        """Whether a userid and a password say who sends it."""
        return "password" in self.slots

    @property
    def has_board(self) -> bool:
        """Whether a board number comes first."""
        return "board" in self.slots

    @property
    def has_moves(self) -> bool:
        """Whether moves end the line, which only the game can read."""
        return "move+" in self.slots

    @property
    def takes_lines(self) -> bool:
        """Whether the line ends with moves, or with what the verb reads itself."""
        return self.has_moves or self.unnamed is not None

    def build_form(self, game: str = "GAME") -> str:
        """Return the shortest line to send. {board} and {user} stand for the sender's own."""
        places = {
            "board": "{board}",
            "board+": "{board}",
            "user": "{user}",
            "password": "PASSWORD",
            "new_password": "NEWPASSWORD" if self.needs_password else "PASSWORD",
        }
        if not self.needs_password and "new_password" in self.slots:
            places["user"] = "USERID"
        is_left_out = self.game == "no" or (self.game == "maybe" and game == "GAME")
        words = [] if is_left_out else [game]
        words.append(self.name)
        required = [slot for slot in self.slots if slot[-1] not in "?*"]
        words += [places.get(slot) or slot.rstrip("+").upper() for slot in required]
        return " ".join(words)


# The operator's commands as rows, which `pbm admin` makes its commands, help and completion of.
#
# Those of a feature stand in its folder.

Asked: TypeAlias = Mapping[str, Any]
"""The filters of a list by name; None, False or "" for those that were not given. `now` and
`config` are when and on which server it is asked."""


class AdminPart(StrEnum):
    """The parts of the help of `pbm admin`, in their order."""

    LOOKING = "Looking"
    SERVER = "The server"
    MAILS = "Mails"
    PLAYERS = "Players"
    BOARDS = "Boards and events"


class Argument(NamedTuple):
    """An argument of an act.

    name     what the act's question calls it
    kind     "text", "number", "words" (the number of held ones), "board" or "userid"; the shell
             completes the last two
    shown    how help shows it; its name in capitals unless given
    is_many  stands for one or more
    reads    the function that makes its value of the text; its ValueError says what is wrong
    """

    name: str
    kind: str = "text"
    shown: str = ""
    is_many: bool = False
    reads: Callable[[str], object] | None = None


class Chosen(NamedTuple):
    """One of the things that an act does in bulk: the values of its arguments, and what is shown
    of it before."""

    values: tuple[Any, ...]
    shown: Mapping[str, object]


class Bulk(NamedTuple):
    """How an act is done to all that a player did since a time, in one go and for one reason.

    find      the function: (session, Asked with "player" and "since") -> Chosen of each
    question  what is asked once several were shown, with {count}; for one, as for its number alone
    """

    find: Callable[[Session, Asked], Sequence[Chosen]]
    question: str


class ActRow(NamedTuple):
    """What the operator does, once they have agreed and given a reason; recorded in the audit log
    by the function that does it.

    name       its word; of two words, the first is that of a group
    help       one line of help
    about      what its own help says
    question   what is asked before, with the arguments in braces
    do         the function: (act, one value for each argument) -> notices; None for a group
    arguments  its arguments
    part       the part of the help
    needs_reason  asks for a reason when none is given
    bulk       for doing it in bulk, with --player and --since in place of its arguments
    flag       an option that it also takes: its name and help; the last value of `do`
    flag_ends  finds what the option also ends, by the first argument: it is shown before
    for_moderators  may be done by players whom the operator has made moderators
    undo       undoes it within 30 days: (act, *what it recorded for that) -> notices
    """

    name: str
    help: str
    about: str
    question: str = ""
    do: Callable[..., list[Notice]] | None = None
    arguments: tuple[Argument, ...] = ()
    part: AdminPart = AdminPart.BOARDS
    needs_reason: bool = True
    bulk: Bulk | None = None
    flag: tuple[str, str] | None = None
    flag_ends: Callable[[Session, str], Sequence[Chosen]] | None = None
    for_moderators: bool = False
    undo: Callable[..., list[Notice]] | None = None


class Filter(NamedTuple):
    """An option of a list that chooses some of its rows: with `choices` one of these, as a flag
    yes or no, else a text."""

    name: str
    help: str
    choices: tuple[str, ...] = ()
    shown: str = ""
    is_flag: bool = False


class ListRow(NamedTuple):
    """A list for the operator, usually newest first.

    name     its word
    help     one line of help
    about    what its own help says
    find     the function: (session, Asked) -> rows, each a mapping of column to value; for the
             options that every list has, `operator_lists.narrow` makes the query
    filters  options that choose rows: "game", "player" and "board" are those that many lists have
    times    columns that are times, in seconds
    has_numbers  its rows have one, which --before may name as well as a time
    limit    the default of --limit
    part     the part of the help
    """

    name: str
    help: str
    about: str
    find: Callable[[Session, Asked], Sequence[Mapping[str, object]]]
    filters: tuple[str | Filter, ...] = ()
    times: tuple[str, ...] = ()
    has_numbers: bool = True
    limit: int = 50
    part: AdminPart = AdminPart.LOOKING


# What the lists of the operator have in common.


Q = TypeVar("Q", bound=Select[Any])


def narrow(query: Q, asked: Asked, at: Column[float], number: Column[int] | None = None) -> Q:
    """Return the query with the rows of --since and --before only: those whose time or, where a
    number was given, whose number is in between; and no more than --limit."""
    since, before = asked["since"], asked["before"]
    if since is not None:
        query = query.where(at >= since)
    if isinstance(before, int) and number is not None:
        query = query.where(number < before)
    elif before is not None:
        query = query.where(at < before)
    return query.limit(asked["limit"])


# What a feature adds.


class Replies(NamedTuple):
    """Mails of a feature that have reply addresses of their own: each is about something numbered
    that one player has.

    letter      of these addresses: none of b, c, d, i, j and u
    name        of the conversations, in the heads of mails
    verb        the command that a reply is whose first line names none
    find_owner  (session, number) -> player's number, or None
    """

    letter: str
    name: str
    verb: str
    find_owner: Callable[[Session, int], int | None]


class Feature(NamedTuple):
    """One feature. Every hook may be left out.

    package          where its modules are, the folder `templates` of its notices, and `help`
    verbs            its commands
    replies          its mails with reply addresses of their own
    refusals         the codes of its own refusals
    answers          (call, line) -> notices or None, for a line that is no move and no command
    on_failures_spent  (call) -> notices, when the day's password failures are used up
    on_asleep        (call, number, do) -> notices, for a command on a board that sleeps
    prepares_turn    (call, board, seat, lines) -> PreparedTurn or None, before a turn is played
    shows_own        (session, board, seat, ply, is_whole) -> lines, for a seat's player alone
    on_moved         (context, board, changes, proposer) -> changes, after an act was saved
    on_result        (session, board, now, had_ranks) -> None, when a board has ended or goes on
    adds_to_record   (session, board) -> dict, for the record of a board
    adds_to_page     (call, title) -> str, below a help page
    adds_to_mail     (session, notice, now, config) -> sentences, at the end of its mail
    adds_to_front_page  (call) -> sections of the front page of the web
    on_board_due     (work, board) -> notices, when the time has come to check a board
    due              (work) -> notices, at each tick
    is_due           (session, now) -> bool, whether the last tick left something
    old_rows         (now, retention) -> OldRows of each table of which some are deleted in time
    on_clock_back    (session, last, now) -> None, when the system clock was set back
    finds_differences  (session) -> sentences, for `pbm admin check`
    personal_data    (session, player) -> dict, for `mydata`
    on_rename        (call, player, userid) -> None, before a player gets another userid
    on_merge         (act, old, new) -> None, passes on what is the first account's
    on_close         (call, player) -> notices, before a player's account is closed
    on_erase         (call, player) -> None, before a player is erased
    passes_on        for each kind of words that can be held: (context, words) -> notices
    operator_acts    the operator's acts, as rows
    lists            the operator's lists, as rows
    pages            (path, function) of each page: (call, values of the path) -> PlainPage or
                     None where there is none. It is among a player's own pages too
    """

    package: str
    verbs: tuple[Verb, ...] = ()
    replies: Replies | None = None
    refusals: type[StrEnum] | None = None
    answers: Callable[[Call, str], list[Notice] | None] | None = None
    on_failures_spent: Do | None = None
    on_asleep: Callable[[Call, int, Do], list[Notice] | None] | None = None
    prepares_turn: PrepareTurn | None = None
    shows_own: ShowOwn | None = None
    on_moved: FollowUp | None = None
    on_result: Callable[[Session, Board, float, Sequence[int]], None] | None = None
    adds_to_record: Callable[[Session, Board], dict[str, object]] | None = None
    adds_to_page: Callable[[Call, str], str] | None = None
    adds_to_mail: AddToMail | None = None
    adds_to_front_page: Callable[[Call], Sequence[PageSection]] | None = None
    on_board_due: Callable[[DueWork, Board], list[Notice]] | None = None
    due: Callable[[DueWork], list[Notice]] | None = None
    is_due: Callable[[Session, float], bool] | None = None
    old_rows: Callable[[float, Retention], Iterable[OldRows]] | None = None
    on_clock_back: Callable[[Session, float, float], None] | None = None
    finds_differences: Callable[[Session], Iterable[str]] | None = None
    personal_data: Callable[[Session, int], dict[str, object]] | None = None
    on_rename: Callable[[Context, Player, str], None] | None = None
    on_merge: Callable[[OperatorAct, Player, Player], None] | None = None
    on_close: Callable[[Context, Player], list[Notice]] | None = None
    on_erase: Callable[[Context, Player], None] | None = None
    passes_on: Mapping[str, Callable[[Context, HeldWords], list[Notice]]] | None = None
    operator_acts: tuple[ActRow, ...] = ()
    lists: tuple[ListRow, ...] = ()
    pages: tuple[tuple[str, BuildPage], ...] = ()

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.package.rpartition(".")[2]


_installed: list[Feature] = []


def install(features: Sequence[Feature]) -> None:
    """Make these the features that there are. `pbm.features` does, with its own."""
    _installed[:] = features
    list_verbs.cache_clear()


def get_features() -> Sequence[Feature]:
    """Return the features that there are, in their order."""
    if not _installed:
        raise RuntimeError("no features: import pbm.features first")
    return _installed


H = TypeVar("H")


def list_hooks(get: Callable[[Feature], H | None]) -> list[H]:
    """Return this hook of all features that have it, in their order:
    `list_hooks(lambda each: each.due)`."""
    return [hook for feature in get_features() if (hook := get(feature)) is not None]


def find_replies(letter: str) -> Replies | None:
    """Return the mails whose reply addresses have this letter, if they are those of a feature."""
    found = list_hooks(lambda each: each.replies)
    return next((replies for replies in found if replies.letter == letter), None)


def list_refusal_codes() -> list[StrEnum]:
    """Return the codes of all refusals, those of single features last."""
    own = list_hooks(lambda each: each.refusals)
    return [*RefusalCode, *(code for codes in own for code in codes)]


@cache
def list_verbs() -> tuple[Verb, ...]:
    """Return the commands of all features, by the part of the page `help commands`."""
    verbs = (verb for feature in get_features() for verb in feature.verbs)
    return tuple(sorted(verbs, key=lambda verb: [*Group].index(verb.group)))


def list_operator_rows() -> Iterator[ActRow | ListRow]:
    """Yield the operator's commands of all features."""
    for feature in get_features():
        yield from feature.lists
        yield from feature.operator_acts

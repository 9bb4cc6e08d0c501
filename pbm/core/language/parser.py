"""Commands and their grammar: one line of text to one `Command`, with the forgiveness that can do
no harm. It looks nothing up in the database and repeats no word that may be a password."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pbm.core.language.verb import Verb
from pbm.core.language.verbs import get_verb, verbs_by_word
from pbm.core.language.words import (
    TWO_WORDS,
    bare,
    board_number,
    game_of,
    head,
    is_userid,
    is_verb,
    one_slip,
    plain,
    tidy,
    unwrapped,
    with_game,
)
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.secrets import Token

__all__ = [
    "Command",
    "NotACommand",
    "Sender",
    "board_number",
    "game_of",
    "is_verb",
    "read_line",
    "reply_line",
    "tidy",
    "with_claim",
]

_PLY = re.compile(r"#([0-9]{1,6})")
_VERB_PLY = re.compile(r"([a-z]+)#([0-9]{1,6})")
_CLAIM = ("user", "password")
_SHORTEST_SLIP = 4
_SHORTEST_SLIP_SEATED = 3
"""A shorter word is taken for a misspelt verb only with a game or before a board number."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Where a command came from.

    address   the From address, lower case; "" from a trusted terminal
    token     the reply token of the mail, not checked yet
    via       "mail", "terminal", "house" (a house player)
    operator  the operator's word stands for the password (recorded)
    vouched   the operator's own mail server authenticated the From address
    """

    address: str = ""
    token: Token | None = None
    via: str = "mail"
    operator: bool = False
    vouched: bool = False

    @property
    def board(self) -> int:
        """The board whose mail was answered, or 0."""
        return self.token.number if self.token is not None and self.token.kind == "b" else 0


@dataclass(frozen=True, slots=True)
class Command:
    """One thing somebody asks the server to do.

    words     what followed the slots that every such command has; for option commands still with
              the options in it
    rest      the same as it was typed, for moves
    text      comment, or the text to pass on
    left      lines below it that are commands or moves and were not done, as far as they may be
              repeated
    ply       the move number of `move#n`, 0 without
    guessed   the verb was misspelt
    proof     player and stored hash that the password was verified against, before any lock
    is_spent  too many wrong passwords were tried on its account today: none was verified
    new_hash  the hash of the new password it carries
    """

    verb: Verb
    sender: Sender
    game: str = ""
    board: int = 0
    user: str = ""
    password: str = field(default="", repr=False)
    words: tuple[str, ...] = ()
    rest: str = ""
    text: str = ""
    left: tuple[str, ...] = ()
    ply: int = 0
    guessed: bool = False
    proof: tuple[int, str] | None = field(default=None, repr=False)
    is_spent: bool = False
    new_hash: str = field(default="", repr=False)

    @property
    def form(self) -> str:
        """The right form of this command."""
        return self.verb.form(self.game or "GAME")

    @property
    def is_complete(self) -> bool:
        """Whether the line names a game or board and all that it needs, or is one word that needs
        no more: a sentence that begins with a verb hardly is."""
        verb, named = self.verb, bool(self.game or self.board)
        if verb.stands_alone and self.words:
            return named and len(self.words) == len(_CLAIM)
        if named:
            return bool(self.words or not verb.has_moves)
        needed = {slot for slot in verb.slots if slot[-1] not in "?*"}
        bare_word = not (self.words or self.user) and (verb.has_board or verb.game != "yes")
        return bare_word and needed <= {"board", *_CLAIM}


class NotACommand(Exception):
    """The line is no command, not even a misspelt one."""


class Misread(Refusal):
    """A line that is a command and cannot be understood; `command` is what is known of it."""

    def __init__(self, refusal: Refusal, command: Command) -> None:
        super().__init__(
            refusal.code,
            refusal.text,
            *refusal.send,
            board=refusal.board,
            shows=refusal.shows,
        )
        self.command = command


def misread_command(refusal: Refusal | None) -> Command | None:
    """What is known of a line that could not be read; None for any other refusal."""
    return refusal.command if isinstance(refusal, Misread) else None


def read_line(line: str, sender: Sender, text: str = "") -> Command:
    """The command that a line is. NotACommand when it is none, Misread when it is one that cannot
    be understood."""
    words = with_game(tidy(line).split(" "))
    if not words[0]:
        raise NotACommand
    game, word, ply, rest = _heads(words)
    try:
        verb, guessed = _verb(game, word, rest, sender)
    except Refusal as refusal:
        known = Command(get_verb("help"), sender, game=game, words=tuple(rest), text=text)
        raise Misread(refusal, known) from None
    command = Command(verb, sender, game=game, ply=ply, guessed=guessed, text=text)
    try:
        return _fill(command, rest)
    except Refusal as refusal:
        raise Misread(refusal, replace(command, words=tuple(rest))) from None


def reply_line(line: str, sender: Sender, text: str = "") -> Command:
    """The command of the first own line in an answer to a mail of ours: a verb such as `resign`, a
    full command, or else the move itself."""
    words = tidy(line).split(" ")
    first = head(with_game(words)[0]).split("#")[0]
    if is_verb(first) or game_of(first):
        return read_line(line, sender, text)
    if board_number(words[0]) and len(words) >= 4 and is_userid(words[1]):
        return read_line(line, sender, text)
    if not sender.board or not words[0]:
        raise NotACommand
    return _typed(Command(get_verb("move"), sender, text=text), words)


def _heads(words: list[str]) -> tuple[str, str, int, list[str]]:
    """(game, verb word, ply, the words after them): game and verb may be swapped, either may be
    missing, and a leading board number means a move."""
    first = head(words[0])
    second = head(words[1]) if len(words) > 1 else ""
    two = _two_words(first, second, len(words))
    if two:
        return "", two, 0, words[2:]
    if board_number(words[0]):
        if len(words) < 3 or not is_userid(words[1]):
            raise NotACommand
        return "", "move", 0, words
    game = game_of(first)
    if game:
        if board_number(second):
            return game, "move", 0, words[1:]
        return game, *_numbered(second, words[2:])
    word, ply, rest = _numbered(first, words[1:])
    if any(verb.game == "yes" for verb in _meant(word)):
        named = with_game(rest)
        if named and game_of(named[0]):
            return game_of(named[0]), *_numbered(word, named[1:], ply)
    return "", word, ply, rest


def _meant(word: str) -> list[Verb]:
    """The verbs of a word, or those that are one slip away."""
    known = verbs_by_word()
    words = [word] if word in known else [each for each in known if one_slip(word, each)]
    return [verb for each in words for verb in known[each]]


def _two_words(first: str, second: str, count: int) -> str:
    """The verb of two words that the line begins with, in either order."""
    if (first, second) in TWO_WORDS:
        return f"{first} {second}"
    if (second, first) in TWO_WORDS and count > 2:
        return f"{second} {first}"
    near = [
        " ".join(two)
        for two in TWO_WORDS
        if (one_slip(first, two[0]) and second == two[1])
        or (first == two[0] and one_slip(second, two[1]))
    ]
    return f"{first} {second}" if len(near) == 1 and count > 2 else ""


def _numbered(word: str, rest: list[str], ply: int = 0) -> tuple[str, int, list[str]]:
    """`move#5`, and `move #5` when a board number follows."""
    found = _VERB_PLY.fullmatch(word)
    if found:
        return found[1], int(found[2]), rest
    if len(rest) > 1 and _PLY.fullmatch(rest[0]) and board_number(rest[1]):
        return word, int(rest[0][1:]), rest[1:]
    return word, ply, rest


def _verb(game: str, word: str, rest: list[str], sender: Sender) -> tuple[Verb, bool]:
    """The verb that the word is with or without a game, and whether it had to be guessed. What
    cannot be undone is not guessed, nor what no password secures."""
    fitting = _fitting(game, word, rest, sender)
    if fitting:
        return fitting[0], False
    is_sure = game or any(map(board_number, rest[:2]))
    shortest = _SHORTEST_SLIP_SEATED if is_sure else _SHORTEST_SLIP
    near = {
        verb.name: verb
        for known in verbs_by_word()
        if len(word) >= shortest and one_slip(word, known)
        for verb in _fitting(game, known, rest, sender)[:1]
    }
    if len(near) == 1:
        (verb,) = near.values()
        fits = is_sure or (len(rest) <= 1 if verb.is_read_only else not verb.has_board)
        if fits and (verb.is_read_only or (verb.needs_password and not verb.is_final)):
            return verb, True
    looks_right = game or any(
        is_userid(bare(rest[0])) if not verb.has_board else board_number(rest[0])
        for verb in near.values()
        if len(rest) > 1 and not verb.is_read_only
    )
    if not looks_right:
        raise NotACommand
    problem = f"{game} has no such command" if game else "there is no such command"
    if near:
        meant = " or ".join(sorted(near))
        raise Refusal(
            RefusalCode.UNKNOWN_COMMAND,
            f"{problem}: did you mean {meant}?",
            *(near[each].form(game or "GAME") for each in sorted(near)),
        )
    raise Refusal(
        RefusalCode.UNKNOWN_COMMAND,
        problem,
        *(get_verb(each).form(game) for each in ("challenge", "move", "show", "help")),
    )


def _fitting(game: str, word: str, rest: list[str], sender: Sender) -> list[Verb]:
    """The verbs of a word, the likelier first: a board number, or the answer to a board's mail,
    speaks for the one with a board."""
    known = verbs_by_word().get(word, ())
    if game:
        return [verb for verb in known if verb.game != "no"]
    seated = bool(board_number(rest[0])) if rest else bool(sender.board)
    return sorted(known, key=lambda verb: verb.has_board is not (seated and len(known) > 1))


def _fill(command: Command, rest: list[str]) -> Command:
    """The command with its slots filled from the words after the verb."""
    verb = command.verb
    if command.ply and not verb.takes_ply:
        raise Refusal(RefusalCode.BAD_ARGUMENT, f"{verb.name} takes no move number", command.form)
    if verb.name == "preview" and rest and plain(rest[0]) == "new":
        return replace(command, words=("new", *map(bare, rest[1:])))
    if verb.has_board:
        command, rest = _fill_board(command, rest)
    if "offer" in verb.slots:
        rest = _offer_last(command, rest)
    if "user" in verb.slots:
        command, rest = _fill_user(command, rest)
    if verb.name == "chat":
        said = "\n".join(part for part in (" ".join(rest), command.text) if part)
        return replace(command, text=said, words=tuple(rest))
    if verb.has_moves:
        return _typed(command, rest)
    if "new_password" in verb.slots:
        return replace(command, words=tuple(bare(word) or word for word in rest))
    if "userid+" in verb.slots and not verb.options:
        rest = [word for typed in rest for word in typed.split(",")]
    return replace(command, words=tuple(filter(None, map(bare, rest))), rest=" ".join(rest))


def _offer_last(command: Command, rest: list[str]) -> list[str]:
    """The words with the number of the offer behind userid and password."""
    if rest and board_number(rest[0]):
        return [*rest[1:], rest[0]]
    if rest and board_number(rest[-1]):
        return rest
    raise Refusal(RefusalCode.MISSING_ARGUMENT, "the number of the offer is missing", command.form)


def _typed(command: Command, rest: list[str]) -> Command:
    """The command with a typed move, whose quotes and angle brackets are taken off."""
    words = tuple(unwrapped(word) if word[:1] in "<\"'" else word for word in rest)
    return replace(command, words=words, rest=unwrapped(" ".join(words)))


def _fill_board(command: Command, rest: list[str]) -> tuple[Command, list[str]]:
    here = command.sender.board
    board = board_number(rest[0]) if rest else 0
    if here and not command.game and board and board != here:
        return _not_here(command, rest, board)
    if board:
        return replace(command, board=board), rest[1:]
    second = board_number(rest[1]) if len(rest) > 2 else 0
    if second and command.verb.needs_password and here in (0, second):
        return replace(command, board=board_number(rest[1])), [rest[0], *rest[2:]]
    if here:
        return command, rest
    raise Refusal(RefusalCode.MISSING_ARGUMENT, "the number of the board is missing", command.form)


def _not_here(command: Command, rest: list[str], board: int) -> tuple[Command, list[str]]:
    """In an answer to one board's mail, a number that is not that board's: the number of a move,
    part of a text or move, or another board, which then needs userid and password."""
    verb = command.verb
    named = len(rest) > 2 + verb.has_moves and is_userid(rest[1])
    if verb.takes_ply and len(rest) > 1 and _PLY.fullmatch(rest[0]) and not named:
        return replace(command, ply=board), rest[1:]
    if verb.name == "chat" or (verb.has_moves and len(rest) == 1):
        return command, rest
    if named or not verb.needs_password:
        return replace(command, board=board), rest[1:]
    raise Refusal(
        RefusalCode.WRONG_BOARD,
        f"you replied to a mail about board {command.sender.board}; for another board, send",
        command.form,
    )


def _fill_user(command: Command, rest: list[str]) -> tuple[Command, list[str]]:
    """In an answer to one of our mails userid and password may be left out, but not where the
    account changes or another board is meant: `with_claim` decides, who knows whose mail it was."""
    verb, sender = command.verb, command.sender
    elsewhere = sender.board and command.board not in (0, sender.board) and not command.game
    if (
        verb.needs_password
        and sender.token is not None
        and not verb.changes_account
        and not elsewhere
    ):
        return command, rest
    wanted = 1 if sender.operator or not verb.needs_password else 2
    if "new_password" in verb.slots and not verb.needs_password:
        wanted = 2
    if len(rest) < wanted:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            f"{'the password' if rest else 'the userid'} is missing",
            command.form,
        )
    command = replace(command, user=bare(rest[0]))
    if verb.needs_password and not sender.operator:
        return replace(command, password=rest[1]), rest[2:]
    return command, rest[1:]


def with_claim(
    command: Command, is_own: Callable[[str], bool], is_known: Callable[[str], bool]
) -> Command:
    """The command with the userid and password it claims where it need not: in a reply, the
    writer's own userid, or behind the number of a board anybody's, is followed by a password; in a
    preview both mean nothing. `is_own` and `is_known` tell whose userid a word is."""
    words, verb = command.words, command.verb
    if not verb.needs_password and verb.name != "preview":
        return command
    if verb.name == "chat" and len(words) > 2 and board_number(words[0]) and not command.board:
        elsewhere = replace(command, board=board_number(words[0]), words=words[1:])
        claimed = with_claim(elsewhere, is_own, is_known)
        return claimed if claimed.user else command
    claims = is_known if command.board and verb.name != "chat" else is_own
    if command.user or len(words) < 2 or not claims(plain(words[0])):
        return command
    if verb.name == "message" and is_known(plain(words[1])):
        return command
    rest = words[2:]
    unclaimed = replace(command, words=rest, rest=" ".join(rest))
    if verb.name == "chat":
        inline, _, below = command.text.partition("\n")
        said = [" ".join(rest), below if inline.endswith(" ".join(words)) else command.text]
        unclaimed = replace(unclaimed, text="\n".join(part for part in said if part))
    if not verb.needs_password:
        return unclaimed
    return replace(unclaimed, user=bare(words[0]), password=words[1])

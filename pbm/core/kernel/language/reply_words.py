"""Words of a reply in other languages than English: `aufgeben` is `resign`.

They act as strictly as the English ones, and only where the line is nothing that the board's game
reads."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pbm.core.kernel.boards.storing import Asleep, load
from pbm.core.kernel.language.command import Command, NotACommand
from pbm.core.kernel.language.parser import read_reply_line
from pbm.core.kernel.language.stray_moves import is_move
from pbm.core.kernel.language.verbs import get_verb, map_words_to_verbs
from pbm.core.kernel.refusal import Refusal
from pbm.games import UnknownGame
from pbm.locale.words import list_meanings
from pbm.rules import Position
from pbm.store.transaction import Session

_ACCEPTED = ("yes", "no")
"""They are answers to what was asked, which the board knows."""
_WITH_ORDERS = ("ready", "wait")
_WITH_WORDS = ("chat", "press", "show", "preview", "submit")
"""Other words may follow these."""
_MOST_WORDS = 3
_LONGEST = 40


def read_in_languages(
    session: Session, command: Command, find_language: Callable[[], str]
) -> Command:
    """Return the command of a reply to a board's mail whose first line is a word of another
    language, with or without words behind it; any other command as it is. `find_language` tells the
    reader's language, where a word means several things."""
    if not (command.implied and command.verb.name == "move" and command.sender.board):
        return command
    head, rest, meanings = split_line(command.rest)
    if len(meanings) > 1:
        meanings = list_meanings(head, find_language())
    if len(meanings) != 1 or meanings[0] in _ACCEPTED:
        return command
    position = _find_position(session, command.sender.board)
    if position is not None and _is_read(position, command.rest, meanings[0]):
        return command
    return _read_as(command, f"{meanings[0]} {rest}".strip())


def prefer_move(session: Session, command: Command) -> Command:
    """Return the command of a reply whose line asks for no more mail as the move that it is where
    the board's game reads it as one; any other as it is."""
    line = command.line
    position = _find_position(session, command.sender.board) if line else None
    if position is None or not is_move(position, line):
        return command
    words = tuple(line.split(" "))
    return replace(command, verb=get_verb("move"), words=words, rest=line, implied=True)


def split_line(line: str) -> tuple[str, str, list[str]]:
    """Return the word that a line is or begins with, what follows it, and what it may mean in
    English; no meaning for any other line."""
    bare = line.rstrip(".! ")
    if len(bare) <= _LONGEST and bare.count(" ") <= _MOST_WORDS and (found := list_meanings(bare)):
        return bare, "", found
    words = line.split(" ")
    for size in (1, 2):
        head, rest = " ".join(words[:size]).rstrip(":"), " ".join(words[size:])
        found = [each for each in list_meanings(head) if each in _WITH_WORDS]
        if rest and found:
            return head, rest, found
    return line, "", []


def read_act(line: str) -> str:
    """Return the English word for a line that is a word of another language and nothing else, which
    ends or settles something; "" for any other line."""
    meanings = list_meanings(line.strip().rstrip(".!"))
    verb = map_words_to_verbs().get(meanings[0], ()) if len(meanings) == 1 else ()
    is_act = any(each.stands_alone for each in verb) and meanings[0] not in _WITH_ORDERS
    return meanings[0] if is_act else ""


def _find_position(session: Session, board: int) -> Position | None:
    """Return the position of the board whose mail was answered; None where it cannot be read."""
    try:
        return load(session, board).position
    except (Asleep, Refusal, UnknownGame):
        return None


def _is_read(position: Position, line: str, meaning: str) -> bool:
    """Whether the game of a board reads a line itself, or does not know what the word means."""
    if meaning in _WITH_ORDERS and not position.takes_orders:
        return True
    return is_move(position, line)


def _read_as(command: Command, line: str) -> Command:
    """Return the command that an English line would be in place of this one; as it is where that is
    none."""
    try:
        read = read_reply_line(line, command.sender, command.text)
    except (NotACommand, Refusal):
        return command
    if read.implied and read.verb is get_verb("move"):
        return command
    return replace(
        read,
        is_cut=command.is_cut,
        left=command.left,
        line=command.rest if read.line else "",
    )

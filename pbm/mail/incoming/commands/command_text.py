"""The text that goes along with a command: what is removed from it, because it is a signature or
may hold a password."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from pbm.core.command import Command
from pbm.core.links import holds_password
from pbm.core.words import (
    find_game_name,
    is_userid,
    is_verb,
    normalize_keyword,
    parse_board_number,
    tidy,
    trim_word,
)
from pbm.mail.incoming.commands.entry import Entry
from pbm.mail.incoming.message.signature import remove_signature

_MAX_WORDS = 7


def strip_signature(entry: Entry, name: str) -> Entry:
    """Return the entry without a signature, of the writer of that name, under its comment. A
    message to one person may be meant to bring a telephone number."""
    command = entry.command
    if command is None or not command.text or command.verb.name == "message":
        return entry
    return replace(entry, command=replace(command, text=remove_signature(command.text, name)))


def remove_secret_text(
    command: Command, passwords: Iterable[str], exists: Callable[[str], bool]
) -> Command:
    """Return the command without its text when that holds one of the mail's passwords or repeats a
    command."""
    text = command.text
    if not text:
        return command
    is_secret = any(holds_password(text, password) for password in passwords)
    return replace(command, text="") if is_secret or repeats_command(text, exists) else command


def repeats_command(text: str, exists: Callable[[str], bool]) -> bool:
    """Whether a line of the text is somebody's command, rather than merely beginning with such a
    word. `exists` says whether a userid does."""
    for line in text.splitlines():
        words = tidy(line).split(" ")[:_MAX_WORDS]
        first = normalize_keyword(words[0]).split("#")[0]
        second = normalize_keyword(words[1]).split("#")[0] if len(words) > 1 else ""
        if find_game_name(first) and (is_verb(second) or parse_board_number(second)):
            return True
        userids = [word for word in words[1:] if is_userid(word) and not is_verb(word)]
        if is_verb(first) or find_game_name(first):
            has_number = any(parse_board_number(word) for word in words[1:])
            if len(words) > 3 and has_number and any(exists(trim_word(word)) for word in userids):
                return True
            if (first, second) == ("change", "password") or first == "signup":
                return True
        elif (
            parse_board_number(words[0])
            and len(words) > 3
            and userids[:1] == words[1:2]
            and exists(trim_word(words[1]))
        ):
            return True
    return False

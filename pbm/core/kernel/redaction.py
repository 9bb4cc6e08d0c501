"""Keeps passwords out of comments, chat and the reasons of refusals.

Words are compared with a password only where the mail has proved that password. For every other
proof nothing is compared, so that nobody learns from an answer what the password is: what may be
one by its place or its shape is masked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from pbm.core.kernel.language.command import Command
from pbm.core.kernel.language.words import trim_word
from pbm.core.kernel.players.player import Player

_PLACEHOLDERS = {"board", "game", "userid", "password", "move", "number"}
"""Words of the forms we show, which people forget to replace."""
_SHORTEST, _LONGEST = 4, 64
_SEPARATORS = re.compile(r"[=#,]")
_NOTATION = re.compile(
    r"(?:[a-z]{1,3}[0-9]{1,2}[-,/:x=+]*){1,12}|(?:[a-z0-9]{1,3}[-,/:+]+)*[a-z0-9]{1,3}"
    r"|\+?[a-z][@*][a-z][0-9]{1,2}[+#]?"
)
"""Places as moves name them, which are no secret: b1,c1,d1,d9, e2e4, 13/8, N@e6."""


def drop_password(command: Command, people: Sequence[Player]) -> Command:
    """Return the command without a text that holds the password of its line. `people` are the
    players who are proven to have sent it; a text in a mail without proof is dropped, so that
    nobody can speak for somebody else."""
    if not people and command.sender.via == "mail":
        return replace(command, text="") if command.text else command
    is_held = holds_password(command.text, command.password)
    return replace(command, text="") if is_held else command


def holds_password(text: str, password: str) -> bool:
    """Whether a text has the password in it, with capitals or without: a phone begins a line with
    one."""
    return bool(password) and password.casefold() in text.casefold()


def find_candidates(words: Iterable[str]) -> Iterable[str]:
    """Yield the words that may be a password: as typed, without surrounding punctuation, in
    parts."""
    for word in words:
        for part in dict.fromkeys((word, *_SEPARATORS.split(word)[1:])):
            for form in dict.fromkeys((part, trim_word(part), part.strip(".,;:!?()[]'\"<>"))):
                if _SHORTEST <= len(form) <= _LONGEST:
                    yield form


def scrub(
    text: str, command: Command, instead: str, *, is_proven: bool, userids: Collection[str] = ()
) -> str:
    """Mask the command's password, and without one the words that may be the sender's by their
    shape and are no `userids` (in lower case). Returns `instead` where an unproven sender's text
    quotes any such word."""
    if command.password:
        for word in dict.fromkeys((command.password, trim_word(command.password))):
            if word:
                text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
        return text
    quoted = [
        word
        for word in dict.fromkeys(find_candidates((*command.rest.split(), *command.words)))
        if word.lower() in text.lower() and word.lower() not in _PLACEHOLDERS
    ]
    if not is_proven:
        return instead if quoted else text
    for word in quoted:
        if _looks_secret(word) and word.lower() not in userids:
            text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
    return text


def has_secret(text: str) -> bool:
    """Whether a word of a sentence may be a password by its shape."""
    words = (re.sub(r"^\W+|['\u2019]|\W+$", "", word) for word in text.split())
    return any(len(word) >= _SHORTEST and _looks_secret(word) for word in words)


def _looks_secret(word: str) -> bool:
    """Whether a word has digits, marks or capitals inside it, and is no place on a board."""
    inner = word[1:]
    is_plain = inner.isalpha() and inner.islower()
    return not is_plain and not _NOTATION.fullmatch(word.lower())

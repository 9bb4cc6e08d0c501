"""Keeps passwords out of comments, chat, queued moves and the reasons of refusals: a text that
holds one is dropped or masked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from pbm.core.language.command import Command
from pbm.core.language.words import trim_word
from pbm.core.model.password_checks import PasswordChecks
from pbm.core.model.player import Player

_MOST_QUOTED = 3
_PLACEHOLDERS = {"board", "game", "userid", "password", "move", "number"}
"""Words of the forms we show, which people forget to replace."""
_SHORTEST, _LONGEST = 4, 64
_SEPARATORS = re.compile(r"[=#,]")


def drop_password(command: Command, people: Sequence[Player], checks: PasswordChecks) -> Command:
    """The command without a text, queued move or plan that holds the sender's password. `people`
    are the players who are proven to have sent it; without proof every text is dropped, so that
    nobody can speak for somebody else or probe for a password."""
    if command.password and people:
        held = command.password in command.text
        return replace(command, text="") if held else command
    if not people and command.sender.via == "mail":
        return replace(command, text="") if command.text else command
    if command.text and checks.has_password(people, sort_candidates(command.text.split())):
        command = replace(command, text="")
    if (command.verb.name == "queue" or command.verb.has_plan) and checks.has_password(
        people, sort_candidates(command.words)
    ):
        command = replace(command, words=(), rest="")
    return command


def sort_candidates(words: Iterable[str]) -> list[str]:
    """The words that may be a password, the likeliest first."""
    return sorted(dict.fromkeys(find_candidates(words)), key=_rank_resemblance, reverse=True)


def find_candidates(words: Iterable[str]) -> Iterable[str]:
    """The words that may be a password: as typed, without surrounding punctuation, in parts."""
    for word in words:
        for part in dict.fromkeys((word, *_SEPARATORS.split(word)[1:])):
            for form in dict.fromkeys((part, trim_word(part), part.strip(".,;:!?()[]'\"<>"))):
                if _SHORTEST <= len(form) <= _LONGEST:
                    yield form


def _rank_resemblance(word: str) -> int:
    """Rank how much a word looks like a password: by digits, marks and capitals inside it."""
    if "," in word:
        return 0
    inner = word[1:]
    digit = any(letter.isdigit() for letter in inner)
    mark = any(not letter.isalnum() for letter in inner)
    return digit + mark + any(letter.isupper() for letter in inner)


def scrub(
    text: str, command: Command, is_password: Callable[[str], bool] | None, instead: str
) -> str:
    """Mask the command's password, and any of its words that are the sender's password. Returns
    `instead` where too many words would have to be verified, and for an unproven sender
    (`is_password` is None) where the text quotes any word that may be a password."""
    if command.password:
        for word in dict.fromkeys((command.password, trim_word(command.password))):
            if word:
                text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
        return text
    candidates = dict.fromkeys(find_candidates((*command.rest.split(), *command.words)))
    quoted = [
        word
        for word in candidates
        if word.lower() in text.lower() and word.lower() not in _PLACEHOLDERS
    ]
    if len(quoted) > (_MOST_QUOTED if is_password is not None else 0):
        return instead
    for word in quoted:
        if is_password is not None and is_password(word):
            text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
    return text

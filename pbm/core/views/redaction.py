"""Passwords where they do not belong: in comments, in texts that are passed on, in a queued move,
in the reason of a refusal. What holds one is dropped or masked; no word of it is kept anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pbm.core.language.parser import Command
from pbm.core.language.words import bare
from pbm.core.model.password_checks import Checks
from pbm.core.model.player import Player

_MOST_QUOTED = 3
_PLACEHOLDERS = {"board", "game", "userid", "password", "move", "number"}
"""Words of our own that people leave in the line that they were shown."""
_SHORTEST, _LONGEST = 4, 64
_SEPARATORS = re.compile(r"[=#,]")


def without_password(command: Command, people: Sequence[Player], checks: Checks) -> Command:
    """The command without a text, or a move to keep, that holds the password of who sends it:
    `people` are the players who are proven to. Without proof no text goes along at all: nobody
    speaks for somebody else, nor learns from what was left out whether it held a password."""
    if command.password and people:
        held = command.password in command.text
        return replace(command, text="") if held else command
    if not people and command.sender.via == "mail":
        return replace(command, text="") if command.text else command
    if command.text and checks.holds(people, _likely(command.text.split())):
        command = replace(command, text="")
    if command.verb.name == "queue" and checks.holds(people, _likely(command.words)):
        command = replace(command, words=(), rest="")
    return command


def _likely(words: Iterable[str]) -> list[str]:
    """The words that could be a password, those that look most like one first."""
    return sorted(dict.fromkeys(candidates(words)), key=_likeness, reverse=True)


def candidates(words: Iterable[str]) -> Iterable[str]:
    """The words that could be a password: as typed, without the marks around them, in parts."""
    for word in words:
        for part in dict.fromkeys((word, *_SEPARATORS.split(word)[1:])):
            for form in dict.fromkeys((part, bare(part), part.strip(".,;:!?()[]'\"<>"))):
                if _SHORTEST <= len(form) <= _LONGEST:
                    yield form


def _likeness(word: str) -> int:
    """How much a word looks like a password: letters with digits or marks among them."""
    if "," in word:
        return 0
    inner = word[1:]
    digit = any(letter.isdigit() for letter in inner)
    mark = any(not letter.isalnum() for letter in inner)
    return digit + mark + any(letter.isupper() for letter in inner)


def scrubbed(
    text: str, command: Command, is_password: Callable[[str], bool] | None, instead: str
) -> str:
    """The text without the command's password and without words of the command that are the
    sender's password; `instead` where too many would have to be checked, and for a sender who is
    not proven (None) where it quotes any word that could be one."""
    if command.password:
        for word in dict.fromkeys((command.password, bare(command.password))):
            if word:
                text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
        return text
    typed = dict.fromkeys(candidates((*command.rest.split(), *command.words)))
    quoted = [
        word for word in typed if word.lower() in text.lower() and word.lower() not in _PLACEHOLDERS
    ]
    if len(quoted) > (_MOST_QUOTED if is_password is not None else 0):
        return instead
    for word in quoted:
        if is_password is not None and is_password(word):
            text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
    return text

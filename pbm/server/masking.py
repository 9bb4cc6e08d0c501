"""Passwords where they do not belong: in comments, in texts that are passed on, in a queued move,
in the reason of a refusal. What holds one is dropped or masked; no word of it is kept anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbm.server import account
from pbm.server.account import Player
from pbm.server.command import Command
from pbm.server.secrets import Secrets
from pbm.server.words import bare
from pbm.store import reads
from pbm.store.session import Session

_MOST_CHECKED = 3
_SHORTEST, _LONGEST = 4, 64
_SEPARATORS = re.compile(r"[=#,]")


def without_password(session: Session, command: Command, secrets: Secrets) -> Command:
    """The command without a text, or a move to keep, that holds its sender's password. Reads
    only; it checks what costs little, and the few words that look most like a password."""
    if command.password:
        held = command.password in command.text
        return replace(command, text="") if held else command
    people = _whoever(session, command)
    if command.text and _holds(secrets, people, command.text.split()):
        command = replace(command, text="")
    if command.verb.name == "queue" and _holds(secrets, people, command.words):
        command = replace(command, words=(), rest="")
    return command


def _whoever(session: Session, command: Command) -> list[Player]:
    """The player whose mail is answered, and those whose address it came from."""
    token, address = command.sender.token, command.sender.address
    people = account.by_address(session, address)[:3] if address else []
    if token is not None and token.kind == "u":
        player = account.by_id(session, token.number)
        people += [player] if player is not None else []
    elif token is not None:
        seated = {row.player_id for row in reads.seats_of(session, token.number)}
        people = [player for player in people if player.id in seated] or people
    return list({player.id: player for player in people}.values())


def _holds(secrets: Secrets, people: Iterable[Player], words: Sequence[str]) -> bool:
    """Whether one of the words is the password of one of these people."""
    found = list(dict.fromkeys(candidates(words)))
    for player in people:
        if any(secrets.remembers(player.id, player.password, word) for word in found):
            return True
        if not secrets.knows(player.id):
            likely = sorted(found, key=_likeness, reverse=True)[:_MOST_CHECKED]
            if any(secrets.check_password(player.id, player.password, word) for word in likely):
                return True
    return False


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
    text: str, command: Command, people: Sequence[Player], secrets: Secrets, instead: str
) -> str:
    """The text without the command's password and without words of the command that are the
    password of one of these people; `instead` where too many would have to be checked."""
    if command.password:
        for word in dict.fromkeys((command.password, bare(command.password))):
            if word:
                text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
        return text
    typed = dict.fromkeys(candidates((*command.rest.split(), *command.words)))
    quoted = [word for word in typed if word.lower() in text.lower()]
    if len(quoted) > _MOST_CHECKED:
        return instead
    for word in quoted:
        if any(secrets.check_password(each.id, each.password, word) for each in people):
            text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
    return text

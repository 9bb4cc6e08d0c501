"""Finds a wish for no more mail in a mail: its first own line below a greeting, or the word that
chooses among what the answer to it offers."""

from __future__ import annotations

from pbm.core.command import Command, Sender
from pbm.core.talk import asks_to_stop, is_greeting
from pbm.core.words import get_verb, tidy
from pbm.locale.words import list_meanings
from pbm.mail.incoming.commands.entry import Entry
from pbm.mail.incoming.message.letter import Letter
from pbm.mail.incoming.message.text import normalize

_CHOICES = ("fewer", "pause", "resign", "leave")
_MAX_LINES = 20


def find_stop(letter: Letter, sender: Sender) -> Entry | None:
    """Return the command of a mail whose first own line asks for no more mail, or is one word of
    the answer to that; None for any other."""
    lines = (tidy(normalize(line)) for line in letter.own_lines[:_MAX_LINES])
    own = [line for line in lines if line]
    first = next((line for line in own if asks_to_stop(line) or not is_greeting(line)), "")
    if asks_to_stop(first):
        return build_stop(first, sender)
    token = sender.token
    if token is None or token.kind != "u":
        return None
    word = first.lower().rstrip(".!")
    meant = {word, *list_meanings(word)}
    choice = next((each for each in _CHOICES if each in meant), "")
    return build_stop(first, sender, choice) if choice else None


def build_stop(line: str, sender: Sender, *words: str) -> Entry:
    """Return the command of that line."""
    return Entry(sender, Command(get_verb("stop"), sender, words=words, line=tidy(normalize(line))))

"""Finds the answer to an invitation in a reply: its first own line, or its subject."""

from __future__ import annotations

from pbm.core.command import Command, Sender
from pbm.core.talk import asks_to_stop, is_greeting
from pbm.core.words import get_verb, is_verb, normalize_keyword, tidy
from pbm.mail.incoming.commands.entry import Entry
from pbm.mail.incoming.message.letter import Letter
from pbm.mail.incoming.message.text import normalize

_MAX_LINES = 20


def find_answer(letter: Letter, sender: Sender) -> Entry | None:
    """Return the answer on the first own line below a greeting, or in the subject of a mail that is
    no reply; None where that is a command."""
    subject = () if letter.is_reply or letter.is_forward else (letter.subject,)
    lines = [tidy(normalize(line)) for line in (*subject, *letter.own_lines[:_MAX_LINES])]
    lines = [line for line in lines if line]
    line = next((line for line in lines if not is_greeting(line)), "")
    words = line.split()
    first = normalize_keyword(words[0]) if words else ""
    if asks_to_stop(line):
        words = ["no"]
    elif is_verb(first):
        return None
    verb = get_verb("signup")
    return Entry(sender, Command(verb, sender, words=tuple(words), rest=line, implied=True))

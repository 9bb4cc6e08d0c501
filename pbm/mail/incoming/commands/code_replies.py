"""Finds what confirms a one-time code in a reply: the code, wherever it stands in the writer's own
text, or a yes to the mail that brought it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pbm.core.command import Command, Sender
from pbm.core.talk import is_greeting, read_consent
from pbm.core.words import get_verb
from pbm.locale.words import list_meanings
from pbm.mail.incoming.commands.entry import Entry
from pbm.mail.incoming.message.letter import Letter
from pbm.mail.incoming.message.text import normalize
from pbm.mail.outgoing.rendering import list_sentences

_CODE = re.compile(r"(?<![\w-])[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}(?![\w-])", re.IGNORECASE)
_LINE = re.compile(r"confirm:? +([a-z2-9]{4})[ -]*([a-z2-9]{4})[ -]*([a-z2-9]{4})", re.IGNORECASE)
"""A whole line with a code, whose groups may be joined in any way."""
_CONFIRMS = {"i", "confirm", "confirmed", "confirming"}
_BRING_CODES = ("confirmation_code", "sign_off_code", "erase_code", "unlock_code")
_REPEATED = 5
"""A text that has so many words in a row from a mail with a code is an echo of it."""
_MAX_LINES = 60


def find_code(letter: Letter, sender: Sender) -> list[Entry]:
    """Return the confirmation by a code in the own text of a letter or, where it is no reply, in
    its subject. None in an echo of our mail, nor beside a no."""
    subject = () if letter.is_reply or letter.is_forward else (letter.subject,)
    lines = [normalize(line) for line in (*subject, *letter.own_lines[:_MAX_LINES])]
    code = next(filter(None, map(_find_code_in, lines)), "")
    if not code or _is_echo(lines, code) or any(read_consent(line) is False for line in lines):
        return []
    return [_build_entry(sender, code)]


def _find_code_in(line: str) -> str:
    """Return the code in a line, in small letters and with its hyphens; "" for none."""
    if match := _CODE.search(line):
        return match[0].lower()
    match = _LINE.fullmatch(line.strip())
    return "-".join(match.groups()).lower() if match else ""


def find_consent(letter: Letter, sender: Sender) -> list[Entry]:
    """Return the confirmation by a yes, on the first own line below greetings, to the mail that
    brought a code."""
    lines = [normalize(line) for line in letter.own_lines[:_MAX_LINES] if line.strip()]
    first = next((line for line in lines if not is_greeting(line)), "")
    if not _says_yes(first) or _is_echo(lines):
        return []
    return [_build_entry(sender)]


def _build_entry(sender: Sender, *words: str) -> Entry:
    return Entry(
        sender, Command(get_verb("confirm", takes_game=False), sender, words=words, implied=True)
    )


def _says_yes(line: str) -> bool:
    """Whether a line says yes, with or without the word confirm, and nothing else."""
    words = re.findall(r"[^\s,.;:!]+", line)
    if list_meanings(" ".join(words)) == ["confirm"]:
        return True
    rest = [word for word in words if word.lower() not in _CONFIRMS]
    confirms = any(word.lower().startswith("confirm") for word in words)
    return read_consent(" ".join(["yes", *rest] if confirms else words)) is True


def _is_echo(lines: Sequence[str], code: str = "") -> bool:
    """Whether a text repeats a mail of ours that brings a code: some words of it in a row, or its
    line with the code among sentences."""
    if f"code: {code}".lower() in map(str.lower, lines) and any(
        len(line.split()) > _REPEATED for line in lines
    ):
        return True
    return not _list_runs(" ".join(lines)).isdisjoint(_list_runs_of_ours())


@cache
def _list_runs_of_ours() -> frozenset[Sequence[str]]:
    names = [f"{name}.txt" for name in _BRING_CODES]
    return frozenset().union(*map(_list_runs, list_sentences(names)))


def _list_runs(text: str) -> frozenset[Sequence[str]]:
    """Return the words of a text, so many in a row."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(tuple(words[at : at + _REPEATED]) for at in range(len(words) - _REPEATED + 1))

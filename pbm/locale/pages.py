"""Help pages in other languages: the pages of the server and of its games, one file each.

`LANG/help/NAME.txt` says what `pbm/help/NAME.txt` says, and `LANG/games/GAME.txt` what the help of
a game says. The first line tells which text was translated, the rest is the page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

from pbm.locale import ENGLISH, LANGUAGES, get_language, translate
from pbm.rules.phrases import phrase

HELP, GAMES = "help", "games"
"""The folders of a language: pages of the server, and those of games."""
FIRST_WORD = "original"
"""How the first line of a file begins."""
_COLUMNS = 78
_DIGITS = 12
_NOT_TRANSLATED = phrase("This page has not been translated; here it is in English.")


def find_translated(language: str, folder: str, name: str, original: str) -> str:
    """Return a page in another language; "" unless one translates this very original: a translation
    of an older page may tell what is no longer true."""
    text = _read(get_language(language), folder, name)
    return _strip_first_line(text) if is_current(text, original) else ""


@cache
def _read(language: str, folder: str, name: str) -> str:
    """Return a file of a language; "" where there is none."""
    if language == ENGLISH:
        return ""
    try:
        return files("pbm.locale").joinpath(language, folder, f"{name}.txt").read_text("utf-8")
    except FileNotFoundError:
        return ""


def _strip_first_line(text: str) -> str:
    return text.partition("\n")[2].strip("\n")


def list_translated() -> Iterator[str]:
    """Yield the pages of the server in all other languages, whether or not the original has changed
    since: a mail that quotes one may be older."""
    for language in LANGUAGES[1:]:
        folder = files("pbm.locale").joinpath(language, HELP)
        if folder.is_dir():
            for page in folder.iterdir():
                yield _strip_first_line(_read(language, HELP, page.name.removesuffix(".txt")))


def mark_untranslated(page: str, language: str) -> str:
    """Return an English page, with a line for readers of another language that says so."""
    if get_language(language) == ENGLISH:
        return page
    return f"{textwrap.fill(translate(_NOT_TRANSLATED, language), _COLUMNS)}\n\n{page}"


def write_first_line(original: str) -> str:
    """Return the first line of a file that translates this text: another one for another text."""
    return f"{FIRST_WORD} {sha256(original.strip().encode()).hexdigest()[:_DIGITS]}"


def is_current(text: str, original: str) -> bool:
    """Whether the text of a file translates this original."""
    return text.partition("\n")[0] == write_first_line(original)

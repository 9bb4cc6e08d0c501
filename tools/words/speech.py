"""Has espeak-ng read the words of positions, and looks for names of marks in what it says."""

from __future__ import annotations

import random
import string
import subprocess
from functools import cache

from pbm.rules import Game
from tools.words.rebuild import play_randomly

SETTINGS = ("k{}m", "one {} two", "1{}2")
"""Where a mark may stand: between letters, between words, between numbers."""


def speak(text: str, *options: str) -> list[str]:
    """Return the phonemes that espeak-ng says, a string for each word, without stress and
    pauses."""
    command = ["espeak-ng", "-q", "-x", "--stdin", *options]
    said = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return [plain for word in said.split() if (plain := word.translate(_SILENT).strip("_"))]


_SILENT = str.maketrans("", "", "',:;|")


@cache
def names_of_marks() -> frozenset[str]:
    """Return what espeak-ng calls the marks, some of them differently between numbers."""
    names = set[str]()
    for setting in SETTINGS:
        usual = {*speak(setting.format(" "))}
        for mark in string.punctuation:
            for options in ((), ("--punct",)):
                names |= {*speak(setting.format(f" {mark} "), *options)} - usual
                names |= {*speak(setting.format(mark), *options)} - usual
    # "and" is also a word, and 7.5 is seven point five.
    return frozenset(names - {*speak("and, at, point")})


def find_named_marks(text: str) -> list[str]:
    """Return the names of marks that espeak-ng says when it reads the text as usual."""
    return [word for word in speak(text) if word in names_of_marks()]


def listen(game: Game, number: int) -> int:
    """Have positions of a game read aloud. Return the number of words said. AssertionError if one
    of them is the name of a mark."""
    rng, heard = random.Random(2), 0
    read = 0
    while read < number:
        for count, (position, last) in enumerate(play_randomly(game, rng, {})):
            if count % 9:
                continue
            words = position.words(None if read % 2 else 0, last)
            assert not find_named_marks(words), f"{find_named_marks(words)} in\n{words}"
            heard += len(speak(words))
            read += 1
            if read >= number or count > 90:
                break
    return heard

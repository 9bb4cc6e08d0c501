"""Days as people write them: monday, 12 December, next week, for two weeks, 2026-12-12."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial

from pbm.locale import LANGUAGES, Page, get_language
from pbm.locale.formats import name_weekday
from pbm.locale.intents import find_meanings, read_vocabulary, split_words
from pbm.locale.words import fold

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_WEEK = 7
_LENGTHS = {"weeks": _WEEK, "days": 1}
_LATEST = 31


def read_day(text: str, today: date) -> date | None:
    """Return the day that a text names, the next one of its kind from tomorrow on; None where it
    names none."""
    if match := _ISO.search(text):
        return _make_date(*map(int, match.groups()))
    words = split_words(text)
    for language in LANGUAGES:
        if (day := _read(words, language, today)) is not None:
            return day
    return None


def read_last_day(text: str, today: date) -> date | None:
    """Return the day that a text such as `until 2 April` names, in any of the languages; None where
    it does not begin so."""
    return read_day(text, today) if begins_with_until(text) else None


def begins_with_until(text: str) -> bool:
    """Whether a text begins with the word that is *until* in any of the languages, the first of
    those that stand for it there."""
    first = split_words(text)[:1]
    return any([*read_vocabulary(each)["until"][0].parts] == first for each in LANGUAGES)


def _read(words: Sequence[str], language: str, today: date) -> date | None:
    meanings = find_meanings(words, language)

    def find(name: str) -> tuple[int, int] | None:
        """Return where a word of these stands, and which it is."""
        for places in meanings.get(name, ()):
            at = min(places)
            spelled = [word.parts[0] for word in read_vocabulary(language)[name]]
            return at, spelled.index(words[at])
        return None

    def read_count(at: int) -> int:
        """Return the number that is written at a place, in digits or as a word; 0 where none is."""
        if at < 0:
            return 0
        if words[at].isdecimal():
            return int(words[at]) if _is_number(words[at]) else 0
        numbers = [word.parts[0] for word in read_vocabulary(language)["numbers"]]
        return numbers.index(words[at]) + 1 if words[at] in numbers else 0

    if (month := find("months")) is not None:
        near = words[max(month[0] - 2, 0) : month[0] + 2]
        number = next((int(word.rstrip("stndrhe")) for word in near if _is_number(word)), 0)
        years = (today.year, today.year + 1)
        days = [_make_date(year, month[1] + 1, number) for year in years]
        return next((day for day in days if day is not None and day > today), None)
    if (weekday := find("weekdays")) is not None:
        ahead = (weekday[1] - today.weekday() - 1) % _WEEK + 1
        return today + timedelta(days=ahead)
    for unit, length in _LENGTHS.items():
        if (place := find(unit)) is not None and (count := read_count(place[0] - 1)):
            return today + timedelta(days=count * length)
    if find("week") is not None:
        return today + timedelta(days=_WEEK)
    return today + timedelta(days=1) if find("tomorrow") is not None else None


def _is_number(word: str) -> bool:
    digits = word.rstrip("stndrhe")
    return digits.isdecimal() and len(digits) < 3 and 0 < int(digits) <= _LATEST


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_SHORTEST_DAY = 2


def read_weekday(text: str) -> int | None:
    """Return the day of the week (0 = Monday) that a word names in any language, or that it begins;
    None where it begins none, or several."""
    word = fold(text).strip(" .")
    days = {
        day
        for language in LANGUAGES
        for day, name in enumerate(read_vocabulary(language)["weekdays"])
        if len(word) >= _SHORTEST_DAY and fold(name.parts[0]).startswith(word)
    }
    return days.pop() if len(days) == 1 else None


def say_weekday(day: int) -> str:
    """Return a day of the week (0 = Monday) in short, such as `sat`, which each reader sees in the
    own language."""
    return Page(partial(_say_weekday, day))


def _say_weekday(day: int, language: str) -> str:
    return name_weekday(day, get_language(language))

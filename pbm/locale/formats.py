"""How each language writes days, months and lists, and what it is called: the part of the CLDR that
the server needs. A test compares it with all of it, which Babel has."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple


class _Forms(NamedTuple):
    """What a language writes.

    name, english  what it is called in itself, and in English
    day            a day, with the words for its parts
    month          a month, likewise
    days           the days of the week, the first is Monday, and the months, as days have them
    conjunctions   what stands before the last of a list: and, or
    """

    name: str
    english: str
    day: str
    month: str
    days: tuple[str, ...]
    short_months: tuple[str, ...]
    months: tuple[str, ...]
    conjunctions: tuple[str, str]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FORMS = {
    "de": _Forms(
        "Deutsch",
        "German",
        "{day}, {date.day}. {short} {date.year}",
        "{month} {date.year}",
        _words("Mo. Di. Mi. Do. Fr. Sa. So."),
        _words("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
        _words(
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
        ),
        ("und", "oder"),
    ),
    "es": _Forms(
        "español",
        "Spanish",
        "{day}, {date.day} {short} {date.year}",
        "{month} de {date.year}",
        _words("lun mar mié jue vie sáb dom"),
        _words("ene feb mar abr may jun jul ago sept oct nov dic"),
        _words(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
            "diciembre"
        ),
        ("y", "o"),
    ),
    "fr": _Forms(
        "français",
        "French",
        "{day} {date.day} {short} {date.year}",
        "{month} {date.year}",
        _words("lun. mar. mer. jeu. ven. sam. dim."),
        _words("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
        _words(
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
        ),
        ("et", "ou"),
    ),
    "nl": _Forms(
        "Nederlands",
        "Dutch",
        "{day} {date.day} {short} {date.year}",
        "{month} {date.year}",
        _words("ma di wo do vr za zo"),
        _words("jan feb mrt apr mei jun jul aug sep okt nov dec"),
        _words(
            "januari februari maart april mei juni juli augustus september oktober november "
            "december"
        ),
        ("en", "of"),
    ),
}
"""All languages but English, which stands in the code."""
_ENGLISH_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def name_language(code: str) -> tuple[str, str]:
    """Return the name of a language: its own, and the English one."""
    return _FORMS[code][:2] if code in _FORMS else ("English", "English")


def name_weekday(day: int, language: str) -> str:
    """Return a day of the week (0 = Monday) as it is typed: `sat`, `sa`."""
    days = _FORMS[language].days if language in _FORMS else _ENGLISH_DAYS
    return days[day].rstrip(".").lower()


def format_day(date: datetime, language: str) -> str:
    """Return a day: `Mo., 23. März 2026`."""
    return _fill(_FORMS[language].day, date, language)


def format_month(date: datetime, language: str) -> str:
    """Return a month: `März 2026`."""
    return _fill(_FORMS[language].month, date, language)


def _fill(pattern: str, date: datetime, language: str) -> str:
    forms = _FORMS[language]
    return pattern.format(
        date=date,
        day=forms.days[date.weekday()],
        short=forms.short_months[date.month - 1],
        month=forms.months[date.month - 1],
    )


def format_list(items: Sequence[str], language: str, *, is_choice: bool) -> str:
    """Return a list: `a, b und c`, or `a, b oder c` when it is a choice."""
    if len(items) < 2:
        return "".join(items)
    conjunction = _FORMS[language].conjunctions[is_choice]
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"

"""The languages of the server. English stands in the code.

Each other language is a folder with one catalogue, as translators edit it (`LC_MESSAGES/pbm.po`),
or compiled, as it is installed. A catalogue is read when somebody first wants its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import cast

from pbm.locale.formats import format_day, format_list, format_month
from pbm.rules.phrases import (
    Composed,
    EnglishWord,
    Listing,
    LoneName,
    Phrase,
    PieceText,
    SeatName,
    Sentence,
    capitalize,
)
from pbm.rules.piece_letters import LOCAL, write_pieces

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "es", "fr", "nl")
"""The languages that there are, by their codes (ISO 639-1)."""
LABEL = "label"
"""The context of names that stand by themselves in a catalogue."""
SIDE = "side"
"""That of sides within sentences, where a player's name may stand instead."""
_CATALOGUE = "LC_MESSAGES/pbm"
_VALUE = re.compile(r"{\w+}")
_MARKS = re.compile(r"[})](?=[:;](?:\s|$))")
"""The ends of values before a colon or a semicolon."""


_loaded: dict[str, NullTranslations] = {}


# What a reader reads is a locale as POSIX has it: a language, and behind an @ how pieces are
# written where it is not by the letters of that language: `de@figurines`. Whatever takes a language
# takes a locale.


def build_locale(language: str, pieces: str = LOCAL) -> str:
    """Return the locale of a reader of a language who wants pieces written so."""
    is_usual = pieces == LOCAL or (language, pieces) == (ENGLISH, "english")
    return language if is_usual else f"{language}@{pieces}"


def get_language(locale: str) -> str:
    """Return the language of a locale."""
    return locale.partition("@")[0]


def load(language: str) -> NullTranslations:
    """Return the catalogue of a language, which is kept; all is said in English where an upgrade
    has taken it away."""
    language = get_language(language)
    if language not in _loaded:
        _loaded[language] = _read(language)
    return _loaded[language]


def peek(language: str) -> NullTranslations:
    """Return the catalogue of a language, which is kept only where it is in use."""
    return _loaded.get(language) or _read(language)


def _read(language: str) -> NullTranslations:
    try:
        return GNUTranslations(BytesIO(_read_compiled(language)))
    except FileNotFoundError:
        return NullTranslations()


def _read_compiled(language: str) -> bytes:
    """Read the compiled catalogue, or compile it where the source is newer or has no other."""
    source = Path(__file__).parent / language / f"{_CATALOGUE}.po"
    compiled = source.with_suffix(".mo")
    if compiled.is_file() and not (source.is_file() and is_stale(source)):
        return compiled.read_bytes()
    return compile_catalogue(source.read_bytes())


def is_stale(source: Path) -> bool:
    """Whether a catalogue has not been compiled since it was last edited."""
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime


def list_forms(text: str | Sequence[str] | None) -> Sequence[str]:
    """Return the forms of a sentence in a catalogue: one, or one a number."""
    return (text or "",) if isinstance(text, str | None) else text


def compile_catalogue(text: bytes) -> bytes:
    """Return a catalogue as translators edit it in the form in which it is installed, in which
    nothing depends on the day."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made, catalogue = BytesIO(), read_po(BytesIO(text))
    catalogue.creation_date = catalogue.revision_date = datetime.fromtimestamp(0, UTC)
    write_mo(made, catalogue)
    return made.getvalue()


class Moment(str):
    """A time as English readers see it, which other languages write in their own way (CLDR).

    local  the time in the reader's zone
    zone   the name of that zone
    """

    __slots__ = ("local", "zone")

    local: datetime
    zone: str

    def __new__(cls, local: datetime, zone: str) -> Moment:
        """Return a time as text: Mon 23 Mar 2026, 12:00 UTC."""
        moment = super().__new__(cls, f"{local:%a %d %b %Y, %H:%M} {zone}")
        moment.local, moment.zone = local, zone
        return moment

    def __reduce__(self) -> tuple[type[Moment], tuple[object, ...]]:
        return Moment, (self.local, self.zone)


class Month(str):
    """A month as English readers see it: March 2026.

    day  any day in it
    """

    __slots__ = ("day",)

    day: datetime

    def __new__(cls, day: datetime) -> Month:
        """Return the month of a day as text."""
        month = super().__new__(cls, f"{day:%B %Y}")
        month.day = day
        return month

    def __reduce__(self) -> tuple[type[Month], tuple[object, ...]]:
        return Month, (self.day,)


class Page(str):
    """A text in English that is written anew in another language, not sentence by sentence.

    write  returns it in a language
    """

    __slots__ = ("write",)

    write: Callable[[str], str]

    def __new__(cls, write: Callable[[str], str]) -> Page:
        """Return the text in English."""
        page = super().__new__(cls, write(ENGLISH))
        page.write = write
        return page

    def __reduce__(self) -> tuple[type[Page], tuple[object, ...]]:
        return Page, (self.write,)


def translate(text: str, language: str) -> str:
    """Return a text in that language; unchanged if it is no phrase or has no translation."""
    if language == ENGLISH:
        return text
    if isinstance(text, PieceText):
        spoken, _, pieces = language.partition("@")
        return write_pieces(text, spoken, pieces)
    if isinstance(text, EnglishWord) and get_language(language) == ENGLISH:
        return str(text)
    if isinstance(text, LoneName | SeatName):
        context = LABEL if isinstance(text, LoneName) else SIDE
        said = load(language).pgettext(context, text.message)
        if said != text.message:
            return said
    if isinstance(text, Phrase):
        said = say_in(language, text.message, text.values, text.plural)
        return capitalize(said) if isinstance(text, Sentence) else said
    if isinstance(text, Page):
        return text.write(language)
    if isinstance(text, Listing):
        return _format_listing(text, language)
    if isinstance(text, Composed):
        return text.compose(partial(translate, language=language))
    spoken = get_language(language)
    if spoken == ENGLISH:
        return text
    if isinstance(text, Month):
        return format_month(text.day, spoken)
    return _format_moment(text, spoken) if isinstance(text, Moment) else text


def _format_moment(moment: Moment, language: str) -> str:
    return f"{format_day(moment.local, language)}, {moment.local:%H:%M} {moment.zone}"


def _format_listing(listing: Listing, language: str) -> str:
    items, spoken = [translate(item, language) for item in listing.items], get_language(language)
    if spoken == ENGLISH:
        return Listing(items, listing.last)
    return format_list(items, spoken, is_choice=listing.last == "or")


def say_in(language: str, message: str, values: Mapping[str, object], plural: str = "") -> str:
    """Return a message in that language, with its values filled in, which may be phrases. A side
    in a pattern without words stands by itself."""
    chosen = choose_form(language, message, values, plural)
    if not values:
        return chosen
    said = dict(values)
    for name, value in values.items():
        if isinstance(value, SeatName) and not any(map(str.isalpha, _VALUE.sub("", chosen))):
            said[name] = translate(LoneName(value.message), language)
        elif isinstance(value, str):
            said[name] = translate(value, language)
    return chosen.format_map(said)


def choose_form(language: str, message: str, values: Mapping[str, object], plural: str = "") -> str:
    """Return a message in that language, still with braces for its values."""
    catalogue = load(language)
    if plural:
        return catalogue.ngettext(message, plural, cast("int", values["count"]))
    said = catalogue.gettext(message) if message else ""  # "" has what a catalogue says of itself
    is_french = get_language(language) == "fr"
    return _set_marks_apart(said) if is_french and said is message else said


def _set_marks_apart(pattern: str) -> str:
    """Return a pattern without words, which is in no catalogue, with a blank before its colons and
    semicolons, as French has it."""
    return _MARKS.sub(r"\g<0> ", pattern)

"""What is wrong with a catalogue, in words for its translator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from string import Formatter
from typing import TYPE_CHECKING

from msgspec import Struct

from pbm.locale import list_forms

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

_MARKS = ("[pbm]", "PASSWORD", "USERID", "CODE", "NEWPASSWORD", "OTHER")
"""Words that stay as they are in every language: the server reads them."""
_ORDINAL = re.compile(r"(\d+|{\w+})\.")
_LONGEST_HEADLINE = 78
_LONGEST_WORD = 60


class TranslationFault(Struct, frozen=True):
    """A fault of one sentence, which is given in English."""

    sentence: str
    text: str


class CatalogueError(ValueError):
    """A file is no catalogue at all."""


def read_catalogue(text: bytes) -> Catalog:
    """Read a catalogue as translators edit it. CatalogueError."""
    from babel.messages.pofile import PoFileError, read_po

    try:
        return read_po(BytesIO(text), abort_invalid=True)
    except (PoFileError, UnicodeDecodeError, ValueError) as error:
        raise CatalogueError(f"this is no catalogue: {error}") from None


def list_untranslated(catalogue: Catalog) -> list[str]:
    """Return the sentences that a reader would get in English."""
    return [
        list_forms(each.id)[0]
        for each in catalogue
        if each.id and (each.fuzzy or not all(list_forms(each.string)))
    ]


def find_contexts(catalogue: Catalog) -> dict[str, list[str]]:
    """Map each sentence that is not clear alone to where it stands, or what it is."""
    return {list_forms(each.id)[0]: each.auto_comments for each in catalogue if each.auto_comments}


def find_faults(catalogue: Catalog) -> Iterator[TranslationFault]:
    """Yield what would reach readers wrong: a value that is missing or unknown, a word changed that
    must stay, a line that cannot be broken, and a headline that is a paragraph."""
    for message in catalogue:
        if message.id and not message.fuzzy and all(list_forms(message.string)):
            sentence = list_forms(message.id)[0]
            for text in _find_faults(message):
                yield TranslationFault(sentence, text)


def _find_faults(message: Message) -> Iterator[str]:
    sources, forms = list_forms(message.id), list_forms(message.string)
    known = [_list_values(source) for source in sources]
    wanted, allowed = known[0].intersection(*known), known[0].union(*known)
    for form in forms:
        try:
            found = _list_values(form)
        except ValueError as error:
            yield f"a brace is wrong: {error}"
            continue
        for name in sorted(wanted - found):
            yield f"the value {{{name}}} is missing"
        for name in sorted(found - allowed):
            yield f"there is no value {{{name}}} here"
        for mark in _MARKS:
            if mark in sources[-1].split() and mark not in form:
                yield f"{mark} must stay as it is"
        if any(len(word) > _LONGEST_WORD for word in form.split()):
            yield f"a word is longer than {_LONGEST_WORD} letters, and no line can be broken there"
        if _is_headline(message) and len(form) > _LONGEST_HEADLINE:
            yield f"a headline may have {_LONGEST_HEADLINE} letters, and this has {len(form)}"
        if _ends(sources[-1]) != _ends(form):
            yield f"it must end as the English does, with {_ends(sources[-1]) or 'no mark'}"


def _list_values(text: str) -> set[str]:
    """Return the names in braces. ValueError for a brace without its other."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _is_headline(message: Message) -> bool:
    """Whether a sentence may be the subject of a mail: it stands in a template, begins small, has
    no full stop, and is short."""
    sentence = list_forms(message.id)[0]
    is_in_mail = not message.locations or any(
        path.endswith(".txt") for path, _ in message.locations
    )
    is_short = len(sentence) <= _LONGEST_HEADLINE
    return is_in_mail and is_short and sentence[:1].islower() and sentence[-1:] not in ".:"


def _ends(text: str) -> str:
    """Return the colon, or the end of a sentence, that a text ends with; "" for none, as in `1.`
    for 1st."""
    if _ORDINAL.fullmatch(text):
        return ""
    last = text.rstrip()[-1:]
    return "a colon" if last == ":" else "a full stop" if last in ".!?" else ""

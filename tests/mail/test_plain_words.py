"""No English stands in the mails to readers of other languages, whatever is told: each word is of a
catalogue, or a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec import Struct

from pbm.core.notices import BoardShown, BoardsShown, Content, Notice
from pbm.games import get_game, list_game_names
from pbm.locale import translate
from pbm.mail.render import get_template_name, render
from pbm.rules.phrases import Listing, Phrase, phrase
from tests.harness.languages import LANGUAGE, list_plain_words, marked
from tests.harness.mail_room import Room
from tests.mail.test_rendering import CONFIG, PEOPLE, conversation, others, room
from tests.mail.test_sentences_of_templates import FOR_PROGRAMS, OPERATORS

__all__ = ["marked", "room"]

_PAGES = {"help_page.txt"}
"""Written anew in each language; `tests/test_translated_pages.py` has these."""
_LEFT_OUT = OPERATORS | FOR_PROGRAMS | _PAGES | {"board_record.txt"}
_WRITTEN = "Hello! Good luck! c3 is strong nan search connection"
"""What people write in these mails, and examples of that."""


def list_values(content: object) -> Iterator[str]:
    """Yield the words of all texts that a sample is made of."""
    if isinstance(content, str):
        if not isinstance(content, Phrase | Listing):
            words = re.findall(r"[A-Za-z'-]+", content)
            yield from (*words, *map(str.capitalize, words))
    elif isinstance(content, Struct):
        for name in content.__struct_fields__:
            yield from list_values(getattr(content, name))
    elif isinstance(content, list | tuple):
        for each in content:
            yield from list_values(each)


def list_pictures(content: Content) -> Iterator[str]:
    """Yield the boards of a mail as they are drawn."""
    if content.drawing is not None:
        yield content.drawing.picture.text
    if isinstance(content, BoardsShown):
        for shown in content.boards:
            yield from list_pictures(shown)


@pytest.mark.usefixtures("marked")
def test_every_word_of_a_mail_is_of_a_catalogue_or_a_value(room: Room) -> None:
    told = list(conversation(room))
    shown = next(each.content for each in told if isinstance(each.content, BoardShown))
    samples = [Notice(content) for content in others(shown)]
    games = map(get_game, list_game_names())
    foreign = [each.info.summary for each in games if not type(each).__module__.startswith("pbm.")]
    found: set[tuple[str, str]] = set()
    for notice in (*told, *samples):
        name = get_template_name(type(notice.content))
        if name in _LEFT_OUT:
            continue
        subject, body = render(notice, CONFIG, language=LANGUAGE)
        for picture in list_pictures(notice.content):
            body = body.replace(picture, "")
        values = {*PEOPLE, *list_values(_WRITTEN), *list_values(foreign)}
        if notice in samples:
            values.update(list_values(notice.content))
        words = list_plain_words(f"{subject}\n{body}", values)
        found.update((name, word) for word in words)
    listed = "\n".join(f"{name}: {word}" for name, word in sorted(found))
    assert not found, listed


@pytest.mark.usefixtures("marked")
def test_a_word_outside_of_the_catalogues_is_found() -> None:
    said = translate(
        phrase("{change}, still provisional", change="ann 1500, much better"), LANGUAGE
    )
    assert list(list_plain_words(said, PEOPLE)) == ["much", "better"]

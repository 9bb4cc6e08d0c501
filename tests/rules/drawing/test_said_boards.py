"""Boards in every language: what stands below and beside the drawing is said, the drawing stays,
and nothing grows beyond a mail."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from pbm.games import get_game
from pbm.locale import LANGUAGES, translate
from pbm.locale.scenes import translate_scene
from pbm.rules import Position
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.phrases import Composed, Listing, Phrase
from tools.games.sampling import list_sampled_names
from tools.words.rebuild import play_randomly

COLUMNS = 78
NAMES = [name for name in list_sampled_names() if type(get_game(name)).__module__[:4] == "pbm."]
"""The games that are not of another package."""
FEW = 40
"""How many moves of a game are looked at, every tenth of them."""
_VALUE = re.compile(r"(\{\w+\})")
_WORD = re.compile(r"(?<![A-Za-z])[a-z]{4,}")
TYPED = {"help", "spacetruckin"}
"""Words of commands in a legend."""


def play(name: str) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Yield some positions of a game, with the last move."""
    moments = play_randomly(get_game(name), random.Random(name), {})
    yield from islice(moments, 0, FEW, 10)


def blot(text: str) -> str:
    """Return a text in a language in which all words are dots, but not what is filled in."""
    if isinstance(text, Composed):
        return text.compose(blot)
    if isinstance(text, Listing):
        return ", ".join(map(blot, text.items))
    if not isinstance(text, Phrase):
        return text
    several = text.plural and text.values["count"] != 1
    parts = _VALUE.split(text.plural if several else text.message)
    dots = [part if _VALUE.fullmatch(part) else re.sub("[a-z]", ".", part) for part in parts]
    values = {
        name: blot(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return "".join(dots).format_map(values) if values else "".join(dots)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_picture_or_beside_it_is_outside_of_the_catalogues(name: str) -> None:
    for position, last in play(name):
        for viewer in (None, 0):
            scene = position.scene(viewer, last)
            names = {word for place in scene.places for word in place.name.split()} | TYPED
            beside = [each.text for each in scene.labels]
            for panel in scene.panels:
                beside += [panel.title, *(each.short or each.text for each in panel.entries)]
            for text in (position.picture(viewer, last).text, *beside):
                assert {*_WORD.findall(blot(text))} <= names, text


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_fits_into_a_mail_in_every_language(name: str) -> None:
    for position, last in play(name):
        picture = position.picture(0, last)
        for language in LANGUAGES:
            for line in translate(picture.text, language).split("\n"):
                assert len(line) <= COLUMNS, f"{language}: {line}"
            for text in picture.texts:
                is_cut = not text.height and 0 < text.room < len(translate(text.text, language))
                assert not is_cut, f"{language}: no more than {text.room} letters for {text.text}"


def test_a_picture_without_words_is_the_same_in_every_language() -> None:
    """So that it is drawn once for all who see it."""
    chess = get_game("chess").setup()
    drawn = {draw_svg(translate_scene(chess.scene(), each), chess.colours) for each in LANGUAGES}
    assert len(drawn) == 1
    assert isinstance(chess.picture().text, Composed)
    assert type(chess.picture().say(str).text) is str


def test_what_stands_below_a_board_is_said_to_its_reader() -> None:
    chess = get_game("chess").setup()
    board, caption = translate(chess.picture().text, "de@english").rsplit("\n\n", 1)
    assert board == chess.picture().text.rsplit("\n\n", 1)[0]
    assert "K Weiß" in caption
    assert "k Schwarz" in caption

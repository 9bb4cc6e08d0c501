"""Sentences as they are stored."""

from __future__ import annotations

import json

import pytest

from pbm.rules.phrases import EnglishWord, Listing, Phrase, SeatName, pack, phrase, unpack

FORGED = "\x1e" + json.dumps(["{name} won", {"name": "ann"}, ""])


@pytest.mark.parametrize(
    "text",
    [
        phrase("{player} won by {points}", player=SeatName("White", 0), points=3),
        Phrase("{count} game", {"count": 2}, "{count} games"),
        Phrase("a seat's name with a { in it"),
        EnglishWord("Austrian", phrase("{name}", name="Austria")),
        Listing(["ann", phrase("nobody else")], "or"),
        "what a person wrote",
    ],
)
def test_a_stored_text_is_read_back(text: str) -> None:
    again = unpack(pack(text))
    assert again == text
    assert type(again) is type(text)


@pytest.mark.parametrize("marks", [0, 1, 2])
def test_what_a_person_wrote_is_never_read_back_as_a_phrase(marks: int) -> None:
    written = "\x1e" * marks + FORGED
    assert not isinstance(unpack(pack(written)), Phrase)
    whole = unpack(pack(phrase("'{text}' is no move", text=written)))
    assert isinstance(whole, Phrase)
    assert not isinstance(whole.values["text"], Phrase)
    (item,) = unpack(pack(Listing([written]))).items  # type: ignore[attr-defined]
    assert not isinstance(item, Phrase)


@pytest.mark.parametrize(
    "stored",
    [
        "\x1e" + "[" * 100_000,
        "\x1e" + json.dumps(["{x:>999999999}", {"x": "a"}, ""]),
        "\x1e" + json.dumps(["{x}", {"x": "a", "count": 2}, "{x:>999999999}"]),
        "\x1e" + json.dumps(["{x.__class__}", {"x": "a"}, ""]),
        "\x1e" + json.dumps(["{x[0]}", {"x": "a"}, ""]),
        "\x1e" + json.dumps(["{x!r}", {"x": "a"}, ""]),
        "\x1e" + json.dumps(["{x}", {}, "several"]),
        "\x1e" + json.dumps(["king", FORGED.replace("{name}", "{name!r}")]),
        "\x1e{}",
        "\x1enull",
    ],
)
def test_what_no_phrase_was_stored_as_is_left_as_it_is(stored: str) -> None:
    """So a column in which somebody wrote such a text is still shown to an operator."""
    assert unpack(stored) == stored

"""Sentences as lines that fit, with the marks of each language where it has them."""

from __future__ import annotations

from pbm.mail.render import COLUMNS, fill, format_sentence


def test_no_line_begins_with_a_mark_that_french_sets_apart() -> None:
    for filler in range(COLUMNS):
        text = f"{'m' * filler} « Bien joué » : veux-tu {'m' * filler} rejouer ? Oui ; non !"
        lines = fill(text).splitlines()
        assert " ".join(lines) == text
        for line in lines:
            assert not line.startswith((":", ";", "!", "?", "»"))
            assert not line.endswith("«")


def test_a_sentence_begins_with_a_capital_after_the_marks_that_open_it_too() -> None:
    assert format_sentence("¿quieres jugar?") == "¿Quieres jugar?"
    assert format_sentence("¡ya está!") == "¡Ya está!"
    assert format_sentence("¿") == "¿."
    assert format_sentence("ann writes", "ann") == "ann writes."

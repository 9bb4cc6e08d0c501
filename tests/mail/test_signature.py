"""Cards with telephone numbers and addresses under a comment that no `-- ` announces."""

from __future__ import annotations

import pytest

from pbm.mail.additions import remove_card


@pytest.mark.parametrize(
    "card",
    [
        "+49 170 1234567",
        "Mobile: +44 7700 900123",
        "Ann Smith\n555-010-1234",
        "Ann Smith\nACME Ltd.\n12 Elm Street\nTel. 030 1234567",
        "Ann Smith | ACME | +1 555 010 1234",
        "Ann Smith\nann@acme.example \u00b7 www.acme.example",
        "Mit freundlichen Grüßen\nAnn Smith\nHandy +49 170 1234567",
    ],
)
@pytest.mark.parametrize("comment", ["Well played!", "Well played!\n\nShall we play again?"])
def test_a_card_is_split_off(comment: str, card: str) -> None:
    assert remove_card(f"{comment}\n\n{card}") == (comment, tuple(card.split("\n")))


@pytest.mark.parametrize(
    "comment",
    [
        "Good luck!",
        "Good luck\n\nBob",
        "Best regards,\nAnn",
        "I can be reached under +49 170 1234567 tonight.",
        "Look at this:\n\nhttps://example.org/game/17",
        "I thought about\n\n11-15 23-19\n12-16 24-20",
        "1. e4 e5\n\n2. Nf3 Nc6",
        "Born 1970-01-01\n\n2026-03-02 12:00",
        "Regards,\nbut I shall win this one, you will see!",
        "4 5 6\n\n7 8 9 10 11 12 13",
        "",
    ],
)
def test_words_stay(comment: str) -> None:
    assert remove_card(comment) == (comment, ())

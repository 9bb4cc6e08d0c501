"""Signatures under a comment that no `-- ` announces."""

# ruff: noqa: RUF001 -- letters of many languages look alike

from __future__ import annotations

import pytest

from pbm.mail.own_words import remove_signature

NAME = "Ann Smith"


@pytest.mark.parametrize(
    "signature",
    [
        "Ann Smith",
        "ANN SMITH",
        "Best regards,\nAnn",
        "Best regards,\n\nAnn Smith",
        "Kind regards\nDr. Ann Smith\nHead of Research\nACME Ltd.",
        "Viele Grüße\nAnn",
        "Mit freundlichen Grüßen\nAnn Smith",
        "Mit freundlichen Gruessen,\n\nAnn Smith\nTel. 030 1234567",
        "LG Ann\n\n+49 170 1234567",
        "Cheers, Ann",
        "Cordialement,\nAnn",
        "Met vriendelijke groet,\nAnn",
        "Med vänlig hälsning\nAnn",
        "С уважением,\nАнна",
        "+49 170 1234567",
        "Mobile: +44 7700 900123",
        "Ann Smith\n555-010-1234",
        "Ann Smith\nACME Ltd.\n12 Elm Street\n12345 Springfield\nhttps://acme.example",
        "Ann Smith | ACME | +1 555 010 1234",
        "Ann Smith\nann@acme.example · www.acme.example",
        "Musterstraße 7\n10115 Berlin",
    ],
)
@pytest.mark.parametrize("comment", ["Well played!", "Well played!\n\nShall we play again?"])
def test_what_is_cut(comment: str, signature: str) -> None:
    assert remove_signature(f"{comment}\n\n{signature}", NAME) == comment


def test_a_comment_that_is_nothing_but_a_signature_is_none() -> None:
    assert remove_signature("Best regards,\nAnn Smith\n+49 170 1234567", NAME) == ""
    assert remove_signature("Ann Smith", NAME) == ""
    assert remove_signature("", NAME) == ""


@pytest.mark.parametrize(
    "comment",
    [
        "Good luck!",
        "Good luck\n\nBob",
        "Call me: +49 170 1234567",
        "I can be reached under +49 170 1234567 tonight.",
        "Look at this:\n\nhttps://example.org/game/17",
        "I thought about\n\n11-15 23-19\n12-16 24-20",
        "1. e4 e5\n\n2. Nf3 Nc6",
        "Born 1970-01-01\n\n2026-03-02 12:00",
        "Cheers",
        "Cheers, Bob",
        "Best move ever\nBob",
        "All the best!",
        "Best regards to your wife,\nshe plays better than you do.",
        "Regards,\nbut I shall win this one, you will see!",
        "What a move\n\nNice One",
        "4 5 6\n\n7 8 9 10 11 12 13",
        "I live in\n\n10115 Berlin",
    ],
)
def test_what_stays(comment: str) -> None:
    assert remove_signature(comment, NAME) == comment

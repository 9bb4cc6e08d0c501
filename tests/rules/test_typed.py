"""Helpers of parsers of typed moves."""

import pytest

from pbm.rules.typed import left_of, listing, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a1", "'a1'"), ("a\n\u00e9", "'a?\u00e9'"), ("x" * 41, "'" + "x" * 40 + "...'"), ("", "''")],
)
def test_a_refusal_repeats_text_safely(text: str, shown: str) -> None:
    assert quoted(text) == shown


def test_what_is_left_has_no_separators_at_its_ends() -> None:
    assert left_of("a1-a2 , b1-b2, pass. ", 5) == "b1-b2, pass"
    assert left_of("end.", 3) == ""


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), ("abc", "a, b and c")]
)
def test_a_listing(words: list[str], text: str) -> None:
    assert listing(words) == text
    assert listing(["a", "b"], "or") == "a or b"

"""Days, months and lists are written as the CLDR has them, by which Babel goes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from babel import Locale
from babel.dates import format_skeleton
from babel.lists import format_list as format_by_cldr

from pbm.locale import LANGUAGES
from pbm.locale.formats import format_day, format_list, format_month, name_language


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_language_is_written_as_the_cldr_has_it(language: str) -> None:
    for number in range(366):
        day = datetime(2028, 1, 1, tzinfo=UTC) + timedelta(days=number)
        assert format_day(day, language) == format_skeleton("yMMMEd", day, locale=language)
        assert format_month(day, language) == format_skeleton("yMMMM", day, locale=language)
    for size in range(4):
        items = ["a", "b", "c"][:size]
        all_of_them = format_by_cldr(items, "standard", language)
        assert format_list(items, language, is_choice=False) == all_of_them
        assert format_list(items, language, is_choice=True) == format_by_cldr(items, "or", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_its_names(language: str) -> None:
    names = [Locale(language).get_language_name(reader) for reader in (language, "en")]
    assert name_language(language) == tuple(map(str, names))

"""Days as people write them, in each language."""

from __future__ import annotations

from datetime import date

import pytest

from pbm.core.intents import read_day

_TODAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I am on holiday for two weeks", date(2026, 12, 13)),
        ("away for 10 days", date(2026, 12, 9)),
        ("ich bin drei Wochen im Urlaub", date(2026, 12, 20)),
        ("14 jours de vacances", date(2026, 12, 13)),
        ("de vacaciones dos semanas", date(2026, 12, 13)),
        ("ik ben twee weken weg", date(2026, 12, 13)),
        ("away next week", date(2026, 12, 6)),
        ("a week off", date(2026, 12, 6)),
        ("back on 12 December", date(2026, 12, 12)),
        ("the days are long", None),
    ],
)
def test_a_day_is_read_as_it_is_written(text: str, day: date | None) -> None:
    assert read_day(text, _TODAY) == day

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
        ("3 more days please", date(2026, 12, 2)),
        ("zwei weitere Wochen", date(2026, 12, 13)),
        ("ich bin drei Wochen im Urlaub", date(2026, 12, 20)),
        ("14 jours de vacances", date(2026, 12, 13)),
        ("de vacaciones dos semanas", date(2026, 12, 13)),
        ("ik ben twee weken weg", date(2026, 12, 13)),
        ("away next week", date(2026, 12, 6)),
        ("a week off", date(2026, 12, 6)),
        ("back on 12 December", date(2026, 12, 12)),
        ("bis 24.12.", date(2026, 12, 24)),
        ("bis 5.3. weg", date(2027, 3, 5)),
        ("hasta el 24/12", date(2026, 12, 24)),
        ("until 12/24/2026", date(2026, 12, 24)),
        ("tot 24-12-2026", date(2026, 12, 24)),
        ("until 5/3", None),
        ("bis zum 5.3", date(2027, 3, 5)),
        ("2.5 days", None),
        ("31.2.", None),
        ("the days are long", None),
    ],
)
def test_a_day_is_read_as_it_is_written(text: str, day: date | None) -> None:
    assert read_day(text, _TODAY) == day

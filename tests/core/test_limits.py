"""The table of limits: every key of the configuration has a row, and what is spent is counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import fields

from pbm.config import Config, Limits
from pbm.core.limits import HOUR, Limit, Spent, Tally, has_room, list_spent, spend
from pbm.store.daily_counters import DAY
from pbm.store.engine import Store


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opened = Store(request.getfixturevalue(f"{request.param}_url"))
    yield opened
    opened.close()


NOON = 20_000 * DAY + 12 * HOUR


def test_every_key_has_a_row() -> None:
    keys = {f"[limits] {each.name}" for each in fields(Limits)}
    keys |= {"[events] open_events"}
    assert {limit.key for limit in Limit} - {""} == keys
    for limit in Limit:
        assert limit.find_most(Config()) > 0, limit


@pytest.mark.parametrize(
    ("limit", "within", "after"),
    [
        (Limit.PUZZLES, 11 * HOUR, 12 * HOUR),
        (Limit.UNLOCKS, HOUR - 1, HOUR),
        (Limit.CODES, 6 * DAY, 7 * DAY),
    ],
)
def test_a_limit_is_spent_within_its_window(
    store: Store, limit: Limit, within: float, after: float
) -> None:
    config = Config()
    with store.writing() as session:
        for _ in range(limit.find_most(config)):
            assert spend(session, limit, 1, NOON, config)
        assert not spend(session, limit, 1, NOON + within, config)
        assert has_room(session, limit, 2, NOON + within, config)
        assert spend(session, limit, 1, NOON + after, config)


def test_nothing_is_counted_without_a_limit(store: Store) -> None:
    config = Config(limits=Limits(puzzles_a_day=0))
    with store.writing() as session:
        for _ in range(99):
            assert spend(session, Limit.PUZZLES, 1, NOON, config)
        assert list_spent(session, Limit.PUZZLES, NOON, 1) == []


def test_who_has_spent_it_is_listed(store: Store) -> None:
    config = Config()
    with store.writing() as session:
        for amount, now in ((1, NOON), (1, NOON + HOUR), (2, NOON + HOUR)):
            for who in range(amount):
                spend(session, Limit.UNLOCKS, who, now, config)
        found = list_spent(session, Limit.UNLOCKS, NOON + HOUR, 1)
    assert sorted(found) == [
        Spent(["0"], 1, False),
        Spent(["0"], 1, True),
        Spent(["1"], 1, True),
    ]


def test_a_share_is_at_least_one() -> None:
    few, none = Config(limits=Limits(strangers_an_hour=2)), Config(limits=Limits(errors_a_day=0))
    assert Limit.STRANGERS_BY.find_most(few) == Limit.STRANGERS_AT.find_most(few) == 1
    assert Limit.ERRORS.find_most(none) == 0


def test_a_tally_begins_anew_with_each_window() -> None:
    config, tally = Config(limits=Limits(prompt_mails_an_hour=2)), Tally(Limit.PROMPT_MAILS)
    for _ in range(2):
        assert tally.has_room("ann", NOON, config)
        tally.add("ann", NOON)
    assert not tally.has_room("ann", NOON, config)
    assert tally.has_room("bob", NOON, config)
    assert tally.has_room("ann", NOON + HOUR, config)

"""The loop of a developer finds the tests that a change touches, the nearest first."""

from __future__ import annotations

import pytest

from tools.check import choose, find_games, find_tests, measure_distances


def test_the_shortest_chain_of_imports_counts() -> None:
    graph = {"a": set[str](), "b": {"a"}, "c": {"b"}, "d": {"a", "c"}, "e": set[str]()}
    assert measure_distances(graph, ["a"]) == {"a": 0, "b": 1, "d": 1, "c": 2}
    assert measure_distances(graph, ["e", "gone"]) == {"e": 0}


@pytest.mark.parametrize(
    ("changed", "nearest"),
    [
        ("pbm/rules/boards/hexagons.py", "tests/rules/boards/test_hexagons.py"),
        ("tests/core/test_verbs.py", "tests/core/test_verbs.py"),
        ("tests/rules/diplomacy/datc.txt", "tests/rules/diplomacy/test_datc.py"),
        ("tests/cli/conftest.py", "tests/cli/test_act.py"),
        ("docs/web.md", "tests/docs"),
        ("migrations/versions/0001_tables.py", "tests/store/test_migrate.py"),
    ],
)
def test_what_imports_a_changed_file_is_tested_first(changed: str, nearest: str) -> None:
    layout, *tests = find_tests([changed])
    assert layout == "tests/test_layout.py"
    assert nearest in tests[:6]


def test_what_does_not_import_it_is_left_out() -> None:
    tests = find_tests(["pbm/rules/boards/hexagons.py"])
    assert "tests/mail/test_courier.py" not in tests


def test_a_changed_game_is_held_against_the_conformance_suite() -> None:
    changed = ["pbm/games/hex.py", "pbm/games/cradle/puzzles.txt", "pbm/games/__init__.py", "a.md"]
    assert find_games(changed) == ["cradle", "hex"]


def test_the_nearest_that_fit_into_the_time_are_chosen() -> None:
    seconds = {"tests/a/test_one.py": 4.0, "tests/a/test_two.py": 5.0, "tests/test_b.py": 8.0}
    tests = ["tests/a", "tests/test_b.py", "tests/test_c.py"]
    assert choose(tests, seconds, 17.0) == ["tests/a", "tests/test_b.py"]
    assert choose(tests, {**seconds, "tests/test_c.py": 7.0}, 16.0) == [
        "tests/a",
        "tests/test_c.py",
    ]
    assert choose(tests, seconds, 1.0) == ["tests/a"]
    assert choose(tests, seconds, 60.0) == tests

"""A feature is added by one line and one folder, and taken away by them, and nothing else
changes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbm.core.feature import get_features
from pbm.features import FEATURES

_ROOT = Path(__file__).parents[2]
_SCENES = "tests/conversations/birthdays/scenes.py"
_ADDED = ("-p", "tests.conversations.birthdays.install")
_COPIED = ("pbm", "migrations", "tests", "docs", "pyproject.toml")
_OTHERS = (
    *("tests/core/test_verbs.py", "tests/core/test_submit.py", "tests/core/test_help_pages.py"),
    *("tests/conversations/test_main_job.py", "tests/cli/test_reopening.py"),
    "tests/conversations/test_web.py::test_a_get_changes_nothing",
)
"""What knows all commands and their help, whole games by mail, `pbm admin check`, and pages."""
_DIP = "tests/conversations/test_dip.py"
_BESIDE = {
    "message_of_the_day": (
        "tests/conversations/test_analyses.py",
        "tests/conversations/test_erasing.py",
        "tests/conversations/test_event_pages.py",
    ),
    "notes": ("tests/conversations/test_planned_moves.py", "tests/conversations/test_erasing.py"),
    "plans": (
        "tests/core/test_refusals.py",
        "tests/conversations/test_notes.py",
        "tests/conversations/test_agreeing.py",
        "tests/conversations/test_open_turns.py",
    ),
    "puzzles": ("tests/core/test_refusals.py", "tests/conversations/test_erasing.py"),
    "press": (
        f"{_DIP}::test_a_phase_is_adjudicated_when_the_last_orders_are_in",
        f"{_DIP}::test_orders_stand_in_the_body_of_a_reply",
        f"{_DIP}::test_orders_that_cannot_be_taken_change_nothing",
    ),
}
"""What comes nearest to a feature: codes of refusals and personal data, others that add to mails
and to the front page, boards with notes or turns that go on, a game that is talked."""
_OWN = {
    "notes": "tests/conversations/test_notes.py",
    "plans": "tests/conversations/test_planned_moves.py",
}
"""Of those, what goes with a feature."""
_LEFT_OUT = "not postgresql and not test_a_page_fits"
_NAMED_ELSEWHERE = {
    "notes": " and not (test_every_example_is_a_command and plans)",
    "plans": " and not test_pages_and_mails_name_only_pages_that_there_are",
}
"""The page on plans tells of notes too; the first page of the help and the tutorial tell newcomers
of plans, and name that page."""


def _run_tests(folder: Path, *words: str) -> None:
    """Run tests of the program in that folder in a process of their own."""
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-n", "0", *words),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "[100%]" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("plugin", "scene"), [(_ADDED, "test_a_feature_is_there"), ((), "test_a_feature_is_not_there")]
)
def test_one_line_adds_a_feature_and_takes_it_away(plugin: tuple[str, ...], scene: str) -> None:
    _run_tests(_ROOT, *plugin, f"{_SCENES}::{scene}", "--every-way", "-k", "process")


@pytest.mark.long
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(sorted(_BESIDE), id="all"),
        *(pytest.param([name], id=name, marks=pytest.mark.long) for name in sorted(_BESIDE)),
    ],
)
def test_a_feature_goes_with_its_folder_and_its_line(tmp_path: Path, names: list[str]) -> None:
    """Each by itself in the long form, otherwise all at once."""
    for each in _COPIED:
        if (_ROOT / each).is_dir():
            shutil.copytree(_ROOT / each, tmp_path / each)
        else:
            shutil.copyfile(_ROOT / each, tmp_path / each)
    features = tmp_path / "pbm" / "features"
    listed = features / "__init__.py"
    for name in names:
        shutil.rmtree(features / name)
        line = rf"from pbm\.features\.{name} import .*\n|    {name.upper()},\n"
        text, count = re.subn(line, "", listed.read_text(encoding="utf-8"))
        assert count == 2
        listed.write_text(text, encoding="utf-8")
    chosen = _LEFT_OUT + "".join(_NAMED_ELSEWHERE.get(name, "") for name in names)
    beside = {each for name in names for each in _BESIDE[name]}
    beside -= {_OWN.get(name, "") for name in names}
    _run_tests(tmp_path, "-k", chosen, *_OTHERS, *sorted(beside))


def test_nothing_beside_a_feature_names_puzzles() -> None:
    """Their limit aside, which is a key of the configuration."""
    rooms = ("core", "store", "mail", "web", "daemon", "cli", "features")
    paths = [path for room in rooms for path in (_ROOT / "pbm" / room).rglob("*.py")]
    naming = [path for path in paths if "puzzle" in path.read_text(encoding="utf-8").lower()]
    assert {path.relative_to(_ROOT / "pbm").parts[:2] for path in naming} == {
        ("core", "limits.py"),  # the one table of limits has a row of theirs
        ("features", "__init__.py"),
        ("features", "puzzles"),
    }


def test_the_features_are_those_of_the_list() -> None:
    assert tuple(get_features()) == FEATURES

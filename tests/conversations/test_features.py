"""A feature is added by one line and taken away by one line, and nothing else changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbm.core.feature import (
    get_features,
)
from pbm.features import FEATURES

_ROOT = Path(__file__).parents[2]
_SCENES = "tests/conversations/birthdays/scenes.py"
_ADDED = ("-p", "tests.conversations.birthdays.install")


@pytest.mark.parametrize(
    ("plugin", "scene"), [(_ADDED, "test_a_feature_is_there"), ((), "test_a_feature_is_not_there")]
)
def test_one_line_adds_a_feature_and_takes_it_away(plugin: tuple[str, ...], scene: str) -> None:
    scenes = [f"{_SCENES}::{scene}", "--every-way", "-k", "process"]
    command = [sys.executable, "-m", "pytest", "-n", "0", *plugin, *scenes]
    done = subprocess.run(
        command, cwd=_ROOT, env=os.environ, capture_output=True, text=True, check=False
    )
    assert "[100%]" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_features_are_those_of_the_list() -> None:
    assert tuple(get_features()) == FEATURES

"""A feature is added by one line and taken away by one line, and nothing else changes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pbm.core.feature import (
    ActRow,
    Feature,
    find_function,
    get_features,
    list_operator_rows,
    list_verbs,
)
from pbm.features import FEATURES

_ROOT = Path(__file__).parents[2]
_SCENES = "tests/conversations/birthdays/scenes.py"
_ADDED = ("-p", "tests.conversations.birthdays.install")
_NO_HOOKS = {"package", "verbs", "reply_kind", "operator_acts", "lists", "templates", "pages"}


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


def test_nobody_in_the_core_names_a_feature_but_the_list() -> None:
    """Nor is one missing in the import contract, by which no feature imports another."""
    names = {each.package.rpartition(".")[2] for each in FEATURES}
    named = re.compile(rf"\bpbm\.core\.({'|'.join(names)})\b")
    core = _ROOT / "pbm" / "core"
    for path in [*core.glob("*.py"), *(core / "kernel").rglob("*.py")]:
        if path.name != "features.py":
            assert not named.search(path.read_text(encoding="utf-8")), path
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["name"]: each for each in settings["tool"]["importlinter"]["contracts"]}
    contract = contracts["No feature imports another; all stand on the kernel"]
    assert set(contract["layers"][2].split(" | ")) == names


@pytest.mark.parametrize("feature", FEATURES, ids=lambda each: each.package)
def test_each_hook_is_a_function(feature: Feature) -> None:
    hooks = [getattr(feature, name) for name in Feature._fields if name not in _NO_HOOKS]
    for hook in filter(None, hooks):
        assert callable(find_function(f"{feature.package}.{hook}"))
    for verb in list_verbs():
        for name in filter(None, (verb.do, verb.implied, verb.asked, verb.verify)):
            assert callable(find_function(name))
    for row in list_operator_rows():
        reads = [each.reads for each in row.arguments] if isinstance(row, ActRow) else [row.find]
        for name in filter(None, (getattr(row, "do", ""), *reads)):
            assert callable(find_function(name))

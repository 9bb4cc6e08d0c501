"""The distribution is pbm-server: pbm on the package index is somebody else's, and nothing of ours
may bring it into anybody's environment."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NAMED = re.compile(
    r"""
    (?<![\w.-]) pbm \[ (?: [a-z]+ (?:,[a-z]+)* \] | \{ )  # with extras
    | (?:pipx? | uv ) \s (?:tool\s)? (?:install|add|run|inject) \b [^\n`]* \s ['"]? pbm (?![\w./-])
    | ['"\s] pbm \s* (?:[<>=!~]=|[<>]) \s* ['"]?\d  # with a version
    | dependencies \s* = \s* \[ [^\]]* ['"] pbm ['"\[]
    """,
    re.VERBOSE,
)

_IGNORED = re.compile(r"(^|/)\.(?!ci/)|^(var|build|dist|debian/(wheels|pbm-server))/|__pycache__")
"""What is no file of ours in a tree where something was built, hidden files but those of CI."""


def find_strangers(text: str) -> list[str]:
    """What in the text names the package of others."""
    return [match[0].strip() for match in NAMED.finditer(text)]


def test_the_distribution_is_called_pbm_server() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "pbm-server"
    assert project["scripts"] == {"pbm": "pbm.cli:main"}


def test_nothing_of_ours_names_the_package_of_others() -> None:
    paths = [
        path for path in ROOT.rglob("*") if not _IGNORED.search(path.relative_to(ROOT).as_posix())
    ]
    named = {}
    for path in paths:
        if not path.is_file() or path == Path(__file__):
            continue
        try:
            found = find_strangers(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue
        if found:
            named[str(path.relative_to(ROOT))] = found
    assert named == {}


@pytest.mark.parametrize(
    "text",
    [
        "pip install pbm",
        "pip install -q 'pbm[imap]'",
        "pipx install pbm",
        "uv tool install pbm",
        "needs pbm[tracing]",
        'dependencies = ["pbm"]',
        'dependencies = ["pbm>=0.1.0"]',
        "pbm==0.2.0",
        "install pbm[{{ extra }}]",
    ],
)
def test_a_name_of_others_is_found(text: str) -> None:
    assert find_strangers(f"x {text}\n") != []


@pytest.mark.parametrize(
    "text", ["pip install pbm-server", "pip install -q ~/pbm", "pip install -e .", "pbm serve"]
)
def test_a_name_of_ours_is_not(text: str) -> None:
    assert find_strangers(f"x {text}\n") == []

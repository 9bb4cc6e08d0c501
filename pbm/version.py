"""Which version this is: a release, or a number of commits after one.

hatchling runs this file alone when it builds (pyproject.toml), so it imports nothing of pbm."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

RELEASE = "0.2.0"
"""The newest release. The commit that changes this line is that release; those after it are
development versions: 0.1.1.dev37+g0123456789ab."""

_HERE = Path(__file__).resolve()
_ROOT = _HERE.parent.parent
_NOTE = _HERE.with_name("version.txt")
"""Written into what is built (hatch_build.py, config/Containerfile, debian/rules)."""
_ARCHIVED = "$Format:%h %D$"
"""Commit and names in what `git archive` writes (.gitattributes)."""


@cache
def find_version() -> str:
    """Return the version by PEP 440. A server asks when it starts, and keeps the answer when its
    files are replaced."""
    if (_ROOT / ".git").exists() and (commit := _git("rev-parse", "--short=12", "HEAD")):
        return _count(commit)
    if _NOTE.exists():
        return _NOTE.read_text(encoding="utf-8").strip()
    commit, _, names = _ARCHIVED.partition(" ")
    if f"tag: v{RELEASE}" in names.split(", "):
        return RELEASE
    return _describe("0", commit)


def _count(commit: str) -> str:
    """Return the version of the commit that is checked out; its number is 0 where history is cut
    off before the release."""
    line = "^RELEASE = "
    release = _git("log", "-1", "--format=%H %P", "-G", line, "--", str(_HERE)).split()
    if len(release) < 2:  # a release has a parent, and what a shallow clone begins with has none
        return _describe("0", commit)
    number = _git("rev-list", "--count", f"{release[0]}..HEAD")
    return RELEASE if number == "0" else _describe(number or "0", commit)


def _describe(number: str, commit: str) -> str:
    """Return the version of a commit after the newest release."""
    series, _, patch = RELEASE.rpartition(".")
    version = f"{series}.{int(patch) + 1}.dev{number}"
    return f"{version}+g{commit}" if re.fullmatch("[0-9a-f]{7,40}", commit) else version


def _git(*words: str) -> str:
    command = ["git", "-C", str(_ROOT), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)  # noqa: S603 (no input)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    print(find_version())

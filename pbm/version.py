"""Which version this is, and of which commit it was built."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from importlib import import_module
from pathlib import Path

import pbm

_ROOT = Path(__file__).resolve().parent.parent


def find_commit() -> str:
    """The commit that this program was built of, or that is checked out; "" when nobody knows."""
    try:
        return str(import_module("pbm._commit").COMMIT)  # written by hatch_build.py
    except ImportError:
        return _ask_git()


def _ask_git() -> str:
    if not (_ROOT / ".git").exists():
        return ""
    command = ["git", "-C", str(_ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5)  # noqa: S603 (no input)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    commit = done.stdout.strip()
    return commit if re.fullmatch("[0-9a-f]{12}", commit) else ""


@cache
def describe_version() -> str:
    """Version and commit: 0.1.0 (0123456789ab). A server asks when it starts, and keeps the answer
    when its files are replaced."""
    commit = find_commit()
    return f"{pbm.__version__} ({commit})" if commit else pbm.__version__

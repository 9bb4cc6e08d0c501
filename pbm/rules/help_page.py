"""The help page that a game kept as a package brings along as a text file."""

from __future__ import annotations

from importlib.resources import files


def read_help(package: str, name: str = "help.txt") -> str:
    """The text of a file beside the modules of a package: `read_help(__name__)` in its face."""
    return files(package).joinpath(name).read_text(encoding="utf-8")

"""Reads the help page that a package brings as a text file."""

from __future__ import annotations

from importlib.resources import files


def read_help(package: str, name: str = "help.txt") -> str:
    """The text of a file next to the modules of a package; call it as `read_help(__name__)`
    there."""
    return files(package).joinpath(name).read_text(encoding="utf-8")

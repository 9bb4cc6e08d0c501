"""Reads the help page that a package brings as a text file."""

from __future__ import annotations

from pkgutil import get_data


def read_help(package: str, name: str = "help.txt") -> str:
    """Return the text of a file next to the modules of a package; call it as `read_help(__name__)`
    there."""
    data = get_data(package, name)
    if data is None:
        raise FileNotFoundError(name)
    return data.decode()

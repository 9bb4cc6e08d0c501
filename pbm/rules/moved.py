"""Names of the interface for games that have moved: games that import them from where they were
go on working, with a warning that says where they are."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module


def forward(module: str, **moved: str) -> Callable[[str], object]:
    """Return a module's `__getattr__`, for names that have left it, each with where it is now:
    `__getattr__ = forward(__name__, join_words="pbm.rules.phrases.Listing")`."""

    def find(name: str) -> object:
        if name not in moved:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_moved(f"{module}.{name}", moved[name])
        place, _, now = moved[name].rpartition(".")
        return getattr(import_module(place), now)

    return find


def warn_moved(old: str, new: str) -> None:
    """Warn whoever imports a name that has moved, in the line that does."""
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)

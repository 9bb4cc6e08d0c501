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
        old, new = f"{module}.{name}", moved[name]
        warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=2)
        place, _, now = new.rpartition(".")
        return getattr(import_module(place), now)

    return find

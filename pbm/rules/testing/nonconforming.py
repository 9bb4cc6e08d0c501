"""The failure of a check of the conformance suite."""

from __future__ import annotations


class Nonconforming(AssertionError):
    """The game breaks the contract of the game interface; the text says where."""


def require(condition: object, what: str) -> None:
    """Raise Nonconforming(what) unless the condition holds; unlike `assert` it is never optimized
    away."""
    if not condition:
        raise Nonconforming(what)

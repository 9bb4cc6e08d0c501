"""The protocols by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from pbm.engines.dialogue import Engine

PROTOCOLS: Mapping[str, str] = {
    "uci": "uci:Uci",
    "usi": "uci:Usi",
    "ucci": "uci:Ucci",
    "xboard": "xboard:Xboard",
    "gtp": "gtp:Gtp",
    "hub": "hub:Hub",
    "gnubg": "gnubg:Gnubg",
}
"""Where each is translated."""


def build_engine(protocol: str) -> Engine:
    """Return a new translation. KeyError for a protocol that is not among PROTOCOLS."""
    module, _, name = PROTOCOLS[protocol].partition(":")
    build: Callable[[], Engine] = getattr(import_module(f"pbm.engines.{module}"), name)
    return build()

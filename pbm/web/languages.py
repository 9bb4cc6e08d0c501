"""The language of a page: that of the player whom it is for, or what its visitor's browser asks
for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import Scope

from pbm.locale import LANGUAGES

_LONGEST = 200
"""Letters of a header that are read: browsers send far fewer."""


def find_language(scope: Scope, default: str) -> str:
    """Return the language that a visitor likes best of those that there are; `default` where none
    of them is named, or none is left."""
    return _negotiate(Headers(scope=scope).get("accept-language", "")[:_LONGEST], default)


@lru_cache(maxsize=256)
def _negotiate(accepted: str, default: str) -> str:
    from babel import negotiate_locale

    found = negotiate_locale(_list_preferred(accepted), LANGUAGES, sep="-", aliases={})
    return found.lower() if found else default


def _list_preferred(accepted: str) -> list[str]:
    """Return the languages of a header, the one that is liked best first (RFC 9110, 12.5.4)."""
    weights = dict[str, float]()
    for part in accepted.split(","):
        name, _, quality = part.partition(";")
        weights[name.strip()] = _read_weight(quality)
    liked = sorted(weights, key=lambda name: -weights[name])
    return [name for name in liked if name and weights[name] > 0]


def _read_weight(quality: str) -> float:
    """Return the weight in `q=0.8`: 1 where there is none, 0 where it is none."""
    name, _, number = quality.partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0


def choose_language(preferences: Mapping[str, str], default: str) -> str:
    """Return the language of a player's pages, which is that of the player's mails."""
    return preferences.get("language") or default

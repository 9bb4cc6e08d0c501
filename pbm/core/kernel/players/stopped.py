"""Which mails a player has stopped: all of them, or those of a kind.

It stands among the preferences, under a key that `set` does not know, beside how the player wants
mails to look: that is as before when they begin again."""

from __future__ import annotations

from collections.abc import Mapping

ALL, BOARDS, EVENTS = "everything", "boards", "events"
"""Kinds of mails that a player can stop. Those of a kind of their own, such as the daily digest,
have a preference for it."""
_KEY = "stopped"


def list_stopped(preferences: Mapping[str, str]) -> frozenset[str]:
    """Return the kinds that a player with these preferences has stopped."""
    return frozenset(preferences.get(_KEY, "").split())


def has_stopped(preferences: Mapping[str, str], kind: str) -> bool:
    """Whether mails of that kind do not go to a player with these preferences."""
    stopped = list_stopped(preferences)
    return ALL in stopped or kind in stopped


def stop(preferences: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return the preferences of a player who stops mails of that kind."""
    return {**preferences, _KEY: " ".join(sorted(list_stopped(preferences) | {kind}))}


def resume(preferences: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return the preferences of a player who has mails of that kind again; of ALL, any mails."""
    left = list_stopped(preferences) - {ALL, kind} if kind != ALL else frozenset()
    others = {key: value for key, value in preferences.items() if key != _KEY}
    return {**others, _KEY: " ".join(sorted(left))} if left else others

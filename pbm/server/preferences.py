"""Preferences: what a player may choose, and `set`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import available_timezones

from sqlalchemy import update

from pbm.server import clock
from pbm.server.call import Call
from pbm.server.notice import Notice
from pbm.server.refusal import Refusal
from pbm.server.vacations import look_soon
from pbm.store.tables import players


@dataclass(frozen=True, slots=True)
class Preference:
    """One choice: its key, what is allowed (words for people), the default and what it does."""

    key: str
    allowed: str
    default: str
    help: str
    accepts: Callable[[str], str | None]


def _one_of(*values: str) -> Callable[[str], str | None]:
    return lambda text: text.lower() if text.lower() in values else None


def _clock(text: str) -> str | None:
    if text.lower() == "no":
        return "no"
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text)
    return f"{int(found[1]):02}:{found[2]}" if found else None


def _off(text: str) -> str | None:
    days = clock.read_off(text)
    return None if days is None else ",".join(clock.WEEKDAYS[day] for day in sorted(days)) or "no"


def _zone(text: str) -> str | None:
    zones = {zone.lower(): zone for zone in available_timezones()}
    return zones.get(text.lower())


def _name(text: str) -> str | None:
    plain = " ".join(text.replace("_", " ").split())
    return plain if plain.isprintable() and 0 < len(plain) <= 40 else None


PREFERENCES = (
    Preference("ask", "yes or no", "no", "yes: nobody starts a board with you without asking",
               _one_of("yes", "no")),
    Preference("mail", "text or html", "text", "html: a coloured board beside the text",
               _one_of("text", "html")),
    Preference("own", "yes or no", "yes", "no: no mail about your own moves", _one_of("yes", "no")),
    Preference("digest", "no or a time such as 07:00", "no",
               "one mail a day instead of single reminders", _clock),
    Preference("off", f"no or up to {clock.MOST_OFF} days such as sat,sun", "no",
               "days of the week on which your clocks rest", _off),
    Preference("broadcasts", "yes or no", "yes", "no: no mail to everybody reaches you",
               _one_of("yes", "no")),
    Preference("zone", "a city such as Europe/Berlin", "UTC", "your time zone", _zone),
    Preference("name", "how you are called, blanks as _", "", "shown beside your userid", _name),
)  # fmt: skip


def next_digest(chosen: Mapping[str, str], now: float) -> float | None:
    """When the next digest of a player with those preferences goes out; None without one."""
    at = chosen.get("digest", "no")
    return None if at == "no" else clock.next_at(chosen.get("zone", "UTC"), at, now)


def set_preferences(call: Call) -> list[Notice]:
    """Change preferences, or show them; Refusal names the first that is not understood."""
    player = call.me
    chosen = dict(player.preferences)
    known = {preference.key: preference for preference in PREFERENCES}
    pairs = _pairs(call.command.words, known)
    for key, text in pairs:
        preference = known.get(key)
        if preference is None:
            raise Refusal(
                "a preference is one of " + ", ".join(known) + ", written key=value",
                f"set {player.userid} PASSWORD mail=html",
                f"set {player.userid} PASSWORD",
            )
        value = preference.accepts(text)
        if value is None:
            raise Refusal(
                f"{preference.key} is {preference.allowed}",
                f"set {player.userid} PASSWORD {preference.key}={preference.default or 'Ann'}",
            )
        chosen[preference.key] = value
    if pairs:
        call.session.execute(
            update(players)
            .where(players.c.id == player.id)
            .values(preferences=json.dumps(chosen), digest_at=next_digest(chosen, call.now))
        )
        look_soon(call.session, player.id, call.now)
    rows = [
        (each.key, chosen.get(each.key, each.default), each.allowed, each.help)
        for each in PREFERENCES
    ]
    return [call.answer("preferences", userid=player.userid, rows=rows, changed=bool(pairs))]


def _pairs(words: Sequence[str], known: Container[str]) -> list[tuple[str, str]]:
    """Keys and values however they are spaced: `own=no`, `own = no`, `own no`, `name=Ann Lee`."""
    found: list[tuple[str, str]] = []
    for word in " ".join(words).replace("=", " = ").split():
        if word == "=" and found:
            continue
        if word.lower() in known or not found:
            found.append((word.lower(), ""))
        else:
            key, text = found[-1]
            found[-1] = (key, f"{text} {word}".strip())
    return found

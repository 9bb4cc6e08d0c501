"""Recognises programs that answer our mails at once, again and again, in words that hardly change:
in a number, a date, or one word."""

from __future__ import annotations

import hashlib

from sqlalchemy import bindparam, select

from pbm.store import daily_counters
from pbm.store.tables import outbound
from pbm.store.transaction import Session

AT_ONCE = 30.0
"""Seconds after a mail of ours within which a program answers, and a person seldom."""
_LEAST_WORDS = 3
_MOST_WORDS = 24

_LAST_MAIL = (
    select(outbound.c.created)
    .where(outbound.c.player_id == bindparam("player"))
    .order_by(outbound.c.id.desc())
    .limit(1)
)


def allow_like(session: Session, name: str, player: int, text: str, now: float, most: int) -> bool:
    """Count a text that a player sends at once after a mail to them, under a name; whether no more
    than `most` like it came today."""
    likenesses = list_likenesses(text)
    last = session.execute(_LAST_MAIL, {"player": player}).scalar() if likenesses else None
    if last is None or now - last > AT_ONCE:
        return True
    counts = [daily_counters.increment(session, f"{name} {each}", now) for each in likenesses]
    return max(counts) <= most


def list_likenesses(text: str) -> list[str]:
    """Return digests of the words of a text, all and each one left out: texts that differ in one
    word have one in common. Only words of letters count; fewer than three are like nothing, so that
    moves are not taken for each other."""
    found = dict.fromkeys(word.strip(".,;:!?()[]'\"<>*_").lower() for word in text.split())
    words = sorted([word for word in found if len(word) > 1 and word.isalpha()][:_MOST_WORDS])
    shorter = [[*words[:at], *words[at + 1 :]] for at in range(len(words))]
    return [
        hashlib.blake2b(" ".join(each).encode("utf-8", "replace"), digest_size=8).hexdigest()
        for each in (words, *shorter)
        if len(each) >= _LEAST_WORDS
    ]

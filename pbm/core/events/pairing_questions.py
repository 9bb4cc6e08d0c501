"""The questions about an event that people ask in their own words: why am I paired with bob?"""

from __future__ import annotations

import re

_ASKED = (
    r"(?i)(?:(?:please|hi|hello)[,!]? )?(?:(?:can|could) you )?"
    r"(?:tell me |explain(?: to me)? |and )?"
    r"(?:why|how come|how is it that) (?:"
    r"(?:am|was|did|do) i (?:been |get |got )?(?:re-?)?paired (?:up )?(?:with|against) "
    r"(?P<with>[a-z][a-z0-9_-]+)(?: again| now)?"
    r"|i (?:am|was|got) paired (?:up )?(?:with|against) (?P<also>[a-z][a-z0-9_-]+)(?: again| now)?"
    r"|(?:do|did) i (?:have|get|not have) (?:no|an?|any) (?:opponent|bye|pairing)(?: now)?"
    r"|(?:am|was) i not paired(?: now)?"
    r")(?: in (?:this )?round (?P<round>[0-9]{1,3}))?(?: (?:of|in) event #?(?P<event>[0-9]{1,9}))?"
    r"(?: in round (?P<later>[0-9]{1,3}))?[ ?.!]*"
)
_WHYS = frozenset({"why", "how"})
"""Each question has one of these words, and few other lines do."""


def read_pairing_question(line: str) -> tuple[str, ...] | None:
    """Return the words of `event why` that a line asks for: `with` and a userid, a round, and the
    number of the event last, "" where the line has none; None for any other line."""
    if _WHYS.isdisjoint(line.lower().split()):
        return None
    match = re.fullmatch(_ASKED, " ".join(line.split()))
    if match is None:
        return None
    opponent = match["with"] or match["also"]
    round = match["round"] or match["later"]
    words = ["with", opponent] if opponent else []
    return (*words, *([round] if round else []), match["event"] or "")

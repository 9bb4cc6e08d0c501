"""Questions and wishes in players' own words, and a yes to an offer."""

from __future__ import annotations

from pbm.core.feature import Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.intents.answers import answer, ask, say_yes

_VERBS = (
    Verb(
        "ask",
        ("question+",),
        ask,
        "a question or a wish in your own words: ask which games are there",
        Act.LOOK,
        Group.LOOKING,
        "In a reply the word ask may be left out. What is understood is answered, or what it\n"
        "takes is offered; nothing is done without your yes.",
    ),
    Verb(
        "offer yes",
        ("word*",),
        say_yes,
        "the word yes alone, in reply to a mail that offers something, does it",
        Act.LOOK,
        Group.LOOKING,
        "The answer to what cannot be done offers what you most likely meant. A yes on the first\n"
        "line does that, once, within a week; no, or no answer, does nothing.",
        may_change=True,
    ),
)

FEATURE = Feature(__package__, verbs=_VERBS, answers=answer)

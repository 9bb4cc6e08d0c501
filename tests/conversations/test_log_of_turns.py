"""The list of moves below a board counts turns, however many moves each takes."""

from __future__ import annotations

import re

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

_MOVES = ("e12-e11, m-e12", "e1-e2, m-e1", "e11-e9", "e2-e4", "e9-e8", "f1-f2")
_EXAMPLE = re.compile(r"Reply with your move, for instance:? (.+?)\.? (?:Please|This turn)")
_NUMBER = re.compile(r"^ +(\d+) (ann|bob) ", re.MULTILINE)


def _list_turns(mail: Mail) -> list[tuple[str, str]]:
    return _NUMBER.findall(mail.text)


def test_turns_of_several_moves_have_one_number(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("spacecradles", "ann", "bob")
    talk.plays(_MOVES, "ann", "bob", latest=latest)
    talk.proves("ann", "spacecradles show 1")
    shown = [(str(turn), ("bob", "ann")[turn % 2]) for turn in range(1, 7)]
    assert _list_turns(talk.any_mail("ann")) == shown
    talk.proves("ann", "spacecradles resign 1")
    assert _list_turns(talk.any_mail("ann")) == shown
    talk.any_mail("bob")


def test_the_end_of_a_long_list_goes_on_counting(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("fanorona", "ann", "bob")
    for turn in range(14):
        example = _EXAMPLE.search(" ".join(latest[turn % 2].text.split()))
        assert example is not None
        talk.replies(latest[turn % 2], example[1])
        latest = [talk.any_mail(who) for who in ("ann", "bob")]
    shown = _list_turns(latest[0])
    assert shown[-1] == ("14", "bob")
    assert [int(number) for number, _ in shown] == [*range(15 - len(shown), 15)]


def test_who_passes_or_swaps_is_told_so(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("hex", "ann", "bob")
    latest = talk.plays(["f6", "swap"], "ann", "bob", latest=latest)
    assert latest[0].text.startswith("Your move in 21 days: bob swapped sides.")
    assert latest[1].text.startswith("You swapped sides.")
    latest = talk.challenge("go", "ann", "bob", options="-size=9")
    latest = talk.plays(["pass"], "ann", "bob", latest=latest)
    assert latest[0].text.startswith("You passed.")
    assert latest[1].text.startswith("Your move in 21 days: ann passed.")

"""Ends of boards: what they unlock while they can be taken back."""

from __future__ import annotations

import itertools

from pbm.features.records.record import parse_record
from tests.conversations.test_passwords import UNLIMITED
from tests.harness.conversation import Conversation
from tools.attacks.catalogue import Run, attack

_OPENING = ["f3", "e5", "g4"]


@attack("ends", "what a board shows once it is over, while `undo` still opens it", in_suite=True)
def taken_back(run: Run) -> str:
    """A board is ended in a way that can be taken back, asked about, and played on. Another one
    that has really ended is asked about later and analysed first."""
    talk = run.talk(limits=UNLIMITED, bots={"enabled": True, "analysis_seconds": 0.1})
    talk.signup("ann", "bob", "cat")
    number = 0
    ways = itertools.product(("resign", "draw"), (("bob",), ("ann", "cat")))
    for end, askers in run.some(ways, 2):
        number += 1
        latest = talk.plays(_OPENING, "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))
        if end == "draw":
            talk.replies(latest[0], "propose")
            talk.any_mail("ann")
            latest[1] = talk.any_mail("bob")
        talk.replies(latest[1], "accept" if end == "draw" else "resign")
        latest = [talk.any_mail(who) for who in ("ann", "bob")]
        for who in askers:
            talk.proves(who, f"chess analyse {number}")
            assert "can still be taken back" in talk.any_mail(who).text
        _await_another_analysis(talk, number + 1)
        for who in ("ann", "bob", "cat"):
            assert not talk.waiting(who), (end, who)
            talk.proves(who, f"chess export {number}")
            record = parse_record(talk.any_mail(who).text)
            assert "analysis" not in record, (end, who)
        talk.replies(latest[1], "undo")
        for who in ("ann", "bob"):
            assert "took back" in talk.any_mail(who).subject, (end, who)
        number += 1
    return f"nothing of {run.tries} boards before they were played on"


def _await_another_analysis(talk: Conversation, number: int) -> None:
    """Have cat and ann play another board to its end, and wait for its analysis."""
    moves = [*_OPENING, "Qh4"]
    mated = talk.plays(moves, "cat", "ann", latest=talk.challenge("chess", "cat", "ann"))
    talk.replies(mated[0], "analyse")
    talk.receives("cat", f"[chess {number}] it will be analysed")
    assert talk.awaited_mail("cat").subject == f"[chess {number}] analysis"

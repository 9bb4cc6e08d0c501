"""What the operator corrects in events: players in and out, dates, pairings and results, each with
its reason in the mails and its row in the audit table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import select

from pbm.config import Config, Server
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal
from pbm.core.submit import Submission
from pbm.daemon.keys import load_secrets
from pbm.features.events import admin as event_acts
from pbm.features.events.running import find_event_differences
from pbm.mail.compose import build_service
from pbm.store.tables import audit
from pbm.store.transaction import Session
from tests.harness.conversation import DAY, SERVER, Conversation
from tests.harness.databases import all_rows
from tests.harness.mail import Mail

_CONFIG = Config(server=Server(address=SERVER))
FOUR = ("ann", "bob", "carl", "dora")


def correct(talk: Conversation, do: Callable[[OperatorAct], Sequence[Notice]]) -> None:
    """The operator does something, because of a slip."""
    secrets = load_secrets(talk.server.store)
    service, now = build_service(_CONFIG, secrets), talk.clock()

    def act(session: Session) -> Sequence[Notice]:
        return do(OperatorAct(session, "root", "a slip", now, secrets, _CONFIG))

    with talk.server.store.writing() as session:
        service.submit(session, Submission((act,), now), now)
    talk.passes(days=0.01)


def refuses(talk: Conversation, do: Callable[[OperatorAct], Sequence[Notice]], says: str) -> None:
    """The operator is refused with these words."""
    with pytest.raises(Refusal) as refusal:
        correct(talk, do)
    assert says in refusal.value.text


def make(talk: Conversation, terms: str, *people: str) -> None:
    """Ann makes event 1, and these people enter."""
    talk.signup(*FOUR)
    talk.proves("ann", f"event new {terms} --name=Cup")
    for who in people:
        talk.proves(who, "event enter 1")
    talk.everything()


def pairs_of(mails: Sequence[Mail]) -> dict[str, int]:
    """Who is paired by these mails, on which boards."""
    return {
        mail.fact("Players"): int(mail.fact("Board"))
        for mail in mails
        if "new board" in mail.subject
    }


def actions(talk: Conversation) -> list[str]:
    """What the audit table says, without reasons, which are all the same."""
    with talk.server.store.reading() as session:
        assert list(find_event_differences(session)) == []
        rows = all_rows(session, select(audit.c.action, audit.c.reason))
    assert {row.reason for row in rows} == {"a slip"}
    return [row.action for row in rows]


def test_a_swiss_is_corrected_in_every_way(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=3 --max=3 --begins=2026-04-01", "ann", "bob", "carl")
    correct(talk, lambda act: event_acts.add_entrant(act, 1, "dora"))
    talk.receives("dora", "[event 1] a correction", "The operator entered dora: a slip.")
    correct(talk, lambda act: event_acts.remove_entrant(act, 1, "carl"))
    talk.receives("carl", "[event 1] you no longer play in Cup", "took you out: a slip.")
    correct(talk, lambda act: event_acts.add_entrant(act, 1, "carl"))
    refuses(talk, lambda act: event_acts.add_entrant(act, 1, "carl"), "already takes part")
    correct(talk, lambda act: event_acts.set_begin(act, 1, talk.clock() + DAY))
    talk.everything()
    talk.passes(days=1)
    paired = pairs_of(talk.everything())
    (one, other), (third, fourth) = (names.split() for names in paired)
    refuses(
        talk,
        lambda act: event_acts.set_pairs(act, 1, [(one, third)]),
        "name all players of these boards",
    )
    wanted = [(third, one), (other, fourth)]
    correct(talk, lambda act: event_acts.set_pairs(act, 1, wanted))
    mails = talk.everything()
    cancelled = [mail for mail in mails if "cancelled" in mail.subject]
    assert len(cancelled) == 4
    assert all(
        "the operator paired round 1 otherwise: a slip" in " ".join(mail.text.split())
        for mail in cancelled
    )
    again = pairs_of(mails)
    assert set(again) == {" ".join(pair) for pair in wanted}
    refuses(talk, lambda act: event_acts.set_pairs(act, 1, [("ann", "zoe")]), "zoe does not play")
    first, second = again.values()
    correct(talk, lambda act: event_acts.set_result(act, 1, first, (1.0, 0.0)))
    mails = talk.everything()
    assert sum("a correction" in mail.subject for mail in mails) == 2
    correct(talk, lambda act: event_acts.set_result(act, 1, second, None))
    talk.everything()
    talk.mails("ann", "event pairings 1")
    shown = talk.receives("ann", "[event 1] pairings", "1 - 0, adjudicated", "does not count")
    assert "Round 2" in shown.text
    correct(talk, lambda act: event_acts.remove_entrant(act, 1, fourth))
    correct(talk, lambda act: event_acts.add_entrant(act, 1, fourth))
    correct(talk, lambda act: event_acts.set_end(act, 1, talk.clock() + 9 * DAY))
    correct(talk, lambda act: event_acts.end_now(act, 1))
    over = [mail for mail in talk.everything() if mail.subject == "[event 1] Cup is over"]
    assert len(over) == 4
    correct(talk, lambda act: event_acts.set_result(act, 1, first, (0.5, 0.5)))
    talk.everything()
    talk.mails("ann", "event pairings 1")
    talk.receives("ann", "[event 1] pairings", "½ - ½, adjudicated")
    assert actions(talk) == [
        "event 1: entered",
        "event 1: removed",
        "event 1: entered",
        "event 1: begins Tue 03 Mar 2026, 12:43 UTC",
        f"event 1: round 1 paired {third}-{one}, {other}-{fourth}",
        f"event 1: board {first} 1 - 0",
        f"event 1: board {second} does not count",
        "event 1: removed",
        "event 1: entered",
        "event 1: ends Thu 12 Mar 2026, 14:09 UTC",
        "event 1: ended",
        f"event 1: board {first} ½ - ½",
    ]


def test_what_a_round_robin_cannot_have_is_refused(talk: Conversation) -> None:
    make(talk, "roundrobin cradle -size=2", "ann", "bob", "carl")
    talk.passes(days=7)
    talk.everything()
    refuses(
        talk, lambda act: event_acts.add_entrant(act, 1, "dora"), "only a Swiss or a ladder takes"
    )
    refuses(
        talk,
        lambda act: event_acts.set_pairs(act, 1, [("ann", "bob")]),
        "pairings follow from the table",
    )
    refuses(talk, lambda act: event_acts.set_begin(act, 1, talk.clock() + DAY), "has begun")
    refuses(talk, lambda act: event_acts.set_result(act, 1, 1, (5.0, 0.0)), "give points for each")
    correct(talk, lambda act: event_acts.cancel(act, 1))
    mails = talk.everything()
    assert sum(mail.subject == "[event 1] Cup is cancelled" for mail in mails) == 3
    refuses(talk, lambda act: event_acts.end_now(act, 1), "event 1 is cancelled")
    assert actions(talk) == ["event 1: cancelled"]

"""`pbm admin check` names what is wrong with an event: each kind of fault planted once."""

from __future__ import annotations

from contextlib import suppress

import pytest
from sqlalchemy import Update, update

from pbm.features.events.running import find_event_differences
from pbm.features.events.tables import pairings
from pbm.store.tables import entrants, events
from tests.conversations.test_kinds_of_events import FOUR, make, play_open_boards
from tests.harness.conversation import Conversation

_GAME = pairings.c.number == 1
FAULTS = {
    "it is in the state lost": update(events).values(state="lost", look=None),
    "but nobody looks at it": update(events).values(look=None),
    "its commitment is not that of its secret": update(events).values(commitment="0" * 64),
    "its start numbers are": update(entrants).where(entrants.c.number == 4).values(number=7),
    "is played by (1, 1)": update(pairings).where(_GAME).values(entrants="[1, 1]"),
    "is played by (1, 9)": update(pairings).where(_GAME).values(entrants="[1, 9]"),
    "which is not there": update(pairings).where(_GAME).values(board_id=77),
    "has other points than the result": update(pairings).where(_GAME).values(points="[0.5, 0.5]"),
    "is open, but board 1 is over": update(pairings).where(_GAME).values(how="open", points=None),
    "an event that has no such game": update(pairings).where(_GAME).values(board_id=None),
}


class _UndoneError(Exception):
    """What ends a transaction whose fault has been looked at."""


def find_planted(talk: Conversation, fault: Update) -> list[str]:
    """What the check says of a fault, which is then taken back."""
    said: list[str] = []
    with suppress(_UndoneError), talk.server.store.writing() as session:
        assert session.execute(fault).rowcount
        session.flush()
        said = list(find_event_differences(session))
        raise _UndoneError
    return said


@pytest.mark.postgresql
def test_every_kind_of_fault_is_named(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=3 --name=Cup", *FOUR)
    talk.passes(days=7)
    play_open_boards(talk, talk.everything())
    talk.passes(days=0.5)
    talk.everything()
    with talk.server.store.reading() as session:
        assert list(find_event_differences(session)) == []
    for words, fault in FAULTS.items():
        said = find_planted(talk, fault)
        assert any(words in sentence for sentence in said), (words, said)
    with talk.server.store.reading() as session:
        assert list(find_event_differences(session)) == []

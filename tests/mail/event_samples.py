"""Contents about an event, with what each of its fields may hold."""

from __future__ import annotations

from typing import Any

from pbm.core.notices import Content
from pbm.features.events.notices import (
    EventAnnounced,
    EventBegun,
    EventByes,
    EventCancelled,
    EventCard,
    EventCorrected,
    EventDeadline,
    EventEntered,
    EventFile,
    EventFree,
    EventLeft,
    EventLine,
    EventList,
    EventMade,
    EventOver,
    EventPage,
    EventPart,
    EventShown,
)

_CARD = EventCard(
    event=3,
    name="Spring Swiss",
    kind="swiss",
    game="hex",
    title="Hex",
    maker="ann",
    state="running",
    season=1,
    begins="Mon 2 Mar 2026, 12:00 UTC",
    ends="Mon 25 May 2026, 12:00 UTC",
    terms="-size=7 --clock=1",
    rules=["Five rounds.", "What is unfinished at the end is a draw."],
    about="Everybody is welcome.",
    count=2,
    most=40,
    commitment="ab" * 32,
    secret="",
)
_PARTS = [EventPart("Standings", ["1  ann  2", "2  bob  1"]), EventPart("", ["No round is open."])]
_LINE = EventLine(3, "Spring Swiss", "swiss", "hex", "running", 2, "ends 25 May")


def build_event_contents() -> list[Content]:
    """One of each kind, and another where a field may be empty."""
    about: dict[str, Any] = {"game": "hex", "event": 3, "name": "Spring Swiss"}
    return [
        EventList(open=[_LINE], running=[_LINE], ended=[_LINE], entry=7),
        EventList(open=[], running=[], ended=[]),
        EventShown(**about, card=_CARD, parts=_PARTS, is_in=False, closed=""),
        EventShown(**about, card=_CARD, parts=_PARTS, is_in=True, closed=""),
        EventMade(**about, card=_CARD, announced=1),
        EventAnnounced(**about, card=_CARD, userid="bob"),
        EventEntered(**about, card=_CARD, userid="bob", is_late=True),
        EventByes(**about, userid="bob", rounds=[2, 4]),
        EventByes(**about, userid="bob", rounds=[]),
        EventEntered(**about, card=_CARD, userid="bob", is_late=False),
        EventLeft(**about, userid="bob", why="", boards=["board 4 is annulled"], is_answer=True),
        EventLeft(**about, userid="bob", why="silent", boards=[], is_answer=False),
        EventBegun(**about, card=_CARD, players=["ann", "bob"]),
        EventFree(**about, round=2, reason="The number of players is odd."),
        EventDeadline(
            **about,
            until="Mon 25 May 2026, 12:00 UTC",
            boards=["board 4, ann - bob"],
            rule="It is then a draw.",
        ),
        EventOver(**about, card=_CARD, own="You are first of 2.", parts=_PARTS, news=["A cup."]),
        EventCancelled(**about, reason="Only one player entered."),
        EventPage(**about, title="Why ann plays bob", parts=_PARTS),
        EventFile(
            **about,
            title="Record",
            lines=["2 players"],
            file="event-3.json",
            kind="application/json",
            text="{}",
        ),
        EventCorrected(**about, change="bob beat ann on board 4 (a wrong click)."),
    ]

"""The table of an event's games."""

from __future__ import annotations

from sqlalchemy import ForeignKey

from pbm.store.rows import ID, Row, column, make_table, partial_index, primary_key


class PairingRow(Row):
    """A game of an event: who plays whom, on which board, and how it counts."""

    event_id: int = primary_key(ID, ForeignKey("events.id"))
    number: int = primary_key(comment="within the event, from 1")
    stage: str = column(comment="main, losers, final")
    division: int = column(comment="or group, or match, from 0")
    round: int
    place: int = column(comment="the table within the round")
    leg: int = column(comment="which board of the match, from 1")
    entrants: str = column(comment="start numbers, in the order of the seats")
    reason: str = column(comment="of the pairing, as a sentence")
    board_id: int | None = column(ID, unique=True)
    points: str | None = column(comment="of each seat; NULL while it is being played")
    how: str = column(comment="open, played, forfeit, adjudicated, bye, annulled")
    note: str = column(server_default="", comment="more about how it ended")
    late: int | None = column(comment="the seat whose time ran out")
    begun: float
    due: float | None = column(comment="when it is adjudicated")
    ended: float | None = column(comment="when its result stands")


pairings = make_table("pairings", PairingRow, comment=PairingRow.__doc__)
partial_index("ix_pairings_open", pairings.c.how == "open", pairings.c.event_id, pairings.c.number)

"""The tables of events: tournaments, seasons of leagues, ladders and tours."""

from sqlalchemy import ForeignKey, Index

from pbm.store.rows import ID, Row, column, make_table, partial_index, primary_key, reference


class EventRow(Row):
    """An event: a tournament, a season of a league, a ladder or a tour."""

    id: int = primary_key(ID)
    kind: str
    game: str
    name: str
    player_id: int | None = reference("players", index=True, comment="who made it")
    state: str = column(comment="open, running, over, cancelled")
    options: str = column(comment="of the game: name to value")
    server: str = column(comment="of the server: name to value")
    rules: str = column(comment="of the event: name to value")
    most: int | None = column(comment="how many may enter")
    lowest: int | None = column(comment="the lowest rating, as shown, that may enter")
    highest: int | None
    vacation: float = column(comment="days for which an entrant's clocks may stand still")
    silent: float = column(comment="days without a word after which an entrant is taken out")
    about: str = column(server_default="", comment="what its maker writes of it")
    season: int = column(server_default="1")
    series: int | None = column(ID, index=True, comment="the event that was its first season")
    tour: int | None = column(ID, index=True, comment="the tour that it counts for")
    secret: str = column(comment="64 hexadecimal digits that decide all lots")
    commitment: str = column(comment="SHA-256 of the secret, public at once")
    created: float
    begins: float
    ends: float | None
    ended: float | None
    announced: float | None = column(comment="when those who want to hear of it did")
    warned: float | None = column(comment="boards that end before then were announced")
    revision: int = column(server_default="0", comment="raised by every change")
    look: float | None = column(comment="when the scheduler looks at it next")


events = make_table("events", EventRow, comment=EventRow.__doc__)
Index("ix_events_state", events.c.state, events.c.id)
partial_index(
    "ix_events_unannounced",
    events.c.announced.is_(None) & (events.c.state == "open"),
    events.c.created,
)
partial_index("ix_events_look", events.c.look.is_not(None), events.c.look)


class EntrantRow(Row):
    """A player who has entered an event."""

    event_id: int = primary_key(ID, ForeignKey("events.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    number: int = column(comment="start number, from 1")
    rating: int
    division: int = column(server_default="0", comment="or group, from 0")
    joins: int = column(server_default="1", comment="the first round")
    entered: float
    left: float | None
    why: str = column(server_default="", comment="why the entrant left")
    byes: str = column(server_default="", comment="rounds without a pairing, as asked for: 2,4")
    lots: str = column(server_default="", comment="drawn under an earlier userid, as JSON")


entrants = make_table("entrants", EntrantRow, comment=EntrantRow.__doc__)

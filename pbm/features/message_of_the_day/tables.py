"""The tables of messages of the day."""

from sqlalchemy import ForeignKey

from pbm.store.rows import ID, Row, column, make_table, primary_key


class MessageRow(Row):
    """A message of the day."""

    id: int = primary_key(ID)
    text: str
    begun: float
    ended: float | None = column(comment="NULL while it holds")


class ReadingRow(Row):
    """A player whom a mail has told a message of the day."""

    message_id: int = primary_key(ID, ForeignKey("messages_of_the_day.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    at: float


messages = make_table("messages_of_the_day", MessageRow, comment=MessageRow.__doc__)
readings = make_table("message_readings", ReadingRow, comment=ReadingRow.__doc__)

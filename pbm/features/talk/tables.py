"""The table of what players of a board write to all its other players."""

from __future__ import annotations

from sqlalchemy import literal_column

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference


class ChatRow(Row):
    """A text that a player of a board wrote to its other players."""

    id: int = primary_key(ID)
    board_id: int = reference("boards", index=True)
    player_id: int = reference("players", index=True)
    text: str
    at: float = column(index=True)
    kibitz: bool = column(
        server_default=literal_column("false"),
        comment="from who watches: the players read it after the end",
    )


chats = make_table("chats", ChatRow, comment=ChatRow.__doc__)

"""The table of press: what players of a board write to some of its other players."""

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference


class PressRow(Row):
    """A text that a player of a board wrote to some of its other players."""

    id: int = primary_key(ID)
    board_id: int = reference("boards", index=True)
    player_id: int = reference("players", index=True)
    seat: int = column(comment="the writer's, when it was written")
    readers: str = column(comment="the seats that it went to, as seat:player, separated by blanks")
    unsigned: bool
    ply: int = column(comment="the ply to be played when it was written")
    text: str
    at: float


press = make_table("press", PressRow, comment=PressRow.__doc__)

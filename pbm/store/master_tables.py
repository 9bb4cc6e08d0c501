"""The table of masters."""

from sqlalchemy import ForeignKey

from pbm.store.rows import ID, Row, make_table, primary_key, reference


class MasterRow(Row):
    """The player who runs a board without playing on it."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    player_id: int = reference("players", index=True)


masters = make_table("masters", MasterRow, comment=MasterRow.__doc__)

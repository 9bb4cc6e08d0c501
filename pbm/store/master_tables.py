"""The tables of masters, and of those whom they ask to play on."""

from sqlalchemy import ForeignKey

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference


class MasterRow(Row):
    """The player who runs a board without playing on it."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    player_id: int = reference("players", index=True)


class ReplacementRow(Row):
    """A player who was asked to take a seat over, by who holds it or by the board's master."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    seat: int = primary_key()
    player_id: int = reference("players", index=True)
    member_id: int | None = column(ID, comment="of a party, whose place it is")


masters = make_table("masters", MasterRow, comment=MasterRow.__doc__)
replacements = make_table("replacements", ReplacementRow, comment=ReplacementRow.__doc__)

"""The table of puzzles."""

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference


class PuzzleRow(Row):
    """A puzzle that was mailed to a player."""

    id: int = primary_key(ID)
    player_id: int = reference("players", index=True)
    game: str
    strength: str = column(comment="easy, medium, hard")
    moves: str = column(comment="that lead to its position")
    sent: float
    state: str = column(comment="open, or what counts: solved, missed, given_up")
    answered: float | None = column(comment="when that was decided")


puzzles = make_table("puzzles", PuzzleRow, comment=PuzzleRow.__doc__)

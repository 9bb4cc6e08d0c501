"""The tables of analyses of boards that are over."""

from sqlalchemy import ForeignKey

from pbm.store.rows import ID, Row, column, make_table, partial_index, primary_key


class AnalysisRow(Row):
    """What a search or an engine thinks of a board that is over."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    number: int = column(comment="of the last row in moves: the analysis is void with any other")
    state: str = column(comment="waiting, done, failed")
    asked: float
    claimed: float | None = column(comment="when a daemon last worked on it")
    finished: float | None
    result: str = column(server_default="", comment="as JSON")


analyses = make_table("analyses", AnalysisRow, comment=AnalysisRow.__doc__)
partial_index(
    "ix_analyses_waiting",
    analyses.c.state == "waiting",
    analyses.c.asked,
)


class AnalysisRequestRow(Row):
    """A player who waits for the analysis of a board."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    at: float


analysis_requests = make_table(
    "analysis_requests", AnalysisRequestRow, comment=AnalysisRequestRow.__doc__
)

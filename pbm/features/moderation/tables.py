"""The table of what moderators were shown to be decided."""

from sqlalchemy import UniqueConstraint

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference


class CaseRow(Row):
    """Something to be decided that a moderator was shown, under a number of their own."""

    id: int = primary_key(ID)
    player_id: int = reference("players", comment="the moderator")
    kind: str = column(comment="report, signup, words")
    about: int = column(ID, comment="its number among those of its kind")


cases = make_table(
    "cases",
    CaseRow,
    UniqueConstraint("player_id", "kind", "about"),
    comment=CaseRow.__doc__,
)

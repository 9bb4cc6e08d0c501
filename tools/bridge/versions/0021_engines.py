"""The accounts of engines are found without a look at all players, and the open boards of a player
without a look at those that are over."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    _create_partial_index("ix_players_engines", "players", "id", "password = '!engine'")
    # SQLite takes the newest of the indexes that serve alike.
    op.drop_index(op.f("ix_seats_open"), "seats")
    _create_partial_index("ix_seats_open", "seats", "player_id", "rank IS NULL")


def _create_partial_index(name: str, table: str, column: str, condition: str) -> None:
    where = sa.text(condition)
    op.create_index(op.f(name), table, [column], sqlite_where=where, postgresql_where=where)

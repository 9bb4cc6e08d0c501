"""Opponents hear of a vacation when it begins; of those planned before they have heard."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.add_column(
        "pauses",
        sa.Column(
            "announced", sa.Double(), nullable=True, comment="when opponents heard of a vacation"
        ),
    )
    op.execute("UPDATE pauses SET announced = created WHERE kind = 'vacation'")
    unheard = sa.text("announced IS NULL AND kind = 'vacation'")
    op.create_index(
        "ix_pauses_unannounced",
        "pauses",
        ["begins"],
        sqlite_where=unheard,
        postgresql_where=unheard,
    )

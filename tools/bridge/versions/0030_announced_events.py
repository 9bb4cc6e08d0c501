"""An event is announced once a second player has entered; those made before have been announced."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.add_column(
        "events",
        sa.Column(
            "announced", sa.Double(), nullable=True, comment="when those who want to hear of it did"
        ),
    )
    op.execute("UPDATE events SET announced = created")
    unheard = sa.text("announced IS NULL AND state = 'open'")
    op.create_index(
        "ix_events_unannounced",
        "events",
        ["created"],
        sqlite_where=unheard,
        postgresql_where=unheard,
    )

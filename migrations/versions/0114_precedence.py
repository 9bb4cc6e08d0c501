"""Which outgoing mails go first."""

import sqlalchemy as sa
from alembic import op

revision = "0114"
down_revision = "0113"


def upgrade() -> None:
    op.add_column(
        "outbound",
        sa.Column(
            "precedence",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="lowest first: 0 of the reader's own boards, 1 for players, 2 for strangers",
        ),
    )
    op.drop_index("ix_outbound_waiting", "outbound")
    waiting = sa.text("state = 'waiting'")
    op.create_index(
        "ix_outbound_waiting",
        "outbound",
        ["precedence", "next_attempt", "id"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )

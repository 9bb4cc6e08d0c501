"""Mails of strangers are marked as they come in, and wait behind all others."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column(
        "inbound",
        sa.Column(
            "stranger",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="whether it came from no address that is known, and is executed after others",
        ),
    )
    waits = sa.text("state = 'waiting'")
    op.drop_index("ix_inbound_waiting", "inbound")
    op.create_index(
        "ix_inbound_waiting",
        "inbound",
        ["stranger", "id"],
        sqlite_where=waits,
        postgresql_where=waits,
    )

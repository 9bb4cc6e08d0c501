"""What a mail says that waits for a bot's answer."""

import sqlalchemy as sa
from alembic import op

revision = "0110"
down_revision = "0109"


def upgrade() -> None:
    op.add_column(
        "outbound",
        sa.Column(
            "told",
            sa.Text(),
            nullable=True,
            comment="the news that a bot's answer repeats, as JSON",
        ),
    )

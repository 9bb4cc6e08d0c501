"""Of a player, the address of the server that the player last wrote to."""

import sqlalchemy as sa
from alembic import op

revision = "0108"
down_revision = "0107"


def upgrade() -> None:
    op.add_column(
        "players",
        sa.Column(
            "writes_to",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the address of the server that the player last wrote to, if it has several",
        ),
    )

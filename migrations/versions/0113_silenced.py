"""Of a player, until when no word of theirs is passed on."""

import sqlalchemy as sa
from alembic import op

revision = "0113"
down_revision = "0112"


def upgrade() -> None:
    op.add_column(
        "players",
        sa.Column(
            "silenced",
            sa.Double(),
            nullable=True,
            comment="until when no word of theirs is passed on",
        ),
    )

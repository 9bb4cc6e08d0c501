"""Of an account that is banned, whether it was suspended before."""

import sqlalchemy as sa
from alembic import op

revision = "0105"
down_revision = "0104"


def upgrade() -> None:
    op.add_column(
        "bans",
        sa.Column(
            "was_suspended",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="an account that was suspended before",
        ),
    )

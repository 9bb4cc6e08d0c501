"""The hour of the day and the weekdays at which a turn of a board ends."""

import sqlalchemy as sa
from alembic import op

revision = "0107"
down_revision = "0106"


def upgrade() -> None:
    op.add_column(
        "boards",
        sa.Column(
            "deadline",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the hour and the days at which a turn ends: mon,fri@20:00/UTC",
        ),
    )

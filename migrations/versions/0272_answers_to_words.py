"""What answers a mail that passes on somebody's words."""

import sqlalchemy as sa
from alembic import op

revision = "0272"
down_revision = "0271"


def upgrade() -> None:
    op.add_column(
        "outbound",
        sa.Column(
            "answer",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the line that sends the words of a reply back, such as message ann",
        ),
    )

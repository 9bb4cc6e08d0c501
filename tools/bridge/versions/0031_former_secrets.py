"""A board that is played on when the secret of its dice is out gets another secret."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.add_column(
        "boards",
        sa.Column(
            "former",
            sa.Text(),
            nullable=True,
            comment="secrets that came out before it went on, and the last row in moves of each",
        ),
    )

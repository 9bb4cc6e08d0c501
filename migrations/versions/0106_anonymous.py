"""Whether a board hides who plays."""

import sqlalchemy as sa
from alembic import op

revision = "0106"
down_revision = "0105"


def upgrade() -> None:
    op.add_column(
        "boards",
        sa.Column(
            "anonymous",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="nobody is to learn who plays, for as long as this is set",
        ),
    )

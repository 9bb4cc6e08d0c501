"""In which language a signup is answered."""

import sqlalchemy as sa
from alembic import op

revision = "0115"
down_revision = "0114"


def upgrade() -> None:
    op.add_column(
        "signups",
        sa.Column(
            "language",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="that of the page or mail by which it came, if not the server's",
        ),
    )

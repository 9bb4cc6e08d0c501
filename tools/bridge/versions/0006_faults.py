"""How often a mail was set aside for a fault of the server's own, so that it is tried again."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column(
        "inbound",
        sa.Column(
            "faults",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often it was set aside for a fault of the server's own",
        ),
    )
    # Earlier releases noted it in the outcome.
    op.execute("UPDATE inbound SET faults = 1 WHERE state = 'aside' AND outcome LIKE 'failed: %'")

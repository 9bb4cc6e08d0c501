"""What the next mail server said when it took a mail of ours."""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "receipts",
        sa.Column("id", ID, nullable=False),
        sa.Column("outbound_id", ID, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipts")),
        comment="What the next mail server said when it took a mail of ours.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_receipts_outbound_id", "receipts", ["outbound_id"])

"""Bounces of an address become a score that is forgotten in time."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_SCORE = "at the last failure; a point is forgotten in a week"


def upgrade() -> None:
    op.add_column(
        "addresses",
        sa.Column("bounce_score", sa.Double(), server_default="0", nullable=False, comment=_SCORE),
    )
    op.execute("UPDATE addresses SET bounce_score = 2 * bounces")
    op.drop_column("addresses", "bounces")
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("addresses", "bounced", comment="the last failure that counted")

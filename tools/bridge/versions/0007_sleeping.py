"""Sleeping boards, and what is needed to take back the last act."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    what = "what waking it, or taking back its last act, needs"
    op.add_column("boards", sa.Column("kept", sa.Text(), comment=what))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("boards", "state", comment="sleeping, invited, running, over, cancelled")

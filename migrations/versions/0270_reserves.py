"""Reserves of teams."""

import sqlalchemy as sa
from alembic import op

revision = "0270"
down_revision = "0269"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column(
            "team_members",
            "role",
            existing_type=sa.Text(),
            existing_nullable=False,
            comment="captain, member, reserve or invited",
        )

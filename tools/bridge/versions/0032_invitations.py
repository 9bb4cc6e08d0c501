"""Addresses that the operator has invited to sign up."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_invitations")),
        comment="An address that the operator has invited to sign up.",
    )

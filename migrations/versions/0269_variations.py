"""The variations that whoever holds a seat keeps."""

import sqlalchemy as sa
from alembic import op

revision = "0269"
down_revision = "0268"


def upgrade() -> None:
    op.add_column(
        "seats",
        sa.Column(
            "tried",
            sa.Text(),
            nullable=True,
            comment="variations that whoever holds it keeps",
        ),
    )

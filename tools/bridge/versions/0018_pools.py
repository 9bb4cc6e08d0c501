"""Boards with computer players are rated in a pool of their own; those begun before are not."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

_POOL = "the ratings that it counts for: house, or those of people"


def upgrade() -> None:
    op.add_column(
        "boards", sa.Column("pool", sa.Text(), server_default="", nullable=False, comment=_POOL)
    )

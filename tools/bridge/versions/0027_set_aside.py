"""Mails that were set aside are found without reading all others."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    aside = sa.text("state = 'aside'")
    op.create_index(
        "ix_inbound_aside", "inbound", ["id"], sqlite_where=aside, postgresql_where=aside
    )

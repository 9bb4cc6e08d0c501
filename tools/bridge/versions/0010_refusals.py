"""The codes of a mail's refusals get a column of their own; for a time they stood in `about`."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    comment = "why commands in it were refused: RefusalCodes, separated by spaces"
    op.add_column(
        "inbound",
        sa.Column("refusals", sa.Text(), server_default="", nullable=False, comment=comment),
    )
    op.execute(
        "UPDATE inbound SET refusals = about, about = '' "
        "WHERE code IN ('refused', 'partly_executed') AND no_answer = ''"
    )

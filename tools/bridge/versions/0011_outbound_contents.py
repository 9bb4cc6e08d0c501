"""An outbound mail says which kind of notice it is: a reply to a chat is read otherwise than one to
a board."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    comment = "the kind of its notice, such as chat"
    op.add_column(
        "outbound",
        sa.Column("content", sa.Text(), server_default="", nullable=False, comment=comment),
    )

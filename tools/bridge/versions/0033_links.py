"""Players can end their links and reply addresses. When the database was upgraded is recorded:
those that were bound to no password hold for some time after that."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column(
        "players",
        sa.Column(
            "links",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="raised when older links and reply addresses end",
        ),
    )
    connection = op.get_bind()
    if connection.scalar(sa.text("SELECT count(*) FROM boards")):
        insert = sa.text("INSERT INTO settings (name, value) VALUES ('reply_form_changed', :now)")
        connection.execute(insert, {"now": repr(time.time())})

"""In SQLite the text of a mail comes last in its row: noting that it was sent writes the start of
the row alone, not every page that the text takes."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return  # PostgreSQL stores long values elsewhere
    last = "SELECT seq FROM sqlite_sequence WHERE name = 'outbound'"
    number = connection.scalar(sa.text(last))
    op.rename_table("outbound", "outbound_before")
    outbound = op.create_table(
        "outbound",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("inbound_id", ID, nullable=True),
        sa.Column("board_id", ID, nullable=True),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("next_attempt", sa.Double(), nullable=False),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), server_default="", nullable=False),
        sa.Column("content", sa.Text(), server_default="", nullable=False),
        sa.Column("message", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbound")),
        sqlite_autoincrement=True,
    )
    names = ", ".join(column.name for column in outbound.columns)
    op.execute(f"INSERT INTO outbound ({names}) SELECT {names} FROM outbound_before ORDER BY id")  # noqa: S608 (names of our own)
    op.drop_table("outbound_before")
    if number is not None:  # numbers are never used twice, also those of mails that were removed
        op.execute("DELETE FROM sqlite_sequence WHERE name = 'outbound'")
        op.execute(f"INSERT INTO sqlite_sequence VALUES ('outbound', {int(number)})")  # noqa: S608 (a number)
    for name in ("inbound_id", "board_id", "player_id"):
        op.create_index(op.f(f"ix_outbound_{name}"), "outbound", [name])
    waits = sa.text("state = 'waiting'")
    op.create_index("ix_outbound_waiting", "outbound", ["next_attempt", "id"], sqlite_where=waits)
    op.create_index(
        "ix_outbound_recipient_waiting", "outbound", ["recipient", "id"], sqlite_where=waits
    )

"""The table of invitations by which those have come who wait to be approved."""

import sqlalchemy as sa
from alembic import op

revision = "0112"
down_revision = "0111"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "waiting_guests",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("invitation", sa.Integer(), nullable=False, comment="its number; it may be gone"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_waiting_guests_player_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_waiting_guests")),
        comment="By which invitation a player has come who waits to be approved.",
    )

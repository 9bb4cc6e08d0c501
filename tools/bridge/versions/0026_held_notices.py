"""Notices beyond the limit of a day wait for a summary."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "held_notices",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("cause_id", ID, nullable=False),
        sa.Column("board_id", ID, nullable=False, comment="0 where they are about no board"),
        sa.Column("kind", sa.Text(), nullable=False, comment="of the notices, such as chat"),
        sa.Column("subject", sa.Text(), nullable=False, comment="of the last of them"),
        sa.Column("text", sa.Text(), nullable=False, comment="what players wrote in them"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False, comment="when the first of them came"),
        sa.ForeignKeyConstraint(
            ["cause_id"], ["players.id"], name=op.f("fk_held_notices_cause_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_held_notices_player_id_players")
        ),
        sa.PrimaryKeyConstraint(
            "player_id", "cause_id", "board_id", "kind", name=op.f("pk_held_notices")
        ),
        comment="Notices that one player has caused another beyond the limit: they wait for a "
        "summary.",
    )
    op.create_index(op.f("ix_held_notices_cause_id"), "held_notices", ["cause_id"])
    op.create_index(op.f("ix_held_notices_since"), "held_notices", ["since"])

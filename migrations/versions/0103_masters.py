"""The table of masters."""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = "0102"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "masters",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_masters_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_masters_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_masters")),
        comment="The player who runs a board without playing on it.",
    )
    op.create_index("ix_masters_player_id", "masters", ["player_id"])

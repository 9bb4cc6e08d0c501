"""The players whom masters ask to take seats over."""

import sqlalchemy as sa
from alembic import op

revision = "0109"
down_revision = "0108"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "replacements",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_replacements_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_replacements_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", "seat", name=op.f("pk_replacements")),
        comment="A player whom the master of a board has asked to take a seat over.",
    )
    op.create_index("ix_replacements_player_id", "replacements", ["player_id"])

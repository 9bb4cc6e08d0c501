"""The table of press."""

import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0100"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "press",
        sa.Column("id", ID, nullable=False),
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column(
            "seat", sa.Integer(), nullable=False, comment="the writer's, when it was written"
        ),
        sa.Column(
            "readers",
            sa.Text(),
            nullable=False,
            comment="the seats that it went to, as seat:player, separated by blanks",
        ),
        sa.Column("unsigned", sa.Boolean(), nullable=False),
        sa.Column(
            "ply", sa.Integer(), nullable=False, comment="the ply to be played when it was written"
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_press_board_id_boards")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_press_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
        comment="A text that a player of a board wrote to some of its other players.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_press_board_id", "press", ["board_id"])
    op.create_index("ix_press_player_id", "press", ["player_id"])

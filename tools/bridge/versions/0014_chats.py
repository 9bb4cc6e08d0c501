"""What players write to each other at a board is stored for their pages."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "chats",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_chats_board_id_boards")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_chats_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chats")),
        sqlite_autoincrement=True,
        comment="A text that a player of a board wrote to its other players.",
    )
    for column in ("at", "board_id", "player_id"):
        op.create_index(op.f(f"ix_chats_{column}"), "chats", [column])

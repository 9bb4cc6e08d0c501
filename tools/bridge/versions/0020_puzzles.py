"""The puzzles that were mailed to players, and what came of them."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("strength", sa.Text(), nullable=False, comment="easy, medium, hard"),
        sa.Column("moves", sa.Text(), nullable=False, comment="that lead to its position"),
        sa.Column("sent", sa.Double(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            nullable=False,
            comment="open, or what counts: solved, missed, given_up",
        ),
        sa.Column("answered", sa.Double(), nullable=True, comment="when that was decided"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_puzzles_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
        sqlite_autoincrement=True,
        comment="A puzzle that was mailed to a player.",
    )
    op.create_index(op.f("ix_puzzles_player_id"), "puzzles", ["player_id"])

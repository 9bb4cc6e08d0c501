"""Rating changes, and an index of the seats of boards without a result."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "rating_changes",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("board_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column(
            "chance",
            sa.Double(),
            nullable=False,
            comment="of the first place, by the ratings before",
        ),
        sa.Column("mu_before", sa.Double(), nullable=False),
        sa.Column("sigma_before", sa.Double(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_rating_changes_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_rating_changes_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_changes")),
        sa.UniqueConstraint("board_id", "seat", name=op.f("uq_rating_changes_board_id_seat")),
        comment="What each rated board did to its players, in the order it was done.",
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_rating_changes_player_id_game",
        "rating_changes",
        ["player_id", "game"],
        unique=False,
    )
    op.create_index(
        "ix_seats_open",
        "seats",
        ["player_id"],
        unique=False,
        sqlite_where=sa.text("rank IS NULL"),
        postgresql_where=sa.text("rank IS NULL"),
    )

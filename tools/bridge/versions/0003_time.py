"""When the scheduler looks at a board; vacations and other pauses, open offers, rematches."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("players", sa.Column("away", sa.Double(), comment="the end of the last vacation"))
    op.add_column(
        "players", sa.Column("digest_at", sa.Double(), comment="when the next digest goes out")
    )
    op.create_index(
        "ix_players_digest_at",
        "players",
        ["digest_at"],
        sqlite_where=sa.text("digest_at IS NOT NULL"),
        postgresql_where=sa.text("digest_at IS NOT NULL"),
    )
    op.add_column(
        "boards", sa.Column("look", sa.Double(), comment="when the clockwork looks at it next")
    )
    op.add_column("boards", sa.Column("rematch", ID, comment="the board that plays it again"))
    op.create_index(
        "ix_boards_look",
        "boards",
        ["look"],
        sqlite_where=sa.text("look IS NOT NULL"),
        postgresql_where=sa.text("look IS NOT NULL"),
    )
    # Players and boards of earlier releases: the scheduler finds out what is due.
    op.execute("""UPDATE players SET digest_at = 0 WHERE preferences LIKE '%"digest": "__:__"%'""")
    op.execute("UPDATE boards SET look = moved WHERE state IN ('running', 'invited')")
    with op.batch_alter_table("seats") as seats:
        seats.alter_column(
            "due",
            existing_type=sa.Double(),
            existing_nullable=True,
            comment="when it forfeits, as it was told",
            existing_comment="when the seat on the move forfeits",
        )
    op.create_table(
        "pauses",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("begins", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False, comment="vacation, automatic, down"),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_pauses_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pauses")),
        comment="What no clock counts: of one player, or of all where the server was down.",
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_pauses_player_id"), "pauses", ["player_id"], unique=False)
    op.create_table(
        "offers",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="of the game: name to value"),
        sa.Column("server", sa.Text(), nullable=False, comment="of the server: name to value"),
        sa.Column("players", sa.Integer(), nullable=False, comment="seats of the board to be"),
        sa.Column(
            "joined",
            sa.Text(),
            nullable=False,
            comment="the players so far, who offered it first",
        ),
        sa.Column("lowest", sa.Integer(), nullable=True, comment="rating, as it is shown"),
        sa.Column("highest", sa.Integer(), nullable=True),
        sa.Column("comment", sa.Text(), server_default="", nullable=False),
        sa.Column("state", sa.Text(), nullable=False, comment="open, taken, withdrawn, expired"),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("board_id", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_offers_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offers")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_offers_player_id"), "offers", ["player_id"], unique=False)
    op.create_index(
        "ix_offers_open",
        "offers",
        ["expires"],
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )

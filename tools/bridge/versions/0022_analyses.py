"""Boards that are over can be analysed: a queue, its results, and who waits for them."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("board_id", ID, nullable=False),
        sa.Column(
            "number",
            sa.Integer(),
            nullable=False,
            comment="of the last row in moves: the analysis is void with any other",
        ),
        sa.Column("state", sa.Text(), nullable=False, comment="waiting, done, failed"),
        sa.Column("asked", sa.Double(), nullable=False),
        sa.Column("claimed", sa.Double(), nullable=True, comment="when a daemon last worked on it"),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.Column("result", sa.Text(), server_default="", nullable=False, comment="as JSON"),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_analyses_board_id_boards")
        ),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_analyses")),
        comment="What a search or an engine thinks of a board that is over.",
    )
    waits = sa.text("state = 'waiting'")
    op.create_index(
        "ix_analyses_waiting", "analyses", ["asked"], sqlite_where=waits, postgresql_where=waits
    )
    op.create_table(
        "analysis_requests",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_analysis_requests_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_analysis_requests_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", "player_id", name=op.f("pk_analysis_requests")),
        comment="A player who waits for the analysis of a board.",
    )
    op.create_index(op.f("ix_analysis_requests_player_id"), "analysis_requests", ["player_id"])

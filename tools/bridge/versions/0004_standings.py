"""Wins and losses of each player, and indexes for ladders and standings."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

LIMIT = "6.683333333333334"


def upgrade() -> None:
    op.add_column(
        "ratings",
        sa.Column(
            "won", sa.Integer(), server_default="0", nullable=False, comment="of these, alone"
        ),
    )
    op.add_column(
        "ratings",
        sa.Column(
            "lost", sa.Integer(), server_default="0", nullable=False, comment="the rest are tied"
        ),
    )
    # Boards of earlier releases: each change of a rating is a board that counts.
    op.execute(
        """
        UPDATE ratings SET
          won = (SELECT count(*) FROM rating_changes c
                 JOIN seats s ON s.board_id = c.board_id AND s.seat = c.seat
                 WHERE c.player_id = ratings.player_id AND c.game = ratings.game AND s.rank = 1
                 AND NOT EXISTS (SELECT 1 FROM seats o WHERE o.board_id = c.board_id
                                 AND o.rank = 1 AND o.seat <> c.seat)),
          lost = (SELECT count(*) FROM rating_changes c
                  JOIN seats s ON s.board_id = c.board_id AND s.seat = c.seat
                  WHERE c.player_id = ratings.player_id AND c.game = ratings.game AND s.rank <> 1)
        """
    )
    op.drop_index("ix_rating_changes_player_id_game", "rating_changes")
    op.create_index("ix_rating_changes_player_id", "rating_changes", ["player_id", "id"])
    for name, comparison in (("established", "<="), ("provisional", ">")):
        op.create_index(
            f"ix_ratings_{name}",
            "ratings",
            ["game", sa.text("mu DESC"), "player_id"],
            sqlite_where=sa.text(f"sigma {comparison} {LIMIT}"),
            postgresql_where=sa.text(f"sigma {comparison} {LIMIT}"),
        )
    op.create_index(
        "ix_ratings_standings", "ratings", ["game", sa.text("won DESC"), "lost", "player_id"]
    )
    op.create_index(
        "ix_players_inactive",
        "players",
        ["id"],
        sqlite_where=sa.text("state != 'active'"),
        postgresql_where=sa.text("state != 'active'"),
    )

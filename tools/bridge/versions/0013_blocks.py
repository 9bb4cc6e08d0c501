"""Players can block each other, and lists show who has been here lately."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("blocked_id", ID, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_blocks_player_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["blocked_id"], ["players.id"], name=op.f("fk_blocks_blocked_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_index(op.f("ix_blocks_blocked_id"), "blocks", ["blocked_id"])
    active = sa.text("state = 'active'")
    op.create_index(
        "ix_players_seen", "players", ["seen"], sqlite_where=active, postgresql_where=active
    )

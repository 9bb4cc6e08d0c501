"""The mailboxes that accounts have left."""

import sqlalchemy as sa
from alembic import op

revision = "0271"
down_revision = "0270"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "former_mailboxes",
        sa.Column("digest", sa.Text(), nullable=False, comment="keyed hash of the mailbox"),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_former_mailboxes_player_id_players")
        ),
        sa.PrimaryKeyConstraint("digest", "player_id", name=op.f("pk_former_mailboxes")),
        comment=(
            "A mailbox that an account has left: whoever comes back with it is still the same "
            "person."
        ),
    )
    op.create_index(
        op.f("ix_former_mailboxes_player_id"), "former_mailboxes", ["player_id"], unique=False
    )

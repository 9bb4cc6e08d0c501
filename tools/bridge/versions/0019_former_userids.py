"""A userid that was given up stays taken, its lots stay drawn, and codes say which terms came with
them."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

_PURPOSES = "confirm, change, reset, unlock, signoff, erase"
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "former_userids",
        sa.Column(
            "name",
            sa.Text(),
            nullable=False,
            comment="in lower case, or its digest once the player was erased",
        ),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_former_userids_player_id_players")
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_former_userids")),
        comment="A userid that a player had before; nobody else may have it.",
    )
    op.create_index(op.f("ix_former_userids_player_id"), "former_userids", ["player_id"])
    op.add_column(
        "entrants",
        sa.Column(
            "lots",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="drawn under an earlier userid, as JSON",
        ),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("codes", "purpose", comment=_PURPOSES)
    op.add_column(
        "codes",
        sa.Column(
            "terms",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the version of the terms that the mail with the code showed",
        ),
    )

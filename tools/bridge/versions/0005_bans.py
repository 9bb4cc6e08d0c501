"""Bans of addresses, domains and accounts."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("target", sa.Text(), nullable=False, comment="address, @domain or userid"),
        sa.Column(
            "kind",
            sa.Text(),
            nullable=False,
            comment="ban: nothing is taken or sent; stop: not sent",
        ),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_bans_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bans")),
        sa.UniqueConstraint("target", name=op.f("uq_bans_target")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_bans_player_id"), "bans", ["player_id"])
    # What bounces did not stop, an operator stopped: players no longer lift that themselves.
    connection = op.get_bind()
    stopped = connection.execute(
        sa.text("SELECT address FROM addresses WHERE stopped IS NOT NULL AND bounces = 0")
    ).scalars()
    mailboxes = {re.sub(r"(?<=[^@])\+[^@]*@", "@", address) for address in stopped}
    for target in sorted(mailboxes):
        connection.execute(
            sa.text(
                "INSERT INTO bans (target, kind, reason, actor, at)"
                " VALUES (:target, 'stop', 'stopped before there was this list', 'pbm', 0)"
            ),
            {"target": target},
        )

"""Invitations of players, links to forward, and signups that came by one."""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "friend_invitations",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False, comment="who invites"),
        sa.Column(
            "address", sa.Text(), server_default="", nullable=False, comment="empty for a link"
        ),
        sa.Column(
            "game",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="of the board that begins with it, or empty",
        ),
        sa.Column(
            "options",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="of the game: name to value",
        ),
        sa.Column(
            "server",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="of the server: name to value",
        ),
        sa.Column(
            "moves_first",
            sa.Boolean(),
            server_default=sa.text("true"),
            nullable=False,
            comment="whether whoever is invited moves first",
        ),
        sa.Column(
            "userid",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the userid that the mail proposes",
        ),
        sa.Column("uses", sa.Integer(), nullable=False, comment="how many may still join by it"),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_friend_invitations_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_friend_invitations")),
        comment="An invitation that a player has sent to an address, or a link to forward.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_friend_invitations_player_id", "friend_invitations", ["player_id"])
    op.create_index("ix_friend_invitations_expires", "friend_invitations", ["expires"])
    op.create_table(
        "invited_addresses",
        sa.Column("digest", sa.Text(), nullable=False, comment="keyed hash of the address"),
        sa.Column("declined", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_invited_addresses")),
        comment="An address that has had an invitation, or wants none: it gets no other one.",
    )
    op.add_column(
        "signups",
        sa.Column(
            "link_id",
            ID,
            nullable=True,
            comment="the link of a friend invitation by which it came, which may be gone",
        ),
    )

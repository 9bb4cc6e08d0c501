"""Time that players give each other, pauses and times of grace of boards."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0267"
down_revision = "0266"


def upgrade() -> None:
    op.add_column(
        "seats",
        sa.Column(
            "given",
            sa.Double(),
            server_default="0",
            nullable=False,
            comment="seconds that others gave it for this turn or the next one",
        ),
    )
    op.add_column(
        "boards",
        sa.Column(
            "grace_hours",
            sa.Double(),
            server_default="0",
            nullable=False,
            comment="how long after a deadline moves are still taken",
        ),
    )
    op.add_column(
        "boards",
        sa.Column(
            "paused",
            sa.Text(),
            server_default="[]",
            nullable=False,
            comment="begin and end of each pause that may reach into this turn",
        ),
    )
    op.add_column(
        "boards",
        sa.Column(
            "private",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="whether its players alone see it",
        ),
    )
    is_private = sa.column("private", sa.Boolean())
    op.create_index(
        "ix_boards_private",
        "boards",
        ["game", "state"],
        sqlite_where=is_private,
        postgresql_where=is_private,
    )
    op.add_column(
        "chats",
        sa.Column(
            "kibitz",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="from who watches: the players read it after the end",
        ),
    )
    op.add_column(
        "boards",
        sa.Column(
            "standin",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the computer player that moves for who is silent, or empty",
        ),
    )
    op.add_column(
        "seats",
        sa.Column(
            "standin",
            sa.Double(),
            nullable=True,
            comment="since when a computer player moves for it, unless its player was seen since",
        ),
    )
    has_standin = sa.column("standin", sa.Double()).is_not(None)
    op.create_index(
        "ix_seats_standin",
        "seats",
        ["standin"],
        sqlite_where=has_standin,
        postgresql_where=has_standin,
    )
    _move_grace()


def _move_grace() -> None:
    """The time of grace was an option of one game, and is one of the server's."""
    boards = sa.table(
        "boards",
        sa.column("id"),
        sa.column("options", sa.Text()),
        sa.column("grace_hours"),
        sa.column("game"),
    )
    bind = op.get_bind()
    named = sa.select(boards.c.id, boards.c.options).where(
        boards.c.game == "dip", boards.c.options.contains('"grace"')
    )
    for number, text in bind.execute(named).all():
        options = json.loads(text)
        hours = options.pop("grace", 0)
        values = {"options": json.dumps(options), "grace_hours": float(hours)}
        bind.execute(sa.update(boards).where(boards.c.id == number).values(values))
    for name in ("offers", "events", "friend_invitations"):
        table = sa.table(
            name,
            sa.column("id"),
            sa.column("options", sa.Text()),
            sa.column("server", sa.Text()),
            sa.column("game"),
        )
        named = sa.select(table.c.id, table.c.options, table.c.server).where(
            table.c.game == "dip", table.c.options.contains('"grace"')
        )
        for number, text, server in bind.execute(named).all():
            options, terms = json.loads(text), json.loads(server or "{}")
            hours = options.pop("grace", 0)
            if "control" in terms:
                terms["control"]["grace"] = float(hours)
            values = {"options": json.dumps(options), "server": json.dumps(terms)}
            bind.execute(sa.update(table).where(table.c.id == number).values(values))

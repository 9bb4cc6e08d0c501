"""Events: tournaments, leagues, ladders and tours, their entrants and their pairings."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _create_events()
    _create_entrants()
    _create_pairings()
    _add_event_of_board()


def _create_events() -> None:
    op.create_table(
        "events",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("player_id", ID, nullable=True, comment="who made it"),
        sa.Column("state", sa.Text(), nullable=False, comment="open, running, over, cancelled"),
        sa.Column("options", sa.Text(), nullable=False, comment="of the game: name to value"),
        sa.Column("server", sa.Text(), nullable=False, comment="of the server: name to value"),
        sa.Column("rules", sa.Text(), nullable=False, comment="of the event: name to value"),
        sa.Column("most", sa.Integer(), nullable=True, comment="how many may enter"),
        sa.Column(
            "lowest",
            sa.Integer(),
            nullable=True,
            comment="the lowest rating, as shown, that may enter",
        ),
        sa.Column("highest", sa.Integer(), nullable=True),
        sa.Column(
            "vacation",
            sa.Double(),
            nullable=False,
            comment="days for which an entrant's clocks may stand still",
        ),
        sa.Column(
            "silent",
            sa.Double(),
            nullable=False,
            comment="days without a word after which an entrant is taken out",
        ),
        sa.Column(
            "about",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="what its maker writes of it",
        ),
        sa.Column("season", sa.Integer(), server_default="1", nullable=False),
        sa.Column("series", ID, nullable=True, comment="the event that was its first season"),
        sa.Column("tour", ID, nullable=True, comment="the tour that it counts for"),
        sa.Column(
            "secret",
            sa.Text(),
            nullable=False,
            comment="64 hexadecimal digits that decide all lots",
        ),
        sa.Column(
            "commitment", sa.Text(), nullable=False, comment="SHA-256 of the secret, public at once"
        ),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("begins", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=True),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.Column(
            "warned",
            sa.Double(),
            nullable=True,
            comment="boards that end before then were announced",
        ),
        sa.Column(
            "revision",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="raised by every change",
        ),
        sa.Column(
            "look", sa.Double(), nullable=True, comment="when the scheduler looks at it next"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_events_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
        comment="An event: a tournament, a season of a league, a ladder or a tour.",
    )
    for name in ("player_id", "series", "tour"):
        op.create_index(op.f(f"ix_events_{name}"), "events", [name])
    op.create_index("ix_events_state", "events", ["state", "id"])
    looked_at = sa.text("look IS NOT NULL")
    op.create_index(
        "ix_events_look", "events", ["look"], sqlite_where=looked_at, postgresql_where=looked_at
    )


def _create_entrants() -> None:
    op.create_table(
        "entrants",
        sa.Column("event_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, comment="start number, from 1"),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column(
            "division", sa.Integer(), server_default="0", nullable=False, comment="or group, from 0"
        ),
        sa.Column(
            "joins", sa.Integer(), server_default="1", nullable=False, comment="the first round"
        ),
        sa.Column("entered", sa.Double(), nullable=False),
        sa.Column("left", sa.Double(), nullable=True),
        sa.Column(
            "why", sa.Text(), server_default="", nullable=False, comment="why the entrant left"
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_entrants_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_entrants_player_id_players")
        ),
        sa.PrimaryKeyConstraint("event_id", "player_id", name=op.f("pk_entrants")),
        comment="A player who has entered an event.",
    )
    op.create_index(op.f("ix_entrants_player_id"), "entrants", ["player_id"])


def _create_pairings() -> None:
    op.create_table(
        "pairings",
        sa.Column("event_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, comment="within the event, from 1"),
        sa.Column("stage", sa.Text(), nullable=False, comment="main, losers, final"),
        sa.Column("division", sa.Integer(), nullable=False, comment="or group, or match, from 0"),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False, comment="the table within the round"),
        sa.Column("leg", sa.Integer(), nullable=False, comment="which board of the match, from 1"),
        sa.Column(
            "entrants",
            sa.Text(),
            nullable=False,
            comment="start numbers, in the order of the seats",
        ),
        sa.Column("reason", sa.Text(), nullable=False, comment="of the pairing, as a sentence"),
        sa.Column("board_id", ID, nullable=True),
        sa.Column(
            "points",
            sa.Text(),
            nullable=True,
            comment="of each seat; NULL while it is being played",
        ),
        sa.Column(
            "how",
            sa.Text(),
            nullable=False,
            comment="open, played, forfeit, adjudicated, bye, annulled",
        ),
        sa.Column(
            "note", sa.Text(), server_default="", nullable=False, comment="more about how it ended"
        ),
        sa.Column("late", sa.Integer(), nullable=True, comment="the seat whose time ran out"),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("due", sa.Double(), nullable=True, comment="when it is adjudicated"),
        sa.Column("ended", sa.Double(), nullable=True, comment="when its result stands"),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_pairings_event_id_events")
        ),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_pairings")),
        sa.UniqueConstraint("board_id", name=op.f("uq_pairings_board_id")),
        comment="A game of an event: who plays whom, on which board, and how it counts.",
    )
    is_open = sa.text("how = 'open'")
    op.create_index(
        "ix_pairings_open",
        "pairings",
        ["event_id", "number"],
        sqlite_where=is_open,
        postgresql_where=is_open,
    )


def _add_event_of_board() -> None:
    if op.get_bind().dialect.name != "postgresql":
        op.execute(
            "ALTER TABLE boards ADD COLUMN event_id INTEGER"
            " CONSTRAINT fk_boards_event_id_events REFERENCES events (id)"
        )
        return
    comment = "the event that decides it"
    op.add_column("boards", sa.Column("event_id", ID, nullable=True, comment=comment))
    op.create_foreign_key(
        op.f("fk_boards_event_id_events"), "boards", "events", ["event_id"], ["id"]
    )

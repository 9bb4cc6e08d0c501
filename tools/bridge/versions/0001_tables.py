"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("board_id", ID, nullable=True),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_audit_board_id"), "audit", ["board_id"], unique=False)
    op.create_index(op.f("ix_audit_player_id"), "audit", ["player_id"], unique=False)
    op.create_table(
        "boards",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="as given: name to value"),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False, comment="invited, running, over, cancelled"),
        sa.Column(
            "position", sa.Text(), nullable=False, comment="cache: a replay of the moves makes it"
        ),
        sa.Column("to_move", sa.Text(), nullable=False, comment="the seats on the move: 0 or 0,2"),
        sa.Column("number", sa.Integer(), nullable=False, comment="of the last row in moves"),
        sa.Column("ply", sa.Integer(), nullable=False, comment="moves of seats so far"),
        sa.Column(
            "turn_ply", sa.Integer(), nullable=False, comment="plies when the current turn began"
        ),
        sa.Column(
            "asked", sa.Integer(), nullable=False, comment="questions to chance within this ply"
        ),
        sa.Column(
            "undos", sa.Integer(), nullable=False, comment="plies taken back make old tokens stale"
        ),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column(
            "proposals",
            sa.Text(),
            server_default="{}",
            nullable=False,
            comment="draw, undo, cancel",
        ),
        sa.Column("outcome", sa.Text(), nullable=True, comment="ranks and reason"),
        sa.Column(
            "secret", sa.LargeBinary(), nullable=False, comment="32 bytes; decides all chance"
        ),
        sa.Column(
            "commitment", sa.Text(), nullable=False, comment="SHA-256 of the secret, public at once"
        ),
        sa.Column("nag_days", sa.Double(), nullable=True),
        sa.Column("forfeit_days", sa.Double(), nullable=True),
        sa.Column("total_days", sa.Double(), nullable=True),
        sa.Column("bank_days", sa.Double(), nullable=True),
        sa.Column("increment_days", sa.Double(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("moved", sa.Double(), nullable=False, comment="when the current turn began"),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_boards_game_state", "boards", ["game", "state", "id"], unique=False)
    op.create_index("ix_boards_state", "boards", ["state", "id"], unique=False)
    op.create_table(
        "counters",
        sa.Column("name", sa.Text(), nullable=False, comment="what is counted, and for whom"),
        sa.Column("day", sa.Integer(), nullable=False, comment="days since 1970"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", "day", name=op.f("pk_counters")),
    )
    op.create_table(
        "inbound",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("received", sa.Double(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False, comment="smtp, lmtp, pipe, imap"),
        sa.Column("peer", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "envelope_from", sa.Text(), nullable=True, comment="NULL where the way in has none"
        ),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False, comment="masked after use"),
        sa.Column("fingerprint", sa.Text(), nullable=True, comment="equal for copies of one mail"),
        sa.Column("state", sa.Text(), nullable=False, comment="waiting, done, aside"),
        sa.Column(
            "worker", sa.Text(), server_default="", nullable=False, comment="who is to execute it"
        ),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("player_id", ID, nullable=True, comment="who it was taken for"),
        sa.Column("board_id", ID, nullable=True),
        sa.Column(
            "outcome", sa.Text(), server_default="", nullable=False, comment="what became of it"
        ),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_inbound_board_id"), "inbound", ["board_id"], unique=False)
    op.create_index(op.f("ix_inbound_fingerprint"), "inbound", ["fingerprint"], unique=False)
    op.create_index(
        "ix_inbound_waiting",
        "inbound",
        ["id"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "outbound",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("inbound_id", ID, nullable=True),
        sa.Column("board_id", ID, nullable=True),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("message", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False, comment="waiting, sent, failed, dropped"),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("next_attempt", sa.Double(), nullable=False),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbound")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_outbound_board_id"), "outbound", ["board_id"], unique=False)
    op.create_index(op.f("ix_outbound_inbound_id"), "outbound", ["inbound_id"], unique=False)
    op.create_index(op.f("ix_outbound_player_id"), "outbound", ["player_id"], unique=False)
    op.create_index(
        "ix_outbound_recipient_waiting",
        "outbound",
        ["recipient", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "ix_outbound_waiting",
        "outbound",
        ["next_attempt", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "players",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("userid", sa.Text(), nullable=False, comment="as first written"),
        sa.Column("name", sa.Text(), nullable=False, comment="the userid in lower case"),
        sa.Column("password", sa.Text(), nullable=False, comment="argon2id"),
        sa.Column("state", sa.Text(), nullable=False, comment="active, suspended, closed"),
        sa.Column("preferences", sa.Text(), server_default="{}", nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False, comment="the last command"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("name", name=op.f("uq_players_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
        comment="The server's keys and other values that all its daemons share.",
    )
    op.create_table(
        "addresses",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column(
            "confirmed", sa.Double(), nullable=True, comment="when; NULL while the code is out"
        ),
        sa.Column("bounces", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "bounced", sa.Double(), nullable=True, comment="the last hard bounce that counted"
        ),
        sa.Column("stopped", sa.Double(), nullable=True, comment="nothing is sent there since"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_addresses_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_addresses")),
        sa.UniqueConstraint("player_id", "address", name=op.f("uq_addresses_player_id_address")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_addresses_address"), "addresses", ["address"], unique=False)
    op.create_table(
        "codes",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False, comment="confirm, reset, signoff"),
        sa.Column("digest", sa.Text(), nullable=False, comment="keyed hash of the code"),
        sa.Column("address", sa.Text(), server_default="", nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_codes_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_codes")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_codes_digest"), "codes", ["digest"], unique=False)
    op.create_index(op.f("ix_codes_player_id"), "codes", ["player_id"], unique=False)
    op.create_table(
        "moves",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            sa.Text(),
            nullable=False,
            comment="move, chance, resign, undo, forfeit, draw, cancel, adjudicate",
        ),
        sa.Column("seat", sa.Integer(), nullable=True, comment="NULL for chance and the server"),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column(
            "words", sa.Text(), server_default="", nullable=False, comment="as spectators read it"
        ),
        sa.Column(
            "news", sa.Text(), server_default="", nullable=False, comment="what happened by itself"
        ),
        sa.Column("comment", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column(
            "key", sa.Text(), server_default="", nullable=False, comment="to find repetitions"
        ),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_moves_board_id_boards")),
        sa.PrimaryKeyConstraint("board_id", "number", name=op.f("pk_moves")),
        comment="Append-only: the truth about a board.",
    )
    op.create_table(
        "ratings",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_ratings_player_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", "game", name=op.f("pk_ratings")),
    )
    op.create_table(
        "seats",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("moved", sa.Boolean(), server_default=sa.false(), nullable=False, comment="ever"),
        sa.Column("queued", sa.Text(), nullable=True, comment="moves to play when the turn comes"),
        sa.Column(
            "submitted", sa.Text(), nullable=True, comment="ply and moves that wait for confirm"
        ),
        sa.Column(
            "spent", sa.Double(), server_default="0", nullable=False, comment="seconds of own clock"
        ),
        sa.Column("due", sa.Double(), nullable=True, comment="when the seat on the move forfeits"),
        sa.Column("reminded", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_seats_board_id_boards")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_seats_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_player_id"), "seats", ["player_id"], unique=False)
    op.create_table(
        "watchers",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_watchers_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_watchers_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", "player_id", name=op.f("pk_watchers")),
    )
    op.create_index(op.f("ix_watchers_player_id"), "watchers", ["player_id"], unique=False)

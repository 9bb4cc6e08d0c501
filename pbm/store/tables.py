"""The tables, as the migrations make them (a test holds the two equal).

Times are seconds since 1970 in UTC. Lists and mappings are JSON text. Nothing here decides."""

from __future__ import annotations

from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
    text,
)

from pbm.ratings import MOST_SIGMA

AnyRow: TypeAlias = Any
"""A row of any of these tables: columns are its attributes."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = BigInteger().with_variant(Integer, "sqlite")


def _id() -> Column[int]:
    return Column("id", ID, primary_key=True, autoincrement=True)


def _ref(name: str, table: str, *, nullable: bool = False, index: bool = False) -> Column[int]:
    return Column(name, ID, ForeignKey(f"{table}.id"), nullable=nullable, index=index)


settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    comment="The server's keys and other values that all its daemons share.",
)

players = Table(
    "players",
    metadata,
    _id(),
    Column("userid", Text, nullable=False, comment="as first written"),
    Column("name", Text, nullable=False, unique=True, comment="the userid in lower case"),
    Column("password", Text, nullable=False, comment="argon2id"),
    Column("state", Text, nullable=False, comment="active, suspended, closed"),
    Column("preferences", Text, nullable=False, server_default="{}"),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False, comment="the last command"),
    Column("away", Double, comment="the end of the last vacation"),
    Column("digest_at", Double, comment="when the next digest goes out"),
    sqlite_autoincrement=True,
)
Index(
    "ix_players_digest_at",
    players.c.digest_at,
    sqlite_where=players.c.digest_at.is_not(None),
    postgresql_where=players.c.digest_at.is_not(None),
)
Index(
    "ix_players_inactive",
    players.c.id,
    sqlite_where=players.c.state != "active",
    postgresql_where=players.c.state != "active",
)

addresses = Table(
    "addresses",
    metadata,
    _id(),
    _ref("player_id", "players"),
    Column("address", Text, nullable=False, index=True),
    Column("confirmed", Double, comment="when; NULL while the code is out"),
    Column("bounces", Integer, nullable=False, server_default="0"),
    Column("bounced", Double, comment="the last hard bounce that counted"),
    Column("stopped", Double, comment="nothing is sent there since"),
    UniqueConstraint("player_id", "address"),
    sqlite_autoincrement=True,
)

boards = Table(
    "boards",
    metadata,
    _id(),
    Column("game", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False, comment="as given: name to value"),
    Column("players", Integer, nullable=False),
    Column("state", Text, nullable=False, comment="sleeping, invited, running, over, cancelled"),
    Column("position", Text, nullable=False, comment="cache: a replay of the moves makes it"),
    Column("to_move", Text, nullable=False, comment="the seats on the move: 0 or 0,2"),
    Column("number", Integer, nullable=False, comment="of the last row in moves"),
    Column("ply", Integer, nullable=False, comment="moves of seats so far"),
    Column("turn_ply", Integer, nullable=False, comment="plies when the current turn began"),
    Column("asked", Integer, nullable=False, comment="questions to chance within this ply"),
    Column("undos", Integer, nullable=False, comment="plies taken back make old tokens stale"),
    Column("rated", Boolean, nullable=False),
    Column("proposals", Text, nullable=False, server_default="{}", comment="draw, undo, cancel"),
    Column("outcome", Text, comment="ranks and reason"),
    Column("secret", LargeBinary, nullable=False, comment="32 bytes; decides all chance"),
    Column("commitment", Text, nullable=False, comment="SHA-256 of the secret, public at once"),
    Column("nag_days", Double),
    Column("forfeit_days", Double),
    Column("total_days", Double),
    Column("bank_days", Double),
    Column("increment_days", Double),
    Column("created", Double, nullable=False),
    Column("moved", Double, nullable=False, comment="when the current turn began"),
    Column("ended", Double),
    Column("look", Double, comment="when the clockwork looks at it next"),
    Column("rematch", ID, comment="the board that plays it again"),
    Column("kept", Text, comment="what waking it, or taking back its last act, needs"),
    sqlite_autoincrement=True,
)
Index("ix_boards_game_state", boards.c.game, boards.c.state, boards.c.id)
Index("ix_boards_state", boards.c.state, boards.c.id)
Index(
    "ix_boards_look",
    boards.c.look,
    sqlite_where=boards.c.look.is_not(None),
    postgresql_where=boards.c.look.is_not(None),
)

seats = Table(
    "seats",
    metadata,
    Column("board_id", ID, ForeignKey("boards.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    _ref("player_id", "players", index=True),
    Column("accepted", Boolean, nullable=False),
    Column("moved", Boolean, nullable=False, server_default=text("false"), comment="ever"),
    Column("queued", Text, comment="moves to play when the turn comes"),
    Column("submitted", Text, comment="ply and moves that wait for confirm"),
    Column("spent", Double, nullable=False, server_default="0", comment="seconds of own clock"),
    Column("due", Double, comment="when it forfeits, as it was told"),
    Column("reminded", Integer, nullable=False, server_default="0"),
    Column("rank", Integer),
)
Index(
    "ix_seats_open",
    seats.c.player_id,
    sqlite_where=seats.c.rank.is_(None),
    postgresql_where=seats.c.rank.is_(None),
)

moves = Table(
    "moves",
    metadata,
    Column("board_id", ID, ForeignKey("boards.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("ply", Integer, nullable=False),
    Column(
        "kind",
        Text,
        nullable=False,
        comment="move, chance, resign, undo, forfeit, draw, cancel, adjudicate",
    ),
    Column("seat", Integer, comment="NULL for chance and the server"),
    Column("move", Text, nullable=False),
    Column("words", Text, nullable=False, server_default="", comment="as spectators read it"),
    Column("news", Text, nullable=False, server_default="", comment="what happened by itself"),
    Column("comment", Text, nullable=False, server_default=""),
    Column("at", Double, nullable=False),
    Column("key", Text, nullable=False, server_default="", comment="to find repetitions"),
    comment="Append-only: the truth about a board.",
)

watchers = Table(
    "watchers",
    metadata,
    Column("board_id", ID, ForeignKey("boards.id"), primary_key=True),
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True, index=True),
)

inbound = Table(
    "inbound",
    metadata,
    _id(),
    Column("received", Double, nullable=False),
    Column("via", Text, nullable=False, comment="smtp, lmtp, pipe, imap"),
    Column("peer", Text, nullable=False, server_default=""),
    Column("envelope_from", Text, comment="NULL where the way in has none"),
    Column("recipient", Text, nullable=False),
    Column("raw", LargeBinary, nullable=False, comment="masked after use"),
    Column("fingerprint", Text, index=True, comment="equal for copies of one mail"),
    Column("state", Text, nullable=False, comment="waiting, done, aside"),
    Column("worker", Text, nullable=False, server_default="", comment="who is to execute it"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column(
        "faults",
        Integer,
        nullable=False,
        server_default="0",
        comment="how often it was set aside for a fault of the server's own",
    ),
    Column("player_id", ID, comment="who it was taken for"),
    Column("board_id", ID, index=True),
    Column("outcome", Text, nullable=False, server_default="", comment="what became of it"),
    Column("finished", Double),
    Column(
        "code",
        Text,
        nullable=False,
        server_default="",
        comment="what became of it: a MailOutcome, empty until it was tried",
    ),
    Column(
        "about",
        Text,
        nullable=False,
        server_default="",
        comment="what the code is about: number of the original, mark of a machine",
    ),
    Column(
        "no_answer",
        Text,
        nullable=False,
        server_default="",
        comment="why nobody was answered: a NoAnswer",
    ),
    sqlite_autoincrement=True,
)
Index(
    "ix_inbound_waiting",
    inbound.c.id,
    sqlite_where=inbound.c.state == "waiting",
    postgresql_where=inbound.c.state == "waiting",
)

outbound = Table(
    "outbound",
    metadata,
    _id(),
    Column("inbound_id", ID, index=True),
    Column("board_id", ID, index=True),
    Column("player_id", ID, index=True),
    Column("envelope_from", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("message", LargeBinary, nullable=False),
    Column("state", Text, nullable=False, comment="waiting, sent, failed, dropped"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("created", Double, nullable=False),
    Column("next_attempt", Double, nullable=False),
    Column("finished", Double),
    Column("why", Text, nullable=False, server_default=""),
    sqlite_autoincrement=True,
)
Index(
    "ix_outbound_waiting",
    outbound.c.next_attempt,
    outbound.c.id,
    sqlite_where=outbound.c.state == "waiting",
    postgresql_where=outbound.c.state == "waiting",
)
Index(
    "ix_outbound_recipient_waiting",
    outbound.c.recipient,
    outbound.c.id,
    sqlite_where=outbound.c.state == "waiting",
    postgresql_where=outbound.c.state == "waiting",
)

codes = Table(
    "codes",
    metadata,
    _id(),
    _ref("player_id", "players", index=True),
    Column("purpose", Text, nullable=False, comment="confirm, reset, signoff"),
    Column("digest", Text, nullable=False, index=True, comment="keyed hash of the code"),
    Column("address", Text, nullable=False, server_default=""),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Column("used", Double),
    sqlite_autoincrement=True,
)

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("boards", Integer, nullable=False),
    Column("won", Integer, nullable=False, server_default="0", comment="of these, alone"),
    Column("lost", Integer, nullable=False, server_default="0", comment="the rest are tied"),
    Column("updated", Double, nullable=False),
)
_MOST_SIGMA = literal_column(repr(MOST_SIGMA), Double)
is_established = ratings.c.sigma <= _MOST_SIGMA
is_provisional = ratings.c.sigma > _MOST_SIGMA
Index(
    "ix_ratings_established",
    ratings.c.game,
    ratings.c.mu.desc(),
    ratings.c.player_id,
    sqlite_where=is_established,
    postgresql_where=is_established,
)
Index(
    "ix_ratings_provisional",
    ratings.c.game,
    ratings.c.mu.desc(),
    ratings.c.player_id,
    sqlite_where=is_provisional,
    postgresql_where=is_provisional,
)
Index(
    "ix_ratings_standings",
    ratings.c.game,
    ratings.c.won.desc(),
    ratings.c.lost,
    ratings.c.player_id,
)

rating_changes = Table(
    "rating_changes",
    metadata,
    _id(),
    _ref("board_id", "boards"),
    Column("seat", Integer, nullable=False),
    _ref("player_id", "players"),
    Column("game", Text, nullable=False),
    Column("chance", Double, nullable=False, comment="of the first place, by the ratings before"),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("at", Double, nullable=False),
    UniqueConstraint("board_id", "seat"),
    comment="What each rated board did to its players, in the order it was done.",
    sqlite_autoincrement=True,
)
Index("ix_rating_changes_player_id", rating_changes.c.player_id, rating_changes.c.id)

pauses = Table(
    "pauses",
    metadata,
    _id(),
    _ref("player_id", "players", nullable=True, index=True),
    Column("begins", Double, nullable=False),
    Column("ends", Double, nullable=False),
    Column("kind", Text, nullable=False, comment="vacation, automatic, down"),
    Column("created", Double, nullable=False),
    comment="What no clock counts: of one player, or of all where the server was down.",
    sqlite_autoincrement=True,
)

offers = Table(
    "offers",
    metadata,
    _id(),
    _ref("player_id", "players", index=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False, comment="of the game: name to value"),
    Column("server", Text, nullable=False, comment="of the server: name to value"),
    Column("players", Integer, nullable=False, comment="seats of the board to be"),
    Column("joined", Text, nullable=False, comment="the players so far, who offered it first"),
    Column("lowest", Integer, comment="rating, as it is shown"),
    Column("highest", Integer),
    Column("comment", Text, nullable=False, server_default=""),
    Column("state", Text, nullable=False, comment="open, taken, withdrawn, expired"),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Column("board_id", ID),
    sqlite_autoincrement=True,
)
Index(
    "ix_offers_open",
    offers.c.expires,
    sqlite_where=offers.c.state == "open",
    postgresql_where=offers.c.state == "open",
)

counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True, comment="what is counted, and for whom"),
    Column("day", Integer, primary_key=True, comment="days since 1970"),
    Column("count", Integer, nullable=False),
)

bans = Table(
    "bans",
    metadata,
    _id(),
    Column("target", Text, nullable=False, unique=True, comment="address, @domain or userid"),
    Column("kind", Text, nullable=False, comment="ban: nothing is taken or sent; stop: not sent"),
    _ref("player_id", "players", nullable=True, index=True),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", Double, nullable=False),
    sqlite_autoincrement=True,
)

audit = Table(
    "audit",
    metadata,
    _id(),
    Column("at", Double, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("player_id", ID, index=True),
    Column("board_id", ID, index=True),
    Column("reason", Text, nullable=False, server_default=""),
    sqlite_autoincrement=True,
)

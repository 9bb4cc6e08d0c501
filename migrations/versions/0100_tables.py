"""All tables of 0.2.0, the oldest version whose databases are upgraded."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0100"
down_revision = None

BOOLEAN, BYTES, FLOAT, INTEGER, TEXT = (
    sa.Boolean(),
    sa.LargeBinary(),
    sa.Double(),
    sa.Integer(),
    sa.Text(),
)
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _needed(
    name: str, kind: TypeEngine[object], comment: str = "", default: object = None
) -> sa.Column[object]:
    return sa.Column(name, kind, nullable=False, server_default=default, comment=comment or None)


def _optional(name: str, kind: TypeEngine[object], comment: str = "") -> sa.Column[object]:
    return sa.Column(name, kind, nullable=True, comment=comment or None)


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=op.f(f"pk_{table}"))


def _reference(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{target}")
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name)


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=op.f(f"uq_{table}_{'_'.join(columns)}"))


def _index(name: str, table: str, *columns: object, where: str = "") -> None:
    condition = sa.text(where) if where else None
    op.create_index(name, table, list(columns), sqlite_where=condition, postgresql_where=condition)


def upgrade() -> None:
    _make_audit()
    _make_counters()
    _make_inbound()
    _make_invitations()
    _make_outbound()
    _make_players()
    _make_settings()
    _make_signups()
    _make_addresses()
    _make_bans()
    _make_blocks()
    _make_codes()
    _make_events()
    _make_former_userids()
    _make_held_notices()
    _make_offers()
    _make_pauses()
    _make_puzzles()
    _make_ratings()
    _make_boards()
    _make_entrants()
    _make_pairings()
    _make_analyses()
    _make_analysis_requests()
    _make_chats()
    _make_moves()
    _make_notes()
    _make_rating_changes()
    _make_seats()
    _make_watchers()


def _make_audit() -> None:
    op.create_table(
        "audit",
        _needed("id", ID),
        _needed("at", FLOAT),
        _needed("actor", TEXT),
        _needed("action", TEXT),
        _optional("player_id", ID),
        _optional("board_id", ID),
        _needed("reason", TEXT, default=""),
        _key("audit", "id"),
        sqlite_autoincrement=True,
    )
    _index("ix_audit_board_id", "audit", "board_id")
    _index("ix_audit_player_id", "audit", "player_id")


def _make_counters() -> None:
    op.create_table(
        "counters",
        _needed("name", TEXT, "what is counted, and for whom"),
        _needed("day", INTEGER, "days since 1970"),
        _needed("count", INTEGER),
        _key("counters", "name", "day"),
    )


def _make_inbound() -> None:
    op.create_table(
        "inbound",
        _needed("id", ID),
        _needed("received", FLOAT),
        _needed("via", TEXT, "smtp, lmtp, pipe, imap"),
        _needed("peer", TEXT, default=""),
        _optional("envelope_from", TEXT, "NULL when the source has none"),
        _needed("recipient", TEXT),
        _needed("raw", BYTES, "masked after use"),
        _optional("fingerprint", TEXT, "equal for copies of one mail"),
        _needed("state", TEXT, "waiting, done, aside"),
        _needed("worker", TEXT, "the worker that is to execute it", default=""),
        _needed("attempts", INTEGER, default="0"),
        _needed(
            "faults",
            INTEGER,
            "how often it was set aside for a fault of the server's own",
            default="0",
        ),
        _optional("player_id", ID, "who it was taken for"),
        _optional("board_id", ID),
        _needed("outcome", TEXT, "the result in words", default=""),
        _optional("finished", FLOAT),
        _needed(
            "code", TEXT, "what became of it: a MailOutcome, empty until it was tried", default=""
        ),
        _needed(
            "about",
            TEXT,
            "what the code is about: number of the original, mark of a machine",
            default="",
        ),
        _needed("no_answer", TEXT, "why nobody was answered: a NoAnswer", default=""),
        _needed(
            "refusals",
            TEXT,
            "why commands in it were refused: RefusalCodes, separated by spaces",
            default="",
        ),
        _needed(
            "stranger",
            BOOLEAN,
            "whether it came from no address that is known, and is executed after others",
            default=sa.text("false"),
        ),
        _key("inbound", "id"),
        sqlite_autoincrement=True,
    )
    _index("ix_inbound_aside", "inbound", "id", where="state = 'aside'")
    _index("ix_inbound_board_id", "inbound", "board_id")
    _index("ix_inbound_fingerprint", "inbound", "fingerprint")
    _index("ix_inbound_waiting", "inbound", "stranger", "id", where="state = 'waiting'")


def _make_invitations() -> None:
    op.create_table(
        "invitations",
        _needed("address", TEXT),
        _needed("actor", TEXT),
        _needed("at", FLOAT),
        _key("invitations", "address"),
        comment="An address that the operator has invited to sign up.",
    )


def _make_outbound() -> None:
    op.create_table(
        "outbound",
        _needed("id", ID),
        _optional("inbound_id", ID),
        _optional("board_id", ID),
        _optional("player_id", ID),
        _needed("envelope_from", TEXT),
        _needed("recipient", TEXT),
        _needed("state", TEXT, "waiting, sent, failed, dropped"),
        _needed("attempts", INTEGER, default="0"),
        _needed("created", FLOAT),
        _needed("next_attempt", FLOAT),
        _optional("finished", FLOAT),
        _needed("why", TEXT, default=""),
        _needed("content", TEXT, "the kind of its notice, such as chat", default=""),
        _needed("message", BYTES),
        _key("outbound", "id"),
        sqlite_autoincrement=True,
    )
    _index("ix_outbound_board_id", "outbound", "board_id")
    _index("ix_outbound_inbound_id", "outbound", "inbound_id")
    _index("ix_outbound_player_id", "outbound", "player_id")
    _index(
        "ix_outbound_recipient_waiting", "outbound", "recipient", "id", where="state = 'waiting'"
    )
    _index("ix_outbound_waiting", "outbound", "next_attempt", "id", where="state = 'waiting'")


def _make_players() -> None:
    op.create_table(
        "players",
        _needed("id", ID),
        _needed("userid", TEXT, "as first written"),
        _needed("name", TEXT, "the userid in lower case"),
        _needed("password", TEXT, "argon2id"),
        _needed("state", TEXT, "active, suspended, closed"),
        _needed("preferences", TEXT, default="{}"),
        _needed("created", FLOAT),
        _needed("seen", FLOAT, "time of the last command"),
        _optional("away", FLOAT, "the end of the last vacation"),
        _optional("digest_at", FLOAT, "when the next digest goes out"),
        _needed("links", INTEGER, "raised when older links and reply addresses end", default="0"),
        _key("players", "id"),
        _unique("players", "name"),
        sqlite_autoincrement=True,
    )
    _index("ix_players_digest_at", "players", "digest_at", where="digest_at IS NOT NULL")
    _index("ix_players_engines", "players", "id", where="password = '!engine'")
    _index("ix_players_inactive", "players", "id", where="state != 'active'")
    _index("ix_players_seen", "players", "seen", where="state = 'active'")


def _make_settings() -> None:
    op.create_table(
        "settings",
        _needed("name", TEXT),
        _needed("value", TEXT),
        _key("settings", "name"),
        comment="The server's keys and other values that all its daemons share.",
    )


def _make_signups() -> None:
    op.create_table(
        "signups",
        _needed("id", ID),
        _needed("userid", TEXT),
        _needed("address", TEXT, "where the code went"),
        _needed("others", TEXT, "further addresses, separated by blanks", default=""),
        _needed("digest", TEXT, "keyed hash of the code"),
        _needed("sealed", TEXT, "the password, encrypted with the code"),
        _needed(
            "terms", TEXT, "the version of the terms that the mail with the code showed", default=""
        ),
        _needed("created", FLOAT),
        _needed("expires", FLOAT),
        _key("signups", "id"),
        comment="A signup that waits for its code: the account is made when that comes back.",
        sqlite_autoincrement=True,
    )
    _index("ix_signups_address", "signups", "address")
    _index("ix_signups_digest", "signups", "digest")


def _make_addresses() -> None:
    op.create_table(
        "addresses",
        _needed("id", ID),
        _needed("player_id", ID),
        _needed("address", TEXT),
        _optional("confirmed", FLOAT, "when; NULL while the code is out"),
        _needed(
            "bounce_score",
            FLOAT,
            "at the last failure; a point is forgotten in a week",
            default="0",
        ),
        _optional("bounced", FLOAT, "the last failure that counted"),
        _optional("stopped", FLOAT, "nothing is sent there since"),
        _reference("addresses", "player_id", "players"),
        _key("addresses", "id"),
        _unique("addresses", "player_id", "address"),
        sqlite_autoincrement=True,
    )
    _index("ix_addresses_address", "addresses", "address")


def _make_bans() -> None:
    op.create_table(
        "bans",
        _needed("id", ID),
        _needed("target", TEXT, "address, @domain or userid"),
        _needed("kind", TEXT, "ban: no mail either way; stop: none is sent"),
        _optional("player_id", ID),
        _needed("reason", TEXT),
        _needed("actor", TEXT),
        _needed("at", FLOAT),
        _reference("bans", "player_id", "players"),
        _key("bans", "id"),
        _unique("bans", "target"),
        sqlite_autoincrement=True,
    )
    _index("ix_bans_player_id", "bans", "player_id")


def _make_blocks() -> None:
    op.create_table(
        "blocks",
        _needed("player_id", ID),
        _needed("blocked_id", ID),
        _needed("at", FLOAT),
        _reference("blocks", "blocked_id", "players"),
        _reference("blocks", "player_id", "players"),
        _key("blocks", "player_id", "blocked_id"),
    )
    _index("ix_blocks_blocked_id", "blocks", "blocked_id")


def _make_codes() -> None:
    op.create_table(
        "codes",
        _needed("id", ID),
        _needed("player_id", ID),
        _needed("purpose", TEXT, "confirm, change, reset, unlock, signoff, erase"),
        _needed("digest", TEXT, "keyed hash of the code"),
        _needed("address", TEXT, default=""),
        _needed("created", FLOAT),
        _needed("expires", FLOAT),
        _optional("used", FLOAT),
        _needed(
            "terms", TEXT, "the version of the terms that the mail with the code showed", default=""
        ),
        _reference("codes", "player_id", "players"),
        _key("codes", "id"),
        sqlite_autoincrement=True,
    )
    _index("ix_codes_digest", "codes", "digest")
    _index("ix_codes_player_id", "codes", "player_id")


def _make_events() -> None:
    op.create_table(
        "events",
        _needed("id", ID),
        _needed("kind", TEXT),
        _needed("game", TEXT),
        _needed("name", TEXT),
        _optional("player_id", ID, "who made it"),
        _needed("state", TEXT, "open, running, over, cancelled"),
        _needed("options", TEXT, "of the game: name to value"),
        _needed("server", TEXT, "of the server: name to value"),
        _needed("rules", TEXT, "of the event: name to value"),
        _optional("most", INTEGER, "how many may enter"),
        _optional("lowest", INTEGER, "the lowest rating, as shown, that may enter"),
        _optional("highest", INTEGER),
        _needed("vacation", FLOAT, "days for which an entrant's clocks may stand still"),
        _needed("silent", FLOAT, "days without a word after which an entrant is taken out"),
        _needed("about", TEXT, "what its maker writes of it", default=""),
        _needed("season", INTEGER, default="1"),
        _optional("series", ID, "the event that was its first season"),
        _optional("tour", ID, "the tour that it counts for"),
        _needed("secret", TEXT, "64 hexadecimal digits that decide all lots"),
        _needed("commitment", TEXT, "SHA-256 of the secret, public at once"),
        _needed("created", FLOAT),
        _needed("begins", FLOAT),
        _optional("ends", FLOAT),
        _optional("ended", FLOAT),
        _optional("announced", FLOAT, "when those who want to hear of it did"),
        _optional("warned", FLOAT, "boards that end before then were announced"),
        _needed("revision", INTEGER, "raised by every change", default="0"),
        _optional("look", FLOAT, "when the scheduler looks at it next"),
        _reference("events", "player_id", "players"),
        _key("events", "id"),
        comment="An event: a tournament, a season of a league, a ladder or a tour.",
        sqlite_autoincrement=True,
    )
    _index("ix_events_look", "events", "look", where="look IS NOT NULL")
    _index("ix_events_player_id", "events", "player_id")
    _index("ix_events_series", "events", "series")
    _index("ix_events_state", "events", "state", "id")
    _index("ix_events_tour", "events", "tour")
    _index(
        "ix_events_unannounced", "events", "created", where="announced IS NULL AND state = 'open'"
    )


def _make_former_userids() -> None:
    op.create_table(
        "former_userids",
        _needed("name", TEXT, "in lower case, or its digest once the player was erased"),
        _needed("player_id", ID),
        _needed("at", FLOAT),
        _reference("former_userids", "player_id", "players"),
        _key("former_userids", "name"),
        comment="A userid that a player had before; nobody else may have it.",
    )
    _index("ix_former_userids_player_id", "former_userids", "player_id")


def _make_held_notices() -> None:
    op.create_table(
        "held_notices",
        _needed("player_id", ID),
        _needed("cause_id", ID),
        _needed("board_id", ID, "0 where they are about no board"),
        _needed("kind", TEXT, "of the notices, such as chat"),
        _needed("subject", TEXT, "of the last of them"),
        _needed("text", TEXT, "what players wrote in them"),
        _needed("count", INTEGER),
        _needed("since", FLOAT, "when the first of them came"),
        _reference("held_notices", "cause_id", "players"),
        _reference("held_notices", "player_id", "players"),
        _key("held_notices", "player_id", "cause_id", "board_id", "kind"),
        comment="Notices that one player has caused another beyond the limit: they "
        "wait for a summary.",
    )
    _index("ix_held_notices_cause_id", "held_notices", "cause_id")
    _index("ix_held_notices_since", "held_notices", "since")


def _make_offers() -> None:
    op.create_table(
        "offers",
        _needed("id", ID),
        _needed("player_id", ID),
        _needed("game", TEXT),
        _needed("options", TEXT, "of the game: name to value"),
        _needed("server", TEXT, "of the server: name to value"),
        _needed("players", INTEGER, "number of seats"),
        _needed("joined", TEXT, "the players so far, whoever made it first"),
        _optional("lowest", INTEGER, "the lowest rating, as shown, that may join"),
        _optional("highest", INTEGER),
        _needed("comment", TEXT, default=""),
        _needed("state", TEXT, "open, taken, withdrawn, expired"),
        _needed("created", FLOAT),
        _needed("expires", FLOAT),
        _optional("board_id", ID),
        _reference("offers", "player_id", "players"),
        _key("offers", "id"),
        sqlite_autoincrement=True,
    )
    _index("ix_offers_open", "offers", "expires", where="state = 'open'")
    _index("ix_offers_player_id", "offers", "player_id")


def _make_pauses() -> None:
    op.create_table(
        "pauses",
        _needed("id", ID),
        _optional("player_id", ID),
        _needed("begins", FLOAT),
        _needed("ends", FLOAT),
        _needed("kind", TEXT, "vacation, automatic, down"),
        _needed("created", FLOAT),
        _optional("announced", FLOAT, "when opponents heard of a vacation"),
        _reference("pauses", "player_id", "players"),
        _key("pauses", "id"),
        comment="Times at which clocks stand still: vacations of a player, downtimes "
        "of the server.",
        sqlite_autoincrement=True,
    )
    _index("ix_pauses_player_id", "pauses", "player_id")
    _index(
        "ix_pauses_unannounced", "pauses", "begins", where="announced IS NULL AND kind = 'vacation'"
    )


def _make_puzzles() -> None:
    op.create_table(
        "puzzles",
        _needed("id", ID),
        _needed("player_id", ID),
        _needed("game", TEXT),
        _needed("strength", TEXT, "easy, medium, hard"),
        _needed("moves", TEXT, "that lead to its position"),
        _needed("sent", FLOAT),
        _needed("state", TEXT, "open, or what counts: solved, missed, given_up"),
        _optional("answered", FLOAT, "when that was decided"),
        _reference("puzzles", "player_id", "players"),
        _key("puzzles", "id"),
        comment="A puzzle that was mailed to a player.",
        sqlite_autoincrement=True,
    )
    _index("ix_puzzles_player_id", "puzzles", "player_id")


def _make_ratings() -> None:
    op.create_table(
        "ratings",
        _needed("player_id", ID),
        _needed("game", TEXT),
        _needed("mu", FLOAT),
        _needed("sigma", FLOAT),
        _needed("boards", INTEGER),
        _needed("won", INTEGER, "boards won alone", default="0"),
        _needed("lost", INTEGER, "boards lost; the rest are ties", default="0"),
        _needed("updated", FLOAT),
        _reference("ratings", "player_id", "players"),
        _key("ratings", "player_id", "game"),
    )
    _index(
        "ix_ratings_established",
        "ratings",
        "game",
        sa.text("mu DESC"),
        "player_id",
        where="sigma <= 6.683333333333334",
    )
    _index(
        "ix_ratings_provisional",
        "ratings",
        "game",
        sa.text("mu DESC"),
        "player_id",
        where="sigma > 6.683333333333334",
    )
    _index("ix_ratings_standings", "ratings", "game", sa.text("won DESC"), "lost", "player_id")


def _make_boards() -> None:
    op.create_table(
        "boards",
        _needed("id", ID),
        _needed("game", TEXT),
        _needed("version", INTEGER),
        _needed("options", TEXT, "as given: name to value"),
        _needed("players", INTEGER),
        _needed("state", TEXT, "sleeping, invited, running, over, cancelled"),
        _needed("position", TEXT, "cache of what a replay of the moves leads to"),
        _needed("to_move", TEXT, "the seats on the move: 0 or 0,2"),
        _needed("number", INTEGER, "of the last row in moves"),
        _needed("ply", INTEGER, "moves of seats so far"),
        _needed("turn_ply", INTEGER, "plies when the current turn began"),
        _needed("asked", INTEGER, "questions to chance within this ply"),
        _needed("undos", INTEGER, "number of undos; each expires the reply tokens before it"),
        _needed("rated", BOOLEAN),
        _needed("proposals", TEXT, "draw, undo, cancel", default="{}"),
        _optional("outcome", TEXT, "ranks and reason"),
        _needed("secret", BYTES, "32 bytes; decides all chance"),
        _needed("commitment", TEXT, "SHA-256 of the secret, public at once"),
        _optional("nag_days", FLOAT),
        _optional("forfeit_days", FLOAT),
        _optional("total_days", FLOAT),
        _optional("bank_days", FLOAT),
        _optional("increment_days", FLOAT),
        _optional(
            "answer_days",
            FLOAT,
            "how long an invitation waits; NULL for as long as a turn may take",
        ),
        _needed("created", FLOAT),
        _needed("moved", FLOAT, "when the current turn began"),
        _optional("ended", FLOAT),
        _optional("look", FLOAT, "when the scheduler looks at it next"),
        _optional("rematch", ID, "the board that plays it again"),
        _optional("kept", TEXT, "what is needed to wake it, or to take back its last act"),
        _optional("event_id", ID, "the event that decides it"),
        _optional(
            "former",
            TEXT,
            "secrets that came out before it went on, and the last row in moves of each",
        ),
        _needed(
            "pool", TEXT, "the ratings that it counts for: house, or those of people", default=""
        ),
        _reference("boards", "event_id", "events"),
        _key("boards", "id"),
        sqlite_autoincrement=True,
    )
    _index("ix_boards_game_state", "boards", "game", "state", "id")
    _index("ix_boards_look", "boards", "look", where="look IS NOT NULL")
    _index("ix_boards_state", "boards", "state", "id")


def _make_entrants() -> None:
    op.create_table(
        "entrants",
        _needed("event_id", ID),
        _needed("player_id", ID),
        _needed("number", INTEGER, "start number, from 1"),
        _needed("rating", INTEGER),
        _needed("division", INTEGER, "or group, from 0", default="0"),
        _needed("joins", INTEGER, "the first round", default="1"),
        _needed("entered", FLOAT),
        _optional("left", FLOAT),
        _needed("why", TEXT, "why the entrant left", default=""),
        _needed("byes", TEXT, "rounds without a pairing, as asked for: 2,4", default=""),
        _needed("lots", TEXT, "drawn under an earlier userid, as JSON", default=""),
        _reference("entrants", "event_id", "events"),
        _reference("entrants", "player_id", "players"),
        _key("entrants", "event_id", "player_id"),
        comment="A player who has entered an event.",
    )
    _index("ix_entrants_player_id", "entrants", "player_id")


def _make_pairings() -> None:
    op.create_table(
        "pairings",
        _needed("event_id", ID),
        _needed("number", INTEGER, "within the event, from 1"),
        _needed("stage", TEXT, "main, losers, final"),
        _needed("division", INTEGER, "or group, or match, from 0"),
        _needed("round", INTEGER),
        _needed("place", INTEGER, "the table within the round"),
        _needed("leg", INTEGER, "which board of the match, from 1"),
        _needed("entrants", TEXT, "start numbers, in the order of the seats"),
        _needed("reason", TEXT, "of the pairing, as a sentence"),
        _optional("board_id", ID),
        _optional("points", TEXT, "of each seat; NULL while it is being played"),
        _needed("how", TEXT, "open, played, forfeit, adjudicated, bye, annulled"),
        _needed("note", TEXT, "more about how it ended", default=""),
        _optional("late", INTEGER, "the seat whose time ran out"),
        _needed("begun", FLOAT),
        _optional("due", FLOAT, "when it is adjudicated"),
        _optional("ended", FLOAT, "when its result stands"),
        _reference("pairings", "event_id", "events"),
        _key("pairings", "event_id", "number"),
        _unique("pairings", "board_id"),
        comment="A game of an event: who plays whom, on which board, and how it counts.",
    )
    _index("ix_pairings_open", "pairings", "event_id", "number", where="how = 'open'")


def _make_analyses() -> None:
    op.create_table(
        "analyses",
        _needed("board_id", ID),
        _needed("number", INTEGER, "of the last row in moves: the analysis is void with any other"),
        _needed("state", TEXT, "waiting, done, failed"),
        _needed("asked", FLOAT),
        _optional("claimed", FLOAT, "when a daemon last worked on it"),
        _optional("finished", FLOAT),
        _needed("result", TEXT, "as JSON", default=""),
        _reference("analyses", "board_id", "boards"),
        _key("analyses", "board_id"),
        comment="What a search or an engine thinks of a board that is over.",
    )
    _index("ix_analyses_waiting", "analyses", "asked", where="state = 'waiting'")


def _make_analysis_requests() -> None:
    op.create_table(
        "analysis_requests",
        _needed("board_id", ID),
        _needed("player_id", ID),
        _needed("at", FLOAT),
        _reference("analysis_requests", "board_id", "boards"),
        _reference("analysis_requests", "player_id", "players"),
        _key("analysis_requests", "board_id", "player_id"),
        comment="A player who waits for the analysis of a board.",
    )
    _index("ix_analysis_requests_player_id", "analysis_requests", "player_id")


def _make_chats() -> None:
    op.create_table(
        "chats",
        _needed("id", ID),
        _needed("board_id", ID),
        _needed("player_id", ID),
        _needed("text", TEXT),
        _needed("at", FLOAT),
        _reference("chats", "board_id", "boards"),
        _reference("chats", "player_id", "players"),
        _key("chats", "id"),
        comment="A text that a player of a board wrote to its other players.",
        sqlite_autoincrement=True,
    )
    _index("ix_chats_at", "chats", "at")
    _index("ix_chats_board_id", "chats", "board_id")
    _index("ix_chats_player_id", "chats", "player_id")


def _make_moves() -> None:
    op.create_table(
        "moves",
        _needed("board_id", ID),
        _needed("number", INTEGER),
        _needed("ply", INTEGER),
        _needed("kind", TEXT, "move, chance, resign, undo, forfeit, draw, cancel, adjudicate"),
        _optional("seat", INTEGER, "NULL for chance and the server"),
        _needed("move", TEXT),
        _needed("words", TEXT, "the move as spectators read it", default=""),
        _needed("news", TEXT, "what happened as a consequence", default=""),
        _needed("comment", TEXT, default=""),
        _needed("at", FLOAT),
        _needed("key", TEXT, "key of the position, to find repetitions", default=""),
        _reference("moves", "board_id", "boards"),
        _key("moves", "board_id", "number"),
        comment="Append-only: the truth about a board.",
    )


def _make_notes() -> None:
    op.create_table(
        "notes",
        _needed("id", ID),
        _needed("board_id", ID),
        _needed("player_id", ID),
        _needed("number", INTEGER, "of the last row in moves when it was made"),
        _needed("ply", INTEGER),
        _needed("text", TEXT),
        _needed("at", FLOAT),
        _reference("notes", "board_id", "boards"),
        _reference("notes", "player_id", "players"),
        _key("notes", "id"),
        comment="A private remark of a player at a position of a board.",
        sqlite_autoincrement=True,
    )
    _index("ix_notes_board_id", "notes", "board_id", "player_id")
    _index("ix_notes_player_id", "notes", "player_id")


def _make_rating_changes() -> None:
    op.create_table(
        "rating_changes",
        _needed("id", ID),
        _needed("board_id", ID),
        _needed("seat", INTEGER),
        _needed("player_id", ID),
        _needed("game", TEXT),
        _needed("chance", FLOAT, "of winning, by the ratings before"),
        _needed("mu_before", FLOAT),
        _needed("sigma_before", FLOAT),
        _needed("mu", FLOAT),
        _needed("sigma", FLOAT),
        _needed("at", FLOAT),
        _reference("rating_changes", "board_id", "boards"),
        _reference("rating_changes", "player_id", "players"),
        _key("rating_changes", "id"),
        _unique("rating_changes", "board_id", "seat"),
        comment="What each rated board did to the ratings of its players, in order.",
        sqlite_autoincrement=True,
    )
    _index("ix_rating_changes_player_id", "rating_changes", "player_id", "id")


def _make_seats() -> None:
    op.create_table(
        "seats",
        _needed("board_id", ID),
        _needed("seat", INTEGER),
        _needed("player_id", ID),
        _needed("accepted", BOOLEAN),
        _needed("moved", BOOLEAN, "whether it has ever moved", default=sa.text("false")),
        _optional("plan", TEXT, "what it answers to what the others may do"),
        _optional("submitted", TEXT, "ply and moves that wait for confirm"),
        _needed("spent", FLOAT, "seconds used on its clock", default="0"),
        _optional("due", FLOAT, "the announced time of its forfeit"),
        _needed("reminded", INTEGER, default="0"),
        _optional("rank", INTEGER),
        _needed("notes", INTEGER, "how many notes its player has made", default="0"),
        _reference("seats", "board_id", "boards"),
        _reference("seats", "player_id", "players"),
        _key("seats", "board_id", "seat"),
    )
    _index("ix_seats_player_id", "seats", "player_id")
    _index("ix_seats_open", "seats", "player_id", where="rank IS NULL")


def _make_watchers() -> None:
    op.create_table(
        "watchers",
        _needed("board_id", ID),
        _needed("player_id", ID),
        _reference("watchers", "board_id", "boards"),
        _reference("watchers", "player_id", "players"),
        _key("watchers", "board_id", "player_id"),
    )
    _index("ix_watchers_player_id", "watchers", "player_id")

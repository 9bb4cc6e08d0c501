"""The tables of boards and of who plays there, which are enough to show a board."""

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text

from pbm.store.rows import (
    ID,
    Row,
    column,
    make_table,
    partial_index,
    primary_key,
    reference,
)


class SettingRow(Row):
    """The server's keys and other values that all its daemons share."""

    name: str = primary_key()
    value: str


settings = make_table("settings", SettingRow, comment=SettingRow.__doc__)


class PlayerRow(Row):
    """An account."""

    id: int = primary_key(ID)
    userid: str = column(comment="as first written")
    name: str = column(unique=True, comment="the userid in lower case")
    password: str = column(comment="argon2id")
    state: str = column(comment="active, suspended, closed")
    preferences: str = column(server_default="{}")
    created: float
    seen: float = column(comment="time of the last command")
    away: float | None = column(comment="the end of the last vacation")
    digest_at: float | None = column(comment="when the next digest goes out")
    links: int = column(
        server_default="0", comment="raised when older links and reply addresses end"
    )
    writes_to: str = column(
        server_default="",
        comment="the address of the server that the player last wrote to, if it has several",
    )
    silenced: float | None = column(comment="until when no word of theirs is passed on")


players = make_table("players", PlayerRow)
partial_index(
    "ix_players_digest_at",
    players.c.digest_at.is_not(None),
    players.c.digest_at,
)
partial_index(
    "ix_players_seen",
    players.c.state == "active",
    players.c.seen,
)
partial_index(
    "ix_players_inactive",
    players.c.state != "active",
    players.c.id,
)
partial_index(
    "ix_players_engines",
    players.c.password == "!engine",  # noqa: S105 (not a password)
    players.c.id,
)


class AddressRow(Row):
    """A mail address of a player."""

    id: int = primary_key(ID)
    player_id: int = reference("players")
    address: str = column(index=True)
    confirmed: float | None = column(comment="when; NULL while the code is out")
    bounce_score: float = column(
        server_default="0", comment="at the last failure; a point is forgotten in a week"
    )
    bounced: float | None = column(comment="the last failure that counted")
    stopped: float | None = column(comment="nothing is sent there since")


addresses = make_table("addresses", AddressRow, UniqueConstraint("player_id", "address"))


class BoardRow(Row):
    """A board."""

    id: int = primary_key(ID)
    game: str
    version: int
    options: str = column(comment="as given: name to value")
    players: int
    state: str = column(comment="sleeping, invited, running, over, cancelled")
    position: str = column(comment="cache of what a replay of the moves leads to")
    to_move: str = column(comment="the seats on the move: 0 or 0,2")
    number: int = column(comment="of the last row in moves")
    ply: int = column(comment="moves of seats so far")
    turn_ply: int = column(comment="plies when the current turn began")
    asked: int = column(comment="questions to chance within this ply")
    undos: int = column(comment="number of undos; each expires the reply tokens before it")
    rated: bool
    proposals: str = column(server_default="{}", comment="draw, undo, cancel")
    outcome: str | None = column(comment="ranks and reason")
    secret: bytes = column(comment="32 bytes; decides all chance")
    commitment: str = column(comment="SHA-256 of the secret, public at once")
    nag_days: float | None
    forfeit_days: float | None
    total_days: float | None
    bank_days: float | None
    increment_days: float | None
    deadline: str = column(
        server_default="", comment="the hour and the days at which a turn ends: mon,fri@20:00/UTC"
    )
    answer_days: float | None = column(
        comment="how long an invitation waits; NULL for as long as a turn may take"
    )
    created: float
    moved: float = column(comment="when the current turn began")
    ended: float | None
    look: float | None = column(comment="when the scheduler looks at it next")
    rematch: int | None = column(ID, comment="the board that plays it again")
    kept: str | None = column(comment="what is needed to wake it, or to take back its last act")
    event_id: int | None = column(ID, ForeignKey("events.id"), comment="the event that decides it")
    former: str | None = column(
        comment="secrets that came out before it went on, and the last row in moves of each"
    )
    pool: str = column(
        server_default="", comment="the ratings that it counts for: house, or those of people"
    )
    anonymous: bool = column(
        server_default=text("false"),
        comment="nobody is to learn who plays, for as long as this is set",
    )


boards = make_table("boards", BoardRow)
Index("ix_boards_game_state", boards.c.game, boards.c.state, boards.c.id)
Index("ix_boards_state", boards.c.state, boards.c.id)
partial_index(
    "ix_boards_look",
    boards.c.look.is_not(None),
    boards.c.look,
)


class SeatRow(Row):
    """A seat at a board."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    seat: int = primary_key()
    player_id: int = reference("players", index=True)
    accepted: bool
    moved: bool = column(server_default=text("false"), comment="whether it has ever moved")
    plan: str | None = column(comment="what it answers to what the others may do")
    submitted: str | None = column(comment="ply and moves that wait for confirm")
    spent: float = column(server_default="0", comment="seconds used on its clock")
    due: float | None = column(comment="the announced time of its forfeit")
    reminded: int = column(server_default="0")
    rank: int | None
    notes: int = column(server_default="0", comment="how many notes its player has made")


seats = make_table("seats", SeatRow)
partial_index(
    "ix_seats_open",
    seats.c.rank.is_(None),
    seats.c.player_id,
)


class MoveRow(Row):
    """Append-only: the truth about a board."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    number: int = primary_key()
    ply: int
    kind: str = column(comment="move, chance, resign, undo, forfeit, draw, cancel, adjudicate")
    seat: int | None = column(comment="NULL for chance and the server")
    move: str
    words: str = column(server_default="", comment="the move as spectators read it")
    news: str = column(server_default="", comment="what happened as a consequence")
    comment: str = column(server_default="")
    at: float
    key: str = column(server_default="", comment="key of the position, to find repetitions")


moves = make_table("moves", MoveRow, comment=MoveRow.__doc__)


class NoteRow(Row):
    """A private remark of a player at a position of a board."""

    id: int = primary_key(ID)
    board_id: int = reference("boards")
    player_id: int = reference("players", index=True)
    number: int = column(comment="of the last row in moves when it was made")
    ply: int
    text: str
    at: float


notes = make_table("notes", NoteRow, comment=NoteRow.__doc__)
Index("ix_notes_board_id", notes.c.board_id, notes.c.player_id)


class WatcherRow(Row):
    """Somebody who watches a board."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)


watchers = make_table("watchers", WatcherRow)


class CodeRow(Row):
    """A one-time code that was mailed to a player."""

    id: int = primary_key(ID)
    player_id: int = reference("players", index=True)
    purpose: str = column(comment="confirm, change, reset, unlock, signoff, erase")
    digest: str = column(index=True, comment="keyed hash of the code")
    address: str = column(server_default="")
    created: float
    expires: float
    used: float | None
    terms: str = column(
        server_default="", comment="the version of the terms that the mail with the code showed"
    )


codes = make_table("codes", CodeRow)


class CounterRow(Row):
    """How often something was done on a day."""

    name: str = primary_key(comment="what is counted, and for whom")
    day: int = primary_key(comment="days since 1970")
    count: int


counters = make_table("counters", CounterRow)

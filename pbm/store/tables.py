"""The tables that the spine knows, as the migrations make them (a test compares the two); others
are in the folders of their features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Double, ForeignKey, Index, UniqueConstraint, literal_column, text

from pbm.ratings import MOST_SIGMA
from pbm.store.rows import (
    ID,
    Row,
    column,
    make_table,
    partial_index,
    primary_key,
    reference,
)
from pbm.store.rows import (
    metadata as metadata,
)

# What the rows of queues have in common.

WAITING, DONE, ASIDE = "waiting", "done", "aside"
SENT, FAILED, DROPPED = "sent", "failed", "dropped"

EMPTY_INBOUND: Mapping[str, object] = {
    "raw": b"",
    "envelope_from": None,
    "recipient": "",
    "peer": "",
    "outcome": "removed",
    "about": "",
}
"""The columns of a mail of which nothing is kept but that it came or went."""

EMPTY_OUTBOUND: Mapping[str, object] = {
    "message": b"",
    "envelope_from": "",
    "recipient": "",
    "why": "",
    "told": None,
    "offer": None,
}
"""The columns of a mail of which nothing is kept but that it came or went."""

# Which addresses are one mailbox: its owner makes as many of them as wanted.

DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains that ignore dots before the at sign, which nobody can ask them, each with the name under
which its mailboxes are compared."""


def drop_tag(address: str) -> str:
    """Return the address in lower case, without the +tag that its owner chooses freely."""
    local, _, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{host}"


def normalize_mailbox(address: str) -> str:
    """Return the mailbox of an address: in lower case, without +tag, and without dots where its
    domain ignores them."""
    local, _, host = drop_tag(address).rpartition("@")
    if host in DOTLESS:
        local = local.replace(".", "") or local
    return f"{local}@{DOTLESS.get(host, host)}"


class InboundRow(Row):
    """A mail that came in."""

    id: int = primary_key(ID)
    received: float
    via: str = column(comment="smtp, lmtp, pipe, imap")
    peer: str = column(server_default="")
    envelope_from: str | None = column(comment="NULL when the source has none")
    recipient: str
    raw: bytes = column(comment="masked after use")
    fingerprint: str | None = column(index=True, comment="equal for copies of one mail")
    state: str = column(comment="waiting, done, aside")
    attempts: int = column(server_default="0")
    faults: int = column(
        server_default="0", comment="how often it was set aside for a fault of the server's own"
    )
    player_id: int | None = column(ID, comment="who it was taken for")
    board_id: int | None = column(ID, index=True)
    outcome: str = column(server_default="", comment="the result in words")
    finished: float | None
    code: str = column(
        server_default="", comment="what became of it: a MailOutcome, empty until it was tried"
    )
    about: str = column(
        server_default="",
        comment="what the code is about: number of the original, mark of a machine",
    )
    no_answer: str = column(server_default="", comment="why nobody was answered: a NoAnswer")
    refusals: str = column(
        server_default="",
        comment="why commands in it were refused: RefusalCodes, separated by spaces",
    )
    stranger: bool = column(
        server_default=text("false"),
        comment="whether it came from no address that is known, and is executed after others",
    )


inbound = make_table("inbound", InboundRow)
partial_index(
    "ix_inbound_waiting",
    inbound.c.state == "waiting",
    inbound.c.stranger,
    inbound.c.id,
)
partial_index(
    "ix_inbound_aside",
    inbound.c.state == "aside",
    inbound.c.id,
)


class OutboundRow(Row):
    """A mail that goes out."""

    id: int = primary_key(ID)
    inbound_id: int | None = column(ID, index=True)
    board_id: int | None = column(ID, index=True)
    player_id: int | None = column(ID, index=True)
    envelope_from: str
    recipient: str
    state: str = column(comment="waiting, sent, failed, dropped")
    attempts: int = column(server_default="0")
    created: float
    next_attempt: float
    finished: float | None
    why: str = column(server_default="")
    content: str = column(server_default="", comment="the kind of its notice, such as chat")
    message: bytes
    told: str | None = column(comment="the news that a bot's answer repeats, as JSON")
    precedence: int = column(
        server_default="0",
        comment="lowest first: 0 of the reader's own boards, 1 for players, 2 for strangers",
    )
    # empty once it was taken; what the database says of it stays as the migration has it
    offer: str | None = column(comment="the line that a yes in reply does, as JSON")
    answer: str = column(
        server_default="",
        comment="the line that sends the words of a reply back, such as message ann",
    )


outbound = make_table("outbound", OutboundRow)
partial_index(
    "ix_outbound_waiting",
    outbound.c.state == "waiting",
    outbound.c.precedence,
    outbound.c.next_attempt,
    outbound.c.id,
)
partial_index(
    "ix_outbound_recipient_waiting",
    outbound.c.state == "waiting",
    outbound.c.recipient,
    outbound.c.id,
)


class ReceiptRow(Row):
    """What the next mail server said when it took a mail of ours."""

    id: int = primary_key(ID)
    outbound_id: int = column(ID, index=True)
    at: float
    answer: str


receipts = make_table("receipts", ReceiptRow, comment=ReceiptRow.__doc__)


class RatingRow(Row):
    """The rating of a player in a game, or in a pool of it, such as `cradle house`."""

    player_id: int = primary_key(ID, ForeignKey("players.id"))
    game: str = primary_key()
    mu: float
    sigma: float
    boards: int
    won: int = column(server_default="0", comment="boards won alone")
    lost: int = column(server_default="0", comment="boards lost; the rest are ties")
    updated: float


ratings = make_table("ratings", RatingRow)
_MOST_SIGMA = literal_column(repr(MOST_SIGMA), Double)
is_established = ratings.c.sigma <= _MOST_SIGMA
is_provisional = ratings.c.sigma > _MOST_SIGMA
partial_index(
    "ix_ratings_established",
    is_established,
    ratings.c.game,
    ratings.c.mu.desc(),
    ratings.c.player_id,
)
partial_index(
    "ix_ratings_provisional",
    is_provisional,
    ratings.c.game,
    ratings.c.mu.desc(),
    ratings.c.player_id,
)
Index(
    "ix_ratings_standings",
    ratings.c.game,
    ratings.c.won.desc(),
    ratings.c.lost,
    ratings.c.player_id,
)


class RatingChangeRow(Row):
    """What each rated board did to the ratings of its players, in order."""

    id: int = primary_key(ID)
    board_id: int = reference("boards")
    seat: int
    player_id: int = reference("players")
    game: str
    chance: float = column(comment="of winning, by the ratings before")
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    at: float


rating_changes = make_table(
    "rating_changes",
    RatingChangeRow,
    UniqueConstraint("board_id", "seat"),
    comment=RatingChangeRow.__doc__,
)
Index("ix_rating_changes_player_id", rating_changes.c.player_id, rating_changes.c.id)


class PauseRow(Row):
    """Times at which clocks stand still: vacations of a player, downtimes of the server."""

    id: int = primary_key(ID)
    player_id: int | None = reference("players", index=True)
    begins: float
    ends: float
    kind: str = column(comment="vacation, automatic, down")
    created: float
    announced: float | None = column(comment="when opponents heard of a vacation")


pauses = make_table(
    "pauses",
    PauseRow,
    comment=PauseRow.__doc__,
)
partial_index(
    "ix_pauses_unannounced",
    pauses.c.announced.is_(None) & (pauses.c.kind == "vacation"),
    pauses.c.begins,
)


class BanRow(Row):
    """An address, a domain or a userid that is banned."""

    id: int = primary_key(ID)
    target: str = column(unique=True, comment="address, @domain or userid")
    kind: str = column(comment="ban: no mail either way; stop: none is sent")
    player_id: int | None = reference("players", index=True)
    reason: str
    actor: str
    at: float
    was_suspended: bool = column(
        server_default=text("false"), comment="an account that was suspended before"
    )


bans = make_table("bans", BanRow)


class MailEndRow(Row):
    """How one of the last mails of a player began and ended, to tell what programs add."""

    id: int = primary_key(ID)
    player_id: int = reference("players", index=True)
    beginning: str = column(
        server_default="", index=True, comment="hash of the first paragraph, or empty"
    )
    endings: str = column(
        server_default="", comment="hashes of the last line, the last two and so on"
    )


mail_ends = make_table("mail_ends", MailEndRow, comment=MailEndRow.__doc__)


class BlockRow(Row):
    """Somebody of whom a player wants to hear no more."""

    player_id: int = primary_key(ID, ForeignKey("players.id"))
    blocked_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    at: float


blocks = make_table("blocks", BlockRow)


class FormerMailboxRow(Row):
    """A mailbox that an account has left: whoever comes back with it is still the same person."""

    digest: str = primary_key(comment="keyed hash of the mailbox")
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)


former_mailboxes = make_table(
    "former_mailboxes", FormerMailboxRow, comment=FormerMailboxRow.__doc__
)


class HeldNoticeRow(Row):
    """Notices that one player has caused another beyond the limit: they wait for a summary."""

    player_id: int = primary_key(ID, ForeignKey("players.id"))
    cause_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    board_id: int = primary_key(ID, comment="0 where they are about no board")
    kind: str = primary_key(comment="of the notices, such as chat")
    subject: str = column(comment="of the last of them")
    text: str = column(comment="what players wrote in them")
    count: int
    since: float = column(index=True, comment="when the first of them came")


held_notices = make_table("held_notices", HeldNoticeRow, comment=HeldNoticeRow.__doc__)


class HeldWordsRow(Row):
    """Words of a player to people who do not know that player: they wait for a moderator's yes."""

    id: int = primary_key(ID)
    player_id: int = reference("players", index=True, comment="who wrote them")
    kind: str = column(comment="of the notices that pass them on, such as message")
    about: int = column(comment="the event or invitation that they are about, or 0")
    recipients: str = column(comment="numbers of players, or one address, separated by blanks")
    text: str
    at: float = column(index=True)


held_words = make_table("held_words", HeldWordsRow, comment=HeldWordsRow.__doc__)


class AuditRow(Row):
    """An act of the operator, or a change of an account."""

    id: int = primary_key(ID)
    at: float
    actor: str
    action: str
    player_id: int | None = column(ID, index=True)
    board_id: int | None = column(ID, index=True)
    reason: str = column(server_default="")
    undo: str | None = column(comment="what undoes it: the act and what was before, as JSON")
    closed: float | None = column(comment="when it was undone, or, a report, decided")


audit = make_table("audit", AuditRow)


# The tables of boards and of who plays there, which are enough to show a board.


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
    roles: str = column(
        server_default="", comment="moderator, maker: what the operator trusts them with"
    )


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
    "ix_players_roles",
    players.c.roles != "",
    players.c.id,
)
partial_index(
    "ix_players_engines",
    players.c.password == "!engine",  # noqa: S105 (not a password)
    players.c.id,
)


def _find_mailbox(context: Any) -> str:
    """Return the mailbox of an address that is being inserted."""
    return normalize_mailbox(context.get_current_parameters()["address"])


class AddressRow(Row):
    """A mail address of a player."""

    id: int = primary_key(ID)
    player_id: int = reference("players")
    address: str = column(index=True)
    mailbox: str = column(
        index=True,
        insert_default=_find_mailbox,
        server_default="",
        comment="which of them are one: without tag, and dots that mean nothing",
    )
    confirmed: float | None = column(comment="when; NULL while the code is out")
    bounce_score: float = column(
        server_default="0", comment="at the last failure; a point is forgotten in a week"
    )
    bounced: float | None = column(comment="the last failure that counted")
    stopped: float | None = column(comment="nothing is sent there since")


addresses = make_table("addresses", AddressRow, UniqueConstraint("player_id", "address"))


@dataclass(kw_only=True)
class BoardColumns:
    """What everybody may know of a board and is the same in the database, in `Board` and in
    `BoardSummary`: a column that is spelled here is a field of all three."""

    id: int = primary_key(ID)
    state: str = column(comment="sleeping, invited, running, over, cancelled")
    number: int = column(default=0, comment="of the last row in moves")
    ply: int = column(default=0, comment="moves of seats so far")
    turn_ply: int = column(default=0, comment="plies when the current turn began")
    undos: int = column(
        default=0, comment="number of undos; each expires the reply tokens before it"
    )
    rated: bool
    commitment: str = column(comment="SHA-256 of the secret, public at once")
    answer_days: float | None = column(
        default=None,
        comment="how long an invitation waits; NULL for as long as a turn may take",
    )
    created: float
    ended: float | None = None
    rematch: int | None = column(ID, default=None, comment="the board that plays it again")
    pool: str = column(
        default="",
        server_default="",
        comment="the ratings that it counts for: house, or those of people",
    )
    title: str = column(default="", server_default="", comment="what its players call it")
    private: bool = column(
        default=False, server_default=text("false"), comment="whether its players alone see it"
    )
    standin: str = column(
        default="",
        server_default="",
        comment="the computer player that moves for who is silent, or empty",
    )


class BoardRow(BoardColumns, Row):
    """A board."""

    game: str
    version: int
    options: str = column(comment="as given: name to value")
    players: int
    position: str = column(comment="cache of what a replay of the moves leads to")
    to_move: str = column(comment="the seats on the move: 0 or 0,2")
    asked: int = column(comment="questions to chance within this ply")
    proposals: str = column(server_default="{}", comment="draw, undo, cancel")
    outcome: str | None = column(comment="ranks and reason")
    secret: bytes = column(comment="32 bytes; decides all chance")
    nag_days: float | None
    forfeit_days: float | None
    total_days: float | None
    bank_days: float | None
    increment_days: float | None
    deadline: str = column(
        server_default="", comment="the hour and the days at which a turn ends: mon,fri@20:00/UTC"
    )
    grace_hours: float = column(
        server_default="0", comment="how long after a deadline moves are still taken"
    )
    moved: float = column(comment="when the current turn began")
    paused: str = column(
        server_default="[]", comment="begin and end of each pause that may reach into this turn"
    )
    look: float | None = column(comment="when the scheduler looks at it next")
    kept: str | None = column(comment="what is needed to wake it, or to take back its last act")
    event_id: int | None = column(ID, ForeignKey("events.id"), comment="the event that decides it")
    former: str | None = column(
        comment="secrets that came out before it went on, and the last row in moves of each"
    )
    anonymous: bool = column(
        server_default=text("false"),
        comment="nobody is to learn who plays, for as long as this is set",
    )


boards = make_table("boards", BoardRow)
Index("ix_boards_game_state", boards.c.game, boards.c.state, boards.c.id)
Index("ix_boards_state", boards.c.state, boards.c.id)
partial_index("ix_boards_private", boards.c.private, boards.c.game, boards.c.state)
partial_index("ix_boards_pool", literal_column("pool <> ''"), boards.c.pool, boards.c.state)
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
    given: float = column(
        server_default="0", comment="seconds that others gave it for this turn or the next one"
    )
    standin: float | None = column(
        comment="since when a computer player moves for it, unless its player was seen since"
    )
    rank: int | None
    notes: int = column(server_default="0", comment="how many notes its player has made")
    decides: str = column(
        server_default="", comment="how the party decides that holds it: captain, first, turn, vote"
    )
    ballots: str | None = column(comment="what the members of that party want played")
    tried: str | None = column(comment="variations that whoever holds it keeps")


seats = make_table("seats", SeatRow)
partial_index(
    "ix_seats_open",
    seats.c.rank.is_(None),
    seats.c.player_id,
)
partial_index("ix_seats_standin", seats.c.standin.is_not(None), seats.c.standin)


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


# Events: tournaments, seasons of leagues, ladders and tours.


class EventRow(Row):
    """An event: a tournament, a season of a league, a ladder or a tour."""

    id: int = primary_key(ID)
    kind: str
    game: str
    name: str
    player_id: int | None = reference("players", index=True, comment="who made it")
    state: str = column(comment="open, running, over, cancelled")
    options: str = column(comment="of the game: name to value")
    server: str = column(comment="of the server: name to value")
    rules: str = column(comment="of the event: name to value")
    most: int | None = column(comment="how many may enter")
    lowest: int | None = column(comment="the lowest rating, as shown, that may enter")
    highest: int | None
    vacation: float = column(comment="days for which an entrant's clocks may stand still")
    silent: float = column(comment="days without a word after which an entrant is taken out")
    about: str = column(server_default="", comment="what its maker writes of it")
    season: int = column(server_default="1")
    series: int | None = column(ID, index=True, comment="the event that was its first season")
    tour: int | None = column(ID, index=True, comment="the tour that it counts for")
    secret: str = column(comment="64 hexadecimal digits that decide all lots")
    commitment: str = column(comment="SHA-256 of the secret, public at once")
    created: float
    begins: float
    ends: float | None
    ended: float | None
    announced: float | None = column(comment="when those who want to hear of it did")
    warned: float | None = column(comment="boards that end before then were announced")
    revision: int = column(server_default="0", comment="raised by every change")
    look: float | None = column(comment="when the scheduler looks at it next")


events = make_table("events", EventRow, comment=EventRow.__doc__)
Index("ix_events_state", events.c.state, events.c.id)
partial_index(
    "ix_events_unannounced",
    events.c.announced.is_(None) & (events.c.state == "open"),
    events.c.created,
)
partial_index("ix_events_look", events.c.look.is_not(None), events.c.look)


class EntrantRow(Row):
    """A player who has entered an event."""

    event_id: int = primary_key(ID, ForeignKey("events.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    number: int = column(comment="start number, from 1")
    rating: int
    division: int = column(server_default="0", comment="or group, from 0")
    joins: int = column(server_default="1", comment="the first round")
    entered: float
    left: float | None
    why: str = column(server_default="", comment="why the entrant left")
    byes: str = column(server_default="", comment="rounds without a pairing, as asked for: 2,4")
    lots: str = column(server_default="", comment="drawn under an earlier userid, as JSON")


entrants = make_table("entrants", EntrantRow, comment=EntrantRow.__doc__)


# Teams, those who hold a seat together, take it over or run the board, and matches.

CAPTAIN, OFFICER, MEMBER, RESERVE = "captain", "officer", "member", "reserve"
INVITED, ASKING = "invited", "asking"
"""What somebody is in a team or a club, or is to become: each has some of these."""


class TeamMemberRow(Row):
    """A player in a team, whose name is that of an account which begins with @."""

    team_id: int = primary_key(ID, ForeignKey("players.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    role: str = column(comment="captain, member, reserve or invited")
    since: float


class SeatMemberRow(Row):
    """A player who holds a seat together with others."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    seat: int = primary_key()
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    place: int = column(comment="their order: the captain has the lowest")


class PartyTalkRow(Row):
    """What somebody wrote to those who hold a seat together, and to nobody else."""

    id: int = primary_key(ID)
    board_id: int = reference("boards", index=True)
    seat: int
    player_id: int = reference("players", index=True)
    ply: int = column(comment="the ply to be played when it was written")
    kind: str = column(comment="text, proposal or vote: the text is then a move")
    text: str
    at: float


team_members = make_table("team_members", TeamMemberRow, comment=TeamMemberRow.__doc__)
seat_members = make_table("seat_members", SeatMemberRow, comment=SeatMemberRow.__doc__)
party_talk = make_table("party_talk", PartyTalkRow, comment=PartyTalkRow.__doc__)


class MasterRow(Row):
    """The player who runs a board without playing on it."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    player_id: int = reference("players", index=True)


class ReplacementRow(Row):
    """A player who was asked to take a seat over, by who holds it or by the board's master."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    seat: int = primary_key()
    player_id: int = reference("players", index=True)
    member_id: int | None = column(ID, comment="of a party, whose place it is")


masters = make_table("masters", MasterRow, comment=MasterRow.__doc__)
replacements = make_table("replacements", ReplacementRow, comment=ReplacementRow.__doc__)


class MatchRow(Row):
    """Boards that are one contest: of two teams, or of a player who takes on many."""

    id: int = primary_key(ID)
    game: str
    home_id: int = reference("players", index=True)
    away_id: int | None = column(ID, ForeignKey("players.id"), comment="none for an exhibition")
    begun: float
    told: float = column(comment="when its table was last mailed")
    ended: float | None


class MatchBoardRow(Row):
    """A board of a match."""

    match_id: int = primary_key(ID, ForeignKey("matches.id"))
    board_id: int = primary_key(ID, ForeignKey("boards.id"), index=True)
    number: int
    home_seat: int


matches = make_table("matches", MatchRow, comment=MatchRow.__doc__)
match_boards = make_table("match_boards", MatchBoardRow, comment=MatchBoardRow.__doc__)


# Clubs, and their matches against guests of other towns.

WEBHOOK = "webhook:"
"""How the recipient begins of what is posted to a page: the name of a club follows."""


class ClubRow(Row):
    """A club. Its boards have its name as their pool, so that a name is never used again."""

    id: int = primary_key(ID)
    name: str = column(unique=True, comment="in lower case")
    about: str = column(server_default="", comment="what its officers say of it")
    created: float
    letter: float = column(comment="when the next letter to its members is due")
    colour: str = column(server_default="", comment="of its pages, such as #1d4e89")
    hook: str = column(server_default="", comment="the URL that its news are posted to, or empty")
    hook_form: str = column(server_default="json", comment="json or text")
    hook_news: str = column(
        server_default="", comment="which news: results, events, offers, letters"
    )
    hook_since: float = column(server_default="0", comment="up to when they were posted")


class ClubMemberRow(Row):
    """A player in a club, or who was invited, or who asks to be let in."""

    club_id: int = primary_key(ID, ForeignKey("clubs.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    role: str = column(comment="officer, member, invited or asking")
    since: float


class ClubMatchRow(Row):
    """A match of a team of a club against guests of another town."""

    id: int = primary_key(ID)
    club_id: int = reference("clubs", index=True)
    player_id: int = reference("players", index=True, comment="the officer who made it")
    home_id: int = reference("players", comment="the team of the club")
    away_id: int | None = column(ID, ForeignKey("players.id"), comment="the team of the guests")
    game: str
    options: str = column(comment="of the game: name to value")
    server: str = column(comment="of the server: name to value")
    created: float
    match_id: int | None = column(
        ID, ForeignKey("matches.id"), index=True, comment="its boards, once it has begun"
    )


class ClubGuestRow(Row):
    """Somebody who was invited to a match, and has an account once they have answered."""

    invitation_id: int = primary_key(ID)
    club_match_id: int = reference("club_matches", index=True)
    player_id: int | None = column(ID, ForeignKey("players.id"), index=True)
    is_captain: bool


clubs = make_table("clubs", ClubRow, comment=ClubRow.__doc__)
club_members = make_table("club_members", ClubMemberRow, comment=ClubMemberRow.__doc__)
club_matches = make_table("club_matches", ClubMatchRow, comment=ClubMatchRow.__doc__)
club_guests = make_table("club_guests", ClubGuestRow, comment=ClubGuestRow.__doc__)

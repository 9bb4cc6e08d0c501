"""Reads of boards and of what belongs to them: seats, watchers, and all of it for a batch."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import BindParameter, Select, bindparam, exists, func, or_, select

from pbm.store.club_tables import clubs
from pbm.store.event_tables import EventRow, events
from pbm.store.party_tables import (
    CAPTAIN,
    masters,
    match_boards,
    matches,
    replacements,
    seat_members,
    team_members,
)
from pbm.store.prefetched import SeatedRow, build_reader
from pbm.store.reads.player_rows import find_addresses_by_board
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    BoardRow,
    MoveRow,
    NoteRow,
    boards,
    moves,
    notes,
    outbound,
    players,
    seats,
    watchers,
)
from pbm.store.transaction import Session, pad_keys


class WatchingRow(Row):
    """A player who watches a board."""

    id: int
    userid: str


class MasterNameRow(Row):
    """The player who runs a board without playing on it."""

    id: int
    userid: str


class SeatMemberNameRow(Row):
    """A player who holds a seat together with others."""

    seat: int
    player_id: int
    userid: str
    password: str
    links: int
    state: str
    preferences: str


class TeamMemberNameRow(Row):
    """A player in a team, or invited to it."""

    player_id: int
    role: str
    userid: str
    state: str


def select_held_boards(player: int | BindParameter[int]) -> Select[tuple[int]]:
    """Return the query of the numbers of the boards where a player holds a seat with others."""
    return select(seat_members.c.board_id).where(seat_members.c.player_id == player)


_BOARDS: BindParameter[int] = bindparam("boards", expanding=True)
_BOARD = select(boards).where(boards.c.id == bindparam("id"))
_OPEN_STATES = ("running", "invited")
_READ_BOARD = Query(BoardRow, _BOARD)
_LOCK_BOARD = Query(BoardRow, _BOARD.with_for_update())
_TRY_LOCK_BOARD = Query(BoardRow, _BOARD.with_for_update(skip_locked=True))
_LOCK_BOARDS = Query(
    BoardRow,
    select(boards).where(boards.c.id.in_(_BOARDS)).order_by(boards.c.id).with_for_update(),
)
_SEATS = Query(
    SeatedRow,
    select(
        seats,
        players.c.userid,
        players.c.password,
        players.c.links,
        players.c.state.label("player_state"),
        players.c.preferences,
        players.c.writes_to,
        players.c.away,
        players.c.seen,
    )
    .join(players, players.c.id == seats.c.player_id)
    .where(seats.c.board_id.in_(_BOARDS))
    .order_by(seats.c.board_id, seats.c.seat),
)
_WATCHERS = Query(
    WatchingRow,
    select(players.c.id, players.c.userid)
    .join(watchers, watchers.c.player_id == players.c.id)
    .where(watchers.c.board_id == bindparam("id"))
    .order_by(players.c.id),
)
_MASTER = Query(
    MasterNameRow,
    select(players.c.id, players.c.userid)
    .join(masters, masters.c.player_id == players.c.id)
    .where(masters.c.board_id == bindparam("id")),
)
_SEAT_MEMBERS = Query(
    SeatMemberNameRow,
    select(
        seat_members.c.seat,
        seat_members.c.player_id,
        players.c.userid,
        players.c.password,
        players.c.links,
        players.c.state,
        players.c.preferences,
    )
    .join(players, players.c.id == seat_members.c.player_id)
    .where(seat_members.c.board_id == bindparam("id"))
    .order_by(seat_members.c.seat, seat_members.c.place),
)
_TEAM = Query(
    TeamMemberNameRow,
    select(team_members.c.player_id, team_members.c.role, players.c.userid, players.c.state)
    .join(players, players.c.id == team_members.c.player_id)
    .where(team_members.c.team_id == bindparam("id"))
    .order_by(team_members.c.since, team_members.c.player_id),
)
_LOG_ENDS = Query(
    MoveRow,
    select(moves)
    .join(boards, boards.c.id == moves.c.board_id)
    .where(moves.c.board_id.in_(_BOARDS), moves.c.number > boards.c.number - bindparam("most"))
    .order_by(moves.c.board_id, moves.c.number),
)
_GIVERS = (
    select(match_boards.c.board_id, matches.c.home_id)
    .join(match_boards, match_boards.c.match_id == matches.c.id)
    .where(match_boards.c.board_id.in_(_BOARDS), matches.c.away_id.is_(None))
)
_EVENT = select(events).where(events.c.id == bindparam("id"))
_READ_EVENT = Query(EventRow, _EVENT)
_LOCK_EVENT = Query(EventRow, _EVENT.with_for_update())
_NEXT_GAME = select(func.min(boards.c.game)).where(boards.c.game > bindparam("after"))
_OPEN_BOARDS = (
    select(func.count())
    .select_from(seats)
    .join(boards, boards.c.id == seats.c.board_id)
    .where(
        seats.c.player_id == bindparam("id"),
        seats.c.rank.is_(None),
        boards.c.state.in_(_OPEN_STATES),
    )
)
_SEATED = select(seats.c.board_id).where(
    seats.c.player_id == bindparam("id"), seats.c.rank.is_(None)
)
_OPEN_BOARDS_OF = Query(
    BoardRow,
    select(boards)
    .where(
        boards.c.id.in_(_SEATED.union_all(select_held_boards(bindparam("id")))),
        boards.c.state.in_(_OPEN_STATES),
    )
    .order_by(boards.c.id)
    .limit(bindparam("most")),
)


def find_board(session: Session, number: int, *, lock: bool = False) -> BoardRow | None:
    """Return one board, locked against other writers where the database has row locks."""
    cache = session.prefetched
    if cache is not None:
        row = cache.boards.pop(number, None) if lock else cache.boards.get(number)
        if row is not None:
            return row
        if lock:
            cache.forget_board(number)
    return session.first(_LOCK_BOARD if lock else _READ_BOARD, {"id": number})


def try_lock_board(session: Session, number: int) -> BoardRow | None:
    """Return one board, locked; None when somebody else has locked it."""
    return session.first(_TRY_LOCK_BOARD, {"id": number})


def find_seats(session: Session, board: int) -> Sequence[SeatedRow]:
    """Return the seats of a board, in order, with who sits there."""
    cache = session.prefetched
    if cache is not None and board in cache.seats:
        return cache.seats[board]
    return session.all(_SEATS, {"boards": [board]})


def find_seat_members(session: Session, board: int) -> Sequence[SeatMemberNameRow]:
    """Return those who hold seats of a board together, by seat, each party's captain first."""
    return session.all(_SEAT_MEMBERS, {"id": board})


def find_team(session: Session, team: int) -> Sequence[TeamMemberNameRow]:
    """Return the members of a team, those invited too, in the order in which they came."""
    return session.all(_TEAM, {"id": team})


def find_led_teams(session: Session, player: int) -> list[tuple[int, str]]:
    """Return the number and the name, in lower case, of each team that a player leads."""
    query = (
        select(players.c.id, players.c.name)
        .join(team_members, team_members.c.team_id == players.c.id)
        .where(team_members.c.player_id == player, team_members.c.role == CAPTAIN)
        .order_by(players.c.name)
    )
    return [(int(number), str(name)) for number, name in session.tuples(query)]


def find_captain(session: Session, team: int) -> int | None:
    """Return the captain of a team."""
    rows = find_team(session, team)
    return next((row.player_id for row in rows if row.role == CAPTAIN), None)


def find_club_colour(session: Session, club: str) -> str:
    """Return the colour of a club; "" where it has none."""
    query = select(clubs.c.colour).where(clubs.c.name == club)
    return str(session.execute(query).scalar() or "")


def find_giver(session: Session, board: int) -> int | None:
    """Return the player who gives the exhibition of which a board is."""
    cache = session.prefetched
    if cache is not None and board in cache.givers:
        return cache.givers[board]
    return _find_givers(session, [board])[board]


def _find_givers(session: Session, numbers: Sequence[int]) -> dict[int, int | None]:
    givers: dict[int, int | None] = dict.fromkeys(numbers)
    for board, player in session.tuples(_GIVERS, {"boards": pad_keys(numbers)}):
        givers[board] = player
    return givers


def find_watchers(session: Session, board: int) -> Sequence[WatchingRow]:
    """Return the players who watch a board."""
    return session.all(_WATCHERS, {"id": board})


def count_open_boards(session: Session, player: int) -> int:
    """Return how many boards of a player are running or wait for an answer."""
    return int(session.execute(_OPEN_BOARDS, {"id": player}).scalar_one())


def find_open_boards(session: Session, player: int, most: int) -> Sequence[BoardRow]:
    """Return the first boards of a player that are running or wait for an answer."""
    return session.all(_OPEN_BOARDS_OF, {"id": player, "most": most})


def find_event(session: Session, number: int, *, lock: bool = False) -> EventRow | None:
    """Return the event with that number, locked for writing on request."""
    return session.first(_LOCK_EVENT if lock else _READ_EVENT, {"id": number})


def find_games_with_boards(session: Session) -> list[str]:
    """Return the names of the games that there are boards of, sorted, at one index lookup each."""
    names = [""]
    while (name := session.value(_NEXT_GAME, {"after": names[-1]})) is not None:
        names.append(name)
    return names[1:]


def prefetch_boards(session: Session, numbers: Collection[int], most: int) -> None:
    """Lock these boards, in the order of their numbers, and read them, their seats, the addresses
    of their players and watchers, the last `most` rows of their logs and who gives the exhibition,
    by one statement each."""
    cache = session.cache
    wanted = sorted(set(numbers))
    if not wanted:
        return
    for find_board in session.all(_LOCK_BOARDS, {"boards": pad_keys(wanted)}):
        cache.boards[find_board.id] = find_board
    if not cache.boards:
        return
    keys = pad_keys(cache.boards)
    seated, logs = defaultdict(list), defaultdict(list)
    for seat in session.all(_SEATS, {"boards": keys}):
        seated[seat.board_id].append(seat)
        cache.readers[seat.player_id] = build_reader(seat)
    for move in session.all(_LOG_ENDS, {"boards": keys, "most": most}):
        logs[move.board_id].append(move)
    cache.givers.update(_find_givers(session, keys))
    addressed = find_addresses_by_board(session, keys)
    for number in cache.boards:
        cache.seats[number] = seated[number]
        cache.logs[number] = logs[number]
        cache.addresses_at[number] = addressed.get(number, ({}, {}))


def note_board_saved(session: Session, number: int, entries: Sequence[MoveRow]) -> None:
    """Note that a board was written, with these rows more in its log: what was prefetched of it is
    no longer valid."""
    if session.prefetched is not None:
        session.prefetched.note_saved(number, entries)


# Reads of many boards at once: lists of a game's or a player's boards, with who sits there.


class ListedSeatRow(Row):
    """What a list says of a seat."""

    board_id: int
    seat: int
    player_id: int
    rank: int | None
    decides: str
    userid: str


class SharedBoardRow(Row):
    """A board that a player and somebody else play on."""

    board_id: int
    game: str
    player_id: int


_SEATS_OF_BOARDS = Query(
    ListedSeatRow,
    select(
        seats.c.board_id,
        seats.c.seat,
        seats.c.player_id,
        seats.c.rank,
        seats.c.decides,
        players.c.userid,
    )
    .join(players, players.c.id == seats.c.player_id)
    .where(seats.c.board_id.in_(bindparam("boards", expanding=True)))
    .order_by(seats.c.board_id, seats.c.seat),
)
_OWN_BOARDS = select(seats.c.board_id).where(
    seats.c.player_id == bindparam("player"), seats.c.rank.is_(None)
)
_OPEN_BOARD_NUMBERS = (
    select(seats.c.board_id)
    .join(boards, boards.c.id == seats.c.board_id)
    .where(seats.c.player_id == bindparam("player"), boards.c.state.in_(("running", "invited")))
    .distinct()
    .order_by(seats.c.board_id)
)
_SHARED_BOARDS = Query(
    SharedBoardRow,
    select(seats.c.board_id, boards.c.game, seats.c.player_id)
    .join(boards, boards.c.id == seats.c.board_id)
    .join(players, players.c.id == seats.c.player_id)
    .where(
        seats.c.board_id.in_(_OWN_BOARDS),
        boards.c.state == "running",
        boards.c.anonymous.is_(False),
        seats.c.player_id != bindparam("player"),
        players.c.state == "active",
    )
    .order_by(seats.c.player_id, seats.c.board_id),
)


def find_seats_by_board(session: Session, numbers: Iterable[int]) -> dict[int, list[ListedSeatRow]]:
    """Return the seats of these boards, in order, by board."""
    by_board: dict[int, list[ListedSeatRow]] = {}
    for row in session.all(_SEATS_OF_BOARDS, {"boards": list(numbers)}):
        by_board.setdefault(row.board_id, []).append(row)
    return by_board


def find_open_board_numbers(session: Session, player: int) -> list[int]:
    """Return the numbers of a player's boards that are running or wait for an answer."""
    return list(session.execute(_OPEN_BOARD_NUMBERS, {"player": player}).scalars())


def find_shared_boards(session: Session, player: int) -> Sequence[SharedBoardRow]:
    """Return the running boards of a player, once for each other player there, but for those that
    hide who plays."""
    return session.all(_SHARED_BOARDS, {"player": player})


# Reads of mails that went out: what a reply answers.


class AnsweredMailRow(Row):
    """A mail of ours that somebody answers. `is_last`: no news of its board went to that address
    since."""

    content: str
    is_last: bool


_NEWS = ("board_update", "chat")
_LATER = outbound.alias("later")
_ANSWERED = Query(
    AnsweredMailRow,
    select(
        outbound.c.content,
        (
            ~exists()
            .where(
                _LATER.c.board_id == outbound.c.board_id,
                _LATER.c.player_id == outbound.c.player_id,
                _LATER.c.recipient == outbound.c.recipient,
                _LATER.c.id > outbound.c.id,
                _LATER.c.content.in_(_NEWS),
            )
            .correlate(outbound)
        ).label("is_last"),
    ).where(
        outbound.c.id == bindparam("number"),
        outbound.c.board_id == bindparam("board"),
        outbound.c.player_id == bindparam("player"),
    ),
)


class SentTextRow(Row):
    """The text of a mail of ours, b"" once it is removed."""

    message: bytes


_TO_READER = or_(
    outbound.c.recipient == bindparam("address"),
    outbound.c.player_id.in_(bindparam("players", expanding=True)),
)
_NAMED = Query(
    SentTextRow,
    select(outbound.c.message).where(
        outbound.c.id.in_(bindparam("numbers", expanding=True)), _TO_READER
    ),
)
_ANY = Query(
    SentTextRow,
    select(outbound.c.message).where(outbound.c.id.in_(bindparam("numbers", expanding=True))),
)
_LANGUAGE = re.compile(rb"^Content-Language: ([a-z]+)\r", re.MULTILINE)
_LATEST = Query(
    SentTextRow,
    select(outbound.c.message)
    .where(
        outbound.c.player_id.in_(bindparam("players", expanding=True)),
        outbound.c.recipient == bindparam("address"),
    )
    .order_by(outbound.c.id.desc())
    .limit(bindparam("most")),
)


def find_sent_texts(
    session: Session, numbers: Collection[int], address: str, players: Collection[int]
) -> list[bytes]:
    """Return the mails with these numbers whose texts are kept, if they went to that address or to
    one of these players."""
    values = {"numbers": list(numbers), "address": address, "players": list(players)}
    return [row.message for row in session.all(_NAMED, values) if row.message]


def find_sent_language(session: Session, numbers: Collection[int]) -> str:
    """Return the language that the head of one of these mails tells, whoever got it; "" for none,
    as it is of those in English."""
    for row in session.all(_ANY, {"numbers": list(numbers)}):
        head = row.message[: row.message.find(b"\r\n\r\n") + 2]
        if found := _LANGUAGE.search(head):
            return found[1].decode()
    return ""


def find_latest_texts(
    session: Session, address: str, players: Collection[int], most: int
) -> list[bytes]:
    """Return the latest mails to one of these players at that address whose texts are kept."""
    values = {"address": address, "players": list(players), "most": most}
    return [row.message for row in session.all(_LATEST, values) if row.message]


def find_answered_mail(
    session: Session, number: int, board: int, player: int
) -> AnsweredMailRow | None:
    """Return the mail with that number if it was sent to that player about that board."""
    if not number:
        return None
    return session.first(_ANSWERED, {"number": number, "board": board, "player": player})


# Reads of the logs of boards.

_OF_BOARD = select(moves).where(moves.c.board_id == bindparam("id"))
_LOG = Query(MoveRow, _OF_BOARD.order_by(moves.c.number))
_LOG_END = Query(MoveRow, _OF_BOARD.order_by(moves.c.number.desc()).limit(bindparam("most")))


def find_log(session: Session, board: int) -> Sequence[MoveRow]:
    """Return the whole log of a board."""
    cache = session.prefetched
    if cache is not None and (rows := cache.logs.get(board)) and rows[0].number == 1:
        return rows
    return session.all(_LOG, {"id": board})


def find_master(session: Session, board: int) -> MasterNameRow | None:
    """Return the player who runs a board, if anybody does."""
    return session.first(_MASTER, {"id": board})


def find_asked(session: Session, board: int) -> set[int]:
    """Return the players who are asked to take over a seat of a board."""
    query = select(replacements.c.player_id).where(replacements.c.board_id == board)
    return {*session.execute(query).scalars()}


def find_match_captains(session: Session, board: int) -> set[int]:
    """Return the captains of the teams in whose match a board is."""
    query = (
        select(team_members.c.player_id)
        .join(matches, team_members.c.team_id.in_([matches.c.home_id, matches.c.away_id]))
        .join(match_boards, match_boards.c.match_id == matches.c.id)
        .where(match_boards.c.board_id == board, team_members.c.role == CAPTAIN)
    )
    return {*session.execute(query).scalars()}


def find_end_of_log(session: Session, board: int, most: int) -> list[MoveRow]:
    """Return the last rows of a board's log, in order."""
    cache = session.prefetched
    if cache is not None and board in cache.logs:
        return cache.logs[board][-most:]
    return list(reversed(session.all(_LOG_END, {"id": board, "most": most})))


# Reads of the notes that players make at boards.

_NOTES = Query(
    NoteRow,
    select(notes)
    .where(notes.c.board_id == bindparam("board"), notes.c.player_id == bindparam("player"))
    .order_by(notes.c.id),
)


def find_notes(session: Session, board: int, player: int) -> Sequence[NoteRow]:
    """Return the notes of a player at a board, oldest first."""
    return session.all(_NOTES, {"board": board, "player": player})

"""Reads that several rooms share: of players, boards, logs, mails, the audit and settings. Their
statements are built once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import (
    BindParameter,
    Column,
    Integer,
    Select,
    bindparam,
    exists,
    func,
    literal,
    or_,
    select,
    union_all,
)

from pbm.store.prefetched import AccountRow, Addresses, Reader, SeatedRow, build_reader
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    CAPTAIN,
    WAITING,
    AddressRow,
    AuditRow,
    BoardRow,
    EventRow,
    MoveRow,
    NoteRow,
    PauseRow,
    RatingChangeRow,
    addresses,
    audit,
    blocks,
    boards,
    clubs,
    codes,
    events,
    former_mailboxes,
    masters,
    match_boards,
    matches,
    moves,
    notes,
    outbound,
    pauses,
    players,
    rating_changes,
    replacements,
    seat_members,
    seats,
    settings,
    team_members,
    watchers,
)
from pbm.store.transaction import Session, pad_keys

# Players: by userid, number or address.


class ReaderRow(Row):
    """What a player's mails depend on: what their links and reply tokens are bound to, and the
    preferences."""

    id: int
    password: str
    links: int
    preferences: str
    writes_to: str


class OwnerRow(AccountRow):
    """A player, with an address of theirs."""

    address: str


_PLAYER = select(
    players,
    exists()
    .where(addresses.c.player_id == players.c.id, addresses.c.confirmed.is_not(None))
    .correlate(players)
    .label("is_confirmed"),
)
_BY_NAME = Query(AccountRow, _PLAYER.where(players.c.name == bindparam("name")))
_NAMES_LIKE = (
    select(players.c.name)
    .where(
        players.c.name >= bindparam("first"),
        players.c.name < bindparam("after"),  # "{" follows "z"
        func.length(players.c.name).between(bindparam("size") - 1, bindparam("size") + 1),
        players.c.state == "active",
    )
    .limit(2000)
)
_BY_ID = Query(AccountRow, _PLAYER.where(players.c.id == bindparam("id")))
_BY_NAMES = Query(AccountRow, _PLAYER.where(players.c.name.in_(bindparam("names", expanding=True))))
_READERS = Query(
    ReaderRow,
    select(
        players.c.id,
        players.c.password,
        players.c.links,
        players.c.preferences,
        players.c.writes_to,
    ).where(players.c.id.in_(bindparam("ids", expanding=True))),
)
_BY_ADDRESSES = Query(
    OwnerRow,
    _PLAYER.add_columns(addresses.c.address)
    .join(addresses, addresses.c.player_id == players.c.id)
    .where(
        addresses.c.address.in_(bindparam("addresses", expanding=True)),
        addresses.c.confirmed.is_not(None),
        players.c.state == "active",
    )
    .order_by(players.c.id),
)
_ACTIVE = Query(
    AccountRow,
    _PLAYER.where(
        players.c.state == "active",
        ~players.c.name.startswith("@"),
        players.c.roles.not_like("%guest%"),
    ).order_by(players.c.id),
)
_WITH_ROLES = Query(
    AccountRow,
    _PLAYER.where(players.c.roles != "", players.c.roles != "guest").order_by(players.c.id),
)
_CODE = select(codes.c.id).where(
    codes.c.player_id == bindparam("id"),
    codes.c.purpose == bindparam("purpose"),
    codes.c.digest == bindparam("digest"),
    codes.c.used.is_(None),
    codes.c.expires > bindparam("now"),
)


def find_player_by_name(session: Session, name: str) -> AccountRow | None:
    """Return the player with that userid, given in lower case."""
    cache = session.prefetched
    if cache is not None and name in cache.names:
        return cache.names[name]
    return session.first(_BY_NAME, {"name": name})


def find_players_with_roles(session: Session) -> Sequence[AccountRow]:
    """Return the players whom the operator trusts with anything, whatever their state."""
    return session.all(_WITH_ROLES)


def find_names_like(session: Session, name: str) -> list[str]:
    """Return the names of active players that begin with the same letter and are about as long."""
    values = {"first": name[:1], "after": f"{name[:1]}{{", "size": len(name)}
    return list(session.execute(_NAMES_LIKE, values).scalars())


def find_player_by_id(session: Session, number: int) -> AccountRow | None:
    """Return the player with that number."""
    cache = session.prefetched
    if cache is not None and number in cache.players:
        return cache.players[number]
    return session.first(_BY_ID, {"id": number})


def find_players_by_address(session: Session, address: str) -> Sequence[AccountRow]:
    """Return the active players who have confirmed that address, oldest first."""
    cache = session.prefetched
    if cache is not None and address in cache.owners:
        return cache.owners[address]
    return session.all(_BY_ADDRESSES, {"addresses": [address]})


def find_active_players(session: Session) -> Sequence[AccountRow]:
    """Return all players who may act."""
    return session.all(_ACTIVE)


def find_readers(session: Session, numbers: Collection[int]) -> dict[int, Reader]:
    """Return what the mails of these players depend on."""
    cached = session.prefetched.readers if session.prefetched is not None else {}
    missing = sorted(set(numbers) - cached.keys() - {0})
    if missing:
        for row in session.all(_READERS, {"ids": pad_keys(missing)}):
            cached[row.id] = build_reader(row)
    return {number: cached[number] for number in numbers if number in cached}


def prefetch_players(session: Session, names: Collection[str]) -> None:
    """Read the players of these userids, given in lower case, by one statement."""
    cache = session.cache
    missing = sorted(set(names) - cache.names.keys())
    if missing:
        cache.names.update(dict.fromkeys(missing))
        for row in session.all(_BY_NAMES, {"names": pad_keys(missing)}):
            cache.names[row.name] = cache.players[row.id] = row
            cache.readers[row.id] = build_reader(row)


def prefetch_owners(session: Session, names: Collection[str]) -> None:
    """Read the active players who have confirmed one of these addresses, by one statement."""
    owners = defaultdict[str, list[AccountRow]](list)
    if names:
        for row in session.all(_BY_ADDRESSES, {"addresses": pad_keys(sorted(names))}):
            owners[row.address].append(row)
    session.cache.owners.update({name: owners[name] for name in names})


def find_open_code(session: Session, player: int, purpose: str, digest: str, now: float) -> bool:
    """Whether that code of the player is neither used nor expired."""
    params = {"id": player, "purpose": purpose, "digest": digest, "now": now}
    return session.execute(_CODE, params).scalar() is not None


# What boards did to ratings.


class ChangeRow(RatingChangeRow):
    """What a board did to the rating of one of its players, and whose it is."""

    userid: str
    rank: int | None


_CHANGES = (
    select(rating_changes, players.c.userid, seats.c.rank)
    .join(players, players.c.id == rating_changes.c.player_id)
    .join(
        seats,
        (seats.c.board_id == rating_changes.c.board_id) & (seats.c.seat == rating_changes.c.seat),
    )
)
_CHANGES_OF_BOARD = Query(
    ChangeRow,
    _CHANGES.where(rating_changes.c.board_id == bindparam("id")).order_by(rating_changes.c.seat),
)
_CHANGES_OF_PLAYER = (
    _CHANGES.where(rating_changes.c.player_id == bindparam("id"))
    .order_by(rating_changes.c.id.desc())
    .limit(bindparam("most"))
)
_CHANGES_IN_ALL = Query(ChangeRow, _CHANGES_OF_PLAYER)
_CHANGES_IN_GAME = Query(
    ChangeRow, _CHANGES_OF_PLAYER.where(rating_changes.c.game == bindparam("game"))
)


def find_board_changes(session: Session, board: int) -> Sequence[ChangeRow]:
    """Return what a board did to its players' ratings, by seat."""
    return session.all(_CHANGES_OF_BOARD, {"id": board})


def find_player_changes(session: Session, player: int, game: str, most: int) -> Sequence[ChangeRow]:
    """Return the last changes of a player's ratings in a game, or in all for "", newest first."""
    if game:
        return session.all(_CHANGES_IN_GAME, {"id": player, "game": game, "most": most})
    return session.all(_CHANGES_IN_ALL, {"id": player, "most": most})


# The addresses that mail goes to.


class LiveAddressRow(Row):
    """A confirmed address that does not bounce, and whose it is."""

    player_id: int
    address: str


class BoardAddressRow(LiveAddressRow):
    """An address of a player or of a watcher of a board."""

    board_id: int
    watches: int


_LIVE = (
    select(addresses.c.player_id, addresses.c.address)
    .where(addresses.c.confirmed.is_not(None), addresses.c.stopped.is_(None))
    .order_by(addresses.c.id)
)
_LIVE_OF_PLAYER = Query(LiveAddressRow, _LIVE.where(addresses.c.player_id == bindparam("id")))
_ADDRESSED: BindParameter[int] = bindparam("boards", expanding=True)
_AT_BOARDS = Query(
    BoardAddressRow,
    union_all(
        _LIVE.join(seats, seats.c.player_id == addresses.c.player_id)
        .where(seats.c.board_id.in_(_ADDRESSED))
        .add_columns(seats.c.board_id, literal(0, Integer).label("watches"))
        .order_by(None),
        _LIVE.join(watchers, watchers.c.player_id == addresses.c.player_id)
        .where(watchers.c.board_id.in_(_ADDRESSED))
        .add_columns(watchers.c.board_id, literal(1, Integer).label("watches"))
        .order_by(None),
    ),
)
_KNOWN = (
    select(addresses.c.address)
    .where(
        addresses.c.address.in_(bindparam("names", expanding=True)),
        addresses.c.confirmed.is_not(None),
    )
    .distinct()
)
_MAILBOX = select(func.min(addresses.c.mailbox)).where(
    addresses.c.player_id == bindparam("id"), addresses.c.confirmed.is_not(None)
)
_ALL_OF_PLAYER = Query(
    AddressRow,
    select(addresses).where(addresses.c.player_id == bindparam("id")).order_by(addresses.c.id),
)


def find_addresses(session: Session, player: int) -> tuple[str, ...]:
    """Return the addresses that mail to a player goes to: confirmed ones that do not bounce."""
    return tuple(row.address for row in session.all(_LIVE_OF_PLAYER, {"id": player}))


def find_all_addresses(session: Session, player: int) -> Sequence[AddressRow]:
    """Return all addresses of a player, unconfirmed ones included."""
    return session.all(_ALL_OF_PLAYER, {"id": player})


def find_mailbox(session: Session, player: int) -> str:
    """Return the mailbox of a player, of several the first by name; "" for nobody with a confirmed
    address, such as a computer player."""
    return str(session.value(_MAILBOX, {"id": player}) or "")


def find_confirmed_addresses(session: Session, player: int) -> list[AddressRow]:
    """Return the addresses that a player has confirmed, stopped ones included: what is done to the
    player's mailboxes must ask these, as anybody can add another person's address unconfirmed."""
    return [row for row in find_all_addresses(session, player) if row.confirmed is not None]


def find_known_addresses(session: Session, names: Collection[str]) -> set[str]:
    """Return those of these addresses that somebody has confirmed, bouncing ones included."""
    return set(session.column(_KNOWN, {"names": pad_keys(names)})) if names else set()


def find_board_addresses(session: Session, board: int) -> Addresses:
    """Return the addresses of each player of a board, and of each of its watchers."""
    cache = session.prefetched
    if cache is not None and board in cache.addresses_at:
        return cache.addresses_at[board]
    return find_addresses_by_board(session, [board]).get(board, ({}, {}))


def find_addresses_by_board(session: Session, boards: Sequence[int]) -> dict[int, Addresses]:
    """Return what `find_board_addresses` returns, for each of these boards that has any."""
    return _by_board(session.all(_AT_BOARDS, {"boards": boards}))


def _by_board(rows: Iterable[BoardAddressRow]) -> dict[int, Addresses]:
    """Return the addresses of each board's players and of its watchers, by player."""
    by_board: dict[int, Addresses] = {}
    for row in rows:
        seated, watching = by_board.setdefault(row.board_id, ({}, {}))
        addresses = (watching if row.watches else seated).setdefault(row.player_id, [])
        if row.address not in addresses:
            addresses.append(row.address)
    return by_board


# Pauses: vacations of players and downtimes of the server.

VACATIONS = ("vacation", "automatic")
_VACATIONS = Query(
    PauseRow,
    select(pauses)
    .where(pauses.c.player_id == bindparam("player"), pauses.c.kind.in_(VACATIONS))
    .order_by(pauses.c.begins),
)
_PAUSES = Query(
    PauseRow,
    select(pauses).where(
        or_(pauses.c.player_id == bindparam("player"), pauses.c.player_id.is_(None)),
        pauses.c.ends > bindparam("since"),
    ),
)


def find_vacations(session: Session, player: int) -> Sequence[PauseRow]:
    """Return all vacations of a player, past and planned, in order."""
    return session.all(_VACATIONS, {"player": player})


def find_pauses(session: Session, player: int, since: float) -> Sequence[PauseRow]:
    """Return the vacations of a player and the downtimes of the server that end after a time."""
    return session.all(_PAUSES, {"player": player, "since": since})


def find_downtimes(session: Session, since: float) -> Sequence[PauseRow]:
    """Return the times that end later in which the server was down."""
    return session.all(_PAUSES, {"player": 0, "since": since})


# Blocks: who hears no more of whom.

_BLOCKED = (
    select(players.c.id, players.c.userid)
    .join(blocks, blocks.c.blocked_id == players.c.id)
    .where(blocks.c.player_id == bindparam("player"))
)
_OWN, _OTHERS = addresses.alias("own"), addresses.alias("others")
_BEFORE, _AFTER = former_mailboxes.alias("before"), former_mailboxes.alias("after")
_SAME_MAILBOX = (
    select(_OTHERS.c.player_id)
    .join(_OWN, _OWN.c.mailbox == _OTHERS.c.mailbox)
    .where(
        _OWN.c.player_id == bindparam("player"),
        _OWN.c.confirmed.is_not(None),
        _OTHERS.c.confirmed.is_not(None),
    )
    .union(
        select(_BEFORE.c.player_id)
        .join(_AFTER, _AFTER.c.digest == _BEFORE.c.digest)
        .where(_AFTER.c.player_id == bindparam("player"))
    )
)
_IS_BLOCKED = or_(
    blocks.c.blocked_id == bindparam("player"), blocks.c.blocked_id.in_(_SAME_MAILBOX)
)
_BLOCKERS = select(blocks.c.player_id).where(_IS_BLOCKED, blocks.c.player_id.not_in(_SAME_MAILBOX))
_BLOCKED_ACCOUNTS = (
    select(_OTHERS.c.player_id)
    .join(_OWN, _OWN.c.mailbox == _OTHERS.c.mailbox)
    .join(blocks, blocks.c.blocked_id == _OWN.c.player_id)
    .where(
        blocks.c.player_id == bindparam("player"),
        _OWN.c.confirmed.is_not(None),
        _OTHERS.c.confirmed.is_not(None),
    )
    .union(
        select(_AFTER.c.player_id)
        .join(_BEFORE, _BEFORE.c.digest == _AFTER.c.digest)
        .join(blocks, blocks.c.blocked_id == _BEFORE.c.player_id)
        .where(blocks.c.player_id == bindparam("player"))
    )
)


def find_blocked(session: Session, player: int) -> dict[int, str]:
    """Return the userids of those whom a player blocks, by number."""
    return {int(number): str(name) for number, name in session.tuples(_BLOCKED, {"player": player})}


def find_blockers(session: Session, player: int) -> set[int]:
    """Return those who block a player, or another account of the player's mailbox."""
    return {int(number) for number in session.execute(_BLOCKERS, {"player": player}).scalars()}


def find_accounts(session: Session, player: int) -> set[int]:
    """Return all accounts that have confirmed an address of a player's mailboxes, that player's own
    among them, and those that have left one of these mailboxes."""
    found = session.execute(_SAME_MAILBOX, {"player": player}).scalars()
    return {player, *map(int, found)}


def find_strangers(session: Session, player: int) -> set[int]:
    """Return those who block a player or are blocked by that player: neither sees the other's
    offers."""
    blocked = session.execute(_BLOCKED_ACCOUNTS, {"player": player}).scalars()
    others = {*find_blockers(session, player), *find_blocked(session, player), *map(int, blocked)}
    return others - {player}


# Boards and what belongs to them: seats, watchers, and all of it for a batch.


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
_PUBLIC_BOARDS = _OPEN_BOARDS.where(boards.c.private.is_(False), boards.c.anonymous.is_(False))
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


def count_open_boards(session: Session, player: int, *, only_public: bool = False) -> int:
    """Return how many boards of a player are running or wait for an answer; `only_public`: without
    those that hide who plays there, or are for their players."""
    query = _PUBLIC_BOARDS if only_public else _OPEN_BOARDS
    return int(session.execute(query, {"id": player}).scalar_one())


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


# Many boards at once: lists of a game's or a player's boards, with who sits there.


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


# Mails that went out: what a reply answers.


class AnsweredMailRow(Row):
    """An outgoing mail that somebody answers. `is_last`: no news of its board went to that address
    since."""

    content: str
    answer: str
    is_last: bool


class WordsPassedOnRow(Row):
    """To whom an outgoing mail passed on somebody's words, and the line that answers them."""

    player_id: int | None
    answer: str


_WORDS_PASSED_ON = Query(
    WordsPassedOnRow,
    select(outbound.c.player_id, outbound.c.answer).where(
        outbound.c.id == bindparam("number"), outbound.c.answer != ""
    ),
)
_NEWS = ("board_update", "chat")
_LATER = outbound.alias("later")
_ANSWERED = Query(
    AnsweredMailRow,
    select(
        outbound.c.content,
        outbound.c.answer,
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
    """The text of an outgoing mail, b"" once it is removed."""

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
    """Return the language in the headers of one of these mails, of any recipient; "" for none, as
    in English mails."""
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


def find_words_passed_on(session: Session, number: int) -> WordsPassedOnRow | None:
    """Return what answers the mail with that number, if it passed on somebody's words."""
    return session.first(_WORDS_PASSED_ON, {"number": number}) if number else None


# The logs of boards.

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


# The notes that players make at boards.

_NOTES = Query(
    NoteRow,
    select(notes)
    .where(notes.c.board_id == bindparam("board"), notes.c.player_id == bindparam("player"))
    .order_by(notes.c.id),
)


def find_notes(session: Session, board: int, player: int) -> Sequence[NoteRow]:
    """Return the notes of a player at a board, oldest first."""
    return session.all(_NOTES, {"board": board, "player": player})


# The audit: what operators did and what happened to accounts.

REPORT = "report"
"""The action of a report of abuse; its actor is the player who reports."""

_AUDIT_OF_BOARD = Query(
    AuditRow, select(audit).where(audit.c.board_id == bindparam("id")).order_by(audit.c.id)
)
_AUDIT_OF_PLAYER = Query(
    AuditRow, select(audit).where(audit.c.player_id == bindparam("id")).order_by(audit.c.id)
)


def find_board_audit(session: Session, board: int) -> Sequence[AuditRow]:
    """Return what was done to a board, oldest first."""
    return session.all(_AUDIT_OF_BOARD, {"id": board})


def find_player_audit(session: Session, player: int) -> Sequence[AuditRow]:
    """Return what was done to an account, oldest first."""
    return session.all(_AUDIT_OF_PLAYER, {"id": player})


# Settings: values that all daemons of a database share.

_SETTING = select(settings.c.value).where(settings.c.name == bindparam("name"))


def read_setting(session: Session, name: str) -> str | None:
    """Return the value of a setting."""
    value: str | None = session.value(_SETTING, {"name": name})
    return value


# Queues.


def measure_backlog(session: Session, since: Column[float]) -> tuple[int, float | None]:
    """Return how many wait in the queue with that column, and the least of its values: since when
    the oldest does."""
    query = select(func.count(), func.min(since)).where(since.table.c.state == WAITING)
    count, oldest = session.tuples(query)[0]
    return int(count), oldest

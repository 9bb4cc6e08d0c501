"""Reads of players: by userid, number or address."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import (
    BindParameter,
    Integer,
    bindparam,
    exists,
    func,
    literal,
    or_,
    select,
    union_all,
)

from pbm.store.prefetched import AccountRow, Addresses, Reader, build_reader
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    AddressRow,
    PauseRow,
    RatingChangeRow,
    addresses,
    blocks,
    codes,
    pauses,
    players,
    rating_changes,
    seats,
    watchers,
)
from pbm.store.transaction import Session, pad_keys


class ReaderRow(Row):
    """What a player's mails depend on: what their links and reply tokens are bound to, and the
    preferences."""

    id: int
    password: str
    links: int
    preferences: str
    writes_to: str


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
_BY_ADDRESS = Query(
    AccountRow,
    _PLAYER.join(addresses, addresses.c.player_id == players.c.id)
    .where(
        addresses.c.address == bindparam("address"),
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
    return session.all(_BY_ADDRESS, {"address": address})


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


def find_open_code(session: Session, player: int, purpose: str, digest: str, now: float) -> bool:
    """Whether that code of the player is neither used nor expired."""
    params = {"id": player, "purpose": purpose, "digest": digest, "now": now}
    return session.execute(_CODE, params).scalar() is not None


# Reads of what boards did to ratings.


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


# Reads of the addresses that mail goes to.


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
_BOARDS: BindParameter[int] = bindparam("boards", expanding=True)
_AT_BOARDS = Query(
    BoardAddressRow,
    union_all(
        _LIVE.join(seats, seats.c.player_id == addresses.c.player_id)
        .where(seats.c.board_id.in_(_BOARDS))
        .add_columns(seats.c.board_id, literal(0, Integer).label("watches"))
        .order_by(None),
        _LIVE.join(watchers, watchers.c.player_id == addresses.c.player_id)
        .where(watchers.c.board_id.in_(_BOARDS))
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


# Reads of pauses: vacations of players and downtimes of the server.

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


# Reads of blocks: who hears no more of whom.

_BLOCKED = (
    select(players.c.id, players.c.userid)
    .join(blocks, blocks.c.blocked_id == players.c.id)
    .where(blocks.c.player_id == bindparam("player"))
)
_OWN, _OTHERS = addresses.alias("own"), addresses.alias("others")
_SAME_MAILBOX = (
    select(_OTHERS.c.player_id)
    .join(_OWN, _OWN.c.mailbox == _OTHERS.c.mailbox)
    .where(
        _OWN.c.player_id == bindparam("player"),
        _OWN.c.confirmed.is_not(None),
        _OTHERS.c.confirmed.is_not(None),
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
)


def find_blocked(session: Session, player: int) -> dict[int, str]:
    """Return the userids of those whom a player blocks, by number."""
    return {int(number): str(name) for number, name in session.tuples(_BLOCKED, {"player": player})}


def find_blockers(session: Session, player: int) -> set[int]:
    """Return those who block a player, or another account of the player's mailbox."""
    return {int(number) for number in session.execute(_BLOCKERS, {"player": player}).scalars()}


def find_accounts(session: Session, player: int) -> set[int]:
    """Return all accounts that have confirmed an address of a player's mailboxes, that player's own
    among them."""
    found = session.execute(_SAME_MAILBOX, {"player": player}).scalars()
    return {player, *map(int, found)}


def find_strangers(session: Session, player: int) -> set[int]:
    """Return those who block a player or are blocked by that player: neither sees the other's
    offers."""
    blocked = session.execute(_BLOCKED_ACCOUNTS, {"player": player}).scalars()
    others = {*find_blockers(session, player), *find_blocked(session, player), *map(int, blocked)}
    return others - {player}

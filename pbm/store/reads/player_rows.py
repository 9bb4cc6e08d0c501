"""Reads of players: by userid, number or address."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import (
    BindParameter,
    Integer,
    bindparam,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    text,
    union_all,
)

from pbm.ratings import MOST_SIGMA
from pbm.store.prefetched import AccountRow, Addresses, Reader, build_reader
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    AddressRow,
    PauseRow,
    RatingChangeRow,
    RatingRow,
    addresses,
    blocks,
    boards,
    codes,
    is_established,
    is_provisional,
    offers,
    pauses,
    players,
    rating_changes,
    ratings,
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


# Reads of many players at once: who is here, who is as strong, and how two have fared.


class RecentPlayerRow(Row):
    """A player, and when the last command came."""

    id: int
    userid: str
    preferences: str
    seen: float


class NearPlayerRow(Row):
    """A player with a rating near another one."""

    player_id: int
    userid: str
    preferences: str
    mu: float
    sigma: float


class SeekingRow(Row):
    """An open offer, and who made it."""

    id: int
    player_id: int
    game: str


class ResultRow(Row):
    """How the first of two players has fared against the second in a game."""

    game: str
    boards: int
    won: int
    lost: int


class PairBoardRow(Row):
    """A board on which two players have met."""

    id: int
    game: str


_RECENT = Query(
    RecentPlayerRow,
    select(players.c.id, players.c.userid, players.c.preferences, players.c.seen)
    .where(
        players.c.state == "active",
        players.c.seen >= bindparam("since"),
        func.substr(players.c.password, 1, 1) != bindparam("no_password"),
        players.c.roles.not_like("%guest%"),
    )
    .order_by(players.c.seen.desc(), players.c.id)
    .limit(bindparam("most")),
)
_NEAR = (
    select(
        ratings.c.player_id,
        players.c.userid,
        players.c.preferences,
        ratings.c.mu,
        ratings.c.sigma,
    )
    .join(players, players.c.id == ratings.c.player_id)
    .where(ratings.c.game == bindparam("game"), ratings.c.boards > 0, players.c.state == "active")
    .limit(bindparam("most"))
)
_NEAREST = tuple(
    Query(NearPlayerRow, _NEAR.where(kind, side).order_by(order, ratings.c.player_id))
    for kind in (is_established, is_provisional)
    for side, order in (
        (ratings.c.mu >= bindparam("mu"), ratings.c.mu.asc()),
        (ratings.c.mu < bindparam("mu"), ratings.c.mu.desc()),
    )
)
"""The established and the provisional players above and below: an index has each in this order."""
_SEEKING = (
    select(offers.c.id, offers.c.player_id, offers.c.game)
    .where(
        offers.c.player_id.in_(bindparam("players", expanding=True)),
        offers.c.state == "open",
        offers.c.expires > bindparam("now"),
        offers.c.options.not_like('%"anonymous"%'),
        offers.c.server.not_like('%"club"%'),
    )
    .order_by(offers.c.id)
)
_SEEKING_ANY = Query(SeekingRow, _SEEKING)
_SEEKING_GAME = Query(SeekingRow, _SEEKING.where(offers.c.game == bindparam("game")))
_AWAY = (
    select(pauses.c.player_id)
    .where(
        pauses.c.player_id.in_(bindparam("players", expanding=True)),
        pauses.c.begins <= bindparam("now"),
        pauses.c.ends > bindparam("now"),
    )
    .distinct()
)
_CREATED = select(players.c.created).where(players.c.id == bindparam("id"))
_OTHER = seats.alias("other")
_MET = boards.join(seats, seats.c.board_id == boards.c.id).join(
    _OTHER, _OTHER.c.board_id == boards.c.id
)
_BETWEEN = (
    boards.c.state == "over",
    boards.c.private.is_(False),
    seats.c.player_id == bindparam("one"),
    _OTHER.c.player_id == bindparam("other"),
    seats.c.rank.is_not(None),
    _OTHER.c.rank.is_not(None),
)
_RESULTS = Query(
    ResultRow,
    select(
        boards.c.game,
        func.count().label("boards"),
        func.sum(case((seats.c.rank < _OTHER.c.rank, 1), else_=0)).label("won"),
        func.sum(case((seats.c.rank > _OTHER.c.rank, 1), else_=0)).label("lost"),
    )
    .select_from(_MET)
    .where(*_BETWEEN)
    .group_by(boards.c.game)
    .order_by(func.count().desc(), boards.c.game),
)
_LAST_OF_PAIR = Query(
    PairBoardRow,
    select(boards.c.id, boards.c.game)
    .select_from(_MET)
    .where(*_BETWEEN)
    .distinct()
    .order_by(boards.c.id.desc())
    .limit(bindparam("most")),
)


def find_recent_players(
    session: Session, since: float, most: int, no_password: str
) -> Sequence[RecentPlayerRow]:
    """Return the active players who have sent something since a time, the latest first. Those whose
    password begins with `no_password`, bots among them, are left out."""
    return session.all(_RECENT, {"since": since, "most": most, "no_password": no_password})


def find_players_near(session: Session, game: str, mu: float, most: int) -> list[NearPlayerRow]:
    """Return the players of a game whose ratings are nearest above and below one: so many
    established and as many provisional ones on each side."""
    params = {"game": game, "mu": mu, "most": most}
    return [row for query in _NEAREST for row in session.all(query, params)]


def find_players_seeking(
    session: Session, numbers: Sequence[int], game: str, now: float
) -> Sequence[SeekingRow]:
    """Return the open offers of these players, in a game or in all for ""."""
    if not numbers:
        return ()
    params = {"players": pad_keys(numbers), "now": now}
    if game:
        return session.all(_SEEKING_GAME, params | {"game": game})
    return session.all(_SEEKING_ANY, params)


def find_players_away(session: Session, numbers: Sequence[int], now: float) -> set[int]:
    """Return those of these players who are on vacation."""
    if not numbers:
        return set()
    params = {"players": pad_keys(numbers), "now": now}
    return {number for number in session.execute(_AWAY, params).scalars() if number is not None}


def find_created(session: Session, player: int) -> float:
    """Return when an account was opened."""
    return float(session.execute(_CREATED, {"id": player}).scalar_one())


def count_results(session: Session, one: int, other: int) -> Sequence[ResultRow]:
    """Return how one player has fared against another, by game, the game they play most first."""
    return session.all(_RESULTS, {"one": one, "other": other})


def find_last_boards_of_pair(
    session: Session, one: int, other: int, most: int
) -> Sequence[PairBoardRow]:
    """Return the newest boards that two players have finished against each other."""
    return session.all(_LAST_OF_PAIR, {"one": one, "other": other, "most": most})


# Reads of ratings: ladders, standings and what a player has.


class RankedRow(Row):
    """A player's place in a ladder."""

    userid: str
    mu: float
    sigma: float
    boards: int


class ChangeRow(RatingChangeRow):
    """What a board did to the rating of one of its players, and whose it is."""

    userid: str
    rank: int | None


class LastChangeRow(Row):
    """Number and time of a player's last change in a game."""

    id: int
    at: float


class StandingRow(Row):
    """How a player's boards of a game ended."""

    userid: str
    boards: int
    won: int
    lost: int


_LADDER = (
    select(players.c.userid, ratings.c.mu, ratings.c.sigma, ratings.c.boards)
    .join(players, players.c.id == ratings.c.player_id)
    .where(
        ratings.c.game == bindparam("game"),
        ratings.c.boards > 0,
        players.c.state == "active",
    )
    .order_by(ratings.c.mu.desc(), ratings.c.player_id)
    .limit(bindparam("most"))
)
_ESTABLISHED = Query(RankedRow, _LADDER.where(is_established))
_PROVISIONAL = Query(RankedRow, _LADDER.where(is_provisional))
_OF_PLAYER = Query(
    RatingRow,
    select(ratings)
    .where(ratings.c.player_id == bindparam("id"), ratings.c.boards > 0)
    .order_by(ratings.c.game),
)
_OF_PLAYERS = Query(
    RatingRow,
    select(ratings).where(ratings.c.player_id.in_(bindparam("players", expanding=True))),
)
_RATING = Query(
    RatingRow,
    select(ratings).where(
        ratings.c.player_id == bindparam("id"), ratings.c.game == bindparam("game")
    ),
)
_STANDINGS = Query(
    StandingRow,
    select(players.c.userid, ratings.c.boards, ratings.c.won, ratings.c.lost)
    .join(players, players.c.id == ratings.c.player_id)
    .where(ratings.c.game == bindparam("game"), ratings.c.boards > 0)
    .order_by(ratings.c.won.desc(), ratings.c.lost, ratings.c.player_id)
    .limit(bindparam("most")),
)
_LOCK = Query(
    RatingRow,
    select(ratings)
    .where(
        ratings.c.game == bindparam("game"),
        ratings.c.player_id.in_(bindparam("players", expanding=True)),
    )
    .order_by(ratings.c.player_id)
    .with_for_update(),
)
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
_LAST_CHANGE = Query(
    LastChangeRow,
    select(rating_changes.c.id, rating_changes.c.at)
    .where(
        rating_changes.c.player_id == bindparam("id"),
        rating_changes.c.game == bindparam("game"),
    )
    .order_by(rating_changes.c.id.desc())
    .limit(1),
)
_BETTER = (
    select(func.count())
    .select_from(ratings)
    .where(ratings.c.game == bindparam("game"), ratings.c.mu > bindparam("mu"), is_established)
)
_BETTER_INACTIVE = select(
    text(
        "count(*) FROM players CROSS JOIN ratings "
        "WHERE players.state != 'active' AND ratings.player_id = players.id "
        "AND ratings.game = :game AND ratings.mu > :mu AND ratings.sigma <= :sigma"
    ).bindparams(sigma=MOST_SIGMA)
)
"""SQLite takes a CROSS JOIN in this order: the few inactive players first, by their index."""


def find_established_ratings(session: Session, game: str, most: int) -> Sequence[RankedRow]:
    """Return the best established players of a game, best first."""
    return session.all(_ESTABLISHED, {"game": game, "most": most})


def find_provisional_ratings(session: Session, game: str, most: int) -> Sequence[RankedRow]:
    """Return the best provisional players of a game, best first."""
    return session.all(_PROVISIONAL, {"game": game, "most": most})


def find_ratings(session: Session, player: int) -> Sequence[RatingRow]:
    """Return the ratings of a player, by game."""
    return session.all(_OF_PLAYER, {"id": player})


def find_ratings_of_players(session: Session, numbers: Collection[int]) -> Sequence[RatingRow]:
    """Return the ratings of these players, in all games."""
    return session.all(_OF_PLAYERS, {"players": pad_keys(sorted(numbers))})


def find_rating(session: Session, player: int, game: str) -> RatingRow | None:
    """Return the rating of a player in a game."""
    return session.first(_RATING, {"id": player, "game": game})


def lock_ratings(session: Session, players: Collection[int], game: str) -> Sequence[RatingRow]:
    """Return the ratings of these players in a game, locked against other writers."""
    return session.all(_LOCK, {"game": game, "players": list(players)})


def find_board_changes(session: Session, board: int) -> Sequence[ChangeRow]:
    """Return what a board did to its players' ratings, by seat."""
    return session.all(_CHANGES_OF_BOARD, {"id": board})


def find_player_changes(session: Session, player: int, game: str, most: int) -> Sequence[ChangeRow]:
    """Return the last changes of a player's ratings in a game, or in all for "", newest first."""
    if game:
        return session.all(_CHANGES_IN_GAME, {"id": player, "game": game, "most": most})
    return session.all(_CHANGES_IN_ALL, {"id": player, "most": most})


def find_last_change(session: Session, player: int, game: str) -> LastChangeRow | None:
    """Number and time of a player's last change in a game."""
    return session.first(_LAST_CHANGE, {"id": player, "game": game})


def count_better(session: Session, game: str, mu: float) -> int:
    """Return how many active players are established above that rating."""
    params = {"game": game, "mu": mu}
    better: int = session.execute(_BETTER, params).scalar_one()
    inactive: int = session.execute(_BETTER_INACTIVE, params).scalar_one()
    return better - inactive


def find_standings(session: Session, game: str, most: int) -> Sequence[StandingRow]:
    """Return the players who won most boards of a game."""
    return session.all(_STANDINGS, {"game": game, "most": most})


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

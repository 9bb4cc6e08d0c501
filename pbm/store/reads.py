"""Reads that several rooms share, as statements built once. Rows come back, nothing is decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import BindParameter, bindparam, exists, func, literal, select, union_all

from pbm.store.prefetch import Addresses, Prefetched
from pbm.store.tables import (
    AnyRow,
    addresses,
    boards,
    codes,
    counters,
    moves,
    players,
    seats,
    settings,
    watchers,
)
from pbm.store.transaction import Session, padded

_PLAYER = select(
    players,
    exists()
    .where(addresses.c.player_id == players.c.id, addresses.c.confirmed.is_not(None))
    .correlate(players)
    .label("is_confirmed"),
)
_PLAYER_BY_NAME = _PLAYER.where(players.c.name == bindparam("name"))
_PLAYER_BY_ID = _PLAYER.where(players.c.id == bindparam("id"))
_PLAYERS_BY_NAMES = _PLAYER.where(players.c.name.in_(bindparam("names", expanding=True)))
_PLAYERS_BY_IDS = _PLAYER.where(players.c.id.in_(bindparam("ids", expanding=True)))
_PASSWORDS = select(players.c.id, players.c.password).where(
    players.c.id.in_(bindparam("ids", expanding=True))
)
_PLAYERS_BY_ADDRESS = (
    _PLAYER.join(addresses, addresses.c.player_id == players.c.id)
    .where(
        addresses.c.address == bindparam("address"),
        addresses.c.confirmed.is_not(None),
        players.c.state == "active",
    )
    .order_by(players.c.id)
)
_LIVE_ADDRESSES = (
    select(addresses.c.player_id, addresses.c.address)
    .where(addresses.c.confirmed.is_not(None), addresses.c.stopped.is_(None))
    .order_by(addresses.c.id)
)
_ADDRESSES_OF_PLAYER = _LIVE_ADDRESSES.where(addresses.c.player_id == bindparam("id"))
_BOARDS: BindParameter[int] = bindparam("boards", expanding=True)
_AT_BOARD = union_all(
    _LIVE_ADDRESSES.join(seats, seats.c.player_id == addresses.c.player_id)
    .where(seats.c.board_id.in_(_BOARDS))
    .add_columns(seats.c.board_id, literal(0).label("watches"))
    .order_by(None),
    _LIVE_ADDRESSES.join(watchers, watchers.c.player_id == addresses.c.player_id)
    .where(watchers.c.board_id.in_(_BOARDS))
    .add_columns(watchers.c.board_id, literal(1).label("watches"))
    .order_by(None),
)
_ACTIVE_PLAYERS = _PLAYER.where(players.c.state == "active").order_by(players.c.id)
_ALL_ADDRESSES = (
    select(addresses).where(addresses.c.player_id == bindparam("id")).order_by(addresses.c.id)
)
_BOARD = select(boards).where(boards.c.id == bindparam("id"))
_BOARD_LOCKED = _BOARD.with_for_update()
_BOARDS_LOCKED = (
    select(boards).where(boards.c.id.in_(_BOARDS)).order_by(boards.c.id).with_for_update()
)
_SEATS = (
    select(
        seats,
        players.c.userid,
        players.c.password,
        players.c.state.label("player_state"),
        players.c.preferences,
        players.c.away,
    )
    .join(players, players.c.id == seats.c.player_id)
    .where(seats.c.board_id.in_(_BOARDS))
    .order_by(seats.c.board_id, seats.c.seat)
)
_WATCHERS = (
    select(players.c.id, players.c.userid)
    .join(watchers, watchers.c.player_id == players.c.id)
    .where(watchers.c.board_id == bindparam("id"))
    .order_by(players.c.id)
)
_LOG = select(moves).where(moves.c.board_id == bindparam("id")).order_by(moves.c.number)
_LOG_END = (
    select(moves)
    .where(moves.c.board_id == bindparam("id"))
    .order_by(moves.c.number.desc())
    .limit(bindparam("most"))
)
_LOG_ENDS = (
    select(moves)
    .join(boards, boards.c.id == moves.c.board_id)
    .where(moves.c.board_id.in_(_BOARDS), moves.c.number > boards.c.number - bindparam("most"))
    .order_by(moves.c.board_id, moves.c.number)
)
_NEXT_GAME = select(func.min(boards.c.game)).where(boards.c.game > bindparam("after"))
_OPEN_BOARDS = (
    select(func.count())
    .select_from(seats)
    .join(boards, boards.c.id == seats.c.board_id)
    .where(
        seats.c.player_id == bindparam("id"),
        seats.c.rank.is_(None),
        boards.c.state.in_(("running", "invited")),
    )
)
_COUNT = select(counters.c.count).where(
    counters.c.name == bindparam("name"), counters.c.day == bindparam("day")
)
_COUNT_SINCE = select(func.sum(counters.c.count)).where(
    counters.c.name == bindparam("name"), counters.c.day >= bindparam("day")
)
_CODE = select(codes.c.id).where(
    codes.c.player_id == bindparam("id"),
    codes.c.purpose == bindparam("purpose"),
    codes.c.digest == bindparam("digest"),
    codes.c.used.is_(None),
    codes.c.expires > bindparam("now"),
)
_SETTING = select(settings.c.value).where(settings.c.name == bindparam("name"))


def player_by_name(session: Session, name: str) -> AnyRow | None:
    """The player with that userid in lower case."""
    known = session.prefetched
    if known is not None and name in known.names:
        return known.names[name]
    return session.execute(_PLAYER_BY_NAME, {"name": name}).first()


def player_by_id(session: Session, number: int) -> AnyRow | None:
    """The player with that number."""
    known = session.prefetched
    if known is not None and number in known.players:
        return known.players[number]
    return session.execute(_PLAYER_BY_ID, {"id": number}).first()


def passwords_of(session: Session, numbers: Collection[int]) -> dict[int, str]:
    """The hashes of these players' passwords, which their reply tokens are bound to."""
    known = session.prefetched.passwords if session.prefetched is not None else {}
    found = {number: known[number] for number in numbers if number in known}
    asked = sorted(set(numbers) - found.keys() - {0})
    if asked:
        for row in session.execute(_PASSWORDS, {"ids": padded(asked)}):
            found[row.id] = row.password
    return found


def players_by_address(session: Session, address: str) -> Sequence[AnyRow]:
    """The active players who have confirmed that address, oldest first."""
    known = session.prefetched
    if known is not None and address in known.addresses:
        return known.addresses[address]
    return session.execute(_PLAYERS_BY_ADDRESS, {"address": address}).all()


def addresses_of(session: Session, player: int) -> tuple[str, ...]:
    """Where mail to a player goes: confirmed addresses that do not bounce."""
    rows = session.execute(_ADDRESSES_OF_PLAYER, {"id": player})
    return tuple(row.address for row in rows)


def all_addresses(session: Session, player: int) -> Sequence[AnyRow]:
    """Every address row of a player, unconfirmed ones included."""
    return session.execute(_ALL_ADDRESSES, {"id": player}).all()


def addresses_at(session: Session, board: int) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Where mail to each player of a board goes, and to each of those who watch it."""
    known = session.prefetched
    if known is not None and board in known.at:
        return known.at[board]
    return _addressed(session.execute(_AT_BOARD, {"boards": [board]})).get(board, ({}, {}))


def _addressed(rows: Iterable[AnyRow]) -> dict[int, Addresses]:
    """The addresses of each board's players and of its watchers, by player."""
    found: dict[int, Addresses] = {}
    for row in rows:
        seated, watching = found.setdefault(row.board_id, ({}, {}))
        addresses = (watching if row.watches else seated).setdefault(row.player_id, [])
        if row.address not in addresses:
            addresses.append(row.address)
    return found


def prefetch_players(session: Session, names: Collection[str]) -> None:
    """Read the players of these userids, in lower case, at once."""
    known = session.prefetched = session.prefetched or Prefetched()
    asked = sorted(set(names) - known.names.keys())
    if asked:
        known.names.update(dict.fromkeys(asked))
        for row in session.execute(_PLAYERS_BY_NAMES, {"names": padded(asked)}):
            known.names[row.name] = known.players[row.id] = row
            known.passwords[row.id] = row.password


def prefetch_boards(session: Session, numbers: Collection[int], most: int) -> None:
    """Lock these boards, in the order of their numbers, and read them, their seats, where their
    mail goes and the last `most` entries of their logs at once."""
    known = session.prefetched = session.prefetched or Prefetched()
    asked = sorted(set(numbers))
    if not asked:
        return
    for row in session.execute(_BOARDS_LOCKED, {"boards": padded(asked)}):
        known.boards[row.id] = row
    found = {"boards": padded(known.boards)}
    if not known.boards:
        return
    seated, logs = defaultdict(list), defaultdict(list)
    for row in session.execute(_SEATS, found):
        seated[row.board_id].append(row)
        known.passwords[row.player_id] = row.password
    for row in session.execute(_LOG_ENDS, {**found, "most": most}):
        logs[row.board_id].append(row)
    addressed = _addressed(session.execute(_AT_BOARD, found))
    for number in known.boards:
        known.seats[number] = seated[number]
        known.logs[number] = logs[number]
        known.at[number] = addressed.get(number, ({}, {}))


def board_saved(session: Session, number: int, entries: Sequence[AnyRow]) -> None:
    """What was known of the board is so no longer; its log has these entries more."""
    known = session.prefetched
    if known is not None:
        known.saved(number, entries)


def active_players(session: Session) -> Sequence[AnyRow]:
    """Everybody who may act."""
    return session.execute(_ACTIVE_PLAYERS).all()


def board(session: Session, number: int, *, lock: bool = False) -> AnyRow | None:
    """One board, locked against other writers where the database has row locks."""
    known = session.prefetched
    if known is not None:
        row = known.boards.pop(number, None) if lock else known.boards.get(number)
        if row is not None:
            return row
        if lock:
            known.forget_board(number)
    return session.execute(_BOARD_LOCKED if lock else _BOARD, {"id": number}).first()


def seats_of(session: Session, board: int) -> Sequence[AnyRow]:
    """The seats of a board with their players' userid, state and preferences, in order."""
    known = session.prefetched
    if known is not None and board in known.seats:
        return known.seats[board]
    return session.execute(_SEATS, {"boards": [board]}).all()


def watchers_of(session: Session, board: int) -> Sequence[AnyRow]:
    """(id, userid) of those who watch a board."""
    return session.execute(_WATCHERS, {"id": board}).all()


def log_of(session: Session, board: int) -> Sequence[AnyRow]:
    """The whole log of a board."""
    known = session.prefetched
    if known is not None and (rows := known.logs.get(board)) and rows[0].number == 1:
        return rows
    return session.execute(_LOG, {"id": board}).all()


def end_of_log(session: Session, board: int, most: int) -> list[AnyRow]:
    """The last rows of a board's log, in order."""
    known = session.prefetched
    if known is not None and board in known.logs:
        return known.logs[board][-most:]
    return list(reversed(session.execute(_LOG_END, {"id": board, "most": most}).all()))


def open_boards(session: Session, player: int) -> int:
    """How many boards of a player are running or wait for an answer."""
    return int(session.execute(_OPEN_BOARDS, {"id": player}).scalar_one())


def counted(session: Session, name: str, day: int) -> int:
    """How often something was counted on that day."""
    return session.execute(_COUNT, {"name": name, "day": day}).scalar() or 0


def games_with_boards(session: Session) -> list[str]:
    """The names of the games that there are boards of, sorted: a look into the index for each, and
    none at the boards."""
    found = [""]
    while (name := session.execute(_NEXT_GAME, {"after": found[-1]}).scalar()) is not None:
        found.append(name)
    return found[1:]


def counted_since(session: Session, name: str, day: int) -> int:
    """How often something was counted on that day and since."""
    return session.execute(_COUNT_SINCE, {"name": name, "day": day}).scalar() or 0


def setting(session: Session, name: str) -> str | None:
    """A value that all daemons of this database share."""
    return session.execute(_SETTING, {"name": name}).scalar()


def open_code(session: Session, player: int, purpose: str, digest: str, now: float) -> bool:
    """Whether that code of the player is neither used nor too old."""
    row = session.execute(_CODE, {"id": player, "purpose": purpose, "digest": digest, "now": now})
    return row.first() is not None

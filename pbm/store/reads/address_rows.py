"""Reads of the addresses that mail goes to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import BindParameter, Integer, bindparam, literal, select, union_all

from pbm.store.board_tables import AddressRow, addresses, seats, watchers
from pbm.store.prefetch import Addresses
from pbm.store.rows import Query, Row
from pbm.store.transaction import Session, pad_keys


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

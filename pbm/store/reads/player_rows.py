"""Reads of players: by userid, number or address."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import bindparam, exists, func, select

from pbm.store.board_tables import addresses, codes, players
from pbm.store.prefetch import AccountRow, Reader, build_reader
from pbm.store.rows import Query, Row
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
_ACTIVE = Query(AccountRow, _PLAYER.where(players.c.state == "active").order_by(players.c.id))
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

"""Who a player is: the account as the core handles it, and the counters that bound what one may
do in a day."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from pbm.bots import NAMES
from pbm.store import reads
from pbm.store.tables import AnyRow, counters, players
from pbm.store.transaction import Session

DAY = 86400.0
NEVER = "!"
"""Stands for the hash of a password: none fits."""


def _counting(kind: type[sqlite.Insert] | type[postgresql.Insert]) -> Any:
    """The statement that counts: of two daemons that count the same at once both do."""
    query = kind(counters)
    more = {"count": counters.c.count + query.excluded.count}
    columns = (counters.c.name, counters.c.day)
    return query.on_conflict_do_update(index_elements=columns, set_=more).returning(
        counters.c.count
    )


_COUNT = {True: _counting(sqlite.Insert), False: _counting(postgresql.Insert)}
_SEEN = (
    update(players)
    .where(
        players.c.id.in_(
            select(players.c.id)
            .where(players.c.id.in_(bindparam("keys", expanding=True)))
            .with_for_update(skip_locked=True, key_share=True)
        )
    )
    .values(seen=bindparam("at"))
    .execution_options(gathers="keys")
)
_SEEN_EVERY = 3600.0
"""Seconds in which a player's commands are noted once: `seen` costs most moves nothing."""


@dataclass(frozen=True, slots=True)
class Player:
    """An account: `name` is the userid in lower case, `password` the argon2id hash,
    `is_confirmed` whether an address is proven, `seen` when a command last came from it."""

    id: int
    userid: str
    name: str
    password: str
    state: str
    preferences: Mapping[str, str]
    is_confirmed: bool = True
    seen: float = math.inf

    @property
    def is_house(self) -> bool:
        """Whether it is a house player: no person, no address, no password."""
        return self.name in NAMES and self.password == NEVER

    @property
    def is_active(self) -> bool:
        """Whether it may act."""
        return self.state == "active"

    def wants(self, preference: str, default: str) -> str:
        """The value of a preference."""
        return self.preferences.get(preference, default)


def introduced(userid: str, preferences: Mapping[str, str]) -> str:
    """The userid with the name that the player has chosen: ann (Ann Smith)."""
    name = preferences.get("name", "")
    return f"{userid} ({name})" if name else userid


@lru_cache(maxsize=4096)
def preferences_of(text: str) -> Mapping[str, str]:
    """Preferences as they are stored."""
    return dict(json.loads(text))


def from_row(row: AnyRow) -> Player:
    """The player that a row of the table is."""
    is_house = row.name in NAMES and row.password == NEVER
    return Player(
        row.id,
        row.userid,
        row.name,
        row.password,
        row.state,
        preferences_of(row.preferences),
        row.is_confirmed or is_house,
        row.seen,
    )


def by_name(session: Session, name: str) -> Player | None:
    """The player with that userid, in any case."""
    row = reads.player_by_name(session, name.lower())
    return None if row is None else from_row(row)


def by_id(session: Session, number: int) -> Player | None:
    """The player with that number."""
    row = reads.player_by_id(session, number)
    return None if row is None else from_row(row)


def by_address(session: Session, address: str) -> list[Player]:
    """The active players who confirmed that address."""
    return [from_row(row) for row in reads.players_by_address(session, address)]


def see(session: Session, player: Player, now: float) -> None:
    """Note that a command came from the player, unless that was noted within the hour. Daemons that
    note the same player at once do not wait for each other: one of them is enough."""
    if now - player.seen > _SEEN_EVERY:
        session.put_off(_SEEN, [{"keys": player.id, "at": now}])


def day_of(now: float) -> int:
    """The number of the day, in UTC."""
    return int(now // DAY)


def count(session: Session, name: str, now: float, more: int = 1) -> int:
    """Count one more of something today, or several; today's new count."""
    row = {"name": name, "day": day_of(now), "count": more}
    return int(session.execute(_COUNT[session.is_sqlite], row).scalar_one())


def within(session: Session, name: str, now: float, most: int) -> bool:
    """Count one more today unless `most` (0 = no limit) are reached; whether it was counted."""
    if most and reads.counted(session, name, day_of(now)) >= most:
        return False
    count(session, name, now)
    return True

"""Players: accounts as the core uses them, and finding them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from sqlalchemy import bindparam, select, update

from pbm.bots import NAMES
from pbm.store import reads
from pbm.store.board_tables import players
from pbm.store.prefetch import AccountRow, build_binding
from pbm.store.transaction import Session

NO_PASSWORD = "!"  # noqa: S105 (not a password)
"""Sentinel hash that no password matches."""
UNSET_PASSWORD = "-"  # noqa: S105 (not a password)
"""The same for the account of a person who has not set a password."""
WAITING = "waiting"
"""The state of an account that the operator has not approved yet."""
ENGINE_PASSWORD = "!engine"  # noqa: S105 (not a password)
"""The same for the accounts of engines, whose userids the operator chooses."""
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
_WRITES_TO = (
    update(players)
    .where(
        players.c.id.in_(
            select(players.c.id)
            .where(players.c.id == bindparam("key"))
            .with_for_update(skip_locked=True, key_share=True)
        )
    )
    .values(writes_to=bindparam("at"))
)
_SEEN_EVERY = 3600.0
"""Seconds for which `seen` is not written again, so that most moves cost no write."""


class Player(Struct, frozen=True):
    """An account.

    name          the userid in lower case
    password      the argon2id hash
    is_confirmed  whether an address is confirmed
    seen          when the last command came
    links         how often the player has ended all links and reply addresses
    writes_to     the address of the server that the last mail went to, where it has several
    """

    id: int
    userid: str
    name: str
    password: str
    state: str
    preferences: Mapping[str, str]
    is_confirmed: bool = True
    seen: float = math.inf
    links: int = 0
    writes_to: str = ""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays: no person, no address, no password."""
        return _is_bot(self.name, self.password)

    @property
    def has_password(self) -> bool:
        """Whether a password was ever set: without one, replies and links do."""
        return self.password != UNSET_PASSWORD

    @property
    def binding(self) -> str:
        """What links and reply addresses of the player are bound to."""
        return build_binding(self.password, self.links)

    @property
    def is_active(self) -> bool:
        """Whether the account may act."""
        return self.state == "active"

    def get_preference(self, preference: str, default: str) -> str:
        """Return the value of a preference."""
        return self.preferences.get(preference, default)


def _is_bot(name: str, password: str) -> bool:
    return password == ENGINE_PASSWORD or (password == NO_PASSWORD and name in NAMES)


def format_name(userid: str, preferences: Mapping[str, str]) -> str:
    """Return the userid and the name that the player has set: ann (Ann Smith)."""
    name = preferences.get("name", "")
    return f"{userid} ({name})" if name else userid


def prefers_words(preferences: Mapping[str, str]) -> bool:
    """Whether a player wants boards in words instead of drawings."""
    return preferences.get("board") == "words"


@lru_cache(maxsize=4096)
def parse_preferences(text: str) -> Mapping[str, str]:
    """Parse preferences from the JSON in which they are stored."""
    return dict(json.loads(text))


def build_player(row: AccountRow) -> Player:
    """Return the player in a row of the table."""
    return Player(
        row.id,
        row.userid,
        row.name,
        row.password,
        row.state,
        parse_preferences(row.preferences),
        row.is_confirmed or _is_bot(row.name, row.password),
        row.seen,
        row.links,
        row.writes_to,
    )


def find_player(session: Session, name: str) -> Player | None:
    """Return the player with that userid, in upper or lower case."""
    row = reads.find_player_by_name(session, name.lower())
    return None if row is None else build_player(row)


def get_player(session: Session, number: int) -> Player | None:
    """Return the player with that number."""
    row = reads.find_player_by_id(session, number)
    return None if row is None else build_player(row)


def find_players_by_address(session: Session, address: str) -> list[Player]:
    """Return the active players who have confirmed that address."""
    return [build_player(row) for row in reads.find_players_by_address(session, address)]


def mark_seen(session: Session, player: Player, now: float) -> None:
    """Note that a command came from the player, at most once an hour. Daemons that note the same
    player at the same time do not wait for each other; one of them is enough."""
    if now - player.seen > _SEEN_EVERY:
        session.defer(_SEEN, [{"keys": player.id, "at": now}])


def note_address(session: Session, player: Player, address: str) -> None:
    """Note which address of the server the player writes to: mails to the player come from there.
    Where somebody else is changing the player, the next mail notes it."""
    if address and address != player.writes_to:
        session.defer(_WRITES_TO, [{"key": player.id, "at": address}])

"""Players: accounts as the core uses them, loaded, inserted and saved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from sqlalchemy import bindparam, select, update

from pbm.bots import NAMES
from pbm.store import reads
from pbm.store.tables import PlayerRow, players
from pbm.store.transaction import AccountRow, Session, build_binding, insert_into

NO_PASSWORD = "!"  # noqa: S105 (not a password)
"""Sentinel hash that no password matches."""
UNSET_PASSWORD = "-"  # noqa: S105 (not a password)
"""The same for the account of a person who has not set a password."""
WAITING = "waiting"
"""The state of an account that the operator has not approved yet."""
ENGINE_PASSWORD = "!engine"  # noqa: S105 (not a password)
"""The same for the accounts of engines, whose userids the operator chooses."""
COLUMNS = tuple(name for name in PlayerRow.column_types if name != "id")
"""The columns of the table of players, without its key."""
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
    """An account. To change one, `save_player` what `replace` makes of it.

    name          the userid in lower case
    password      the argon2id hash
    created       when the account was opened
    seen          when the last command came
    away          when the last vacation ends
    digest_at     when the next digest goes out
    links         how often the player has ended all links and reply addresses
    writes_to     the address of the server that the last mail went to, where it has several
    silenced      until when no word of the player is passed on
    is_confirmed  whether an address is confirmed
    stored        its columns in the database; empty before it is inserted
    """

    id: int
    userid: str
    name: str
    password: str
    state: str
    preferences: Mapping[str, str]
    created: float
    seen: float
    away: float | None = None
    digest_at: float | None = None
    links: int = 0
    writes_to: str = ""
    silenced: float | None = None
    is_confirmed: bool = True
    stored: Mapping[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, Any]:
        """The values of its columns."""
        values = {name: getattr(self, name) for name in COLUMNS}
        return {**values, "preferences": json.dumps(dict(self.preferences))}

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays: no person, no address, no password."""
        return is_bot_account(self.name, self.password)

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

    def is_silenced(self, now: float) -> bool:
        """Whether no word of the player is passed on at that time."""
        return self.silenced is not None and self.silenced > now

    def get_preference(self, preference: str, default: str) -> str:
        """Return the value of a preference."""
        return self.preferences.get(preference, default)


def is_bot_account(name: str, password: str) -> bool:
    """Whether a bot plays with an account of that userid, in lower case, and that hash."""
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
        row.created,
        row.seen,
        row.away,
        row.digest_at,
        row.links,
        row.writes_to,
        row.silenced,
        row.is_confirmed or is_bot_account(row.name, row.password),
        {name: getattr(row, name) for name in COLUMNS},
    )


def make_player(userid: str, password: str, now: float, *, state: str = "active") -> Player:
    """Return a new account, which is not in the database yet and has no number."""
    return Player(0, userid, userid.lower(), password, state, {}, created=now, seen=now)


def insert_player(session: Session, player: Player) -> Player | None:
    """Insert an account and return it with its number; None when its userid has been given away,
    perhaps by another daemon a moment ago."""
    query = insert_into(players, is_sqlite=session.is_sqlite).values(columns := player.columns)
    free = query.on_conflict_do_nothing(index_elements=(players.c.name,))
    number = session.execute(free.returning(players.c.id)).scalar()
    return None if number is None else replace(player, id=int(number), stored=columns)


def save_player(session: Session, player: Player) -> Player:
    """Write what has changed of the account since it was loaded, and return it as stored. `links`
    grows by so much, whatever another daemon has made of it."""
    columns, stored = player.columns, player.stored
    changed = {name: value for name, value in columns.items() if value != stored[name]}
    if "links" in changed:
        changed["links"] = players.c.links + (player.links - stored["links"])
    if changed:
        session.execute(update(players).where(players.c.id == player.id).values(changed))
    return replace(player, stored=columns)


def replace_password(session: Session, player: Player, new_hash: str) -> bool:
    """Give the account another password, which ends its links, unless it has another one than when
    it was loaded: of two daemons that take the same password or code, one does."""
    is_same = (players.c.id == player.id) & (players.c.password == player.password)
    values = {"password": new_hash, "links": players.c.links + 1}
    return bool(session.execute(update(players).where(is_same).values(values)).rowcount)


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

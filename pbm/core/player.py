"""Players: accounts as the core uses them, loaded, inserted and saved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from sqlalchemy import Column, ColumnElement, Select, Table, bindparam, delete, or_, select, update

from pbm.bots import NAMES
from pbm.core import clock
from pbm.core.clock import Span
from pbm.locale import build_locale
from pbm.locale.words import is_typo_of
from pbm.rules.phrases import change_values, pack, unpack
from pbm.rules.piece_letters import LOCAL
from pbm.store import reads
from pbm.store.prefetched import AccountRow, build_binding
from pbm.store.reads import find_vacations
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    AddressRow,
    PlayerRow,
    addresses,
    bans,
    drop_tag,
    normalize_mailbox,
    players,
)
from pbm.store.transaction import Session, insert_into, pad_keys

_SHORTEST_MISSPELT = 3
"""A shorter userid is near to too many others."""
NO_PASSWORD = "!"  # noqa: S105 (not a password)
"""Sentinel hash that no password matches."""
UNSET_PASSWORD = "-"  # noqa: S105 (not a password)
"""The same for the account of a person who has not set a password."""
TEAM_SIGN = "@"
"""Begins the userids of teams, and of nobody else."""
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
_SEEN_EVERY = 60.0
"""Seconds for which `seen` is not written again, so that many commands cost one write."""


class Role(StrEnum):
    """What the operator may trust an account with."""

    MODERATOR = "moderator"
    """Some of the operator's acts."""
    MAKER = "maker"
    """Making events, where not everybody may."""


GUEST = "guest"
"""Among the roles of an account that was opened for a match of clubs: it is for that alone."""


class Player(Struct, frozen=True):
    """An account. To change one, `save_player` what `replace` makes of it.

    name          the userid in lower case
    password      the argon2id hash
    created       when the account was opened
    seen          when the last command came, to the minute
    away          when the last vacation ends
    digest_at     when the next digest goes out
    links         how often the player has ended all links and reply addresses
    writes_to     the address of the server that the last mail went to, where it has several
    silenced      until when no word of the player is passed on
    roles         what the operator trusts the player with, separated by blanks: see `Role`
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
    roles: str = ""
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
    def is_team(self) -> bool:
        """Whether it is the account of a team, in whose name its members play together."""
        return self.name.startswith(TEAM_SIGN)

    @property
    def is_guest(self) -> bool:
        """Whether it is a guest's, of another town: for the boards of a match, and nothing else."""
        return GUEST in self.roles.split()

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

    def has_role(self, role: Role) -> bool:
        """Whether the operator trusts the account with that."""
        return role in self.roles.split()

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


def find_locale(preferences: Mapping[str, str], default: str) -> str:
    """Return the locale of a player with these preferences, who reads `default` unless they name a
    language."""
    pieces = preferences.get("pieces", LOCAL)
    return build_locale(preferences.get("language") or default, pieces)


def prefers_words(preferences: Mapping[str, str]) -> bool:
    """Whether a player wants boards in words instead of drawings."""
    return preferences.get("board") == "words"


@lru_cache(maxsize=4096)
def parse_preferences(text: str) -> Mapping[str, str]:
    """Parse preferences from the JSON in which they are stored."""
    return dict(json.loads(text))


def build_player(row: AccountRow) -> Player:
    """Return the player in a row of the table."""
    stored = {name: getattr(row, name) for name in COLUMNS}
    return Player(
        id=row.id,
        **{**stored, "preferences": parse_preferences(row.preferences)},
        is_confirmed=row.is_confirmed or is_bot_account(row.name, row.password),
        stored=stored,
    )


def make_player(userid: str, password: str, now: float, *, state: str = "active") -> Player:
    """Return a new account, which is not in the database yet and has no number."""
    return Player(0, userid, userid.lower(), password, state, {}, created=now, seen=now)


def insert_player(session: Session, player: Player) -> Player | None:
    """Insert an account and return it with its number; None when its userid has been given away,
    perhaps by another daemon a moment ago."""
    number = insert_row(session, columns := player.columns)
    return None if number is None else replace(player, id=number, stored=columns)


def insert_row(session: Session, columns: Mapping[str, Any]) -> int | None:
    """Insert an account with these columns and return its number; None when its userid is taken."""
    query = insert_into(players, is_sqlite=session.is_sqlite).values(columns)
    free = query.on_conflict_do_nothing(index_elements=(players.c.name,))
    number = session.execute(free.returning(players.c.id)).scalar()
    return None if number is None else int(number)


def save_player(session: Session, player: Player) -> Player:
    """Write the changed columns of the account, and return it as stored. `links` is added to the
    stored number, which another daemon may have changed."""
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


def find_similar_player(session: Session, word: str) -> str:
    """Return the one active player whose userid the word nearly is; "" for none."""
    word = word.lower()
    if len(word) < _SHORTEST_MISSPELT:
        return ""
    near = [name for name in reads.find_names_like(session, word) if is_typo_of(word, name)]
    return near[0] if len(near) == 1 else ""


def get_player(session: Session, number: int) -> Player | None:
    """Return the player with that number."""
    row = reads.find_player_by_id(session, number)
    return None if row is None else build_player(row)


def find_players_by_address(session: Session, address: str) -> list[Player]:
    """Return the active players who have confirmed that address."""
    return [build_player(row) for row in reads.find_players_by_address(session, address)]


def find_players_with_role(session: Session, role: Role) -> list[Player]:
    """Return the active players whom the operator trusts with that, in the order of their
    accounts."""
    rows = reads.find_players_with_roles(session)
    trusted = [player for player in map(build_player, rows) if player.has_role(role)]
    return [player for player in trusted if player.is_active]


def mark_seen(session: Session, player: Player, now: float) -> None:
    """Note that a command came from the player, at most once a minute. Daemons that note the same
    player at the same time do not wait for each other; one of them is enough."""
    if now - player.seen > _SEEN_EVERY:
        session.defer(_SEEN, [{"keys": player.id, "at": now}])


def note_address(session: Session, player: Player, address: str) -> None:
    """Note which address of the server the player writes to: mails to the player come from there.
    Where somebody else is changing the player, the next mail notes it."""
    if address and address != player.writes_to:
        session.defer(_WRITES_TO, [{"key": player.id, "at": address}])


# A player's rows in the tables of features: listed for the player, passed on, and deleted.

TIMES = frozenset(
    (
        *("at", "away", "begins", "bounced", "confirmed", "created", "digest_at", "due", "ended"),
        *("answered", "ends", "entered", "expires", "finished", "left", "received", "seen"),
        *("sent", "stopped", "updated", "used"),
    )
)


def pick(table: Table, names: str) -> list[Column[Any]]:
    """Return some columns of a table."""
    return [table.c[name] for name in names.split()]


def list_own(session: Session, player: int, table: Table, names: str) -> list[dict[str, Any]]:
    """Return the player's rows of a table, with these columns, for JSON."""
    query = select(*pick(table, names)).where(table.c.player_id == player)
    return read(session, query.order_by(*table.primary_key.columns))


def read(session: Session, query: Select[Any]) -> list[dict[str, Any]]:
    """Return the rows of a query by the names of their columns, with times as text in UTC."""
    names = [column.name for column in query.selected_columns]
    convert: list[Callable[[Any], Any]] = [
        _format_time if name in TIMES else _identity for name in names
    ]
    return [
        {name: to(value) for name, to, value in zip(names, convert, row, strict=True)}
        for row in session.tuples(query)
    ]


def _identity(value: Any) -> Any:
    return value


def _format_time(seconds: float | None) -> str | None:
    return (
        None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat("T", "seconds")
    )


def pass_on(session: Session, tables: Iterable[Table], old: Player, new: Player) -> None:
    """Make all rows of one player those of another."""
    for table in tables:
        own = table.c.player_id == old.id
        session.execute(update(table).where(own).values(player_id=new.id))


def pass_on_pairs(
    session: Session, table: Table, player: str, other: str, old: Player, new: Player
) -> None:
    """Make rows of one player, named in column `player`, those of another, who keeps the own row
    where both have one with the same `other`."""
    own = table.c[player]
    has = select(table.c[other]).where(own == new.id)
    session.execute(delete(table).where(own == old.id, table.c[other].in_(has)))
    session.execute(update(table).where(own == old.id).values({player: new.id}))


def delete_own(session: Session, tables: Iterable[Table], player: int) -> None:
    """Delete all rows of a player."""
    for table in tables:
        session.execute(delete(table).where(table.c.player_id == player))


def rename_in(
    session: Session,
    table: Table,
    column: Column[str],
    chosen: ColumnElement[bool],
    old: str,
    new: str,
) -> None:
    """Replace a userid in the sentences of a column of the chosen rows."""
    word = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])")
    key = tuple(table.primary_key)
    holds = column.contains(old, autoescape=True)
    for text, *values in list(session.tuples(select(column, *key).where(chosen, holds))):
        is_row = [part == value for part, value in zip(key, values, strict=True)]
        changed = pack(change_values(unpack(str(text)), lambda part: word.sub(new, part)))
        session.execute(update(table).where(*is_row).values({column.name: changed}))


# Bans: addresses that no mail is accepted from, and addresses that no mail is sent to.
#
# A target is an address, a domain with its subdomains (`@example.org`), or the userid of a
# banned account. `Eve+games@` and `eve@` are the same mailbox, and one target.

BAN, STOP = "ban", "stop"
"""A ban stops mail both ways, a stop only what the server sends."""
_MOST_LABELS = 8


class TargetRow(Row):
    """A banned target."""

    target: str
    kind: str


_FIND = Query(
    TargetRow,
    select(bans.c.target, bans.c.kind).where(
        bans.c.target.in_(bindparam("targets", expanding=True))
    ),
)


def find_covered_addresses(session: Session, target: str) -> Sequence[AddressRow]:
    """Return the addresses of players that a mailbox, or a `@domain`, covers."""
    local, _, host = target.rpartition("@")
    column = addresses.c.address
    if local:
        chosen = addresses.c.mailbox == normalize_mailbox(target)
    else:
        is_at_host = column.endswith(f"@{host}", autoescape=True)
        chosen = or_(is_at_host, column.endswith(f".{host}", autoescape=True))
    query = select(addresses).where(chosen).order_by(addresses.c.id)
    return session.all(Query(AddressRow, query))


def _list_targets(address: str) -> list[str]:
    """Return the targets that cover an address: its mailbox, its domain and the domains above."""
    labels = address.lower().rpartition("@")[2].split(".")[-_MOST_LABELS:]
    domains = ["@" + ".".join(labels[at:]) for at in range(len(labels))]
    return [*dict.fromkeys((normalize_mailbox(address), drop_tag(address))), *domains]


def find_bans(session: Session, addresses: Collection[str]) -> dict[str, str]:
    """Return those of these addresses that are banned (BAN) or stopped (STOP); BAN where both
    apply."""
    wanted = {address: _list_targets(address) for address in addresses if address}
    targets = sorted({target for each in wanted.values() for target in each})
    if not targets:
        return {}
    banned = {row.target: row.kind for row in session.all(_FIND, {"targets": pad_keys(targets)})}
    kinds = {
        address: {banned[target] for target in each if target in banned}
        for address, each in wanted.items()
    }
    return {address: min(kind) for address, kind in kinds.items() if kind}


def find_ban_kind(session: Session, address: str) -> str:
    """Return BAN, STOP or "" for an address."""
    cache = session.prefetched
    if cache is not None and address in cache.bans:
        return cache.bans[address]
    return find_bans(session, [address]).get(address, "")


def prefetch_bans(session: Session, addresses: Collection[str]) -> None:
    """Look for bans of these addresses, by one statement."""
    found = find_bans(session, addresses)
    session.cache.bans.update({address: found.get(address, "") for address in addresses})


# When a player is on vacation.


def list_vacations(session: Session, player: int) -> list[Span]:
    """Return the vacations of a player, past and planned, as (begin, end)."""
    return [(row.begins, row.ends) for row in find_vacations(session, player)]


def is_on(session: Session, player: int, now: float) -> bool:
    """Whether a player is on vacation."""
    return any(begin <= now < end for begin, end in list_vacations(session, player))


# When a player's daily digest is due.


def find_next_digest(chosen: Mapping[str, str], now: float) -> float | None:
    """Return when the next digest of a player with these preferences is due; None when they want
    none."""
    at = chosen.get("digest", "no")
    return None if at == "no" else clock.find_next_time_of_day(chosen.get("zone", "UTC"), at, now)


# Which mails a player has stopped: all of them, or those of a kind.
#
# It stands among the preferences, under a key that `set` does not know, beside how the player
# wants mails to look: that is as before when they begin again.

ALL, BOARDS, EVENTS = "everything", "boards", "events"
"""Kinds of mails that a player can stop. Those of a kind of their own, such as the daily digest,
have a preference for it."""
_KEY = "stopped"


def list_stopped(preferences: Mapping[str, str]) -> frozenset[str]:
    """Return the kinds that a player with these preferences has stopped."""
    return frozenset(preferences.get(_KEY, "").split())


def has_stopped(preferences: Mapping[str, str], kind: str) -> bool:
    """Whether mails of that kind do not go to a player with these preferences."""
    stopped = list_stopped(preferences)
    return ALL in stopped or kind in stopped


def stop(preferences: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return the preferences of a player who stops mails of that kind."""
    return {**preferences, _KEY: " ".join(sorted(list_stopped(preferences) | {kind}))}


def resume(preferences: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return the preferences of a player who has mails of that kind again; of ALL, any mails."""
    left = list_stopped(preferences) - {ALL, kind} if kind != ALL else frozenset()
    others = {key: value for key, value in preferences.items() if key != _KEY}
    return {**others, _KEY: " ".join(sorted(left))} if left else others

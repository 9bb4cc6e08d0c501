"""The configuration: a TOML file read into frozen dataclasses. An unknown key is an error.

The fields below are the whole truth: `config/pbm.toml` lists the same keys and defaults, and a test
holds the two equal. Nothing here opens a file of the server's state."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any


class ConfigError(ValueError):
    """The configuration cannot be used; the text names the key and what is allowed."""


@dataclass(frozen=True, slots=True)
class Server:
    """`address` is what players write to; its domain stands in every Message-ID. `trusts` is the
    name under which the operator's own mail server writes Authentication-Results."""

    address: str = "pbm@localhost"
    trusts: str = ""

    @property
    def local(self) -> str:
        """The part before the @."""
        return self.address.rpartition("@")[0]

    @property
    def host(self) -> str:
        """The part after the @."""
        return self.address.rpartition("@")[2]

    def is_at(self, address: str) -> bool:
        """Whether mail to the address comes to this server, with or without a subaddress."""
        local, _, host = address.lower().rpartition("@")
        return host == self.host.lower() and local.partition("+")[0] == self.local.lower()


@dataclass(frozen=True, slots=True)
class Database:
    """An SQLAlchemy URL; `postgresql://` means psycopg 3. PBM_DATABASE_URL overrides it."""

    url: str = "sqlite:///var/pbm.db"


@dataclass(frozen=True, slots=True)
class Smtp:
    """Where mail comes in by SMTP ("" = off), and the certificate that STARTTLS offers."""

    listen: str = "127.0.0.1:2525"
    certificate: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Lmtp:
    """Where mail comes in by LMTP: host:port or unix:PATH; "" = off."""

    listen: str = ""


@dataclass(frozen=True, slots=True)
class Imap:
    """A mailbox that mail is fetched from ("" = off), and how often it is looked at where the
    mailbox does not tell of new mail itself."""

    url: str = ""
    seconds: int = 60


@dataclass(frozen=True, slots=True)
class Relay:
    """Where mail goes out, and over how many sessions at once."""

    url: str = "maildir:var/mail"
    sessions: int = 4


@dataclass(frozen=True, slots=True)
class Players:
    """Whether an address must be proven by a code before anything else is sent there, and how long
    clocks may rest for a vacation in a year."""

    confirm_addresses: bool = True
    vacation_days: int = 30


@dataclass(frozen=True, slots=True)
class Limits:
    """Every limit there is; 0 = none."""

    open_boards: int = 50
    open_offers: int = 10
    offer_days: int = 30
    mails_a_day: int = 200
    failures_a_day: int = 100
    looks_a_day: int = 100
    looks_bytes_a_day: int = 1_000_000
    look_seconds_a_day: int = 30
    strangers_an_hour: int = 60
    errors_a_day: int = 20
    help_a_day: int = 5
    signups_a_day: int = 20
    broadcasts_a_day: int = 1
    messages_a_day: int = 20
    chats_a_day: int = 50
    commands_a_mail: int = 50
    sessions: int = 100
    sessions_per_address: int = 10
    session_seconds: int = 300
    recipients: int = 20
    size: int = 262144
    line: int = 8192
    text: int = 10000
    attempts: int = 3
    seconds_a_mail: int = 5
    retry_days: int = 5


@dataclass(frozen=True, slots=True)
class Retention:
    """Days until the text and addresses of a mail that is done are removed, and until what is left
    of it is deleted; 0 = never."""

    mails_days: int = 30
    rows_days: int = 365


LEAST_ROWS_DAYS = 60
"""For so long a copy of a mail that comes late is known to be one."""


@dataclass(frozen=True, slots=True)
class Workers:
    """How many processes execute mails."""

    processes: int = 1


@dataclass(frozen=True, slots=True)
class Bots:
    """Whether the house players `random` and `mcts` take part, and how long a turn of theirs
    takes."""

    enabled: bool = True
    seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class Http:
    """Where /health and /metrics are answered, on loopback: host:port; "" = off."""

    listen: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """How events are written to standard error, and whether each mail that was executed is one."""

    format: str = "lines"
    mails: bool = False


@dataclass(slots=True)
class Config:
    """All of it. `trial` is set when there was no file: loopback only, nothing to confirm; `source`
    is the file. Sections never change, but a reload puts new ones in their place."""

    server: Server = field(default_factory=Server)
    database: Database = field(default_factory=Database)
    smtp: Smtp = field(default_factory=Smtp)
    lmtp: Lmtp = field(default_factory=Lmtp)
    imap: Imap = field(default_factory=Imap)
    relay: Relay = field(default_factory=Relay)
    players: Players = field(default_factory=Players)
    limits: Limits = field(default_factory=Limits)
    retention: Retention = field(default_factory=Retention)
    workers: Workers = field(default_factory=Workers)
    bots: Bots = field(default_factory=Bots)
    http: Http = field(default_factory=Http)
    log: Log = field(default_factory=Log)
    trial: bool = False
    source: str = ""


LOG_FORMATS = ("lines", "json")
SECTIONS: Mapping[str, type] = {
    "server": Server,
    "database": Database,
    "smtp": Smtp,
    "lmtp": Lmtp,
    "imap": Imap,
    "relay": Relay,
    "players": Players,
    "limits": Limits,
    "retention": Retention,
    "workers": Workers,
    "bots": Bots,
    "http": Http,
    "log": Log,
}
CHANGEABLE = ("players", "limits", "retention", "log")
"""The sections that `adopt` may change while the server runs."""


def load(path: str | None = None, environment: Mapping[str, str] = os.environ) -> Config:
    """The configuration of `path`, else of PBM_CONFIG, else the trial server's. ConfigError."""
    path = path or environment.get("PBM_CONFIG")
    if path:
        try:
            config = replace(parse(Path(path).read_text(encoding="utf-8")), source=path)
        except OSError as error:
            raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ConfigError(f"{path} is not UTF-8 text") from None
    else:
        config = Config(players=Players(confirm_addresses=False), trial=True)
    url = environment.get("PBM_DATABASE_URL")
    return replace(config, database=Database(url)) if url else config


def adopt(config: Config, new: Config) -> list[str]:
    """Put the sections of `new` that may change into `config`, for everybody who holds it; the
    names of the sections that differ, but need a restart."""
    for name in CHANGEABLE:
        setattr(config, name, getattr(new, name))
    return [name for name in SECTIONS if getattr(config, name) != getattr(new, name)]


def parse(text: str) -> Config:
    """The configuration that a TOML text says. ConfigError names the first key that is wrong."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"the configuration is not TOML: {error}") from None
    sections: dict[str, Any] = {}
    for name, values in document.items():
        if name not in SECTIONS:
            raise ConfigError(f"there is no section [{name}]; there are {_listed(SECTIONS)}")
        if not isinstance(values, dict):
            raise ConfigError(f"{name} is a section: write [{name}]")
        sections[name] = _section(name, SECTIONS[name], values)
    config = Config(**sections)
    if config.server.address.count("@") != 1 or not config.server.local or not config.server.host:
        raise ConfigError(f"[server] address is a mail address, not {config.server.address!r}")
    kept = config.retention
    least = max(LEAST_ROWS_DAYS, kept.mails_days)
    if 0 < kept.rows_days < least:
        raise ConfigError(f"[retention] rows_days is 0 or at least {least}, not {kept.rows_days}")
    if config.log.format not in LOG_FORMATS:
        raise ConfigError(f"[log] format is lines or json, not {config.log.format!r}")
    _require_loopback(config.http.listen)
    return config


def _require_loopback(listen: str) -> None:
    """What /metrics tells is for this machine only."""
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    local = host in ("localhost", "::1") or host.startswith("127.")
    if listen and not (local and port.isdigit()):
        raise ConfigError(
            f"[http] listen is a port of this machine alone, 127.0.0.1:PORT, not {listen!r}"
        )


def _section(name: str, kind: type, values: Mapping[str, Any]) -> Any:
    known = {key.name: key for key in fields(kind)}
    for key, value in values.items():
        if key not in known:
            raise ConfigError(f"[{name}] has no key {key}; it has {_listed(known)}")
        wanted = type(known[key].default)
        if type(value) is not wanted and (type(value), wanted) != (int, float):
            raise ConfigError(f"[{name}] {key} is {_KINDS[wanted]}, not {value!r}")
        if isinstance(value, int | float) and not 0 <= value < float("inf"):
            raise ConfigError(f"[{name}] {key} is a number from 0 up, not {value}")
    return kind(**values)


_KINDS = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(names)

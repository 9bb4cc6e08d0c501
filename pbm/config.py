"""The configuration: a TOML file checked key by key and read into immutable structs.

Each field below has a type that says which values it takes. `config/pbm.toml` lists the same keys
with the same defaults, which a test enforces. Nothing here opens a file of the server's state."""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct, ValidationError, convert, field
from msgspec.structs import asdict, fields, replace

from pbm import games
from pbm.engines.setup import EnginePlayer, Engines
from pbm.locale import LANGUAGES

_TRIAL_WEB = "127.0.0.1:2580"
_LEAST_ROWS_DAYS = 60
"""A copy of a mail that arrives within this time is recognized by the row of the first."""


@lru_cache(maxsize=8)
def _read_networks(peers: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(map(ip_network, peers))


class ConfigError(ValueError):
    """The configuration cannot be used. The text names file, line and key, and what is allowed; it
    quotes no URL, which may hold a password.

    key  the key or line at fault, without its value: "[limits] size", "line 7"; else ""
    """

    def __init__(self, text: str, key: str = "") -> None:
        super().__init__(text)
        self.key = key


class Server(Struct, frozen=True):
    """`address` is what players write to; its domain is in every Message-ID. Mail to `aliases`, as
    to the addresses that the server had before, comes in like mail to it. `trusts` is the name
    under which the operator's own mail server writes Authentication-Results, and `trusted_peers`
    are the addresses from which it hands mails over by SMTP. `language` is that of whoever has not
    chosen one. `name`, `motto`, `colour` and `contact` are those of the club whose server it is, in
    mails and on pages."""

    address: MailAddress = "pbm@localhost"
    aliases: MailAddresses = ()
    name: ClubName = ""
    motto: Motto = ""
    colour: Colour = ""
    contact: Contact = ""
    language: Language = "en"
    trusts: ServerName = ""
    trusted_peers: Peers = ()

    def __post_init__(self) -> None:
        """Raise ValueError when there is no such language, or a peer is no IP address and no
        network."""
        if self.language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ValueError(f"language must be one of {known}, not {_format_value(self.language)}")
        for peer in self.trusted_peers:
            try:
                ip_network(peer)
            except ValueError:
                raise ValueError(
                    f"trusted_peers must be {_describe_type(Peers)}, not {_format_value(peer)}"
                ) from None

    def is_trusted_peer(self, peer: str) -> bool:
        """Whether an SMTP client at that IP address is named as the operator's own mail server."""
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in _read_networks(self.trusted_peers))

    @property
    def local(self) -> str:
        """The part before the @."""
        return self.address.rpartition("@")[0]

    @property
    def host(self) -> str:
        """The part after the @."""
        return self.address.rpartition("@")[2]

    @property
    def addresses(self) -> tuple[str, ...]:
        """The address and its aliases, in lower case."""
        return tuple(each.lower() for each in (self.address, *self.aliases))

    @property
    def hosts(self) -> frozenset[str]:
        """The domains of these, in lower case."""
        return frozenset(each.rpartition("@")[2] for each in self.addresses)

    def find_address_at(self, domain: str) -> str:
        """Return the first address in that domain; "" when there is none."""
        ends = f"@{domain.lower()}"
        return next((each for each in self.addresses if each.endswith(ends)), "")

    def is_at(self, address: str) -> bool:
        """Whether mail to the address comes to this server, with or without a subaddress."""
        local, _, host = address.lower().rpartition("@")
        return f"{local.partition('+')[0]}@{host}" in self.addresses


class Database(Struct, frozen=True):
    """An SQLAlchemy URL; `postgresql://` means psycopg 3. PBM_DATABASE_URL overrides it."""

    url: DatabaseUrl = "sqlite:///var/pbm.db"


class Smtp(Struct, frozen=True):
    """Where SMTP is accepted, and the certificate that STARTTLS offers."""

    listen: Listen = "127.0.0.1:2525"
    certificate: Text = ""
    key: Text = ""


class Lmtp(Struct, frozen=True):
    """Where LMTP is accepted."""

    listen: Listen = ""


class Imap(Struct, frozen=True):
    """A mailbox to fetch mail from, and the polling interval where it has no IDLE."""

    url: ImapUrl = ""
    seconds: WholeSeconds = 60


class Relay(Struct, frozen=True):
    """Where mail is delivered, over how many connections at once, and how many mails a minute the
    addresses of a domain get at most."""

    url: RelayUrl = "maildir:var/mail"
    sessions: Count = 4
    rates: Rates = field(default_factory=dict)

    def __post_init__(self) -> None:
        """ValueError for a domain that is not in lower case: addresses are compared so."""
        for domain in self.rates:
            if domain != domain.lower():
                raise ValueError(f"rates: write {domain.lower()} in lower case")


class SendingDomain(Struct, frozen=True):
    """A domain of an alias that mails may come from, and its own key, as in `Dkim`."""

    name: DomainName
    selector: Selector = "pbm"
    key: Text = ""


class Dkim(Struct, frozen=True):
    """The private key that signs outgoing mails ("" = the relay signs, or nobody), the selector
    under which the DNS has its public half, and the other domains that mails may come from."""

    selector: Selector = "pbm"
    key: Text = ""
    domain: Annotated[
        tuple[SendingDomain, ...],
        Meta(description="a list of tables, [[dkim.domain]] for each domain"),
    ] = ()


class Players(Struct, frozen=True):
    """Whether an address must be confirmed by a code before other mail goes there, who may sign up
    (of which domains, if any are named), the days of vacation a year, and whether mails have boards
    as pictures for all players who have not asked for text alone."""

    confirm_addresses: Flag = True
    signups: Signups = "open"
    signup_domains: Domains = ()
    vacation_days: Days = 30
    pictures: Flag = True


class House(Struct, frozen=True):
    """The terms that new players accept, where reports of abuse go, whether a daily mail does, and
    userids that become moderators when the server first reads them."""

    terms: Text = ""
    terms_version: Text = ""
    operator: OptionalAddress = ""
    digest: Flag = True
    moderators: Userids = ()

    @property
    def version(self) -> str:
        """What tells these terms from others: the version that the operator gave them and the
        beginning of their SHA-256; "" without terms."""
        if not self.terms.strip():
            return ""
        digest = sha256(self.terms.strip().encode()).hexdigest()[:12]
        return f"{self.terms_version} {digest}".strip()


class Clubs(Struct, frozen=True):
    """Where clubs may have their news posted: the beginnings of URLs, up to the port."""

    webhooks: Origins = ()


class Limits(Struct, frozen=True):
    """Every limit there is; 0 = no limit."""

    open_boards: Count = 50
    teams: Count = 5
    clubs: Count = 3
    open_offers: Count = 10
    offer_days: Days = 30
    mails_a_day: Count = 200
    notices_a_day: Count = 30
    news_a_day: Count = 12
    failures_a_day: Count = 100
    looks_a_day: Count = 100
    looks_bytes_a_day: Bytes = 1_000_000
    look_seconds_a_day: WholeSeconds = 30
    strangers_an_hour: Count = 60
    prompt_mails_an_hour: Count = 30
    errors_a_day: Count = 60
    unproved_a_day: Count = 10
    quick_replies: Count = 2
    codes_a_week: Count = 3
    resets_a_week: Count = 3
    unlocks_an_hour: Count = 1
    passwords_a_mail: Count = 4
    addresses: Count = 5
    signup_addresses: Count = 3
    exports_a_day: Count = 2
    signups_a_day: Count = 20
    invitations_a_day: Count = 5
    join_links: Count = 3
    joins_a_link: Count = 10
    announcements_a_day: Count = 3
    message_players: Count = 10
    blocked_players: Count = 100
    reports_a_day: Count = 5
    puzzles_a_day: Count = 20
    chats_an_hour: Count = 3
    analyses_a_day: Count = 5
    commands_a_mail: Count = 50
    plan_moves: Count = 200
    notes: Count = 100
    sessions: Count = 100
    sessions_per_address: Count = 10
    web_connections_per_address: Count = 30
    pages_a_second: Count = 30
    link_pages_a_second: Count = 10
    xfcc_calls_a_second: Count = 2
    session_seconds: WholeSeconds = 300
    recipients: Count = 20
    size: Bytes = 262144
    line: Bytes = 8192
    text: Count = 10000
    attempts: Count = 3
    seconds_a_mail: WholeSeconds = 5
    retry_days: Days = 5


class Trust(Struct, frozen=True):
    """For how many days somebody whose address came is a newcomer, unless a board against somebody
    else has ended before; 0 = nobody is."""

    newcomer: Days = 3


class Events(Struct, frozen=True):
    """Who may make events: everybody, or the operator and the makers alone, which userids here
    become when the server first reads them; and how many each player may have open or running."""

    makers: Makers = "everybody"
    open_events: Count = 3


class Retention(Struct, frozen=True):
    """Days until the text and addresses of a finished mail and the texts of players at a board are
    removed, until the text of one that was set aside is, and until the rest of a mail's row is
    deleted; 0 = never."""

    mails_days: Days = 30
    aside_days: Days = 7
    rows_days: Days = 365

    def __post_init__(self) -> None:
        """Raise ValueError when rows would go before texts, or before late copies of a mail
        cease."""
        least = max(_LEAST_ROWS_DAYS, self.mails_days)
        if 0 < self.rows_days < least:
            raise ValueError(f"rows_days must be 0 or at least {least}, not {self.rows_days}")


class Workers(Struct, frozen=True):
    """How many worker processes execute mails ("auto" = as the processors and the database allow,
    0 = a thread of the server does, which nothing can end), and how much memory each may use."""

    processes: Processes = "auto"
    memory_mib: Count = 512

    def count(self, processors: int, *, is_sqlite: bool) -> int:
        """Return how many there are. One is left a processor by the front; on SQLite one claims
        mails at a time, so that a second would only wait."""
        if self.processes != "auto":
            return self.processes
        return 1 if is_sqlite else max(1, min(processors - 1, 4))


class Games(Struct, frozen=True):
    """Files of chess variants, and maps of Diplomacy, that are on the shelf beside the games that
    are installed."""

    variants: VariantFiles = ()


class Bots(Struct, frozen=True):
    """Whether the bots play, how long they think about a turn at most, how long about a board that
    they analyse, whether boards with them count for the ratings of people, and the engines that
    play beside them."""

    enabled: Flag = True
    seconds: Seconds = 2.0
    analysis_seconds: Seconds = 60.0
    rated_with_people: Flag = False
    engine: Engines = ()

    def __post_init__(self) -> None:
        """Raise ValueError when two engines would play under one userid."""
        names = [player.name for player in self.list_engine_players()]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"engine: two computer players would be called {name}")

    def list_engine_players(self) -> list[EnginePlayer]:
        """Return the computer players whose moves engines choose."""
        return [player for setup in self.engine for player in setup.list_players()]

    def find_engine_player(self, name: str) -> EnginePlayer | None:
        """Return the one with that userid in lower case."""
        return next((each for each in self.list_engine_players() if each.name == name), None)


class Http(Struct, frozen=True):
    """Where /health and /metrics are answered, on loopback only."""

    listen: LoopbackPort = ""


class Tracing(Struct, frozen=True):
    """Where traces of mails are sent, by OTLP over HTTP."""

    url: TracingUrl = ""


class Web(Struct, frozen=True):
    """Where the web pages are served, the URL that links in mails begin with ("" = no links), and
    whether there are pages for everybody besides those behind secret links, and the door through
    which chess programs fetch games and send moves."""

    listen: Listen = ""
    url: WebUrl = ""
    public: Flag = True
    xfcc: Flag = False


class Log(Struct, frozen=True):
    """The format of events on standard error, and whether each executed mail is logged."""

    format: LogFormat = "lines"
    mails: Flag = False


class Config(Struct):
    """All sections. `trial` is set when there was no file: loopback only, nothing to confirm.
    `source` is the file, `makes_database` whether the server makes a database that is missing.
    Sections are immutable; a reload puts new ones in their place."""

    server: Server = field(default_factory=Server)
    database: Database = field(default_factory=Database)
    smtp: Smtp = field(default_factory=Smtp)
    lmtp: Lmtp = field(default_factory=Lmtp)
    imap: Imap = field(default_factory=Imap)
    relay: Relay = field(default_factory=Relay)
    dkim: Dkim = field(default_factory=Dkim)
    players: Players = field(default_factory=Players)
    house: House = field(default_factory=House)
    clubs: Clubs = field(default_factory=Clubs)
    limits: Limits = field(default_factory=Limits)
    trust: Trust = field(default_factory=Trust)
    events: Events = field(default_factory=Events)
    retention: Retention = field(default_factory=Retention)
    workers: Workers = field(default_factory=Workers)
    games: Games = field(default_factory=Games)
    bots: Bots = field(default_factory=Bots)
    http: Http = field(default_factory=Http)
    tracing: Tracing = field(default_factory=Tracing)
    web: Web = field(default_factory=Web)
    log: Log = field(default_factory=Log)
    trial: bool = False
    makes_database: bool = False
    source: str = ""

    def list_senders(self) -> list[Config]:
        """Return this configuration as each domain that mails come from sees it: with the first
        address there in place of the server's, and its own key. The server's own domain is the
        first."""
        views = [self]
        for domain in self.dkim.domain:
            address = self.server.find_address_at(domain.name)
            if address:
                server = replace(self.server, address=address)
                dkim = Dkim(domain.selector, domain.key)
                views.append(replace(self, server=server, dkim=dkim))
        return views

    def find_sender(self, recipient: str) -> str:
        """Return the address without subaddress of a mail's recipient, where the server writes from
        several addresses and this is one of them; else ""."""
        if not (self.dkim.domain and recipient):
            return ""
        local, _, host = recipient.strip("<>").lower().rpartition("@")
        address = f"{local.partition('+')[0]}@{host}"
        names = {self.server.host.lower(), *(each.name.lower() for each in self.dkim.domain)}
        return address if host in names and address in self.server.addresses else ""


SECTIONS: Mapping[str, type[Any]] = {
    name: type(part) for name, part in asdict(Config()).items() if isinstance(part, Struct)
}
"""The sections of the file and what each is read into."""
_RETIRED = {
    "limits": (
        *("help_a_day", "broadcasts_a_day", "messages_a_day", "chats_a_day"),
        *("same_errors_a_day", "like_texts_a_day", "refused_moves_a_day"),
    ),
    "events": ("announcements_a_day",),
}
"""Keys that files of earlier versions have, by section: they are read and mean nothing."""
RELOADABLE = ("players", "house", "limits", "trust", "events", "retention", "games", "log")
"""The sections that `adopt` changes while the server runs."""


def load(path: str | None = None, environment: Mapping[str, str] = os.environ) -> Config:
    """Return the configuration in the file `path`, else in the one that PBM_CONFIG names, else that
    of a trial server. ConfigError when it cannot be used."""
    path = path or environment.get("PBM_CONFIG")
    if path:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ConfigError(f"{path} is not UTF-8 text") from None
        config = replace(parse(text, path), source=path)
        bring_variants(config.games.variants)
    else:
        config = Config(
            players=Players(confirm_addresses=False),
            web=Web(_TRIAL_WEB, f"http://{_TRIAL_WEB}"),
            trial=True,
            trust=Trust(newcomer=0),
            makes_database=True,
        )
    url = environment.get("PBM_DATABASE_URL")
    if not url:
        return config
    try:
        database = Database(convert(url, DatabaseUrl))
        return replace(config, database=database, makes_database=False)
    except ValidationError:
        raise ConfigError(f"PBM_DATABASE_URL must be {_describe_type(DatabaseUrl)}") from None


def adopt(config: Config, new: Config) -> list[str]:
    """Put the reloadable sections of `new` into `config`, which everybody shares, and return the
    names of the other sections that differ and need a restart."""
    for name in RELOADABLE:
        setattr(config, name, getattr(new, name))
    bring_variants(config.games.variants)
    return [name for name in SECTIONS if getattr(config, name) != getattr(new, name)]


def parse(text: str, source: str = "configuration") -> Config:
    """Return the configuration in a TOML text. ConfigError names `source` and the first line at
    fault."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line [0-9]+", str(error))
        raise ConfigError(f"{source} is not TOML: {error}", line[0] if line else "") from None
    try:
        return Config(**{name: _read_section(name, values) for name, values in document.items()})
    except _InvalidKeyError as error:
        section, *keys = map(str, error.path)
        raise ConfigError(
            f"{source}:{_find_line(text, error.path)}: {error}",
            " ".join([f"[{section}]", *keys[:1]]),
        ) from None


class _InvalidKeyError(Exception):
    """What is wrong with the section or key at `path`."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


def _read_section(name: str, values: Any) -> Any:
    """Return one section, each value checked against the type of its key."""
    if name not in SECTIONS:
        raise _InvalidKeyError(
            f"there is no section [{name}]; {_suggest_name(name, SECTIONS)}", name
        )
    if not isinstance(values, dict):
        raise _InvalidKeyError(f"{name} is a section, write [{name}]", name)
    return _read_table(name, SECTIONS[name], values, (name,))


def _read_table(
    name: str, table: Any, values: Mapping[str, Any], path: tuple[str | int, ...]
) -> Any:
    """Return a table of the file as the struct that it is read into. `path` leads to it."""
    keys = fields(table)
    types = {each.name: each.type for each in keys}
    checked = {}
    for key, value in values.items():
        if key in _RETIRED.get(name, ()):
            continue
        if key not in types:
            raise _InvalidKeyError(
                f"[{name}] has no key {key}; {_suggest_name(key, types)}", *path, key
            )
        inner = _find_inner_table(types[key])
        if inner and isinstance(value, list) and all(isinstance(each, dict) for each in value):
            checked[key] = tuple(
                _read_table(f"{name}.{key}", inner, each, (*path, key, number))
                for number, each in enumerate(value)
            )
            continue
        try:
            checked[key] = convert(value, types[key])
        except ValidationError:
            but = "" if key == "url" else f", not {_format_value(value)}"
            must = f"[{name}] {key} must be {_describe_type(types[key])}{but}"
            raise _InvalidKeyError(must, *path, key) from None
    for each in keys:
        if each.required and each.name not in checked:
            raise _InvalidKeyError(f"[{name}] needs the key {each.name}", *path)
    try:
        return table(**checked)
    except ValueError as error:
        raise _InvalidKeyError(f"[{name}] {error}", *path) from None


def _find_inner_table(kind: Any) -> Any:
    """Return the struct of the tables in a key that is a list of tables; None for other keys."""
    inner = next(iter(get_args(get_args(kind)[0])), None)
    return inner if isinstance(inner, type) and issubclass(inner, Struct) else None


def _describe_type(kind: Any) -> str:
    """Return what the type of a key says about its values."""
    description: str = kind.__metadata__[0].description
    return description


def _format_value(value: Any) -> str:
    """Return a value as the file may have it."""
    return json.dumps(value, default=str, ensure_ascii=False)


def _find_line(text: str, path: Sequence[str | int]) -> int:
    """Return the number of the line that completes the section or key at `path`: the first up to
    which the text is TOML and has it."""
    lines = text.splitlines(keepends=True)
    for number in range(1, len(lines) + 1):
        try:
            node: Any = tomllib.loads("".join(lines[:number]))
            for key in path:
                node = node[key]
        except (tomllib.TOMLDecodeError, LookupError):
            continue
        return number
    return len(lines)


def _suggest_name(word: str, names: Iterable[str]) -> str:
    """Return the name that was probably meant, or all there are."""
    close = get_close_matches(word, names, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}"


# The types of the keys of the configuration: which values each takes, and how that is said.

_PORT = r"(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_HOST = r"(?:\[[0-9A-Za-z:.%]+\]|[^\s:/@\[\]]+)"
_USER = r"(?:[^\s/@]+@)"
_MOST = 2**53

# The types of the keys. A description completes the sentence "[section] key must be …".

Flag = Annotated[bool, Meta(description="true or false")]
Text = Annotated[str, Meta(description="text in quotes")]
Count = Annotated[int, Meta(ge=0, le=_MOST, description="a whole number, 0 or more")]
Days = Annotated[int, Meta(ge=0, le=10**6, description="a whole number of days, 0 or more")]
Processes = Annotated[
    Annotated[int, Meta(ge=0, le=64)] | Literal["auto"],
    Meta(description='"auto", or a whole number from 0 to 64'),
]
WholeSeconds = Annotated[
    int, Meta(ge=0, le=10**9, description="a whole number of seconds, 0 or more")
]
Seconds = Annotated[float, Meta(ge=0, le=10**9, description="a number of seconds, 0 or more")]
Bytes = Annotated[int, Meta(ge=0, le=_MOST, description="a whole number of bytes, 0 or more")]
Signups = Annotated[
    Literal["open", "invited", "approved", "closed"],
    Meta(description='"open", "invited", "approved" or "closed"'),
]
Language = Annotated[
    str, Meta(pattern=r"\A[a-z]{2,3}\Z", description='the code of a language, such as "en" or "de"')
]
Domains = Annotated[
    tuple[Annotated[str, Meta(pattern=r"\A[^@\s]+\Z")], ...],
    Meta(description='a list of domains in quotes, ["example.org"]'),
]
DomainName = Annotated[
    str, Meta(pattern=r"\A[^@\s]+\Z", description='a domain in quotes, "example.org"')
]
LogFormat = Annotated[Literal["lines", "json"], Meta(description='"lines" or "json"')]
Makers = Annotated[
    str,
    Meta(
        pattern=r"\A[a-zA-Z0-9_ -]+\Z",
        description='"everybody", "operator", or userids separated by blanks',
    ),
]
MailAddress = Annotated[
    str, Meta(pattern=r"\A[^@\s]+@[^@\s]+\Z", description="a mail address, local@domain")
]
ClubName = Annotated[
    str,
    Meta(
        pattern=r'\A[^\x00-\x1f\x7f\[\]<>"\\@]{0,40}\Z',
        description='at most 40 characters, none of []<>"\\@',
    ),
]
Motto = Annotated[
    str,
    Meta(pattern=r"\A[^\x00-\x1f\x7f]{0,200}\Z", description="at most 200 characters, one line"),
]
Colour = Annotated[
    str, Meta(pattern=r"\A(#[0-9A-Fa-f]{6})?\Z", description='a colour such as "#14568c", or ""')
]
Contact = Annotated[
    str,
    Meta(
        pattern=r"\A(https?://[^\s\"'<>]+|[^@\s\"'<>:]+@[^@\s\"'<>]+)?\Z",
        description='a mail address, the address of a page (https://...), or "" for none',
    ),
]
MailAddresses = Annotated[
    tuple[MailAddress, ...],
    Meta(description='a list of mail addresses in quotes, ["games@old.example.org"]'),
]
OptionalAddress = Annotated[
    str,
    Meta(
        pattern=r"\A(?:|[^@\s]+@[^@\s]+)\Z",
        description='a mail address, local@domain, or "" for none',
    ),
]
Selector = Annotated[
    str,
    Meta(
        pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\Z",
        description="a name of letters, digits, - and .",
    ),
]
ServerName = Annotated[
    str, Meta(pattern=r"\A\S*\Z", description='the name of one mail server, or "" for none')
]
Peers = Annotated[
    tuple[str, ...],
    Meta(description='a list of IP addresses or networks in quotes, ["127.0.0.1", "::1"]'),
]
Origins = Annotated[
    tuple[Annotated[str, Meta(pattern=r"\Ahttps?://[^\s/@?#]+/?\Z")], ...],
    Meta(description='a list of beginnings of URLs in quotes, ["https://hooks.example.org"]'),
]
Userids = Annotated[
    tuple[Annotated[str, Meta(pattern=r"\A[A-Za-z][A-Za-z0-9_-]{1,19}\Z")], ...],
    Meta(description='a list of userids in quotes, ["ann"]'),
]
VariantFiles = Annotated[
    tuple[str, ...],
    Meta(description='a list of paths in quotes, ["/etc/pbm/variants.ini"]'),
]
Listen = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|unix:.+|(?:{_HOST}|[0-9A-Fa-f:.]*):{_PORT})\Z",
        description='HOST:PORT, unix:PATH, or "" for off',
    ),
]
LoopbackPort = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|(?:localhost|127\.[0-9.]+|::1|\[::1\]):{_PORT})\Z",
        description='a port of this machine alone, 127.0.0.1:PORT, or "" for off',
    ),
]
DatabaseUrl = Annotated[
    str,
    Meta(
        pattern=r"\A(?:sqlite|postgres(?:ql)?)(?:\+\w+)?://",
        description="sqlite:///PATH or postgresql://USER@HOST/NAME",
    ),
]
ImapUrl = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|(?:imaps?|imap\+starttls)://{_USER}{_HOST}(?::{_PORT})?(?:/.*)?)\Z",
        description="imaps://USER:PASSWORD@HOST/INBOX, imap+starttls://… or imap://…, "
        'with %40 for an @ in USER, or "" for off',
    ),
]
WebUrl = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|https?://{_HOST}(?::{_PORT})?(?:/[\w./~-]*)?)\Z",
        description='https://HOST or https://HOST/PATH, or "" for no links',
    ),
]
TracingUrl = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|https?://{_HOST}(?::{_PORT})?/\S*)\Z",
        description='http://HOST:PORT/v1/traces, or "" for off',
    ),
]
Rates = Annotated[
    dict[
        Annotated[str, Meta(pattern=r"\A[^@\s]+\Z")],
        Annotated[int, Meta(ge=1, le=_MOST)],
    ],
    Meta(description='mails a minute by domain, { "gmail.com" = 60 }'),
]
RelayUrl = Annotated[
    str,
    Meta(
        pattern=r"\A(?:(?:maildir|sendmail):.+"
        rf"|(?:smtps?|smtp\+starttls)://{_USER}?{_HOST}?(?::{_PORT})?/?)\Z",
        description="maildir:FOLDER, smtp://HOST:PORT, smtps://HOST:PORT, "
        "smtp+starttls://USER:PASSWORD@HOST:PORT or sendmail:PROGRAM",
    ),
]


# Reads the files of an operator's own variants and maps, and puts their games on the shelf.

MOST_BYTES = 4_000_000
"""No longer file is read."""


class UnreadableFile(ValueError):
    """A file that cannot be read; its text says why."""


def read_own_file(path: Path) -> str:
    """Return the text of a file of variants or of a map. UnreadableFile for what is no file, which
    could be read for ever, for one that is too long, and for what is no text."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnreadableFile("it is no file")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(f"the file cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise UnreadableFile(f"the file is longer than {MOST_BYTES:,} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnreadableFile("the file is not UTF-8 text") from None


def bring_variants(paths: Sequence[str]) -> None:
    """Put the games of these files on the shelf, in place of those of former ones. A file that
    cannot be read is a fault of its own there. Every process does so, and again after a reload."""
    files, unread = dict[str, str](), dict[str, str]()
    for path in paths:
        try:
            files[path] = read_own_file(Path(path))
        except UnreadableFile as fault:
            unread[path] = str(fault)
    games.bring_variants(files, unread)

"""What `pbm doctor` looks at. Each check ends in findings; none ends in an exception."""

from __future__ import annotations

import http.client
import importlib.metadata
import json
import os
import platform
import shlex
import shutil
import smtplib
import socket
import ssl
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sqlalchemy import false, func, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

import pbm
from pbm import games
from pbm.cli import Failed
from pbm.cli.mailing import where
from pbm.cli.open_database import opened, understood
from pbm.cli.terminal.output import span
from pbm.config import Config, ConfigError
from pbm.core.service.due import EVERY, HEARTBEAT
from pbm.core.service.fsck import unplayable
from pbm.daemon.presence import daemons
from pbm.mail.incoming.imap import account_of, opened_box
from pbm.store import migrate, reads
from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound, settings
from pbm.store.transaction import Session

_MOST_BOARDS = 20
_LITTLE = 500 * 1024**2
_OLD = 3600.0
_SHIFT = 300.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, ok, note or BAD, what it says and what to do."""

    what: str
    grade: str
    says: str
    do: str = ""


def examine(config: Config, *, round_trip: bool, wait: float) -> Iterator[Finding]:
    """All checks, in the order in which a failure explains the next."""
    yield from _versions()
    yield from _games()
    yield from _configuration(config)
    yield from _permissions(config)
    yield from _disk(config)
    yield from _database(config)
    yield from _listener(config)
    yield from _mailbox(config)
    yield from _health(config)
    yield from _relay(config)
    if round_trip:
        yield from _round_trip(config, wait)


def examine_without_configuration(error: str) -> Iterator[Finding]:
    """The checks that need no configuration, when there is none that can be used."""
    yield from _versions()
    yield from _games()
    do = "correct it; config/pbm.toml has every key with its default"
    yield Finding("configuration", "BAD", error, do)


def _versions() -> Iterator[Finding]:
    names = ("SQLAlchemy", "aiosmtpd", "aiosmtplib", "click")
    found = [f"{name} {importlib.metadata.version(name)}" for name in names]
    yield Finding(
        "versions",
        "ok",
        f"pbm {pbm.__version__}, Python {platform.python_version()}, " + ", ".join(found),
    )


def _games() -> Iterator[Finding]:
    """Whether every game that is installed can be played."""
    there = games.all_games()
    for fault in games.faults():
        says = f"{fault.name} of {fault.package} is left out: {fault.cause}"
        do = f"mend, upgrade or remove {fault.package}, then restart the server"
        yield Finding("games", "BAD", says, do)
    if not games.faults():
        yield Finding("games", "ok", f"{len(there)} can be played")


def _boards(session: Session) -> Iterator[Finding]:
    """Whether the boards that are being played can be, by the games that are there."""
    for number, why in unplayable(session)[:_MOST_BOARDS]:
        do = "install a version of its game that fits, or pbm admin adjudicate or cancel it"
        yield Finding("boards", "BAD", f"{number} waits: {why}", do)


def _configuration(config: Config) -> Iterator[Finding]:
    if config.trial:
        yield Finding(
            "configuration",
            "note",
            "none: a trial server, addresses unproven",
            "pbm --config FILE, or PBM_CONFIG",
        )
        return
    yield Finding("configuration", "ok", f"{config.source}: the server is {config.server.address}")
    if config.server.host in ("localhost", "localhost.localdomain"):
        yield Finding(
            "configuration",
            "note",
            "the address ends in localhost",
            "set [server] address to what players write to",
        )
    if not config.smtp.listen and not config.lmtp.listen and not config.imap.url:
        yield Finding(
            "configuration",
            "note",
            "no listener: mail comes by pbm receive only",
            "right behind another mail server; else set [smtp] listen",
        )


def _permissions(config: Config) -> Iterator[Finding]:
    """Whether others on this machine can read what is secret: passwords and mails."""
    open_to_all = [path for path in _secret_paths(config) if _others_can_read(path)]
    for path in open_to_all:
        yield Finding(
            "permissions",
            "BAD",
            f"everybody on this machine can read {path}",
            f"chmod -R o-rwx {shlex.quote(str(path))}",
        )
    if not open_to_all:
        yield Finding("permissions", "ok", "no other user can read configuration and state")


def _secret_paths(config: Config) -> Iterator[Path]:
    """The files and folders that hold passwords, mails or keys."""
    urls = (config.database.url, config.relay.url, config.imap.url)
    if config.source and any(_has_password(url) for url in urls):
        yield Path(config.source)
    if config.database.url.startswith("sqlite:///"):
        database = config.database.url.removeprefix("sqlite:///").partition("?")[0]
        yield from (Path(database + end) for end in ("", "-wal", "-shm"))
    scheme, _, folder = config.relay.url.partition(":")
    if scheme == "maildir":
        yield Path(folder)


def _has_password(url: str) -> bool:
    """Whether the URL holds one, as far as can be told."""
    try:
        return bool(urlsplit(url).password)
    except ValueError:
        return "@" in url


def _others_can_read(path: Path) -> bool:
    """Whether users who are neither owner nor in the group can, by its mode and its folders'."""
    try:
        is_readable = path.stat().st_mode & stat.S_IROTH
        return bool(is_readable) and all(
            above.stat().st_mode & stat.S_IXOTH for above in path.resolve().parents
        )
    except OSError:
        return False


def _disk(config: Config) -> Iterator[Finding]:
    """Room where the database file lies."""
    try:
        url = make_url(config.database.url)
    except ArgumentError:
        return
    if url.get_backend_name() != "sqlite":
        return
    path = _there(Path(url.database or ".").absolute().parent)
    free = shutil.disk_usage(path).free
    if free < _LITTLE:
        yield Finding(
            "disk", "BAD", f"{free // 1024**2} MiB free at {path}", "make room, or pbm admin vacuum"
        )
    else:
        yield Finding("disk", "ok", f"{free // 1024**3} GiB free at {path}")


def _there(path: Path) -> Path:
    """The path, or the nearest folder above that exists."""
    return next(each for each in (path, *path.parents) if each.exists())


def _database(config: Config) -> Iterator[Finding]:
    try:
        with opened(config) as store, store.reading() as session:
            yield Finding(
                "database",
                "ok",
                f"{store.url.render_as_string(hide_password=True)}, schema {migrate.head()}",
            )
            yield from _running(store, session)
            yield from _settings(store, session)
            yield from _clock(store, session)
            yield from _queues(session)
            yield from _boards(session)
            yield from _writing(config, store)
    except Failed as failed:
        yield Finding("database", "BAD", failed.message, "pbm admin db status says more")


def _running(store: Store, session: Session) -> Iterator[Finding]:
    """Whether a server works on this database: one of this machine holds a lock beside an SQLite
    file; with PostgreSQL the heartbeat of any of them tells."""
    if store.is_sqlite:
        found = daemons(store)
        says = f"process {', '.join(map(str, found))}" if found else "none on this database"
        is_running = bool(found)
    else:
        beat = float(reads.setting(session, HEARTBEAT) or 0)
        is_running = time.time() - beat < 3 * EVERY
        says = f"the last sign of life was {span(time.time() - beat)} ago" if beat else "never"
    do = "" if is_running else "start it: pbm serve"
    yield Finding("server", "ok" if is_running else "BAD", says, do)


def _writing(config: Config, store: Store) -> Iterator[Finding]:
    """Whether the database can be written: a statement that changes nothing."""
    try:
        with understood(config), store.writing() as session:
            session.execute(update(settings).where(false()).values(value=""))
    except Failed as failed:
        do = "its disk, its rights and those of its folder; on PostgreSQL: is it a standby?"
        yield Finding("writing", "BAD", failed.message, do)


def _settings(store: Store, session: Session) -> Iterator[Finding]:
    if store.is_sqlite:
        mode = session.execute(text("PRAGMA journal_mode")).scalar()
        synchronous = session.execute(text("PRAGMA synchronous")).scalar()
        right = mode == "wal" and synchronous in (2, 3)
        says = f"journal_mode={mode}, synchronous={synchronous}"
        do = "" if right else "the file system does not allow WAL: put the file on a local disk"
    else:
        says = ", ".join(
            f"{name}={session.execute(text(f'SHOW {name}')).scalar()}"
            for name in ("server_version", "synchronous_commit", "fsync")
        )
        right = "fsync=on" in says and "synchronous_commit=on" in says
        do = "" if right else "set fsync and synchronous_commit to on"
    yield Finding("settings", "ok" if right else "BAD", says, do)


def _clock(store: Store, session: Session) -> Iterator[Finding]:
    now = time.time()
    last = session.execute(select(func.max(inbound.c.received))).scalar()
    if last is not None and last > now + _SHIFT:
        yield Finding(
            "clock",
            "BAD",
            f"the last mail came {span(last - now)} in the future",
            "set this machine's clock",
        )
        return
    shift = 0.0
    if not store.is_sqlite:
        there = session.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one()
        shift = abs(float(there) - now)
    if shift > _SHIFT:
        yield Finding("clock", "BAD", f"{span(shift)} off the database's", "set the clocks")
    else:
        yield Finding("clock", "ok", formatdate(now))


def _queues(session: Session) -> Iterator[Finding]:
    now = time.time()
    for what, table, column, hint in (
        ("mails in", inbound, inbound.c.received, "is pbm serve running? pbm admin mails --in"),
        ("mails out", outbound, outbound.c.created, "pbm admin mails --out --state waiting"),
    ):
        count, first = session.execute(
            select(func.count(), func.min(column)).where(table.c.state == "waiting")
        ).one()
        age = now - first if first is not None else 0.0
        old = f", the oldest for {span(age)}" if count else ""
        late = age > _OLD
        yield Finding(what, "BAD" if late else "ok", f"{count} waiting{old}", hint if late else "")
    aside = session.execute(
        select(func.count()).select_from(inbound).where(inbound.c.state == "aside")
    ).scalar_one()
    if aside:
        faults = session.execute(
            select(func.count()).where(inbound.c.state == "aside", inbound.c.faults > 0)
        ).scalar_one()
        says = f"{aside} could not be executed"
        says += f", {faults} of them for a fault of the server's own" if faults else ""
        yield Finding(
            "mails aside",
            "BAD" if faults else "note",
            says,
            "pbm admin mails --state aside; a restart tries the faults again"
            if faults
            else "pbm admin mails --state aside",
        )


def _listener(config: Config) -> Iterator[Finding]:
    try:
        host, port = where(config)
    except Failed:
        return
    local, domain = config.server.local, config.server.host
    try:
        with smtplib.SMTP(host, port, timeout=10) as client:
            client.ehlo()
            for what, address in (
                ("own address", config.server.address),
                ("subaddress", f"{local}+u0-aaaaaaaaaaaaaaaa@{domain}"),
            ):
                client.mail("")
                code, said = client.rcpt(address)
                client.rset()
                fits = code == 250
                yield Finding(
                    what,
                    "ok" if fits else "BAD",
                    f"the listener at {host}:{port} says {code} {said.decode()[:60]}",
                    "" if fits else "is another server listening there?",
                )
    except (OSError, smtplib.SMTPException) as error:
        yield Finding("listener", "BAD", f"{host}:{port}: {_short(error)}", "start it: pbm serve")


def _mailbox(config: Config) -> Iterator[Finding]:
    """Log in where mail is fetched from, and count what lies there. The words of a server may hold
    the account: of an error only the kind is shown."""
    if not config.imap.url:
        return
    try:
        account = account_of(config.imap.url)
    except ConfigError as error:
        yield Finding("mailbox", "BAD", str(error), "see [imap] url")
        return
    try:
        with opened_box(account) as box:
            count = len(box.uids("ALL"))
        yield Finding("mailbox", "ok", f"{account.host}: {count} mails in {account.folder}")
    except ConfigError as error:
        yield Finding("mailbox", "BAD", str(error), "see [imap] url")
    except Exception as error:
        says = f"{account.host}: {type(error).__name__}"
        yield Finding("mailbox", "BAD", says, _mend_mailbox(error))


def _mend_mailbox(error: Exception) -> str:
    """What to do when mail cannot be fetched."""
    kind = type(error).__name__
    if isinstance(error, socket.gaierror):
        return "there is no host of that name: see [imap] url"
    if isinstance(error, ssl.SSLError):
        return "its certificate or TLS does not fit: see [imap] url, imaps:// or imap+starttls://"
    if isinstance(error, ConnectionError | TimeoutError):
        return "nothing answers at that host and port: does it run, is there a firewall?"
    if "Login" in kind:
        return "user or password is wrong, or the provider wants a password for programs"
    if "Folder" in kind:
        return "the folder is not there: see the path of [imap] url"
    return "see [imap] url: host, user, password"


def _health(config: Config) -> Iterator[Finding]:
    """What the running server says of itself, where it is configured to say anything."""
    host, _, port = config.http.listen.rpartition(":")
    if not host:
        return
    client = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=10)
    try:
        client.request("GET", "/health")
        said = json.loads(client.getresponse().read())
        yield Finding(
            "health",
            "ok" if said["ok"] else "BAD",
            said["why"] or "the server is well",
            "" if said["ok"] else "see its log, then restart it",
        )
    except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
        said = _short(error) if isinstance(error, OSError) else "no answer of ours"
        yield Finding("health", "BAD", f"{config.http.listen}: {said}", "start it: pbm serve")
    finally:
        client.close()


def _relay(config: Config) -> Iterator[Finding]:
    scheme, _, rest = config.relay.url.partition(":")
    at = scheme if "smtp" not in scheme else "{}:{}".format(*_relay_at(config))
    try:
        if scheme == "maildir":
            said = _writable(Path(rest))
        elif scheme == "sendmail":
            said = _program(rest)
        else:
            said = _accepts(config)
        yield Finding("relay", "ok", said)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        yield Finding(
            "relay",
            "BAD",
            f"{at}: {_short(error)}",
            "see [relay] url: is it right, and does that server run?",
        )


def _writable(folder: Path) -> str:
    there = _there(folder.absolute())
    if not os.access(there, os.W_OK):
        raise PermissionError(13, "not writable", str(there))
    return f"mails go to files under {folder}: players elsewhere get none"


def _program(path: str) -> str:
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(2, "no such program", path)
    return f"mails go to {path}"


def _relay_at(config: Config) -> tuple[str, int]:
    parts = urlsplit(config.relay.url)
    return parts.hostname or "localhost", parts.port or (465 if parts.scheme == "smtps" else 25)


def connected(config: Config) -> smtplib.SMTP:
    """A session with the relay, logged in where its URL says so."""
    parts = urlsplit(config.relay.url)
    implicit = parts.scheme == "smtps"
    host, port = _relay_at(config)
    context = ssl.create_default_context()
    client: smtplib.SMTP = (
        smtplib.SMTP_SSL(host, port, timeout=20, context=context)
        if implicit
        else smtplib.SMTP(host, port, timeout=20)
    )
    if parts.scheme == "smtp+starttls":
        client.starttls(context=context)
    if parts.username:
        client.login(unquote(parts.username), unquote(parts.password or ""))
    return client


def _accepts(config: Config) -> str:
    """Offer a mail to the own address, without sending it."""
    with connected(config) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("")
        code, said = client.rcpt(config.server.address)
        client.rset()
    if code >= 400:
        raise smtplib.SMTPResponseException(code, said)
    return f"{urlsplit(config.relay.url).hostname} takes mail ({code})"


def _round_trip(config: Config, wait: float) -> Iterator[Finding]:
    """A mail to a subaddress of the server, by the relay (or, where that is a folder, by the
    listener); it is done when the server has it in its journal and has left it alone."""
    server = config.server
    to = f"{server.local}+u0-aaaaaaaaaaaaaaaa@{server.host}"
    mail = EmailMessage()
    mail["From"], mail["To"] = server.address, to
    mail["Subject"], mail["Date"] = "pbm doctor", formatdate()
    mail["Message-ID"] = number = make_msgid(domain=server.host)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("A test: this mail is to come back to the server that sent it.\n")
    began = time.time()
    try:
        by_relay = "smtp" in config.relay.url.partition(":")[0]
        client = connected(config) if by_relay else smtplib.SMTP(*where(config), timeout=20)
        with client:
            client.send_message(mail, from_addr=server.address, to_addrs=[to])
        while time.time() < began + wait:
            state = _state_of(config, number, began)
            if state is not None and state != "waiting":
                yield Finding("round trip", "ok", f"came back in {time.time() - began:.1f} s")
                return
            time.sleep(0.2)
        yield Finding(
            "round trip",
            "BAD",
            f"the mail did not come back within {wait:g} s",
            f"route {server.address} and its +subaddresses to this server",
        )
    except (OSError, smtplib.SMTPException, Failed) as error:
        yield Finding("round trip", "BAD", _short(error), "see the lines above")


def _state_of(config: Config, number: str, since: float) -> str | None:
    """The state of the incoming mail with that Message-ID."""
    query = select(inbound.c.state, inbound.c.raw).where(inbound.c.received >= since - 1)
    with opened(config) as store, store.reading() as session:
        for row in session.execute(query):
            if number.encode() in row.raw:
                return str(row.state)
    return None


def _short(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        words = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
        return f"{error.smtp_code} {words}"[:120]
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return str(error)[:120] or type(error).__name__

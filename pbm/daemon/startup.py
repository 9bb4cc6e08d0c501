"""The start of a server before it takes mail: updates the schema, loads the games, settles what the
last run left unfinished, and reads files that an upgrade may replace."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import ssl
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import structlog
from sqlalchemy import insert, text

from pbm import games, logs, ratings
from pbm.config import Config, adopt, load
from pbm.core import due
from pbm.core.due import MARK
from pbm.core.secrets import Secrets
from pbm.daemon.attempts import find_interrupted
from pbm.features.finding import help as help_pages
from pbm.features.moderation import roles
from pbm.locale import LANGUAGES
from pbm.locale.intents import read_vocabulary
from pbm.mail import render
from pbm.store import inbound_queue, migrate, reads
from pbm.store.daily_counters import DAY
from pbm.store.engine import Store
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.migrate import name_installation
from pbm.store.tables import audit
from pbm.store.transaction import Session
from pbm.version import find_version

log = structlog.get_logger()
_PACKAGES = ("pbm.core", "pbm.features", "pbm.mail", "pbm.store", "jinja2")
"""Packages that a process may need only later."""
FOR_MAILS = ("email_validator", "flufl.bounce", "icalendar")
"""The same for a process that executes mails."""
OPTIONAL = ("pbm.mail.imap", "pbm.mail.signer")
"""Modules whose libraries only some servers need."""
_DEADLY = 5
"""The number of deaths of a server without worker processes during a mail before that is set aside.
It may be killed, or lose power, during an innocent mail."""

_SERVER_DIED = MailResult(MailOutcome.CRASHED, "failed: the server died")


def open_store(config: Config) -> Store:
    """Return the database, upgraded to this program's schema. NoDatabase when there is none; a
    trial server makes it."""
    store = Store(config.database.url, flushes_unlocked=True)
    try:
        if config.makes_database and not migrate.exists(store):
            migrate.create(store)
        migrate.require_database(store)
        upgrade_store(store)
        name_installation(store)
        store.pin()
    except BaseException:
        store.close()
        raise
    return store


def upgrade_store(store: Store) -> None:
    """Upgrade the database to this program's schema, after making a copy of it."""
    done = upgrade(store, time.time(), "pbm")
    if done is None:
        return
    log.info("database upgraded", before=done.before, after=done.after, copy=str(done.copy or ""))
    if done.why:
        log.warning("no copy was made before", cause=done.why)


def load_games(store: Store) -> None:
    """Load the games; log those that cannot be loaded, and missing ones with boards."""
    with store.reading() as session:
        games.expect(reads.find_games_with_boards(session))
    log_faults()
    for name in games.list_missing_names():
        log.error("game missing, its boards wait", game=name, do="see pbm doctor")


def adopt_names(store: Store, secrets: Secrets, config: Config, now: float) -> None:
    """Give roles to new userids in the configuration; log a warning for each that nobody has."""
    with store.writing() as session:
        for problem in roles.adopt(session, secrets, config, now):
            log.warning(problem, do="see pbm doctor")


def log_faults() -> None:
    """Log the games that are left out, and why."""
    for fault in games.list_faults():
        log.error("game not loaded", game=fault.name, package=fault.package, cause=fault.cause)


def hold_restored(store: Store, now: float) -> None:
    """Set aside waiting mails in a database restored from a backup. A backup still being written
    looks like one, but is locked."""
    with store.lock_exclusively("backup") as is_alone:
        if not is_alone:
            return
        with store.writing() as session:
            held = due.hold_queues(session, now)
            if held is not None:
                due.renew_dice(session, os.urandom)
    if held is not None:
        made, aside, dropped = held
        log.warning(
            "restored from a backup: nothing old is executed or sent",
            made=made,
            set_aside=aside,
            dropped=dropped,
        )


def count_interrupted(store: Store, now: float, *, has_workers: bool) -> None:
    """Count an attempt at each mail that was being executed when a server died. With worker
    processes that sets no mail aside: a mail can only end its worker, so the server died of
    something else."""
    for mails in find_interrupted(store):
        if not mails:
            continue
        log.warning("server died during a mail", mails=",".join(map(str, mails)))
        with store.writing() as session:
            most = 0 if has_workers else _DEADLY
            aside = inbound_queue.blame(session, mails, _SERVER_DIED, now, most=most)
        for mail in aside:
            log.error("mail set aside", mail=mail, why=_SERVER_DIED.code.value)


def retry_failed(store: Store) -> None:
    """Retry mails that were set aside for an error of the server: an upgrade may have fixed it."""
    with store.writing() as session:
        count = inbound_queue.retry_faults(session)
    if count:
        log.info("mails set aside are tried again", mails=count)


def reload(config: Config) -> list[str]:
    """Reload from the file what may change at once. Return the sections that need a restart.
    ConfigError when the file is invalid."""
    later = adopt(config, load(config.source))
    logs.set_up(config.log.format)
    if config.games.variants:
        log_faults()
    return later


def read_files(packages: Sequence[str]) -> None:
    """Import or read what this process may need later, all games and the modules of these packages:
    an upgrade replaces the files under a running server."""
    for package in (*_PACKAGES, *packages):
        module = import_module(package)
        if package.startswith("pbm."):
            for found in walk_packages(getattr(module, "__path__", ()), f"{package}."):
                if found.name not in OPTIONAL:
                    import_module(found.name)
    games.load_games()
    help_pages.load_pages()
    for language in LANGUAGES:
        read_vocabulary(language)
    render.load_templates()
    ratings.get_model()


# Upgrades of the database with a net: a copy before, a row of the audit table after, and a trial
# that changes nothing.

_BYTES_A_SECOND = 20 << 20
"""The bytes of a database rewritten in a second, on a slow disk."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A finished upgrade.

    before, after  the schemas
    copy           the copy made before
    why            why there is none
    """

    before: str
    after: str
    copy: Path | None
    why: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """The plan of an upgrade.

    before, after  the schemas
    steps          each migration with its title
    size           the bytes of the database
    seconds        the expected duration
    is_tried       the duration was measured on a copy
    copy           the path of the copy to be made before
    why            why there will be none
    """

    before: str
    after: str
    steps: list[tuple[str, str]]
    size: int
    seconds: float
    is_tried: bool
    copy: Path | None
    why: str


def upgrade(store: Store, now: float, actor: str) -> Upgrade | None:
    """Upgrade the database to this program's schema, completely or not at all. None if it already
    has it, or another process has upgraded it meanwhile."""
    made: list[Upgrade] = []

    def make_copy(before: str) -> None:
        copy, why = _copy(store, now)
        made.append(Upgrade(before, migrate.find_head(), copy, why))

    def record(session: Session) -> None:
        done = made[0]
        reason = f"schema {done.before} -> {done.after}, pbm {find_version()}"
        session.execute(insert(audit).values(at=now, actor=actor, action="upgrade", reason=reason))

    migrate.upgrade(store, before=make_copy, after=record)
    if store.path is not None:
        remove_old_copies(store.path, now)
    return made[0] if made else None


def _copy(store: Store, now: float) -> tuple[Path | None, str]:
    """Return the copy made, or why there is none."""
    if store.path is None:
        return None, _POSTGRESQL
    target = name_copy(store.path, migrate.find_head())
    if why := find_shortage(store.path):
        return None, why
    try:
        copy_file(store.path, target, now)
    except (OSError, sqlite3.Error) as error:
        return None, f"{target} cannot be written: {error}"
    return target, ""


_POSTGRESQL = "of PostgreSQL none is made: pbm admin backup FILE makes one"


def forecast(store: Store, now: float, clock: Callable[[], float]) -> Forecast | None:
    """Return the plan of an upgrade; None when there is nothing to do. An SQLite database is
    upgraded in a copy, which is removed again; for PostgreSQL the duration is that of rewriting all
    of it."""
    before = migrate.read_revision(store)
    migrate.check_upgradable(before)
    after = migrate.find_head()
    if before is None or before == after:
        return None
    size, seconds, is_tried = _measure(store), 0.0, False
    copy, why = None, _POSTGRESQL
    if store.path is not None:
        why = find_shortage(store.path)
        if not why:
            copy, is_tried = name_copy(store.path, after), True
            seconds = _try(store, store.path, now, clock)
    if not is_tried:
        seconds = size / _BYTES_A_SECOND
    return Forecast(before, after, list(_list_steps(before)), size, seconds, is_tried, copy, why)


def _measure(store: Store) -> int:
    if store.path is not None:
        return measure(store.path)
    with store.engine.connect() as connection:
        return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _try(store: Store, path: Path, now: float, clock: Callable[[], float]) -> float:
    """Return the seconds that the upgrade of a copy takes."""
    with tempfile.TemporaryDirectory(prefix=f"{path.name}-trial-", dir=path.parent) as folder:
        copy = Path(folder) / path.name
        copy_file(path, copy, now)
        url = store.url.set(database=str(copy)).render_as_string(hide_password=False)
        with contextlib.closing(Store(url)) as trial:
            begun = clock()
            migrate.upgrade(trial)
            return clock() - begun


def _list_steps(before: str) -> Iterator[tuple[str, str]]:
    """Yield each missing migration with the first sentence of its module."""
    for path in sorted((migrate.find_folder() / "versions").glob("[0-9]*.py")):
        if path.name[:4] > before:
            title = re.match(r'"""(.+?)(?:\.?"""|\.\s|\n\n)', path.read_text("utf-8"), re.DOTALL)
            yield path.name[:4], " ".join(title[1].split()) if title else path.stem


# Until when a certificate is valid, read from its file.

_PEM = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_SEQUENCE, _VERSION, _UTC_TIME = 0x30, 0xA0, 0x17


def read_expiry(path: str | Path) -> float:
    """Return the end of validity of the certificate in the PEM file; of a chain, the earliest.
    OSError when it cannot be read, ValueError when it contains no certificate."""
    found = [
        _find_end(ssl.PEM_cert_to_DER_cert(pem))
        for pem in _PEM.findall(Path(path).read_text("utf-8", "replace"))
    ]
    if not found:
        raise ValueError("it holds no certificate in PEM")
    return min(found)


def _find_end(der: bytes) -> float:
    """Return the end of a certificate's validity (RFC 5280, 4.1): in the fourth field of the signed
    part, not counting the version, which old ones omit."""
    ((_, certificate),) = _list_fields(der)
    signed = next(_list_fields(certificate))[1]
    fields = [field for field in _list_fields(signed) if field[0] != _VERSION]
    kind, validity = fields[3]
    if kind != _SEQUENCE:
        raise ValueError("it holds no certificate in PEM")
    _, (kind, end) = _list_fields(validity)
    text = end.decode("ascii")
    if kind == _UTC_TIME:  # two digits for the year, of 1950 to 2049
        text = f"{'19' if text >= '50' else '20'}{text}"
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC).timestamp()


def _list_fields(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the fields that stand one after another in DER, each with its tag."""
    while der:
        tag, length, at = der[0], der[1], 2
        if length & 0x80:
            at += length & 0x7F
            length = int.from_bytes(der[2:at])
        if at + length > len(der):
            raise ValueError("a certificate in it is cut off")
        yield tag, der[at : at + length]
        der = der[at + length :]


# The copy that is made beside an SQLite database before its schema is changed.

DAYS = 30
"""The days for which a copy is kept: it contains data that players have since had erased."""
MOST = 3
"""The most copies kept."""
_SPARE = 64 << 20
"""Bytes that must be free besides the copy."""


def copy_file(
    source: Path, target: Path, now: float, progress: Callable[[float], None] | None = None
) -> None:
    """Copy an SQLite database as of one moment, without blocking writers, and mark it as a backup.
    `progress` is called with the completed part, from 0 to 1. OSError or sqlite3.Error on failure;
    then there is no target."""
    partial = target.with_name(f"{target.name}.part")
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        _copy_pages(source, partial, now, progress)
        os.replace(partial, target)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _copy_pages(
    source: Path, target: Path, now: float, progress: Callable[[float], None] | None
) -> None:
    with (
        contextlib.closing(sqlite3.connect(source, isolation_level=None)) as origin,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()  # this is the moment

        def report(_status: int, remaining: int, total: int) -> None:
            if progress is not None:
                progress(1 - remaining / max(total, 1))

        origin.backup(copy, pages=1024, progress=report, sleep=0)
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("the copy is damaged")
        copy.execute("PRAGMA journal_mode=DELETE")
        copy.execute(
            "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (MARK, repr(now))
        )
        copy.commit()


def name_copy(path: Path, schema: str) -> Path:
    """Return the path of the copy made before an upgrade to a schema."""
    return path.with_name(f"{path.name}-before-{schema}")


def measure(path: Path) -> int:
    """Return the bytes of a database, with its write-ahead log."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def find_shortage(path: Path) -> str:
    """Return why there is no room for a copy beside a database; "" if there is."""
    needed = measure(path) + _SPARE
    free = shutil.disk_usage(path.parent).free
    if free >= needed:
        return ""
    return f"a copy needs {needed >> 20} MiB of {path.parent}, {free >> 20} MiB are free"


def remove_old_copies(path: Path, now: float) -> None:
    """Remove the copies of a database that are older than 30 days, and all but the newest three."""
    copies = sorted(
        path.parent.glob(f"{path.name}-before-[0-9][0-9][0-9][0-9]"),
        key=lambda copy: copy.stat().st_mtime,
        reverse=True,
    )
    for number, copy in enumerate(copies):
        if number >= MOST or copy.stat().st_mtime < now - DAYS * DAY:
            with contextlib.suppress(OSError):
                copy.unlink()

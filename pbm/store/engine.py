"""Engines: how the two databases are opened, and the two kinds of session, `reading` and `writing`.

SQLite: WAL, synchronous=FULL, BEGIN IMMEDIATE for writers, so that no writer waits for a lock it
cannot get. PostgreSQL: psycopg 3, synchronous_commit on."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from pbm.store.transaction import Session

_TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(:key)")
_COMPRESSION = """
    SELECT set_config(name, 'lz4', false) FROM pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)"""
"""A mail about a board is just long enough for PostgreSQL to compress it: where it can do that in
the cheap way, it should."""
_ALIVE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "connect_timeout": 10,
}
"""What notices within half a minute that a host has gone without a word, here and, for the locks
that we hold, there."""


class DriverMissing(RuntimeError):
    """The URL of the database needs a module that is not installed; the text is its name."""


class Store:
    """An opened database: `with store.writing() as session` commits at the end."""

    def __init__(self, url: str) -> None:
        self.url = _driver(make_url(_one_host(url)))
        try:
            self.engine = _sqlite(self.url) if self.is_sqlite else _postgresql(self.url)
        except ModuleNotFoundError as error:
            raise DriverMissing(error.name) from error
        self._kept: deque[Session] = deque()
        driver = self.engine.dialect.loaded_dbapi
        self._driver_error: type[Exception] = driver.Error
        self._lost: tuple[type[Exception], ...] = (driver.OperationalError, OperationalError)

    @property
    def is_sqlite(self) -> bool:
        """Whether it is one file on this machine."""
        return self.url.get_backend_name() == "sqlite"

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose transaction may write; committed at the end, rolled back on an error."""
        with self._turn(), self._session("BEGIN IMMEDIATE") as session:
            yield session
            session.flush()
            session.driver.commit()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one snapshot and writes nothing."""
        with self._session("BEGIN") as session:
            yield session
            session.discard_deferred()
            session.driver.rollback()

    @contextlib.contextmanager
    def _session(self, begin: str) -> Iterator[Session]:
        """A session with its connection, kept from the last time: transactions are begun and ended
        at the driver, which costs a tenth of having SQLAlchemy do it. After an error the session is
        closed, and its connection rolled back and checked by the pool."""
        try:
            session = self._kept.pop()
        except IndexError:
            session = Session(self.engine)
        try:
            if self.is_sqlite:
                session.driver.execute(begin)
            yield session
        except BaseException as error:
            session.close()
            if isinstance(error, self._lost):
                self._forget()
            if isinstance(error, self._driver_error):
                raise self._translated(error) from error
            raise
        session.info.clear()
        session.prefetched = None
        self._kept.append(session)

    def _translated(self, error: Exception) -> BaseException:
        """What SQLAlchemy would have made of an error of the driver, without the statement."""
        return DBAPIError.instance(
            None, None, error, self._driver_error, dialect=self.engine.dialect
        )

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Writers of one SQLite file wait in line for a lock of the kernel: SQLite itself would
        have them try again and again with pauses in between."""
        path = self.url.database
        if not self.is_sqlite or not path or path == ":memory:":
            yield
            return
        file = _lock_file(f"{path}-writer")
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)

    @contextlib.contextmanager
    def exclusive(self, name: str) -> Iterator[bool]:
        """Whether nobody else does what is named while the block runs, here or on another machine.
        The lock goes with the process that holds it, or with its connection."""
        path = self.url.database
        if not self.is_sqlite:
            with self.engine.connect() as connection:
                yield bool(connection.execute(_TRY_LOCK, {"key": crc32(name.encode())}).scalar())
            return
        if not path or path == ":memory:":
            yield True
            return
        file = _lock_file(f"{path}-{name}")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
        finally:
            os.close(file)

    def is_transient(self, error: BaseException) -> bool:
        """Whether what failed is likely to work at once when it is tried again: the connection was
        lost (08, 57P01 to 57P03, or nobody could say why), transactions collided (40)."""
        if self.is_sqlite or not isinstance(error, OperationalError):
            return False
        state = getattr(error.orig, "sqlstate", None) or "08"
        return str(state)[:2] in ("08", "40") or str(state)[:4] == "57P0"

    def checkpoint(self) -> None:
        """Empty the log of an SQLite file, which still holds earlier pages: mails that have been
        masked since. It waits for nobody: while somebody reads, nothing is done."""
        if not self.is_sqlite:
            return
        with contextlib.suppress(DBAPIError), self.engine.connect() as connection:
            patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
            connection.exec_driver_sql("PRAGMA busy_timeout=0")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql(f"PRAGMA busy_timeout={patience}")

    def durability_warning(self) -> str:
        """What keeps the database from being durable, or ""; the daemon says so when it starts."""
        if self.is_sqlite:
            return ""
        with self.engine.connect() as connection:
            is_safe = connection.exec_driver_sql("SHOW fsync").scalar() == "on"
        return (
            "" if is_safe else "PostgreSQL runs with fsync off: mails can be lost with its machine"
        )

    def close(self) -> None:
        """Close all connections."""
        self._forget()
        self.engine.dispose()

    def _forget(self) -> None:
        """Give the kept connections back: the pool looks whether they live before they are used
        again."""
        with contextlib.suppress(IndexError):
            while True:
                self._kept.pop().close()


def _lock_file(path: str) -> int:
    """A file to lock, opened. OperationalError: where none can be made, the database is of no use
    either."""
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise OperationalError(None, None, error) from error


def _one_host(url: str) -> str:
    """`//user@a:1,b:2/name`, as libpq takes several hosts, in the form that SQLAlchemy reads."""
    found = re.fullmatch(r"(postgres(?:ql)?(?:\+psycopg)?://(?:[^@/]*@)?)([^/?]*,[^/?]*)(.*)", url)
    if found is None:
        return url
    start, hosts, rest = found.groups()
    query = "&".join(f"host={host}" for host in hosts.split(","))
    return f"{start}{rest}{'&' if '?' in rest else '?'}{query}"


def _driver(url: URL) -> URL:
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    return url


def _sqlite(url: URL) -> Engine:
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    arguments: dict[str, Any] = {"check_same_thread": False}
    if "timeout" not in url.query:
        arguments["timeout"] = 30
    engine = create_engine(url, connect_args=arguments)

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        _wal(connection)
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    return engine


def _wal(connection: Any) -> None:
    """Switch a database to WAL. SQLite's own timeout does not hold for this statement: it fails at
    once when another process is opening the same new file."""
    deadline = time.monotonic() + 30
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _postgresql(url: URL) -> Engine:
    engine = create_engine(
        url,
        pool_pre_ping=True,
        connect_args={key: value for key, value in _ALIVE.items() if key not in url.query}
        | {
            "options": "-c timezone=UTC -c synchronous_commit=on -c tcp_keepalives_idle=10"
            " -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
        },
    )

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.execute(_COMPRESSION)
        connection.commit()

    return engine

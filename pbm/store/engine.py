"""The store opens a database, SQLite or PostgreSQL, and hands out sessions: `reading`
or `writing`.

SQLite: WAL, synchronous=FULL, BEGIN IMMEDIATE for writers, so that no reader has to become one. The
daemon flushes the log itself, with synchronous=NORMAL, once it has let go of the writers' lock, and
only where somebody is told of what was committed.
PostgreSQL: psycopg 3, synchronous_commit on."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote
from zlib import crc32

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from pbm.logs import LoggedOnce
from pbm.store.transaction import Session, share_statements, wrap_error

# Notices that the files of an SQLite database are no longer those that were opened: deleted,
# moved away, or replaced by others.

LOG, INDEX = "-wal", "-shm"
_LATELY = 0.05
"""Seconds for which a look at the files is good enough, where nothing is promised."""


class FileIdentity(NamedTuple):
    """A file as the system knows it, whatever its name."""

    device: int
    inode: int


class DatabaseReplaced(OperationalError, LoggedOnce):
    """The database is not the one that was opened: it was deleted, moved or replaced. Nothing is
    read from it or written to it, and what was just committed may be gone. `what` says which file
    it is, and whether it is missing."""

    def __init__(self, what: str) -> None:
        super().__init__(None, None, RuntimeError(what))
        self.what = what


class DatabaseFiles:
    """The files of one database, noted when it is opened. The write-ahead log and its index count
    as long as a connection is open: they go with the last one."""

    def __init__(self, path: str, opened: FileIdentity | None = None) -> None:
        self._path = path
        self._known: dict[str, FileIdentity] = {} if opened is None else {path: opened}
        self._open = 0
        self._looked = -_LATELY

    @property
    def place(self) -> FileIdentity | None:
        """Where the database is; None before it was opened."""
        return self._known.get(self._path)

    def list_known(self) -> dict[str, FileIdentity]:
        """Return the files that were opened, by path."""
        return dict(self._known)

    def require(self) -> None:
        """Raise DatabaseReplaced unless all files are those that were opened."""
        now, self._looked = time.monotonic(), -_LATELY
        require_places(self._known)
        self._looked = now

    def require_lately(self) -> None:
        """Require the same as of a moment ago at the earliest: to look costs as much as a short
        query."""
        if time.monotonic() - self._looked > _LATELY:
            self.require()

    def require_flushed(self, log: int | None) -> None:
        """Require the same of the database, and the log of this descriptor; None when there is no
        log."""
        known = self._known.get(self._path + LOG)
        if known is not None and (log is None or _place(os.fstat(log)) != known):
            self.require()
        if self._path in self._known and _find(self._path) != self._known[self._path]:
            self.require()
        self.require_lately()

    def note_opened(self) -> None:
        """Note the files that a newly opened connection uses. DatabaseReplaced when they are not
        those of the others."""
        self._open += 1
        for path in (self._path, self._path + LOG, self._path + INDEX):
            found = _find(path)
            if found is not None:
                self._known.setdefault(path, found)
        self.require()

    def note_closing(self) -> None:
        """Note that a connection is about to be closed, and perhaps the log with it."""
        self._open -= 1
        if self._open <= 0:
            self._known.pop(self._path + LOG, None)
            self._known.pop(self._path + INDEX, None)


def require_places(known: Mapping[str, FileIdentity]) -> None:
    """Raise DatabaseReplaced unless each of these files is at its place."""
    for path, place in list(known.items()):
        found = _find(path)
        if found != place:
            is_what = "is missing" if found is None else "is another file"
            raise DatabaseReplaced(f"{path} {is_what}")


def _find(path: str) -> FileIdentity | None:
    try:
        return _place(os.stat(path))
    except OSError:
        return None


def _place(found: os.stat_result) -> FileIdentity:
    return FileIdentity(found.st_dev, found.st_ino)


_TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(:key)")
_COMPRESSION = """
    SELECT set_config(name, 'lz4', false) FROM pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)"""
"""A mail about a board is just long enough to be compressed; lz4 is the cheap way."""
_KEEPALIVE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "connect_timeout": 10,
}
"""Either side notices within half a minute that the other host is gone, and drops its locks."""

_READ_ONLY = "25006"
"""The SQLSTATE of a write to a standby, or to a primary that has become one."""
_IDENTITY = """
    SELECT concat_ws(' ', oid, (SELECT value FROM settings WHERE name = 'installation'))
    FROM pg_database WHERE datname = current_database()"""
_ALWAYS_THERE = "postgres"
"""The database that every PostgreSQL has."""
_IS_THERE = "SELECT 1 FROM pg_database WHERE datname = %s"
Identity: TypeAlias = FileIdentity | str
"""Which database it is: the place of an SQLite file, or what PostgreSQL and the installation call
theirs."""


class NotFlushed(OperationalError):
    """A transaction was committed, but may not outlast a power failure. It must not be repeated."""


class DriverMissing(RuntimeError):
    """The driver of the database is not installed; the text is the name of its module."""


class Store:
    """An open database. `with store.writing() as session` commits at the end of the block. It makes
    no database: see `migrate.create`. From the first connection to SQLite on, from `pin` on with
    PostgreSQL, it is that database and no other: else DatabaseReplaced.

    is_sqlite         whether the database is a file on this machine; else it is PostgreSQL
    path              that file; None for PostgreSQL, and for a database in memory
    identity          which database it has to be, as another store knows it
    flushes_unlocked  whether other processes may write to SQLite while a commit waits for the disk.
                      They see it already: whoever tells the world of it calls `flush` before.
    """

    def __init__(
        self, url: str, *, identity: Identity | None = None, flushes_unlocked: bool = False
    ) -> None:
        self.url = _add_driver(make_url(_join_hosts(url)))
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        name = self.url.database
        is_file = self.is_sqlite and name != ":memory:"
        self.path = Path(name) if is_file and name else None
        self._files: DatabaseFiles | None = None
        self._pinned = ""
        self._flushes_unlocked = flushes_unlocked and self.is_sqlite
        try:
            if self.is_sqlite:
                synchronous = "NORMAL" if flushes_unlocked else "FULL"
                if self.path is not None:
                    place = identity if isinstance(identity, FileIdentity) else None
                    self._files = DatabaseFiles(str(self.path), place)
                self.engine = _open_sqlite(self.url, synchronous, self._files)
            else:
                self._pinned = identity if isinstance(identity, str) else ""
                self.engine = _open_postgresql(self.url, self._require_pinned, self._require_there)
        except ModuleNotFoundError as error:
            raise DriverMissing(error.name) from error
        self._idle: deque[Session] = deque()
        self._statements = share_statements(self.engine.dialect)
        driver = self.engine.dialect.loaded_dbapi
        self._driver_error: type[Exception] = driver.Error
        self._lost: tuple[type[Exception], ...] = (driver.OperationalError, OperationalError)

    @property
    def identity(self) -> Identity | None:
        """Which database it is, for another store of this server; None before that is known."""
        return self._pinned or None if self._files is None else self._files.place

    def pin(self) -> None:
        """Keep to this database and no other from now on, whatever is found at its URL later."""
        with self.engine.connect() as connection:
            if not self.is_sqlite:
                self._pinned = str(connection.exec_driver_sql(_IDENTITY).scalar_one())

    def list_files(self) -> dict[str, FileIdentity]:
        """Return the files of an SQLite database that were opened, by path."""
        return {} if self._files is None else self._files.list_known()

    def require_same(self) -> None:
        """Raise DatabaseReplaced when the files of the database are not those that were opened."""
        if self._files is not None:
            self._files.require()

    def _require_lately(self) -> None:
        if self._files is not None:
            self._files.require_lately()

    def _require_pinned(self, connection: Any) -> None:
        """Raise DatabaseReplaced when a new connection to PostgreSQL leads to another database."""
        if not self._pinned:
            return
        try:
            ((found,),) = connection.execute(_IDENTITY).fetchall()
        except self.engine.dialect.loaded_dbapi.ProgrammingError:
            found = ""  # it has no tables
        if found != self._pinned:
            connection.close()
            raise DatabaseReplaced(f"{self.url.database} is another database")

    def _require_there(self, options: Mapping[str, Any]) -> None:
        """Raise DatabaseReplaced when PostgreSQL can be reached, but has the database no longer."""
        if not self._pinned:
            return
        driver = self.engine.dialect.loaded_dbapi
        with contextlib.suppress(driver.Error):
            with driver.connect(**{**options, "dbname": _ALWAYS_THERE}) as connection:
                name = self.url.database
                is_there = connection.execute(_IS_THERE, (name,)).fetchone() is not None
            if not is_there:
                raise DatabaseReplaced(f"{name} is missing")

    @contextlib.contextmanager
    def writing(self, *, flushes: bool = True) -> Iterator[Session]:
        """Open a session that may write: committed at the end, rolled back on an error. Raise
        NotFlushed. Without `flushes`, a store that flushes unlocked leaves that to later."""
        with self._lock("writer"), self._open_session("BEGIN IMMEDIATE") as session:
            yield session
            session.flush()
            session.driver.commit()
        if not self._flushes_unlocked:
            self.require_same()
        elif flushes:
            self.flush()

    @contextlib.contextmanager
    def claiming(self) -> Iterator[Session]:
        """Open a session in which waiting mails are claimed, read and verified: until it ends no
        other worker has them. On PostgreSQL it may write, and is committed at the end. On SQLite it
        only reads, since nobody could write while passwords are verified, and a lock keeps the
        other workers out."""
        if not self.is_sqlite:
            with self.writing(flushes=False) as session:
                yield session
            return
        with self._lock("claiming"), self.reading() as session:
            yield session

    def flush_commits(self) -> None:
        """Flush, unless each commit of this store does so by itself. Raise NotFlushed."""
        if self._flushes_unlocked:
            self.flush()

    def flush(self) -> None:
        """Wait until everything that anybody has committed is on the disk. Raise NotFlushed."""
        if self.path is None:
            return
        try:
            log = os.open(f"{self.path}{LOG}", os.O_RDONLY)
            try:
                self._require_flushed(log)
                getattr(os, "fdatasync", os.fsync)(log)  # macOS has fsync alone
            finally:
                os.close(log)
        except FileNotFoundError:
            self._require_flushed(None)
            return  # it is all in the database, which was flushed before the log went
        except OSError as error:
            raise NotFlushed(None, None, error) from error

    def _require_flushed(self, log: int | None) -> None:
        if self._files is not None:
            self._files.require_flushed(log)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session that sees one snapshot; whatever it writes is rolled back."""
        with self._open_session("BEGIN") as session:
            yield session
            session.discard_deferred()
            self._roll_back(session)

    @contextlib.contextmanager
    def _open_session(self, begin: str) -> Iterator[Session]:
        """Open a session on a connection, reused from the last transaction where possible.

        Transactions begin and end at the driver, at a tenth of what SQLAlchemy's cost. After an
        error the session is closed, and the pool rolls its connection back."""
        self._require_lately()
        try:
            session = self._idle.pop()
        except IndexError:
            session = Session(self.engine, self._statements)
        try:
            if self.is_sqlite:
                session.driver.execute(begin)
            yield session
        except BaseException as error:
            is_demoted = _get_state(error) == _READ_ONLY
            if is_demoted or (isinstance(error, self._lost) and not self.is_sqlite):
                session.invalidate()
            session.close()
            if is_demoted:
                self.close()
            elif isinstance(error, self._lost):
                self._close_idle()
            if isinstance(error, self._driver_error):
                raise wrap_error(self.engine, error) from error
            raise
        session.info.clear()
        session.prefetched = None
        self._idle.append(session)

    def _roll_back(self, session: Session) -> None:
        """End a transaction that wrote nothing. When psycopg rolls back it forgets all prepared
        statements, in case one of their tables was new; here none was, and they stay."""
        if not self.is_sqlite and session.driver.pgconn.transaction_status:  # else it never began
            session.driver.pgconn.exec_(b"ROLLBACK")
        session.driver.rollback()

    @contextlib.contextmanager
    def _lock(self, name: str) -> Iterator[None]:
        """Wait for a lock beside an SQLite file and hold it. Writers queue for one: waiting for
        SQLite's own lock means polling it with pauses."""
        if self.path is None:
            yield
            return
        self._require_lately()
        file = self._open_lock(name)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)

    @contextlib.contextmanager
    def lock_exclusively(self, name: str) -> Iterator[bool]:
        """Try to lock a name against all processes and hosts for the block, which learns whether
        that worked. The lock ends with the process that holds it, or with its connection."""
        if not self.is_sqlite:
            with self.engine.connect() as connection:
                yield bool(connection.execute(_TRY_LOCK, {"key": crc32(name.encode())}).scalar())
            return
        if self.path is None:
            yield True
            return
        self._require_lately()
        file = self._open_lock(name)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
        finally:
            os.close(file)

    def _open_lock(self, name: str) -> int:
        """Return the descriptor of a file to lock, made where the database is and nowhere else.
        OperationalError when that fails, since the database beside it cannot be written either."""
        path = f"{self.path}-{name}"
        try:
            with contextlib.suppress(FileNotFoundError):
                return os.open(path, os.O_RDWR)
            self.require_same()
            return os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise OperationalError(None, None, error) from error

    def is_transient(self, error: BaseException) -> bool:
        """Whether a retry is likely to work at once: the connection was lost (SQLSTATE 08, 57P01 to
        57P03, or none), it led to a server that is no longer the primary (25006), or transactions
        collided (40)."""
        if self.is_sqlite or not isinstance(error, DBAPIError):
            return False
        if isinstance(error, DatabaseReplaced):
            return False
        state = _get_state(error)
        if not isinstance(error, OperationalError):
            return state == _READ_ONLY
        return not state or state[:2] in ("08", "40") or state[:4] == "57P0"

    def checkpoint(self) -> None:
        """Truncate the write-ahead log of an SQLite file, which still holds mails that have been
        masked since. Does nothing while somebody reads."""
        if not self.is_sqlite:
            return
        with contextlib.suppress(DBAPIError), self.engine.connect() as connection:
            timeout = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
            connection.exec_driver_sql("PRAGMA busy_timeout=0")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql(f"PRAGMA busy_timeout={timeout}")

    def find_durability_warning(self) -> str:
        """Return why committed mails may be lost all the same, or ""; the daemon logs it at its
        start."""
        if self.is_sqlite:
            return ""
        with self.engine.connect() as connection:
            is_safe = connection.exec_driver_sql("SHOW fsync").scalar() == "on"
        return "" if is_safe else "PostgreSQL runs with fsync off: a power failure can lose mails"

    def close(self) -> None:
        """Close all connections."""
        self._close_idle()
        self.engine.dispose()

    def _close_idle(self) -> None:
        """Return the idle connections to the pool, which checks them before they are used again."""
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()


def _get_state(error: BaseException) -> str:
    """Return the SQLSTATE that came with an error; "" when none did."""
    return str(getattr(getattr(error, "orig", error), "sqlstate", None) or "")


def _join_hosts(url: str) -> str:
    """Return a URL with several hosts as libpq has it, `//user@a:1,b:2/name`, in SQLAlchemy's
    form."""
    match = re.fullmatch(r"(postgres(?:ql)?(?:\+psycopg)?://(?:[^@/]*@)?)([^/?]*,[^/?]*)(.*)", url)
    if match is None:
        return url
    start, hosts, rest = match.groups()
    query = "&".join(f"host={host}" for host in hosts.split(","))
    return f"{start}{rest}{'&' if '?' in rest else '?'}{query}"


def _add_driver(url: URL) -> URL:
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    return url


def _open_sqlite(url: URL, synchronous: str, files: DatabaseFiles | None) -> Engine:
    """Return an engine that makes no file, and opens none but those of the database it has
    opened."""
    arguments: dict[str, Any] = {"check_same_thread": False}
    if "timeout" not in url.query:
        arguments["timeout"] = 30
    engine = create_engine(url, connect_args=arguments)

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        _enable_wal(connection)
        for pragma in (f"synchronous={synchronous}", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}").close()
        if files is not None:
            try:
                files.note_opened()
            except DatabaseReplaced:
                files.note_closing()
                connection.close()
                raise

    if files is not None:

        @event.listens_for(engine, "do_connect")
        def name_existing(_dialect: Any, _record: Any, names: list[str], options: Any) -> None:
            files.require()
            names[0] = f"file:{quote(os.path.abspath(names[0]))}?mode=rw"
            options["uri"] = True

        @event.listens_for(engine, "close")
        def close(_connection: Any, _record: Any) -> None:
            files.note_closing()

    return engine


# What another process that opens the file brings about.
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)


def _enable_wal(connection: Any) -> None:
    """Switch a database to WAL. SQLite's busy timeout does not apply to this statement, which fails
    at once while another process opens the same new file. Other errors pass by no waiting."""
    deadline = time.monotonic() + 30
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _open_postgresql(
    url: URL,
    require_pinned: Callable[[Any], None],
    require_there: Callable[[Mapping[str, Any]], None],
) -> Engine:
    engine = create_engine(
        url,
        pool_pre_ping=True,
        connect_args={key: value for key, value in _KEEPALIVE.items() if key not in url.query}
        | {
            "options": "-c timezone=UTC -c synchronous_commit=on -c tcp_keepalives_idle=10"
            " -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
        },
    )

    @event.listens_for(engine, "do_connect")
    def open_connection(dialect: Any, _record: Any, arguments: Any, options: Any) -> Any:
        try:
            return dialect.connect(*arguments, **options)
        except dialect.loaded_dbapi.OperationalError:
            require_there(options)
            raise

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        require_pinned(connection)
        connection.execute(_COMPRESSION)
        connection.commit()

    return engine

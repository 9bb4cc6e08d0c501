"""A worker that cannot be started is tried again and again, and the pool says that it is not
working, so that a supervisor can restart the server."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from pbm.config import Config, Database
from pbm.core.secrets import Keys
from pbm.daemon.attempts import Attempts
from pbm.daemon.worker_pool import WorkerPool
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.transaction import Session
from tests.harness.servers import until


def test_a_pool_whose_workers_do_not_start_is_not_working(tmp_path: Path) -> None:
    """The workers end at once: the driver of their database is not installed."""
    asyncio.run(_fails(tmp_path))


def _report(_session: Session, mail: int, _player: int, _now: float) -> None:
    raise AssertionError(mail)


async def _fails(folder: Path) -> None:
    store = Store(f"sqlite:///{folder}/pbm.db")
    attempts = Attempts(store, 1)
    config, keys = Config(database=Database("sqlite+pysqlcipher://")), Keys((b"key",), b"", b"")
    pool = WorkerPool(
        config,
        store.identity,
        keys,
        attempts,
        ["worker"],
        CommitThread(store),
        time.time,
        lambda: None,
        _report,
    )
    pool.start()
    assert pool.is_working
    await asyncio.to_thread(until, lambda: not pool.is_working, "it works")
    await pool.stop(0.0)
    attempts.close()
    store.close()

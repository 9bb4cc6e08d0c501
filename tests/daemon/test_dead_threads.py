"""A worker whose writer dies of a bug ends, so that the front starts another."""

from __future__ import annotations

import io
import os

import pytest

from pbm import logs
from pbm.daemon.worker_process import end_with_any_thread
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.transaction import Session


def test_a_worker_does_not_outlive_its_writer(
    sqlite_store: Store, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[int] = []
    logs.set_up("lines", stream)
    monkeypatch.setattr(os, "_exit", codes.append)

    def fail(_session: Session) -> None:
        raise SystemExit

    end_with_any_thread()
    writer = CommitThread(sqlite_store, fail)
    writer.start()
    writer.submit(lambda _session: None)
    writer.stop(60)
    assert codes == [1]
    assert "thread died thread=writer error=SystemExit" in stream.getvalue()

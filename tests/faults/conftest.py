"""A daemon that a test starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tools.faults.daemon_process import Serve, Served


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts daemons and ends them after the test."""
    started: list[Served] = []

    def start(url: str, prefix: Sequence[str] = (), folder: Path = tmp_path) -> Served:
        started.append(Served(folder, url, prefix))
        started[-1].waits()
        return started[-1]

    yield start
    for served in started:
        served.close()

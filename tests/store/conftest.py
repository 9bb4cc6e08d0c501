"""The same store tests run on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.store.engine import Store
from tests.harness.databases import Cluster

DATABASES = ["sqlite", "postgresql"]


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest) -> str:
    """A database with the tables, of this test alone."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """That database, opened."""
    opened = Store(url)
    yield opened
    opened.close()


@pytest.fixture(params=DATABASES)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without any table."""
    if request.param == "sqlite":
        (tmp_path / "empty.db").touch()
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    name = cluster.create()
    yield cluster.url(name)
    cluster.drop(name)

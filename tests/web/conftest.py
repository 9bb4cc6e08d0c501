"""One server with web pages for all tests that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness.club import Club


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server with players and without boards."""
    club = Club(tmp_path_factory.mktemp("club"))
    club.signup("ann", "bob", "carl")
    yield club
    club.close()

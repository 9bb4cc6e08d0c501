"""One server with web pages and one browser for all tests that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.harness.club import Club
from tools.web.clicker import chromium


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server with players and without boards."""
    club = Club(tmp_path_factory.mktemp("club"))
    club.signup("ann", "bob", "carl")
    yield club
    club.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    with chromium() as browser:
        yield browser

"""One server with web pages for all tests that need one, and a browser for each module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.harness.visitor import Club
from tools.web.clicker import chromium


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server with players and without boards."""
    club = Club(tmp_path_factory.mktemp("club"))
    club.signup("ann", "bob", "carl")
    yield club
    club.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window. It ends with its module: while Playwright runs, nothing else can
    run an event loop in this thread, and other tests of pages do."""
    with chromium() as browser:
        yield browser

"""Nobody can tell whether a plan waits: whole runs with and without one are the same, byte by byte,
for everybody but its owner."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbm.config import Config, Database, Trust, Web
from pbm.config import Server as Address
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tests.harness.visitor import HOST, Visitor

_NUMBER = re.compile(rb"(?<=[-.])[0-9]+@")
_LOOKS = ("hex show 1", "hex show 1#1", "hex games", "hex export 1", "list", "all show bob")
_PAGES = (
    "/",
    "/board/1",
    "/board/1?at=0",
    "/board/1.json",
    "/player/bob",
    "/player/bob.atom",
    "/results.atom",
)


@dataclass(frozen=True)
class Begun:
    """A database with a board of hex between ann and bob that dora watches, and its first mails."""

    database: Path
    mails: Sequence[Mail]


def open_server(database: Path, clock: Clock) -> InProcess:
    """A server whose chance is the same in every run."""
    config = Config(
        server=Address(address=SERVER),
        database=Database(f"sqlite:///{database}"),
        web=Web("", HOST),
        trust=Trust(newcomer=0),
    )
    return InProcess(config, clock, random.Random(5).randbytes)


def visit(server: InProcess, clock: Clock, link: str) -> list[bytes]:
    """What the pages for everybody and the seat page behind a link answer, with their headers."""
    visitor = Visitor(Config(server=Address(address=SERVER), web=Web("", HOST)), server, clock)
    try:
        pages = [visitor.get(url) for url in (*_PAGES, link)]
    finally:
        visitor.close()
    assert all(page.status == 200 for page in pages)
    return [f"{page.url}\n{sorted(page.headers.items())}\n{page.text}".encode() for page in pages]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    database = tmp_path_factory.mktemp("begun") / "pbm.db"
    clock = Clock()
    server = open_server(database, clock)
    talk = Conversation(server, clock, confirms=True)
    talk.signup("ann", "bob", "dora")
    mails = talk.challenge("hex", "ann", "bob")
    talk.mails("dora", f"hex watch 1 dora {talk.password('dora')}")
    talk.everything()
    server.close()
    return Begun(database, mails)


def run(begun: Begun, bobs: Sequence[str], folder: Path) -> list[bytes]:
    """Bob writes these lines out of turn, others look and play on; all that they receive."""
    database = folder / "pbm.db"
    database.write_bytes(begun.database.read_bytes())
    clock = Clock()
    server = open_server(database, clock)
    talk = Conversation(server, clock, confirms=True)
    talk.sent = 100
    first, second = begun.mails
    seen: list[Mail] = []
    pages: list[bytes] = []
    link = first.line("On the web: ")
    try:
        for line in bobs:
            talk.replies(second, line)
        talk.everything()
        talk.sent = 200
        clock.advance(seconds=60)
        pages += visit(server, clock, link)
        for who in ("ann", "dora"):
            for look in _LOOKS:
                talk.mails(who, look)
                seen += talk.everything()
        for line in ("chat Are you there?", "submit c3", "c4"):
            talk.replies(first, line)
            seen += talk.everything()  # each alone: how many make a batch depends on the time
        pages += visit(server, clock, link)
        talk.passes(days=9)
        seen += talk.everything()
    finally:
        server.close()
    return [*pages, *(mail.raw for mail in seen if not mail.address.startswith("bob@"))]


@pytest.fixture(scope="module")
def plain(begun: Begun, tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What is received when bob asks for the board instead of planning."""
    mails = run(begun, ["hex show 1"], tmp_path_factory.mktemp("plain"))
    assert len(mails) > 15 + 2 * len(_PAGES)
    return mails


@pytest.mark.parametrize(
    "line",
    ["plan if d4 then e5", "queue c4", "note He will take c3.", "plan none", "if d4 then resign"],
)
def test_what_bob_plans_is_seen_by_nobody_else(
    begun: Begun, plain: list[bytes], line: str, tmp_path: Path
) -> None:
    """Each of his mails gets one answer, as any other would."""
    assert run(begun, [line], tmp_path) == plain


def test_only_the_numbers_of_mails_tell_that_he_was_answered_at_all(
    begun: Begun, plain: list[bytes], tmp_path: Path
) -> None:
    """They count all mails of the server, whoever gets them."""
    silent = run(begun, [], tmp_path)
    assert silent != plain
    assert [_NUMBER.sub(b"N@", raw) for raw in silent] == [_NUMBER.sub(b"N@", raw) for raw in plain]

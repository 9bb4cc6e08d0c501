"""Runs each conversation one way, most of them in process, or with --every-way in process, through
sockets and, those marked `postgresql`, on that database too."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import pytest
from msgspec.structs import replace

from pbm.config import Config, Database, Players, Trust, Web
from pbm.config import Server as Address
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess, Sockets
from tests.harness.visitor import HOST, Visitor

_WAYS = ("in process", "sockets", "postgresql")
_MOSTLY = 9 * ("in process",) + ("sockets",)
"""Sockets take twice as long."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test that asks for a conversation one way, which its name decides, so that all ways
    are taken; or in all ways."""
    if "talk" in metafunc.fixturenames:
        marks = metafunc.definition.get_closest_marker
        lots = _WAYS if marks("postgresql") else _WAYS[1:2] if marks("sockets") else _MOSTLY
        lots = _WAYS[:1] if marks("in_process") else lots
        own = lots[crc32(metafunc.definition.nodeid.encode()) % len(lots)]
        ways = dict.fromkeys(lots)
        talks = [pytest.param(way, marks=() if way == own else pytest.mark.long) for way in ways]
        metafunc.parametrize("talk", talks, indirect=True)


def configure(config: Config, request: pytest.FixtureRequest) -> Config:
    """The configuration with what the marks of the module and, above these, of the test say."""
    for marker in reversed(list(request.node.iter_markers("config"))):
        changed = {
            name: replace(getattr(config, name), **keys) for name, keys in marker.kwargs.items()
        }
        config = replace(config, **changed)
    return config


@pytest.fixture
def talk(request: pytest.FixtureRequest) -> Iterator[Conversation]:
    """A conversation without players; in the end no mail may be unread."""
    way = request.param
    kind = "postgresql" if way == "postgresql" else "sqlite"
    config = Config(
        server=Address(address=SERVER),
        database=Database(request.getfixturevalue(f"{kind}_url")),
        players=Players(pictures=False),
        trust=Trust(newcomer=0),
    )
    config = configure(config, request)
    clock = Clock()
    server = Sockets(config, clock) if way == "sockets" else InProcess(config, clock)
    talk = Conversation(server, clock, confirms=config.players.confirm_addresses)
    try:
        yield talk
        talk.nothing_more()
    finally:
        server.close()


@pytest.fixture
def visitor(request: pytest.FixtureRequest, talk: Conversation) -> Iterator[Visitor]:
    """A browser in front of the same server."""
    config = Config(server=Address(address=SERVER), web=Web("", HOST), trust=Trust(newcomer=0))
    config = configure(config, request)
    visitor = Visitor(config, talk.server, talk.clock)
    yield visitor
    visitor.close()

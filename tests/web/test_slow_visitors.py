"""Whoever is slow to ask, or slow to read, does not hold a connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from functools import partial

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn.config import Config
from uvicorn.server import ServerState

from pbm.web.site import PATIENCE, TimeoutProtocol

_LARGE = 50_000_000
_SHORT = 0.05


async def _answer(request: Request) -> PlainTextResponse:
    return PlainTextResponse(
        "x" * (_LARGE if request.method == "GET" else len(await request.body()))
    )


async def _visit(sent: bytes, patience: float = _SHORT, *, reads: bool = True) -> bytes:
    """What a visitor gets who sends that, up to the end of the connection."""
    ended = asyncio.Event()

    class Protocol(TimeoutProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            ended.set()

    Protocol.patience = patience
    app = Starlette(routes=[Route("/", _answer, methods=["GET", "POST"])])
    config, state = Config(app, log_config=None, lifespan="off"), ServerState()
    config.load()
    server = await asyncio.get_running_loop().create_server(
        lambda: Protocol(config, state, {}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(sent)
    got = b""
    async with asyncio.timeout(2 * PATIENCE):
        if reads:
            with contextlib.suppress(ConnectionResetError):
                got = await reader.read()
        await ended.wait()
    writer.transport.abort()
    server.close()
    assert not state.connections
    return got


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
    ],
)
def test_a_request_that_does_not_arrive(sent: bytes) -> None:
    assert asyncio.run(_visit(sent)) == b""


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nX: " + 80_000 * b"x",
        b"GET / HTTP/1.1\r\n" + 5_000 * b"X: 1234567890\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 900000\r\n\r\n" + 90_000 * b"x",
    ],
)
def test_a_request_that_is_too_long(sent: bytes) -> None:
    assert b"HTTP/1.1 200" not in asyncio.run(_visit(sent, 9 * PATIENCE))


def test_an_answer_that_is_not_read() -> None:
    asyncio.run(_visit(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", reads=False))


_ASK = b"GET /small HTTP/1.1\r\nHost: x\r\n\r\n"
_HALF = (b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx")


async def _crowd(
    most: int, *, per_address: int, crowd: int, sent: Sequence[bytes], address: str, asks_from: str
) -> tuple[bytes, int]:
    """So many connections from an address that send these pieces and then nothing; what somebody
    gets who then asks for a page, and how many connections are open after that."""

    ended = asyncio.Event()

    class Protocol(TimeoutProtocol):
        patience = 9 * PATIENCE

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if not self.connections and server is not None and not server.is_serving():
                ended.set()

    server: asyncio.Server | None = None
    Protocol.per_address = per_address
    app = Starlette(routes=[Route("/", _answer, methods=["POST"]), Route("/small", _say_ok)])
    config = Config(app, log_config=None, lifespan="off", limit_concurrency=most)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: Protocol(config, state, {}), "127.0.0.1", 0
    )
    place = server.sockets[0].getsockname()
    writers = []
    async with asyncio.timeout(2 * PATIENCE):
        for number in range(crowd):
            _, writer = await asyncio.open_connection(*place, local_addr=(address, 0))
            writer.write(sent[number % len(sent)])
            writers.append(writer)
        reader, writer = await asyncio.open_connection(*place, local_addr=(asks_from, 0))
        writer.write(_ASK)
        line = await reader.readline()
        writers.append(writer)
        open_now = len(state.connections)
        for each in writers:
            each.transport.abort()
        server.close()
        await ended.wait()
    return line.strip(), open_now


async def _say_ok(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


@pytest.mark.parametrize("sent", [*((each,) for each in _HALF), _HALF, (_ASK,)])
@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2"])
def test_many_who_ask_nothing_keep_nobody_out(sent: Sequence[bytes], address: str) -> None:
    """Neither from behind the proxy nor from anywhere else."""
    for asks_from in ("127.0.0.1", "127.0.0.3"):
        line, open_now = asyncio.run(
            _crowd(
                most=20, per_address=0, crowd=60, sent=sent, address=address, asks_from=asks_from
            )
        )
        assert (line, open_now) == (b"HTTP/1.1 200 OK", 19)


def test_one_visitor_has_so_many_connections_and_a_proxy_any_number() -> None:
    crowd = partial(_crowd, 100, per_address=5, crowd=30, sent=_HALF)
    line, open_now = asyncio.run(crowd(address="127.0.0.2", asks_from="127.0.0.3"))
    assert (line, open_now) == (b"HTTP/1.1 200 OK", 6)
    line, open_now = asyncio.run(crowd(address="127.0.0.2", asks_from="127.0.0.2"))
    assert (line, open_now) == (b"HTTP/1.1 200 OK", 5)
    line, open_now = asyncio.run(crowd(address="127.0.0.1", asks_from="127.0.0.1"))
    assert (line, open_now) == (b"HTTP/1.1 200 OK", 31)


def test_a_request_that_arrives_is_answered() -> None:
    whole = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfour"
    assert asyncio.run(_visit(whole, PATIENCE)).endswith(b"\r\n\r\nxxxx")

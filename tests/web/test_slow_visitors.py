"""Whoever is slow to ask, or slow to read, does not hold a connection."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn.config import Config
from uvicorn.server import ServerState

from pbm.web.slow_visitors import PATIENCE, ImpatientProtocol

_LARGE = 50_000_000
_SHORT = 0.05


async def _answer(request: Request) -> PlainTextResponse:
    return PlainTextResponse(
        "x" * (_LARGE if request.method == "GET" else len(await request.body()))
    )


async def _visit(sent: bytes, patience: float = _SHORT, *, reads: bool = True) -> bytes:
    """What a visitor gets who sends that, up to the end of the connection."""
    ended = asyncio.Event()

    class Protocol(ImpatientProtocol):
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


def test_a_request_that_arrives_is_answered() -> None:
    whole = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfour"
    assert asyncio.run(_visit(whole, PATIENCE)).endswith(b"\r\n\r\nxxxx")

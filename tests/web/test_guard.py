"""Requests are limited by visitor, however they come."""

from __future__ import annotations

import asyncio

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from pbm.config import Config
from pbm.web.site import Guard


def _ask(guard: Guard, client: str, **headers: str) -> int:
    """The status of the answer to a request from an address, "" for a proxy at a socket file."""
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        answers.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "client": (client, 1) if client else None,
        "headers": [(n.replace("_", "-").encode(), v.encode()) for n, v in headers.items()],
    }
    asyncio.run(guard(scope, receive, send))
    return int(answers[0]["status"])


@pytest.mark.parametrize(
    ("busy", "same", "other"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"),
        ("::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.2"),
    ],
)
@pytest.mark.parametrize("is_behind_proxy", [False, True])
def test_who_asks_too_often(busy: str, same: str, other: str, is_behind_proxy: bool) -> None:
    guard = Guard(PlainTextResponse("page"), lambda: 0.0, Config())

    def ask(address: str) -> int:
        if is_behind_proxy:
            return _ask(guard, "", x_forwarded_for=f"198.51.100.{len(address)}, {address}")
        return _ask(guard, address)

    assert {ask(busy) for _ in range(310)} == {200, 429}
    assert (ask(same), ask(other)) == (429, 200)


def test_a_proxy_that_names_nobody() -> None:
    guard = Guard(PlainTextResponse("page"), lambda: 0.0, Config())
    assert {_ask(guard, "") for _ in range(310)} == {200}

"""Limits requests by address, gives every answer its headers, and answers where a page fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy.exc import DBAPIError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbm.core.kernel.players.strangers import find_network
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.web.rate_limits import Rate, RateLimiter

_PER_ADDRESS = Rate(300, 30)
_LONGEST_QUERY = 2_000
_SECURE = (
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


class Guard:
    """Limits requests by address, and gives every answer its headers."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float]) -> None:
        self._app = app
        self._clock = clock
        self._addresses = RateLimiter(_PER_ADDRESS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += _SECURE
            await send(message)

        visitor = find_visitor(scope)
        if len(scope["query_string"]) > _LONGEST_QUERY:
            response: Response = PlainTextResponse("The address of this page is too long.\n", 414)
        elif visitor and not self._addresses.allows(visitor, self._clock()):
            response = refuse_too_many()
        else:
            await self._app(scope, receive, send_secured)
            return
        await response(scope, receive, send_secured)


def find_visitor(scope: Scope) -> str:
    """Return who counts as one visitor: an IPv4 address, or the IPv6 network of one customer.
    Behind a proxy at a socket file it is the address that the proxy names last; "" when it names
    none."""
    client = scope.get("client")
    if client:
        address = str(client[0])
    else:
        named = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        address = b",".join(named).rpartition(b",")[2].decode("latin-1").strip()
    return find_network(address)


def build_handlers() -> dict[Any, Any]:
    """Return the answers to requests that fail, by the error."""
    return {DBAPIError: _say_unreadable, Refusal: _say_refused, Exception: _apologize}


def refuse_too_many() -> Response:
    """Return the answer to requests beyond a limit."""
    headers = {"Retry-After": "10"}
    return PlainTextResponse("Too many requests: wait a little.\n", 429, headers)


async def _say_unreadable(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse("The database cannot be read. Try again soon.\n", 503)


async def _say_refused(_request: Request, refusal: Refusal) -> Response:
    status = 404 if refusal.code is RefusalCode.NO_SUCH_BOARD else 503
    return PlainTextResponse(f"This board cannot be shown: {refusal.text}.\n", status)


async def _apologize(_request: Request, _error: Exception) -> Response:
    """Return the answer when a page fails, which the log has."""
    return PlainTextResponse("This page cannot be shown: the server has made a mistake.\n", 500)

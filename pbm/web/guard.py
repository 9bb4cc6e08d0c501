"""Limits requests by address, gives every answer its headers, and answers where a page fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy.exc import DBAPIError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbm.core.password_checks import find_network
from pbm.core.refusal import Refusal, RefusalCode
from pbm.locale import ENGLISH, translate
from pbm.rules.phrases import Phrase, phrase
from pbm.web.languages import find_language
from pbm.web.rate_limits import Rate, RateLimiter

_PER_ADDRESS = Rate(300, 30)
_LONGEST_QUERY = 2_000
_SECURE = (
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


class Guard:
    """Limits requests by address, and gives every answer its headers. `language` is that of whoever
    asks for none that there is."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float], language: str = ENGLISH) -> None:
        self._app = app
        self._clock = clock
        self._language = language
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
            language = find_language(scope, self._language)
            text = phrase("The address of this page is too long.")
            response: Response = say_plainly(text, 414, language)
        elif visitor and not self._addresses.allows(visitor, self._clock()):
            response = refuse_too_many(find_language(scope, self._language))
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


def build_handlers(language: str) -> dict[Any, Any]:
    """Return the answers to requests that fail, by the error; `language` is that of whoever asks
    for none that there is."""

    def say(request: Request, text: Phrase, status: int) -> Response:
        return say_plainly(text, status, find_language(request.scope, language))

    async def say_unreadable(request: Request, _error: Exception) -> Response:
        return say(request, phrase("The database cannot be read. Try again soon."), 503)

    async def say_refused(request: Request, refusal: Refusal) -> Response:
        status = 404 if refusal.code is RefusalCode.NO_SUCH_BOARD else 503
        text = phrase("This board cannot be shown: {reason}.", reason=refusal.text)
        return say(request, text, status)

    async def apologize(request: Request, _error: Exception) -> Response:
        """Return the answer when a page fails, which the log has."""
        text = phrase("This page cannot be shown: the server has made a mistake.")
        return say(request, text, 500)

    return {DBAPIError: say_unreadable, Refusal: say_refused, Exception: apologize}


def refuse_too_many(language: str) -> Response:
    """Return the answer to requests beyond a limit."""
    response = say_plainly(phrase("Too many requests: wait a little."), 429, language)
    response.headers["Retry-After"] = "10"
    return response


def say_plainly(text: Phrase, status: int, language: str) -> Response:
    """Return a sentence as the answer, without a page around it."""
    return PlainTextResponse(f"{translate(text, language)}\n", status, describe_language(language))


def describe_language(language: str) -> dict[str, str]:
    """Return the headers of an answer whose language the visitor's browser has decided."""
    return {"Content-Language": language, "Vary": "Accept-Language"}

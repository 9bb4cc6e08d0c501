"""What all pages share: the database, submitting commands, and the templates."""

from __future__ import annotations

import asyncio
import re
import time
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from importlib.resources import files
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape
from sqlalchemy.exc import DBAPIError
from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from pbm.config import Config
from pbm.core.call import Call, MustWrite
from pbm.core.command import Command, Sender
from pbm.core.limits import Limit, find_network
from pbm.core.notices import Content
from pbm.core.options import put_options_in_words, split_label
from pbm.core.player import find_locale
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.secrets import Secrets
from pbm.core.storing import find_title
from pbm.core.submit import CommandService
from pbm.core.view import drop_number
from pbm.locale import ENGLISH, LANGUAGES, choose_form, translate
from pbm.locale.words import name_verb
from pbm.rules.phrases import Phrase, capitalize, phrase, punctuate
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.transaction import Session
from pbm.web.drawing_cache import DrawingCache

VISITOR = Sender(via="web")
STYLE = "style.css"
_ELEMENTS = {
    "code": Markup("<code>%s</code>"),
    "b": Markup("<b>%s</b>"),
    "small": Markup("<small>%s</small>"),
    "strong": Markup("<strong>%s</strong>"),
}
"""The elements in which a value of a sentence can stand, by their names in templates."""
_CONSTANT = re.compile(r'{{ _\("([^"{]+)"\) }}')


@dataclass(frozen=True, slots=True)
class Site:
    """One server's pages. `done` is called after a click has changed something."""

    config: Config
    store: Store
    writer: CommitThread
    secrets: Secrets
    service: CommandService
    clock: Callable[[], float]
    done: Callable[[], object]
    drawings: DrawingCache = field(default_factory=DrawingCache)

    def read(self, session: Session, command: Command) -> Content | None:
        """Return the answer of a command that only reads; None when it is refused."""
        try:
            notices = self.service.show(session, command, self.clock())
        except MustWrite:
            return None
        return next((notice.content for notice in notices if not notice.is_failure), None)

    def call(self, session: Session, command: Command) -> Call:
        """Return a call that only reads, for the views."""
        return Call(
            session, self.clock(), self.secrets, self.config, command=command, reads_only=True
        )


@cache
def load_templates() -> dict[str, str]:
    """Return the templates and the style sheet, by file name. The style sheet contains the font
    with which pictures of boards are measured."""
    folder = files("pbm.web").joinpath("templates")
    pages = {page.name: page.read_text(encoding="utf-8") for page in folder.iterdir()}
    font = b64encode(files("pbm.pictures").joinpath("board.woff2").read_bytes()).decode()
    pages[STYLE] = pages[STYLE].replace("\n", "").replace("%FONT%", font)
    return pages


@cache
def _environment(language: str) -> Environment:
    """Build the environment of Jinja for readers of a language. Phrases are translated wherever a
    template shows them; values that are markup stay so in a sentence."""
    say = partial(translate, language=language)
    pages = {name: _say_constants(page, language) for name, page in load_templates().items()}
    environment = Environment(
        loader=DictLoader(pages),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=None if language == ENGLISH else say,
    )
    environment.globals["_"] = _build_sayer(language)
    environment.globals["ngettext"] = partial(_say_number, language)
    environment.globals["anchor"] = partial(_write_anchor, say)
    for name, element in _ELEMENTS.items():
        environment.globals[name] = partial(_wrap, element, say)
    environment.filters["capitalize_first"] = lambda text: capitalize(say(text))
    environment.filters["sentence"] = lambda text: punctuate(say(text), "")
    environment.filters["standing"] = lambda text, names: drop_number(punctuate(say(text), names))
    environment.filters["unnumbered"] = lambda text: drop_number(say(text))
    environment.filters["label_and_hint"] = lambda text: split_label(capitalize(say(text)))
    environment.filters["say"] = say
    environment.filters["verb"] = partial(name_verb, language=language)
    environment.filters["game_title"] = find_title
    environment.filters["by_title"] = lambda games: sorted(games, key=lambda at: say(at[1]).lower())
    environment.filters["option_words"] = lambda typed, game: put_options_in_words(game, typed, say)
    environment.filters["say_each"] = lambda texts: [say(text) for text in texts]
    environment.filters["plus_minus"] = _write_plus_minus
    environment.filters["day"] = _write_day
    return environment


def _say_constants(page: str, language: str) -> str:
    """Return a template with its sentences without values in a language, once for all pages."""
    return _CONSTANT.sub(lambda found: str(escape(choose_form(language, found[1], {}))), page)


def _build_sayer(language: str) -> Callable[..., Markup]:
    """Return the function that translates a message of a template and fills in its values."""
    forms = dict[str, Markup]()

    def say(message: str, **values: object) -> Markup:
        if (form := forms.get(message)) is None:
            form = forms[message] = escape(choose_form(language, message, values))
        return _fill_in(form, language, values.items()) if values else form

    return say


def _say_number(language: str, one: str, several: str, count: int, **values: object) -> Markup:
    values["count"] = count
    return _fill_in(escape(choose_form(language, one, values, several)), language, values.items())


def _fill_in(form: Markup, language: str, values: Iterable[tuple[str, object]]) -> Markup:
    """Return a form of a sentence with these values, which are escaped unless they are markup."""
    said = {
        name: escape(translate(value, language) if isinstance(value, str) else value)
        for name, value in values
    }
    return Markup(str(form).format_map(said))  # noqa: S704 (all of it is escaped)


def _write_anchor(say: Callable[[str], str], address: str, text: str) -> Markup:
    return Markup('<a href="%s">%s</a>') % (address, say(text))


def _wrap(element: Markup, say: Callable[[str], str], text: object) -> Markup:
    return element % (say(text) if isinstance(text, str) else text)


def _write_plus_minus(rating: str) -> str:
    """Return a rating with a real plus-minus sign, which mails write in ASCII."""
    return rating.replace("+-", "\u00b1")


def _write_day(at: float | None) -> str:
    """Return the day of a time, in the form used in all languages."""
    return "" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def render(name: str, values: Mapping[str, object], language: str = ENGLISH) -> str:
    """Return the page of a template with these values, in that language."""
    return _environment(language).get_template(name).render(values)


# Ends connections on which a request takes too long to arrive, or an answer to be read; where
# there are too many, those that wait for their visitor make room.
#
# It is a protocol of the server's own because uvicorn has no time limit for either, and turns away
# newcomers, not those who keep them out.

PATIENCE = 30.0
"""Seconds for a connection's next request: pages take far less, and connections without a request
are closed sooner."""
_LONGEST_REQUEST = 65_536
"""The most bytes of a request, headers included."""
PROXIES = ("127.0.0.1", "::1")
"""Addresses from which a reverse proxy is trusted to name the visitors."""
_CROWDED = (
    b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Retry-After: 10\r\nConnection: close\r\n\r\nToo many connections: wait a little.\n"
)


class TimeoutProtocol(HttpToolsProtocol):
    """HTTP for one visitor, who cannot hold a connection by being slow, nor fill the memory with a
    request that does not end, nor keep others out by many connections.

    per_address  the most connections of one visitor; 0 = no limit. A reverse proxy on
                 this machine, or at a socket file, is none
    """

    patience = PATIENCE
    per_address = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        address = self.client[0] if self.client else ""
        self._visitor = "" if address in PROXIES else find_network(address)
        self._last: RequestResponseCycle | None = None
        self._watch = self.loop.call_later(self.patience, self._look)
        self._length = self._arrived = 0
        self._make_room()

    def _make_room(self) -> None:
        """If there are too many connections, end the one that has kept the server waiting longest:
        of this visitor, else of all. A visitor who is being answered on all of them gets no further
        one."""
        others = [
            each
            for each in self.connections
            if isinstance(each, TimeoutProtocol)
            and each is not self
            and not each.transport.is_closing()
        ]
        same = [each for each in others if each._visitor and each._visitor == self._visitor]
        if self.per_address and len(same) >= self.per_address:
            if not _dismiss_slowest(same):
                self.transport.write(_CROWDED)
                self.transport.close()
        elif self.limit_concurrency and len(others) + 1 >= self.limit_concurrency:
            _dismiss_slowest(others)

    @property
    def waits_for_visitor(self) -> bool:
        """Whether the server waits for the rest of a request, or for its answer to be read."""
        cycle = self.cycle
        is_asking = cycle is None or cycle.response_complete or cycle.more_body
        return is_asking or self.flow.write_paused

    def on_message_begin(self) -> None:
        """Note that a request begins in the data that arrived last."""
        super().on_message_begin()
        self._since = self.loop.time()
        self._length = self._arrived

    def data_received(self, data: bytes) -> None:
        """Read the arrived data of a request."""
        self._arrived = len(data)
        self._length += self._arrived
        super().data_received(data)
        if self._length > _LONGEST_REQUEST and not self.transport.is_closing():
            self.send_400_response("The request is too long.")

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        if self.cycle is self._last:
            self.transport.abort()
        else:
            self._last = self.cycle
            self._watch = self.loop.call_later(self.patience, self._look)


def _dismiss_slowest(crowd: Iterable[TimeoutProtocol]) -> bool:
    """End the connection that has waited longest for its visitor; False when none waits."""
    waiting = [each for each in crowd if each.waits_for_visitor]
    if not waiting:
        return False
    slowest = min(waiting, key=lambda each: each._since)
    slowest.connections.discard(slowest)  # it counts no longer, although its end comes later
    slowest.transport.abort()
    return True


# The language of a page: that of the player whom it is for, or what its visitor's browser asks
# for.

_LONGEST = 200
"""The letters of a header that are read: browsers send far fewer."""


def find_language(scope: Scope, default: str) -> str:
    """Return the available language that a visitor likes best; `default` if none is named, or
    left."""
    return _negotiate(Headers(scope=scope).get("accept-language", "")[:_LONGEST], default)


@lru_cache(maxsize=256)
def _negotiate(accepted: str, default: str) -> str:
    named = (name.lower().partition("-")[0] for name in _list_preferred(accepted))
    return next((language for language in named if language in LANGUAGES), default)


def _list_preferred(accepted: str) -> list[str]:
    """Return the languages of a header, the preferred one first (RFC 9110, 12.5.4)."""
    weights = dict[str, float]()
    for part in accepted.split(","):
        name, _, quality = part.partition(";")
        weights[name.strip()] = _read_weight(quality)
    liked = sorted(weights, key=lambda name: -weights[name])
    return [name for name in liked if name and weights[name] > 0]


def _read_weight(quality: str) -> float:
    """Return the weight in `q=0.8`: 1 without one, 0 for an invalid one."""
    name, _, number = quality.partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0


def choose_language(preferences: Mapping[str, str], default: str) -> str:
    """Return the locale of a player's pages, which is that of the player's mails."""
    return find_locale(preferences, default)


# Limits how often one address, or one link, may ask for pages: a bucket that refills with time.

_MOST_KEYS = 10_000


class RateLimiter:
    """Counts requests by key, in memory, forgetting the least recently used keys first. The whole
    limit may be used up in one burst."""

    def __init__(self, limit: Limit, seconds: float, config: Config) -> None:
        self._limit = limit
        self._seconds = seconds
        self._config = config
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str, now: float) -> bool:
        """Count a request. Return whether it is within the limit."""
        rate = self._limit.find_most(self._config)
        if not rate:
            return True
        burst = rate * self._seconds
        level, since = self._buckets.pop(key, (burst, now))
        level = min(burst, level + max(0.0, now - since) * rate)
        is_allowed = level >= 1
        self._buckets[key] = (level - 1 if is_allowed else level, now)
        if len(self._buckets) > _MOST_KEYS:
            self._buckets.popitem(last=False)
        return is_allowed


# Limits requests by address, gives every answer its headers, and answers where a page fails.

_LONGEST_QUERY = 2_000
_SECURE = (
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


_PAUSE = 0.1
_MOST_PAUSES = 10


class Guard:
    """Limits requests by address, and gives every answer its headers."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float], config: Config) -> None:
        self._app = app
        self._clock = clock
        self._language = config.server.language
        self._addresses = RateLimiter(Limit.PAGES, 10, config)
        self._asked = time.monotonic()

    def wait_for_quiet(self) -> None:
        """Return once there have been no requests for a moment; after a while also on a busy
        server."""
        for _ in range(_MOST_PAUSES):
            time.sleep(_PAUSE)
            if time.monotonic() - self._asked > 2 * _PAUSE:
                return

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += _SECURE
            await send(message)

        self._asked = time.monotonic()
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
    """Return what counts as one visitor: an IPv4 address, or the IPv6 network of one customer.
    Behind a proxy at a socket file it is the last address that the proxy names; "" when it names
    none."""
    client = scope.get("client")
    if client:
        address = str(client[0])
    else:
        named = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        address = b",".join(named).rpartition(b",")[2].decode("latin-1").strip()
    return find_network(address)


def build_handlers(language: str) -> dict[Any, Any]:
    """Return the answers to failed requests, by error; `language` finds the language of a request
    for no existing page."""

    def say(request: Request, text: Phrase, status: int) -> Response:
        return say_plainly(text, status, find_language(request.scope, language))

    async def say_unreadable(request: Request, _error: Exception) -> Response:
        return say(request, phrase("The database cannot be read. Try again soon."), 503)

    async def say_refused(request: Request, refusal: Refusal) -> Response:
        status = 404 if refusal.code is RefusalCode.NO_SUCH_BOARD else 503
        text = phrase("This board cannot be shown: {reason}.", reason=refusal.text)
        return say(request, text, status)

    async def say_failed(request: Request, _error: Exception) -> Response:
        """Return the answer when a page fails; the error is in the log."""
        text = phrase("This page cannot be shown: the server has made a mistake.")
        return say(request, text, 500)

    return {DBAPIError: say_unreadable, Refusal: say_refused, Exception: say_failed}


def refuse_too_many(language: str) -> Response:
    """Return the answer to requests beyond a limit."""
    response = say_plainly(phrase("Too many requests: wait a little."), 429, language)
    response.headers["Retry-After"] = "10"
    return response


def say_plainly(text: Phrase, status: int, language: str) -> Response:
    """Return a sentence as the answer, without a page around it."""
    return PlainTextResponse(f"{translate(text, language)}\n", status, describe_language(language))


def describe_language(language: str) -> dict[str, str]:
    """Return the headers of an answer whose language the browser has decided."""
    return {"Content-Language": language, "Vary": "Accept-Language"}


# Numbers in the paths of pages: those of boards and events, of at most nine digits.
#
# No page has a longer one, and no database takes it; importing this makes `{name:number}` known.


class NumberConvertor(Convertor[int]):
    """The number of a board or an event."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        """Return the number in a path."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return the number as a path has it."""
        return str(value)


register_url_convertor("number", NumberConvertor())

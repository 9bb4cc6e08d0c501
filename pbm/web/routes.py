"""The web application: routes, limits, and the headers that every answer carries."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from sqlalchemy.exc import DBAPIError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbm.core.language.command import Command
from pbm.core.language.verbs import get_verb
from pbm.core.model.refusal import Refusal
from pbm.core.service.secret_links import Link, open_player, read_link
from pbm.store.transaction import Session
from pbm.web import feeds, public_pages
from pbm.web.rate_limits import Rate, RateLimiter
from pbm.web.seat_forms import act
from pbm.web.seat_page import build_player_page, build_seat_page
from pbm.web.site import VISITOR, Site, load_templates, render

_PER_ADDRESS = Rate(300, 30)
_PER_LINK = Rate(120, 10)
_LONGEST_QUERY = 2_000
_LARGEST_FORM = 16_384
_STYLE = "style.css"
_HTML = "text/html; charset=utf-8"
_SECURE = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' {style}; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)

Builder: TypeAlias = Callable[[Session], "Page | None"]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that is ready to be rendered. `style` is the source of a style that it needs,
    `is_secret` keeps it from search engines and shared caches."""

    template: str
    values: Mapping[str, Any]
    style: str = ""
    is_secret: bool = False
    status: int = 200


class Pages:
    """The endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._links = RateLimiter(_PER_LINK)

    def routes(self) -> list[Route]:
        """All routes; without those for everybody where the configuration says so."""
        secret = [
            Route(f"/{_STYLE}", self.style_sheet),
            Route("/s/{link}", self.seat, methods=["GET"]),
            Route("/s/{link}", self.submit, methods=["POST"]),
            Route("/u/{link}.ics", self.calendar),
            Route("/u/{link}", self.player_boards),
        ]
        public = [
            Route("/", self.club),
            Route("/results.atom", self.results_feed),
            Route("/board/{number:int}", self.board),
            Route("/board/{number:int}.{kind}", self.download),
            Route("/player/{userid}.atom", self.player_feed),
            Route("/player/{userid}", self.player),
            Route("/game/{name}", self.game),
            Route("/game/{name}/ratings", self.ladder),
        ]
        rest = Route("/{path:path}", self._missing)
        return [*secret, *(public if self._site.config.web.public else ()), rest]

    # Secret pages

    async def seat(self, request: Request) -> Response:
        """The board of a seat, with a move as far as it has been composed."""
        link = self._link(request)
        if link is None:
            return self._gone(request)
        if not self._links.allows(link.name, self._site.clock()):
            return _too_many()
        chosen = tuple(request.query_params.getlist("m"))
        done = request.query_params.get("done", "")
        return await self._answer(
            request, lambda session: self._seat_page(session, link, chosen, _ply(request), done)
        )

    def _seat_page(
        self,
        session: Session,
        link: Link,
        chosen: tuple[str, ...] = (),
        at: int | None = None,
        done: str = "",
        problem: str = "",
        form: Mapping[str, str] | None = None,
    ) -> Page | None:
        page = build_seat_page(
            self._site, session, link, chosen, at, done=done, problem=problem, form=form
        )
        if page is None:
            return None
        status = 409 if problem else 200
        return Page("seat.html", page.values, page.style, is_secret=True, status=status)

    async def submit(self, request: Request) -> Response:
        """Do what a form of the seat's page asks for, then show the page again."""
        link = self._link(request)
        if link is None:
            return self._gone(request)
        if not self._links.allows(link.name, self._site.clock()):
            return _too_many()
        form = await _read_form(request)
        if form is None:
            return PlainTextResponse("The form is too long.\n", 413)
        outcome = await run_in_threadpool(act, self._site, link, form)
        if outcome is None:
            return self._gone(request)
        if outcome.done:
            return RedirectResponse(f"?done={outcome.done}", 303)
        problem = outcome.problem
        return await self._answer(
            request, lambda session: self._seat_page(session, link, problem=problem, form=form)
        )

    async def player_boards(self, request: Request) -> Response:
        """The boards of a player, each with the link to its page."""
        link = self._link(request)
        if link is None:
            return self._gone(request)

        def build(session: Session) -> Page | None:
            values = build_player_page(self._site, session, link)
            return None if values is None else Page("boards.html", values, is_secret=True)

        return await self._answer(request, build)

    async def calendar(self, request: Request) -> Response:
        """The deadlines of a player, as a calendar."""
        link = self._link(request)
        if link is None:
            return self._gone(request)

        def build() -> str | None:
            with self._site.store.reading() as session:
                player = open_player(session, self._site.secrets, link)
                if player is None:
                    return None
                call = self._site.call(session, Command(get_verb("show"), VISITOR))
                boards = feeds.find_deadlines(call, player)
                host = self._site.config.server.host
                return feeds.write_calendar(host, boards, self._site.clock())

        text = await run_in_threadpool(build)
        if text is None:
            return self._gone(request)
        headers = {"X-Robots-Tag": "noindex", "Cache-Control": "private, no-store"}
        return Response(text, media_type="text/calendar; charset=utf-8", headers=headers)

    # Public pages

    async def club(self, request: Request) -> Response:
        """The front page."""
        return await self._public(
            request, "club.html", lambda s: public_pages.build_club(self._site, s)
        )

    async def board(self, request: Request) -> Response:
        """A board as a spectator sees it."""
        number = request.path_params["number"]

        def build(session: Session) -> Page | None:
            built = public_pages.build_board(self._site, session, number, _ply(request))
            return None if built is None else Page("board.html", *built)

        return await self._answer(request, build)

    async def download(self, request: Request) -> Response:
        """The record of a board, or its picture."""
        number, kind = request.path_params["number"], request.path_params["kind"]

        def build() -> tuple[str, str] | None:
            with self._site.store.reading() as session:
                return public_pages.build_download(self._site, session, number, kind)

        if kind == "png":
            return await self._picture(request, number)
        built = await run_in_threadpool(build)
        if built is None:
            return self._missing(request)
        name = f'attachment; filename="board-{number}.{kind}"'
        return Response(built[0], media_type=built[1], headers={"Content-Disposition": name})

    async def _picture(self, request: Request, number: int) -> Response:
        """The board as PNG, for previews elsewhere."""
        from pbm.pictures.png import PictureError, make_png

        def build() -> bytes | None:
            with self._site.store.reading() as session:
                svg = public_pages.draw_preview(self._site, session, number)
            try:
                return None if svg is None else make_png(svg)
            except PictureError:
                return None

        picture = await run_in_threadpool(build)
        if picture is None:
            return self._missing(request)
        headers = {"Cache-Control": "public, max-age=300"}
        return Response(picture, media_type="image/png", headers=headers)

    async def player(self, request: Request) -> Response:
        """A player's ratings, boards and results."""
        userid = request.path_params["userid"]
        return await self._public(
            request, "player.html", lambda s: public_pages.build_player(self._site, s, userid)
        )

    async def game(self, request: Request) -> Response:
        """A game: its start, help, offers and boards."""
        game = public_pages.find_game(request.path_params["name"])
        if game is None:
            return self._missing(request)

        def build(session: Session) -> Page:
            return Page("game.html", *public_pages.build_game(self._site, session, game))

        return await self._answer(request, build)

    async def ladder(self, request: Request) -> Response:
        """The ratings in a game."""
        game = public_pages.find_game(request.path_params["name"])
        if game is None:
            return self._missing(request)
        return await self._public(
            request, "ladder.html", lambda s: public_pages.build_ladder(self._site, s, game)
        )

    async def results_feed(self, request: Request) -> Response:
        """The newest results, as a feed."""
        return await self._feed("Results", "/results.atom", "history", ())

    async def player_feed(self, request: Request) -> Response:
        """A player's boards, as a feed."""
        userid = request.path_params["userid"]
        path = f"/player/{userid}.atom"
        return await self._feed(f"Boards of {userid}", path, "all show", (userid, "all"))

    async def _feed(self, title: str, path: str, verb: str, words: tuple[str, ...]) -> Response:
        def build() -> str | None:
            with self._site.store.reading() as session:
                lines = public_pages.list_boards(self._site, session, verb, words=words)
            base, host = self._site.config.web.url.rstrip("/"), self._site.config.server.host
            return feeds.write_atom(title, base, path, host, lines)

        text = await run_in_threadpool(build)
        return Response(text, media_type="application/atom+xml; charset=utf-8")

    async def style_sheet(self, request: Request) -> Response:
        """The one style sheet."""
        headers = {"Cache-Control": "public, max-age=3600"}
        return Response(load_templates()[_STYLE], media_type="text/css", headers=headers)

    # Answers

    async def _public(
        self,
        request: Request,
        template: str,
        build: Callable[[Session], Mapping[str, Any] | None],
    ) -> Response:
        def page(session: Session) -> Page | None:
            values = build(session)
            return None if values is None else Page(template, values)

        return await self._answer(request, page)

    async def _answer(self, request: Request, build: Builder) -> Response:
        """A page, or 304 when the reader has it already."""

        def read() -> Page | None:
            with self._site.store.reading() as session:
                return build(session)

        page = await run_in_threadpool(read)
        if page is None:
            is_link = "link" in request.path_params
            return self._gone(request) if is_link else self._missing(request)
        text = await run_in_threadpool(self._render, request, page)
        tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'
        headers = {
            "ETag": tag,
            "Content-Security-Policy": _POLICY.format(style=page.style),
            "Cache-Control": "private, no-cache" if page.is_secret else "no-cache",
        }
        if page.is_secret:
            headers["X-Robots-Tag"] = "noindex, nofollow"
        if page.status == 200 and request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(text, page.status, headers, _HTML)

    def _render(self, request: Request, page: Page) -> str:
        """The text of a page, with the relative path to the front page."""
        root = "../" * (request.scope["path"].count("/") - 1) or "./"
        shared = {"root": root, "public": self._site.config.web.public}
        return render(page.template, {**page.values, **shared})

    def _link(self, request: Request) -> Link | None:
        return read_link(request.path_params["link"])

    def _gone(self, request: Request) -> Response:
        """The answer to a link that opens nothing: it does not say whether it ever did."""
        return self._message(
            request,
            404,
            "This link opens nothing",
            "It may be mistyped, or older than your last change of password or address, or its "
            "board ended more than a month ago. The newest mail of a board has its newest link.",
        )

    def _missing(self, request: Request) -> Response:
        return self._message(
            request, 404, "There is no such page", "The front page lists what there is."
        )

    def _message(self, request: Request, status: int, title: str, text: str) -> Response:
        page = Page("message.html", {"title": title, "text": text}, status=status)
        headers = {
            "Content-Security-Policy": _POLICY.format(style=""),
            "X-Robots-Tag": "noindex",
            "Cache-Control": "no-store",
        }
        return Response(self._render(request, page), status, headers, _HTML)


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
                names = {name.lower() for name, _ in message["headers"]}
                message["headers"] += [
                    (name.lower().encode(), value.encode())
                    for name, value in _SECURE.items()
                    if name.lower().encode() not in names
                ]
            await send(message)

        client = scope.get("client")
        if len(scope["query_string"]) > _LONGEST_QUERY:
            response: Response = PlainTextResponse("The address of this page is too long.\n", 414)
        elif client and not self._addresses.allows(client[0], self._clock()):
            response = _too_many()
        else:
            await self._app(scope, receive, send_secured)
            return
        await response(scope, receive, send_secured)


def build_app(site: Site) -> ASGIApp:
    """The application of one server."""
    handlers: dict[Any, Any] = {
        DBAPIError: _say_unreadable,
        Refusal: _say_refused,
        Exception: _apologize,
    }
    return Guard(Starlette(routes=Pages(site).routes(), exception_handlers=handlers), site.clock)


async def _say_unreadable(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse("The database cannot be read. Try again soon.\n", 503)


async def _say_refused(_request: Request, refusal: Refusal) -> Response:
    return PlainTextResponse(f"This board cannot be shown: {refusal.text}.\n", 503)


async def _apologize(_request: Request, _error: Exception) -> Response:
    """The answer when a page fails, which the log has."""
    return PlainTextResponse("This page cannot be shown: the server has made a mistake.\n", 500)


def _too_many() -> Response:
    headers = {"Retry-After": "10"}
    return PlainTextResponse("Too many requests: wait a little.\n", 429, headers)


def _ply(request: Request) -> int | None:
    text = request.query_params.get("at", "")
    return int(text[:6]) if text.isdigit() and text.isascii() else None


async def _read_form(request: Request) -> dict[str, str] | None:
    """The fields of a urlencoded form, the first of each name; None when it is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return None
    try:
        pairs = parse_qsl(body.decode("utf-8", "replace"), True, max_num_fields=20)
    except ValueError:
        return None
    return dict(reversed(pairs))

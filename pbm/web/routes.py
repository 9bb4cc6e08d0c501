"""The web application: its paths, and the pages behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbm.core import feature
from pbm.core.command import Command
from pbm.core.links import Link, open_player
from pbm.core.proofs import Act
from pbm.core.words import get_verb
from pbm.locale import ENGLISH
from pbm.pictures.board_picture import draw_lesson
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session
from pbm.web import (
    archive_pages,
    event_pages,
    explorer,
    feeds,
    player_pages,
    public_pages,
    seat_page,
)
from pbm.web.answers import Answers, Builder, Visit, WebPage, answer_svg
from pbm.web.board_lists import list_boards
from pbm.web.board_pictures import GAME_SHEET
from pbm.web.joining import JoinEndpoints, build_code_page, confirm
from pbm.web.site import (
    STYLE,
    VISITOR,
    Guard,
    Site,
    build_handlers,
    choose_language,
    load_templates,
)
from pbm.web.stop_page import StopEndpoints
from pbm.web.xfcc import XfccEndpoint

_FORMS = ["GET", "POST"]
_MOST_PAUSES, _PAUSE = 40, 0.1
_NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
_SHARED: tuple[tuple[str, Builder], ...] = (
    ("/events", event_pages.build_events),
    ("/event/{number:number}", event_pages.build_event),
    ("/game/{name}", public_pages.build_game),
    ("/game/{name}/ratings", public_pages.build_ladder),
    ("/player/{userid}", public_pages.build_player),
    ("/find", archive_pages.build_archive),
)
"""Public pages that are also among a player's own, there with forms."""
_OWN: tuple[tuple[str, Builder], ...] = (
    ("", player_pages.build_home),
    ("/settings", player_pages.build_settings),
    ("/board/{board:number}", seat_page.build_own_board),
    ("/board/{board:number}/try", explorer.build_own_explorer),
)
"""Other pages of players, and of guests of a match."""
_BEGUN: tuple[tuple[str, Builder], ...] = (("/begin", player_pages.build_beginning),)
"""The page on which boards begin, which guests do not have."""


class Endpoints:
    """The endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._answers = Answers(site)

    def routes(self) -> list[Route]:
        """Return all routes; public ones only if the configuration says so."""
        joining = JoinEndpoints(self._site, self._answers)
        own, public = self._answers.own, self._answers.public
        is_public = self._site.config.web.public
        secret = [
            Route(f"/{STYLE}", self.style_sheet),
            Route("/club.css", self.club_colour),
            Route("/s/{link}", own(seat_page.build_seat, Act.SEAT), methods=_FORMS),
            Route("/s/{link}/try", own(explorer.build_seat_explorer, Act.SEAT), methods=_FORMS),
            Route("/u/{link}.ics", self._answers.behind_link(self.calendar, Act.OWN)),
            Route(
                "/u/{link}/board/{board:number}.svg",
                self._answers.behind_link(self.own_picture, Act.OWN),
            ),
            *(Route(f"/u/{{link}}{path}", own(build), methods=_FORMS) for path, build in _OWN),
            *(
                Route(f"/u/{{link}}{path}", own(partial(_build_for_players, build)), methods=_FORMS)
                for path, build in (*_BEGUN, *(_SHARED if is_public else _SHARED[:2]))
            ),
            *(
                Route(f"/u/{{link}}{path}", own(partial(_build_for_players, build)), methods=_FORMS)
                for path, build in _list_feature_pages()
            ),
            Route("/c/{code}", self._answers.behind_code(self.code), methods=["GET"]),
            Route("/c/{code}", self._answers.behind_code(self.confirm), methods=["POST"]),
            *joining.list_secret_routes(),
            *StopEndpoints(self._site, self._answers).list_routes(),
        ]
        shared = [
            Route("/", public(public_pages.build_club)),
            Route("/player/{userid}.atom", self.player_feed),
            Route("/games", public(public_pages.build_games)),
            Route("/how", public(public_pages.build_how)),
            Route("/curious", public(public_pages.build_curious)),
            Route("/help/{topic}", public(public_pages.build_help)),
            *(Route(path, public(build)) for path, build in _SHARED),
            Route("/board/{board:number}", public(public_pages.build_board)),
            Route("/board/{board:number}/try", public(explorer.build_public_explorer)),
            Route("/games.webp", self.game_sheet),
            Route("/results.atom", self.results_feed),
            Route("/board/{number:number}.{kind}", self.download),
            Route("/event/{number:number}.{kind}", self.download_event),
            Route("/game/{name}/{number:number}.svg", self.lesson),
            *joining.list_public_routes(),
            *(Route(path, public(build)) for path, build in _list_feature_pages()),
        ]
        secret += XfccEndpoint(self._site).list_routes() if self._site.config.web.xfcc else []
        rest = Route("/{path:path}", self._answers.missing)
        return [*secret, *(shared if is_public else ()), rest]

    # Secret pages

    async def calendar(self, request: Request, link: Link) -> Response:
        """Return the deadlines of a player, as a calendar."""

        def build(session: Session) -> str | None:
            player = open_player(session, self._site.secrets, link)
            if player is None:
                return None
            call = self._site.call(session, Command(get_verb("show"), VISITOR))
            boards = feeds.find_deadlines(call, player)
            server = self._site.config.server
            language = choose_language(player.preferences, server.language)
            return feeds.write_deadlines(server, boards, call.now, language)

        text = await self._answers.read(build)
        if text is None:
            return self._answers.gone(request)
        headers = {"X-Robots-Tag": "noindex", "Cache-Control": "private, no-store"}
        return Response(text, media_type="text/calendar; charset=utf-8", headers=headers)

    async def own_picture(self, request: Request, link: Link) -> Response:
        """Return a board of a player, as that player sees it, as a small SVG."""
        site, number = self._site, request.path_params["board"]

        def build(session: Session) -> str | None:
            player = open_player(session, site.secrets, link)
            if player is None:
                return None
            visit = Visit(site, session, {}, request.query_params, ENGLISH, link, player)
            return player_pages.draw_own_board(visit, number)

        svg = await self._answers.read(build)
        return (
            self._answers.missing(request) if svg is None else answer_svg(svg, 60, is_secret=True)
        )

    async def code(self, request: Request, tag: str) -> Response:
        """Return the purpose of a code, with a button that confirms it."""
        return await self._show_code(request, tag)

    async def _show_code(self, request: Request, tag: str, problem: str = "") -> Response:
        def build(visit: Visit) -> WebPage | None:
            values = build_code_page(self._site, visit.session, tag, problem)
            if values is None:
                return None
            status = 409 if problem else 200
            return WebPage("code.html", values, is_secret=True, status=status)

        return await self._answers.show(request, build)

    async def confirm(self, request: Request, tag: str) -> Response:
        """Confirm a code."""
        outcome = await run_in_threadpool(confirm, self._site, tag)
        if outcome is None:
            return self._answers.void(request)
        if outcome.problem:
            return await self._show_code(request, tag, outcome.problem)
        return self._answers.welcome(request, outcome.page)

    # Public pages

    async def game_sheet(self, request: Request) -> Response:
        """Return the boards of all games in one picture, for the front page. A request before it is
        drawn waits a little, then gets an empty one."""
        for _ in range(_MOST_PAUSES):
            if not GAME_SHEET.picture:
                await asyncio.sleep(_PAUSE)
        if not GAME_SHEET.picture:
            uncached = {"Cache-Control": "no-store"}
            return Response(_NO_PICTURE, media_type="image/svg+xml", headers=uncached)
        headers = {"Cache-Control": "public, max-age=86400"}
        return Response(GAME_SHEET.picture, media_type="image/webp", headers=headers)

    async def download(self, request: Request) -> Response:
        """Return the record of a board, or its picture."""
        number, kind = request.path_params["number"], request.path_params["kind"]
        if kind == "png":
            return await self._picture(request, number)
        if kind == "svg":
            return await self._small_picture(request, number)
        built = await self._answers.read(
            lambda session: public_pages.build_download(self._site, session, number, kind)
        )
        if built is None:
            return self._answers.missing(request)
        name = f'attachment; filename="board-{number}.{kind}"'
        return Response(built[0], media_type=built[1], headers={"Content-Disposition": name})

    async def _picture(self, request: Request, number: int) -> Response:
        """Return the board as PNG, for link previews on other sites."""
        from pbm.pictures.png import PictureError, make_png

        text = request.query_params.get("at", "")
        at = int(text[:6]) if text.isdigit() and text.isascii() else None
        svg = await self._answers.read(
            lambda session: public_pages.draw_preview(self._site, session, number, at)
        )
        if svg is None:
            return self._answers.missing(request)
        try:
            picture = await run_in_threadpool(make_png, svg)
        except PictureError:
            return self._answers.missing(request)
        headers = {"Cache-Control": "public, max-age=300"}
        return Response(picture, media_type="image/png", headers=headers)

    async def _small_picture(self, request: Request, number: int) -> Response:
        """Return the board as a small SVG, for the front page."""
        svg = await self._answers.read(
            lambda session: public_pages.draw_preview(self._site, session, number, is_small=True)
        )
        return self._answers.missing(request) if svg is None else answer_svg(svg, 60)

    async def lesson(self, request: Request) -> Response:
        """Return a picture that explains a game."""
        params = request.path_params
        game = public_pages.find_game(params["name"])
        svg = draw_lesson(game, params["number"]) if game is not None else ""
        return answer_svg(svg, 86_400) if svg else self._answers.missing(request)

    async def results_feed(self, request: Request) -> Response:
        """Return the newest results, as a feed."""
        return await self._feed(request, phrase("Results"), "/results.atom", "history", ())

    async def player_feed(self, request: Request) -> Response:
        """Return a player's boards, as a feed."""
        userid = request.path_params["userid"]
        path = f"/player/{userid}.atom"
        title = phrase("Boards of {player}", player=userid)
        return await self._feed(request, title, path, "all show", (userid, "all"))

    async def _feed(
        self, request: Request, title: str, path: str, verb: str, words: tuple[str, ...]
    ) -> Response:
        site, query = self._site, request.query_params
        lines = await self._answers.read(
            lambda session: list_boards(Visit(site, session, {}, query, ENGLISH), verb, words=words)
        )
        base, server = self._site.config.web.url.rstrip("/"), self._site.config.server
        text = feeds.write_atom(title, base, path, server, lines)
        return Response(text, media_type="application/atom+xml; charset=utf-8")

    async def download_event(self, request: Request) -> Response:
        """Return the calendar, the record or the FIDE report of an event."""
        number, kind = request.path_params["number"], request.path_params["kind"]
        built = await self._answers.read(
            lambda session: event_pages.build_event_file(self._site, session, number, kind)
        )
        if built is None:
            return self._answers.missing(request)
        name = f'attachment; filename="event-{number}.{kind}"'
        media = f"{built[1]}; charset=utf-8"
        return Response(built[0], media_type=media, headers={"Content-Disposition": name})

    async def style_sheet(self, request: Request) -> Response:
        """Return the one style sheet."""
        headers = {"Cache-Control": "public, max-age=3600"}
        return Response(load_templates()[STYLE], media_type="text/css", headers=headers)

    async def club_colour(self, request: Request) -> Response:
        """Return the style sheet with the club's colour, which a reload may change."""
        colour = self._site.config.server.colour or "transparent"
        style = f".club{{border-top:.35rem solid {colour}}}.club .brand svg{{fill:{colour}}}"
        return Response(style, media_type="text/css", headers={"Cache-Control": "no-cache"})


def _build_for_players(build: Builder, visit: Visit) -> WebPage | None:
    """Build a page for players; guests have none."""
    return None if visit.me.is_guest else build(visit)


def _list_feature_pages() -> Iterator[tuple[str, Builder]]:
    """Yield the paths of features' pages, with the functions that build them."""
    for each in feature.get_features():
        for path, describe in each.pages:
            yield path, partial(_build_feature_page, describe)


def _build_feature_page(describe: feature.BuildPage, visit: Visit) -> WebPage | None:
    page = describe(visit.call(), visit.path)
    if page is None:
        return None
    forms = [
        visit.form(verb, label=label, **given)
        for verb, given, label in (page.forms if visit.player is not None else ())
    ]
    return WebPage("message.html", {**page._asdict(), "forms": forms})


def build_app(site: Site) -> Guard:
    """Return the application of one server."""
    routes = Endpoints(site).routes()
    language = site.config.server.language
    app = Starlette(routes=routes, exception_handlers=build_handlers(language))
    return Guard(app, site.clock, site.config)

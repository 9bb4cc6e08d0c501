"""The web application: what each path shows, and the pages behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pbm.core import feature
from pbm.core.command import Command
from pbm.core.links import Link, open_player
from pbm.core.proofs import Act
from pbm.core.words import get_verb
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session
from pbm.web import feeds, forms, public_pages
from pbm.web.answers import Answers, Endpoint, WebPage, answer_svg
from pbm.web.board_lists import list_boards
from pbm.web.board_pictures import make_sheet
from pbm.web.clicks import read_form
from pbm.web.event_pages import EventEndpoints
from pbm.web.explorer import build_public_explorer, build_seat_explorer
from pbm.web.forms import JoinEndpoints, build_code_page, confirm
from pbm.web.seat_page import act, build_player_page, build_seat_page
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


class Endpoints:
    """The endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._answers = Answers(site)

    def routes(self) -> list[Route]:
        """Return all routes; without those for everybody where the configuration says so."""
        events = EventEndpoints(self._site, self._answers)
        joining = JoinEndpoints(self._site, self._answers)
        behind_link = self._answers.behind_link
        secret = [
            Route(f"/{STYLE}", self.style_sheet),
            Route("/club.css", self.club_colour),
            Route("/s/{link}", behind_link(self.seat, Act.SEAT), methods=["GET"]),
            Route("/s/{link}", behind_link(self.submit, Act.SEAT), methods=["POST"]),
            Route("/s/{link}/try", behind_link(self.try_moves, Act.SEAT)),
            Route("/u/{link}.ics", behind_link(self.calendar, Act.OWN)),
            Route("/u/{link}", behind_link(self.player_boards, Act.OWN), methods=["GET"]),
            Route("/u/{link}", behind_link(self.set_up, Act.SETTING), methods=["POST"]),
            Route("/c/{code}", self._answers.behind_code(self.code), methods=["GET"]),
            Route("/c/{code}", self._answers.behind_code(self.confirm), methods=["POST"]),
            *events.list_secret_routes(),
            *joining.list_secret_routes(),
            *StopEndpoints(self._site, self._answers).list_routes(),
        ]
        public = [
            Route("/", self.club),
            Route("/games.webp", self.game_sheet),
            Route("/results.atom", self.results_feed),
            Route("/board/{number:number}", self.board),
            Route("/board/{number:number}.{kind}", self.download),
            Route("/board/{number:number}/try", self.try_moves),
            Route("/player/{userid}.atom", self.player_feed),
            Route("/player/{userid}", self.player),
            Route("/game/{name}", self.game),
            Route("/game/{name}/ratings", self.ladder),
            Route("/game/{name}/{number:number}.svg", self.lesson),
            *events.list_public_routes(),
            *joining.list_public_routes(),
            *self._list_feature_routes(),
        ]
        secret += XfccEndpoint(self._site).list_routes() if self._site.config.web.xfcc else []
        rest = Route("/{path:path}", self._answers.missing)
        return [*secret, *(public if self._site.config.web.public else ()), rest]

    def _list_feature_routes(self) -> Iterator[Route]:
        """Yield the routes of the pages that features describe."""
        for each in feature.get_features():
            for path, function in each.pages:
                yield Route(path, self._feature_page(function))

    def _feature_page(self, describe: feature.BuildPage) -> Endpoint:
        """Return the endpoint of a page that a feature describes."""

        async def show(request: Request) -> Response:
            def build(session: Session) -> WebPage | None:
                call = self._site.call(session, Command(get_verb("show"), VISITOR))
                built = describe(call, request.path_params)
                if built is None:
                    return None
                return WebPage("message.html", {"title": built[0], "text": built[1]})

            return await self._answers.show(request, build)

        return show

    # Secret pages

    async def seat(self, request: Request, link: Link) -> Response:
        """Return the board of a seat, with a move as far as it has been composed."""
        chosen = tuple(request.query_params.getlist("m"))
        done = request.query_params.get("done", "")
        return await self._answers.show(
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
    ) -> WebPage | None:
        page = build_seat_page(
            self._site, session, link, chosen, at, done=done, problem=problem, form=form
        )
        if page is None:
            return None
        status = 409 if problem else 200
        return WebPage(
            "seat.html",
            page.values,
            page.style,
            is_secret=True,
            status=status,
            language=page.language,
        )

    async def submit(self, request: Request, link: Link) -> Response:
        """Do what a form of the seat's page asks for, then show the page again."""
        form = await read_form(request)
        if form is None:
            return self._answers.refuse_form(request)
        outcome = await run_in_threadpool(act, self._site, link, form)
        if outcome is None:
            return self._answers.gone(request)
        if outcome.done:
            return RedirectResponse(f"?done={outcome.done}", 303)
        problem = outcome.problem
        return await self._answers.show(
            request, lambda session: self._seat_page(session, link, problem=problem, form=form)
        )

    async def try_moves(self, request: Request, link: Link | None = None) -> Response:
        """Return a position of a board, for a seat or a spectator, and moves tried from there."""
        query, at = request.query_params, _ply(request)
        moves, steps = query.getlist("t"), query.getlist("m")
        language = self._answers.find_language(request)

        def build(session: Session) -> WebPage | None:
            if link is None:
                number = request.path_params["number"]
                built = build_public_explorer(
                    self._site, session, number, at, language, moves, steps
                )
            else:
                built = build_seat_explorer(self._site, session, link, at, moves, steps)
            if built is None:
                return None
            language_of_player = built[0]["language"]
            return WebPage("try.html", *built, is_secret=True, language=language_of_player)

        return await self._answers.show(request, build)

    async def player_boards(self, request: Request, link: Link) -> Response:
        """Return the boards of a player, each with the link to its page, and forms for what holds
        for all of them."""
        return await self._show_boards(request, link, done=request.query_params.get("done", ""))

    async def _show_boards(
        self,
        request: Request,
        link: Link,
        *,
        done: str = "",
        problem: str = "",
        form: Mapping[str, str] | None = None,
    ) -> Response:
        def build(session: Session) -> WebPage | None:
            values = build_player_page(self._site, session, link)
            if values is None:
                return None
            typed = {form.get("do", ""): form.get("rest", "")} if form else {}
            said = {"done": forms.DONE.get(done, ""), "problem": problem, "typed": typed}
            status = 409 if problem else 200
            language = str(values["language"])
            return WebPage(
                "boards.html", {**values, **said}, is_secret=True, status=status, language=language
            )

        return await self._answers.show(request, build)

    async def set_up(self, request: Request, link: Link) -> Response:
        """Do what a form of the player's page asks for, then show the page again."""
        form = await read_form(request)
        if form is None:
            return self._answers.refuse_form(request)
        outcome = await run_in_threadpool(forms.act, self._site, link, form)
        if outcome is None:
            return self._answers.gone(request)
        if outcome.done:
            return RedirectResponse(f"?done={outcome.done}", 303)
        return await self._show_boards(request, link, problem=outcome.problem, form=form)

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
            return feeds.write_deadlines(server.host, boards, call.now, language)

        text = await self._answers.read(build)
        if text is None:
            return self._answers.gone(request)
        headers = {"X-Robots-Tag": "noindex", "Cache-Control": "private, no-store"}
        return Response(text, media_type="text/calendar; charset=utf-8", headers=headers)

    async def code(self, request: Request, tag: str) -> Response:
        """Return what a code confirms, with a button that does it."""
        return await self._show_code(request, tag)

    async def _show_code(self, request: Request, tag: str, problem: str = "") -> Response:
        def build(session: Session) -> WebPage | None:
            values = build_code_page(self._site, session, tag, problem)
            if values is None:
                return None
            status = 409 if problem else 200
            return WebPage("code.html", values, is_secret=True, status=status)

        return await self._answers.show(request, build)

    async def confirm(self, request: Request, tag: str) -> Response:
        """Confirm what a code is for."""
        outcome = await run_in_threadpool(confirm, self._site, tag)
        if outcome is None:
            return self._answers.void(request)
        if outcome.problem:
            return await self._show_code(request, tag, outcome.problem)
        return self._answers.confirmed(request)

    # Public pages

    async def club(self, request: Request) -> Response:
        """Return the front page."""
        language = self._answers.find_language(request)
        return await self._answers.show(
            request,
            lambda session: WebPage(
                "club.html", *public_pages.build_club(self._site, session, language)
            ),
        )

    async def game_sheet(self, request: Request) -> Response:
        """Return the boards of all games in one picture, for the front page."""
        from pbm.pictures.png import PictureError

        try:
            sheet = await run_in_threadpool(make_sheet)
        except (PictureError, ImportError):
            return self._answers.missing(request)
        headers = {"Cache-Control": "public, max-age=86400"}
        return Response(sheet, media_type="image/webp", headers=headers)

    async def board(self, request: Request) -> Response:
        """Return a board as a spectator sees it."""
        number, language = request.path_params["number"], self._answers.find_language(request)

        def build(session: Session) -> WebPage | None:
            built = public_pages.build_board(self._site, session, number, _ply(request), language)
            return None if built is None else WebPage("board.html", *built)

        return await self._answers.show(request, build)

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
        """Return the board as PNG, for previews elsewhere."""
        from pbm.pictures.png import PictureError, make_png

        svg = await self._answers.read(
            lambda session: public_pages.draw_preview(self._site, session, number)
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
        svg = public_pages.draw_lesson(params["name"], params["number"])
        return self._answers.missing(request) if svg is None else answer_svg(svg, 86_400)

    async def player(self, request: Request) -> Response:
        """Return a player's ratings, boards and results."""
        userid = request.path_params["userid"]
        return await self._answers.show_public(
            request, "player.html", lambda s: public_pages.build_player(self._site, s, userid)
        )

    async def game(self, request: Request) -> Response:
        """Return a game: its start, help, offers and boards."""
        game = public_pages.find_game(request.path_params["name"])
        if game is None:
            return self._answers.missing(request)
        language = self._answers.find_language(request)

        def build(session: Session) -> WebPage:
            return WebPage(
                "game.html", *public_pages.build_game(self._site, session, game, language)
            )

        return await self._answers.show(request, build)

    async def ladder(self, request: Request) -> Response:
        """Return the ratings in a game."""
        game = public_pages.find_game(request.path_params["name"])
        if game is None:
            return self._answers.missing(request)
        return await self._answers.show_public(
            request, "ladder.html", lambda s: public_pages.build_ladder(self._site, s, game)
        )

    async def results_feed(self, request: Request) -> Response:
        """Return the newest results, as a feed."""
        return await self._feed(phrase("Results"), "/results.atom", "history", ())

    async def player_feed(self, request: Request) -> Response:
        """Return a player's boards, as a feed."""
        userid = request.path_params["userid"]
        path = f"/player/{userid}.atom"
        title = phrase("Boards of {player}", player=userid)
        return await self._feed(title, path, "all show", (userid, "all"))

    async def _feed(self, title: str, path: str, verb: str, words: tuple[str, ...]) -> Response:
        lines = await self._answers.read(
            lambda session: list_boards(self._site, session, verb, words=words)
        )
        base, server = self._site.config.web.url.rstrip("/"), self._site.config.server
        text = feeds.write_atom(title, base, path, server, lines)
        return Response(text, media_type="application/atom+xml; charset=utf-8")

    async def style_sheet(self, request: Request) -> Response:
        """Return the one style sheet."""
        headers = {"Cache-Control": "public, max-age=3600"}
        return Response(load_templates()[STYLE], media_type="text/css", headers=headers)

    async def club_colour(self, request: Request) -> Response:
        """Return the style sheet with the colour of the club, which a reload may change."""
        colour = self._site.config.server.colour or "transparent"
        style = f".club{{border-top:.35rem solid {colour}}}.club .brand svg{{fill:{colour}}}"
        return Response(style, media_type="text/css", headers={"Cache-Control": "no-cache"})


def build_app(site: Site) -> ASGIApp:
    """Return the application of one server."""
    routes = Endpoints(site).routes()
    language = site.config.server.language
    app = Starlette(routes=routes, exception_handlers=build_handlers(language))
    return Guard(app, site.clock, site.config)


def _ply(request: Request) -> int | None:
    text = request.query_params.get("at", "")
    return int(text[:6]) if text.isdigit() and text.isascii() else None

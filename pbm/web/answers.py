"""Answers to requests: a rendered page with a tag computed from its content and rules for caches,
or an error page."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pbm.core import proofs
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import Command, Sender
from pbm.core.limits import Limit
from pbm.core.links import Link, open_player, open_seat, read_link
from pbm.core.notices import Content
from pbm.core.player import Player
from pbm.core.secrets import read_token
from pbm.core.words import get_verb
from pbm.features.accounts.admission import takes_players
from pbm.locale import get_language
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session
from pbm.web import verb_forms
from pbm.web.clicks import read_form
from pbm.web.site import (
    VISITOR,
    RateLimiter,
    Site,
    choose_language,
    describe_language,
    find_language,
    refuse_too_many,
    render,
    say_plainly,
)
from pbm.web.verb_forms import NOTHING_SENT, Sent, VerbForm

_HTML = "text/html; charset=utf-8"
_POLICY = (
    "default-src 'none'; img-src 'self' data:; font-src data:; style-src 'self' {style}; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
CodeEndpoint: TypeAlias = Callable[[Request, str], Awaitable[Response]]
LinkEndpoint: TypeAlias = Callable[[Request, Link], Awaitable[Response]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page ready to be rendered. `style` is the CSP source of a style that it needs, `is_secret`
    keeps it from search engines and shared caches."""

    template: str
    values: Mapping[str, object]
    style: str = ""
    is_secret: bool = False
    status: int = 200


@dataclass(frozen=True, slots=True)
class Visit:
    """A request for a page, by a visitor or by the `player` whom a link proves.

    board        the link's board, if it is the link of a seat
    path, query  the parts of the page's address
    language     of the page: the player's, or the one that the browser asks for
    sent         the result of a form of the page that was just sent and failed
    done         a sentence on what was just done
    """

    site: Site
    session: Session
    path: Mapping[str, Any]
    query: QueryParams
    language: str
    link: Link | None = None
    player: Player | None = None
    board: Board | None = None
    sent: Sent = NOTHING_SENT
    done: str = ""

    @property
    def me(self) -> Player:
        """The player whose page it is."""
        if self.player is None:
            raise ValueError("nobody's page")
        return self.player

    @property
    def home(self) -> str:
        """The beginning of the player's own pages, below the front page; "" on all other pages."""
        return f"u/{self.link.name}-{self.link.key}/" if self.link and not self.link.board else ""

    @property
    def at(self) -> int | None:
        """The move after which a board is to be shown; None for the present position."""
        text = self.query.get("at", "")
        return int(text[:6]) if text.isdigit() and text.isascii() else None

    def call(self, verb: str = "show") -> Call:
        """Return a call that only reads, in the name of the visitor, for the views."""
        call = self.site.call(self.session, Command(get_verb(verb), self._sender))
        call.player = self.player
        return call

    def read(
        self, verb: str, game: str = "", words: Sequence[str] = (), *, board: int = 0
    ) -> Content | None:
        """Return the answer of a command that only reads to this visitor; None when it is refused.
        `game` or `board` choose between two verbs with the same name."""
        row = get_verb(verb, takes_game=bool(game or board))
        command = Command(row, self._sender, game=game, board=board, words=tuple(words))
        return self.site.read(self.session, command)

    def form(self, verb: str, /, **options: Any) -> VerbForm:
        """Return the form of a verb for the player; see `build_form`."""
        return verb_forms.build_form(self.call(verb), verb, sent=self.sent, **options)

    @property
    def _sender(self) -> Sender:
        if self.player is None or self.link is None:
            return VISITOR
        return Sender(via="web", player=self.player.id, seat_at=self.link.board)


Builder: TypeAlias = Callable[[Visit], "WebPage | None"]
_NO_PAGE = phrase("There is no such page")
_WHAT_THERE_IS = phrase("The front page lists what there is.")


def say_missing(title: str, text: str) -> WebPage:
    """Return the page that says that something does not exist."""
    return WebPage("message.html", {"title": title, "text": text}, is_secret=True, status=404)


class Answers:
    """The answers of one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._links = RateLimiter(Limit.LINK_PAGES, 12, site.config)

    def find_language(self, request: Request) -> str:
        """Return the language of a page without a player: the one that the browser asks for, else
        the server's."""
        return find_language(request.scope, self._site.config.server.language)

    def behind_link(self, answer: LinkEndpoint, act: proofs.Act) -> Endpoint:
        """Return the endpoint of a path with a secret link. Requests are limited, and links that
        are not worth the `act` open nothing."""

        async def answer_link(request: Request) -> Response:
            link = read_link(request.path_params["link"])
            if link is None or not proofs.is_worth(link.proof, act):
                return self.gone(request)
            if not self._links.allows(f"{link.name}-{link.key}", self._site.clock()):
                return refuse_too_many(self.find_language(request))
            return await answer(request, link)

        return answer_link

    def behind_code(self, answer: CodeEndpoint) -> Endpoint:
        """Return the endpoint of a path with the tag of a code. Requests are limited."""

        async def answer_code(request: Request) -> Response:
            token = read_token(request.path_params["code"])
            if token is None or token.kind != "c":
                return self.missing(request)
            if not self._links.allows(f"c-{token.tag}", self._site.clock()):
                return refuse_too_many(self.find_language(request))
            return await answer(request, token.tag)

        return answer_code

    def public(self, build: Builder) -> Endpoint:
        """Return the endpoint of a page for everybody."""

        async def answer(request: Request) -> Response:
            return await self.show(request, build)

        return answer

    def own(self, build: Builder, act: proofs.Act = proofs.Act.OWN) -> Endpoint:
        """Return the endpoint of a page behind a link that is worth the `act`: it shows the page,
        and executes its forms."""

        async def answer(request: Request, link: Link) -> Response:
            if request.method != "POST":
                done = verb_forms.say_done(request.query_params.get("done", ""))
                return await self.show(request, build, link, done=done)
            form = await read_form(request)
            if form is None:
                return self.refuse_form(request)
            number = link.board or int(request.path_params.get("board", 0))
            click = await run_in_threadpool(verb_forms.act, self._site, link, number, form)
            if click is None:
                return self.gone(request)
            if click.done:
                place = [] if click.page else _list_place(request)
                at = f"?{urlencode([*place, ('done', click.done)])}#said"
                return RedirectResponse(self._find_page(request, link, click.page) + at, 303)
            sent = Sent(form, click.problem, click.field)
            return await self.show(request, build, link, sent=sent)

        return self.behind_link(answer, act)

    def _find_page(self, request: Request, link: Link, page: str) -> str:
        """Return the relative path from the requested page to another one of the same player."""
        if not page:
            return ""
        return f"{_find_root(request)}u/{link.name}-{link.key}/{page}"

    async def read(self, build: Callable[[Session], T]) -> T:
        """Return what `build` makes from a snapshot of the database."""

        def read_now() -> T:
            with self._site.store.reading() as session:
                return build(session)

        return read_now() if self._site.store.is_sqlite else await run_in_threadpool(read_now)

    async def show(
        self,
        request: Request,
        build: Builder,
        link: Link | None = None,
        *,
        sent: Sent = NOTHING_SENT,
        done: str = "",
    ) -> Response:
        """Return a page, or 304 when the reader's copy is current."""
        site, language = self._site, self.find_language(request)

        def build_now(session: Session) -> tuple[Visit, WebPage | None] | None:
            visit = Visit(
                site, session, request.path_params, request.query_params, language, link=link
            )
            if link is not None:
                opened = _open(site, session, link)
                if opened is None:
                    return None
                player, board = opened
                own = choose_language(player.preferences, site.config.server.language)
                visit = replace(
                    visit, player=player, board=board, language=own, sent=sent, done=done
                )
            return visit, build(visit)

        built = await self.read(build_now)
        if built is None:
            return self.gone(request)
        visit, page = built
        if page is None and "code" in request.path_params:
            return self.void(request)
        page = page or say_missing(_NO_PAGE, _WHAT_THERE_IS)
        is_secret = page.is_secret or visit.player is not None
        body = self._render(request, page, visit).encode()
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        headers = {
            "ETag": tag,
            "Content-Security-Policy": _POLICY.format(style=page.style),
            "Cache-Control": "private, no-cache" if is_secret else "no-cache",
            **_describe_language(visit),
        }
        if is_secret:
            headers["X-Robots-Tag"] = "noindex, nofollow"
        status = 409 if visit.sent.problem else page.status
        if status == 200 and tag in _list_tags(request):
            return Response(status_code=304, headers=headers)
        return Response(body, status, headers, _HTML)

    def _render(self, request: Request, page: WebPage, visit: Visit | None = None) -> str:
        """Return the text of a page, with the relative paths to the front page and to the visitor's
        own pages."""
        root = _find_root(request)
        config = self._site.config
        may_join = config.web.public and takes_players(config.players)
        is_own = visit is not None and visit.player is not None
        home = visit.home if visit is not None else ""
        shared = {
            "root": root,
            "here": root + home,
            "home": home,
            "language": visit.language if visit is not None else self.find_language(request),
            "public": config.web.public,
            "club": config.server,
            "may_join_here": may_join and not page.is_secret and not is_own,
            "is_own": is_own,
            "done": visit.done if visit is not None else "",
            "problem": visit.sent.problem if visit is not None else "",
            "wrong_field": visit.sent.field if visit is not None else "",
            "colour": "",
            "sections": (),
            "forms": (),
        }
        return render(page.template, {**shared, **page.values}, str(shared["language"]))

    def gone(self, request: Request) -> Response:
        """Return the answer to a link that opens nothing. It does not reveal whether it ever
        did."""
        return self.say(
            request,
            404,
            phrase("This link opens nothing"),
            phrase(
                "It may be mistyped, or older than your last change of password or address, or its "
                "board ended more than a month ago. The newest mail of a board has its newest link."
            ),
        )

    def void(self, request: Request) -> Response:
        """Return the answer to the link of an invalid code."""
        return self.say(
            request,
            404,
            phrase("This code is no longer good"),
            phrase(
                "It is expired, already used or replaced by a newer one. If you signed up and have "
                "not been welcomed since, sign up again."
            ),
        )

    def welcome(self, request: Request, home: str) -> Response:
        """Return the answer to a confirmation: a redirect to the pages of the account that it has
        opened, where `home` is the last part of their path; "" for a sentence."""
        if home:
            return RedirectResponse(f"{_find_root(request)}u/{home}", 303)
        text = phrase("Thank you. A mail tells you how to go on.")
        return self.say(request, 200, phrase("Confirmed"), text)

    def missing(self, request: Request) -> Response:
        """Return the answer for a page that does not exist."""
        return self.say(request, 404, _NO_PAGE, _WHAT_THERE_IS)

    def say(self, request: Request, status: int, title: str, text: str) -> Response:
        """Return a page with one sentence."""
        page = WebPage("message.html", {"title": title, "text": text}, status=status)
        headers = {
            "Content-Security-Policy": _POLICY.format(style=""),
            "X-Robots-Tag": "noindex",
            "Cache-Control": "no-store",
            **describe_language(self.find_language(request)),
        }
        return Response(self._render(request, page), status, headers, _HTML)

    def refuse_form(self, request: Request) -> Response:
        """Return the answer to a form that is longer than any page's."""
        return say_plainly(phrase("The form is too long."), 413, self.find_language(request))


def _open(site: Site, session: Session, link: Link) -> tuple[Player, Board | None] | None:
    """Return the player whom a link proves, with the board of a seat's link; None for an invalid
    one."""
    if not link.board:
        player = open_player(session, site.secrets, link)
        return (player, None) if player is not None else None
    opened = open_seat(session, site.secrets, link, site.clock())
    return (opened.player, opened.board) if opened is not None else None


def _list_place(request: Request) -> list[tuple[str, str]]:
    """Return the place on its page of a submitted form, from the address; nothing unless named."""
    return [pair for pair in request.query_params.multi_items() if pair[0] != "done"]


def _find_root(request: Request) -> str:
    """Return the relative path from the requested page to the front page."""
    return "../" * (request.scope["path"].count("/") - 1) or "./"


def _describe_language(visit: Visit) -> dict[str, str]:
    """Return the headers that state the language of a page, and whether the browser has decided
    it."""
    language = get_language(visit.language)
    return {"Content-Language": language} if visit.player else describe_language(language)


def answer_svg(svg: str, seconds: int, *, is_secret: bool = False) -> Response:
    """Return a picture that browsers, and unless it is secret shared caches, may store for some
    time."""
    headers = {
        "Cache-Control": f"{'private' if is_secret else 'public'}, max-age={seconds}",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }
    return Response(svg, media_type="image/svg+xml", headers=headers)


def _list_tags(request: Request) -> list[str]:
    """Return the tags of the reader's copies. A proxy that compresses a page makes its tag a weak
    one."""
    named = request.headers.get("if-none-match", "")
    return [tag.strip().removeprefix("W/") for tag in named.split(",")]

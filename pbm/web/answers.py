"""Answers to requests: a page that is rendered, has a tag by its content and says who may keep it;
or why there is none."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pbm.core import proofs
from pbm.core.limits import Limit
from pbm.core.links import Link, read_link
from pbm.core.secrets import read_token
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session
from pbm.web.site import (
    RateLimiter,
    Site,
    describe_language,
    find_language,
    refuse_too_many,
    render,
    say_plainly,
)

_HTML = "text/html; charset=utf-8"
_POLICY = (
    "default-src 'none'; img-src 'self' data:; font-src data:; style-src 'self' {style}; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

Builder: TypeAlias = Callable[[Session], "WebPage | None"]
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
CodeEndpoint: TypeAlias = Callable[[Request, str], Awaitable[Response]]
LinkEndpoint: TypeAlias = Callable[[Request, Link], Awaitable[Response]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page that is ready to be rendered. `style` is the source of a style that it needs,
    `is_secret` keeps it from search engines and shared caches, `language` is that of the player
    whom it is for, "" where its visitor's browser decides."""

    template: str
    values: Mapping[str, object]
    style: str = ""
    is_secret: bool = False
    status: int = 200
    language: str = ""


class Answers:
    """The answers of one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._links = RateLimiter(Limit.LINK_PAGES, 12, site.config)

    def find_language(self, request: Request) -> str:
        """Return the language of a page for nobody in particular: what the visitor's browser asks
        for, else that of the server."""
        return find_language(request.scope, self._site.config.server.language)

    def behind_link(self, answer: LinkEndpoint, act: proofs.Act) -> Endpoint:
        """Return the endpoint of a path with a secret link, which may be asked for so often, and
        opens nothing where links of its kind are not worth the `act`. The key counts as part of it:
        guesses do not use up what its owner may ask."""

        async def answer_link(request: Request) -> Response:
            link = read_link(request.path_params["link"])
            if link is None or not proofs.is_worth(link.proof, act):
                return self.gone(request)
            if not self._links.allows(f"{link.name}-{link.key}", self._site.clock()):
                return refuse_too_many(self.find_language(request))
            return await answer(request, link)

        return answer_link

    def behind_code(self, answer: CodeEndpoint) -> Endpoint:
        """Return the endpoint of a path with the tag of a code, which may be asked for so often."""

        async def answer_code(request: Request) -> Response:
            token = read_token(request.path_params["code"])
            if token is None or token.kind != "c":
                return self.missing(request)
            if not self._links.allows(f"c-{token.tag}", self._site.clock()):
                return refuse_too_many(self.find_language(request))
            return await answer(request, token.tag)

        return answer_code

    async def show_public(
        self,
        request: Request,
        template: str,
        build: Callable[[Session], Mapping[str, object] | None],
    ) -> Response:
        """Return a page for everybody that a template makes of values."""

        def page(session: Session) -> WebPage | None:
            values = build(session)
            return None if values is None else WebPage(template, values)

        return await self.show(request, page)

    async def read(self, build: Callable[[Session], T]) -> T:
        """Return what is built from a snapshot of the database. PostgreSQL may let a reader wait,
        so that needs a thread; SQLite does not, and a thread would cost as much as the page
        itself."""

        def read_now() -> T:
            with self._site.store.reading() as session:
                return build(session)

        return read_now() if self._site.store.is_sqlite else await run_in_threadpool(read_now)

    async def show(self, request: Request, build: Builder) -> Response:
        """Return a page, or 304 when the reader has it already."""

        page = await self.read(build)
        if page is None:
            if "code" in request.path_params:
                return self.void(request)
            is_link = "link" in request.path_params
            return self.gone(request) if is_link else self.missing(request)
        language = page.language or self.find_language(request)
        body = self._render(request, page, language).encode()
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        headers = {
            "ETag": tag,
            "Content-Security-Policy": _POLICY.format(style=page.style),
            "Cache-Control": "private, no-cache" if page.is_secret else "no-cache",
            **_describe_language(page, language),
        }
        if page.is_secret:
            headers["X-Robots-Tag"] = "noindex, nofollow"
        if page.status == 200 and tag in _list_tags(request):
            return Response(status_code=304, headers=headers)
        return Response(body, page.status, headers, _HTML)

    def _render(self, request: Request, page: WebPage, language: str) -> str:
        """Return the text of a page, with the relative path to the front page."""
        root = "../" * (request.scope["path"].count("/") - 1) or "./"
        config = self._site.config
        may_join = config.web.public and config.players.signups != "closed"
        shared = {
            "root": root,
            "language": language,
            "public": config.web.public,
            "club": config.server,
            "may_join_here": may_join and not page.is_secret,
        }
        return render(page.template, {**page.values, **shared}, language)

    def gone(self, request: Request) -> Response:
        """Return the answer to a link that opens nothing: it does not say whether it ever did."""
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
        """Return the answer to the link of a code that is good for nothing."""
        return self.say(
            request,
            404,
            phrase("This code is no longer good"),
            phrase(
                "It is expired, already used or replaced by a newer one. If you signed up and have "
                "not been welcomed since, sign up again."
            ),
        )

    def confirmed(self, request: Request) -> Response:
        """Return the answer to a code that has been confirmed."""
        text = phrase("Thank you. A mail tells you how to go on.")
        return self.say(request, 200, phrase("Confirmed"), text)

    def missing(self, request: Request) -> Response:
        """Return the answer where there is no page."""
        text = phrase("The front page lists what there is.")
        return self.say(request, 404, phrase("There is no such page"), text)

    def say(self, request: Request, status: int, title: str, text: str) -> Response:
        """Return a page that says one thing."""
        page = WebPage("message.html", {"title": title, "text": text}, status=status)
        language = self.find_language(request)
        headers = {
            "Content-Security-Policy": _POLICY.format(style=""),
            "X-Robots-Tag": "noindex",
            "Cache-Control": "no-store",
            **_describe_language(page, language),
        }
        return Response(self._render(request, page, language), status, headers, _HTML)

    def refuse_form(self, request: Request) -> Response:
        """Return the answer to a form that is longer than any of ours."""
        return say_plainly(phrase("The form is too long."), 413, self.find_language(request))


def _describe_language(page: WebPage, language: str) -> dict[str, str]:
    """Return the headers that say in which language a page is, and whether the visitor's browser
    has decided that."""
    return {"Content-Language": language} if page.language else describe_language(language)


def answer_svg(svg: str, seconds: int) -> Response:
    """Return a picture that anybody may keep for so long."""
    headers = {
        "Cache-Control": f"public, max-age={seconds}",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }
    return Response(svg, media_type="image/svg+xml", headers=headers)


def _list_tags(request: Request) -> list[str]:
    """Return the tags of what the reader has. A proxy that compresses a page makes its tag a weak
    one."""
    named = request.headers.get("if-none-match", "")
    return [tag.strip().removeprefix("W/") for tag in named.split(",")]

"""The paths of events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pbm.core.links import Link
from pbm.core.proofs import Act
from pbm.store.transaction import Session
from pbm.web import route_numbers  # noqa: F401 (makes {number:number} known)
from pbm.web.answers import Answers, Page
from pbm.web.clicks import read_form
from pbm.web.events import event_pages
from pbm.web.events.event_forms import act
from pbm.web.events.own_event_pages import build_own_event, build_own_events
from pbm.web.site import Site


class EventEndpoints:
    """The endpoints of events."""

    def __init__(self, site: Site, answers: Answers) -> None:
        self._site = site
        self._answers = answers

    def list_public_routes(self) -> list[Route]:
        """Return the routes for everybody: the list, one event, and its files."""
        return [
            Route("/events", self.events),
            Route("/event/{number:number}", self.event),
            Route("/event/{number:number}.{kind}", self.download),
        ]

    def list_secret_routes(self) -> list[Route]:
        """Return the routes for one player: the list and one event, with forms."""
        behind_link = self._answers.behind_link
        return [
            Route("/u/{link}/events", behind_link(self.own, Act.OWN), methods=["GET"]),
            Route("/u/{link}/events", behind_link(self.submit, Act.EVENT), methods=["POST"]),
            Route(
                "/u/{link}/event/{number:number}", behind_link(self.own, Act.OWN), methods=["GET"]
            ),
            Route(
                "/u/{link}/event/{number:number}",
                behind_link(self.submit, Act.EVENT),
                methods=["POST"],
            ),
        ]

    async def events(self, request: Request) -> Response:
        """Return all events."""
        return await self._answers.show_public(
            request, "events.html", lambda session: event_pages.build_events(self._site, session)
        )

    async def event(self, request: Request) -> Response:
        """Return one event with its tables."""
        number = request.path_params["number"]

        def build(session: Session) -> Mapping[str, Any] | None:
            return event_pages.build_event(self._site, session, number)

        return await self._answers.show_public(request, "event.html", build)

    async def own(self, request: Request, link: Link) -> Response:
        """Return the events of a player, or one of them."""
        return await self._show(request, link, done=request.query_params.get("done", ""))

    async def _show(
        self,
        request: Request,
        link: Link,
        *,
        done: str = "",
        problem: str = "",
        form: Mapping[str, str] | None = None,
    ) -> Response:
        number = request.path_params.get("number", 0)
        name = "own_event.html" if number else "own_events.html"

        def build(session: Session) -> Page | None:
            if number:
                values = build_own_event(
                    self._site, session, link, number, done=done, problem=problem
                )
            else:
                values = build_own_events(self._site, session, link, problem, form)
            status = 409 if problem else 200
            if values is None:
                return None
            language = str(values["language"])
            return Page(name, values, is_secret=True, status=status, language=language)

        return await self._answers.show(request, build)

    async def submit(self, request: Request, link: Link) -> Response:
        """Do what a form of a player's page asks for, then show the page."""
        form = await read_form(request)
        if form is None:
            return self._answers.refuse_form(request)
        number = request.path_params.get("number", 0)
        outcome = await run_in_threadpool(act, self._site, link, number, form)
        if outcome is None:
            return self._answers.gone(request)
        if outcome.done:
            return RedirectResponse(f"{outcome.page}?done={outcome.done}", 303)
        return await self._show(request, link, problem=outcome.problem, form=form)

    async def download(self, request: Request) -> Response:
        """Return the calendar, the record or the FIDE report of an event."""
        number, kind = request.path_params["number"], request.path_params["kind"]
        built = await self._answers.read(
            lambda session: event_pages.build_event_file(self._site, session, number, kind)
        )
        if built is None:
            return self._answers.missing(request)
        name = f'attachment; filename="event-{number}.{kind}"'
        kind = f"{built[1]}; charset=utf-8"
        return Response(built[0], media_type=kind, headers={"Content-Disposition": name})

"""The paths of events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbm.store.transaction import Session
from pbm.web import event_pages
from pbm.web.answers import Answers
from pbm.web.site import Site


class EventEndpoints:
    """The endpoints of events, all of them for everybody."""

    def __init__(self, site: Site, answers: Answers) -> None:
        self._site = site
        self._answers = answers

    def routes(self) -> list[Route]:
        """The list, one event, and its files."""
        return [
            Route("/events", self.events),
            Route("/event/{number:int}", self.event),
            Route("/event/{number:int}.{kind}", self.download),
        ]

    async def events(self, request: Request) -> Response:
        """All events."""
        return await self._answers.show_public(
            request, "events.html", lambda session: event_pages.build_events(self._site, session)
        )

    async def event(self, request: Request) -> Response:
        """One event with its tables."""
        number = request.path_params["number"]

        def build(session: Session) -> Mapping[str, Any] | None:
            return event_pages.build_event(self._site, session, number)

        return await self._answers.show_public(request, "event.html", build)

    async def download(self, request: Request) -> Response:
        """The calendar, the record or the FIDE report of an event."""
        number, kind = request.path_params["number"], request.path_params["kind"]

        def build() -> tuple[str, str] | None:
            with self._site.store.reading() as session:
                return event_pages.build_event_file(self._site, session, number, kind)

        built = await run_in_threadpool(build)
        if built is None:
            return self._answers.missing(request)
        name = f'attachment; filename="event-{number}.{kind}"'
        kind = f"{built[1]}; charset=utf-8"
        return Response(built[0], media_type=kind, headers={"Content-Disposition": name})

"""The page behind the link by which a mail program stops mails (RFC 8058). Opening it changes
nothing, since programs follow links to check them; its button does, as does the programs' one
click."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbm.core.command import Command, Sender
from pbm.core.links import StopLink, is_genuine_stop_link, read_stop_link
from pbm.core.player import ALL, BOARDS, EVENTS, Player, get_player
from pbm.core.submit import send_nothing, send_unless_refused
from pbm.core.words import get_verb
from pbm.features.accounts.invitations import decline_digest
from pbm.rules.phrases import Phrase, phrase
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.answers import Answers, WebPage
from pbm.web.clicks import Click
from pbm.web.site import VISITOR, Site

_STOPS = {
    ALL: (
        phrase("Stop all mails of this server?"),
        phrase(
            "The clocks of your boards run on, and your opponents are told. Whatever command you "
            "mail to us starts the mails again."
        ),
    ),
    BOARDS: (
        phrase("Stop the mails about your boards?"),
        phrase(
            "Their clocks run on, and your opponents are told. A command about a board that you "
            "mail to us starts these mails again."
        ),
    ),
    EVENTS: (
        phrase("Stop the mails about events?"),
        phrase("To have them again, mail us a command about an event."),
    ),
    "digest": (
        phrase("Stop the daily mail of boards that wait?"),
        phrase("You are then reminded of each board by itself."),
    ),
    "broadcasts": (phrase("Stop the mails that players write to everybody?"), ""),
    "announcements": (phrase("Stop the mails about new events?"), ""),
    "watch": (phrase("Stop the mails of a board that you watch?"), ""),
    "": (
        phrase("No more mails to this address?"),
        phrase("Nobody can invite it any more, and we do not write to it."),
    ),
}
"""The question on the page, by what its link stops, with remarks."""


class StopEndpoints:
    """The endpoints of links that stop mails."""

    def __init__(self, site: Site, answers: Answers) -> None:
        self._site = site
        self._answers = answers

    def list_routes(self) -> list[Route]:
        """Return the routes."""
        path = "/stop/{stop}"
        return [
            Route(path, self.ask, methods=["GET"]),
            Route(path, self.stop, methods=["POST"]),
        ]

    async def ask(self, request: Request) -> Response:
        """Return the page with the button. Nothing is stopped."""
        link = read_stop_link(request.path_params["stop"])
        if link is None or link.what.partition("-")[0] not in _STOPS:
            return self._gone(request)
        question, note = _STOPS[link.what.partition("-")[0]]

        def build(session: Session) -> WebPage | None:
            if not _opens(self._site, session, link):
                return None
            return WebPage("stop.html", {"question": question, "note": note}, is_secret=True)

        page = await self._answers.read(build)
        if page is None:
            return self._gone(request)
        return await self._answers.show(request, lambda _session: page)

    async def stop(self, request: Request) -> Response:
        """Stop the mails that the link names."""
        link = read_stop_link(request.path_params["stop"])
        if link is None or link.what.partition("-")[0] not in _STOPS:
            return self._gone(request)
        outcome = await run_in_threadpool(_stop, self._site, link)
        if outcome is None:
            return self._gone(request)
        if outcome.problem:
            return self._answers.say(request, 409, phrase("Nothing was stopped"), outcome.problem)
        _, note = _STOPS[link.what.partition("-")[0]]
        return self._answers.say(request, 200, phrase("Stopped"), note)

    def _gone(self, request: Request) -> Response:
        """Return the answer to a link that no longer stops anything."""
        text: Phrase = phrase(
            "It is mistyped, or older than your last change of password. To stop our mails, reply "
            "stop to any of them."
        )
        return self._answers.say(request, 404, phrase("This link opens nothing"), text)


def _find_player(site: Site, session: Session, link: StopLink) -> Player | None:
    """Return the player of a genuine link."""
    player = get_player(session, link.player)
    if player is None or not player.is_active:
        return None
    return player if is_genuine_stop_link(site.secrets, link, player.binding) else None


def _opens(site: Site, session: Session, link: StopLink) -> bool:
    if link.digest:
        return is_genuine_stop_link(site.secrets, link, "")
    return _find_player(site, session, link) is not None


def _stop(site: Site, link: StopLink) -> Click | None:
    """Stop what a link names. None for an invalid link."""
    now = site.clock()

    def decline(session: Session) -> Click | None:
        if not _opens(site, session, link):
            return None
        decline_digest(site.call(session, Command(get_verb("show"), VISITOR)), link.digest)
        return Click(done="stop")

    def execute(session: Session) -> Click | None:
        player = _find_player(site, session, link)
        if player is None:
            return None
        words = tuple(link.what.split("-"))
        sender = Sender(via="web", player=player.id, stops=True)
        command = Command(get_verb("stop"), sender, words=words, rest=" ".join(words))
        policy = (
            send_unless_refused if len(words) == 1 and words[0] in (ALL, BOARDS) else send_nothing
        )
        _, refused = clicks.execute(site, session, command, policy, now)
        problem = clicks.say_refused(refused) if refused is not None else ""
        return Click(problem=problem) if problem else Click(done="stop")

    return clicks.commit(site, decline if link.digest else execute)

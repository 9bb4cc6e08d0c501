"""The pages for joining: by an invitation, by a link that a friend has forwarded, or by the public
form."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbm.core.board import format_time
from pbm.core.command import Command, Sender
from pbm.core.links import make_player_link
from pbm.core.player import find_player
from pbm.core.secrets import Token, read_token
from pbm.core.submit import send_unless_refused
from pbm.core.words import get_verb
from pbm.features.accounts import invitations
from pbm.features.accounts.admission import describe_signups, takes_players
from pbm.features.accounts.codes import find_open_code
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.answers import Answers, WebPage
from pbm.web.clicks import Click, read_form
from pbm.web.site import VISITOR, Site, find_visitor

_LONGEST = 100
_OPENING = ("signup", "join")
"""The purposes of codes that open an account."""


class JoinEndpoints:
    """The endpoints of joining."""

    def __init__(self, site: Site, answers: Answers) -> None:
        self._site = site
        self._answers = answers

    def list_secret_routes(self) -> list[Route]:
        """Return the routes of invitations and links."""
        path = "/join/{invitation}"
        return [
            Route(path, self.show, methods=["GET"]),
            Route(path, self.submit, methods=["POST"]),
        ]

    def list_public_routes(self) -> list[Route]:
        """Return the routes of the public form."""
        return [
            Route("/join", self.show, methods=["GET"]),
            Route("/join", self.submit, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Return the page of an invitation, or the public form."""
        return await self._show(request, {})

    async def _show(self, request: Request, form: Mapping[str, str], problem: str = "") -> Response:
        token = _read_invitation(request)
        if token is None and "invitation" in request.path_params:
            return self._answers.missing(request)
        values = await self._answers.read(
            lambda session: _build_page(self._site, session, token, form, problem)
        )
        if values is None:
            return self._answers.say(
                request,
                404,
                phrase("This invitation is over"),
                phrase("It has been answered, has expired, or whoever sent it has withdrawn it."),
            )
        page = WebPage("join.html", values, is_secret=True, status=409 if problem else 200)
        return await self._answers.show(request, lambda _session: page)

    async def submit(self, request: Request) -> Response:
        """Open an account for an invited person, or mail a code to the given address."""
        form = await read_form(request)
        if form is None:
            return self._answers.refuse_form(request)
        token = _read_invitation(request)
        if token is None and "invitation" in request.path_params:
            return self._answers.missing(request)
        peer = find_visitor(request.scope)
        language = self._answers.find_language(request)
        outcome = await run_in_threadpool(_join, self._site, token, peer, form, language)
        if outcome.problem:
            return await self._show(request, form, outcome.problem)
        if outcome.done == "no":
            text = phrase("This address gets no other invitation, whoever sends it.")
            return self._answers.say(request, 200, phrase("You will hear no more"), text)
        if outcome.done == "yes":
            # An invitation may have been passed on: the account's link goes to its address alone.
            return self._answers.welcome(request, "")
        return self._answers.say(
            request,
            200,
            phrase("Look into your mail"),
            phrase(
                "If the address can be used here, a mail is on its way to it: open its link, or "
                "reply yes, and your account opens. Nothing comes? Look into the folder for spam, "
                "or write to {address} yourself: signup USERID PASSWORD.",
                address=self._site.config.server.address,
            ),
        )


def _read_invitation(request: Request) -> Token | None:
    """Return the token of the page's path, not verified yet; None if there is none."""
    token = read_token(request.path_params.get("invitation", ""))
    return token if token is not None and token.kind in ("i", "j") else None


def _build_page(
    site: Site, session: Session, token: Token | None, form: Mapping[str, str], problem: str
) -> Mapping[str, object] | None:
    """Return the values of the page; None for an invitation that is over. `form` has the typed
    values, and `problem` says why they were refused."""
    call = site.call(session, Command(get_verb("show"), VISITOR))
    opened = invitations.open_token(call, token) if token is not None else None
    if token is not None and opened is None:
        return None
    players = site.config.players
    row = opened.row if opened is not None else None
    return {
        "host": opened.host.userid if opened is not None else "",
        "title": invitations.find_title(row) if row is not None else "",
        "game": row.game if row is not None else "",
        "options": invitations.describe_terms(row) if row is not None else "",
        "begins": row is None or row.moves_first,
        "invited": row.address if row is not None else "",
        "userid": form.get("userid", row.userid if row is not None else ""),
        "address": form.get("address", ""),
        "signups": describe_signups(players),
        "may_join": takes_players(players),
        "terms": site.config.house.terms.strip(),
        "problem": problem,
    }


def _join(
    site: Site, token: Token | None, peer: str, form: Mapping[str, str], language: str
) -> Click:
    """Submit the form, filled in on a page in that language."""
    is_answer = token is not None and token.kind == "i"
    userid, address = (form.get(name, "")[:_LONGEST].strip() for name in ("userid", "address"))
    is_no = is_answer and form.get("do") == "no"
    words = ("no" if is_no else userid,) if is_answer else (address,)
    now = site.clock()
    sender = Sender(via="web", peer=peer, invitation=token, language=language)
    command = Command(
        get_verb("signup"),
        sender,
        user="" if is_answer else userid,
        words=tuple(filter(None, words)),
        rest=" ".join(words),
        implied=True,
    )

    def execute(session: Session) -> Click:
        _, refused = clicks.execute(site, session, command, send_unless_refused, now)
        if refused is not None:
            return Click(problem=clicks.say_refused(refused))
        return Click(done="no" if is_no else "yes" if is_answer else "code")

    outcome = clicks.commit(site, execute)
    return outcome if outcome is not None else Click(problem=phrase("Nothing was done."))


# The page behind the link of a mail that brings a code: it says what the code confirms, and its
# button confirms it.


def build_code_page(
    site: Site, session: Session, tag: str, problem: str = ""
) -> Mapping[str, object] | None:
    """Return what the code with that tag confirms; None when it is used, replaced or expired.
    `problem` says why it was not confirmed."""
    row = find_open_code(session, site.secrets, tag, site.clock())
    if row is None:
        return None
    return {
        "purpose": row.purpose,
        "userid": row.userid,
        "address": row.address.partition(" ")[0],
        "asked": format_time(row.created, {}),
        "terms": site.config.house.terms.strip() if row.purpose in _OPENING else "",
        "problem": problem,
    }


def confirm(site: Site, tag: str) -> Click | None:
    """Confirm what the code is for. None for one that is used, replaced or expired."""
    now = site.clock()
    sender = Sender(via="web", code=tag)
    command = Command(get_verb("confirm", takes_game=False), sender, implied=True)
    with site.store.reading() as session:
        row = find_open_code(session, site.secrets, tag, now)
        if row is None:
            return None
        command = clicks.verify(site, session, command, now)

    def execute(session: Session) -> Click | None:
        _, refused = clicks.execute(site, session, command, send_unless_refused, now)
        if refused is not None:
            return Click(problem=clicks.say_refused(refused))
        opens = row.purpose in _OPENING
        return Click(done="confirm", page=_find_home(site, session, row.userid) if opens else "")

    return clicks.commit(site, execute)


def _find_home(site: Site, session: Session, userid: str) -> str:
    """Return the last part of the path to the pages of an account that has just been opened, which
    whoever opened it also gets by mail; "" for one that waits for the operator."""
    player = find_player(session, userid)
    addresses = reads.find_addresses(session, player.id) if player is not None else ()
    if player is None or not player.is_active or not addresses:
        return ""
    return make_player_link(site.secrets, player.id, player.binding, addresses)

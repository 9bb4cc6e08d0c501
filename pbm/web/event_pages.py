"""The pages of events: the list, one event with its tables, and what can be downloaded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pbm.core.command import Command, Sender
from pbm.core.links import Link, open_player
from pbm.core.player import Player
from pbm.core.proofs import Act
from pbm.core.refusal import Refusal
from pbm.core.submit import Submitted, send_unless_refused
from pbm.core.words import get_verb
from pbm.features.events.entering import find_entry_problem
from pbm.features.events.notices import EventFile, EventList, EventPage, EventShown
from pbm.features.events.record import build_record
from pbm.features.events.starting import require_maker
from pbm.features.events.views import build_line, format_points, list_parts
from pbm.games import get_game, list_game_names
from pbm.pairing.kinds import KINDS, get_kind
from pbm.pairing.record import Entrant, Record
from pbm.pairing.rungs import can_challenge
from pbm.pairing.standings import crosstable
from pbm.rules.phrases import phrase
from pbm.store.event_tables import EventRow
from pbm.store.reads.event_rows import (
    count_entrants,
    find_entrant,
    find_event,
    find_events_of_player,
    find_last_event_made,
)
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web import site as route_numbers  # noqa: F401 (makes {number:number} known)
from pbm.web.answers import Answers, WebPage
from pbm.web.clicks import Click, read_form
from pbm.web.site import Site, choose_language

_MOST = 20
_KINDS = {"ics": "calendar", "json": "record", "trf": "record"}


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a crosstable: its text where it is about no game, and otherwise what it says of
    each, with the board if there is one."""

    text: str
    games: Sequence[tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a crosstable."""

    place: str
    name: str
    cells: Sequence[TableCell]
    points: str


@dataclass(frozen=True, slots=True)
class TitledTable:
    """A crosstable as a page shows it: its title, "" for none, and the titles of its columns."""

    title: str
    columns: Sequence[str]
    lines: Sequence[TableLine]


def build_events(site: Site, session: Session) -> Mapping[str, Any]:
    """Return all events, for their page and the front page."""
    content = site.read(session, "events")
    parts: list[tuple[str, Sequence[Any]]] = []
    if isinstance(content, EventList):
        parts = [
            (phrase("Open to enter"), content.open),
            (phrase("Running"), content.running),
            (phrase("Ended"), content.ended),
        ]
    return {
        "parts": [part for part in parts if part[1]],
        "address": site.config.server.address,
    }


def build_event(site: Site, session: Session, number: int) -> Mapping[str, Any] | None:
    """Return the page of an event: what it is, its crosstables with links to the boards, standings
    and pairings; None when there is no such event."""
    content = site.read(session, "event show", words=(str(number),))
    row = find_event(session, number)
    if row is None or not isinstance(content, EventShown):
        return None
    record = build_record(session, row)
    has_begun = row.state in ("running", "over")
    return {
        "card": content.card,
        "entered": () if has_begun else content.parts,
        "tables": _build_tables(record) if has_begun else (),
        "standings": _read_page(site, session, "event standings", number) if has_begun else (),
        "pairings": _read_page(site, session, "event pairings", number) if has_begun else (),
        "has_report": _has_report(record),
        "address": site.config.server.address,
    }


def _has_report(record: Record) -> bool:
    """Whether FIDE's report can hold the event."""
    return get_kind(record.options.kind).has_reports and record.options.seats == 2


def _read_page(site: Site, session: Session, verb: str, number: int) -> Sequence[Any]:
    content = site.read(session, verb, words=(str(number),))
    return content.parts if isinstance(content, EventPage) else ()


def _build_tables(record: Record) -> list[TitledTable]:
    boards = {game.id: game.board for game in record.games}
    tables = []
    for title, group, stage in list_parts(record):
        table = crosstable(record, group, stage)
        lines = [
            TableLine(
                str(row.place),
                row.name,
                [
                    TableCell(
                        cell.text,
                        [
                            (mark, boards.get(game))
                            for mark, game in zip(cell.marks, cell.games, strict=True)
                        ],
                    )
                    for cell in row.cells
                ],
                format_points(row.points),
            )
            for row in table.rows
        ]
        tables.append(TitledTable(title, table.columns, lines))
    return tables


def build_event_file(
    site: Site, session: Session, number: int, kind: str
) -> tuple[str, str] | None:
    """Return the calendar or the record of an event as a file, and its media type; None when there
    is none of that kind."""
    verb = _KINDS.get(kind)
    if verb is None:
        return None
    words = (kind, str(number)) if kind == "trf" else (str(number),)
    content = site.read(session, f"event {verb}", words=words)
    return (content.text, content.kind) if isinstance(content, EventFile) else None


# A player's pages of events, behind the player's secret link: the list, with a form to make one,
# and one event with what the player can do there.


def build_own_events(
    site: Site,
    session: Session,
    link: Link,
    problem: str = "",
    form: Mapping[str, str] | None = None,
) -> Mapping[str, object] | None:
    """Return the events of a player, all others, and the form to make one; None for a link that
    opens nothing. `problem` says why nothing came of `form`, whose words stay."""
    player = open_player(session, site.secrets, link)
    if player is None:
        return None
    own = find_events_of_player(session, player.id)
    counts = count_entrants(session, [row.id for row in own])
    values = dict(build_events(site, session))
    numbers = {row.id for row in own}
    rest = [
        (title, [row for row in rows if row.event not in numbers])
        for title, rows in values["parts"]
    ]
    mine = [build_line(row, counts.get(row.id, 0)) for row in own]
    return {
        "parts": [part for part in [(phrase("Yours"), mine), *rest] if part[1]],
        "address": site.config.server.address,
        "language": choose_language(player.preferences, site.config.server.language),
        "home": f"u/{link.name}-{link.key}",
        "userid": player.userid,
        "problem": problem,
        "typed": form or {},
        "made": find_last_event_made(session, player.id),
        "refusal": _find_maker_problem(site, session, player),
        "kinds": {each.name: each.title for each in KINDS.values()},
        "games": {name: get_game(name).info.title for name in list_game_names()},
    }


def _find_maker_problem(site: Site, session: Session, player: Player) -> str:
    """Return why the player may not make an event now; "" if they may."""
    command = Command(get_verb("event new"), Sender(via="web", player=player.id))
    try:
        require_maker(site.call(session, command), player)
    except Refusal as refusal:
        return refusal.text
    return ""


def build_own_event(
    site: Site, session: Session, link: Link, number: int, *, done: str = "", problem: str = ""
) -> Mapping[str, object] | None:
    """Return one event as everybody sees it, with the forms of the player; None when there is no
    such event, or for a link that opens nothing."""
    player = open_player(session, site.secrets, link)
    row = find_event(session, number)
    if player is None or row is None:
        return None
    values = build_event(site, session, number)
    if values is None:
        return None
    record = build_record(session, row, site.clock())
    entry = find_entrant(session, number, player.id)
    own = next((each for each in record.entrants if entry and each.number == entry.number), None)
    is_in = own is not None and own.left is None
    command = Command(get_verb("event enter"), Sender(via="web", player=player.id))
    closed = "" if is_in else find_entry_problem(site.call(session, command), row, player)
    return {
        **values,
        "language": choose_language(player.preferences, site.config.server.language),
        "home": f"u/{link.name}-{link.key}",
        "userid": player.userid,
        "is_in": is_in,
        "closed": closed,
        "can": _list_acts(row, is_in=is_in, is_closed=bool(closed)),
        "above": _list_above(record, own, site.clock()) if own is not None and is_in else (),
        "byes": own.away if own is not None else (),
        "done": DONE.get(done, ""),
        "problem": problem,
    }


def _list_acts(row: EventRow, *, is_in: bool, is_closed: bool) -> frozenset[str]:
    """Return the acts for which the page has a form."""
    if row.state not in ("open", "running"):
        return frozenset()
    if not is_in:
        return frozenset() if is_closed else frozenset({"enter"})
    acts = {"leave"}
    kind = get_kind(row.kind)
    if kind.has_challenges and row.state == "running":
        acts.add("challenge")
    if kind.has_byes:
        acts.add("bye")
    return frozenset(acts)


def _list_above(record: Record, own: Entrant, now: float) -> Sequence[str]:
    """Return whom the player can challenge on a ladder now."""
    if not get_kind(record.options.kind).has_challenges:
        return ()
    return [
        each.name
        for each in record.present
        if each.number != own.number and not can_challenge(record, own.number, each.number, now)
    ]


# The paths of events.


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
            request, "events.html", lambda session: build_events(self._site, session)
        )

    async def event(self, request: Request) -> Response:
        """Return one event with its tables."""
        number = request.path_params["number"]

        def build(session: Session) -> Mapping[str, Any] | None:
            return build_event(self._site, session, number)

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

        def build(session: Session) -> WebPage | None:
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
            return WebPage(name, values, is_secret=True, status=status, language=language)

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
            lambda session: build_event_file(self._site, session, number, kind)
        )
        if built is None:
            return self._answers.missing(request)
        name = f'attachment; filename="event-{number}.{kind}"'
        kind = f"{built[1]}; charset=utf-8"
        return Response(built[0], media_type=kind, headers={"Content-Disposition": name})


# The forms of a player's pages of events. Each submits the same command as a mail.

DONE = {
    "enter": phrase("You take part."),
    "leave": phrase("You have left this event."),
    "challenge": phrase("The challenge has gone out by mail."),
    "bye": phrase("It is noted in which rounds you are not to be paired."),
    "new": phrase("The event is open. To play in it yourself, enter it."),
}
"""What can be done here, and what the page says afterwards."""
_OPTIONS = ("begins", "ends", "max")
_LONGEST = 1000


def act(site: Site, link: Link, number: int, form: Mapping[str, str]) -> Click | None:
    """Submit what a form asks for, about the event with that number; 0 for the page of all events.
    None for a link that opens nothing."""
    do = form.get("do", "")
    if do not in DONE or (do == "new") != (number == 0):
        return Click(problem=phrase("This page has no such form."))
    if do == "leave" and form.get("sure") != "yes":
        return Click(
            problem=phrase("Nothing was done: tick the box beside {verb} to confirm.", verb="leave")
        )
    if any(len(value) > _LONGEST for value in form.values()):
        return Click(
            problem=phrase(
                "Nothing was done: a text is longer than {most} characters.", most=_LONGEST
            )
        )
    now = site.clock()
    with site.store.reading() as session:
        player = open_player(session, site.secrets, link)
        if player is None:
            return None
        command = clicks.verify(site, session, build_command(player, number, form), now)

    def execute(session: Session) -> Click | None:
        player = open_player(session, site.secrets, link)
        if player is None:
            return None
        if do == "new" and form.get("made") != str(find_last_event_made(session, player.id)):
            return Click(
                problem=phrase("Nothing was done: you have made an event since this page was made.")
            )
        result, problem = clicks.execute(site, session, command, send_unless_refused, now)
        if problem:
            return Click(problem=problem)
        return Click(done=do, page=_find_new_page(result) if do == "new" else "")

    return clicks.commit(site, execute)


def build_command(player: Player, number: int, form: Mapping[str, str]) -> Command:
    """Return the command that a mail with these words would contain."""
    do = form["do"]
    text = ""
    if do == "new":
        words = _list_terms(form)
        text = form.get("text", "").replace("\r\n", "\n").strip()
    else:
        rest = form.get("rest", "").replace(",", " ").split() if do in ("challenge", "bye") else []
        words = [*rest, str(number)]
    sender = Sender(via="web", player=player.id)
    return Command(
        get_verb(f"event {do}"), sender, user=player.userid, words=tuple(words), text=text
    )


def _list_terms(form: Mapping[str, str]) -> list[str]:
    """Return kind, game and options of a new event. The name comes last, as it may have blanks."""
    words = [form.get("kind", ""), form.get("game", ""), *form.get("options", "").split()]
    words += [f"--{name}={form[name].strip()}" for name in _OPTIONS if form.get(name, "").strip()]
    name = " ".join(form.get("name", "").split())
    return [*words, f"--name={name}"] if name else words


def _find_new_page(result: Submitted) -> str:
    """Return the page of the event that was made, from that of all events."""
    numbers = [getattr(notice.content, "event", 0) for notice in result.notices if notice.is_answer]
    return f"event/{numbers[0]}" if numbers else ""

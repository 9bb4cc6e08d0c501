"""The pages of events: the list, one event with its tables, and its downloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbm.core.command import Command
from pbm.core.refusal import Refusal
from pbm.core.storing import find_title
from pbm.core.view import BoardSummary, summarize_boards
from pbm.core.words import get_verb
from pbm.features.events.admission import list_acts, list_entered, list_entering
from pbm.features.events.notices import EventFile, EventList, EventPage, EventShown
from pbm.features.events.record import build_record
from pbm.features.events.rows import count_entrants, find_entrant, find_events_of_player
from pbm.features.events.starting import require_maker
from pbm.features.events.views import build_line, format_points, list_parts
from pbm.games import list_game_names
from pbm.pairing.kinds import KINDS, get_kind
from pbm.pairing.record import Entrant, Record
from pbm.pairing.rungs import can_challenge
from pbm.pairing.standings import crosstable
from pbm.rules.phrases import combine, phrase
from pbm.store import reads
from pbm.store.reads import find_event
from pbm.store.tables import EventRow
from pbm.store.transaction import Session
from pbm.web.answers import Visit, WebPage
from pbm.web.player_pages import find_usual_game
from pbm.web.public_pages import find_game
from pbm.web.site import VISITOR, Site
from pbm.web.verb_forms import VerbForm

_KINDS = {"ics": "calendar", "json": "record", "trf": "record"}


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a crosstable: a text that is about no game, or the result of each game, with the
    board if there is one."""

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


def build_events(visit: Visit) -> WebPage:
    """Return all events; for a player, their own ones first, and the form to make one."""
    content = visit.read("events", words=(visit.query.get("page", "")[:4],))
    parts: list[tuple[str, Sequence[Any]]] = []
    if isinstance(content, EventList):
        parts = [
            (phrase("Open to enter"), content.open),
            (phrase("Running"), content.running),
            (phrase("Ended"), content.ended),
        ]
    values: dict[str, Any] = {
        "address": visit.site.config.server.address,
        "form": None,
        "game": "",
        "games": (),
        "usual": "",
        "refusal": "",
        "before": 0,
        "next": 0,
    }
    if isinstance(content, EventList):
        values["before"] = content.page - 1
        values["next"] = content.page + 1 if content.more else 0
    if visit.player is not None:
        own = find_events_of_player(visit.session, visit.me.id)
        counts = count_entrants(visit.session, [row.id for row in own])
        numbers = {row.id for row in own}
        mine = [build_line(row, counts.get(row.id, 0)) for row in own]
        rest: list[tuple[str, Sequence[Any]]] = [
            (title, [row for row in rows if row.event not in numbers]) for title, rows in parts
        ]
        parts = rest if values["before"] else [(phrase("Yours"), mine), *rest]
        wanted = visit.sent.form.get("game", "") or visit.query.get("game", "")
        game = find_game(wanted)
        values["refusal"] = _find_maker_problem(visit)
        values["usual"] = find_usual_game(visit)
        values["games"] = [(name, find_title(name)) for name in list_game_names()]
        if game is not None:
            kinds = {"kind": [(each.name, each.title) for each in KINDS.values()]}
            values["game"] = game.info.name
            values["form"] = visit.form("event new", choices=kinds, game=game.info.name)
    return WebPage("events.html", {**values, "parts": [part for part in parts if part[1]]})


def _find_maker_problem(visit: Visit) -> str:
    """Return why the player may not make an event now; "" if they may."""
    try:
        require_maker(visit.call("event new"), visit.me)
    except Refusal as refusal:
        return refusal.text
    return ""


def build_event(visit: Visit) -> WebPage | None:
    """Return the page of an event: card, crosstables with links to the boards, standings and
    pairings, and the forms of a player; None when there is no such event."""
    number = visit.path["number"]
    content = visit.read("event show", words=(str(number),))
    row = find_event(visit.session, number)
    if row is None or not isinstance(content, EventShown):
        return None
    record = build_record(visit.session, row, visit.site.clock())
    has_begun = row.state in ("running", "over")
    values = {
        "card": content.card,
        "entered": () if has_begun else content.parts,
        "tables": _build_tables(record) if has_begun else (),
        "standings": _read_page(visit, "event standings") if has_begun else (),
        "pairings": _read_page(visit, "event pairings") if has_begun else (),
        "has_report": _has_report(record),
        "address": visit.site.config.server.address,
        "is_in": content.is_in,
        "closed": content.closed if row.state in ("open", "running") else "",
        "forms": (),
        "own": (),
    }
    if visit.player is not None:
        values |= _build_part(visit, row, record, content.closed)
    return WebPage("event.html", values)


def _build_part(visit: Visit, row: EventRow, record: Record, closed: str) -> dict[str, object]:
    """Return the part that the player has in an event, or a team that they lead: the forms, and the
    own boards."""
    me, number = visit.me, str(row.id)
    entered = list_entered(visit.session, row, me)
    entry = entered[0] if entered else find_entrant(visit.session, row.id, me.id)
    own = next((each for each in record.entrants if entry and each.number == entry.number), None)
    acts = list_acts(row) - ({"event enter"} if closed else set())
    if not entered or own is None:
        acts &= {"event enter"}
    present = {each.player_id for each in entered}
    enter, leave = list[VerbForm](), list[VerbForm]()
    for each in list_entering(visit.session, row, me):
        verb = "event leave" if each.id in present else "event enter"
        if verb in acts:
            team = each.userid if each.id != me.id else ""
            form = visit.form(verb, event=number, team=team)
            if team:
                label = combine("{act}: {team}", act=form.button.label, team=team)
                form = form._replace(button=replace(form.button, label=label))
            (leave if each.id in present else enter).append(form)
    above, others = list[str](), list[VerbForm]()
    if own is not None and "event challenge" in acts:
        above = _list_above(record, own, visit.site.clock())
        others += [
            visit.form(
                "event challenge",
                userid=name,
                event=number,
                label=phrase("Challenge {player}", player=name),
            )
            for name in above
        ]
    if "event bye" in acts and own is not None:
        rounds = " ".join(map(str, own.away))
        others.append(visit.form("event bye", event=number, typed={"round": rounds}))
    return {
        "forms": [*enter, *others, *leave],
        "is_out_of_reach": "event challenge" in acts and not above,
        "own": list_own_boards(visit, record, own) if own is not None else (),
    }


def list_own_boards(
    visit: Visit, record: Record, own: Entrant
) -> Sequence[tuple[int, BoardSummary]]:
    """Return the player's boards of an event, in the order of their rounds, each with the round."""
    games = [game for game in record.games if game.board and own.number in game.seats]
    rows = [reads.find_board(visit.session, game.board) for game in games if game.board]
    boards = summarize_boards(visit.session, [row for row in rows if row is not None])
    rounds = {game.board: game.round for game in games}
    return [(rounds[board.id], board) for board in boards]


def _has_report(record: Record) -> bool:
    """Whether FIDE's report format can represent the event."""
    return get_kind(record.options.kind).has_reports and record.options.seats == 2


def _read_page(visit: Visit, verb: str) -> Sequence[object]:
    content = visit.read(verb, words=(str(visit.path["number"]),))
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
    content = site.read(session, Command(get_verb(f"event {verb}"), VISITOR, words=words))
    return (content.text, content.kind) if isinstance(content, EventFile) else None


def _list_above(record: Record, own: Entrant, now: float) -> list[str]:
    """Return the players whom the player can challenge on a ladder now."""
    return [
        each.name
        for each in record.present
        if each.number != own.number and not can_challenge(record, own.number, each.number, now)
    ]

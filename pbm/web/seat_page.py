"""The page behind the link of a seat: the board, a move composed by clicks, and forms for what else
its player can do; and the page of all boards of a player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pbm.core.board import Board, format_time
from pbm.core.call import Call
from pbm.core.command import Command, Sender
from pbm.core.links import Link, make_seat_link, open_player, open_seat
from pbm.core.log_view import list_own_lines
from pbm.core.player import Player, Role
from pbm.core.refusal import Refusal
from pbm.core.submit import send_nothing, send_unless_refused
from pbm.core.summary import summarize_boards
from pbm.core.words import get_verb, is_verb
from pbm.features.accounts.inviting import list_sent
from pbm.features.accounts.preferences import list_choices
from pbm.features.analysis.views import (
    AnalysisView,
    build_analysis_view,
    find_valid_analysis,
    say_curve,
)
from pbm.features.finding.game_page import build_board_page
from pbm.features.moderation.commands import list_undoable
from pbm.features.moderation.queue import list_items
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads.board_rows import find_chats
from pbm.store.reads.player_rows import find_blocked
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.board_lists import list_players
from pbm.web.board_pictures import build_query, draw_board, is_open_to_tries
from pbm.web.clicks import Click
from pbm.web.site import VISITOR, Site, choose_language, render

_MOST_BOARDS = 100
_MOST_CHATS = 10
_LONGEST_CHAT = 1000
_MOST_BUTTONS = 24
"""Where more steps can follow, those that are places are links on the board alone."""


@dataclass(frozen=True, slots=True)
class SeatPage:
    """The values of the template, the style sources that its picture needs, and the language of
    its player."""

    values: Mapping[str, object]
    style: str
    language: str
    is_refused: bool = False


def build_seat_page(
    site: Site,
    session: Session,
    link: Link,
    chosen: Sequence[str],
    at: int | None,
    *,
    done: str = "",
    problem: str = "",
    form: Mapping[str, str] | None = None,
) -> SeatPage | None:
    """Return the page of a seat, after the `chosen` steps of a move, or as the board was after `at`
    moves. `problem` says why nothing came of `form`, whose text stays. None for a link that does
    not (or no longer) open a page."""
    opened = open_seat(session, site.secrets, link, site.clock())
    if opened is None:
        return None
    board, player = opened
    seat = link.seat
    call = site.call(session, build_command(board, player, "show"))
    try:
        page = build_board_page(call, board, seat, at)
    except Refusal:
        return None
    language = choose_language(player.preferences, site.config.server.language)
    drawing = draw_board(site, board, page, language, chosen)
    if drawing.is_outdated:
        problem = problem or phrase("The board has changed: choose your move again.")
    chosen, composition = drawing.chosen, drawing.composition
    acts = list_acts(board, seat)
    values = {
        "page": page,
        "players": list_players(board, page.view, language),
        "view": page.view,
        "drawing": drawing,
        "link": f"{link.name}-{link.key}",
        "number": board.number,
        "is_turn": bool(composition.next or composition.move),
        "buttons": [
            (step, build_query(*chosen, step))
            for step in composition.next
            if step not in drawing.places or len(composition.next) <= _MOST_BUTTONS
        ],
        "back": build_query(*chosen[:-1]),
        "at": at,
        "can_try": is_open_to_tries(board),
        "ply": board.ply,
        "forms": ""
        if at is not None
        else write_forms(acts - {"chat"}, board.number, _keep_typed(form), language),
        "chat_form": write_chat(_keep_typed(form), language)
        if at is None and "chat" in acts
        else "",
        "done": DONE.get(done, ""),
        "problem": problem,
        "plan": list_own_lines(session, board, board.seats[seat], ply=board.ply, is_whole=True).get(
            "plans", ()
        ),
        "analysis": build_analysis_section(session, board),
        "chats": [] if at is not None else _list_chats(call, board, seat),
    }
    return SeatPage(values, drawing.style, language, is_refused=bool(problem))


def _list_chats(call: Call, board: Board, seat: int) -> list[tuple[str, str, str]]:
    """Return what was written at the board lately: who, when in the zone of the seat's player, and
    the text, cut where it is very long. Those whom a player blocks who has not agreed to play are
    left out."""
    reader = board.seats[seat]
    blocked = set[str]()
    if not board.has_agreed(reader.player):
        blocked = {*find_blocked(call.session, reader.player).values()}
    return [
        (
            phrase("{userid} (watching)", userid=row.userid) if row.kibitz else row.userid,
            format_time(row.at, reader.preferences),
            row.text if len(row.text) <= _LONGEST_CHAT else f"{row.text[:_LONGEST_CHAT]} …",
        )
        for row in find_chats(
            call.session, board.id, _MOST_CHATS, is_settled=board.is_settled(call.now)
        )
        if row.userid not in blocked
    ]


def _keep_typed(form: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return what was typed into a form, by what the form does."""
    if not form or form.get("do") == "move":
        return {}
    return {form.get("do", ""): form.get("text", "") or form.get("rest", "")}


def build_player_page(site: Site, session: Session, link: Link) -> Mapping[str, object] | None:
    """Return the open boards of a player, those that wait first, each with its link; None for a
    link that opens nothing."""
    player = open_player(session, site.secrets, link)
    if player is None:
        return None
    call = site.call(session, Command(get_verb("show"), VISITOR))
    addresses = reads.find_addresses(session, player.id)
    rows = reads.find_open_boards(session, player.id, _MOST_BOARDS)
    lines = []
    for board in summarize_boards(session, rows):
        own = [seat for seat, each in enumerate(board.seats) if each.player == player.id]
        seat = max(own, key=lambda seat: (board.seats[seat].is_on_move, -seat))
        waits = board.seats[seat].is_on_move and board.state == "running"
        path = make_seat_link(site.secrets, board.id, seat, player.binding, addresses)
        lines.append({"board": board, "waits": waits, "link": path})
    sent = list_sent(call, player)
    decides = player.has_role(Role.MODERATOR)
    return {
        "language": choose_language(player.preferences, site.config.server.language),
        "userid": player.userid,
        "address": site.config.server.address,
        "lines": sorted(lines, key=lambda line: not line["waits"]),
        "preferences": list_choices(player.preferences),
        "calendar": f"{link.name}-{link.key}.ics",
        "events": f"{link.name}-{link.key}/events",
        "invitations": sent.invitations,
        "join_links": sent.links,
        "is_moderator": decides,
        "cases": list_items(call, player)[0] if decides else (),
        "undoable": list_undoable(call, player) if decides else (),
    }


# The forms of a seat's page. Each submits the same command as a mail.

_LONGEST_TEXT = 2000
_LONGEST_PLAN = 8000
DONE = {
    "move": phrase("Played."),
    "resign": phrase("You have resigned."),
    "propose": phrase("You have proposed a draw."),
    "undo": phrase("You have asked to take back your move."),
    "accept": phrase("Accepted."),
    "reject": phrase("Rejected."),
    "decline": phrase("Declined."),
    "cancel": phrase("You have proposed to cancel the board."),
    "rematch": phrase("A new board starts: its mail brings the link."),
    "queue": phrase("Your plan is changed."),
    "plan": phrase("Your plan is changed."),
    "note": phrase("Your notes are changed."),
    "chat": phrase("Passed on."),
}
"""What can be done here, and what the page says afterwards."""
_WITH_TEXT = (
    "move",
    "resign",
    "chat",
    "accept",
    "decline",
    "reject",
    "propose",
    "undo",
    "plan",
    "note",
)
_WITH_REST = ("move", "queue")
_NEEDED = {
    "plan": phrase("Nothing was done: write a plan, or none to clear it."),
    "note": phrase("Nothing was done: write a note, or none to remove those at this position."),
    "chat": phrase("Nothing was done: write what the others are to read."),
}
"""What the page says to a form without the text that it is about."""
ON_PRESENT_POSITION = (
    "move",
    "resign",
    "undo",
    "accept",
    "reject",
    "decline",
    "cancel",
    "queue",
    "plan",
    "note",
)
"""What is meant for the board as the page showed it, and not done when it has changed."""
_ENDS = ("resign", "cancel")
"""What a box must be ticked for."""
_ON_PAGE = ("plan", "note")
"""What nobody else is told of, and what the page itself shows: no mail says so."""
_NUMBER = "%NUMBER%"
"""Stands for the number of a board's last entry in forms that are kept for all boards."""


def list_acts(board: Board, seat: int) -> frozenset[str]:
    """Return the acts for which the page has a form."""
    return frozenset(filter(is_verb, _list_acts(board, seat)))


def _list_acts(board: Board, seat: int) -> Iterable[str]:
    own = board.seats[seat]
    if board.state == "over":
        return {"rematch", "chat"}
    if board.state == "invited":
        return {"decline", "chat"} if own.accepted else {"accept", "decline", "chat"}
    if board.state != "running":
        return ()
    acts = {"note"} if board.position.press else {"chat", "note"}
    if seat not in board.position.playing:
        return acts
    acts |= {"resign", "propose", "cancel", "plan"}
    acts.add("undo" if own.moved else "decline")
    if seat not in board.position.to_move:
        acts.add("queue")
    is_asked = any(seat not in by for by in board.proposals.values())
    return acts | ({"accept", "reject"} if is_asked else set())


def write_forms(acts: frozenset[str], number: int, typed: Mapping[str, str], language: str) -> str:
    """Return the forms for these acts, as HTML, for a board whose log's last entry has that number,
    for a reader of that language. `typed` is what they begin with, by act."""
    if not acts:
        return ""
    if typed:
        return _render_forms(acts, str(number), typed, language)
    return _write_empty_forms(acts, language).replace(_NUMBER, str(number))


def write_chat(typed: Mapping[str, str], language: str) -> str:
    """Return the form that writes to the others, as HTML; `typed` is as for the other forms."""
    return render("_chat.html", {"typed": typed.get("chat", "")}, language)


@cache
def _write_empty_forms(acts: frozenset[str], language: str) -> str:
    return _render_forms(acts, _NUMBER, {}, language)


def _render_forms(
    acts: frozenset[str], number: str, typed: Mapping[str, str], language: str
) -> str:
    values = {
        "can": acts,
        "number": number,
        "on_present_position": ON_PRESENT_POSITION,
        "typed": typed,
    }
    return render("_forms.html", values, language)


def build_command(
    board: Board, player: Player, verb: str, rest: str = "", text: str = ""
) -> Command:
    """Return the command that a mail with these words would contain."""
    return Command(
        get_verb(verb),
        Sender(via="web", player=player.id, seat_at=board.id),
        game=board.game.info.name if get_verb(verb).game != "no" else "",
        board=board.id if get_verb(verb).has_board else 0,
        user=player.userid,
        words=tuple(rest.split()),
        rest=rest,
        text=text,
    )


def act(site: Site, link: Link, form: Mapping[str, str]) -> Click | None:
    """Submit what a form asks for. None for a link that opens nothing."""
    verb = form.get("do", "")
    if verb not in DONE:
        return Click(problem=phrase("This page has no such form."))
    if verb in _ENDS and form.get("sure") != "yes":
        return Click(
            problem=phrase("Nothing was done: tick the box beside {verb} to confirm.", verb=verb)
        )
    rest = " ".join(form.get("rest", "")[:_LONGEST_TEXT].split()) if verb in _WITH_REST else ""
    text = form.get("text", "").replace("\r\n", "\n") if verb in _WITH_TEXT else ""
    if verb in _NEEDED and not text.strip():
        return Click(problem=_NEEDED[verb])
    longest = _LONGEST_PLAN if verb == "plan" else _LONGEST_TEXT
    if len(text) > longest:
        return Click(
            problem=phrase(
                "Nothing was done: the text is longer than {most} characters.", most=longest
            )
        )
    number = form.get("number", "")
    now = site.clock()
    with site.store.reading() as session:
        opened = open_seat(session, site.secrets, link, now)
        if opened is None:
            return None
        command = build_command(opened.board, opened.player, verb, rest, text)
        command = clicks.verify(site, session, command, now)

    def execute(session: Session) -> Click | None:
        opened = open_seat(session, site.secrets, link, now, lock=True)
        if opened is None:
            return None
        if verb in ON_PRESENT_POSITION and number != str(opened.board.number):
            return Click(
                problem=phrase("Nothing was done: the board has changed since this page was made.")
            )
        policy = send_nothing if verb in _ON_PAGE else send_unless_refused
        _, problem = clicks.execute(site, session, command, policy, now)
        return Click(problem=problem) if problem else Click(done=verb)

    return clicks.commit(site, execute)


# The part of a board's page that shows its analysis.

_WIDTH = 300


@dataclass(frozen=True, slots=True)
class AnalysisSection:
    """An analysis, its curve as the points of a line in SVG, and the same in sentences."""

    view: AnalysisView
    line: str
    words: Sequence[str]


def build_analysis_section(session: Session, board: Board) -> AnalysisSection | None:
    """Return the analysis of a board; None without one."""
    analysis = find_valid_analysis(session, board)
    if analysis is None:
        return None
    view = build_analysis_view(board, analysis)
    last = max(1, len(view.points) - 1)
    line = " ".join(
        f"{_WIDTH * place // last},{100 - share}" for place, (_, share) in enumerate(view.points)
    )
    return AnalysisSection(view, line, tuple(say_curve(view)))

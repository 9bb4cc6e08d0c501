"""The page behind the link of a seat: the board, a move composed by clicks, and forms for what else
its player can do; and the page of all boards of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbm.core.board import Board, format_time, name_anonymous
from pbm.core.command import Command
from pbm.core.links import Link, make_seat_link, open_player, open_seat
from pbm.core.plans import summarize_plan
from pbm.core.refusal import Refusal
from pbm.core.storing import find_title
from pbm.core.words import get_verb
from pbm.features.accounts.inviting import list_sent
from pbm.features.accounts.preferences import list_choices
from pbm.features.finding.game_page import build_board_page
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads.board_rows import find_chats
from pbm.store.reads.player_rows import find_blocked
from pbm.store.tables import BoardRow
from pbm.store.transaction import SeatedRow, Session
from pbm.web.analysis_section import build_analysis_section
from pbm.web.board_lists import list_players
from pbm.web.board_pictures import build_query, draw_board, is_open_to_tries
from pbm.web.languages import choose_language
from pbm.web.seat_forms import DONE, build_command, list_acts, write_chat, write_forms
from pbm.web.site import VISITOR, Site

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
        "plan": summarize_plan(board.seats[seat].current_plan, is_whole=True),
        "analysis": build_analysis_section(session, board),
        "chats": [] if at is not None else _list_chats(session, board, seat),
    }
    return SeatPage(values, drawing.style, language, is_refused=bool(problem))


def _list_chats(session: Session, board: Board, seat: int) -> list[tuple[str, str, str]]:
    """Return what was written at the board lately: who, when in the zone of the seat's player, and
    the text, cut where it is very long. Those whom a player blocks who has not agreed to play are
    left out."""
    reader = board.seats[seat]
    blocked = set[str]()
    if not board.has_agreed(reader.player):
        blocked = {*find_blocked(session, reader.player).values()}
    return [
        (
            row.userid,
            format_time(row.at, reader.preferences),
            row.text if len(row.text) <= _LONGEST_CHAT else f"{row.text[:_LONGEST_CHAT]} …",
        )
        for row in find_chats(session, board.id, _MOST_CHATS)
        if row.userid not in blocked
    ]


def _keep_typed(form: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return what was typed into a form, by what the form does."""
    if not form or form.get("do") == "move":
        return {}
    return {form.get("do", ""): form.get("text", "") or form.get("rest", "")}


def _name_seats(row: BoardRow, seats: Sequence[SeatedRow]) -> Sequence[str]:
    """Return the userids of the seats, or what an anonymous board has in place of them."""
    if row.anonymous:
        return name_anonymous(row.game, row.players, row.options)
    return [seat.userid for seat in seats]


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
    for row in rows:
        seats = reads.find_seats(session, row.id)
        own = [seat for seat in seats if seat.player_id == player.id]
        on_move = {int(seat) for seat in row.to_move.split(",") if seat}
        seat = max(own, key=lambda each: (each.seat in on_move, -each.seat)).seat
        lines.append(
            {
                "board": row.id,
                "title": find_title(row.game),
                "names": [
                    (name, row.state == "running" and each.seat in on_move)
                    for name, each in zip(_name_seats(row, seats), seats, strict=True)
                ],
                "ply": row.ply + 1,
                "waits": seat in on_move and row.state == "running",
                "state": row.state,
                "link": make_seat_link(site.secrets, row.id, seat, player.binding, addresses),
            }
        )
    sent = list_sent(call, player)
    lines.sort(key=lambda line: (not line["waits"], line["board"]))
    return {
        "language": choose_language(player.preferences, site.config.server.language),
        "userid": player.userid,
        "address": site.config.server.address,
        "lines": lines,
        "preferences": list_choices(player.preferences),
        "calendar": f"{link.name}-{link.key}.ics",
        "events": f"{link.name}-{link.key}/events",
        "invitations": sent.invitations,
        "join_links": sent.links,
    }

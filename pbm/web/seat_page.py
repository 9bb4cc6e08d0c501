"""The page behind the link of a seat: the board, a move composed by clicks, and forms for what else
its player can do; and the page of all boards of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from pbm.core.commands.moves import try_moves
from pbm.core.model.board import Board
from pbm.core.model.refusal import Refusal
from pbm.core.service.secret_links import (
    Link,
    make_player_link,
    make_seat_link,
    open_player,
    open_seat,
)
from pbm.core.views.board_page import BoardPage, build_board_page
from pbm.core.views.plan_view import summarize_plan
from pbm.rules import Position
from pbm.rules.composition import Composition
from pbm.rules.drawing.scene import Mark
from pbm.store import reads
from pbm.store.transaction import Session
from pbm.web.board_pictures import draw_board
from pbm.web.seat_forms import DONE, build_command, list_acts
from pbm.web.site import Site

_MOST_BOARDS = 100
_MOST_STEPS = 60
_MOST_BUTTONS = 24
"""Where more steps can follow, those that are places are links on the board alone."""
_TURNED = ("chess", "xiangqi", "shogi")
"""Styles of boards that each player sees from the own side."""


@dataclass(frozen=True, slots=True)
class SeatPage:
    """The values of the template, and the style sources that its picture needs."""

    values: Mapping[str, object]
    style: str
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
    """The page of a seat, after the `chosen` steps of a move, or as the board was after `at` moves.
    `problem` says why nothing came of `form`, whose text stays. None for a link that does not (or
    no longer) open a page."""
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
    is_turn = at is None and board.state == "running" and seat in board.position.to_move
    chosen = tuple(chosen[:_MOST_STEPS]) if is_turn else ()
    composition = board.position.compose(seat, chosen) if is_turn else Composition()
    if chosen and not (composition.next or composition.move):
        chosen, composition = (), board.position.compose(seat)
        problem = problem or "The board has changed: choose your move again."
    places = {place.name for place in page.scene.places}
    preview = _preview(board, seat, composition.move)
    if preview is not None:
        shown = preview.scene(seat, (composition.move,))
        page = replace(page, scene=shown, words=preview.words(seat))
    else:
        marks = (Mark((step,), "chosen") for step in composition.steps if step in places)
        page = replace(page, scene=replace(page.scene, marks=(*page.scene.marks, *marks)))
    links = {step: _url(*chosen, step) for step in composition.next if step in places}
    svg, style = draw_board(page, links, is_turned=_is_turned(page, seat))
    addresses = reads.find_addresses(session, player.id)
    values = {
        "page": page,
        "view": page.view,
        "svg": svg,
        "words": page.words,
        "link": f"{link.name}-{link.key}",
        "home": f"u/{make_player_link(site.secrets, player, addresses)}",
        "number": board.number,
        "is_turn": is_turn,
        "composition": composition,
        "buttons": [
            (step, _url(*chosen, step))
            for step in composition.next
            if step not in links or len(composition.next) <= _MOST_BUTTONS
        ],
        "chosen": chosen,
        "back": _url(*chosen[:-1]),
        "is_preview": preview is not None,
        "at": at,
        "ply": board.ply,
        "can": list_acts(board, seat),
        "done": DONE.get(done, ""),
        "problem": problem,
        "typed": _keep_typed(form or {}),
        "plan": summarize_plan(board.seats[seat].current_plan, is_whole=True),
    }
    return SeatPage(values, style, is_refused=bool(problem))


def _keep_typed(form: Mapping[str, str]) -> Mapping[str, str]:
    """What was typed into a form, by what the form does."""
    do = form.get("do", "")
    return {do: form.get("text", "") or form.get("rest", "")} if do != "move" else {}


def _url(*steps: str) -> str:
    return "?" + "&".join(f"m={quote(step, safe='')}" for step in steps)


def _is_turned(page: BoardPage, seat: int) -> bool:
    return page.scene.style in _TURNED and seat == 1


def _preview(board: Board, seat: int, move: str) -> Position | None:
    """The position that a move leads to, up to the first chance; None while there is no move, and
    where the position would show what is hidden."""
    if not move or board.is_hidden:
        return None
    try:
        return try_moves(board, seat, move)[0]
    except Refusal:
        return None


def build_player_page(site: Site, session: Session, link: Link) -> Mapping[str, object] | None:
    """The open boards of a player, those that wait first, each with its link; None for a link that
    opens nothing."""
    player = open_player(session, site.secrets, link)
    if player is None:
        return None
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
                "game": row.game,
                "names": ", ".join(each.userid for each in seats),
                "waits": seat in on_move and row.state == "running",
                "state": row.state,
                "link": make_seat_link(site.secrets, row.id, seat, player.password, addresses),
            }
        )
    lines.sort(key=lambda line: (not line["waits"], line["board"]))
    return {
        "userid": player.userid,
        "lines": lines,
        "calendar": f"{link.name}-{link.key}.ics",
    }

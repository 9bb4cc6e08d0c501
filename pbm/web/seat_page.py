"""The page of a seat, behind its link or among the player's own pages: the board, a move composed
by clicks, and forms for the player's other acts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbm.core.board import Board, format_time, is_open_to_tries
from pbm.core.call import Call
from pbm.core.links import open_own_seat
from pbm.core.log_view import list_own_lines
from pbm.core.refusal import Refusal
from pbm.core.turns import list_acts
from pbm.core.words import is_verb
from pbm.features.finding.game_page import BoardPage, build_board_page
from pbm.features.finding.players import find_waiting_boards
from pbm.features.talk.rows import find_chats
from pbm.rules.phrases import phrase
from pbm.store.reads import find_blocked
from pbm.web.answers import Visit, WebPage
from pbm.web.board_lists import build_analysis_section, list_players
from pbm.web.board_pictures import build_query, draw_board
from pbm.web.public_pages import build_board
from pbm.web.verb_forms import Field, VerbForm

_MOST_CHATS = 10
_MOST_LETTERS = 40
_LONGEST_CHAT = 1000
_MOST_BUTTONS = 24
"""With more possible steps than this, places are links on the board only."""
GROUPS = (
    ("", ("accept", "reject", "rematch")),
    (phrase("End the phase, vote"), ("ready", "wait", "vote")),
    (phrase("Plan your next moves"), ("queue", "plan")),
    (phrase("Write a note for yourself"), ("note",)),
    (
        phrase("Take back, draw, resign or cancel"),
        ("undo", "propose", "decline", "resign", "cancel"),
    ),
)
"""The forms of a seat's page, with the title under which they are folded, or none."""


def build_seat(visit: Visit) -> WebPage | None:
    """Return the page of a seat; None for a position that does not exist."""
    if visit.board is None or visit.link is None:
        return None
    return _build(visit, visit.board, visit.link.seat)


def build_own_board(visit: Visit) -> WebPage | None:
    """Return a board among the player's own pages: as a seat's page if the player has one, else as
    a spectator's; None if there is nothing to see."""
    opened = open_own_seat(visit.session, visit.me, visit.path["board"])
    return _build(visit, *opened) if opened is not None else build_board(visit)


def _build(visit: Visit, board: Board, seat: int) -> WebPage | None:
    """Return the page of a seat, after the chosen steps of a move, or with the board after `ply`
    moves."""
    at, language = visit.at, visit.language
    board.seats[seat].read_as(visit.me.id)
    call = visit.call()
    try:
        page = build_board_page(call, board, seat, at)
    except Refusal:
        return None
    drawing = draw_board(visit.site, board, page, language, visit.query.getlist("m"))
    problem = visit.sent.problem
    if drawing.is_outdated:
        problem = problem or phrase("The board has changed: choose your move again.")
    chosen, composition = drawing.chosen, drawing.composition
    acts = list_forms(board, seat) if at is None else frozenset()
    letters = _list_letters(visit, board, page)
    powers = _list_partners(board, seat, letters) if at is None else ()
    partner = visit.query.get("with", "")
    partner = partner if partner in dict(powers) else ""
    letters = [each for each in letters if not partner or partner in _name_seats(board, each)]
    typed = {"press": {"reader": partner.lower()}} if partner else {}
    forms = {act: visit.form(act, board=board, typed=typed.get(act, {})) for act in acts}
    own = list_own_lines(visit.session, board, board.seats[seat], ply=board.ply, is_whole=True)
    is_turn = bool(composition.next or composition.move)
    values = {
        "page": page,
        "players": list_players(board, page.view, language),
        "view": page.view,
        "drawing": drawing,
        "explorer": write_explorer(visit, board) if is_open_to_tries(board) else "",
        "is_turn": is_turn,
        "buttons": [
            (step, build_query(*chosen, step))
            for step in composition.next
            if step not in drawing.places or len(composition.next) <= _MOST_BUTTONS
            if " " not in step or step.partition(" ")[0] not in forms
        ],
        "back": build_query(*chosen[:-1]),
        "composed": board.position.describe(seat, composition.move, seat)
        if composition.move
        else "",
        "at": at,
        "ply": board.ply,
        "compose": visit.form("move", board=board, move=composition.move),
        "type": visit.form("move", board=board, label=phrase("Play it as typed"))
        if is_turn
        else None,
        "orders": _build_orders(visit, board, seat) if at is None else None,
        "groups": list(_group(forms)),
        "talk": [forms[act] for act in ("chat", "press") if act in forms],
        "letters": letters,
        "powers": powers,
        "partner": partner,
        "problem": problem,
        "plan": own.get("plans", ()),
        "party": own.get("parties", ()) if at is None else (),
        "confer": [forms["confer"]] if "confer" in forms else [],
        "analysis": build_analysis_section(visit.session, board),
        "chats": [] if at is not None else _list_chats(call, board, seat),
        "waiting": None if is_turn else _find_next(visit, board),
    }
    return WebPage("seat.html", values, drawing.style)


def _build_orders(visit: Visit, board: Board, seat: int) -> VerbForm | None:
    """Return the form that orders all units of a seat at once, with a field for each; None where
    there is none. A unit whose field is unchanged keeps its order."""
    position = board.position
    units = position.list_orderable(seat) if board.state == "running" else ()
    if not units:
        return None
    label = phrase("Give these orders")
    form = visit.form("move", board=board, key="orders", label=label)
    whole, *others = form.fields
    chosen = whole.value.split("; ")
    moves = [
        Field(
            f"order-{unit.replace('/', '-')}",
            "move",
            unit.upper(),
            "choice",
            next((move for move in chosen if move in orders), ""),
            [
                ("", position.describe(seat, given, seat) if given else phrase("no order yet")),
                *((move, position.describe(seat, move, seat)) for move in sorted(orders)),
            ],
            problem="" if number else whole.problem,
        )
        for number, (unit, given, orders) in enumerate(units)
    ]
    return form._replace(fields=[*moves, *others])


def write_explorer(visit: Visit, board: Board) -> str:
    """Return the relative path from a board's page to its explorer."""
    is_seat = visit.link is not None and visit.link.board
    if is_seat and visit.link is not None:
        return f"{visit.link.name}-{visit.link.key}/try"
    return f"{board.id}/try"


def _group(forms: dict[str, VerbForm]) -> Iterable[tuple[str, list[VerbForm], bool]]:
    """Yield the forms by title; and whether one of them was just sent."""
    for title, acts in GROUPS:
        shown = [forms[act] for act in acts if act in forms]
        if shown:
            yield title, shown, any(each.is_sent for each in shown)


def _find_next(visit: Visit, board: Board) -> tuple[str, int] | None:
    """Return the game and number of the most urgent other board that waits, for visitors with the
    link of a player. The link of a seat leads to no other board."""
    if not visit.home:
        return None
    rows = find_waiting_boards(visit.call(), visit.me)
    return next(((row.game, row.board) for row in rows if row.board != board.id), None)


def _list_letters(visit: Visit, board: Board, page: BoardPage) -> Sequence[object]:
    """Return the press of the player on a board, each with `head`, `at` and `text`, in games with
    press: the latest, or that of the displayed phase."""
    if not (board.position.press and is_verb("press")):
        return ()
    content = visit.read("press", board.game.info.name, board=board.id)
    lines: Sequence[Any] = getattr(content, "lines", ())
    if page.at is None:
        return lines[-_MOST_LETTERS:]
    begin = page.earlier.ply if page.earlier else 0
    return [line for line in lines if begin < line.ply <= page.at]


def _list_partners(board: Board, seat: int, letters: Sequence[Any]) -> Sequence[tuple[str, int]]:
    """Return the powers that the player may write to or has letters from, each with the number of
    letters since the player last wrote to it."""
    if board.position.press not in ("white", "grey"):
        return ()
    names, since = board.position.seat_names, dict[str, int]()
    for each in letters:
        for name in _name_seats(board, each):
            since[name] = 0 if each.is_sent else since.get(name, 0) + 1
    playing = {names[each] for each in board.position.playing if each != seat}
    return [(name, since.get(name, 0)) for name in names if name in playing | set(since)]


def _name_seats(board: Board, letter: Any) -> Sequence[str]:
    return [board.position.seat_names[each] for each in letter.seats]


def _list_chats(call: Call, board: Board, seat: int) -> list[tuple[str, str, str]]:
    """Return the latest texts at a board: writer, time in the zone of the seat's player, and text,
    shortened if very long. Writers whom a player blocks who has not agreed to play are left out."""
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


def list_forms(board: Board, seat: int) -> frozenset[str]:
    """Return the acts for which the page has a form beside that of the move."""
    own = board.seats[seat]
    acts = {*list_acts(board, own)} - {"move"}
    return frozenset(filter(is_verb, acts | {"confer"} if own.decides else acts))

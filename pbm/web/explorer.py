"""Tries legal moves by clicks from any position of a board. The moves are in the URL: nothing is
stored, and nothing is tried where a game hides something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pbm.core.board import Board
from pbm.core.links import open_own_seat
from pbm.core.refusal import Refusal
from pbm.core.storing import find_title
from pbm.features.finding.game_page import BoardPage, build_board_page
from pbm.locale import translate
from pbm.locale.scenes import name_links, translate_scene
from pbm.rules import CHANCE, MoveError, Position
from pbm.rules.composition import Composition
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.phrases import phrase
from pbm.rules.turn_text import turn_text
from pbm.web.answers import Visit, WebPage
from pbm.web.board_pictures import THE_BOARD, is_open_to_tries, mark_chosen, with_style
from pbm.web.public_pages import load_board
from pbm.web.seat_page import list_acts

MOST_TRIED = 40
"""Moves that can be tried one after another."""
_MOST_STEPS = 60
_MOST_BUTTONS = 40
_LONGEST = 200
_LONGEST_ADDRESS = 1500
"""Characters of the moves in an address; a longer one is refused."""
_MOST_LINES = 12
_BETWEEN = "|"
"""What stands between the moves of a line in an address: in no game it is part of a move."""
_DEEPER = 4
"""Lines that branch off so many moves later are indented once more."""


class Tried(NamedTuple):
    """A move that is tried: whose, as it is stored, as people write it, and the position before."""

    seat: int
    move: str
    shown: str
    before: Position


def build_seat_explorer(visit: Visit) -> WebPage | None:
    """Return the explorer of a seat, by its link; None where nothing can be tried."""
    if visit.board is None or visit.link is None:
        return None
    home = f"../{visit.link.name}-{visit.link.key}"
    return _build_own(visit, visit.board, visit.link.seat, home)


def build_own_explorer(visit: Visit) -> WebPage | None:
    """Return the explorer of a board among the player's own pages, as of a seat where the player
    has one; None where nothing can be tried."""
    number = visit.path["board"]
    opened = open_own_seat(visit.session, visit.me, number)
    if opened is None:
        return build_public_explorer(visit)
    return _build_own(visit, *opened, f"../{number}")


def _build_own(visit: Visit, board: Board, seat: int, home: str) -> WebPage | None:
    if not is_open_to_tries(board):
        return None
    try:
        page = build_board_page(visit.call(), board, seat, visit.at)
    except Refusal:
        return None
    values, style, tried = _build(board, page, visit)
    can_plan = visit.at is None and "plan" in list_acts(board, seat)
    plan = write_plan(tried, seat) if can_plan else ""
    form = visit.form("plan", board=board, text=plan, label=phrase("Make this my plan"))
    own = {"plan": plan, "form": form if plan else None, "home_of_board": home}
    return WebPage("try.html", {**values, **own}, style, is_secret=True)


def build_public_explorer(visit: Visit) -> WebPage | None:
    """Return the explorer of a spectator; None when there is no such board or position, and where
    nothing can be tried."""
    number = visit.path["board"]
    loaded = load_board(visit, number, visit.at)
    if loaded is None or not is_open_to_tries(loaded[0]):
        return None
    values, style, _ = _build(*loaded, visit)
    more = {"home_of_board": f"../{number}", "plan": "", "form": None}
    return WebPage("try.html", {**values, **more}, style, is_secret=True)


def _build(
    board: Board, page: BoardPage, visit: Visit
) -> tuple[Mapping[str, Any], str, list[Tried]]:
    """Return what all explorers show, the source of the picture's style, and the moves tried."""
    words, chosen = visit.query.getlist("t"), visit.query.getlist("m")
    language = visit.language
    position, tried = try_moves(page.position, words)
    is_cut = len(tried) < len(words)
    steps = () if is_cut else tuple(chosen[:_MOST_STEPS])
    composition = _compose(position, steps) if len(tried) < MOST_TRIED else Composition()
    if steps and not (composition.next or composition.move):
        is_cut, steps, composition = True, (), _compose(position, ())
    if composition.move and not composition.next:
        position, tried = try_moves(page.position, [*words, composition.move])
        steps, composition = (
            (),
            _compose(position, ()) if len(tried) < MOST_TRIED else Composition(),
        )
    moves = [each.move for each in tried]
    others = read_lines(visit.query.getlist("v"), moves)

    def link(line: Sequence[str], steps: Sequence[str] = ()) -> str:
        return write_query(page.at, line, steps, others)

    scene = position.scene(page.viewer, tuple(moves[-1:]) or tuple(page.last))
    places = {place.name for place in scene.places}
    scene = mark_chosen(scene, composition.steps)
    links = {step: link(moves, (*steps, step)) for step in composition.next if step in places}
    svg, style = with_style(
        draw_svg(
            translate_scene(scene, language),
            page.view.colours,
            title=f"{translate(find_title(page.view.game), language)} {page.view.board}",
            links=links,
            names=name_links(scene, page.view.colours, links, language),
            is_turned=position.turns_board and page.viewer == 1,
            label=translate(THE_BOARD, language),
        )
    )
    shown = [step for step in composition.next if step not in links or len(links) <= _MOST_BUTTONS]
    values = {
        "page": page,
        "view": page.view,
        "svg": svg,
        "words": translate(position.words(page.viewer, tuple(moves[-1:])), language),
        "at": page.at,
        "start": write_query(page.at, (), ()),
        "tried": tried,
        "tree": build_tree(board, page, moves, others),
        "back": link(moves, steps[:-1]) if steps else link(moves[:-1]),
        "steps": steps,
        "composed": composition,
        "buttons": [(step, link(moves, (*steps, step))) for step in shown[:_MOST_BUTTONS]],
        "finish": link([*moves, composition.move]) if composition.move else "",
        "chance": [(each, link([*moves, each])) for each in _list_outcomes(position, len(moves))],
        "is_cut": is_cut,
        "is_full": len(tried) >= MOST_TRIED,
        "is_over": position.outcome is not None,
        "has_places": bool(links),
    }
    return values, style, tried


def try_moves(position: Position, words: Sequence[str]) -> tuple[Position, list[Tried]]:
    """Return the position after these moves and rolls, as far as they are legal, and what was
    played."""
    tried = list[Tried]()
    for move in words[:MOST_TRIED]:
        if not position.to_move or len(move) > _LONGEST:
            break
        seat = min(position.to_move)
        try:
            following = position.play(seat, move)
        except MoveError:
            break
        tried.append(Tried(seat, move, position.describe(seat, move), position))
        position = following
    return position, tried


def _compose(position: Position, steps: Sequence[str]) -> Composition:
    """Return how far the steps have led; nothing to choose where chance decides or the game is
    over."""
    if not position.to_move or CHANCE in position.to_move:
        return Composition()
    return position.compose(min(position.to_move), steps)


def _list_outcomes(position: Position, tried: int) -> list[str]:
    """Return what chance may answer; none where that is much."""
    question = position.chance
    if question is None or tried >= MOST_TRIED:
        return []
    outcomes = list(dict.fromkeys(question.outcomes))
    return outcomes if len(outcomes) <= _MOST_BUTTONS else []


def write_query(
    at: int | None,
    moves: Sequence[str],
    steps: Sequence[str],
    others: Sequence[Sequence[str]] = (),
) -> str:
    """Return the relative URL of the explorer at a position, with moves tried, steps chosen and
    other lines that were tried, as many as an address may name; there the board comes into
    view."""
    place = [] if at is None else [("at", str(at))]
    pairs = [*(("t", move) for move in moves), *(("m", step) for step in steps)]
    own = urlencode(pairs)
    lines = list[tuple[str, str]]()
    for line in others:
        pair = ("v", _BETWEEN.join(line))
        if len(own) + len(urlencode([*lines, pair])) > _LONGEST_ADDRESS:
            break
        lines.append(pair)
    return f"?{urlencode([*place, *lines, *pairs])}#board"


# The tree of what was tried: the present line, and others that branch off it or off each other.


class TreeLine(NamedTuple):
    """A line of the tree: how deep it is indented, and its moves from where it branches off, each
    with who makes it, its address, and whether it leads to the position that is shown."""

    depth: int
    moves: Sequence[tuple[str, str, str, bool]]


def read_lines(texts: Sequence[str], moves: Sequence[str]) -> list[tuple[str, ...]]:
    """Return other lines than the present one, none of which another continues."""
    lines = [tuple(text.split(_BETWEEN)[:MOST_TRIED]) for text in texts[:_MOST_LINES] if text]
    return _drop_beginnings([*dict.fromkeys(lines)], tuple(moves))


def _drop_beginnings(
    lines: Sequence[tuple[str, ...]], present: tuple[str, ...]
) -> list[tuple[str, ...]]:
    every = [*lines, present]
    return [
        line
        for line in lines
        if line != present and not any(each != line and each[: len(line)] == line for each in every)
    ]


def build_tree(
    board: Board, page: BoardPage, moves: Sequence[str], others: Sequence[tuple[str, ...]]
) -> list[TreeLine]:
    """Return the lines that were tried, the present one first, each further one where it branches
    off. A move leads to its position, with all that was tried."""
    present = tuple(moves)
    lines = [line for line in (present, *others) if line]
    tree = list[TreeLine]()
    for number, line in enumerate(lines):
        _, tried = try_moves(page.position, line)
        if len(tried) < len(line):
            continue
        begin = max((_count_shared(line, each) for each in lines[:number]), default=0)
        depth = 0 if not number else 1 + begin // _DEEPER
        shown = []
        for place, each in enumerate(tried[begin:], begin + 1):
            kept = _drop_beginnings(lines, line[:place])
            url = write_query(page.at, line[:place], (), kept)
            who = "" if each.seat == CHANCE else board.seats[each.seat].userid
            shown.append((who, each.shown, url, line[:place] == present))
        tree.append(TreeLine(depth, shown))
    return tree


def _count_shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return with how many moves both lines begin."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def write_plan(tried: Sequence[Tried], seat: int) -> str:
    """Return the moves that were tried as a branch of a plan: on the seat's own turn, what comes
    after it. "" where they hold no answer of the seat's, or chance decides on the way."""
    turns = [
        (each, list(moves))
        for each, moves in groupby(tried, lambda one: (one.seat, one.before.turn))
    ]
    if turns and turns[0][0][0] == seat:
        turns = turns[1:]
    while turns and turns[-1][0][0] != seat:
        turns = turns[:-1]
    if any(who == CHANCE for (who, _), _ in turns):
        return ""
    return " ".join(
        f"{'then' if who == seat else 'if'} "
        + turn_text(moves[0].before, who, [each.move for each in moves])
        for (who, _), moves in turns
    )

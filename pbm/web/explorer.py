"""Tries legal moves by clicks from any position of a board. The moves are in the URL; variations
that a player saves are in the seat. Games with hidden information have none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pbm.core.board import (
    BETWEEN,
    MOST_TRIED,
    Board,
    Line,
    add_line,
    find_kept,
    is_open_to_tries,
    read_variations,
)
from pbm.core.links import open_own_seat
from pbm.core.log import build_entry, drop_undone
from pbm.core.refusal import Refusal
from pbm.core.storing import find_title
from pbm.core.words import is_verb
from pbm.features.finding.game_page import BoardPage, build_board_page
from pbm.locale import translate
from pbm.locale.scenes import name_links, translate_scene
from pbm.rules import CHANCE, MoveError, Position
from pbm.rules.composition import Composition
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.phrases import phrase
from pbm.rules.turn_text import turn_text
from pbm.store import reads
from pbm.web.answers import Visit, WebPage
from pbm.web.board_pictures import THE_BOARD, mark_chosen, with_style
from pbm.web.public_pages import load_board
from pbm.web.seat_page import list_forms

_MOST_STEPS = 60
_MOST_BUTTONS = 40
_LONGEST = 200
_LONGEST_ADDRESS = 1500
"""The most characters of the moves in an address."""
_MOST_LINES = 12


class Tried(NamedTuple):
    """A tried move: its seat, its stored and its displayed text, and the position before."""

    seat: int
    move: str
    shown: str
    before: Position

    def play(self) -> Position:
        """Return the position after it."""
        return self.before.play(self.seat, self.move)


def build_seat_explorer(visit: Visit) -> WebPage | None:
    """Return the explorer of a seat, by its link; None where nothing can be tried."""
    if visit.board is None or visit.link is None:
        return None
    home = f"../{visit.link.name}-{visit.link.key}"
    return _build_own(visit, visit.board, visit.link.seat, home)


def build_own_explorer(visit: Visit) -> WebPage | None:
    """Return the explorer of a board among the player's own pages, as of a seat if the player has
    one; None where nothing can be tried."""
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
    can_keep = board.state == "running" and is_verb("variations")
    kept = read_variations(board.seats[seat].tried) if can_keep else []
    ply = board.ply if visit.at is None else visit.at
    here = find_kept(kept, ply, _list_played(visit, board) if kept else ())
    values, style, tried = _build(board, page, visit, here)
    explored = values["explored"]
    can_plan = visit.at is None and "plan" in list_forms(board, seat)
    plan = write_plan(tried, seat) if can_plan else ""
    form = visit.form("plan", board=board, text=plan, label=phrase("Make this my plan"))
    own: dict[str, object] = {
        "plan": plan,
        "form": form if plan else None,
        "home_of_board": home,
        "keep": None,
        "remove": None,
        "place": explored.write_link(explored.line),
        "place_before": explored.leave(),
        "elsewhere": sorted({each.ply for each in kept} - {ply}),
        "is_shared": bool(board.seats[seat].decides),
    }
    if can_keep and set(explored.lines) - set(here):
        text = write_variations(ply, explored.lines)
        own["keep"] = visit.form("variations", board=board, text=text, key="keep")
    begun = [line for line in here if line[: len(explored.line)] == explored.line]
    if begun and all((ply, line) in kept for line in begun):
        own["remove"] = visit.form(
            "variations",
            board=board,
            key="remove",
            text=f"none {write_variations(ply, [explored.line])}",
            label=phrase("Keep these no longer") if explored.line else phrase("Keep none of these"),
        )
    return WebPage("try.html", {**values, **own}, style, is_secret=True)


def _list_played(visit: Visit, board: Board) -> list[tuple[int, str]]:
    """Return the moves and rolls of a board, each with its ply."""
    log = drop_undone(map(build_entry, reads.find_log(visit.session, board.id)))
    return [(entry.ply, entry.move) for entry in log if entry.kind in ("move", "chance")]


def build_public_explorer(visit: Visit) -> WebPage | None:
    """Return the explorer of a spectator; None when there is no such board or position, or nothing
    can be tried."""
    number = visit.path["board"]
    loaded = load_board(visit, number, visit.at)
    if loaded is None or not is_open_to_tries(loaded[0]):
        return None
    values, style, _ = _build(*loaded, visit, ())
    none = {"plan": "", "form": None, "keep": None, "remove": None, "elsewhere": ()}
    values = {**values, **none, "home_of_board": f"../{number}"}
    return WebPage("try.html", values, style, is_secret=True)


def _build(
    board: Board, page: BoardPage, visit: Visit, kept: Sequence[Line]
) -> tuple[Mapping[str, Any], str, list[Tried]]:
    """Return the values of all explorers' pages, the CSP source of the picture's style, and the
    tried moves."""
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
    moves = tuple(each.move for each in tried)
    lines = list(kept)
    for line in (*read_lines(visit.query.getlist("v")), moves):
        lines = add_line(lines, line)
    explored = Explored(board, page, moves, lines, kept)
    link = explored.write_link
    scene = position.scene(page.viewer, moves[-1:] or tuple(page.last))
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
        "words": translate(position.words(page.viewer, moves[-1:]), language),
        "at": page.at,
        "start": write_query(page.at, (), ()),
        "tried": tried,
        "explored": explored,
        "tree": explored.list_tree(),
        "back": link(moves, steps[:-1]) if steps else link(moves[:-1]),
        "steps": steps,
        "composed": composition,
        "buttons": [(step, link(moves, (*steps, step))) for step in shown[:_MOST_BUTTONS]],
        "finish": link((*moves, composition.move)) if composition.move else "",
        "chance": [(each, link((*moves, each))) for each in _list_outcomes(position, len(moves))],
        "is_cut": is_cut,
        "is_full": len(tried) >= MOST_TRIED,
        "is_over": position.outcome is not None,
        "has_places": bool(links),
    }
    return values, style, tried


def try_moves(position: Position, words: Sequence[str]) -> tuple[Position, list[Tried]]:
    """Return the position after these moves and rolls, as far as they are legal, and the moves
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
    """Return the state of the move after the steps; without choices where chance decides or the
    game is over."""
    if not position.to_move or CHANCE in position.to_move:
        return Composition()
    return position.compose(min(position.to_move), steps)


def _list_outcomes(position: Position, tried: int) -> list[str]:
    """Return the possible answers of chance; none where there are too many."""
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
    """Return the relative URL of the explorer at a position, with tried moves, chosen steps and
    other tried lines, as many as fit; scrolled to the board."""
    place = [] if at is None else [("at", str(at))]
    pairs = [*(("t", move) for move in moves), *(("m", step) for step in steps)]
    own = urlencode(pairs)
    lines = list[tuple[str, str]]()
    for line in others:
        pair = ("v", BETWEEN.join(line))
        if len(own) + len(urlencode([*lines, pair])) > _LONGEST_ADDRESS:
            break
        lines.append(pair)
    return f"?{urlencode([*place, *lines, *pairs])}#board"


# The tree of what was tried: the present line, and others that branch off it or off each other.


class TreeMove(NamedTuple):
    """A move of the tree: its number at the beginning of a line, its player, its address, and
    whether it leads to the displayed position."""

    number: int | None
    who: str
    shown: str
    url: str
    is_here: bool


class TreeLine(NamedTuple):
    """A line of the tree: its indentation, and its moves from the branching point on."""

    depth: int
    moves: Sequence[TreeMove]


class Explored(NamedTuple):
    """Lines tried from the position of a page: the one that leads to the displayed position, and
    all lines in order of appearance, of which these are `kept` for a seat."""

    board: Board
    page: BoardPage
    line: Line
    lines: Sequence[Line]
    kept: Sequence[Line]

    def write_link(self, line: Line, steps: Sequence[str] = ()) -> str:
        """Return the address of another position, with chosen steps of a move, that preserves all
        tried lines."""
        others = [each for each in self.lines if each not in self.kept]
        if others and others[-1] == line:
            others.pop()
        return write_query(self.page.at, line, steps, others)

    def leave(self) -> str:
        """Return the address of the position before, without what was tried after it."""
        line = self.line
        others = [each for each in self.lines if each not in self.kept]
        left = [each for each in others if each[: len(line)] != line]
        return write_query(self.page.at, line[:-1], (), left)

    def list_tree(self) -> list[TreeLine]:
        """Return the lines as a tree: each further one below the one that it branches off."""
        played = dict[Line, Tried]()
        legal = [line for line in self.lines if _try_line(self.page.position, line, played)]
        return [
            TreeLine(depth, [self._build_move(line[:end], begin, played) for end in ends])
            for depth, begin, line in _branch(legal, 0, 0)
            if (ends := range(begin + 1, len(line) + 1))
        ]

    def _build_move(self, line: Line, begin: int, played: Mapping[Line, Tried]) -> TreeMove:
        tried = played[line]
        who = "" if tried.seat == CHANCE else self.board.seats[tried.seat].userid
        first = self.board.ply if self.page.at is None else self.page.at
        made = sum(played[line[:end]].seat != CHANCE for end in range(1, len(line) + 1))
        number = first + made if len(line) == begin + 1 and tried.seat != CHANCE else None
        return TreeMove(number, who, tried.shown, self.write_link(line), line == self.line)


def read_lines(texts: Sequence[str]) -> list[Line]:
    """Return the lines in an address besides the one that leads to the displayed position."""
    lines = list[Line]()
    for text in filter(None, texts[:_MOST_LINES]):
        lines = add_line(lines, tuple(text.split(BETWEEN)[:MOST_TRIED]))
    return lines


def _try_line(position: Position, line: Line, played: dict[Line, Tried]) -> bool:
    """Whether all moves of a line are legal. Each is added to `played`, shared by all lines that
    begin so."""
    for end, move in enumerate(line, 1):
        if line[:end] not in played:
            if end > 1:
                position = played[line[: end - 1]].play()
            _, tried = try_moves(position, [move])
            if not tried:
                return False
            played[line[:end]] = tried[0]
    return True


def _branch(lines: Sequence[Line], begin: int, depth: int) -> Iterator[tuple[int, int, Line]]:
    """Yield lines that begin with the same moves: the first one, and below it its branches, each
    with its depth and branching point."""
    if not lines:
        return
    first, *others = lines
    yield depth, begin, first
    shared = [_count_shared(first, line) for line in others]
    for at in sorted({*shared}):
        group = [line for line, count in zip(others, shared, strict=True) if count == at]
        for move in dict.fromkeys(line[at] for line in group):
            yield from _branch([line for line in group if line[at] == move], at, depth + 1)


def _count_shared(one: Line, other: Line) -> int:
    """Return the number of moves that both lines share at the beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def write_variations(ply: int, lines: Sequence[Line]) -> str:
    """Return lines in the form that the command to save them reads."""
    return "\n".join(f"{ply}: {f' {BETWEEN} '.join(line)}" for line in lines)


def write_plan(tried: Sequence[Tried], seat: int) -> str:
    """Return the tried moves as a branch of a plan: on the seat's own turn, those that come after
    it. "" where they contain no answer of the seat, or chance decides on the way."""
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

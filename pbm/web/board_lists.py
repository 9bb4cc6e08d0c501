"""Lists of boards on pages, and the players and analysis beside a board's picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.board import Board
from pbm.core.notices import BoardView
from pbm.core.view import BoardSummary
from pbm.features.analysis.views import (
    AnalysisView,
    build_analysis_view,
    find_valid_analysis,
    say_curve,
)
from pbm.features.finding.notices import BoardList
from pbm.locale import translate
from pbm.rules import Position
from pbm.rules.drawing.svg.palette import Ink, ink_of
from pbm.rules.phrases import combine
from pbm.store.transaction import Session
from pbm.web.answers import Visit

_MOST = 20


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player at a board: userid, displayed name, remarks, the colour of the pieces, and whether
    it is the player's turn. An official has no seat, so no userid or colour; on an anonymous board
    nobody has a userid."""

    userid: str
    name: str
    notes: str
    ink: Ink | None
    is_on_move: bool


def list_boards(
    visit: Visit, verb: str, game: str = "", words: Sequence[str] = (), most: int = _MOST
) -> Sequence[BoardSummary]:
    """Return the first boards of a list that a command shows."""
    content = visit.read(verb, game, words)
    return content.rows[:most] if isinstance(content, BoardList) else ()


def choose_live(boards: Sequence[BoardSummary], most: int) -> list[BoardSummary]:
    """Return the boards most worth a picture: of each game the board with most moves; then
    others."""
    longest = sorted(boards, key=lambda board: -board.ply)
    firsts = {board.game: board for board in reversed(longest)}
    chosen = [board for board in longest if board is firsts[board.game]]
    return [*chosen, *(board for board in longest if board not in chosen)][:most]


def list_players(board: Board, view: BoardView, language: str) -> list[ListedPlayer]:
    """Return the players of a board, followed by its officials, in a language."""
    on_move = board.position.to_move if board.state == "running" else ()
    players = []
    for number, line in enumerate(view.people):
        seat = board.seats[number]
        name = "" if line.name == line.player else line.name
        notes = combine("{name}, {notes}", name=name, notes=line.notes)
        players.append(
            ListedPlayer(
                "" if board.is_anonymous else seat.userid,
                line.player,
                translate(notes if name and line.notes else name or line.notes, language),
                ink_of(_find_role(board.position, number), view.colours, dark=False),
                number in on_move,
            )
        )
    players += [
        ListedPlayer("", userid, translate(what, language), None, False)
        for userid, what in view.officials
    ]
    return players


def _find_role(position: Position, seat: int) -> int:
    """Return the number of a seat's pieces, given by its name. Players who swap exchange names; the
    pieces stay."""
    name, colours = position.seat_names[seat], position.colours
    return colours.index(name) if name in colours else seat


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

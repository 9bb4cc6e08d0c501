"""The analysis of a board in words, and as a curve of characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbm.config import Config
from pbm.core.board import Board
from pbm.core.log import LogEntry, replay
from pbm.core.notices import BoardUpdate, GameContent, Notice
from pbm.core.view import describe_state
from pbm.features.analysis.queue import find_analysis
from pbm.games import get_game, list_game_names
from pbm.locale import Page, translate
from pbm.rules import Game, Position
from pbm.rules.phrases import combine, join_phrases, phrase
from pbm.store.tables import DONE
from pbm.store.transaction import Session

_KINDS = (
    (0.4, phrase("a decisive mistake")),
    (0.2, phrase("a serious mistake")),
    (0.1, phrase("a mistake")),
    (0.0, phrase("not the best")),
)
"""The names of turns, by how much they cost."""
_COLUMNS = 60
_ROWS = (100, 75, 50, 25, 0)
_MOST_SAID = 8


def build_analysis_view(board: Board, analysis: Analysis) -> AnalysisView:
    """Return the analysis in words, without boards."""
    return AnalysisView(
        by=analysis.by,
        turns=[_describe_turn(board, turn) for turn in analysis.turns],
        first=board.seats[0].userid,
        points=[(number, _percent(share)) for number, share in analysis.curve],
        withheld=analysis.withheld,
    )


def _describe_turn(board: Board, turn: AnalysedTurn, shown: str = "") -> TurnView:
    mark = board.position.mark_letters
    return TurnView(
        number=turn.at + 1,
        userid=board.seats[turn.seat].userid,
        played=mark(turn.played),
        better=mark(turn.better),
        judgement=next(kind for least, kind in _KINDS if turn.before - turn.after >= least),
        before=_percent(turn.before),
        after=_percent(turn.after),
        board=shown,
    )


def _percent(share: float) -> int:
    return round(100 * share)


def build_analysis_shown(
    board: Board, analysis: Analysis, log: Sequence[LogEntry], viewer: int | None, *, in_words: bool
) -> AnalysisShown:
    """Return the analysis as a mail shows it to a seat, or a spectator (None), with the board
    before each turn. `log` is the board's log without undone entries."""
    turns = []
    for turn in analysis.turns:
        position = _rewind(board, log, turn.at)
        shown = position.words(viewer) if in_words else position.picture(viewer).text
        turns.append(_describe_turn(board, turn, shown))
    view = build_analysis_view(board, analysis)
    return AnalysisShown(
        game=board.game.info.name,
        board=board.id,
        title=board.game.info.title,
        result=describe_state(board, viewer),
        names=" ".join(seat.userid for seat in board.seats),
        view=AnalysisView(view.by, turns, view.first, view.points, view.withheld),
        curve=say_curve(view) if in_words else draw_curve(view),
        is_in_words=in_words,
        again=viewer is not None and board.event is None,
    )


def _rewind(board: Board, log: Sequence[LogEntry], ply: int) -> Position:
    """Return the position after `ply` moves, and the rolls that followed."""
    entries = [entry for entry in log if entry.ply <= ply]
    return replay(board.game, len(board.seats), board.options, entries)


def draw_curve(view: AnalysisView) -> list[str]:
    """Return the points as a curve, each column being one or more turns, with a mark below the
    turns that are shown."""
    points = _thin_out(view.points, _COLUMNS)
    if len(points) < 2:
        return []
    lines = []
    for row in _ROWS:
        dots = "".join("*" if _find_row(share) == row else " " for _, share in points)
        lines.append(f"{row:>5} |{dots}".rstrip())
    marked = {_find_column(points, turn.number) for turn in view.turns}
    marks = "".join("^" if column in marked else "-" for column in range(len(points)))
    axis = Page(partial(_write_axis, points[-1][0], len(points)))
    return [*lines, f"      +{marks}", axis]


def _write_axis(number: int, columns: int, language: str) -> str:
    """Return the line below the curve, from the first turn to the last."""
    last = translate(phrase("move {number}", number=number), language)
    return f"       1{last:>{max(columns - 1, len(last) + 1)}}"


def say_curve(view: AnalysisView) -> list[str]:
    """Return some of the points as a sentence."""
    points = _thin_out(view.points, _MOST_SAID)
    if len(points) < 2:
        return []
    said = [
        phrase("{share} percent after move {number}", share=share, number=number)
        for number, share in points
    ]
    return [combine("{points}.", points=join_phrases(", ", said))]


def _thin_out(points: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Return at most `most` of the points, evenly spaced, with the last one."""
    count = len(points)
    if count <= most:
        return list(points)
    return [points[(number + 1) * count // most - 1] for number in range(most)]


def _find_row(share: int) -> int:
    return min(_ROWS, key=lambda row: abs(row - share))


def _find_column(points: Sequence[tuple[int, int]], number: int) -> int:
    """Return the column of the turn in which a move was made."""
    return next((at for at, (after, _) in enumerate(points) if after >= number), len(points) - 1)


# Notices about the analysis of a board that is over.


class TurnView(Struct, frozen=True):
    """A turn that was analysed, for one reader.

    number          of its first move
    judgement       what kind of mistake it is, with its article
    before, after   what the player could expect, in percent
    board           the board before the turn, as text, or in words
    """

    number: int
    userid: str
    played: str
    better: str
    judgement: str
    before: int
    after: int
    board: str = ""


class AnalysisView(Struct, frozen=True):
    """An analysis in words.

    turns   those that changed the game most
    first   the userid of the first seat, whose chances `points` has: move by move, in
            percent; no points where there are more than two seats
    """

    by: str
    turns: Sequence[TurnView]
    first: str
    points: Sequence[tuple[int, int]]
    withheld: int


class AnalysisShown(GameContent, frozen=True, kw_only=True):
    """The analysis of a board. `curve` draws its points, or describes them in words. `again`: the
    reader may reply with a wish for a rematch."""

    is_told_alone = True

    board: int
    title: str
    result: str
    names: str
    view: AnalysisView
    curve: Sequence[str]
    is_in_words: bool
    again: bool = False

    def build_typed(self) -> AnalysisShown:
        """Return the same content without the reply."""
        return replace(self, again=False)


class AnalysisQueued(GameContent, frozen=True, kw_only=True):
    """The reader gets the analysis of a board later; `ahead` others come first. It is not made
    before the time `settles` ("": at once)."""

    is_told_alone = True

    board: int
    ahead: int
    settles: str = ""


class AnalysisFailed(GameContent, frozen=True, kw_only=True):
    """The analysis of a board has failed; with `goes_on` because it is being played again."""

    is_told_alone = True

    is_failure = True

    board: int
    goes_on: bool


# The analysis of a board as it is stored, and which boards may have one.


class AnalysedTurn(Struct, frozen=True):
    """A turn and the better one. `at` is the number of moves before it; `before` and `after` are
    the player's chances, from 0 to 1, after the better turn and after the one that was played."""

    at: int
    seat: int
    played: str
    better: str
    before: float
    after: float


class Analysis(Struct, frozen=True):
    """The result of an analysis.

    by        the userid of the engine that analysed, or "" for the server's own search
    turns     the costliest ones, the costliest first
    curve     where there are two seats, the first one's chances, move by move
    withheld  the number of turns left out because their positions stood on running boards
    """

    by: str
    turns: tuple[AnalysedTurn, ...]
    curve: tuple[tuple[int, float], ...] = ()
    withheld: int = 0


def find_valid_analysis(session: Session, board: Board) -> Analysis | None:
    """Return the analysis of a board; None before it is done, and once the board has gone on."""
    if board.state != "over":
        return None
    row = find_analysis(session, board.id)
    if row is None or row.state != DONE or row.number != board.number:
        return None
    return msgspec.json.decode(row.result, type=Analysis)


def add_to_record(session: Session, board: Board) -> dict[str, object]:
    """Return the analysis for the record of a board; {} if there is none."""
    analysis = find_valid_analysis(session, board)
    return {} if analysis is None else {"analysis": msgspec.to_builtins(analysis)}


# Whether a board can be analysed, and where players are told so.


def is_analysable(config: Config, game: Game, state: str, ply: int) -> bool:
    """Whether players may have a board of that game analysed."""
    bots, hides = config.bots, game.info.features & {"hidden", "sealed"}
    return state == "over" and ply > 0 and bots.enabled and bots.analysis_seconds > 0 and not hides


def add_to_mail(session: Session, notice: Notice, now: float, config: Config) -> Sequence[str]:
    """Return a line for the mail of a finished board that says how to have it analysed."""
    del session, now
    content = notice.content
    if not isinstance(content, BoardUpdate) or not content.view.is_seated:
        return ()
    view = content.view
    if view.state != "over" or view.game not in list_game_names():  # its package may be gone
        return ()
    if not is_analysable(config, get_game(view.game), "over", view.ply):
        return ()
    return (phrase("Where did it turn? Reply with analyse (help analyse)."),)

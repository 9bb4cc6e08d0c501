"""The part of a board's page that shows its analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.board import Board
from pbm.features.analysis.views import (
    AnalysisView,
    build_analysis_view,
    find_valid_analysis,
    say_curve,
)
from pbm.store.transaction import Session

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

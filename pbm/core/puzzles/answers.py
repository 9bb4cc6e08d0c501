"""Answers to puzzles: whether a move is the only one that wins, and how the game would go on."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.core.kernel.boards.anonymous import say_seat_names
from pbm.core.kernel.language.titles import find_title
from pbm.core.kernel.notices.appearance import Appearance
from pbm.core.puzzles.notices import STRENGTH_NAMES, PuzzleAnswered, PuzzleScore
from pbm.rules import Position
from pbm.store.puzzle_tables import PuzzleRow

_LONGEST = 40
"""Moves of a line that is shown."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of an answer.

    position  the puzzle
    move      the answer, or the solution that was asked for
    reply     the best answer to a wrong move; "" when that has ended the game
    is_lost   after that move the other seat wins
    line      the moves that follow, the reply included
    end       the position after them
    """

    position: Position
    move: str
    is_right: bool
    is_asked: bool
    reply: str
    is_lost: bool
    line: tuple[tuple[int, str], ...]
    end: Position

    def build_content(
        self, row: PuzzleRow, *, counts: bool, score: PuzzleScore, in_words: bool
    ) -> PuzzleAnswered:
        """Return the notice of it. `counts`: this is what counts of the puzzle."""
        position, end = self.position, self.end
        seat, names = min(position.to_move), say_seat_names(position)
        last = (self.line[-1][1] if self.line else self.move,)
        return PuzzleAnswered(
            game=row.game,
            puzzle=row.id,
            title=find_title(position.game.info.name),
            strength=STRENGTH_NAMES[row.strength],
            seat=names[seat],
            picture=end.picture(None, last),
            appearance=Appearance(end, None, last),
            colours=end.colours,
            in_words=in_words,
            move=self.move,
            is_right=self.is_right,
            is_asked=self.is_asked,
            reply=self.reply,
            is_lost=self.is_lost,
            other=names[self.line[0][0]] if self.line else "",
            line=[(names[number], move) for number, move in self.line],
            reason=end.outcome.reason if end.outcome is not None else "",
            counts=counts,
            solved=score.solved,
            tried=score.tried,
        )


def show_solution(position: Position) -> Verdict:
    """Return the only move that wins."""
    return _follow_win(position, _find_solution(position), is_asked=True)


def judge_move(position: Position, move: str) -> Verdict:
    """Judge whether a legal move is the only one that wins; if not, what refutes it."""
    if move == _find_solution(position):
        return _follow_win(position, move, is_asked=False)
    after = position.play(min(position.to_move), move)
    solution = after.solve()
    line, end = tuple[tuple[int, str], ...](), after
    if solution is not None and solution.wins:
        line, end = _play_best(after)
    elif solution is not None:
        reply = solution.best[0]
        line, end = ((min(after.to_move), reply),), after.play(min(after.to_move), reply)
    return Verdict(
        position,
        move,
        is_right=False,
        is_asked=False,
        reply=line[0][1] if line else "",
        is_lost=bool(solution is not None and solution.wins),
        line=line,
        end=end,
    )


def _find_solution(position: Position) -> str:
    """Return the move that wins. ValueError where the game does not know it."""
    solution = position.solve()
    if solution is None or not solution.wins:
        raise ValueError("no move is known to win")
    return solution.best[0]


def _follow_win(position: Position, move: str, *, is_asked: bool) -> Verdict:
    line, end = _play_best(position.play(min(position.to_move), move))
    return Verdict(
        position,
        move,
        is_right=True,
        is_asked=is_asked,
        reply="",
        is_lost=False,
        line=line,
        end=end,
    )


def _play_best(position: Position) -> tuple[tuple[tuple[int, str], ...], Position]:
    """Return how the game goes on when the one side wins as soon, and the other loses as late, as
    it can."""
    line: list[tuple[int, str]] = []
    while len(line) < _LONGEST and (solution := position.solve()) is not None:
        seat, move = min(position.to_move), solution.best[0]
        line.append((seat, move))
        position = position.play(seat, move)
    return tuple(line), position

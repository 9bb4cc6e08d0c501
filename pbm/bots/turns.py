"""Whole turns of a bot: moves until the turn ends or chance is asked, and their text."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Protocol

from pbm.bots import LEVELS
from pbm.bots.alphabeta import AlphaBeta
from pbm.bots.backgammon_men import JUDGEMENTS
from pbm.bots.evaluations import find_evaluation
from pbm.bots.expectimax import Expectimax
from pbm.bots.openings import load_book
from pbm.bots.playouts import FINISHES
from pbm.bots.proofs import find_proven
from pbm.bots.search import Search
from pbm.bots.simple import Dice, find_win, glance, random_move
from pbm.bots.strengths import Strength, get_strength
from pbm.rules import CHANCE_TO_MOVE, Position
from pbm.rules.solutions import Solution
from pbm.rules.turn_text import is_same_turn

_CLEARLY_AHEAD = 0.75
_SOLVING = {LEVELS[-2]: 0.5, LEVELS[-1]: 1.0, "mcts": 1.0}
"""How often a bot plays what is best where a game is solved: `level5` and `mcts` make no mistake.
With its search alone, however long, the level below them would make too many."""
_PROOF = 0.25
"""The part of its time in which `mcts` tries to solve what is left of a game."""


class Searcher(Protocol):
    """A search of a position; `work` counts what it has done."""

    work: int

    @property
    def is_ready(self) -> bool:
        """Whether it has seen the least without which its choice means nothing."""

    @property
    def position(self) -> Position:
        """The position that is searched."""

    def run(self, enough: Callable[[], bool]) -> None:
        """Search on until `enough()`."""

    def best(self) -> str:
        """Return the move that the search prefers."""

    def prospect(self) -> float:
        """Return what the seat to move gets after it, from 0 (loses) to 1 (wins)."""

    @property
    def doubt(self) -> float:
        """By how much the prospect may be wrong by chance."""

    def list_values(self) -> list[tuple[str, float]]:
        """Return the moves searched with what the seat to move gets after each, best first."""

    def advance(self, move: str) -> None:
        """Continue from the position after a move."""


Enough = Callable[[float], bool]
"""Says whether that part of the time, 0.0 to 1.0, is over."""


def choose_turn(position: Position, seat: int, name: str, dice: Dice, enough: Enough) -> list[str]:
    """Return the moves of the bot with that name until the turn ends or chance is asked."""
    if name == "random":
        return _walk(position, seat, lambda at: random_move(at, seat, dice.choice))
    solution = _find_solution(position, name)
    if solution is not None and dice.random() < _SOLVING[name]:
        return [dice.choice(solution.best)]
    play = open_turn if name == "mcts" else play_turn
    return play(position, seat, get_strength(position.game.info.name, name), dice, enough)


def _find_solution(position: Position, name: str) -> Solution | None:
    """Return what is known for certain about a position, for the bots that know such things."""
    return position.solve() if name in _SOLVING else None


def open_turn(
    position: Position, seat: int, strength: Strength, dice: Dice, enough: Enough
) -> list[str]:
    """Return the moves of the opening book as long as it has some, then those of a bot of that
    strength, until the turn ends or chance is asked."""
    book, turn, moves = load_book(), position.turn, list[str]()
    while is_same_turn(position, seat, turn):
        move = book.choose(position, dice)
        if not move:
            return moves + play_turn(position, seat, strength, dice, enough)
        moves.append(move)
        position = position.play(seat, move)
    return moves


def play_turn(
    position: Position, seat: int, strength: Strength, dice: Dice, enough: Enough
) -> list[str]:
    """Return the moves of a bot of that strength until the turn ends or chance is asked."""
    finish = FINISHES.get(position.game.info.name)
    if finish is not None and (moves := finish(position, dice)):
        return [*moves]
    if strength.slips and dice.random() < strength.slips:
        if strength.worst and dice.random() < strength.worst:
            return _walk(position, seat, lambda at: _find_worst(at, strength, dice, enough))
        return _walk(position, seat, lambda at: glance(at, seat, dice, strength.sees))
    return search_turn(position, seat, strength, dice, enough)


def _find_worst(position: Position, strength: Strength, dice: Dice, enough: Enough) -> str:
    """Return the move that a search likes least."""
    search = build_search(position, dice)
    search.run(_limit(search, strength, enough, 1.0))
    values = search.list_values()
    return values[-1][0] if values else search.best()


def accepts_draw(position: Position, name: str, dice: Dice, enough: Enough) -> bool:
    """Whether the bot with that name, on the move, takes a draw that it may claim: not if it finds
    itself clearly ahead, by more than chance explains."""
    if name == "random":
        return True
    if (solution := _find_solution(position, name)) is not None and solution.wins:
        return False
    strength = get_strength(position.game.info.name, name)
    search = build_search(position, dice)
    search.run(_limit(search, strength, enough, 1.0))
    return search.prospect() - search.doubt < _CLEARLY_AHEAD


def search_turn(
    position: Position, seat: int, strength: Strength, dice: Dice, enough: Enough
) -> list[str]:
    """Return the moves that a search prefers until the turn ends or chance is asked; the first one
    gets half of the time and work. A move that wins at once needs no search."""
    if win := find_win(position, seat):
        return [win]
    search = build_search(position, dice)
    turn, moves, part = position.turn, [], 0.0
    while is_same_turn(search.position, seat, turn):
        spent, part = part, part + (1.0 - part) / 2
        limit = 1.0 if not _may_go_on(search.position, seat, turn) else part
        proven = ""
        if len(search.position.legal_moves(seat)) > 1:
            if strength.work is None:
                over = partial(enough, spent + (limit - spent) * _PROOF)
                proven = find_proven(search.position, seat, dice, over)
            if not proven:
                search.run(_limit(search, strength, enough, limit))
        moves.append(proven or search.best())
        search.advance(moves[-1])
    return moves


def build_search(position: Position, dice: Dice) -> Searcher:
    """Return the search for a position: where it can be told who is ahead alpha-beta, or expectimax
    if there are dice; otherwise by playouts."""
    judgement = JUDGEMENTS.get(position.game.info.name)
    if judgement is not None:
        return Expectimax(position, judgement, dice)
    evaluation = find_evaluation(position)
    return Search(position, dice) if evaluation is None else AlphaBeta(position, evaluation, dice)


def _limit(search: Searcher, strength: Strength, enough: Enough, part: float) -> Callable[[], bool]:
    """Say whether that part of the work is over, or of the time, which is never too short for a
    first look."""
    work = math.inf if strength.work is None else part * strength.work
    return lambda: search.work >= work or (search.is_ready and enough(part))


def _walk(position: Position, seat: int, choose: Callable[[Position], str]) -> list[str]:
    """Return the moves that are chosen one by one until the turn ends or chance is asked."""
    turn, moves = position.turn, []
    while is_same_turn(position, seat, turn):
        moves.append(choose(position))
        position = position.play(seat, moves[-1])
    return moves


def _may_go_on(position: Position, seat: int, turn: int) -> bool:
    """Whether the turn may go on after the first legal move: a guess that only divides the time."""
    moves = position.legal_moves(seat)
    after = position.play(seat, moves[0])
    return after.to_move != CHANCE_TO_MOVE and is_same_turn(after, seat, turn)

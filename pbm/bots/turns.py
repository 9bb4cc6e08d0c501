"""Whole turns of a bot: moves until the turn ends or chance is asked, and their text."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache, partial
from pkgutil import get_data
from typing import Protocol, TypeAlias

from pbm.bots import LEVELS
from pbm.bots.backgammon_men import JUDGEMENTS
from pbm.bots.evaluations import find_evaluation
from pbm.bots.expectimax import Expectimax
from pbm.bots.playouts import FINISHES
from pbm.bots.searches import AlphaBeta, Search
from pbm.bots.simple import Dice, find_win, glance, random_move, shares
from pbm.bots.strengths import Strength, get_strength
from pbm.rules import CHANCE_TO_MOVE, Game, Position, Value
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


# The opening book, only from own play: what the search of `mcts` preferred when it thought long.
#
# The file `book.txt` has a tree of moves from the first position of a game, with its usual options,
# for two seats. Each line is a move and how often it is played, compared with the others beside it;
# what is indented below are the replies. A move that is never played (0) may be the opponent's.
#
# [fourinarow]
# d 9
# d 8
# c 0
# d 9
#
# `python -m tools.bots.make_book` writes the file.

_NAME = "book.txt"
Replies: TypeAlias = Mapping[str, int]
"""The moves that the book has for a position, and how often each is played."""
Line: TypeAlias = tuple[str, ...]
"""Moves from the first position."""
Place: TypeAlias = tuple[tuple[tuple[str, Value], ...], int, str]
"""A position, whatever moves led to it: the options, the turn, and what stands where."""


class Book:
    """What to play in the first positions of games."""

    def __init__(self, text: str) -> None:
        self._lines = parse_book(text)
        self._replies: dict[Game, Mapping[Place, Replies]] = {}

    def list_games(self) -> list[str]:
        """Return the names of the games in it."""
        return [*self._lines]

    def get_replies(self, position: Position) -> Replies:
        """Return the moves for a position, as long as they are legal; none where the book has
        nothing, and on a board with other options."""
        game = position.game
        lines = self._lines.get(game.info.name)
        if lines is None or position.players != 2:
            return {}
        if game not in self._replies:
            self._replies[game] = _replay(game, lines)
        return self._replies[game].get(identify(position), {})

    def choose(self, position: Position, dice: Dice) -> str:
        """Return a move from the book, drawn by how often each is played; "" if there is none."""
        replies = self.get_replies(position)
        drawn = [move for move, weight in replies.items() for _ in range(weight)]
        return dice.choice(drawn) if drawn else ""


@cache
def load_book() -> Book:
    """Return the book of this version."""
    data = get_data(__package__, _NAME)
    if data is None:
        raise FileNotFoundError(_NAME)
    return Book(data.decode("ascii"))


def identify(position: Position) -> Place:
    """Return what tells a position from all others of its game."""
    options = tuple(sorted(position.options.items()))
    return options, position.turn, position.key or position.encode()


def parse_book(text: str) -> Mapping[str, Mapping[Line, int]]:
    """Return the lines of each game, each with how often its last move is played."""
    games: dict[str, dict[Line, int]] = {}
    line: Line = ()
    for row in text.splitlines():
        if row.startswith("["):
            lines = games[row[1:-1]] = {}
            continue
        move, _, weight = row.strip().rpartition(" ")
        line = (*line[: len(row) - len(row.lstrip())], move)
        lines[line] = int(weight)
    return games


def _replay(game: Game, lines: Mapping[Line, int]) -> Mapping[Place, Replies]:
    """Return the moves for each position of the lines, without those that are illegal."""
    positions: dict[Line, Position] = {(): game.setup(2)}
    found: dict[Place, dict[str, int]] = defaultdict(dict)
    for line, weight in lines.items():
        before, move = positions.get(line[:-1]), line[-1]
        if before is None or before.outcome is not None:
            continue
        (seat,) = before.to_move
        if move in before.legal_moves(seat):
            found[identify(before)][move] = weight
            positions[line] = before.play(seat, move)
    return found


# The end of a game, solved: where few positions are left, a move that is proven to be best.
#
# For two seats, nothing random, and games in which no position can come again. How many positions
# are left is estimated from games at random (Knuth: Estimating the efficiency of backtrack
# programs, 1975).

_MOST = 20_000
"""Positions that a proof may need by the estimate, and the size of the table."""
_ROOT = 2.6
"""A search for win, draw or loss alone, with a table, needs about this root of all positions."""
_GAMES = 4
"""Games at random that the estimate is made of."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)


class _Enough(Exception):
    """There is no time for the proof."""


def find_proven(position: Position, seat: int, dice: Dice, enough: Callable[[], bool]) -> str:
    """Return a move by which a seat wins, or draws if it cannot win, whatever the other one plays;
    "" if all lose, and if nothing is proven before `enough()`."""
    if position.players != 2 or "chance" in position.game.info.features or position.key is not None:
        return ""
    if not is_near_end(position, dice):
        return ""
    prover, best, chosen = _Prover(enough), 0.0, ""
    moves = sorted(position.legal_moves(seat), key=lambda move: dice.random())
    after = {move: position.play(seat, move) for move in moves}
    try:
        for move in sorted(after, key=lambda move: _count_answers(after[move])):
            share = prover.find_share(after[move], seat, best, 1.0)
            if share > best:
                best, chosen = share, move
            if best == 1.0:
                break
    except _Enough:
        return ""
    return chosen


def is_near_end(position: Position, dice: Dice) -> bool:
    """Whether a proof needs at most `_MOST` positions, by the largest estimate."""
    most = _ROOT * math.log(_MOST)
    for _ in range(_GAMES):
        at, size = position, 0.0
        while at.outcome is None:
            (seat,) = at.to_move
            moves = at.legal_moves(seat)
            size += math.log(len(moves))
            if size > most:
                return False
            at = at.play(seat, dice.choice(moves))
    return True


def _count_answers(position: Position) -> int:
    """Return how many moves the next seat has; 0 at the end of the game."""
    return sum(len(position.legal_moves(seat)) for seat in position.to_move)


class _Prover:
    """An alpha-beta search to the end of the game, with a table of what is proven."""

    def __init__(self, enough: Callable[[], bool]) -> None:
        self._enough = enough
        self._table: dict[str, tuple[int, float]] = {}

    def find_share(self, position: Position, seat: int, alpha: float, beta: float) -> float:
        """Return what a seat gets from a position: exact between `alpha` and `beta`, else a
        bound."""
        if position.outcome is not None:
            return shares(position.outcome)[seat]
        (mover,) = position.to_move
        if mover != seat:
            return 1.0 - self.find_share(position, mover, 1.0 - beta, 1.0 - alpha)
        key = position.encode()
        kind, share = self._table.get(key, (_AT_LEAST, -1.0))
        if kind == _EXACT or (share >= beta if kind == _AT_LEAST else share <= alpha):
            return share
        if self._enough() or len(self._table) >= _MOST:
            raise _Enough
        best, lowest = 0.0, alpha
        following = [position.play(seat, move) for move in position.legal_moves(seat)]
        for after in sorted(following, key=_count_answers):
            best = max(best, self.find_share(after, seat, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        kind = _AT_LEAST if best >= beta else _EXACT if best > lowest else _AT_MOST
        self._table[key] = kind, best
        return best

"""What a search thinks of a game that is over: of its positions, and of single turns.

A turn is judged by what its player gets after it, against what the best turn that the search found
would have given from the same position: a roll that came before is nobody's merit, and nobody's
fault. Both outcomes are searched with the same effort, so that only the difference counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pbm.bots.analysis.plan import Act, Judgement, Turn, get_played
from pbm.bots.backgammon_men import JUDGEMENTS
from pbm.bots.evaluations import find_evaluation
from pbm.bots.expectimax import Expectimax
from pbm.bots.searches import AlphaBeta, Search
from pbm.bots.simple import Dice, shares
from pbm.bots.strengths import Strength
from pbm.bots.turns import Enough, search_turn
from pbm.rules import Position
from pbm.rules.examples import is_example

_CHOOSING = 0.4
"""The part of the time that goes into the choice of the best turn."""
_REPEATED = 3
_MARGIN = 0.1
"""What each of the searches must find that a turn gave away."""
_Compared = tuple[list[float], float]
"""What a seat gets in each of some positions, from 0 to 1, and the difference between two of them
that may be chance."""


def assess(
    position: Position, first: Position, dice: Dice, enough: Callable[[], bool]
) -> tuple[float, ...]:
    """Return what each seat gets in a position of a game that began with `first`, from 0 to 1."""
    if position.outcome is not None:
        return shares(position.outcome)
    rated = _rate_solved(position)
    if (judgement := JUDGEMENTS.get(position.game.info.name)) is not None:
        (share,) = Expectimax(position, judgement, dice).appraise((position,), 0, enough)
        return share, 1 - share
    evaluation = find_evaluation(position)
    if rated is None and evaluation is None:
        search = Search(position, dice, first.outlook)
        search.run(enough)
        return search.list_shares()
    (seat,) = position.to_move
    if rated is not None:
        share = max(rated.values())
    elif evaluation is not None:
        alphabeta = AlphaBeta(position, evaluation, dice)
        alphabeta.run(lambda: alphabeta.is_ready and enough())
        share = alphabeta.prospect()
    return (1 - share, share) if seat else (share, 1 - share)


def judge_surely(
    positions: Sequence[Position], acts: Sequence[Act], turn: Turn, dice: Dice, enough: Enough
) -> Judgement:
    """Return what the search thinks of a turn when it is sure: a better turn was found in each of
    several searches, by a margin, of which the smallest counts; else that nothing better was found.
    The example that the server itself gives is never a mistake."""
    before, after = positions[turn.start], positions[turn.end]
    seat, played = acts[turn.start][0], get_played(acts, turn)
    if before.solve() is not None:
        return judge(positions, acts, turn, dice, enough)
    found = list[Judgement]()
    if not is_example(before, seat, after):
        found = _judge_repeatedly(positions, acts, turn, dice, enough)
    if len(found) < _REPEATED:
        value = found[-1].after if found else 0.5
        return Judgement(played, value, value)
    return min(found, key=lambda each: each.cost)


def _judge_repeatedly(
    positions: Sequence[Position], acts: Sequence[Act], turn: Turn, dice: Dice, enough: Enough
) -> list[Judgement]:
    """Return the judgements of several searches, each with dice of its own and a part of the time;
    fewer when one finds no fault, and that one not."""
    found = list[Judgement]()
    for number in range(_REPEATED):

        def is_over(part: float, earlier: int = number) -> bool:
            return enough((earlier + part) / _REPEATED)

        judgement = judge(positions, acts, turn, dice, is_over)
        if judgement.cost < _MARGIN:
            break
        found.append(judgement)
    return found


def judge(
    positions: Sequence[Position], acts: Sequence[Act], turn: Turn, dice: Dice, enough: Enough
) -> Judgement:
    """Return what the search thinks of a turn, in the time that `enough` allows."""
    before, after = positions[turn.start], positions[turn.end]
    seat, played = acts[turn.start][0], get_played(acts, turn)
    if (rated := _rate_solved(before)) is not None:
        perfect = max((*played, *rated), key=lambda move: rated[move])
        return Judgement((perfect,), rated[perfect], rated[played[0]])
    best = search_turn(before, seat, Strength(None), dice, lambda part: enough(_CHOOSING * part))
    better = before
    for move in best:
        better = better.play(seat, move)
    is_same = better.encode() == after.encode()
    candidates = (after,) if is_same else (after, better)
    search = partial(_search, before, seat, dice, lambda: enough(1.0))
    shares_after, doubt = _compare(candidates, seat, search)
    value, wanted = shares_after[0], shares_after[-1]
    if wanted - value <= doubt:
        return Judgement(played, value, value)
    return Judgement(tuple(best), wanted, value)


def _rate_solved(position: Position) -> dict[str, float] | None:
    """Return what the seat to move gets after each move; None for a position that is not solved."""
    solution = position.solve(wants_all=True)
    if solution is None:
        return None
    return {
        **dict.fromkeys(solution.wins, 1.0),
        **dict.fromkeys(solution.holds, 0.5),
        **dict.fromkeys(solution.loses, 0.0),
    }


def _compare(
    after: Sequence[Position], seat: int, search: Callable[[Sequence[Position]], _Compared]
) -> _Compared:
    """Return what a seat gets in each of these positions; `search` is asked where the game goes
    on."""
    known = [None if each.outcome is None else shares(each.outcome)[seat] for each in after]
    unknown = [each for each in after if each.outcome is None]
    values, doubt = search(unknown) if unknown else ([], 0.0)
    found = iter(values)
    return [next(found) if share is None else share for share in known], doubt


def _search(
    before: Position,
    seat: int,
    dice: Dice,
    enough: Callable[[], bool],
    after: Sequence[Position],
) -> _Compared:
    """Return what a seat that was on the move gets in each of the positions, in which the game goes
    on, to which its turn could lead."""
    if (judgement := JUDGEMENTS.get(before.game.info.name)) is not None:
        return Expectimax(before, judgement, dice).appraise(after, seat, enough), 0.0
    evaluation = find_evaluation(before)
    if evaluation is not None:
        return AlphaBeta(before, evaluation, dice).compare(after, enough), 0.0
    searches = [Search(position, dice, before.outlook) for position in after]
    while not searches[-1].work or not enough():
        for search in searches:
            search.run_once()
    doubt = math.sqrt(0.5 / searches[-1].work)  # the standard error of the difference, at most
    return [search.list_shares()[seat] for search in searches], doubt


# How much an analysis searches: in work, as a level does, so that what it says of a turn does not
# depend on how fast or how busy a machine is. Work is counted in looks at whether to go on: a
# search takes one with each position or playout. `python -m tools.bots.paces` measures the table.

_POSITIONS, _PLAYOUTS = 5_000, 300
"""The usual paces where it can be told who is ahead, and where games are played out: with more
seats than two, and for games that others bring."""
_PACES: Mapping[str, int] = {
    "amazons": 700,
    "atarigo": 26_000,
    "ataxx": 33_000,
    "backgammon": 20_000,
    "brandubh": 60_000,
    "breakthrough": 42_000,
    "cephalopod": 770,
    "chess": 8_900,
    "chess960": 14_000,
    "clobber": 29_000,
    "connect6": 1_700,
    "corridor": 35_000,
    "cyclone": 1_000,
    "dotsandboxes": 38_000,
    "draughts": 46_000,
    "fanorona": 40_000,
    "fivepairs": 2_100,
    "fourinarow": 7_300,
    "gameofy": 5_100,
    "go": 260,
    "gomoku": 2_600,
    "gonnect": 620,
    "halma": 6_500,
    "havannah": 2_300,
    "hex": 3_800,
    "hexxagon": 41_000,
    "hnefatafl": 23_000,
    "hypergammon": 23_000,
    "internationaldraughts": 38_000,
    "kalah": 91_000,
    "konane": 12_000,
    "linesofaction": 29_000,
    "minishogi": 22_000,
    "modernreversi": 48_000,
    "morris": 39_000,
    "nackgammon": 23_000,
    "oware": 70_000,
    "pegs": 580,
    "qubic": 18_000,
    "reversi": 47_000,
    "russiandraughts": 48_000,
    "spacecradles": 48_000,
    "spacefighters": 710,
    "spacetruckin": 610,
    "sumito": 8_300,
    "tictactoe": 16_000,
    "turkishdraughts": 35_000,
    "xiangqi": 16_000,
    "yavalath": 28_000,
}
"""The looks in a second, of games with two seats."""


def count_work(position: Position, seconds: float) -> float:
    """Return the work of a search of a position that takes about that many seconds."""
    usual = _PLAYOUTS if find_evaluation(position) is None else _POSITIONS
    measured = _PACES if position.players == 2 else {}
    return seconds * measured.get(position.game.info.name, usual)

"""The end of a game is solved: compared with all that may follow, and played by mcts alone."""

from __future__ import annotations

import random

import pytest

from pbm.bots.simple import shares
from pbm.bots.strengths import Strength
from pbm.bots.turns import find_proven, is_near_end, search_turn
from pbm.games import get_game
from pbm.rules import Position

_LEFT = {"clobber": 5, "dotsandboxes": 6, "konane": 6, "reversi": 5, "tictactoe": 5}
"""Games, and how many moves before its end a game at random is looked at."""


def play_at_random(game: str, dice: random.Random) -> list[Position]:
    """The positions of a game."""
    positions = [get_game(game).setup(2)]
    while positions[-1].outcome is None:
        (seat,) = positions[-1].to_move
        move = dice.choice(positions[-1].legal_moves(seat))
        positions.append(positions[-1].play(seat, move))
    return positions


def find_share(position: Position, seat: int) -> float:
    """What a seat gets when both play their best."""
    if position.outcome is not None:
        return shares(position.outcome)[seat]
    (mover,) = position.to_move
    best, found = float(mover == seat), set[float]()
    for move in position.legal_moves(mover):
        found.add(find_share(position.play(mover, move), seat))
        if best in found:
            return best
    return max(found) if mover == seat else min(found)


@pytest.mark.parametrize("game", _LEFT)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_proven_is_best(game: str, seed: int) -> None:
    dice = random.Random(f"{game}{seed}")
    for position in play_at_random(game, dice)[-_LEFT[game] : -1]:
        (seat,) = position.to_move
        best = find_share(position, seat)
        move = find_proven(position, seat, dice, lambda: False)
        if best:
            assert find_share(position.play(seat, move), seat) == best
        else:
            assert not move


def test_what_is_far_from_its_end_is_not_solved() -> None:
    dice = random.Random(1)
    for game in ("reversi", "clobber", "hex", "gomoku"):
        assert not is_near_end(get_game(game).setup(2), dice)
    for game in ("chess", "backgammon", "cradle"):  # which may go on for ever, or have dice
        position = get_game(game).setup(2)
        assert not find_proven(position, min(position.to_move), dice, lambda: False)
    assert not find_proven(get_game("cradle").setup(3), 0, dice, lambda: False)
    ending = play_at_random("reversi", dice)[-8]
    assert not find_proven(ending, min(ending.to_move), dice, lambda: True)


def test_mcts_wins_what_is_won_and_a_level_does_its_work_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From a position of clobber in which all moves but one lose: with no time for a search."""
    dice = random.Random(2)
    won = None
    while won is None:
        for position in play_at_random("clobber", dice)[-8:-3]:
            (seat,) = position.to_move
            after = [position.play(seat, move) for move in position.legal_moves(seat)]
            if len(after) > 2 and [find_share(each, seat) for each in after].count(1.0) == 1:
                won = position
    (seat,) = won.to_move
    for _ in range(5):
        (move,) = search_turn(won, seat, Strength(None), dice, lambda part: part > 0.5)
        assert find_share(won.play(seat, move), seat) == 1.0
    monkeypatch.setattr("pbm.bots.turns.find_proven", pytest.fail)
    search_turn(won, seat, Strength(4), dice, lambda part: False)

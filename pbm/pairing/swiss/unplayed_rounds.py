"""Rounds as tie-breaks see them, played and unplayed, after FIDE's tie-break regulations as in
force from 2012 to 2022 (Handbook C.02.13.15 to 16).

In a Swiss an unplayed round counts as one against a virtual opponent, who had the same points when
the round began, got what is left of the point, and drew all rounds that follow; for the player's
opponents, each unplayed round counts half a point. In a round robin a forfeit counts as played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.pairing.game_points import HALF
from pbm.pairing.record import Game, Record


@dataclass(frozen=True, slots=True)
class Round:
    """What one round was for one player."""

    opponent: int | None
    result: float
    is_played: bool
    virtual: float = 0
    """The points of the virtual opponent of an unplayed round."""


def list_rounds(record: Record, number: int, games: Sequence[Game]) -> list[Round]:
    """Return the finished rounds of a player in a table for two seats a board."""
    own = [game for game in games if number in game.seats and not game.is_open]
    if record.options.kind != "swiss":
        return [
            Round(next(each for each in game.seats if each != number), game.points_of(number), True)
            for game in own
            if len(game.seats) == 2
        ]
    last = count_finished(games)
    by_round = {game.round: game for game in own}
    rounds = []
    before = 0.0
    for n in range(1, last + 1):
        game = by_round.get(n)
        result = game.points_of(number) if game else 0.0
        if game is not None and game.is_played:
            opponent = next(each for each in game.seats if each != number)
            rounds.append(Round(opponent, result, True))
        else:
            virtual = before + (1 - result) + HALF * (last - n)
            rounds.append(Round(None, result, False, virtual))
        before += result
    return rounds


def count_finished(games: Sequence[Game]) -> int:
    """Return the number of rounds of a Swiss that are finished."""
    unfinished = [game.round for game in games if game.is_open]
    last = max((game.round for game in games), default=0)
    return min(unfinished) - 1 if unfinished else last


def score_for_others(record: Record, points: float, rounds: Sequence[Round]) -> float:
    """Return what a player's points count in the tie-breaks of opponents."""
    if record.options.kind != "swiss":
        return points
    return points + sum(HALF - round.result for round in rounds if not round.is_played)

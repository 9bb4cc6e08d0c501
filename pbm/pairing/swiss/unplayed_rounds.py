"""Rounds as tie-breaks see them, played and unplayed, after FIDE's tie-break regulations: as in
force from 2012 to 2022 (Handbook C.02.13.15 to 16), or since 2024 (C.07, article 16).

In a Swiss an unplayed round counts as one against a virtual opponent. By the former edition, this
one had the same points when the round began, got what is left of the point, and drew all rounds
that follow; for the player's opponents, each unplayed round counts half a point. By the later one
this one has the player's own points; for the opponents a round counts what it gave, and only rounds
that a player asked to miss, and after which none was available to play, count as drawn. In a round
robin a forfeit counts as played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from pbm.pairing.record import Game, Record


@dataclass(frozen=True, slots=True)
class Round:
    """What one round was for one player."""

    opponent: int | None
    result: float
    is_played: bool
    virtual: float = 0
    """The points of the virtual opponent of an unplayed round."""
    is_waived: bool = False
    """Whether the player asked to miss it: without an opponent and without a win."""


def list_rounds(record: Record, number: int, games: Sequence[Game]) -> list[Round]:
    """Return the finished rounds of a player in a table for two seats a board."""
    own = [game for game in games if number in game.seats and not game.is_open]
    if record.options.kind != "swiss":
        return [
            Round(next(each for each in game.seats if each != number), game.points_of(number), True)
            for game in own
            if len(game.seats) == 2
        ]
    options, last = record.options, count_finished(games)
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
            virtual = before + (options.win - result) + options.draw * (last - n)
            is_waived = (game is None or game.is_bye) and result < options.win
            rounds.append(Round(None, result, False, virtual, is_waived))
        before += result
    if options.edition == "2024":  # the virtual opponent has the player's own points
        return [each if each.is_played else replace(each, virtual=before) for each in rounds]
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
    draw = record.options.draw
    if record.options.edition == "2012":
        return points + sum(draw - round.result for round in rounds if not round.is_played)
    waived = takewhile(lambda round: round.is_waived, reversed(rounds))
    return points + sum(draw - round.result for round in waived)

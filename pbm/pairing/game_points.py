"""Points: of boards, of those who leave, of boards that an event's end finds unfinished."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec.structs import replace

from pbm.pairing.record import EventGame, Record
from pbm.rules.phrases import phrase

HALF = 0.5


def score_ranks(ranks: Sequence[int]) -> tuple[float, ...]:
    """Return the points of a board's seats from their ranks, 1 the best: a point for each opponent
    left behind and half a point for each that shares the rank."""
    return tuple(
        sum(1.0 if own < other else HALF if own == other else 0.0 for other in ranks) - HALF
        for own in ranks
    )


def show_points(points: float) -> str:
    """Format points as people write them: 2½."""
    whole = int(points)
    if points == whole:
        return str(whole)
    return "½" if points == HALF else f"{whole}½" if points == whole + HALF else f"{points:g}"


def games_of(record: Record, number: int) -> list[EventGame]:
    """Return the games of an entrant that count, in their order; byes too."""
    return [game for game in record.games if number in game.seats and game.how != "annulled"]


def total_of(record: Record, number: int) -> float:
    """Return the points of an entrant in all games."""
    return sum(game.points_of(number) for game in record.games)


def count_meetings(record: Record, number: int, stage: str = "main") -> int:
    """Return how many boards an entrant of a round robin or a league has to play in all."""
    division = record.entrant(number).division
    group = [entrant for entrant in record.entrants if entrant.division == division]
    return (len(group) - 1) * record.options.boards if stage == "main" else 0


def concede(game: EventGame, numbers: Collection[int]) -> tuple[float, ...]:
    """Return the points of a board that some of its players give up: they share its last place, the
    others its first."""
    return score_ranks([2 if seat in numbers else 1 for seat in game.seats])


def adjudicate(record: Record, now: float, games: Collection[int] | None = None) -> Record:
    """Return the record after its open boards, all or those with the given ids, have been decided
    as the event's rules say. What the operator is to decide stays open."""
    rule = record.options.adjudication
    if rule == "operator":
        return record
    decided = []
    for game in record.open_games:
        if games is not None and game.id not in games:
            continue
        ratings = [
            record.entrant(number).rating if rule == "rating" else 0 for number in game.seats
        ]
        points = tuple(
            sum(
                1.0 if own - other >= record.options.claim
                else 0.0 if other - own >= record.options.claim
                else HALF
                for seat, other in enumerate(ratings)
                if seat != own_seat
            )
            for own_seat, own in enumerate(ratings)
        )  # fmt: skip
        note = describe_claim(record, points)
        decided.append(replace(game, how="adjudicated", points=points, note=note, ended=now))
    return record.with_games(decided)


def describe_claim(record: Record, points: Sequence[float]) -> str:
    """Return why an adjudication gave these points, as a sentence."""
    if record.options.adjudication == "draw":
        return phrase("Unfinished boards are drawn.")
    least = record.options.claim
    if all(one == other for one, other in pairwise(points)):
        return phrase(
            "Unfinished, and the ratings are less than {points} points apart: a draw.", points=least
        )
    return phrase(
        "Unfinished; a rating that is higher by {points} points or more wins.", points=least
    )

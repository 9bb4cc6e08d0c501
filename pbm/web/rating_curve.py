"""The curves on a player's page: what each rated board did to the rating in a game."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.ratings import Rating
from pbm.rules.phrases import phrase
from pbm.store.reads.player_rows import find_player_by_name, find_player_changes, find_ratings
from pbm.store.transaction import Session

_WIDTH, _HEIGHT = 300, 100
_MOST_CURVES = 4
_MOST_BOARDS = 200
_FEWEST = 2
"""With fewer boards there is nothing to see."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The rating in one game: the points of a line in SVG, where it ends, the highest and lowest
    rating, and the same in words."""

    line: str
    end: tuple[int, int]
    high: int
    low: int
    words: str


def build_curves(session: Session, userid: str) -> dict[str, Curve]:
    """Return the curves of the games that a player has played most."""
    player = find_player_by_name(session, userid)
    if player is None:
        return {}
    rows = sorted(find_ratings(session, player.id), key=lambda row: -row.boards)
    return {
        row.game: _build_curve(points)
        for row in rows[:_MOST_CURVES]
        if len(points := _list_points(session, player.id, row.game)) > _FEWEST
    }


def _list_points(session: Session, player: int, game: str) -> list[int]:
    """Return the rating before the first of the newest boards and after each of them."""
    changes = list(reversed(find_player_changes(session, player, game, _MOST_BOARDS)))
    if not changes:
        return []
    first = Rating(changes[0].mu_before, changes[0].sigma_before).points
    return [first, *(Rating(change.mu, change.sigma).points for change in changes)]


def _build_curve(points: list[int]) -> Curve:
    high, low = max(points), min(points)
    height = max(1, high - low)
    places = [
        (_WIDTH * at // (len(points) - 1), _HEIGHT * (high - point) // height)
        for at, point in enumerate(points)
    ]
    return Curve(
        " ".join(f"{x},{y}" for x, y in places),
        places[-1],
        high,
        low,
        phrase(
            "From {first} to {last} on {count} boards; the highest was {high}, the lowest {low}.",
            first=points[0],
            last=points[-1],
            count=len(points) - 1,
            high=high,
            low=low,
        ),
    )

"""Ratings."""

from __future__ import annotations

from pbm.core.feature import Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.ratings import ladder, rating_boards
from pbm.features.ratings.admin import LISTS

_VERBS = (
    Verb(
        "rating",
        ("userid?",),
        ladder.rating,
        "a player's ratings in all games, or in one, and what changed them",
        Act.LOOK,
        Group.LOOKING,
        for_game="maybe",
        meant_by=("rank", "elo"),
    ),
    Verb(
        "ratings",
        ("pool?",),
        ladder.ladder,
        "the ratings of a game",
        Act.LOOK,
        Group.BOARDS,
        for_game="yes",
        meant_by=("ranking", "rankings", "top", "leaderboard"),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    lists=LISTS,
    on_result=rating_boards.note_result,
    adds_to_page=ladder.add_to_page,
    personal_data=rating_boards.list_personal_data,
    on_merge=rating_boards.rate_again,
    finds_differences=rating_boards.find_rating_differences,
)

"""Ratings."""

from __future__ import annotations

from pbm.core.kernel.feature import Feature
from pbm.core.kernel.language.verb import Group, Verb
from pbm.core.kernel.proofs import Act
from pbm.core.ratings.operator_rows import LISTS

_VERBS = (
    Verb(
        "rating",
        ("userid?",),
        "ladder:rating",
        "a player's ratings in all games, or in one, and what changed them",
        Act.LOOK,
        Group.LOOKING,
        game="maybe",
        is_read_only=True,
    ),
    Verb(
        "ratings",
        (),
        "ladder:ladder",
        "the ratings of a game",
        Act.LOOK,
        Group.BOARDS,
        game="yes",
        is_read_only=True,
        meant_by=("ranking", "rankings", "top", "leaderboard"),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    lists=LISTS,
    on_result="rating_boards:note_result",
    adds_to_page="house_ratings:add_to_page",
    personal_data="rows:list_personal_data",
    on_merge="rows:rate_again",
    finds_differences="rating_boards:find_rating_differences",
)

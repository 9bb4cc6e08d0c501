"""What the operator looks at: all ratings."""

from __future__ import annotations

from pbm.core.kernel.operator_rows import ListRow

LISTS = (
    ListRow(
        "ratings",
        "the ratings of all players",
        "The ratings of all players, best first.",
        "operator_lists:list_ratings",
        ("game",),
        times=("updated",),
        has_numbers=False,
        limit=100,
    ),
)

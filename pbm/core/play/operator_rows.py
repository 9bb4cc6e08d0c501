"""What the operator looks at, and does to boards."""

from __future__ import annotations

from pbm.core.kernel.operator_rows import ActRow, Argument, Bulk, Filter, ListRow

LISTS = (
    ListRow(
        "boards",
        "boards, newest first",
        "Boards, newest first.",
        "operator_lists:list_boards",
        (
            "game",
            Filter(
                "state",
                "only in this state",
                choices=("sleeping", "invited", "running", "over", "cancelled"),
            ),
            "player",
            Filter("overdue", "only running ones, longest wait first", is_flag=True),
        ),
        times=("moved", "created"),
    ),
    ListRow(
        "moves",
        "the latest moves on all boards",
        "The latest moves on all boards, as spectators see them.",
        "operator_lists:list_moves",
        ("board", "player"),
        times=("at",),
        has_numbers=False,
    ),
)

_BOARD = Argument("number", "board")

ACTS = (
    ActRow(
        "cancel",
        "end a board without a result",
        "End a board without a result; with --player, all open boards of a player, or those that "
        "began since a time. They are shown first.",
        "End board {number} without a result?",
        "operator_acts:cancel",
        (_BOARD,),
        bulk=Bulk("operator_acts:find_open", "End these {count} boards without a result?"),
        for_moderators=True,
    ),
    ActRow(
        "reopen",
        "go on with a board that was cancelled or declined",
        "Go on with a board that was cancelled or declined, as it was before: whoever is to move "
        "has the whole time for it, and it is rated if it was. The players are told. A board whose "
        "hidden things everybody has been shown by its end cannot go on.",
        "Reopen board {number}?",
        "operator_acts:reopen",
        (_BOARD,),
    ),
    ActRow(
        "adjudicate",
        "end a board with a result you decide",
        "End a board with a result: RANKS is a rank for each seat, 1,2 or 1,1 for a tie.",
        "End board {number} with the ranks {ranks}?",
        "operator_acts:adjudicate",
        (_BOARD, Argument("ranks", reads="operator_acts:read_ranks")),
        for_moderators=True,
    ),
    ActRow(
        "rollback",
        "take a board back to an earlier move",
        "Take a board, running or finished, back to the position after PLY moves; with --player "
        "and --since, each board to where it was before what that player did on it since then. "
        "They are shown first.\n\n\b\n  pbm admin rollback --player eve --since yesterday",
        "Take board {number} back to the position after move {ply}?",
        "operator_acts:roll_back",
        (_BOARD, Argument("ply", "number")),
        bulk=Bulk("operator_acts:find_to_roll_back", "Take these {count} boards back?"),
    ),
)

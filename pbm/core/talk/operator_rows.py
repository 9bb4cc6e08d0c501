"""What the operator answers to players."""

from __future__ import annotations

from pbm.core.kernel.operator_rows import ActRow, Argument, Part

ACTS = (
    ActRow(
        "answer",
        "answer a player who has reported another one",
        "Mail a player who has reported another one. The reason is the text of the mail.",
        "Mail this to {userid}?",
        "operator_acts:answer_report",
        (Argument("userid", "userid"),),
        Part.PLAYERS,
        for_moderators=True,
    ),
)

"""What the operator does to events."""

from __future__ import annotations

from pbm.core.kernel.operator_rows import ActRow, Argument

_EVENT = Argument("number", "number")
_USERID = Argument("userid")

ACTS = (
    ActRow(
        "event",
        "correct an event: a result, a player, a date",
        "Correct an event: a result, a pairing, who plays, its dates. Players are told, with the "
        "reason.",
    ),
    ActRow(
        "event result",
        "",
        "Give BOARD of event NUMBER these POINTS, one for each seat: 1,0 or 0.5,0.5; `none`: it "
        "does not count.",
        "Give board {board} of event {number} the result {points}?",
        "operator_acts:set_result",
        (
            _EVENT,
            Argument("board", "number"),
            Argument("points", reads="operator_acts:read_points"),
        ),
    ),
    ActRow(
        "event remove",
        "",
        "Take a player out of event NUMBER, by its rules of withdrawal.",
        "Take {userid} out of event {number}?",
        "operator_acts:remove_entrant",
        (_EVENT, _USERID),
    ),
    ActRow(
        "event add",
        "",
        "Enter a player in event NUMBER, or one who has left it; once it has begun, in a Swiss or "
        "a ladder.",
        "Enter {userid} in event {number}?",
        "operator_acts:add_entrant",
        (_EVENT, _USERID),
    ),
    ActRow(
        "event pair",
        "",
        "Let others meet in the open round of the Swiss NUMBER: ann,carl bob,dora. The first of "
        "each moves first; the boards that they had end without a result.",
        "Let {pairs} meet in event {number}?",
        "operator_acts:set_pairs",
        (
            _EVENT,
            Argument(
                "pairs", shown="USERID,USERID...", is_many=True, reads="operator_acts:read_pair"
            ),
        ),
    ),
    ActRow(
        "event begins",
        "",
        "Make DAY (YYYY-MM-DD, UTC) the day on which event NUMBER begins.",
        "Let event {number} begin on {day}?",
        "operator_acts:set_begin",
        (_EVENT, Argument("day", reads="operator_acts:read_day")),
    ),
    ActRow(
        "event ends",
        "",
        "Make DAY (YYYY-MM-DD, UTC) the last day of event NUMBER; open rounds shift with it.",
        "Make {day} the last day of event {number}?",
        "operator_acts:set_end",
        (_EVENT, Argument("day", reads="operator_acts:read_last_day")),
    ),
    ActRow(
        "event end",
        "",
        "End event NUMBER now, with its prize list; open boards do not count.",
        "End event {number} now?",
        "operator_acts:end_now",
        (_EVENT,),
    ),
    ActRow(
        "event cancel",
        "",
        "Cancel event NUMBER; open boards end without a result.",
        "Cancel event {number}?",
        "operator_acts:cancel",
        (_EVENT,),
    ),
)

"""What the operator and moderators do about a player's words."""

from __future__ import annotations

from pbm.core.kernel.operator_rows import ActRow, Argument, Part

_USERID = Argument("userid", "userid")

ACTS = (
    ActRow(
        "silence",
        "pass on no word of a player for some days",
        "Pass on no word of a player for DAYS days: no chat, comment, message, press, name or "
        "event. Moves go on. The player is told, with the reason, and again whenever words go "
        "nowhere. Once more sets another end.",
        "Silence {userid} for {days} days?",
        "operator_acts:silence",
        (_USERID, Argument("days", "number")),
        Part.PLAYERS,
        for_moderators=True,
    ),
    ActRow(
        "unsilence",
        "pass a player's words on again",
        "Pass on a silenced player's words again.",
        "Pass on the words of {userid} again?",
        "operator_acts:unsilence",
        (_USERID,),
        Part.PLAYERS,
        for_moderators=True,
    ),
)

"""What the operator and moderators do to players. Nothing here commits."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from sqlalchemy import select

from pbm.core.board import format_time
from pbm.core.feature import ActRow, AdminPart, Argument, Asked, Filter, ListRow, narrow
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import save_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase
from pbm.store.rows import Query
from pbm.store.tables import AuditRow, audit, players
from pbm.store.transaction import Session

_DAY = 86400.0
_MOST_DAYS = 366


def silence(act: OperatorAct, userid: str, days: int) -> list[Notice]:
    """Pass on no word of a player for some days. Refused for a bot, a closed account, and for no
    day or more than a year."""
    player = act.find_player(userid)
    if not 1 <= days <= _MOST_DAYS:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("DAYS is a number from 1 to {most}", most=_MOST_DAYS),
        )
    if player.is_bot or player.state == "closed":
        raise Refusal(RefusalCode.WRONG_STATE, phrase("this account is closed or a bot's"))
    until = act.now + days * _DAY
    save_player(act.session, replace(player, silenced=until))
    act.record(f"silence for {days} {'day' if days == 1 else 'days'}", player=player.id)
    end = format_time(until, player.preferences)
    text = act.give_reason(
        phrase("{who} silenced you until {time}; your moves go on", who=act.who, time=end)
    )
    return [act.notify(player, phrase("you are silenced"), text)]


def unsilence(act: OperatorAct, userid: str) -> list[Notice]:
    """Pass on a player's words again. Refused for one who is not silenced."""
    player = act.find_player(userid)
    if not player.is_silenced(act.now):
        raise Refusal(
            RefusalCode.WRONG_STATE, phrase("{userid} is not silenced", userid=player.userid)
        )
    save_player(act.session, replace(player, silenced=None))
    act.record("unsilence", player=player.id)
    return [
        act.notify(
            player,
            phrase("you are heard again"),
            act.give_reason(phrase("{who} passes on your words again", who=act.who)),
        )
    ]


# What the operator and moderators do about a player's words.

_USERID = Argument("userid", "userid")

ACTS = (
    ActRow(
        "silence",
        "pass on no word of a player for some days",
        "Pass on no word of a player for DAYS days: no chat, comment, message, press, name or "
        "event. Moves go on. The player is told, with the reason, and again whenever words go "
        "nowhere. Once more sets another end.",
        "Silence {userid} for {days} days?",
        silence,
        (_USERID, Argument("days", "number")),
        AdminPart.PLAYERS,
        for_moderators=True,
    ),
    ActRow(
        "unsilence",
        "pass a player's words on again",
        "Pass on a silenced player's words again.",
        "Pass on the words of {userid} again?",
        unsilence,
        (_USERID,),
        AdminPart.PLAYERS,
        for_moderators=True,
    ),
)


class NamedAuditRow(AuditRow):
    """An act, and whose account it was about."""

    userid: str | None


def list_audit(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return what operators did and why, and what players report, newest first."""
    table, action = audit, asked["action"]
    query = (
        select(table, players.c.userid)
        .outerjoin(players, players.c.id == table.c.player_id)
        .order_by(table.c.id.desc())
    )
    query = narrow(query, asked, table.c.at, table.c.id)
    query = query.where(table.c.board_id == asked["board"]) if asked["board"] else query
    if asked["player"]:
        query = query.where(players.c.name == asked["player"].lower())
    query = query.where(table.c.action.startswith(action, autoescape=True)) if action else query
    return [
        {
            "number": row.id,
            "when": row.at,
            "actor": row.actor,
            "action": row.action,
            "userid": row.userid,
            "board": row.board_id,
            "reason": row.reason,
        }
        for row in session.all(Query(NamedAuditRow, query))
    ]


LISTS = (
    ListRow(
        "audit",
        "what operators did and why",
        "What operators did and why, and what players report, newest first.",
        list_audit,
        (
            "board",
            "player",
            Filter("action", "only acts that begin so, such as ban or report", shown="WORD"),
        ),
        times=("when",),
    ),
)

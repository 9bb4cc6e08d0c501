"""What the operator and moderators can do to players. Nothing here commits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Select, func, insert, select

from pbm.config import Config
from pbm.core import trust
from pbm.core.board import format_time
from pbm.core.context import NO_MAIL
from pbm.core.feature import ActRow, AdminPart, Argument, Asked, Filter, ListRow, narrow
from pbm.core.limits import HOUR, WEEK, Limit, Spent, list_spent
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct, refuse_changed
from pbm.core.player import Player, get_player, save_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.retention import NamedAuditRow
from pbm.features.lobby.tables import offers
from pbm.rules.phrases import phrase
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query
from pbm.store.tables import addresses, audit, boards, held_words, players, seats
from pbm.store.transaction import Session

_MOST_DAYS = 366


def silence(act: OperatorAct, userid: str, days: int) -> list[Notice]:
    """Hold back all of a player's words for some days. Refused for a bot, a closed account, and for
    less than a day or more than a year."""
    player = act.find_player(userid)
    if not 1 <= days <= _MOST_DAYS:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("DAYS is a number from 1 to {most}", most=_MOST_DAYS),
        )
    if player.is_bot or player.state == "closed":
        raise Refusal(RefusalCode.WRONG_STATE, phrase("this account is closed or a bot's"))
    until = act.now + days * DAY
    save_player(act.session, replace(player, silenced=until))
    undo = ("silence", player.id, player.silenced, until)
    act.record(f"silence for {days} {'day' if days == 1 else 'days'}", player=player.id, undo=undo)
    return [_tell_silenced(act, player, until)]


def _tell_silenced(act: OperatorAct, player: Player, until: float) -> Notice:
    end = format_time(until, player.preferences)
    text = act.give_reason(
        phrase("{who} silenced you until {time}; your moves go on", who=act.who, time=end)
    )
    return act.notify(player, phrase("you are silenced"), text)


def unsilence(act: OperatorAct, userid: str) -> list[Notice]:
    """Let a player's words pass again. Refused for a player who is not silenced."""
    player = act.find_player(userid)
    if not player.is_silenced(act.now):
        raise Refusal(
            RefusalCode.WRONG_STATE, phrase("{userid} is not silenced", userid=player.userid)
        )
    save_player(act.session, replace(player, silenced=None))
    act.record("unsilence", player=player.id, undo=("unsilence", player.id, player.silenced, None))
    return [_tell_heard(act, player)]


def _tell_heard(act: OperatorAct, player: Player) -> Notice:
    text = act.give_reason(phrase("{who} passes on your words again", who=act.who))
    return act.notify(player, phrase("you are heard again"), text)


def undo_silence(
    act: OperatorAct, number: int, before: float | None, after: float | None
) -> list[Notice]:
    """Undo a silence, or the end of one: silence the player until the time before that act, if
    `after` is still their state."""
    player = get_player(act.session, number)
    if player is None or player.silenced != after:
        raise refuse_changed()
    player = save_player(act.session, replace(player, silenced=before))
    if before is not None and before > act.now:
        return [_tell_silenced(act, player, before)]
    return [_tell_heard(act, player)]


def list_held_words(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return the words that wait for a moderator, oldest first."""
    return [
        {
            "number": each.id,
            "when": each.at,
            "kind": each.kind,
            "userid": each.userid,
            "recipients": " ".join(each.recipients),
            "text": each.text,
        }
        for each in trust.list_held(session)[: asked["limit"]]
    ]


def release(act: OperatorAct, number: int) -> list[Notice]:
    """Release held words. Refused where none are held under that number."""
    return trust.release(act.context, number, act.actor)


def discard(act: OperatorAct, number: int) -> list[Notice]:
    """Delete held words. Refused where none are held under that number."""
    row = select(held_words).where(held_words.c.id == number)
    kept = act.session.execute(row).mappings().first()
    recorded = trust.discard(act.context, number, act.actor)
    act.let_undo(recorded, ("discard", {} if kept is None else dict(kept)))
    return []


def undo_discard(act: OperatorAct, kept: dict[str, object]) -> list[Notice]:
    """Restore deleted words, which wait again."""
    act.session.execute(insert(held_words).values({**kept, "at": act.now}))
    return []


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
        undo=undo_silence,
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
        undo=undo_silence,
    ),
    ActRow(
        "deliver",
        "pass on words that were held",
        "Pass on words of a newcomer that wait for a yes: `pbm admin held` shows them with their "
        "numbers.",
        "Pass on the words {number}?",
        release,
        (Argument("number", "words"),),
        AdminPart.PLAYERS,
        needs_reason=False,
        for_moderators=True,
    ),
    ActRow(
        "discard",
        "delete words that were held",
        "Delete words of a newcomer that wait for a yes. The writer is not told.",
        "Delete the words {number}?",
        discard,
        (Argument("number", "words"),),
        AdminPart.PLAYERS,
        needs_reason=False,
        for_moderators=True,
        undo=undo_discard,
    ),
)


def list_audit(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return the acts of operators and moderators with their reasons, and players' reports, newest
    first."""
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
    is_of_player = table.c.action.startswith(NO_MAIL)
    is_chosen = table.c.action.startswith(action, autoescape=True) if action else ~is_of_player
    query = query.where(is_chosen)
    return [
        {
            "number": row.id,
            "when": row.at,
            "actor": row.actor,
            "action": row.action,
            "userid": row.userid,
            "board": row.board_id,
            "reason": row.reason,
            "undo": f"pbm admin undo {row.id}" if row.undo and row.closed is None else None,
        }
        for row in session.all(Query(NamedAuditRow, query))
    ]


# What limits there are, and who has reached them.

_NEAR = 0.8
"""The fraction of a limit from which on somebody is near it."""
_MOST_NAMED = 10
_AT_ONCE: Mapping[Limit, Select[tuple[int, int]]] = {
    Limit.OPEN_BOARDS: select(seats.c.player_id, func.count().label("amount"))
    .join(boards, boards.c.id == seats.c.board_id)
    .where(boards.c.state.in_(("invited", "running")), seats.c.rank.is_(None))
    .group_by(seats.c.player_id),
    Limit.OPEN_OFFERS: select(offers.c.player_id, func.count().label("amount"))
    .where(offers.c.state == "open")
    .group_by(offers.c.player_id),
    Limit.ADDRESSES: select(addresses.c.player_id, func.count().label("amount")).group_by(
        addresses.c.player_id
    ),
}
"""Queries for amounts that are not counted act by act: (who, amount)."""


def list_limits(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return every limit of the configuration, with who is near it and who has spent it."""
    rows = [
        _describe_limit(session, limit, asked["now"], asked["config"])
        for limit in Limit
        if isinstance(limit.most, str)
    ]
    is_wanted = [row for row in rows if row["near"] or row["spent"] or not asked["reached"]]
    return is_wanted[: asked["limit"]]


def _describe_limit(
    session: Session, limit: Limit, now: float, config: Config
) -> dict[str, object]:
    most, found = limit.find_most(config), list[Spent]()
    if most and limit.window:
        found = list_spent(session, limit, now, _NEAR * most)
    elif most and limit in _AT_ONCE:
        counts = session.execute(_AT_ONCE[limit]).mappings()
        found = [Spent([str(row["player_id"])], row["amount"], True) for row in counts]
    near = [each.who for each in found if each.is_now and _NEAR * most <= each.amount < most]
    return {
        "limit": limit.word,
        "key": limit.key,
        "most": most or "any number",
        "window": _WINDOWS[limit.window],
        "who": limit.who,
        "near": _name_people(session, limit, near),
        "spent": _name_people(session, limit, [x.who for x in found if x.amount >= most]),
        "then": limit.spent,
    }


_WINDOWS = {
    0: "at once",
    1: "a second",
    HOUR: "an hour",
    DAY: "a day",
    2 * DAY: "two days",
    WEEK: "seven days",
}


def _name_people(session: Session, limit: Limit, people: list[list[str]]) -> str:
    """Return the names behind counters, each once. Texts are stored as digests, and have no
    names."""
    names = []
    for words in people[:_MOST_NAMED]:
        shown = []
        for kind, word in zip(limit.who.split(), words, strict=False):
            player = get_player(session, int(word)) if kind == "player" else None
            if player is not None:
                shown.append(player.userid)
            elif kind != "text":
                shown.append(word if kind in ("address", "domain") else f"{kind} {word}")
        names.append(" ".join(shown) or "all")
    more = len(people) - _MOST_NAMED
    return ", ".join([*dict.fromkeys(names), *([f"{more} more"] if more > 0 else [])])


LISTS = (
    ListRow(
        "limits",
        "every limit, who is near it and who has spent it",
        "Every limit: its key in the configuration, how much there is and within which window, who "
        "is near it (80 %) now, who has spent it today, and what happens then. Days end at "
        "00:00 UTC. Of what a process counts in memory alone nobody is named.",
        list_limits,
        (Filter("reached", "only limits that somebody is near or has spent", is_flag=True),),
        has_numbers=False,
        limit=100,
    ),
    ListRow(
        "held",
        "words of newcomers that wait for a yes",
        "Words of newcomers to people who do not know them, which wait for a yes for seven days, "
        "oldest first: `pbm admin deliver NUMBER` passes them on, `pbm admin discard NUMBER` "
        "deletes them.",
        list_held_words,
        times=("when",),
    ),
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

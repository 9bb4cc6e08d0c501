"""Blocking: a player hears no more of another one, who is not told."""

from __future__ import annotations

from sqlalchemy import delete, insert

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player, find_player
from pbm.core.kernel.players.similar import refuse_unknown_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.talk.notices import Blocked
from pbm.rules.phrases import phrase
from pbm.store.reads.player_rows import find_blocked
from pbm.store.tables import blocks

_MOST = 100


def block(call: Call) -> list[Notice]:
    """Take no more challenges, messages and offers from these players; without any, list those who
    are blocked. Refuse an unknown userid, one's own, and more than a hundred."""
    people = _find_people(call)
    blocked = find_blocked(call.session, call.me.id)
    new = [player for player in people if player.id not in blocked]
    if len(blocked) + len(new) > _MOST:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you block {blocked} players; {most} is the limit",
                blocked=len(blocked),
                most=_MOST,
            ),
            "unblock {user} PASSWORD USERID",
        )
    for player in new:
        call.session.execute(
            insert(blocks).values(player_id=call.me.id, blocked_id=player.id, at=call.now)
        )
    return [_list(call)]


def unblock(call: Call) -> list[Notice]:
    """Hear of these players again. Refuse an unknown userid."""
    people = _find_people(call)
    if not people:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name the player"),
            "unblock {user} PASSWORD USERID",
        )
    numbers = [player.id for player in people]
    call.session.execute(
        delete(blocks).where(blocks.c.player_id == call.me.id, blocks.c.blocked_id.in_(numbers))
    )
    return [_list(call)]


def _find_people(call: Call) -> list[Player]:
    """Return the players named. Refuse an unknown userid, and one's own."""
    form = f"{call.command.verb.name} {{user}} PASSWORD USERID"
    people: list[Player] = []
    for word in call.command.words:
        player = find_player(call.session, word)
        if player is None:
            raise refuse_unknown_player(call, word, form)
        if player.id == call.me.id:
            raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("you cannot block yourself"), form)
        if player not in people:
            people.append(player)
    return people


def _list(call: Call) -> Notice:
    names = find_blocked(call.session, call.me.id).values()
    return call.answer(Blocked(userid=call.me.userid, names=sorted(names)))

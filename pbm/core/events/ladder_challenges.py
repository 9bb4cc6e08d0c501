"""Challenges on a ladder."""

from __future__ import annotations

from pbm.core.events.finding import load_event
from pbm.core.events.record import build_record, insert_games, update_event
from pbm.core.events.starting import make_board
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.pairing.kinds import get_kind
from pbm.pairing.rungs import can_challenge
from pbm.pairing.rungs import challenge as pair
from pbm.rules.phrases import phrase
from pbm.store.reads.event_rows import find_entrants


def challenge(call: Call) -> list[Notice]:
    """Challenge somebody on a ladder: the board is an invitation, and lost without an answer in
    time. Refuse what the ladder does not allow."""
    me, row = call.me, load_event(call, lock=True)
    if not get_kind(row.kind).has_challenges or row.state != "running":
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            phrase("event {event} is no ladder that is running", event=row.id),
            f"event {row.id}",
            "events",
        )
    form = f"event challenge {row.id} {{user}} PASSWORD USERID"
    entered = {each.number: each for each in find_entrants(call.session, row.id)}
    by_name = {each.userid.lower(): each for each in entered.values() if each.left is None}
    own = by_name.get(me.name)
    if own is None:
        raise Refusal(
            RefusalCode.NOT_ENTERED,
            phrase("you do not take part in event {event}", event=row.id),
            f"event enter {row.id} {{user}} PASSWORD",
        )
    words = call.command.words
    other = by_name.get(words[0].lower()) if len(words) > 1 else None
    if other is None:
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER,
            phrase("name a player of event {event}", event=row.id),
            form,
            f"event standings {row.id}",
        )
    record = build_record(call.session, row, call.now)
    if problem := can_challenge(record, own.number, other.number, call.now):
        raise Refusal(RefusalCode.NO_CHALLENGE, problem, form, f"event standings {row.id}")
    game = pair(record, own.number, other.number, call.now)
    insert_games(call.session, row.id, [game], {game.id: row.ends})
    notices = make_board(call, row, game, entered, own.number)
    update_event(call.session, row.id, look=call.now)
    return notices

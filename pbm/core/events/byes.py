"""Byes that players of a Swiss ask for: rounds in which they are not paired, for half a point."""

from __future__ import annotations

from msgspec import structs

from pbm.core.events.finding import load_event
from pbm.core.events.notices import EventByes
from pbm.core.events.record import (
    build_record,
    name_event,
    update_entrants,
    update_event,
)
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.words import parse_number
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import Entrant, Record
from pbm.rules.phrases import phrase
from pbm.store.reads.event_rows import find_entrant, find_entrants

_MOST = 2
"""Byes that a player can ask for in one event."""


def ask(call: Call) -> list[Notice]:
    """Note the rounds in which a player asks not to be paired, in place of those before; `none` for
    none. Refuse rounds that are paired, the last one, and too many."""
    me, row = call.me, load_event(call, lock=True)
    record = build_record(call.session, row)
    entry = find_entrant(call.session, row.id, me.id)
    if not get_kind(row.kind).has_byes or row.state not in ("open", "running"):
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            phrase(
                "event {event} is no Swiss that is open or running: byes are for these",
                event=row.id,
            ),
            f"event {row.id}",
        )
    if entry is None or entry.left is not None:
        raise Refusal(
            RefusalCode.NOT_ENTERED,
            phrase("you do not take part in event {event}", event=row.id),
            f"event enter {row.id} {{user}} PASSWORD",
        )
    own = record.entrant(entry.number)
    rounds = _read_rounds(call, record, own)
    changed = structs.replace(own, away=rounds)
    update_entrants(call.session, row.id, find_entrants(call.session, row.id), [changed])
    update_event(call.session, row.id)
    content = EventByes(
        event=row.id,
        name=name_event(row),
        game=row.game,
        userid=me.userid,
        rounds=rounds,
    )
    return [call.answer(content)]


def _read_rounds(call: Call, record: Record, own: Entrant) -> tuple[int, ...]:
    """Return the rounds in which the player is not paired. Those that are over stay."""
    form = f"event bye {record.event} {{user}} PASSWORD "
    words = [word.strip(",").lower() for word in call.command.words[:-1]]
    paired = {game.round for game in record.games if own.number in game.seats}
    past = tuple(each for each in own.away if each in paired)
    if words == ["none"]:
        return past
    numbers = [piece for word in words for piece in word.split(",") if piece != "round"]
    rounds = [parse_number(each) for each in numbers]
    if not rounds or not all(each is not None and 0 < each < 1000 for each in rounds):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("name the round in which you are not to be paired, or none"),
            f"{form}2",
            f"{form}none",
        )
    wanted = sorted({each for each in rounds if each is not None} - set(past))
    last = record.options.rounds
    problem = ""
    if late := [each for each in wanted if each in paired]:
        problem = phrase("you are paired in round {round} already", round=late[0])
    elif last and wanted and wanted[-1] >= last:
        problem = phrase(
            "there is no bye in the last round, and round {last} is the last", last=last
        )
    elif len(wanted) + len(past) > _MOST:
        problem = phrase("a player has at most {most} such byes in an event", most=_MOST)
    if problem:
        raise Refusal(RefusalCode.BAD_ARGUMENT, problem, f"event pairings {record.event}")
    return tuple(sorted((*past, *wanted)))

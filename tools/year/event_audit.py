"""What must hold at the end of the year for the league and the ladder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import select

from pbm.core.clock import DAY
from pbm.features.events.record import build_record
from pbm.pairing.record import Record
from pbm.pairing.rungs import list_rungs
from pbm.pairing.seasons import list_movements, next_season
from pbm.store.event_tables import EventRow, events
from pbm.store.reads.event_rows import find_entrants, find_seasons
from pbm.store.reads.player_rows import find_downtimes
from pbm.store.rows import Query
from pbm.store.transaction import Session
from tools.year.world import Received

_ALL = Query(EventRow, select(events).order_by(events.c.id))
_LATEST = 2.5 * DAY
"""An event may end so late where the scheduler ticks every other day, or after a downtime."""


def count_events(session: Session, post: list[Received]) -> dict[str, int]:
    """Return how many seasons, challenges, boards and movements there were."""
    counted: Counter[str] = Counter()
    for row in session.all(_ALL):
        record = build_record(session, row)
        counted[f"{row.kind} {row.state}"] += 1
        for game in record.games:
            counted[f"{row.kind} board {game.how}"] += 1
        for entrant in record.entrants:
            counted[f"{row.kind} entrant {entrant.why or 'to the end'}"] += 1
        if row.kind == "league" and row.state == "over":
            for each in list_movements(record):
                way = "up" if each.after < each.before else "down"
                counted["moved " + way] += each.after != each.before
        if row.kind == "ladder":
            for rung in list_rungs(record, post[-1].at):
                counted["rung by " + rung.reason.split()[0]] += 1
    counted["prize lists"] = sum(
        mail.subject.startswith("[event ") and mail.subject.endswith(" is over") for mail in post
    )
    return dict(counted)


def find_taken_out(session: Session) -> set[tuple[int, str, float]]:
    """Return who left which event, and when: their boards ended at that moment."""
    return {
        (row.id, each.userid, each.left)
        for row in session.all(_ALL)
        for each in find_entrants(session, row.id)
        if each.left is not None
    }


def find_wrong_events(session: Session, post: list[Received]) -> Iterator[str]:
    """Yield a sentence for each thing that must not have happened."""
    rows = session.all(_ALL)
    for row in rows:
        record = build_record(session, row)
        yield from _end_on_their_day(session, row)
        yield from _pair_nobody_gone(record)
        if row.kind == "league":
            yield from _stay_in_the_league(session, row, record)
        if row.state == "over":
            yield from _mail_one_prize_list(row, record, post)


def _end_on_their_day(session: Session, row: EventRow) -> Iterator[str]:
    if row.ended is None or row.ends is None:
        return
    back = max((down.ends for down in find_downtimes(session, row.ends - DAY)), default=0.0)
    if row.ended > max(row.ends, back) + _LATEST:
        yield f"event {row.id} ended {(row.ended - row.ends) / DAY:.1f} days late"


def _pair_nobody_gone(record: Record) -> Iterator[str]:
    left = {each.number: each.left for each in record.entrants}
    for game in record.games:
        if len(set(game.seats)) < len(game.seats):
            yield f"event {record.event}: somebody plays game {game.id} against themselves"
        for number in game.seats:
            at = left[number]
            if at is not None and at < game.begun:
                yield f"event {record.event}: game {game.id} is with somebody who had left"


def _stay_in_the_league(session: Session, row: EventRow, record: Record) -> Iterator[str]:
    """Check that whoever stayed plays in the next season, in the division that the last one led to,
    unless they have left the server or the next season since."""
    seasons = find_seasons(session, row.series or row.id)
    later = [each for each in seasons if each.season == row.season + 1]
    if row.state == "over" and len(later) != 1:
        yield f"season {row.season} of the league is followed by {len(later)} others"
    if row.state != "over" or not later:
        return
    follower = build_record(session, later[0])
    expected = {each.name: each.division for each in next_season(record).entrants}
    if (later[0].begins - row.begins) % (record.options.every * DAY):
        yield f"season {later[0].season} begins at another time"
    for each in follower.entrants:
        is_moved = each.name in expected and later[0].state == "open"
        if is_moved and each.division != expected[each.name]:
            yield f"{each.name} is in division {each.division}, not {expected[each.name]}"


def _mail_one_prize_list(row: EventRow, record: Record, post: list[Received]) -> Iterator[str]:
    subject = f"[event {row.id}] {row.name} is over"
    mails = Counter(mail.who for mail in post if mail.subject == subject)
    for each in record.present:
        if mails[each.name] > 1:
            yield f"{each.name} has {mails[each.name]} prize lists of event {row.id}"
    if not mails and record.present:
        yield f"nobody has the prize list of event {row.id}"

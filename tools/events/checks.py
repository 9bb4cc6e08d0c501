"""What must hold for events, after each half day and when they are over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

from msgspec.structs import replace
from sqlalchemy import select

from pbm.core.fsck import find_differences
from pbm.features.events.notices import EventFile
from pbm.features.events.record import build_record
from pbm.features.events.views import list_parts
from pbm.pairing.crosstable import crosstable
from pbm.pairing.next_round import is_over, pair_next
from pbm.pairing.pairing_reasons import explain_pairing
from pbm.pairing.record import DAY, Record, read_json
from pbm.pairing.standings import explain_place, rank_all, standings
from pbm.store.event_tables import EventRow
from pbm.store.reads.event_rows import find_entrants, find_events_of_tour, find_unmade_pairings
from pbm.store.tables import outbound
from pbm.store.transaction import Session
from tests.harness.statements import all_rows
from tools.events.fragile_server import FragileServer

_RESULTS = ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))
_ONCE = ("event_over", "event_begun", "event_cancelled")
"""Notices that a player gets once of an event."""


def check_nobody_waits(session: Session, row: EventRow, now: float) -> None:
    """Check after a tick that all that can be played is being played, and nothing due is left."""
    if row.state not in ("open", "running"):
        return
    where = f"event {row.id} ({row.kind}) on day {now / DAY:.1f}"
    assert row.look is not None, where
    assert row.look > now, f"{where} was not looked at"
    assert row.state == "running" or row.begins > now, f"{where} has not begun"
    if row.state != "running" or (row.ends is not None and now >= row.ends):
        return
    record = build_record(session, row, now)
    waiting = pair_next(record, now)
    assert not waiting, f"{where}: {waiting} could begin"
    assert not find_unmade_pairings(session, row.id, 1), f"{where}: a board is not made"
    assert not is_over(record, now), f"{where} could be over"
    if row.kind == "swiss":
        certain = _find_certain_pairs(record, now)
        assert not certain, f"{where}: {certain} meet however the open boards end"


def _find_certain_pairs(record: Record, now: float) -> set[tuple[int, ...]]:
    """Return the pairs of the next round of a Swiss, none of which has been made yet, that all
    results of the last boards of this one lead to."""
    last = max((game.round for game in record.games), default=0)
    undecided = record.open_games
    if not 1 <= len(undecided) <= 2 or any(game.round != last for game in undecided):
        return set()
    rounds = []
    for results in product(_RESULTS, repeat=len(undecided)):
        ended = [
            replace(game, points=points, how="played", ended=now)
            for game, points in zip(undecided, results, strict=True)
        ]
        games = pair_next(record.with_games(ended), now)
        rounds.append({game.seats for game in games if not game.is_bye})
    return set.intersection(*rounds)


def check_event(server: FragileServer, session: Session, row: EventRow, slack: float) -> Record:
    """Return an event that is over: it ended on its day, nobody was paired twice, with themselves
    or with the gone, and its tables are those of the record that everybody can have."""
    where = f"event {row.id} ({row.kind})"
    record = build_record(session, row)
    assert row.ended is not None
    assert row.ends is None or row.ended < row.ends + DAY + slack, f"{where} ended late"
    assert not record.open_games, f"{where} has open games"
    if row.kind in ("knockout", "doubleknockout"):
        first = [each for each in standings(record) if each.place == 1]
        assert len(first) == 1, f"{where} has {len(first)} winners"
    _check_pairings(record)
    _check_tables(server, session, record)
    return record


def _check_pairings(record: Record) -> None:
    left = {each.number: each.left for each in record.entrants if each.left is not None}
    met: Counter[tuple[str, int, frozenset[int]]] = Counter()
    for game in record.games:
        assert len(set(game.seats)) == len(game.seats), game
        assert game.reason or record.options.kind == "ladder", game
        if game.board is not None or game.is_bye:
            for number in game.seats:
                assert number not in left or game.begun <= left[number], f"{game} has one gone"
        pairs = combinations(game.seats, 2)
        met.update((game.stage, game.group, frozenset(pair)) for pair in pairs)
    if record.options.kind == "swiss":
        assert max(met.values(), default=0) <= 1, met
    elif record.options.kind in ("roundrobin", "league") and record.options.seats == 2:
        assert max(met.values(), default=0) <= record.options.boards, met
    elif record.options.kind in ("knockout", "doubleknockout"):
        assert max(met.values(), default=0) <= 2 * record.options.boards + 2, met


def _check_tables(server: FragileServer, session: Session, record: Record) -> None:
    """Compute all tables again from the JSON that the server gives out."""
    result = server.show(session, "event record", str(record.event))
    (content,) = (notice.content for notice in result)
    assert isinstance(content, EventFile)
    again = read_json(content.text)
    assert again == record
    assert rank_all(again) == rank_all(record)
    for _, group, stage in list_parts(record):
        assert standings(again, group, stage) == standings(record, group, stage)
        assert crosstable(again, group, stage) == crosstable(record, group, stage)
    for each in record.entrants:
        assert explain_place(again, each.number) == explain_place(record, each.number)
        assert explain_pairing(again, each.number) == explain_pairing(record, each.number)


def check_mails(session: Session, rows: Sequence[EventRow]) -> int:
    """Return the database agrees with itself, everybody who stayed has each prize list once, and
    nobody anything twice; how many mails went out."""
    assert [*find_differences(session)] == []
    sent = all_rows(session, select(outbound.c.recipient, outbound.c.content, outbound.c.message))
    got: Counter[tuple[str, int, str]] = Counter()
    for recipient, content, message in sent:
        if content in _ONCE:
            subject = bytes(message).partition(b"Subject: [event ")[2]
            got[recipient, int(subject.partition(b"]")[0]), content] += 1
    assert max(got.values(), default=1) == 1, got
    for row in rows:
        if row.state != "over":
            continue
        numbers = [row.id]
        if row.kind == "tour":
            numbers = [each.id for each in find_events_of_tour(session, row.id)]
        stayed = {
            f"{each.userid}@example.org"
            for number in numbers
            for each in find_entrants(session, number)
            if each.left is None and each.player_state == "active"
        }
        listed = {who for who, event, content in got if (event, content) == (row.id, "event_over")}
        assert listed >= stayed, f"event {row.id}: {stayed - listed} have no prize list"
    return len(sent)

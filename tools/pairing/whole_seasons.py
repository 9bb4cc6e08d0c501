"""Whole seasons of every kind with players who fall silent or withdraw, without a server: each ends
on its day, pairs nobody who has gone, and has tables that its record alone gives again."""

import random
from collections import Counter
from collections.abc import Collection
from itertools import combinations

from msgspec.structs import replace

from pbm.pairing.game_points import adjudicate
from pbm.pairing.record import DAY, EventGame, Options, Record, read_json, write_json
from pbm.pairing.rounds import (
    admit,
    begin,
    count_rounds,
    explain_pairing,
    is_over,
    leave,
    pair_next,
)
from pbm.pairing.rungs import can_challenge, challenge, list_rungs
from pbm.pairing.seasons import next_season
from pbm.pairing.standings import crosstable, explain_place, leg_of, rank_all, standings
from pbm.pairing.trf import read_trf, write_trf
from tools.pairing.seasons import announce, finish

KINDS: tuple[str, ...] = (
    "roundrobin", "swiss", "knockout", "doubleknockout", "league", "ladder",
)  # fmt: skip
SILENT, WITHDRAWING = 0.2, 0.05
PATIENCE = 10
"""Days after which a silent player is taken out."""
DAYS = 60


def choose_options(rng: random.Random, kind: str) -> Options:
    """Choose options of an event of this kind, at random."""
    seats = 3 if kind == "roundrobin" and rng.random() < 0.2 else 2
    return Options(
        kind=kind,
        game="hex",
        seats=seats,
        boards=rng.choice([1, 1, 2, 3]) if kind != "swiss" and seats == 2 else 1,
        rounds=rng.randint(3, 7) if kind == "swiss" else 0,
        groups=rng.choice([1, 2, 3]) if kind == "roundrobin" else 1,
        advance=rng.choice([1, 2]),
        divisions=rng.randint(1, 3) if kind == "league" else 1,
        together=rng.choice([0, 0, 2]) if kind in ("roundrobin", "league") else 0,
        decay=rng.choice([0, 7, 20]),
        adjudication=rng.choice(["rating", "draw"]),
    )


class Season:
    """One event, day by day."""

    def __init__(self, record: Record, rng: random.Random) -> None:
        self.rng = rng
        self.record = begin(record)
        self.met: Counter[frozenset[int]] = Counter()
        self.quiet: dict[int, float] = {}
        self.leaving: dict[int, float] = {}
        for entrant in self.record.entrants:
            if rng.random() < SILENT:
                self.quiet[entrant.number] = rng.uniform(1, DAYS) * DAY
            elif rng.random() < WITHDRAWING:
                self.leaving[entrant.number] = rng.uniform(1, DAYS) * DAY

    def play(self) -> Record:
        """Return the record when the event is over."""
        ends = self.record.ends
        assert ends is not None
        now = self.record.begins
        self._pair(now)
        while now < ends and not is_over(self.record, now):
            now = min(now + DAY, ends)
            self._live_a_day(now)
            self._meet_deadlines(now)
        while self.record.open_games:
            assert now >= ends
            self.record = adjudicate(self.record, now)
            self._pair(now)
        assert is_over(self.record, now)
        assert now <= ends
        return replace(self.record, ended=now)

    def _pair(self, now: float) -> None:
        """Begin what can begin, and look at it."""
        games = pair_next(self.record, now)
        self._check(games)
        self.record = self.record.with_games(games)

    def _check(self, games: Collection[EventGame]) -> None:
        gone = {each.number for each in self.record.entrants if each.left is not None}
        for game in games:
            assert len(set(game.seats)) == len(game.seats)
            assert game.reason
            if game.is_open:
                assert not gone & {*game.seats}
            self.met.update(frozenset(pair) for pair in combinations(game.seats, 2))
        if self.record.options.kind == "swiss":
            assert max(self.met.values(), default=0) <= 1

    def _live_a_day(self, now: float) -> None:
        for game in self.record.open_games:
            if any(self.quiet.get(number, now) < now for number in game.seats):
                continue
            if self.rng.random() < 0.1:
                self.record = finish(self.record, game, self.rng, now)
        for entrant in self.record.present:
            quiet = self.quiet.get(entrant.number)
            if quiet is not None and quiet + PATIENCE * DAY < now:
                self.record = leave(self.record, entrant.number, now, "silent")
            elif self.leaving.get(entrant.number, now) < now:
                self.record = leave(self.record, entrant.number, now, "withdrew")
        if self.record.options.kind == "ladder":
            self._challenge(now)
        if self.record.options.kind == "swiss" and now == self.record.begins + 3 * DAY:
            late = admit(self.record, "late", 1500, now)
            self.record = self.record.with_entrants([late])
        self._pair(now)

    def _challenge(self, now: float) -> None:
        rungs = list_rungs(self.record, now)
        for one, two in combinations(rungs, 2):
            pair = (two.number, one.number)
            if self.rng.random() < 0.02 and not can_challenge(self.record, *pair, now):
                game = challenge(self.record, *pair, now)
                self._check([game])
                self.record = self.record.with_games([game])

    def _meet_deadlines(self, now: float) -> None:
        """Adjudicate what a round has left open on its day, as the server does."""
        rounds, ends = count_rounds(self.record), self.record.ends
        assert ends is not None
        span = ends - self.record.begins
        late = {
            game.id
            for game in self.record.open_games
            if rounds and self.record.begins + span * game.round / rounds <= now
        }
        if late and self.record.options.kind in ("swiss", "knockout", "doubleknockout"):
            self.record = adjudicate(self.record, now, late)
            self._pair(now)


def check_tables(record: Record) -> None:
    """Check that the tables of a record are those of its JSON, and hang together."""
    again = read_json(write_json(record))
    assert again == record
    rows = standings(record)
    assert standings(again) == rows
    assert rank_all(again) == rank_all(record)
    ranked = [row.name for row in rank_all(record)]
    everybody = sorted(each.name for each in record.entrants)
    kind = record.options.kind
    assert sorted(ranked) == (
        sorted(each.name for each in record.present) if kind == "ladder" else everybody
    )
    for row in rows:
        assert row.name in explain_place(record, row.number)
        assert explain_pairing(record, row.number)
    for group in sorted({row.group for row in rows}):
        table = crosstable(record, group)
        assert table == crosstable(again, group)
        assert all(len(row.cells) == len(table.columns) for row in table.rows)
    if kind in ("swiss", "roundrobin", "league") and record.options.seats == 2 and record.games:
        read_trf(write_trf(record))
    assert sorted(name for place in leg_of(record).places for name in place) == sorted(ranked)


def play_season(seed: int) -> Record:
    """Play one event, or three seasons of a league, and check it. Return the last record."""
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    options = choose_options(rng, kind)
    least = options.groups * options.divisions * options.seats
    record = announce(options, rng.randint(max(4, least), 40), seed)
    record = replace(record, ends=record.begins + DAYS * DAY)
    for _ in range(3 if kind == "league" else 1):
        if len(record.present) < least:
            break
        record = replace(record, secret=rng.randbytes(32).hex())
        over = Season(record, rng).play()
        check_tables(over)
        record = next_season(over)
    return over

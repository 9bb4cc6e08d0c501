"""Whole seasons of events through the server: `python -m tools.populations.events --seasons 1000`.

A fifth of the players fall silent and one in twenty leaves. The server dies at one commit in fifty,
before it or after it; in one season of ten its process is killed by SIGKILL, again and again. With
`--log FILE` a run that was broken off goes on where it was: the file has a line for each season."""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from itertools import combinations, product
from math import inf
from multiprocessing import get_context
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import select

from pbm.bots.turns import choose_turn
from pbm.core.board import Board
from pbm.core.fsck import find_differences
from pbm.core.storing import load
from pbm.features.events.notices import EventFile
from pbm.features.events.record import build_record
from pbm.features.events.rows import (
    find_entrants,
    find_events_of_tour,
    find_open_pairings,
    find_unmade_pairings,
)
from pbm.features.events.tables import PairingRow
from pbm.features.events.views import list_parts
from pbm.pairing.game_points import score_ranks
from pbm.pairing.kinds import KINDS
from pbm.pairing.record import DAY, Record, read_json
from pbm.pairing.rounds import explain_pairing, is_over, pair_next
from pbm.pairing.standings import crosstable, explain_place, rank_all, standings
from pbm.rules.turn_text import turn_text
from pbm.store.rows import Query
from pbm.store.tables import EventRow, events, outbound
from pbm.store.transaction import Session
from tests.harness.databases import all_rows
from tools.populations.fragile_server import Crash, FragileServer, Killed

# What must hold for events, after each half day and when they are over.


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
    """Check that the database agrees with itself, that everybody who stayed got each prize list
    once, and that nobody got anything twice. Return the number of mails sent."""
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


# One season through the server: players enter, play, fall silent and leave, and the server dies
# in between. It is an event, or three seasons of a league, or a tour and its events.


BEGIN = 1772452800.0
"""Monday, 2 March 2026, at noon UTC."""
STEP = DAY / 2
PEOPLE = 24
SILENT, WITHDRAWING = 0.2, 0.05
SEASONS = 3
"""Seasons of a league that are played."""
_RATED_BOARDS = 40
_LONGEST = 300 * DAY
_EVENTS = Query(EventRow, select(events).order_by(events.c.id))


class Figures(Struct):
    """What was counted in seasons. `crashes` are those at commits; what a process that was killed
    had counted of `commands` and `crashes` is not known."""

    seasons: dict[str, int] = {}
    events: dict[str, int] = {}
    players: dict[str, int] = {}
    games: dict[str, int] = {}
    commands: int = 0
    crashes: int = 0
    kills: int = 0
    mails: int = 0
    wrong: list[str] = []

    def add(self, other: Figures) -> None:
        """Add the figures of other seasons."""
        for name in self.__struct_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, dict):
                setattr(self, name, dict(Counter(mine) + Counter(theirs)))
            else:
                setattr(self, name, mine + theirs)


def make_club(folder: Path) -> Path:
    """Return a database with people who have ratings, to be copied for each season."""
    path, dice = folder / "club.db", random.Random("club")
    server = FragileServer(path, lambda: BEGIN - 40 * DAY, dice, 0)
    for number in range(PEOPLE):
        server.sign_up(f"p{number:02}", number + 1)
    for number in range(_RATED_BOARDS):
        one, two = dice.sample(range(1, PEOPLE + 1), 2)
        server.submit(one, "challenge", f"p{one - 1:02}", f"p{two - 1:02}", game="tictactoe")
        server.submit(two, "accept", game="tictactoe", board=number + 1)
        server.submit(one, "move", "b2", game="tictactoe", board=number + 1)
        server.submit(two, "move", "a1", game="tictactoe", board=number + 1)
        server.submit(max(one, two), "resign", game="tictactoe", board=number + 1)
    server.close()
    return path


class Season:
    """A season in a folder of its own, begun or taken up again."""

    def __init__(self, folder: Path, club: Path, seed: int, odds: float) -> None:
        self.seed = seed
        kinds = [name for name, kind in KINDS.items() if not kind.for_teams]
        self.kind = kinds[seed % len(kinds)]
        self.figures = Figures()
        self._odds = odds
        self._path = folder / "pbm.db"
        self._clock_file = folder / "clock"
        self._attempts = 0
        dice = random.Random(f"season {seed}")
        self._people = dice.sample(range(1, PEOPLE + 1), dice.randint(6, 14))
        self._late = [each for each in range(1, PEOPLE + 1) if each not in self._people][:3]
        days = dice.randint(24, 45)
        self._pace = dice.choice((0.15, 0.3, 0.6))
        self._plans = list(_plan(dice, self.kind, days))
        self._quiet: dict[int, float] = {}
        self._leaving: dict[int, float] = {}
        for each in (*self._people, *self._late):
            if dice.random() < SILENT:
                self._quiet[each] = BEGIN + dice.uniform(1, 0.6 * days) * DAY
            elif dice.random() < WITHDRAWING:
                self._leaving[each] = BEGIN + dice.uniform(3, 0.8 * days) * DAY
        self._closes = {each for each in self._leaving if dice.random() < 0.4}
        self._down = BEGIN + dice.uniform(4, days) * DAY if dice.random() < 0.3 else inf
        if not self._clock_file.exists():
            for rest in folder.glob("pbm.db*"):
                rest.unlink()
            shutil.copy(club, self._path)
            self._open(0)
            self._announce()
            self._save(BEGIN)
            self._server.close()
        self.now = float(self._clock_file.read_text())

    def play(self) -> Figures:
        """Play to the end, through all crashes; what was counted."""
        self._open(self._odds)
        while not self._is_over():
            try:
                self._live()
                self._save(self.now + STEP)
            except (Crash, Killed):
                self.figures.crashes += 1
                self._attempts += 1
                self._server.close()
                self._open(self._odds)
        self._server.close()
        self._open(0)
        self._check()
        self._server.close()
        return self.figures

    def _open(self, odds: float) -> None:
        dice = random.Random(f"server {self.seed} {self._attempts}")
        self._server = FragileServer(self._path, lambda: self.now, dice, odds)

    def _save(self, now: float) -> None:
        self.now = now
        beside = self._clock_file.with_suffix(".new")
        beside.write_text(repr(now))
        beside.replace(self._clock_file)

    def _announce(self) -> None:
        self.now = BEGIN
        for number, words in enumerate(self._plans, 1):
            assert not self._server.submit(1, "event new", *words).is_refused, words
            if words[0] != "tour":
                for each in self._people:
                    assert not self._server.submit(each, "event enter", str(number)).is_refused

    def _find_events(self) -> Sequence[EventRow]:
        with self._server.store.reading() as session:
            return session.all(_EVENTS)

    def _is_over(self) -> bool:
        assert self.now < BEGIN + _LONGEST, "it does not end"
        rows = self._find_events()
        last = any(row.season == SEASONS and row.state == "over" for row in rows)
        return last or all(row.state in ("over", "cancelled") for row in rows)

    def _live(self) -> None:
        """Live half a day: whoever is there plays, some leave, and the scheduler ticks."""
        if self._down <= self.now < self._down + DAY:
            self._save(self._down + 2 * DAY)
            self._server.tick(STEP)
            self.now += STEP
        dice = random.Random(f"day {self.seed} {self.now} {self._attempts}")
        began = self.now
        for row in self._find_events():
            if row.state in ("open", "running"):
                self._act_in(row, dice)
        self._server.tick(STEP)
        with self._server.store.reading() as session:
            for row in session.all(_EVENTS):
                check_nobody_waits(session, row, self.now)
        self.now = began

    def _act_in(self, row: EventRow, dice: random.Random) -> None:
        with self._server.store.reading() as session:
            entered = [each for each in find_entrants(session, row.id) if each.left is None]
            open_games = find_open_pairings(session, row.id)
        here = {each.player_id for each in entered if self._is_here(each.player_id)}
        if row.ends is not None and self.now > row.ends:
            self._decide(row, open_games)
            return
        for each in self._late:
            is_due = row.kind == "ladder" or row.season > 1 or row.state == "running"
            if is_due and row.kind != "tour" and dice.random() < 0.1:
                self._submit(each, "event enter", str(row.id))
        for each in sorted(here):
            if self._leaving.get(each, self.now) < self.now:
                self._leave(row, each)
            elif row.kind == "ladder" and row.state == "running" and dice.random() < 0.15:
                other = dice.choice(entered).userid
                self._submit(each, "event challenge", other, str(row.id))
        for game in open_games:
            if game.board_id is not None and dice.random() < self._pace:
                self.now += STEP / 500
                self._visit(game.board_id, row.game, here, dice)

    def _is_here(self, player: int) -> bool:
        return self.now < self._quiet.get(player, self.now + 1)

    def _submit(self, player: int, verb: str, *words: str, game: str = "", board: int = 0) -> None:
        self.figures.commands += 1
        self._server.submit(player, verb, *words, game=game, board=board)

    def _leave(self, row: EventRow, player: int) -> None:
        if player in self._closes:
            self._server.close_account(player)
        else:
            self._submit(player, "event leave", str(row.id))

    def _decide(self, row: EventRow, games: Sequence[PairingRow]) -> None:
        """Decide as the operator what the event leaves to the operator."""
        if json.loads(row.rules).get("adjudication") != "operator":
            return
        for game in games:
            count = len(json.loads(game.entrants))
            assert game.board_id is not None
            self._server.set_result(row.id, game.board_id, score_ranks(range(count)))

    def _visit(self, number: int, game: str, here: set[int], dice: random.Random) -> None:
        """Have whoever is on the move on a board move, resign, or offer a draw that is accepted."""
        with self._server.store.reading() as session:
            board = load(session, number)
        if board.state == "invited":
            for seat in board.seats:
                if not seat.accepted and seat.player in here:
                    self._submit(seat.player, "accept", game=game, board=number)
            return
        if board.state != "running":
            return
        for which in sorted(board.position.to_move):
            player = board.seats[which].player
            if player in here:
                self._take_turn(board, which, player, here, dice)

    def _take_turn(
        self, board: Board, which: int, player: int, here: set[int], dice: random.Random
    ) -> None:
        game, choice = board.game.info.name, dice.random()
        have_moved = all(seat.moved for seat in board.seats)
        if have_moved and choice < 0.3:
            self._submit(player, "resign", game=game, board=board.id)
        elif have_moved and choice < 0.45:
            self._submit(player, "propose", game=game, board=board.id)
            for seat in board.seats:
                if seat.player != player and seat.player in here:
                    self._submit(seat.player, "accept", game=game, board=board.id)
        else:
            moves = choose_turn(board.position, which, "random", dice, lambda _: True)
            turn = turn_text(board.position, which, moves)
            self._submit(player, "move", turn, game=game, board=board.id)

    def _check(self) -> None:
        states, whys, hows = Counter[str](), Counter[str](), Counter[str]()
        with self._server.store.reading() as session:
            rows = session.all(_EVENTS)
            for row in rows:
                states[f"{row.kind} {row.state}"] += 1
                if row.state == "over":
                    record = check_event(self._server, session, row, self._slack)
                    whys.update(each.why or "stayed" for each in record.entrants)
                    hows.update(game.how for game in record.games)
            self.figures.mails = check_mails(session, rows)
        self.figures.add(Figures(seasons={self.kind: 1}, events=states, players=whys, games=hows))

    @property
    def _slack(self) -> float:
        """So much later than on its day an event may end: the server was down, and announces anew
        for a day what it decides."""
        return 3 * DAY if self._down < inf else 0.0


def _plan(dice: random.Random, kind: str, days: int) -> Iterator[tuple[str, ...]]:
    """Yield the words of `event new` for each event of a season."""
    begins = BEGIN + 2.5 * DAY
    ends = _write_day(begins + (days - 1) * DAY)
    terms = ["--name=Cup", "--silent=8", "--forfeit=6", f"--begins={_write_day(begins)}"]
    unfinished = dice.choice(["rating", "rating", "draw"])
    if kind == "tour":
        yield ("tour", "tictactoe", *terms, f"--ends={_write_day(begins + 50 * DAY)}")
        for leg in dice.sample(["roundrobin", "swiss", "knockout"], 2):
            yield (leg, "tictactoe", *terms, "--tour=1", f"--ends={ends}")
        return
    game = "tictactoe"
    if kind == "league":
        terms += ["--every=32", f"--divisions={dice.randint(1, 3)}"]
    else:
        terms.append(f"--ends={ends}")
    if kind == "roundrobin":
        unfinished = dice.choice(["rating", "draw", "operator"])
        choice = dice.random()
        if choice < 0.15:
            game = "cradle"
            terms += ["-size=2", "--seats=3", "--rounds=3"]
        elif choice < 0.4:
            terms += [f"--groups={dice.randint(2, 3)}", f"--advance={dice.randint(1, 2)}"]
        elif choice < 0.6:
            terms.append("--boards=2")
        elif choice < 0.8:
            terms.append("--together=2")
    elif kind == "swiss" and dice.random() < 0.7:
        terms.append(f"--rounds={dice.randint(3, 6)}")
    elif kind in ("knockout", "doubleknockout"):
        terms.append(f"--boards={dice.choice([1, 1, 2, 3])}")
    elif kind == "ladder":
        terms += ["--answer=3", f"--decay={dice.choice([5, 30])}"]
    yield (kind, game, *terms, f"--unfinished={unfinished}")


def _write_day(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


# A season in a folder that is deleted afterwards; of ten, one in processes that are killed.


ODDS = 0.02
"""How often a server dies at a commit."""
_OF_TEN = 10
_MOST_KILLS = 6
_PATIENCE = 600


def play_season(club: Path, seed: int) -> tuple[int, Figures]:
    """Play one season; its seed and figures. What is wrong is in the figures."""
    with tempfile.TemporaryDirectory(prefix=f"season-{seed}-", dir=club.parent) as name:
        folder = Path(name)
        try:
            if seed % _OF_TEN == 0:
                return seed, play_killed(folder, club, seed)
            return seed, Season(folder, club, seed, ODDS).play()
        except Exception:
            return seed, Figures(wrong=[f"season {seed}: {traceback.format_exc()}"])


def play_killed(folder: Path, club: Path, seed: int) -> Figures:
    """Play one season in processes of which all but the last are killed at any moment."""
    dice = random.Random(f"kills {seed}")
    kills = 0
    result = folder / "figures"
    while True:
        process = get_context("fork").Process(target=_play, args=(folder, club, seed, result))
        process.start()
        is_last = kills == _MOST_KILLS
        process.join(_PATIENCE if is_last else dice.uniform(0.02, 0.5))
        if process.exitcode is None and not is_last:
            process.kill()
            process.join()
            kills += 1
            continue
        assert result.exists(), f"the process ended with {process.exitcode}"
        figures = msgspec.json.decode(result.read_bytes(), type=Figures)
        figures.kills = kills
        return figures


def _play(folder: Path, club: Path, seed: int, result: Path) -> None:
    try:
        figures = Season(folder, club, seed, 0).play()
    except Exception:
        figures = Figures(wrong=[f"season {seed}: {traceback.format_exc()}"])
    beside = result.with_suffix(".new")
    beside.write_bytes(msgspec.json.encode(figures))
    beside.replace(result)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.populations.events",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seasons", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="of the first season")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--log", type=Path, help="the results so far, a line each")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    done = _read_log(given.log)
    seeds = [n for n in range(given.seed, given.seed + given.seasons) if n not in done]
    with tempfile.TemporaryDirectory(prefix="pbm-events-") as folder:
        club = make_club(Path(folder))
        with ProcessPoolExecutor(given.processes, get_context("fork")) as pool:
            for seed, figures in pool.map(partial(play_season, club), seeds):
                done[seed] = figures
                if given.log is not None:
                    with given.log.open("ab") as log:
                        log.write(msgspec.json.encode((seed, figures)) + b"\n")
    total = Figures()
    for each in done.values():
        total.add(each)
    print(msgspec.json.format(msgspec.json.encode(total)).decode())
    print(f"{len(seeds)} seasons in {time.monotonic() - began:.0f} s")
    return 1 if total.wrong else 0


def _read_log(path: Path | None) -> dict[int, Figures]:
    """Return the figures of the seasons that have been played, by seed."""
    if path is None or not path.exists():
        return {}
    lines = path.read_bytes().splitlines()
    return dict(msgspec.json.decode(line, type=tuple[int, Figures]) for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

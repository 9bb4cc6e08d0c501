"""One season through the server: players enter, play, fall silent and leave, and the server dies in
between. It is an event, or three seasons of a league, or a tour and its events.

All that happens follows from the seed, the database, and a file with the time, which is written
after each half day: a season whose process was killed is taken up again where it was."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import inf
from pathlib import Path

from msgspec import Struct
from sqlalchemy import select

from pbm.bots.turns import choose_turn
from pbm.core.board import Board
from pbm.core.storing import load
from pbm.pairing.game_points import score_ranks
from pbm.pairing.kinds import KINDS
from pbm.pairing.record import DAY
from pbm.rules.turn_text import turn_text
from pbm.store.event_tables import EventRow, PairingRow, events
from pbm.store.reads.event_rows import find_entrants, find_open_pairings
from pbm.store.rows import Query
from tools.events.checks import check_event, check_mails, check_nobody_waits
from tools.events.fragile_server import Crash, FragileServer

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
        self.kind = tuple(KINDS)[seed % len(KINDS)]
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
            except Crash:
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

"""A month in an hour:
`python -m tools.populations.soak [--days 30] [--players 200] [--minutes 60] [--seed 1]`.

A real server plays with so many people for so many days of a clock that runs fast, while their mail
servers fail as real ones do. It is measured every day, and started again at the end. Its files stay
in --folder if that is given; when they are there already, the server is only started again."""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import smtplib
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from statistics import mean, median

from pbm.store.engine import Store
from tests.harness.conversation import DAY, SERVER, Conversation
from tests.harness.conversation import Clock as SetClock
from tests.harness.databases import create_database
from tests.harness.servers import Loop, ServerProcess, is_busy
from tools.populations.mail_servers import MailServers
from tools.populations.simulated_players import Person, acts, joins, person, prefer, reads

# What a running server takes: memory, open files, disk.


@dataclass(frozen=True, slots=True)
class Sample:
    """A server at one moment of the fast clock.

    server   MiB of the front and its workers, shared memory counted once
    helpers  MiB of the processes in which bots think and pictures are drawn
    """

    day: float
    mails: int
    sent: int
    boards: int
    moves: int
    server: float
    helpers: float
    files: int
    database: float
    log: float
    free: float


def measure(pid: int, database: Path, day: float) -> Sample:
    """Return a sample."""
    server, helpers, files = 0.0, 0.0, 0
    for each in [pid, *_list_children(pid)]:
        try:
            command = Path(f"/proc/{each}/cmdline").read_text()
            memory = _read_memory(each)
            count = len(os.listdir(f"/proc/{each}/fd"))
        except OSError:
            continue
        if "_process" in command:
            helpers += memory
        else:
            server += memory
            files += count
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        value = {
            name: connection.execute(statement).fetchone()[0]
            for name, statement in {
                "mails": "SELECT count(*) FROM inbound",
                "sent": "SELECT count(*) FROM outbound",
                "boards": "SELECT count(*) FROM boards",
                "moves": "SELECT count(*) FROM moves",
                "pages": "PRAGMA page_count",
                "free": "PRAGMA freelist_count",
            }.items()
        }
    finally:
        connection.close()
    log = Path(f"{database}-wal")
    return Sample(
        day=round(day, 1),
        mails=value["mails"],
        sent=value["sent"],
        boards=value["boards"],
        moves=value["moves"],
        server=round(server, 1),
        helpers=round(helpers, 1),
        files=files,
        database=round(database.stat().st_size / 1e6, 1),
        log=round(log.stat().st_size / 1e6, 1) if log.exists() else 0.0,
        free=round(value["free"] / value["pages"], 3),
    )


def _list_children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def _read_memory(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


# The month: a server as a process with a fast clock, and people who play by mail.


ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "plugin"))  # its game is played, too
_CONFIG = """
[server]
address = "{address}"
[database]
url = "sqlite:///{folder}/pbm.db"
[smtp]
listen = "127.0.0.1:0"
[relay]
url = "smtp://127.0.0.1:{relay}"
[limits]
mails_a_day = 0
signups_a_day = 0
unproved_a_day = 0
[workers]
processes = 0
[retention]
mails_days = {kept}
[bots]
seconds = 0.05
[log]
format = "json"
"""
"""A thread executes mails: worker processes are programs of their own, without the fast clock."""
_SETTLING = 0.001
"""Days of the fast clock that pass between looks into the mailboxes."""
_PATIENCE = 600.0
_LOOKS_A_DAY = 1.0
_DEAD = 0.04
"""The share of players whose mailbox dies in the first half of the month."""


class Clock(SetClock):
    """A clock that runs by itself once it was started; the server reads the file."""

    def __init__(self, speed: float, file: Path) -> None:
        super().__init__()
        self.speed, self.file, self.as_if = speed, file, self.now
        self._began: float | None = None

    def start(self) -> None:
        """Run from now on."""
        self._began = time.time()
        self.file.write_text(repr(self._began))

    def __call__(self) -> float:
        if self._began is not None:
            self.now = self.as_if + (time.time() - self._began) * self.speed
        return self.now


class Process:
    """The server, which can be ended and started again."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._clock = folder, clock

    def start(self) -> float:
        """Start it. Return the seconds until it was ready."""
        clock, began = self._clock, time.monotonic()
        times = [str(value) for value in (clock.speed, clock.as_if, clock.file)]
        program = ("tools.populations.sped", *times)
        self.running = ServerProcess(self._folder / "pbm.toml", program=program).await_ready()
        return time.monotonic() - began

    @property
    def port(self) -> int:
        """Where it takes mail by SMTP."""
        return self.running.port()

    def end(self) -> bool:
        """Send SIGTERM. Return whether it ended without an error."""
        try:
            self.running.end()
        except AssertionError:
            return False
        return True


class Remote:
    """The server as a conversation knows it, at the other end of real mail servers."""

    def __init__(self, url: str, process: Process, servers: MailServers, clock: Clock) -> None:
        self.store = Store(url)
        self._process, self._servers, self._clock = process, servers, clock
        self._client: smtplib.SMTP | None = None
        self.waits = True

    def take(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Deliver a mail, as often as it takes."""
        while True:
            try:
                if self._client is None:
                    self._client = smtplib.SMTP("127.0.0.1", self._process.port, timeout=60)
                self._client.sendmail(envelope_from, [recipient], raw)
            except smtplib.SMTPRecipientsRefused:
                return
            except (OSError, smtplib.SMTPException):
                self._client = None
                time.sleep(0.1)
            else:
                return

    def settle(self) -> list[tuple[str, bytes]]:
        """Return the mails that arrived since the last call; in the beginning, all that are to
        come."""
        if self.waits:
            self._await_rest()
        servers = self._servers
        taken, servers.taken = servers.taken, []
        letters, servers.letters = servers.letters, []
        for letter in letters:
            self.take(*letter)
        return taken

    def _await_rest(self) -> None:
        deadline = time.monotonic() + _PATIENCE
        while is_busy(self.store, self._clock):
            assert time.monotonic() < deadline, "the server does not come to rest"
            time.sleep(0.1)

    def tick(self, every: float) -> None:
        """Do nothing: the server ticks by itself."""

    def close(self) -> None:
        """Hang up."""
        if self._client is not None:
            self._client.close()
        self.store.close()


class Month:
    """`live` lets the days pass; then `samples`, `did` and `events` say what happened."""

    def __init__(
        self, folder: Path, *, players: int, days: float, minutes: float, seed: int
    ) -> None:
        self._days, self._folder = days, folder
        self._database = folder / "pbm.db"
        self._dice = random.Random(seed)
        self.clock = Clock(days * 1440 / minutes, folder / "clock")
        self.servers = MailServers(self.clock, seed)
        self._loop = Loop()
        relay = self._loop.call(self.servers.start())
        text = _CONFIG.format(
            address=SERVER, folder=folder, relay=relay, kept=max(1, int(days / 4))
        )
        (folder / "pbm.toml").write_text(text)
        self.process = Process(folder, self.clock)
        self.samples: list[Sample] = []
        self.did: Counter[str] = Counter()
        create_database(f"sqlite:///{self._database}")
        self.starts = [self.process.start()]
        self._remote = Remote(f"sqlite:///{self._database}", self.process, self.servers, self.clock)
        self._talk = Conversation(self._remote, self.clock, confirms=True)
        begin = self.clock()
        self._people = [person(number, self._dice, begin, days) for number in range(players)]
        self._by_name = {each.name: each for each in self._people}

    def live(self) -> None:
        """Open the accounts while everything works, then let people and mail servers loose."""
        self.servers.is_fair = True
        self._open_accounts()
        self.clock.start()
        self.servers.is_fair = self._remote.waits = False
        begin = self.clock()
        end = begin + self._days * DAY
        looks = [(self._find_next_look(begin), number) for number in range(len(self._people))]
        heapq.heapify(looks)
        dead = self._dice.sample(self._people, round(_DEAD * len(self._people)))
        deaths = [(begin + self._dice.uniform(0.1, 0.5) * self._days * DAY, each) for each in dead]
        next_sample = begin
        while (now := self.clock()) < end:
            self._deliver()
            for death in [each for each in deaths if each[0] <= now]:
                deaths.remove(death)
                kind = self._dice.choice((self.servers.refusing, self.servers.bouncing))
                kind.add(f"{death[1].name}@example.org")
            while looks[0][0] <= now:
                _, number = heapq.heappop(looks)
                self._look(self._people[number])
                heapq.heappush(looks, (self._find_next_look(now), number))
            if now >= next_sample:
                self.samples.append(self._measure(now, begin))
                next_sample += max(1.0, self._days / 60) * DAY
            wait = min(looks[0][0], now + _SETTLING * DAY) - self.clock()
            time.sleep(max(0.0, wait / self.clock.speed))
        self.samples.append(self._measure(self.clock(), begin))

    def _open_accounts(self) -> None:
        """Open all accounts at once: each step for everybody, then the next."""
        talk = self._talk
        for each in self._people:
            talk.mails(each.name, f"signup {each.name} {talk.password(each.name)}")
        for mail in talk.everything():
            talk.replies(mail, f"confirm {mail.line('Code: ')}")
        for mail in talk.everything():
            assert mail.subject.startswith("[pbm] welcome, "), mail
        for each in self._people:
            prefer(talk, each)
        self._deliver()

    def stop(self, starts: int = 3) -> int:
        """End the server, start it some times and end it; how often that went wrong."""
        ends = [self.process.end()]
        for _ in range(starts):
            self.starts.append(self.process.start())
            ends.append(self.process.end())
        return ends.count(False)

    def close(self) -> None:
        """End everything."""
        self.process.running.kill()
        self._remote.close()
        self._loop.call(self.servers.stop())
        self._loop.close()

    def count_events(self) -> Counter[str]:
        """Return the lines of the log, by level and event."""
        lines = (self._folder / "log").read_text().splitlines()
        events = [json.loads(line) for line in lines if line.startswith("{")]
        counts = Counter(f"{event['level']} {event['event']}" for event in events)
        counts["not JSON"] = len(lines) - len(events)
        return +counts

    def _find_next_look(self, now: float) -> float:
        return now + self._dice.expovariate(_LOOKS_A_DAY) * DAY

    def _look(self, each: Person) -> None:
        if each.is_there(self.clock()):
            with self._remote.store.reading() as session:
                acts(self._talk, each, self._people, session, self.did)

    def _deliver(self) -> None:
        for mail in self._talk.everything():
            each = self._by_name.get(mail.address.partition("@")[0])
            if each is None or "] not done" in mail.subject:
                continue
            if mail.subject.startswith("[pbm] open offers"):
                joins(self._talk, each, mail, self.did)
            else:
                reads(each, mail)

    def _measure(self, now: float, begin: float) -> Sample:
        return measure(self.process.running.pid, self._database, (now - begin) / DAY)


_MOST_GROWTH = 1.05
_MOST_FILES = 1.02
_MOST_FREE = 0.2
"""The share of a compact file that is free."""
_LONGEST_START = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=float, default=30)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.folder and (given.folder / "pbm.db").exists():
        starts = start_again(given.folder, given.days)
        print(f"starts: {[round(start, 2) for start in starts]}")
        sys.exit(median(starts) > _LONGEST_START)
    with ExitStack() as stack:
        folder = given.folder
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbm-soak-")))
        folder.mkdir(parents=True, exist_ok=True)
        month = Month(
            folder,
            players=given.players,
            days=given.days,
            minutes=given.minutes,
            seed=given.seed,
        )
        try:
            month.live()
            failed = month.stop()
            events = month.count_events()
        finally:
            month.close()
    names = [field.name for field in fields(Sample)]
    print(f"| {' | '.join(names)} |\n| {' | '.join('---:' for _ in names)} |")
    for sample in month.samples:
        print(f"| {' | '.join(map(str, astuple(sample)))} |")
    print(f"players did: {dict(month.did)}\nmail servers did: {dict(month.servers.did)}")
    print(f"log: {dict(events)}\nstarts: {[round(start, 2) for start in month.starts]}")
    wrong = find_faults(month.samples, month.starts[1:])
    wrong += [f"{failed} ends with an error"] if failed else []
    print("\n".join(wrong) or "all as it should be")
    sys.exit(bool(wrong))


def start_again(folder: Path, days: float, count: int = 3) -> list[float]:
    """Return the seconds that `count` starts take on a database of that many days."""
    clock = Clock(1.0, folder / "stopped-clock")
    clock.as_if += days * DAY
    process = Process(folder, clock)
    starts = []
    for _ in range(count):
        starts.append(process.start())
        process.end()
    return starts


def find_faults(samples: list[Sample], starts: list[float]) -> list[str]:
    """Return what grew: the last third of the time is held against the second."""
    third = len(samples) // 3
    middle, last = samples[third : 2 * third], samples[2 * third :]
    wrong = []
    for name, most in (("server", _MOST_GROWTH), ("files", _MOST_FILES)):
        before, after = (
            median(getattr(sample, name) for sample in part) for part in (middle, last)
        )
        if after > before * most:
            wrong.append(f"{name} grew from {before} to {after}")
    if (free := mean(sample.free for sample in last)) > _MOST_FREE:
        wrong.append(f"{free:.0%} of the database is free")
    if median(starts) > _LONGEST_START:
        wrong.append(f"a start takes {median(starts):.2f} s")
    return wrong


if __name__ == "__main__":
    main()

"""What it costs to grow: throughput with a large database against an almost empty one, in turn, and
the seconds that pages take.

    python -m tools.bench.growth [--boards 1000000 --moves 10000000 --players 100000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from pbm.config import Config, Database, Limits, Server
from pbm.daemon.keys import load_secrets
from pbm.mail.execute import execute_mail
from pbm.mail.receive import build_journal_row
from pbm.mail.services import MailServices, open_services
from pbm.store import inbound_queue
from pbm.store.engine import Store
from tests.harness.mail_room import prepare
from tools.bench.seed import seed
from tools.bench.server import Size, load, running, write_mails

PAGES = (
    "cradle show {board}",
    "cradle show {board}#3",
    "games",
    "cradle games",
    "all show p7 next",
    "all show p7 active",
    "cradle history {board}",
    "cradle history",
    "cradle ratings",
    "cradle standings",
    "rating p7",
    "cradle show p7 next",
    "list",
    "all show p7 inactive",
    "cradle games all",
    "cradle rating p7",
    "cradle show {ended}",
)
_TRIES = 7
_OVER = 0.5
"""The share of the large database's boards that are over: the last ones."""
_PLAYERS = 100


@dataclass(frozen=True, slots=True)
class Growth:
    """Commands a second with each database, bytes a move in the large one, and for each page the
    median milliseconds from mail to stored answer, in both."""

    small: float
    large: float
    bytes_a_move: float
    pages: dict[str, tuple[float, float]]


def growth(harness: Path, work: Path, large: Size, rounds: int, count: int) -> Growth:
    """Measure both databases, which are made below `work`, in turn: with fewer mails than asked for
    where the large one has not as many boards on which nobody has moved."""
    most = _count_mails(large, rounds)
    if most < 1 or large[1] // large[0] % 2:
        sys.exit(
            "growth: each player needs four boards or more, and each board an even number of moves"
        )
    count = min(count, most)
    needed = rounds * _PLAYERS * (1 + -(-count // _PLAYERS))
    played = large[1] // large[0]
    sizes: dict[str, Size] = {"small": (needed, needed * played, _PLAYERS), "large": large}
    for name, size in sizes.items():
        seed(f"sqlite:///{work}/{name}.db", *size, over=_over(size))
    on_disk = (work / "large.db").stat().st_size / max(large[1], 1)
    pages = {name: _pages(f"sqlite:///{work}/{name}.db", sizes[name]) for name in sizes}
    rates: dict[str, list[float]] = {name: [] for name in sizes}
    for turn in range(rounds):
        for name, size in sizes.items():
            boards, people = _boards(size, turn, rounds, count)
            write_mails(work / "mails.jsonl", boards, size)
            with running(work, f"sqlite:///{work}/{name}.db") as server:
                measured = load(harness, server, work, people, count)
                rates[name].append(measured["completed_per_s"])
    small, big = (statistics.median(rates[name]) for name in sizes)
    both = {page: (pages["small"][page], pages["large"][page]) for page in PAGES}
    return Growth(small, big, on_disk, both)


def _boards(size: Size, turn: int, rounds: int, count: int) -> tuple[list[int], int]:
    """Return running boards that nobody has moved on, of so few players as have enough of them:
    first one of each player, then `count` others; and how many players that are."""
    in_all, _, people = size
    each = int(in_all * (1 - _over(size))) // people
    if people == _PLAYERS:
        each //= rounds
        first, names = turn * each, range(people)
    else:
        few = -(-count // (each - 1))
        first, names = 0, range(turn * few, (turn + 1) * few)
    numbers = range(first, first + each)
    boards = [people * number + name + 1 for number in numbers for name in names]
    return boards[: count + len(names)], len(names)


def _count_mails(size: Size, rounds: int) -> int:
    """Return how many mails `_boards` has boards for in each of the rounds."""
    in_all, _, people = size
    each = int(in_all * (1 - _over(size))) // people
    if people == _PLAYERS:
        return (each // rounds - 1) * people
    return people // rounds * (each - 1)


def _over(size: Size) -> float:
    """Return the share of the boards that are over: none of the small database's."""
    return 0.0 if size[2] == _PLAYERS else _OVER


def _pages(url: str, size: Size) -> dict[str, float]:
    """Return the milliseconds of each page: the mail is read, executed, answered and committed."""
    store = Store(url)
    services = build_desk(store)
    found = {}
    for page in PAGES:
        took = [
            page_taken(
                services,
                store,
                page.format(board=size[0] // 4 + number, ended=size[0] - number),
                f"{page} {number}",
            )
            for number in range(_TRIES)
        ]
        found[page] = statistics.median(took) * 1000
    store.close()
    return found


def build_desk(store: Store) -> MailServices:
    """Return what mails are executed with on that database."""
    url = store.url.render_as_string(hide_password=False)
    limits = Limits(
        mails_a_day=0,
        looks_a_day=0,
        looks_bytes_a_day=0,
        look_seconds_a_day=0,
        unproved_a_day=0,
    )
    config = Config(server=Server("pbm@bench.invalid"), database=Database(url), limits=limits)
    return open_services(config, load_secrets(store))


def page_taken(services: MailServices, store: Store, subject: str, mark: str) -> float:
    """Return the seconds from the mail with that subject to its answer."""
    journal(store, subject, mark)
    began = time.perf_counter()
    answers = execute_next(services, store)
    took = time.perf_counter() - began
    assert answers == 1, subject
    return took


def journal(store: Store, subject: str, mark: str) -> None:
    """Take a mail of p7's with that subject."""
    head = f"From: p7@bench.invalid\r\nMessage-ID: <{hash(mark)}@x>\r\nSubject: {subject}\r\n\r\n"
    row = build_journal_row(
        head.encode(),
        via="smtp",
        envelope_from="p7@bench.invalid",
        recipient="pbm@bench.invalid",
        now=time.time(),
    )
    with store.writing() as session:
        inbound_queue.journal(session, [row])


def execute_next(services: MailServices, store: Store) -> int:
    """Execute the mail that waits; how many mails come of it."""
    with store.reading() as session:
        (mail,) = inbound_queue.claim_first(session, 1)
        job = prepare(services, session, mail)
    with store.writing() as session:
        assert inbound_queue.claim(session, job.number) is not None
        return len(execute_mail(services, session, job, time.time()))


def tell(found: Growth, large: Size) -> None:
    """Print it."""
    print(
        f"\nSQLite with {large[0]} boards, of which {large[0] * _OVER:.0f} are over, {large[1]} "
        f"moves, {large[2]} players, and empty:\n"
    )
    print("| | empty | large |\n| --- | ---: | ---: |")
    print(f"| commands a second | {found.small:.0f} | {found.large:.0f} |")
    for page, (small, big) in found.pages.items():
        print(f"| `{page.format(board='N', ended='M')}`, ms | {small:.1f} | {big:.1f} |")
    print(f"\nratio {found.large / found.small:.2f}; {found.bytes_a_move:.0f} bytes on disk a move")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--moves", type=int, default=10_000_000)
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=3000)
    given = parser.parse_args()
    large = given.boards, given.moves, given.players
    with tempfile.TemporaryDirectory(prefix="pbm-growth-") as folder:
        tell(growth(given.harness, Path(folder), large, given.rounds, given.count), large)


if __name__ == "__main__":
    main()

"""What the database of a large club costs its daemons: their start, the front page, old mails that
go, and whether a second one takes over."""

from __future__ import annotations

import os
import smtplib
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlalchemy import delete, func, insert, select

from pbm.config import Retention
from pbm.core import retention
from pbm.store import partitions
from pbm.store.daily_counters import DAY
from pbm.store.engine import Store
from pbm.store.tables import inbound, moves, outbound, receipts
from tests.harness.databases import free_port
from tests.harness.servers import ServerProcess
from tools.bench.seed import move_for
from tools.bench.server import Size

_PAGES = 20
_OLD = 100_000
_KEPT = Retention(mails_days=30, rows_days=60)
_PATIENCE = 300.0
_CONFIG = """
[server]
address = "pbm@bench.invalid"
[database]
url = "{url}"
[smtp]
listen = "127.0.0.1:0"
[relay]
url = "maildir:{folder}/mail"
[web]
listen = "127.0.0.1:{web}"
url = "http://127.0.0.1:{web}"
[limits]
sessions_per_address = 0
"""


def measure_daemon(url: str, folder: Path) -> Iterator[tuple[str, float]]:
    """Yield the seconds of a processor until a daemon is ready, for the first front page and for
    each later one."""
    server = _start(url, folder)
    try:
        time.sleep(5)
        started = _read_seconds(server.pid)
        yield "start", started
        _get_front_page(server)
        first = _read_seconds(server.pid)
        yield "front_page_first", first - started
        for _ in range(_PAGES):
            _get_front_page(server)
        yield "front_page", (_read_seconds(server.pid) - first) / _PAGES
    finally:
        server.end()


def _start(url: str, folder: Path) -> ServerProcess:
    folder.mkdir()
    config = folder / "pbm.toml"
    config.write_text(_CONFIG.format(url=url, folder=folder, web=free_port()))
    return ServerProcess(config).await_ready()


def _get_front_page(server: ServerProcess) -> None:
    with urllib.request.urlopen(f"http://{server.places['web']}/") as page:
        assert b"</html>" in page.read()


def _read_seconds(pid: int) -> float:
    """Return the processor time of a process and of all that it has started."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return own + sum(_read_seconds(int(child)) for child in children)


def measure_retention(store: Store) -> Iterator[tuple[str, float]]:
    """Yield the seconds until 100,000 old mails of each queue are gone. They stand in the place of
    those that are there, since retention goes by their numbers."""
    with store.writing() as session:
        for table in (receipts, outbound, inbound):
            session.execute(delete(table))
    _put_old_mails(store)
    began, now = time.process_time(), time.time()
    while True:
        with store.writing() as session:
            retention.clean_up(session, now, _KEPT)
            if not retention.has_more(session, now, _KEPT):
                break
    yield "retention", time.process_time() - began
    assert not _count_old_mails(store)


def measure_partitions(store: Store) -> Iterator[tuple[str, float]]:
    """Yield the seconds to divide the queues with so many mails in each, by the clock, which is
    PostgreSQL's work, and to drop the old ones."""
    _put_old_mails(store)
    began = time.monotonic()
    with store.writing() as session:
        assert partitions.divide(session, _OLD)
    yield "divide", time.monotonic() - began
    _put_old_mails(store)
    began, now = time.monotonic(), time.time()
    with store.writing() as session:
        retention.clean_up(session, now + 2 * DAY, _KEPT)
    yield "drop", time.monotonic() - began
    assert _count_old_mails(store) <= _OLD


def _put_old_mails(store: Store) -> None:
    at = time.time() - 400 * DAY
    came = {
        "received": at,
        "via": "smtp",
        "envelope_from": "p7@bench.invalid",
        "recipient": "pbm@bench.invalid",
        "raw": b"x" * 2000,
        "state": "done",
        "outcome": "done",
        "finished": at,
    }
    went = {
        "envelope_from": "pbm@bench.invalid",
        "recipient": "p7@bench.invalid",
        "state": "sent",
        "created": at,
        "next_attempt": at,
        "finished": at,
        "message": b"x" * 4000,
    }
    for table, row in ((inbound, came), (outbound, went)):
        for _ in range(_OLD // 1000):
            with store.writing() as session:
                session.execute(insert(table), [row] * 1000)


def _count_old_mails(store: Store) -> int:
    before = time.time() - 300 * DAY
    with store.reading() as session:
        return int(
            session.execute(
                select(func.count()).select_from(inbound).where(inbound.c.received < before)
            ).scalar_one()
        )


def measure_two(store: Store, url: str, folder: Path, size: Size) -> Iterator[tuple[str, float]]:
    """Yield the seconds of a processor of two daemons for a move each, of which the first is killed
    in the midst: everything is done once, by the other if need be."""
    servers = [_start(url, folder / name) for name in ("first", "second")]
    boards = range(size[0] // 4, size[0] // 4 + 100)
    try:
        before = sum(_read_seconds(each.pid) for each in servers)
        _bring(servers, boards[:50], size)
        _await_moves(store, boards[:50], size)
        yield "two_daemons_move", (sum(_read_seconds(each.pid) for each in servers) - before) / 50
        _bring(servers, boards[50:], size)
        servers[0].kill()
        began = time.monotonic()
        _await_moves(store, boards, size)
        yield "failover", time.monotonic() - began
    finally:
        for each in servers:
            if not each.is_closed:
                each.end()


def _bring(servers: Sequence[ServerProcess], boards: Sequence[int], size: Size) -> None:
    """Bring a move on each of these boards to the daemons in turn."""
    in_all, count, people = size
    for number, board in enumerate(boards):
        name = f"p{(board - 1) % people}"
        with smtplib.SMTP("127.0.0.1", servers[number % len(servers)].port()) as client:
            client.sendmail(
                f"{name}@bench.invalid",
                "pbm@bench.invalid",
                f"From: {name}@bench.invalid\r\nMessage-ID: <{board}@bench.invalid>\r\n"
                f"Subject: cradle move {board} {name} secret {move_for(board, count, in_all)}\r\n"
                "\r\n",
            )


def _await_moves(store: Store, boards: Sequence[int], size: Size) -> None:
    """Wait until each board has just one move more than in the beginning."""
    made = (
        select(func.count())
        .select_from(moves)
        .where(moves.c.board_id.in_(boards), moves.c.number > size[1] // size[0])
    )
    deadline = time.monotonic() + _PATIENCE
    while True:
        with store.reading() as session:
            count = session.execute(made).scalar_one()
        if count == len(boards):
            return
        assert time.monotonic() < deadline, f"{count} moves of {len(boards)}"
        time.sleep(0.1)

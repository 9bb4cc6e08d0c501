"""Pages under load: `python -m tools.web.load [--rate 200] [--mails 1500] [--rounds 3] [--kept]`.

Rounds of mail alone and of mail beside page requests alternate on one server. Prints the times of
the pages and what the mails took with and without them. Each request comes from another visitor, on
a connection of its own or, with `--kept`, on one that a reverse proxy holds."""

from __future__ import annotations

import argparse
import re
import smtplib
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from selectors import EVENT_READ, DefaultSelector, SelectorKey
from statistics import median

from sqlalchemy import func, select

from pbm.games import get_game
from pbm.store.tables import inbound, outbound
from tests.harness.club import Club

_BOARDS = 40
_SESSIONS = 4
_LENGTH = re.compile(rb"content-length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n")
_KEPT = 3.0
"""Seconds: the server closes a connection that was not used for five."""


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m tools.web.load", description=__doc__)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--mails", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kept", action="store_true")
    request = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbm-load-") as folder:
        club = Club(Path(folder), limits="mails_a_day = 0")
        try:
            club.signup("ann", "bob")
            boards = [
                club.challenge(("cradle", "chess", "hex")[number % 3], "ann", "bob")
                for number in range(_BOARDS)
            ]
            visitors = Visitors(club.url, _paths(club, boards), is_kept=request.kept)
            visitors.ask(100, 5.0)
            times: list[float] = []
            alone, beside = [], []
            for number in range(request.rounds):
                alone.append(_send(club, request.mails, f"a{number}"))
                with _asking(visitors, request.rate) as asked:
                    beside.append(_send(club, request.mails, f"b{number}"))
                times += asked
            print(
                f"pages      {len(times)} at {request.rate:g} a second, p50 "
                f"{1000 * median(times):.1f} ms, p99 {1000 * _percentile(times, 99):.1f} ms"
            )
            print(
                f"mails      {request.mails / median(alone):.0f}/s alone, "
                f"{request.mails / median(beside):.0f}/s beside the pages"
            )
            calm = visitors.ask(request.rate, 10.0)
            print(
                f"pages only {len(calm)}, p50 {1000 * median(calm):.1f} ms, "
                f"p99 {1000 * _percentile(calm, 99):.1f} ms"
            )
        finally:
            club.close()


def _percentile(times: Sequence[float], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def _paths(club: Club, boards: Sequence[int]) -> list[str]:
    links = [link.removeprefix(club.url) for board in boards for link in club.links(board)]
    public = [f"/board/{board}" for board in boards] + ["/", "/game/hex", "/player/ann"]
    return links + public


class Visitors:
    """Ask for pages on bare sockets: what they cost themselves slows the mails too. Each request
    has a connection of its own or, with `is_kept`, one that an earlier one has left."""

    def __init__(self, url: str, paths: Sequence[str], *, is_kept: bool) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self._server = host, int(port)
        self._paths = paths
        self._is_kept = is_kept
        self._idle: list[tuple[socket.socket, float]] = []

    def ask(self, rate: float, seconds: float, stop: Event | None = None) -> list[float]:
        """Ask at a rate, whether or not earlier requests have been answered; the seconds that each
        took."""
        dice, times = Random(1), list[float]()
        began = time.perf_counter()
        number = 0
        with DefaultSelector() as waiting:
            while True:
                now = time.perf_counter()
                is_over = now - began >= seconds or (stop is not None and stop.is_set())
                if is_over and not waiting.get_map():
                    break
                due = began + number / rate
                if due <= now and not is_over:
                    number += 1
                    self._ask(dice.choice(self._paths), number, waiting)
                    continue
                for key, _ in waiting.select(0.1 if is_over else due - now):
                    self._read_answer(key, waiting, times)
        while self._idle:
            self._idle.pop()[0].close()
        return times

    def _ask(self, path: str, number: int, waiting: DefaultSelector) -> None:
        """Ask for a page as a visitor who has not come before."""
        asked = time.perf_counter()
        connection = self._connect(asked)
        client = f"10.0.{number // 250 % 250}.{number % 250 + 1}"
        connection.send(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {client}\r\n"
            f"Connection: {'keep-alive' if self._is_kept else 'close'}\r\n\r\n".encode()
        )
        waiting.register(connection, EVENT_READ, (asked, bytearray()))

    def _connect(self, now: float) -> socket.socket:
        """Return the connection used last, unless the server may have closed it by now; or a new
        one."""
        while self._idle:
            connection, since = self._idle.pop()
            if now - since < _KEPT:
                return connection
            connection.close()
        connection = socket.create_connection(self._server)
        connection.setblocking(False)
        return connection

    def _read_answer(self, key: SelectorKey, waiting: DefaultSelector, times: list[float]) -> None:
        """Read what has arrived; at the end of an answer note how long it took."""
        connection, (asked, answer) = key.fileobj, key.data
        assert isinstance(connection, socket.socket)
        piece = connection.recv(1 << 18)
        answer += piece
        length = _LENGTH.search(answer)
        if piece and (length is None or len(answer) < length.end() + int(length[1])):
            return
        assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
        now = time.perf_counter()
        times.append(now - asked)
        waiting.unregister(connection)
        if self._is_kept:
            self._idle.append((connection, now))
        else:
            connection.close()


@contextmanager
def _asking(visitors: Visitors, rate: float) -> Iterator[list[float]]:
    """Ask for pages while the block runs, in a process of its own, which senders of mail do not
    delay; then the list has the times."""
    times = list[float]()
    context = get_context("spawn")
    stop, answers = context.Event(), context.SimpleQueue()
    process = context.Process(target=_ask_until, args=(visitors, rate, stop, answers))
    process.start()
    answers.get()
    yield times
    stop.set()
    times += answers.get()
    process.join()


def _ask_until(
    visitors: Visitors, rate: float, stop: Event, answers: SimpleQueue[list[float]]
) -> None:
    answers.put([])
    answers.put(visitors.ask(rate, 600.0, stop))


def _send(club: Club, mails: int, name: str) -> float:
    """Play moves of new boards of Cradle by mail; the seconds until all results are sent."""
    start = get_game("cradle").setup(2, {"size": 3})
    dice = Random(name)
    texts = []
    for _ in range(mails // 10):
        board, position = club.challenge("cradle", "ann", "bob", options="-size=3"), start
        for _ in range(10):
            if not position.to_move:
                break
            (seat,) = position.to_move
            move = dice.choice(position.legal_moves(seat))
            who = ("ann", "bob")[seat]
            texts.append((who, f"cradle move {board} {who} Sesame-{who} {move}"))
            position = position.play(seat, move)
    began = time.perf_counter()
    threads = [
        threading.Thread(target=_deliver, args=(club, texts[number::_SESSIONS], f"{name}{number}"))
        for number in range(_SESSIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while _waiting(club):
        time.sleep(0.02)
    return (time.perf_counter() - began) * mails / len(texts)


def _deliver(club: Club, texts: Sequence[tuple[str, str]], name: str) -> None:
    with smtplib.SMTP("127.0.0.1", club.port, timeout=60) as client:
        for number, (who, line) in enumerate(texts):
            mail = (
                f"From: {who}@example.org\r\nSubject: {line}\r\n"
                f"Message-ID: <{name}.{number}@example.org>\r\n\r\n\r\n"
            )
            client.sendmail(f"{who}@example.org", ["pbm@games.example"], mail)


def _waiting(club: Club) -> int:
    with club.store.reading() as session:
        return sum(
            int(
                session.execute(
                    select(func.count()).select_from(table).where(table.c.state == "waiting")
                ).scalar_one()
            )
            for table in (inbound, outbound)
        )


if __name__ == "__main__":
    main()

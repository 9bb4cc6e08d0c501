"""Clicks and a mail for the same turn at the same moment: one of them plays."""

from __future__ import annotations

import http.client
import re
import smtplib
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from urllib.parse import urlencode, urlsplit

from sqlalchemy import func, select

from pbm.store.reads import find_board, find_log
from pbm.store.tables import inbound
from tests.harness.visitor import Club

_PATIENCE = 60.0
_BOARDS = 4


def click(link: str, number: str, move: str, barrier: Barrier) -> bool:
    """Send the form that plays a move; whether it was played."""
    parts = urlsplit(link)
    connection = http.client.HTTPConnection(parts.netloc, timeout=_PATIENCE)
    connection.connect()
    body = urlencode({"do": "move", "number": number, "move": move})
    barrier.wait(_PATIENCE)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", parts.path, body, kind)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert answer.status in (303, 409), (answer.status, text)
    assert answer.status == 303 or "the board has changed" in text
    return answer.status == 303


def mail(club: Club, board: int, move: str, barrier: Barrier) -> None:
    """Mail a move."""
    with smtplib.SMTP("127.0.0.1", club.port, timeout=_PATIENCE) as client:
        barrier.wait(_PATIENCE)
        text = (
            f"From: ann@example.org\r\nSubject: hex move {board}#1 ann Sesame-ann {move}\r\n"
            f"Message-ID: <{board}@example.org>\r\n\r\n\r\n"
        )
        client.sendmail("ann@example.org", ["pbm@games.example"], text)


def wait_for_mails(club: Club) -> None:
    """Wait until every mail has been executed."""
    deadline = time.monotonic() + _PATIENCE
    waiting = select(func.count()).select_from(inbound).where(inbound.c.state == "waiting")
    while time.monotonic() < deadline:
        with club.store.reading() as session:
            if not session.execute(waiting).scalar_one():
                return
        time.sleep(0.05)
    raise AssertionError("a mail still waits")


def number_of(link: str) -> str:
    """The state of the board that a page of it names."""
    parts = urlsplit(link)
    connection = http.client.HTTPConnection(parts.netloc, timeout=_PATIENCE)
    connection.request("GET", parts.path)
    match = re.search(r'name="number" value="([0-9]+)"', connection.getresponse().read().decode())
    connection.close()
    assert match is not None
    return match[1]


def race(club: Club) -> None:
    """Two clicks and a mail for the same turn, at several boards at the same moment."""
    boards = [club.challenge("hex", "ann", "bob", options="-size=5") for _ in range(_BOARDS)]
    links = {board: club.links(board)[0] for board in boards}
    numbers = {board: number_of(links[board]) for board in boards}
    barrier = Barrier(3 * _BOARDS)
    with ThreadPoolExecutor(3 * _BOARDS) as pool:
        clicks = {
            board: [
                pool.submit(click, links[board], numbers[board], move, barrier)
                for move in ("a1", "b2")
            ]
            for board in boards
        }
        mails = [pool.submit(mail, club, board, "c3", barrier) for board in boards]
        for sent in mails:
            sent.result(_PATIENCE)
        played = {board: [one.result(_PATIENCE) for one in clicks[board]] for board in boards}
    wait_for_mails(club)
    for board in boards:
        with club.store.reading() as session:
            row, log = find_board(session, board), find_log(session, board)
        assert row is not None
        moves = [entry.move for entry in log if entry.kind == "move"]
        assert (row.ply, len(moves)) == (1, 1)
        by_clicks = [move for move, was in zip(("a1", "b2"), played[board], strict=True) if was]
        assert moves == (by_clicks or ["c3"])


def test_one_of_two_clicks_and_a_mail_plays(club: Club) -> None:
    race(club)


def test_one_of_two_clicks_and_a_mail_plays_on_postgresql(
    tmp_path: Path, postgresql_url: str
) -> None:
    with closing(Club(tmp_path, database=postgresql_url)) as club:
        club.signup("ann", "bob")
        race(club)


def test_a_form_sent_eight_times_at_once_plays_once(club: Club) -> None:
    board = club.challenge("hex", "ann", "bob", options="-size=5")
    link = club.links(board)[0]
    number, barrier = number_of(link), Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(click, link, number, "c3", barrier) for _ in range(8)]
        assert sorted(one.result(_PATIENCE) for one in sent) == [False] * 7 + [True]


def test_many_visitors_at_once_are_all_answered(club: Club) -> None:
    link = club.links(club.challenge("chess", "ann", "bob"))[0]
    number = number_of(link)
    with ThreadPoolExecutor(60) as pool:
        assert set(pool.map(number_of, [link] * 60, timeout=_PATIENCE)) == {number}


def test_what_fails_is_a_sentence_and_no_secret_is_logged(club: Club) -> None:
    """Neither of hostile requests nor of faults does the log have a path."""
    board = club.challenge("hex", "ann", "bob")
    secret = urlsplit(club.links(board)[0]).path
    host, _, port = club.url.removeprefix("http://").partition(":")
    for head in (
        f"GET {secret}?m=%ff%00 HTTP/1.1\r\nHost: x\r\n",
        f"GET {secret} HTTP/9.9\r\n",
        f"BREW {secret} HTTP/1.1\r\nHost: x\r\n",
        f"POST {secret} HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n",
        f"GET {secret} HTTP/1.1\r\nHost: x\r\nX-Long: {'x' * 40_000}\r\n",
        f"GET {secret}\x01 HTTP/1.1\r\nHost: x\r\n",
        f"GET {secret} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=_PATIENCE) as connection:
            connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
            answer = connection.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 "), (head, answer[:100])
        assert b"Traceback" not in answer
    log = club.log.read_text()
    assert re.search(r"[a-z2-7]{32}", log) is None, log
    assert "/s/" not in log

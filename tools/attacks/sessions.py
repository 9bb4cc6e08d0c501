"""SMTP sessions: smuggling, injection before TLS, floods, relaying, slow clients."""

from __future__ import annotations

import contextlib
import select
import socket
import subprocess
import time
from pathlib import Path

from pbm.store.tables import boards, inbound
from tests.harness.conversation import SERVER
from tools.attacks.attacked_server import Dialogue, Served
from tools.attacks.catalogue import Run, attack, count, served
from tools.attacks.corpus import read_octets

OURS = SERVER.encode()
MAIL = b"From: ann@example.org\r\nSubject: help\r\nMessage-ID: <%d@x>\r\n\r\nx"
SECOND = b"MAIL FROM:<smuggled@evil.example>\r\nRCPT TO:<" + OURS + b">\r\nDATA\r\n"
THIRD = b"From: smuggled@evil.example\r\nSubject: list\r\n\r\nx\r\n.\r\nQUIT\r\n"


def _begins(client: Dialogue, *, lmtp: bool = False) -> str:
    client.says(b"LHLO evil.example" if lmtp else b"EHLO evil.example")
    client.says(b"MAIL FROM:<ann@example.org>")
    client.says(b"RCPT TO:<" + OURS + b">")
    return client.says(b"DATA")


@attack("smuggling", "a second mail behind an end of data that is none", in_suite=True)
def smuggling(run: Run) -> str:
    """Smuggle by SMTP and LMTP, in one piece and in single octets."""
    talk = run.talk(limits={"unproved_a_day": 0})
    taken = 0
    ways = [
        (end, kind, piece)
        for end in read_octets("ends")
        for kind in ("smtp", "lmtp")
        for piece in (0, 1)
    ]
    for end, kind, piece in run.some(ways, 20):
        before = count(talk, inbound)
        with Dialogue(served(talk).ports[kind]) as client:
            assert _begins(client, lmtp=kind == "lmtp").startswith("354")
            data = MAIL % run.tries + end + SECOND + THIRD
            for at in range(0, len(data), piece or len(data)):
                client.sends(data[at : at + (piece or len(data))])
            client.ends()
        now = count(talk, inbound)
        assert now - before <= 1, (end, kind, piece)
        taken += now - before
    smuggled = count(talk, inbound, inbound.c.envelope_from.contains("smuggled"))
    assert smuggled == 0
    return f"{taken} mails were taken whole, {run.tries - taken} refused, no second one was read"


def certificate(folder: Path) -> tuple[str, str]:
    """Return a key and a certificate for localhost."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
            str(key),
            "-out",
            str(cert),
        ],
        check=True,
        capture_output=True,
    )
    return str(key), str(cert)


@attack("STARTTLS", "commands sent in clear that count as encrypted")
def starttls(run: Run) -> str:
    key, cert = certificate(run.folder)
    talk = run.talk(smtp={"certificate": cert, "key": key})
    shaken = 0
    clear = [seed.replace(b"%us", OURS) for seed in read_octets("clear")]
    for injected in run.some([*clear, b"x" * 3000], 6):
        with Dialogue(served(talk).port) as client:
            client.says(b"EHLO test")
            client.sends(b"STARTTLS\r\n" + injected + b"\r\n")
            client.hears()
            try:
                client.encrypts()
            except OSError:
                continue
            shaken += 1
            assert client.says(b"DATA").startswith("503"), injected
            assert client.says(b"EHLO second.example").startswith("250"), injected
            assert client.says(b"DATA").startswith("503"), injected
            assert client.says(b"AUTH PLAIN AGEAYg==")[:1] == "5", injected
    assert count(talk, inbound) == 0
    return f"{shaken} handshakes went on, with nothing of what was said before; no mail was taken"


def list_recipients() -> list[bytes]:
    """Return addresses that look like ours and lead elsewhere."""
    local, _, host = OURS.partition(b"@")
    return [
        form.replace(b"%l", local).replace(b"%h", host).replace(b"%%", b"%")
        for form in read_octets("recipients")
    ]


@attack("relaying", "mail for others, passed on by the server")
def relaying(run: Run) -> str:
    talk = run.talk(limits={"strangers_an_hour": 0})
    refused = 0
    for number, where in enumerate(run.some(list_recipients(), 16)):
        with Dialogue(served(talk).port) as client:
            client.says(b"EHLO evil.example")
            client.says(b"MAIL FROM:<eve@evil.example>")
            reply = client.says(b"RCPT TO:<" + where + b">")
            refused += reply[:1] == "5"
            if client.says(b"DATA").startswith("354"):
                client.says(MAIL % number + b"\r\n.")
    mails = talk.everything()
    assert all(mail.address == "ann@example.org" for mail in mails), mails
    assert refused >= run.tries - 1, refused
    return f"{refused} of {run.tries} recipients were refused, nothing went to anybody else"


def require_turn(server: Served) -> None:
    """Require that an honest mail goes in."""
    for _ in range(60):
        with contextlib.suppress(OSError), Dialogue(server.port) as client:
            if _begins(client).startswith("354"):
                assert client.says(MAIL % time.monotonic_ns() + b"\r\n.").startswith("250")
                return
        time.sleep(0.5)
    raise AssertionError("an honest client gets no turn")


def _flood(client: Dialogue, begin: bytes, piece: bytes, most: int) -> int:
    """Return how much the server takes of something without an end."""
    client.sends(begin)
    client.socket.settimeout(5)
    sent = 0
    with contextlib.suppress(OSError):
        while sent < most:
            sent += client.socket.send(piece)
            hears = len(piece) < 200 and select.select([client.socket], [], [], 0)[0]
            if hears and not client.socket.recv(65536):
                break
    return sent


_TO = b"MAIL FROM:<a@b.example>\r\nRCPT TO:<" + OURS + b">\r\n"
_FLOODS: dict[str, tuple[bytes, bytes]] = {
    "a command without an end": (b"", b"x" * 65536),
    "EHLO without an end": (b"EHLO ", b"x" * 65536),
    "data without a line end": (b"EHLO x\r\n" + _TO + b"DATA\r\n", b"x" * 65536),
    "data without an end": (b"EHLO x\r\n" + _TO + b"DATA\r\n", b"line\r\n" * 10000),
    "empty lines of data": (b"EHLO x\r\n" + _TO + b"DATA\r\n", b"\r\n" * 30000),
    "dots of data": (b"EHLO x\r\n" + _TO + b"DATA\r\n", b"\r\n..\r\n.x" * 8000),
    "a header without an end": (b"EHLO x\r\n" + _TO + b"DATA\r\n", b"X: y\r\n" * 10000),
    "unknown commands": (b"EHLO x\r\n", b"WHAT IS THIS\r\n" * 14),
    "NOOP": (b"EHLO x\r\n", b"NOOP\r\n" * 30),
    "RSET": (b"EHLO x\r\n", b"RSET\r\n" * 30),
    "EHLO again and again": (b"", b"EHLO x\r\n" * 24),
    "recipients": (b"EHLO x\r\nMAIL FROM:<a@b.example>\r\n", b"RCPT TO:<" + OURS + b">\r\n"),
    "other recipients": (
        b"EHLO x\r\nMAIL FROM:<a@b.example>\r\n",
        b"RCPT TO:<x@y.example>\r\n" * 8,
    ),
    "senders": (b"EHLO x\r\n", b"MAIL FROM:<a@b.example> SIZE=99999999999\r\n" * 4),
    "octets": (b"", bytes(range(256)) * 256),
    "VRFY and EXPN": (b"EHLO x\r\n", b"VRFY ann\r\nEXPN ann\r\n" * 9),
}


@attack("flooding", "16 shapes of more than a session may take")
def flooding(run: Run) -> str:
    talk = run.talk()
    server = served(talk)
    require_turn(server)
    before, most = server.memory(), 0
    for shape in run.some(_FLOODS, 4):
        begin, piece = _FLOODS[shape]
        limit = 40_000_000 if len(piece) > 1000 else 2_000_000
        with Dialogue(server.port) as client:
            sent = _flood(client, begin, piece, limit)
        most = max(most, server.memory() - before)
        assert sent < limit or len(piece) < 200, (shape, sent)
        require_turn(server)
    assert most < 60, most
    assert server.daemon.is_running
    return f"each is cut off, the memory grew by {most} MiB at most, honest mail goes in"


@attack("slow", "300 clients that hold their sessions and say almost nothing")
def slow(run: Run) -> str:
    talk = run.talk(limits={"sessions": 20 if run.short else 100})
    clients: list[socket.socket] = []
    with contextlib.ExitStack() as stack:
        for number in run.some(range(300), 60):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", served(talk).port)))
            clients.append(client)
            with contextlib.suppress(OSError):
                client.sendall(
                    (b"E", b"EHLO x\r\nMAIL", b"EHLO x\r\n" + _TO + b"DATA\r\nx")[number % 3]
                )
        for _ in range(3):
            began = time.monotonic()
            require_turn(served(talk))
            assert time.monotonic() - began < 30
            for client in clients:
                with contextlib.suppress(OSError):
                    client.sendall(b"x")
    assert count(talk, inbound) == 3
    return "three honest mails went in meanwhile"


@attack("L4", "the same bytes twice, without a Message-ID")
def twice(run: Run) -> str:
    talk = run.talk(players={"confirm_addresses": False})
    talk.signup("ann", "bob")
    for number in run.some(range(10), 3):
        line = f"tictactoe challenge ann bob -size={3 + number % 3}"
        raw = f"From: ann@example.org\r\nSubject: {line}\r\n\r\n{'x' * number}\r\n"
        for _ in range(3):
            served(talk).take("ann@example.org", SERVER, raw.encode())
    made = count(talk, boards)
    assert made == run.tries, made
    return f"{made} boards for {3 * made} mails"


@attack("L9", "AUTH after STARTTLS, the postmaster, long lines")
def dialogue(run: Run) -> str:
    key, cert = certificate(run.folder)
    talk = run.talk(smtp={"certificate": cert, "key": key})
    with Dialogue(served(talk).port) as client:
        client.says(b"EHLO x")
        client.says(b"STARTTLS")
        client.encrypts()
        client.sends(b"EHLO x\r\n")
        assert "AUTH" not in client.hears()
        for line in run.some((b"AUTH PLAIN AGEAYg==", b"AUTH LOGIN")):
            assert client.says(line)[:1] == "5"
    for address in run.some(
        ("postmaster", "Postmaster", f"postmaster@{OURS.decode().partition('@')[2]}")
    ):
        with Dialogue(served(talk).port) as client:
            client.says(b"EHLO x")
            client.says(b"MAIL FROM:<a@b.example>")
            assert client.says(b"RCPT TO:<" + address.encode() + b">").startswith("250")
    talk.signup("ann")
    for length in run.some((990, 998, 999, 1500, 4000, 8000), 6):
        raw = MAIL % length + b"x" * (length - 1) + b"\r\n"
        served(talk).take("ann@example.org", SERVER, raw)
        assert talk.any_mail("ann").subject == "[pbm] help"
    return "no AUTH anywhere, the postmaster is taken, lines up to 8,000 octets too"


@attack("L11", "an unhandled exception by an odd request to /health")
def http(run: Run) -> str:
    talk = run.talk(http={"listen": "127.0.0.1:0"})
    port = served(talk).ports["http"]
    requests = (
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"\0" * 100,
        b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        b"POST /health HTTP/1.1\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\n\r\n",
        b"\xff\xfe\r\n\r\n",
        b"GET /metrics",
        b"",
        b"GET /%0d%0aX:y HTTP/1.1\r\n\r\n",
        b"HEAD /health HTTP/1.1\r\n\r\n",
    )
    for request in run.some(requests, 6):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
            client.settimeout(15)
            while client.recv(65536):
                pass
    with socket.create_connection(("127.0.0.1", port), timeout=15) as client:
        client.sendall(b"GET /health HTTP/1.1\r\n\r\n")
        assert b" 200 OK" in client.recv(4096)
    said = served(talk).said().lower()
    assert "traceback" not in said, said
    assert "exception" not in said, said
    return "answered or closed, nothing unhandled in the log"

"""Mail servers that say who wrote a mail, with the lines that `config` has for them: Postfix with
OpenDKIM, Exim, OpenSMTPD with Rspamd."""

from __future__ import annotations

import shutil
import smtplib
import tempfile
from collections.abc import Callable, Iterator, Sized
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import dkim
import pytest

from pbm.config import Config, Server
from pbm.daemon.sockets import listen
from pbm.mail.letter import read_letter
from pbm.mail.smtp import ConnectionLimiter, SmtpHandler, build_protocol
from tests.harness.databases import free_port
from tests.harness.mail_programs import (
    HOST,
    Dns,
    Exim,
    Opendkim,
    Opensmtpd,
    Postfix,
    Rspamd,
    generate_keys,
    require,
    until,
)
from tests.harness.servers import Loop


def has_length(rows: Sized, length: int) -> bool:
    return len(rows) == length


@dataclass
class Signed:
    """A mail server at a port, and the keys of who signs; it delivers to the port `lmtp`."""

    smtp: int
    keys: Path
    lmtp: int
    log: Callable[[], str]

    def sends(self, *headers: str, by: str = "", sender: str = "ann@example.test") -> None:
        """Somebody mails `help`, signed by a domain, with more header fields on top."""
        raw = (
            f"From: {sender}\r\nTo: pbm@games.test\r\nSubject: help\r\n"
            "Date: Mon, 2 Mar 2026 12:00:00 +0000\r\nMessage-ID: "
            f"<{len(headers)}.{by}.{sender}>\r\n\r\nhello\r\n"
        ).encode()
        if by:
            key = (self.keys / by / "pbm.private").read_bytes()
            identity = {"eve.test": IN_A_TAG}.get(by, f"ann@{by}").encode()
            raw = dkim.sign(raw, b"pbm", by.encode(), key, identity=identity) + raw
        head = "".join(f"{line}\r\n" for line in headers).encode()
        with smtplib.SMTP("127.0.0.1", self.smtp) as client:
            client.sendmail("ann@example.test", ["pbm@games.test"], head + raw)


IN_A_TAG = "x=3B=20dkim=3Dpass=20header.d=3Dexample.test=20header.i=3D@eve.test"
"""What decodes to `x; dkim=pass header.d=example.test header.i=@eve.test`."""


def start_postfix(folder: Path, lmtp: int, stack: ExitStack) -> Postfix:
    require("postfix", "opendkim")
    opendkim = Opendkim(folder / "dkim")
    stack.callback(opendkim.stop)
    return Postfix(folder, {}, lmtp, folder / "nobody", opendkim.lines())


def start_exim(folder: Path, lmtp: int, stack: ExitStack) -> Exim:
    resolver = Dns(generate_keys(folder / "dkim"))
    stack.callback(resolver.stop)
    return Exim(folder, lmtp, resolver.address)


def start_opensmtpd(folder: Path, lmtp: int, stack: ExitStack) -> Opensmtpd:
    resolver = Dns(generate_keys(folder / "dkim"))
    stack.callback(resolver.stop)
    rspamd = Rspamd(folder, resolver.address)
    stack.callback(rspamd.stop)
    return Opensmtpd(folder, lmtp, rspamd.port)


@pytest.fixture(
    params=[
        pytest.param(start_postfix, marks=pytest.mark.long),
        start_exim,
        pytest.param(start_opensmtpd, marks=pytest.mark.long),
    ]
)
def signed(request: pytest.FixtureRequest) -> Iterator[Signed]:
    require("opendkim-genkey")
    folder = Path(tempfile.mkdtemp(prefix="pbm-dkim-"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        lmtp = free_port()
        server = request.param(folder, lmtp, stack)
        stack.callback(server.stop)
        yield Signed(server.smtp, folder / "dkim", lmtp, server.said)


def test_a_mail_server_says_who_wrote_a_mail(signed: Signed, sqlite_url: str) -> None:
    """Of a mail that its domain signed the server knows the sender; of one that is unsigned, signed
    by another, altered, or speaks for itself in our server's name, it does not."""
    forged = f"Authentication-Results: {HOST}; dkim=pass header.d=example.test"
    spf = f"Authentication-Results: {HOST}; spf=pass smtp.mailfrom=ann@example.test"
    cases: list[tuple[bool, tuple[str, ...], str]] = [
        (True, (), "example.test"),
        (True, ("Authentication-Results: mx.elsewhere.test; none",), "example.test"),
        (True, (forged, spf.replace("pass", "fail")), "example.test"),
        (False, (), ""),
        (False, (), "eve.test"),
        (False, (forged,), ""),
        (False, (spf,), ""),
        (False, (forged.replace("Results:", "Results :"),), ""),
        (False, (forged.upper(), forged, spf), "eve.test"),
        (False, ("Subject: games",), "example.test"),
    ]
    taken: list[dict[str, Any]] = []

    async def journal(row: dict[str, Any]) -> int:
        taken.append(row)
        return len(taken)

    config = Config(server=Server("pbm@games.test"))
    session = partial(
        build_protocol,
        config,
        SmtpHandler(config, journal, lambda: 0.0),
        ConnectionLimiter(config),
        lmtp=True,
    )
    loop = Loop()
    listening, _ = loop.call(listen(f"127.0.0.1:{signed.lmtp}", session))
    try:
        for number, (_, headers, by) in enumerate(cases, start=1):
            signed.sends(*headers, by=by)
            until(partial(has_length, taken, number), signed.log)
    finally:
        listening.close()
        loop.close()
    for row, case in zip(taken, cases, strict=True):
        letter = read_letter(row["raw"], envelope_from=row["envelope_from"], trusts=HOST)
        assert letter.sender == "ann@example.test"
        assert letter.vouched == case[0], (case, row["raw"].decode())

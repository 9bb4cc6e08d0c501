"""Couriers: what each relay, program or folder does with a mail becomes one fact."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword, Session
from aiosmtpd.smtp import Envelope as SmtpEnvelope

from pbm.mail import outbox as relay_session
from pbm.mail.outbox import Courier, Deferred, Delivered, Envelope, Failed, Result, build_courier

SENDER, TO = "pbm+d1-abcdefghijklmnop@games.example", "ann@example.org"
ENVELOPE = Envelope(SENDER, TO)
MAIL = b"From: pbm@games.example\r\nTo: ann@example.org\r\nSubject: x\r\n\r\n.dot\r\n..\r\nend\r\n"


def server_context(certificates: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    return context


class Relay:
    """A relay that takes mails, or says what it is told to at a stage: "" for nothing."""

    def __init__(self, *, pipelines: bool = False, **says: str) -> None:
        self.says = says
        self.pipelines = pipelines
        self.mails: list[tuple[str, list[str], bytes]] = []
        self.sessions = 0
        self.logins: list[bytes] = []

    async def handle_EHLO(
        self,
        _server: SMTP,
        session: Session,
        _envelope: SmtpEnvelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        session.host_name = hostname
        self.sessions += 1
        return [responses[0], *["250-PIPELINING"] * self.pipelines, *responses[1:]]

    async def handle_MAIL(
        self,
        _server: SMTP,
        _session: Session,
        envelope: SmtpEnvelope,
        address: str,
        _options: object,
    ) -> str:
        if "MAIL" in self.says:
            return self.says["MAIL"]
        envelope.mail_from = address
        return "250 ok"

    async def handle_RCPT(
        self,
        _server: SMTP,
        _session: Session,
        envelope: SmtpEnvelope,
        address: str,
        _options: object,
    ) -> str:
        if "RCPT" in self.says:
            return self.says["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: SmtpEnvelope) -> str:
        if "DATA" in self.says:
            await asyncio.sleep(0 if self.says["DATA"] else 30)
            return self.says["DATA"]
        assert isinstance(envelope.content, bytes)
        self.mails.append((envelope.mail_from or "", envelope.rcpt_tos, envelope.content))
        if "then" in self.says:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.write(b"250 taken\r\n")
            server.transport.close()
        return "250 taken"

    def check(
        self, _server: SMTP, _session: Session, _envelope: SmtpEnvelope, _how: str, data: object
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append(data.login)
        return AuthResult(success=data.password == b"s3cret:@/", handled=False)


Deliveries = Callable[[Courier], Awaitable[None]]


def at(
    relay: Relay,
    url: str,
    work: Deliveries,
    *,
    implicit: ssl.SSLContext | None = None,
    **options: Any,
) -> None:
    """Let a courier work against the relay; {port} in the URL is its port."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(
            lambda: SMTP(relay, hostname="relay.example", loop=loop, **options),
            "127.0.0.1",
            0,
            ssl=implicit,
        )
        port = listening.sockets[0].getsockname()[1]
        sender = build_courier(url.format(port=port))
        try:
            await work(sender)
        finally:
            await sender.close()
            listening.close()
            await asyncio.sleep(0)
            rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)

    asyncio.run(run())


def gives(wanted: object, times: int = 1) -> Deliveries:
    async def work(sender: Courier) -> None:
        for _ in range(times):
            result = await sender.deliver(ENVELOPE, MAIL)
            if isinstance(wanted, type):
                assert isinstance(result, wanted), result
            else:
                assert result == wanted

    return work


def test_mails_go_over_one_session_as_they_are() -> None:
    relay = Relay()
    at(relay, "smtp://127.0.0.1:{port}", gives(Delivered, 3))
    assert relay.mails == [(SENDER, [TO], MAIL)] * 3
    assert relay.sessions == 1


def test_a_closed_session_is_opened_again_at_once() -> None:
    """The relay says 250 and hangs up each time; no mail waits, none goes twice."""
    relay = Relay(then="close")
    at(relay, "smtp://127.0.0.1:{port}", gives(Delivered, 3))
    assert len(relay.mails) == 3
    assert relay.sessions == 3


def test_the_next_mail_is_announced_with_the_text_of_one() -> None:
    """A relay that can pipeline gets one packet a mail."""
    packets: list[bytes] = []
    ended = asyncio.Event()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 relay\r\n")
        while packet := await reader.read(65536):
            packets.append(packet)
            for line in packet.split(b"\r\n"):
                if line == b".":
                    writer.write(b"250 taken\r\n")
                elif line[:4] in (b"MAIL", b"RCPT"):
                    writer.write(b"250 ok\r\n")
                elif line == b"DATA":
                    writer.write(b"354 go\r\n")
                elif line[:4] == b"EHLO":
                    writer.write(b"250-relay\r\n250 PIPELINING\r\n")
        writer.close()
        await writer.wait_closed()
        ended.set()

    async def run() -> None:
        relay = await asyncio.start_server(converse, "127.0.0.1", 0)
        sender = build_courier(f"smtp://127.0.0.1:{relay.sockets[0].getsockname()[1]}")
        for following in (ENVELOPE, ENVELOPE, None):
            assert await sender.deliver(ENVELOPE, MAIL, following) == Delivered("250 taken")
        assert await sender.deliver(ENVELOPE, MAIL) == Delivered("250 taken")
        await sender.close()
        await ended.wait()
        relay.close()

    asyncio.run(run())
    commands = f"MAIL FROM:<{SENDER}>\r\nRCPT TO:<{TO}>\r\nDATA\r\n".encode()
    text = MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n"
    both = text + commands
    assert packets[1:] == [commands, both, both, text, commands, text, b"QUIT\r\n"]


Says = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


def with_relay_that(says: Says, work: Deliveries) -> None:
    """Let a courier work against a relay that greets and then says this to each line it gets."""
    sessions: list[asyncio.Task[Any] | None] = []

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sessions.append(asyncio.current_task())
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            writer.write(b"220 relay\r\n")
            while line := await reader.readline():
                await says(line.strip(), writer)

    async def run() -> None:
        relay = await asyncio.start_server(converse, "127.0.0.1", 0)
        sender = build_courier(f"smtp://127.0.0.1:{relay.sockets[0].getsockname()[1]}")
        await work(sender)
        await sender.close()
        await asyncio.gather(*filter(None, sessions))
        relay.close()

    asyncio.run(run())


@pytest.mark.parametrize("code", [250, 552])
def test_replies_may_have_several_lines_and_come_in_pieces(code: int) -> None:
    replies = {b"EHLO": b"250-relay\r\n250 PIPELINING", b"DATA": b"354 go", b".": b"%d-a" % code}

    async def says(line: bytes, writer: asyncio.StreamWriter) -> None:
        reply = b"250-ok\r\n250 ok"
        if line in (b"DATA", b".") or line[:4] == b"EHLO":
            reply = replies[line[:4]]
        elif line[:4] not in (b"MAIL", b"RCPT", b"RSET"):
            return
        for piece in (reply[:2], reply[2:], b"\r", b"\n"):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.001)
        if line == b".":
            writer.write(b"%d b c\r\n" % code)

    wanted: object = Delivered("250 a b c") if code == 250 else Failed("552 a b c")
    with_relay_that(says, gives(wanted, 2))


def test_a_relay_that_says_too_much_is_given_up() -> None:
    """Nothing but what a mail waits for is read, so that what is never read must have an end."""

    async def says(line: bytes, writer: asyncio.StreamWriter) -> None:
        if line[:4] == b"EHLO":
            writer.write(b"250-relay\r\n250 PIPELINING\r\n")
        while line == b"DATA":
            writer.write(b"250-" + b"x" * 1000 + b"\r\n")
            await writer.drain()

    with_relay_that(says, gives(Deferred))


@pytest.mark.parametrize("address", ["bob@example.org", "no\r\naddress"])
def test_a_mail_that_was_announced_and_does_not_come_is_none(address: str) -> None:
    relay = Relay(pipelines=True)

    async def work(sender: Courier) -> None:
        other = Envelope(SENDER, address)
        assert isinstance(await sender.deliver(ENVELOPE, MAIL, other), Delivered)
        assert isinstance(await sender.deliver(ENVELOPE, MAIL, ENVELOPE), Delivered)

    at(relay, "smtp://127.0.0.1:{port}", work)
    assert relay.mails == [(SENDER, [TO], MAIL)] * 2


@pytest.mark.parametrize("pipelines", [False, True])
@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("says", "wanted"),
    [
        ("550 5.1.1 no such user", Failed("550 5.1.1 no such user")),
        ("554 5.7.1 not wanted", Failed("554 5.7.1 not wanted")),
        ("452 4.2.2 mailbox full", Deferred("452 4.2.2 mailbox full")),
        ("450 4.7.1 greylisted", Deferred("450 4.7.1 greylisted")),
        ("421 4.3.2 closing", Deferred("421 4.3.2 closing", relay_down=True)),
    ],
)
def test_refusals_at_each_stage(stage: str, says: str, wanted: Result, *, pipelines: bool) -> None:
    relay = Relay(pipelines=pipelines, **{stage: says})

    async def work(sender: Courier) -> None:
        for following in (ENVELOPE, None):
            assert await sender.deliver(ENVELOPE, MAIL, following) == wanted
        relay.says = {}
        for following in (ENVELOPE, None):
            assert isinstance(await sender.deliver(ENVELOPE, MAIL, following), Delivered)

    at(relay, "smtp://127.0.0.1:{port}", work)
    assert [mail[1:] for mail in relay.mails] == [([TO], MAIL)] * 2


def test_no_relay_is_down() -> None:
    async def work(_sender: Courier) -> None:
        nobody = build_courier("smtp://127.0.0.1:1")
        result = await nobody.deliver(ENVELOPE, MAIL)
        assert isinstance(result, Deferred)
        assert result.relay_down

    at(Relay(), "smtp://127.0.0.1:{port}", work)


def test_a_silent_relay_is_down_and_an_idle_session_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relay_session, "_SECONDS", 0.2)
    relay = Relay()

    async def work(sender: Courier) -> None:
        assert isinstance(await sender.deliver(ENVELOPE, MAIL), Delivered)
        await asyncio.sleep(0.5)
        assert isinstance(await sender.deliver(ENVELOPE, MAIL), Delivered)
        assert relay.sessions == 1
        relay.says = {"DATA": ""}
        result = await sender.deliver(ENVELOPE, MAIL)
        assert isinstance(result, Deferred)
        assert result.relay_down
        assert "no answer in time" in result.why
        relay.says = {}
        assert isinstance(await sender.deliver(ENVELOPE, MAIL), Delivered)

    at(relay, "smtp://127.0.0.1:{port}", work)
    assert len(relay.mails) == 3


def test_addresses_cannot_end_the_command() -> None:
    relay = Relay()

    async def work(sender: Courier) -> None:
        for hostile in ("a@b.example>\r\nRCPT TO:<eve@c.example", "a@b\n.example", "x\0@y.example"):
            assert isinstance(await sender.deliver(Envelope(SENDER, hostile), MAIL), Failed)
        assert isinstance(await sender.deliver(ENVELOPE, MAIL), Delivered)

    at(relay, "smtp://127.0.0.1:{port}", work)
    assert [to for _, to, _ in relay.mails] == [[TO]]


@pytest.fixture
def trusted(certificates: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The authority of the certificate is one of the system's."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / "cert.pem"))


LOGIN = "ann%40example.org:s3cret%3A%40%2F@"


@pytest.mark.usefixtures("trusted")
def test_starttls_and_login(certificates: Path) -> None:
    relay = Relay()
    at(
        relay,
        f"smtp+starttls://{LOGIN}localhost:{{port}}",
        gives(Delivered, 2),
        tls_context=server_context(certificates),
        require_starttls=True,
        auth_required=True,
        authenticator=relay.check,
    )
    assert relay.logins == [b"ann@example.org"]
    assert len(relay.mails) == 2


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.usefixtures("trusted")
def test_implicit_tls_and_login(certificates: Path) -> None:
    relay = Relay()
    at(
        relay,
        f"smtps://{LOGIN}localhost:{{port}}",
        gives(Delivered, 2),
        implicit=server_context(certificates),
        auth_required=True,
        auth_require_tls=False,
        authenticator=relay.check,
    )
    assert relay.logins == [b"ann@example.org"]
    assert len(relay.mails) == 2


@pytest.mark.parametrize("scheme", ["smtps", "smtp+starttls"])
def test_a_certificate_of_nobody_we_trust(certificates: Path, scheme: str) -> None:
    """The mail waits, and neither it nor the password has left."""
    relay = Relay()
    context = server_context(certificates)
    at(
        relay,
        f"{scheme}://{LOGIN}localhost:{{port}}",
        gives(Deferred),
        implicit=context if scheme == "smtps" else None,
        tls_context=context,
        authenticator=relay.check,
    )
    assert (relay.mails, relay.logins) == ([], [])


@pytest.mark.usefixtures("trusted")
def test_a_relay_without_starttls_gets_no_mail(certificates: Path) -> None:
    relay = Relay()
    at(relay, "smtp+starttls://localhost:{port}", gives(Deferred))
    assert relay.mails == []


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.usefixtures("trusted")
def test_a_wrong_password_is_the_relays_fault_not_the_mails(certificates: Path) -> None:
    relay = Relay()

    async def work(sender: Courier) -> None:
        result = await sender.deliver(ENVELOPE, MAIL)
        assert isinstance(result, Deferred)
        assert result.relay_down
        assert "wrong" not in result.why

    at(
        relay,
        "smtps://ann:wrong@localhost:{port}",
        work,
        implicit=server_context(certificates),
        auth_required=True,
        auth_require_tls=False,
        authenticator=relay.check,
    )


@pytest.fixture
def program(tmp_path: Path) -> Callable[[int], str]:
    """A program in place of sendmail: it keeps what it is given and ends with a code."""

    def write(code: int) -> str:
        path = tmp_path / f"sendmail-{code}"
        path.write_text(f'#!/bin/sh\necho "$@" > {path}.args\ncat > {path}.mail\nexit {code}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return write


def delivered_by(url: str, recipient: str = TO) -> Result:
    return asyncio.run(build_courier(url).deliver(Envelope(SENDER, recipient), MAIL))


@pytest.mark.parametrize(
    ("code", "wanted"),
    [(0, Delivered), (75, Deferred), (69, Deferred), (1, Deferred), (65, Failed), (67, Failed)],
)
def test_a_sendmail_program(program: Callable[[int], str], code: int, wanted: type) -> None:
    path = program(code)
    assert isinstance(delivered_by(f"sendmail:{path}", "-bs@example.org"), wanted)
    assert Path(f"{path}.args").read_text() == f"-i -f {SENDER} -- -bs@example.org\n"
    assert Path(f"{path}.mail").read_bytes() == MAIL.replace(b"\r\n", b"\n")


def test_no_sendmail_program(tmp_path: Path) -> None:
    result = delivered_by(f"sendmail:{tmp_path / 'none'}")
    assert isinstance(result, Deferred)
    assert result.relay_down


def test_a_maildir_of_each_recipient(tmp_path: Path) -> None:
    for recipient in (TO, TO, "../../etc/passwd@example.org", ".."):
        assert delivered_by(f"maildir:{tmp_path / 'mail'}", recipient) == Delivered()
    boxes = sorted(path.name for path in (tmp_path / "mail").iterdir())
    assert boxes == sorted([TO, ".._.._etc_passwd@example.org", "_"])
    box = tmp_path / "mail" / TO
    assert sorted(path.name for path in box.iterdir()) == ["cur", "new", "tmp"]
    assert list((box / "tmp").iterdir()) == []
    assert [path.read_bytes() for path in (box / "new").iterdir()] == [
        MAIL.replace(b"\r\n", b"\n")
    ] * 2


def test_a_maildir_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("a file")
    result = delivered_by(f"maildir:{tmp_path / 'mail'}")
    assert isinstance(result, Deferred)
    assert result.relay_down


def test_a_url_of_no_form_is_refused() -> None:
    with pytest.raises(ValueError, match=r"smtp\+starttls"):
        build_courier("ftp://example.org")

"""Mails that the server signs itself: receivers can verify them, and nobody can change them."""

from __future__ import annotations

import asyncio
import base64
import smtplib
import subprocess
from collections.abc import Callable
from pathlib import Path

import dkim
import pytest

from pbm.config import Config, ConfigError, Database, Dkim, Relay, Server, Smtp
from pbm.mail.outbox import Envelope, MaildirCourier
from pbm.mail.signer import Signer, load_signer
from tests.harness.servers import Running, until
from tests.mail.test_outbox import ANN, Post, Sink

MAIL = (
    b"From: pbm <pbm@games.test>\r\nTo: ann@example.org\r\nSubject: your\r\n move\r\n"
    b"Date: Mon, 2 Mar 2026 12:00:00 +0000\r\nMessage-ID: <1@games.test>\r\n\r\n"
    b"It is your move.\r\n.\r\n\r\n"
)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_key(tmp_path_factory.mktemp("dkim") / "key.pem")


def make_key(path: Path, *options: str) -> Path:
    command = ["openssl", "genrsa", *options, "-out", str(path), "1024"]
    subprocess.run(command, check=True, capture_output=True)
    return path


def load(key: Path) -> Signer:
    return load_signer(Config(server=Server("pbm@games.test"), dkim=Dkim("pbm", str(key))))


def resolve(record: str) -> Callable[..., bytes]:
    """A name server that has this record and no other."""

    def find(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"pbm._domainkey.games.test."
        return record.encode()

    return find


def is_genuine(mail: bytes, signer: Signer) -> bool:
    return bool(dkim.verify(mail, dnsfunc=resolve(signer.record)))


def test_a_signed_mail_is_verified_and_an_altered_one_is_not(key: Path) -> None:
    signer = load(key)
    signed = signer.sign(MAIL)
    assert signed.endswith(MAIL)
    assert is_genuine(signed, signer)
    assert is_genuine(signed.replace(b"Subject: your\r\n move", b"subject:  your move "), signer)
    for old, new in (
        (b"your move.", b"my move."),
        (b"To: ann", b"To: eve"),
        (b"\r\nTo: ", b"\r\nSubject: another\r\nTo: "),
        (b"\r\nTo: ", b"\r\nFrom: eve@example.org\r\nTo: "),
    ):
        assert not is_genuine(signed.replace(old, new, 1), signer), new


def test_the_button_that_stops_mails_is_signed(key: Path) -> None:
    """Mail programs show no other; nobody can exchange its link, or add one."""
    signer = load(key)
    fields = (
        b"List-Unsubscribe: <https://games.test/stop/x>,\r\n <mailto:pbm@games.test>\r\n"
        b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
    )
    signed = signer.sign(fields + MAIL)
    assert is_genuine(signed, signer)
    evil = b"\r\nList-Unsubscribe: <https://evil.example>\r\nFrom: "
    for old, new in (
        (b"/stop/x", b"/stop/y"),
        (b"One-Click", b"Two-Clicks"),
        (b"\r\nFrom: ", evil),
    ):
        assert not is_genuine(signed.replace(old, new, 1), signer), new


def test_the_record_is_the_public_key_as_openssl_writes_it(key: Path, tmp_path: Path) -> None:
    old = make_key(tmp_path / "old.pem", "-traditional")
    assert old.read_text().startswith("-----BEGIN RSA PRIVATE KEY")
    assert key.read_text().startswith("-----BEGIN PRIVATE KEY")
    for path in (key, old):
        command = ["openssl", "rsa", "-in", str(path), "-pubout", "-outform", "DER"]
        public = subprocess.run(command, check=True, capture_output=True).stdout
        assert load(path).record == f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read: No such file or directory"),
        ("", "must be an RSA private key in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n", "must be an RSA"),
        ("-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n", "must be an RSA"),
    ],
)
def test_a_key_that_cannot_be_used_is_named(tmp_path: Path, content: str | None, says: str) -> None:
    path = tmp_path / "key.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigError, match=rf"^\[dkim\] key {says}"):
        load(path)


def test_a_server_signs_what_it_sends(key: Path, tmp_path: Path, sqlite_url: str) -> None:
    """A mail waits unsigned in the queue and is signed on its way."""
    signer = load(key)
    post, sink = Post(sqlite_url), Sink()
    post.sign = signer.sign
    post.add((ANN, MAIL, None))
    asyncio.run(post.send(sink))
    [(_, sent)] = sink.got
    assert sent.endswith(MAIL)
    assert is_genuine(sent, signer)
    box = MaildirCourier(str(tmp_path))
    asyncio.run(box.deliver(Envelope("", ANN), sent))
    [file] = (tmp_path / ANN / "new").iterdir()
    assert is_genuine(file.read_bytes(), signer)


def test_a_daemon_has_its_key(key: Path, tmp_path: Path, sqlite_url: str) -> None:
    config = Config(
        server=Server("pbm@games.test"),
        database=Database(sqlite_url),
        smtp=Smtp("127.0.0.1:0"),
        relay=Relay(f"maildir:{tmp_path}"),
        dkim=Dkim("pbm", str(key)),
    )
    with Running(config) as running:
        with smtplib.SMTP("127.0.0.1", running.port("smtp")) as client:
            text = f"From: {ANN}\nTo: pbm@games.test\nSubject: help\n\n"
            client.sendmail(ANN, ["pbm@games.test"], text)
        until(lambda: any(tmp_path.glob(f"{ANN}/new/*")), "nothing is sent")
    [file] = tmp_path.glob(f"{ANN}/new/*")
    assert is_genuine(file.read_bytes(), load(key))

"""`pbm doctor --delivery`: a domain as receivers see it, by a name server of the test's."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbm.cli.doctor.host import NameLookup
from pbm.cli.doctor.receivers_view import SpfError, evaluate_spf
from pbm.cli.doctor.state import check_port_25, check_relay_tls
from pbm.config import Config, Relay, Smtp, load
from pbm.mail.signer import load_signer
from tests.harness.mail_programs import NameServer, format_txt
from tests.harness.servers import Running
from tests.harness.shell import Shell

MX = f"127.0.25.{os.getpid() % 250 + 1}"
DOMAIN = "games.example"
Serve = Callable[..., NameServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts name servers."""
    servers: list[NameServer] = []

    def start(*records: str, silent: tuple[str, ...] = ()) -> NameServer:
        servers.append(NameServer(records, silent=silent))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def find_names(server: NameServer) -> NameLookup:
    return NameLookup(f"{server.host}:{server.port}")


def openssl(*words: str, folder: Path) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key for signatures, an authority, and its certificate for mail.games.example."""
    folder = tmp_path_factory.mktemp("keys")
    openssl("genrsa", "-out", "dkim.pem", "2048", folder=folder)
    make = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90")
    name = (
        "-subj",
        "/CN=mail.games.example",
        "-addext",
        "subjectAltName=DNS:mail.games.example,IP:127.0.0.1",
    )
    openssl(*make, *name, "-keyout", "tls.key", "-out", "tls.pem", folder=folder)
    return folder


def write_config(shell: Shell, keys: Path) -> Config:
    """A server that is the MX of its domain, and its own relay."""
    shell.config.write_text(
        f'[server]\naddress = "pbm@{DOMAIN}"\n[database]\nurl = "{shell.url}"\n'
        f'[smtp]\nlisten = "{MX}:25"\ncertificate = "{keys}/tls.pem"\nkey = "{keys}/tls.key"\n'
        f'[relay]\nurl = "smtp://{MX}:25"\n[dkim]\nkey = "{keys}/dkim.pem"\n'
    )
    return load(str(shell.config))


def list_good_records(config: Config) -> list[str]:
    host = ip_address(MX).reverse_pointer
    return [
        f"{DOMAIN}. MX 10 mail.{DOMAIN}.",
        f"mail.{DOMAIN}. A {MX}",
        f"{host}. PTR mail.{DOMAIN}.",
        f'{DOMAIN}. TXT "v=spf1 mx -all"',
        f'{DOMAIN}. TXT "something=else"',
        format_txt(f"pbm._domainkey.{DOMAIN}", load_signer(config).record),
        f'_dmarc.{DOMAIN}. TXT "v=DMARC1; p=reject"',
    ]


def examine(shell: Shell, server: NameServer, *words: str, code: int = 1) -> list[dict[str, Any]]:
    """What --delivery finds, without what is checked anyway."""
    where = f"{server.host}:{server.port}"
    rows = shell.json("doctor", "--delivery", "--name-server", where, *words, code=code)
    what = [row["what"] for row in rows]
    return list(rows[what.index("mx") :])


def test_a_domain_that_is_right_in_everything(
    shell: Shell, serve: Serve, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("listens at port 25, which root alone may")
    monkeypatch.setenv("SSL_CERT_FILE", str(keys / "tls.pem"))
    config = write_config(shell, keys)
    server = serve(*list_good_records(config), f"{_reverse(MX)}.clean.example. TXT x")
    mail = shell.folder / "mail.eml"
    mail.write_bytes(
        b"Received: from x by y\r\n"
        + load_signer(config).sign(b"From: pbm@games.example\r\nSubject: x\r\n\r\nx\r\n")
    )
    words = ("--block-list", "clean.example", "--mail", str(mail))
    with Running(config):
        rows = examine(shell, server, *words, code=0)
    assert [row["what"] for row in rows if row["grade"] != "ok"] == []
    said = {f"{row['what']}: {row['says']}" for row in rows}
    assert f"reverse name: {MX} is mail.{DOMAIN}" in said
    assert "spf: v=spf1 mx -all (1 of 10 look-ups)" in said
    assert f"spf: pass for {MX}" in said
    assert f"dkim: a test mail is signed by {DOMAIN} and verified" in said
    assert f"dkim: the mail that arrived is signed by {DOMAIN} and verified" in said
    assert f"dmarc: _dmarc.{DOMAIN}: p=reject" in said
    assert any(re.match(r"port 25: .* TLSv1\.[23], certificate for (89|90) more", x) for x in said)
    assert any(row["what"] == "round trip" for row in rows)
    assert not any(row["record"] for row in rows)


def _reverse(address: str) -> str:
    return ".".join(reversed(address.split(".")))


def test_records_that_are_missing_are_printed_to_be_pasted(
    shell: Shell, serve: Serve, keys: Path
) -> None:
    """They are such that a name server which has them satisfies the same checks."""
    config = write_config(shell, keys)
    words = ("--sends-from", MX, "--wait", "0")
    server = serve(f"{DOMAIN}. A {MX}")
    rows = examine(shell, server, *words)
    grades = {row["what"]: row["grade"] for row in rows}
    for what in ("mx", "reverse name", "spf", "dkim", "dmarc", "round trip"):
        assert grades[what] == "BAD", what
    records = [row["record"] for row in rows if row["record"]]
    assert records == [
        f"{DOMAIN}. MX 10 {DOMAIN}.",
        f'{DOMAIN}. TXT "v=spf1 ip4:{MX} -all"',
        f"pbm._domainkey.{DOMAIN}. TXT "
        + " ".join(f'"{piece}"' for piece in re.findall(".{1,250}", load_signer(config).record)),
        f'_dmarc.{DOMAIN}. TXT "v=DMARC1; p=quarantine"',
    ]
    where = f"{server.host}:{server.port}"
    printed = shell.run("doctor", "--delivery", "--name-server", where, *words).output
    assert printed.endswith("For the DNS:\n\n" + "\n".join(records) + "\n")
    better = examine(shell, serve(f"{DOMAIN}. A {MX}", *records), *words)
    grades = {row["what"]: row["grade"] for row in better}
    assert [grades[what] for what in ("mx", "spf", "dkim", "dmarc")] == ["ok"] * 4


def test_each_domain_that_mails_come_from_is_checked(
    shell: Shell, serve: Serve, keys: Path
) -> None:
    """An alias that is named as a sending domain needs the same records, and an address there."""
    config = write_config(shell, keys)
    good = list_good_records(config)
    more = "".join(
        f'[[dkim.domain]]\nname = "{name}"\nkey = "{keys}/dkim.pem"\n'
        for name in ("sister.example", "none.example")
    )
    text = shell.config.read_text().replace(
        "[database]", 'aliases = ["p@sister.example"]\n[database]'
    )
    shell.config.write_text(text + more)
    words = ("--sends-from", MX, "--wait", "0")
    rows = examine(shell, serve(*good), *words)
    bad = {f"{row['what']}: {row['says']}" for row in rows if row["grade"] == "BAD"}
    for says in (
        "mx: sister.example has no MX record",
        "spf: sister.example has no SPF record",
        "dkim: no key at pbm._domainkey.sister.example",
        "dmarc: sister.example has no DMARC record",
    ):
        assert says in bad
    assert len([row for row in rows if row["what"] == "reverse name"]) == 1
    own = {f"{row['what']}: {row['says']}" for row in rows if row["grade"] == "ok"}
    assert f"dkim: a test mail is signed by {DOMAIN} and verified" in own
    sister = [record.replace(f"{DOMAIN}.", "sister.example.") for record in good]
    rows = examine(shell, serve(*good, *sister), *words)
    said = {f"{row['what']}: {row['says']}" for row in rows if row["grade"] == "ok"}
    assert "dkim: a test mail is signed by sister.example and verified" in said
    found = " ".join(shell.run("doctor").output.split())
    assert "[[dkim.domain]] none.example: no address of the server is there" in found


def test_records_that_are_wrong_are_named(shell: Shell, serve: Serve, keys: Path) -> None:
    config = write_config(shell, keys)
    key = load_signer(config).record
    cases = [
        (f"{DOMAIN}. MX 0 .", "it accepts no mail"),
        (f"{DOMAIN}. MX 10 none.{DOMAIN}.", f"none.{DOMAIN} has no address"),
        (f"{DOMAIN}. MX 10 alias.{DOMAIN}.", f"alias.{DOMAIN} is an alias"),
        (f'{DOMAIN}. TXT "v=spf1 a -all"', f"{DOMAIN} has 2 SPF records"),
        (format_txt(f"pbm._domainkey.{DOMAIN}", f"{key};"), "2 keys"),
        (f'_dmarc.{DOMAIN}. TXT "v=DMARC1; p=none"', "has 2 records"),
    ]
    good = list_good_records(config)
    bad = [record for record, _ in cases] + [f"alias.{DOMAIN}. CNAME mail.{DOMAIN}."]
    rows = examine(shell, serve(*good, *bad), "--wait", "0")
    said = [row["says"] for row in rows if row["grade"] == "BAD"]
    for _, words in cases:
        assert any(words in each for each in said), (words, said)
    changed = [
        record.replace("p=MII", "p=MIJ").replace("p=reject", "p=none").replace(" mx -all", " mx")
        for record in good
    ]
    listed = f"{_reverse(MX)}.bad.example. A 127.0.0.2"
    why = f'{_reverse(MX)}.bad.example. TXT "spam from here"'
    rows = examine(
        shell, serve(*changed, listed, why), "--wait", "0", "--block-list", "bad.example"
    )
    said = [f"{row['grade']} {row['what']}: {row['says']}" for row in rows]
    for words in (
        f"BAD dkim: the key at pbm._domainkey.{DOMAIN} is not that of [dkim] key",
        f"note dmarc: _dmarc.{DOMAIN}: p=none protects nothing",
        "note spf: for everybody else it says neutral",
        f"BAD block list: bad.example lists {MX}: spam from here",
    ):
        assert words in said


def test_tls_on_the_way_in_and_out(
    shell: Shell, serve: Serve, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("listens at port 25, which root alone may")
    config = write_config(shell, keys)
    names = find_names(serve(*list_good_records(config)))

    def relay(url: str) -> str:
        (found,) = check_relay_tls(replace(config, relay=Relay(url)))
        return f"{found.grade}: {found.says}"

    says = "mails go to relay.example unencrypted"
    assert relay("smtp://relay.example:25") == f"note: {says}"
    assert relay("smtp://pbm:pw@relay.example") == f"BAD: {says}, and so does the password"
    with Running(replace(config, smtp=replace(config.smtp, listen="127.0.0.1:0"))) as running:
        url = f"smtp+starttls://127.0.0.1:{running.port('smtp')}"
        assert relay(url).startswith("BAD: 127.0.0.1: self-signed certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(keys / "tls.pem"))
        assert re.match(r"ok: 127.0.0.1: TLSv1\.[23], certificate for (89|90) more", relay(url))
    monkeypatch.delenv("SSL_CERT_FILE")
    for certificate, what in ((f"{keys}/tls.pem", "self-signed"), ("", "has no STARTTLS")):
        with Running(replace(config, smtp=Smtp(f"{MX}:25", certificate, f"{keys}/tls.key"))):
            (found,) = check_port_25(config, names)
        assert found.grade == "note"
        assert what in found.says


def test_no_list_of_spammers_is_asked_unless_it_is_named(
    shell: Shell, serve: Serve, keys: Path
) -> None:
    server = serve(*list_good_records(write_config(shell, keys)))
    examine(shell, server, "--wait", "0")
    assert {name.split()[0].removesuffix(f"{DOMAIN}.") for name in server.asked} == {
        "",
        "mail.",
        "pbm._domainkey.",
        "_dmarc.",
        f"{ip_address(MX).reverse_pointer}.",
    }


def test_a_name_server_that_is_silent_is_said_to_be(
    shell: Shell, serve: Serve, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbm.cli.doctor.host._SECONDS", 0.2)
    good = list_good_records(write_config(shell, keys))
    server = serve(*good, silent=(f"_dmarc.{DOMAIN}",))
    rows = examine(shell, server, "--wait", "0")
    row = next(row for row in rows if row["what"] == "dmarc")
    assert row["says"].startswith(f"no answer about _dmarc.{DOMAIN} TXT")
    assert any(row["what"] == "dkim" and row["grade"] == "ok" for row in rows)
    assert {name for name in server.asked if name.startswith("_dmarc.")} == {
        f"_dmarc.{DOMAIN}. TXT"
    }


ZONE = [
    'a.test. TXT "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 include:b.test ~all"',
    'b.test. TXT "v=spf1 a:c.test/28 mx ?exists:c.test -all"',
    "b.test. MX 5 mx.b.test.",
    "mx.b.test. AAAA 2001:db9::1",
    "mx.b.test. A 203.0.113.9",
    "c.test. A 198.51.100.1",
    'redirected.test. TXT "V=SPF1 exp=why.test redirect=a.test"',
    'macros.test. TXT "v=spf1 exists:%{i}.c.test -all"',
    'loop.test. TXT "v=spf1 include:loop.test -all"',
    'void.test. TXT "v=spf1 a:n1.test a:n2.test a:n3.test -all"',
    'nowhere.test. TXT "v=spf1 include:none.test -all"',
    'typing.test. TXT "v=spf1 ipv4:192.0.2.1 -all"',
    'network.test. TXT "v=spf1 ip4:192.0.2.300 -all"',
    'open.test. TXT "v=spf1 mx"',
    "open.test. MX 5 mx.b.test.",
]


def test_spf_records_are_evaluated_as_receivers_do(serve: Serve) -> None:
    names = find_names(serve(*ZONE))
    for domain, address, result in (
        ("a.test", "192.0.2.7", "pass"),
        ("a.test", "2001:db8::7", "pass"),
        ("a.test", "::ffff:192.0.2.7", "pass"),
        ("a.test", "198.51.100.15", "pass"),
        ("a.test", "198.51.100.16", "softfail"),
        ("a.test", "2001:db9::1", "pass"),
        ("a.test", "2001:db9::2", "softfail"),
        ("b.test", "198.51.100.16", "neutral"),
        ("redirected.test", "203.0.113.9", "pass"),
        ("redirected.test", "203.0.113.8", "softfail"),
        ("open.test", "192.0.2.7", "neutral"),
        ("none.test", "192.0.2.7", "none"),
    ):
        assert evaluate_spf(names, domain, ip_address(address)).result == result, domain
    whole = evaluate_spf(names, "redirected.test", None)
    assert (whole.result, whole.lookups) == ("softfail", 5)
    assert evaluate_spf(names, "macros.test", ip_address("192.0.2.7")).is_partial
    for domain, says in (
        ("loop.test", "more than 10 look-ups"),
        ("void.test", "more than 2 look-ups find nothing, the last n3.test"),
        ("nowhere.test", "none.test, which nowhere.test includes, has no SPF record"),
        ("typing.test", "a term that does not exist: ipv4:192.0.2.1"),
        ("network.test", "192.0.2.300 is no network"),
    ):
        with pytest.raises(SpfError, match=says):
            evaluate_spf(names, domain, None)

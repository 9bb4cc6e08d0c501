"""Whom the operator's mail server vouches for, by what it wrote into the mail; and who tries to
have it seem so."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sqlalchemy import insert, select

from pbm.config import Config, Server
from pbm.mail.letter import read_letter
from pbm.store.rows import Query
from pbm.store.tables import InboundRow, inbound
from tests.harness.mail import in_time, mail
from tests.harness.mail_room import NOW, SERVER, Room, prepare

OURS = "mx.games.example"
AR = "Authentication-Results: "
DKIM = f"{AR}{OURS}; dkim=pass header.d=example.org header.s=k header.b=abcdefgh"
SIGNATURE = "DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=k; h=From:To:Subject; b=abcdefgh"


def vouched(
    *headers: str,
    sender: str = "Ann <ann@example.org>",
    envelope: str | None = "ann@example.org",
    trusts: str = OURS,
    below: tuple[str, ...] = (),
) -> bool:
    """Whether a mail with these fields on top, and others below its own, is vouched for."""
    raw = mail("hello", sender=sender, headers=below)
    head = "".join(f"{line}\r\n" for line in headers).encode()
    return read_letter(head + raw, envelope_from=envelope, trusts=trusts).vouched


@pytest.mark.parametrize(
    "said",
    [
        "dkim=pass header.d=example.org",
        "dkim=pass header.i=@example.org header.s=k",
        "dkim=pass (2048-bit key; secure) header.d=EXAMPLE.org header.i=@example.org",
        'dkim=pass header.d="example.org" header.b="abc+/="',
        "dkim=fail reason=x header.d=other.example; dkim=pass header.d=example.org",
        "spf=pass smtp.mailfrom=example.org",
        "spf=pass (a comment; x=y) smtp.mailfrom=ann@example.org",
        "spf=fail smtp.helo=x.example; spf=pass smtp.mailfrom=ann@example.org",
        "dmarc=pass (p=none dis=none) header.from=example.org",
        "iprev=pass smtp.remote-ip=192.0.2.1; dkim=pass header.d=example.org header.a=rsa-sha256",
    ],
)
def test_what_authenticates_the_sender(said: str) -> None:
    assert vouched(f"{AR}{OURS}; {said}")
    assert vouched(f"{AR}{OURS} 1;\r\n\t{said}", f"{AR}{OURS}; none")
    assert not vouched(f"{AR}mx.elsewhere.example; {said}")
    assert not vouched(f"{AR}{OURS}; {said}", trusts="")
    assert not vouched(f"{AR}{OURS}; {said}", sender="ann@elsewhere.example")


@pytest.mark.parametrize(
    "said",
    [
        "none",
        "dkim=none",
        "dkim=fail header.d=example.org",
        "dkim=pass header.d=eve.example",
        "dkim=pass header.d=mail.example.org",  # a subdomain does not speak for the domain
        "dkim=pass header.d=org",
        "dkim=pass header.d=ample.org",
        "dkim=pass",
        "x-dkim=pass header.d=example.org",
        "spf=pass smtp.helo=example.org",
        "spf=pass smtp.mailfrom=eve.example",
        "spf=softfail smtp.mailfrom=example.org",
        "spf=pass smtp.mailfrom=example.org; spf=fail smtp.mailfrom=example.org",
        "dmarc=fail header.from=example.org",
        "dmarc=pass header.from=eve.example",
        "dmarc=pass header.from=example.org; dmarc=fail header.from=example.org",
        "arc=pass header.d=example.org",
        # What is badly written is not believed, whatever else it says.
        "dkim=pass header.d=example.org; what is this",
        "dkim=pass header.d=eve.example header.d=example.org",
        "spf=pass (an open bracket smtp.mailfrom=example.org",
        "spf=pass a bracket) smtp.mailfrom=example.org",
        'dkim=pass header.d="example.org',
        'dkim=pass header.i="x; dkim=pass header.d=example.org"',
        "dkim=pass (\\) header.d=example.org",
        "dkim=pass header.d=éxample.org; dkim=pass header.d=example.org",
    ],
)
def test_what_does_not(said: str) -> None:
    assert not vouched(f"{AR}{OURS}; {said}")


def test_spf_speaks_of_the_sender_that_the_server_was_told() -> None:
    said = f"{AR}{OURS}; spf=pass smtp.mailfrom=ann@example.org"
    assert vouched(said)
    assert not vouched(said, envelope="eve@eve.example")
    assert not vouched(said, envelope="")
    assert not vouched(said, envelope=None)


def test_a_domain_speaks_for_those_below_it() -> None:
    assert vouched(DKIM, sender="ann@club.example.org")
    assert not vouched(DKIM, sender="ann@clubexample.org")


@pytest.mark.parametrize(
    "name",
    [
        f"(c) {OURS}",
        f"{OURS} (c)",
        OURS.upper(),
        f'"{OURS}"',
        f"{OURS}.eve.example",
        f"eve.{OURS}",
        f"{OURS} 2",
        f"{OURS},eve",
        f"{OURS}=20",
    ],
)
def test_a_name_that_is_not_spelt_as_ours_is_not_ours(name: str) -> None:
    """A mail server may fail to recognise these as its own, and leave them in."""
    assert not vouched(f"{AR}{name}; dkim=pass header.d=example.org")
    assert not vouched(f"Authentication-Results : {OURS}; dkim=pass header.d=example.org")


def test_a_server_writes_above_what_it_received() -> None:
    forged = (DKIM,)
    theirs = f"{AR}mx.elsewhere.example; dkim=none"
    assert vouched(DKIM, theirs)
    assert vouched(f"{AR}{OURS}; spf=none", DKIM, below=(theirs,))
    assert not vouched(theirs, DKIM)
    # Our server did not remove the name from what it received: then it says nothing.
    assert not vouched(theirs, below=forged)
    assert not vouched(DKIM, theirs, below=forged)
    assert not vouched(DKIM, f"{AR}(x) {OURS}; none")


@pytest.mark.parametrize(
    "signature",
    [
        SIGNATURE.replace("s=k", "s=k; l=10"),
        SIGNATURE.replace(":Subject", ""),
        SIGNATURE.replace("From:", ""),
        SIGNATURE.replace("s=k", "s=k; i=x=3B=20dkim=3Dpass=20header.d=3Dexample.org@eve.example"),
        SIGNATURE.replace("d=example.org", "d=(example.org"),
        SIGNATURE.replace("v=1", "v=1; i=@example.org; i=@eve.example"),
        SIGNATURE.replace("v=1", "rubbish"),
        "DKIM-Signature: ",
    ],
    ids=["length", "no subject", "no from", "words in i", "domain", "twice", "rubbish", "empty"],
)
def test_a_signature_that_leaves_room_for_others_is_not_believed(signature: str) -> None:
    assert vouched(DKIM, SIGNATURE)
    assert vouched(DKIM, SIGNATURE, SIGNATURE + ";")
    assert not vouched(DKIM, signature)
    assert not vouched(DKIM, SIGNATURE, signature)


@pytest.mark.parametrize(
    "more",
    [
        "Subject: tictactoe resign 1",
        "subject : x",
        "From: eve@eve.example",
        "From : ann@example.org",
        "Content-Type: x",
    ],
)
def test_a_field_added_to_a_signed_mail_unmakes_it(more: str) -> None:
    assert not vouched(DKIM, SIGNATURE, more, below=("Content-Type: text/plain",))


@pytest.mark.parametrize(
    "value",
    [
        OURS + "; " + "(" * 8_000,
        OURS + "; " + "()" * 4_000,
        OURS + "; " + '"' * 8_000,
        OURS + "; " + "\\" * 8_000,
        OURS + "; " + "a=b " * 2_000,
        OURS + "; " + "dkim=pass;" * 800,
        OURS + " " * 8_000 + ";",
        OURS + ";" * 8_000,
        "-" * 60_000,
        OURS + "; dkim=pass header.d=" + "a." * 4_000 + "org",
    ],
)
def test_hostile_fields_are_read_in_time(value: str) -> None:
    def hostile() -> bool:
        return any(
            vouched(*[name + value] * count)
            for name in (AR, "DKIM-Signature: ")
            for count in (1, 7)
            if count * len(value) < 65_000
        )

    assert in_time(hostile) is False
    assert in_time(lambda: vouched(*["Authentication-Results: x; none"] * 900, DKIM)) is False


@pytest.mark.parametrize(
    ("via", "peer", "counts"),
    [
        ("lmtp", "127.0.0.1", True),
        ("lmtp", "192.0.2.1", True),
        ("pipe", "", True),
        ("imap", "", True),
        ("smtp", "", True),
        ("smtp", "192.0.2.7", True),
        ("smtp", "2001:db8::7", True),
        ("smtp", "192.0.2.1", False),
        ("smtp", "127.0.0.1", False),
        ("smtp", "::1", False),
        ("smtp", "unknown", False),
    ],
)
def test_only_what_our_server_handed_over_may_bear_its_name(
    room: Room, via: str, peer: str, counts: bool
) -> None:
    raw = f"{DKIM}\r\n".encode() + mail("", sender="ann@example.org", subject="help")
    peers = ("192.0.2.7", "2001:db8::/32")
    config = Config(server=Server(SERVER, trusts=OURS, trusted_peers=peers))
    for trusting in (config, replace(config, server=Server(SERVER))):
        services = Room(room.store, trusting).services
        with room.tried() as session:
            row = {
                "received": NOW,
                "via": via,
                "peer": peer,
                "envelope_from": "ann@example.org",
                "recipient": SERVER,
                "raw": raw,
                "state": "waiting",
            }
            session.execute(insert(inbound).values(row))
            received = session.one(Query(InboundRow, select(inbound)))
            (command,) = prepare(services, session, received).commands
        assert command.sender.vouched == (counts and trusting is config)

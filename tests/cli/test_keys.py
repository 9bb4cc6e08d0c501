"""Keys of reply addresses and links are changed by the operator: old ones hold for a month, or end
at once when they have leaked."""

from __future__ import annotations

import os

from sqlalchemy import select

from pbm.cli.open_database import make_rsa_key
from pbm.config import load
from pbm.core.secrets import read_token
from pbm.daemon.keys import DAYS, list_keys, load_secrets, rotate
from pbm.mail.signer import Signers
from pbm.store.engine import Store
from pbm.store.tables import boards
from tests.harness.databases import all_rows
from tests.harness.shell import SERVER, Shell

SISTER = "sister.example"
_WHY = ("--yes", "--reason", "stolen")
_DAY = 86400.0
_HASH = "$argon2id$of-ann"


def test_keys_are_changed_and_end(any_shell: Shell) -> None:
    shell = any_shell
    shell.signup("ann", "bob")
    shell.ok("challenge", "backgammon", "ann", "bob")
    store = Store(shell.url)
    before = load_secrets(store)
    token, link = (
        before.make_board_token(1, 0, 0, 0, _HASH),
        before.make_link_key("b1-0", _HASH, ["ann@example.org"]),
    )
    code, erased = before.digest_code("abcd-efgh-2345"), before.digest_userid("eve")
    (first,) = shell.json("admin", "keys", "list")
    said = shell.run("admin", "keys", "rotate", *_WHY)
    assert (said.exit_code, "systemctl restart pbm" in said.stdout) == (0, True)
    newest, old = shell.json("admin", "keys", "list")
    assert old["made"] == first["made"] is not None
    assert (newest["state"], old["state"]) == ("in use", "verifies")
    assert old["ends"] > newest["made"]

    def holds(now: float = 0.0) -> list[bool]:
        secrets = load_secrets(store, clock=lambda: now) if now else load_secrets(store)
        read = read_token(token)
        assert read is not None
        return [
            secrets.is_genuine(read, _HASH),
            secrets.is_link_key(link, "b1-0", _HASH, ["ann@example.org"]),
            secrets.digest_code("abcd-efgh-2345") == code,
            secrets.digest_userid("eve") == erased,
        ]

    assert holds() == [True] * 4
    assert load_secrets(store).make_board_token(1, 0, 0, 0, _HASH) != token
    with store.reading() as session:
        (ends,) = [note.ends for note in list_keys(session) if note.ends]
    assert holds(ends - 1) == [True] * 4
    assert holds(ends + 1) == [False, False, True, True]
    with store.writing() as session:  # once more, a month later: what has ended is forgotten
        rotate(session, ends + _DAY, os.urandom, leaked=False)
        assert [note.ends for note in list_keys(session)] == [None, ends + (DAYS + 1) * _DAY]

    # A backup is stolen: all ends at once, and no roll is known any more.
    with store.reading() as session:
        (secret,) = [row.secret for row in all_rows(session, select(boards))]
    shell.ok("admin", "keys", "rotate", "--leaked", *_WHY)
    assert holds() == [False, False, False, True]
    assert len(shell.json("admin", "keys", "list")) == 1
    with store.reading() as session:
        assert [row.secret for row in all_rows(session, select(boards))] != [secret]
    store.close()
    assert [row["action"] for row in shell.json("admin", "audit")] == [
        "rotate keys, leaked",
        "rotate keys",
    ]
    assert shell.ok("admin", "check") == "no difference\n"


def test_each_domain_signs_with_a_key_of_its_own(shell: Shell) -> None:
    """The next key of a domain is made beside the old one; what is left to do is printed, and once
    it is done mails are signed with it."""
    for name in ("own", "sister"):
        (shell.folder / f"{name}.pem").write_text(make_rsa_key())
    text = shell.config.read_text().replace(
        "[database]", f'aliases = ["play@{SISTER}"]\n[database]'
    )
    domain = (
        f'[dkim]\nkey = "{shell.folder}/own.pem"\n[[dkim.domain]]\nname = "{SISTER}"\n'
        f'key = "{shell.folder}/sister.pem"\n'
    )
    shell.config.write_text(text + domain)
    before = sign(shell, f"play@{SISTER}")
    assert f"d={SISTER};".encode() in before
    assert b"s=pbm;" in before
    assert b"d=games.example;" in sign(shell, SERVER)
    assert sign(shell, "pbm@elsewhere.example").startswith(b"From: ")

    said = shell.run("admin", "keys", "rotate", "--domain", SISTER, "--leaked", *_WHY)
    assert said.exit_code == 0
    new = shell.folder / "sister2.pem"
    assert new.stat().st_mode & 0o777 in (0o600, 0o640)
    done, *lines = said.stdout.splitlines()
    assert done == "done"
    assert lines[0].startswith(f'publish: pbm2._domainkey.{SISTER}. TXT "v=DKIM1; k=rsa; p=MII')
    assert lines[1].endswith(
        f'[[dkim.domain]] with name {SISTER}: selector = "pbm2", key = "{new}"'
    )
    assert lines[3].endswith(f'pbm._domainkey.{SISTER}. TXT "v=DKIM1; p="')
    rows = [row for row in shell.json("admin", "keys", "list") if row["of"].startswith("DKIM")]
    assert [row["of"] for row in rows] == [
        "DKIM, pbm._domainkey.games.example",
        f"DKIM, pbm._domainkey.{SISTER}",
    ]
    assert len({row["key"] for row in rows}) == 2
    again = shell.run("admin", "keys", "rotate", "--domain", SISTER, *_WHY)
    assert (again.exit_code, f"{new} is there already" in again.stderr) == (1, True)
    other = shell.run("admin", "keys", "rotate", "--domain", "elsewhere.example", *_WHY)
    assert (other.exit_code, f"there are games.example, {SISTER}" in other.stderr) == (1, True)

    shell.config.write_text(text + domain.replace("sister.pem", 'sister2.pem"\nselector = "pbm2'))
    assert b"s=pbm2;" in sign(shell, f"play@{SISTER}")


def sign(shell: Shell, sender: str) -> bytes:
    """A mail from that address as it leaves the server."""
    mail = f"From: pbm <{sender}>\r\nTo: ann@example.org\r\nSubject: x\r\n\r\nx\r\n".encode()
    return Signers(load(str(shell.config))).sign(mail).replace(b"\r\n ", b" ")

"""Keys of reply addresses and links are changed by the operator: old ones hold for a month, or end
at once when they have leaked."""

from __future__ import annotations

import os

from sqlalchemy import select

from pbm.core.kernel.secrets import read_token
from pbm.daemon.keys import DAYS, list_keys, load_secrets, rotate
from pbm.store.engine import Store
from pbm.store.tables import boards
from tests.harness.shell import Shell
from tests.harness.statements import all_rows

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
    said = shell.run("admin", "keys", "rotate", *_WHY)
    assert (said.exit_code, "systemctl restart pbm" in said.stderr) == (0, True)
    newest, old = shell.json("admin", "keys", "list")
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

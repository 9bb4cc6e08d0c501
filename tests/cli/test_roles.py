"""Who moderates and who makes events: roles of accounts, which the operator gives and takes."""

from __future__ import annotations

import time

from sqlalchemy import select

from pbm.config import load
from pbm.core.player import Role, find_player
from pbm.daemon.keys import load_secrets
from pbm.daemon.startup import adopt_names
from pbm.store.engine import Store
from pbm.store.tables import audit
from tests.harness.shell import Shell

_WHY = ("--yes", "--reason", "because")


def starts(shell: Shell) -> None:
    """What a server does with the names in the configuration when it starts."""
    store = Store(shell.url)
    adopt_names(store, load_secrets(store), load(str(shell.config)), time.time())
    store.close()


def list_holders(shell: Shell, role: str = "moderator") -> list[str]:
    return [row["userid"] for row in shell.json("admin", role, "list")]


def configure(shell: Shell, text: str) -> None:
    shell.config.write_text(f"{shell.config.read_text()}\n{text}\n", encoding="utf-8")


def find_findings(shell: Shell) -> list[tuple[str, str]]:
    """What doctor says of roles: grade and sentence."""
    rows = shell.json("doctor", code=1)
    return [(row["grade"], row["says"]) for row in rows if row["what"] == "roles"]


def test_a_role_belongs_to_the_account(any_shell: Shell) -> None:
    shell = any_shell
    shell.signup("ann", "bob")
    for role in Role:
        said = shell.ok("admin", role, "add", "ann", *_WHY)
        assert "mailed to ann@example.org" in said
        assert shell.run("admin", role, "add", "ann", *_WHY).exit_code == 1
        assert shell.run("admin", role, "add", "nobody", *_WHY).exit_code == 1
        assert shell.run("admin", role, "add", "random", *_WHY).exit_code == 1
        assert list_holders(shell, role) == ["ann"]
    shell.ok("admin", "rename", "ann", "anna", *_WHY)
    assert list_holders(shell) == ["anna"]
    said = shell.run("admin", "merge", "anna", "bob", *_WHY).output
    assert "pbm admin moderator add bob makes one of it" in said
    assert list_holders(shell) == []
    shell.ok("admin", "moderator", "add", "bob", *_WHY)
    shell.ok("admin", "moderator", "remove", "bob", *_WHY)
    assert shell.run("admin", "moderator", "remove", "bob", *_WHY).exit_code == 1
    acts = [row["action"] for row in shell.json("admin", "audit", "--action", "moderator")]
    assert acts == ["moderator remove", "moderator add", "moderator add"]


def test_names_in_the_configuration_become_roles_once(shell: Shell) -> None:
    shell.signup("ann")
    configure(shell, '[house]\nmoderators = ["Ann", "mia"]\n[events]\nmakers = "ann"')
    starts(shell)
    assert (list_holders(shell), list_holders(shell, "maker")) == (["ann"], ["ann"])
    found = find_findings(shell)
    assert ("BAD", "[house] moderators names mia, who is nobody") in found
    assert any(grade == "ok" and "ann is maker and moderator" in says for grade, says in found)
    refused = shell.run("signup", "mia", "bob@example.org", who="bob")
    assert refused.exit_code == 1

    # What the operator takes stays taken; a name that somebody gets later is read then.
    shell.ok("admin", "moderator", "remove", "ann", *_WHY)
    starts(shell)
    assert list_holders(shell) == []
    shell.signup("bob")
    shell.ok("admin", "rename", "bob", "mia", *_WHY)
    assert any(grade == "note" and "mia" in says for grade, says in find_findings(shell))
    starts(shell)
    assert list_holders(shell) == ["mia"]
    store = Store(shell.url)
    with store.reading() as session:
        mia = find_player(session, "mia")
        assert mia is not None
        rows = session.tuples(
            select(audit.c.actor, audit.c.reason).where(audit.c.player_id == mia.id)
        )
        assert ("pbm", "named in [house] moderators") in rows
    store.close()
    shell.ok("admin", "suspend", "mia", *_WHY)
    assert any(grade == "BAD" and "suspended" in says for grade, says in find_findings(shell))


def test_the_operator_undoes_an_act_by_its_number(shell: Shell) -> None:
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob")
    said = shell.run("admin", "cancel", "1", *_WHY).output
    line = next(line for line in said.splitlines() if line.startswith("to undo it: pbm "))
    assert shell.json("admin", "board", "1")["state"] == "cancelled"
    (row,) = shell.json("admin", "audit", "--action", "cancel")
    assert line == f"to undo it: {row['undo']}"
    shell.ok(*row["undo"].split()[1:], *_WHY)
    assert shell.json("admin", "board", "1")["state"] == "running"
    assert shell.run(*row["undo"].split()[1:], *_WHY).exit_code == 1
    assert shell.run("admin", "undo", "999", *_WHY).exit_code == 1
    shell.ok("admin", "suspend", "bob", *_WHY)
    (row,) = shell.json("admin", "audit", "--action", "suspend")
    assert row["undo"] is None
    assert "cannot be undone" in shell.run("admin", "undo", str(row["number"]), *_WHY).output

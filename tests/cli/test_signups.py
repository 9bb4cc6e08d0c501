"""`pbm admin invite`, `approve` and `deny`, and the list of accounts that wait."""

from __future__ import annotations

from pbm.store.engine import Store
from pbm.store.tables import players
from tests.harness.shell import Shell


def wait_for_approval(shell: Shell, userid: str) -> None:
    """Have an account wait, as it does once its address is confirmed."""
    shell.signup(userid)
    store = Store(shell.url)
    with store.writing() as session:
        session.execute(players.update().values(state="waiting").where(players.c.name == userid))
    store.close()


def test_an_account_that_waits_is_listed_and_approved(shell: Shell) -> None:
    wait_for_approval(shell, "ann")
    (row,) = shell.json("admin", "players", "--state", "waiting")
    assert row["userid"] == "ann"
    said = shell.ok("admin", "approve", "ann", "--yes")
    assert said == "done; mailed to ann@example.org\nto undo it: pbm admin undo 1\n"
    assert shell.json("admin", "players", "--state", "waiting") == []
    assert shell.json("admin", "audit")[0]["action"] == "approve"
    assert "does not wait" in shell.run("admin", "deny", "ann", "--yes").stderr


def test_an_account_that_waits_is_denied(shell: Shell) -> None:
    wait_for_approval(shell, "ann")
    said = shell.json("admin", "deny", "ann", "--reason", "we are full")
    assert "did not approve your signup: we are full" in said["mails"][0]["text"]
    assert shell.json("admin", "players") == []
    assert shell.json("admin", "audit")[0]["action"] == "deny ann"
    assert shell.ok("admin", "check") == "no difference\n"


def test_an_address_is_invited_once(shell: Shell) -> None:
    said = shell.ok("admin", "invite", "kim@example.org", "--yes")
    assert said == "done; mailed to kim@example.org\n"
    assert "was invited before" in shell.run("admin", "invite", "Kim@Example.org", "--yes").stderr
    assert "not a valid mail address" in shell.run("admin", "invite", "kim", "--yes").stderr

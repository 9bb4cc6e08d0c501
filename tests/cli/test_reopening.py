"""A cancelled board goes on, and a preview says what it does not undo."""

from __future__ import annotations

from sqlalchemy import insert

from pbm.cli.admin.inspecting import list_remains
from pbm.core.feature import list_verbs
from pbm.core.proofs import Act
from pbm.store.engine import Store
from pbm.store.tables import inbound
from tests.harness.shell import MOVES, Shell

_WHY = ("--yes", "--reason", "her password was stolen")
_FREE = (Act.OPEN, Act.CODE)
"""Acts that anybody may do, or that a code is for: they need no password."""


def test_every_command_that_a_password_permits_is_undone_or_told(shell: Shell) -> None:
    changing = {
        verb.name for verb in list_verbs() if not verb.is_read_only and verb.act not in _FREE
    }
    mail: dict[str, object] = {"via": "smtp", "recipient": "pbm@localhost", "raw": b""}
    mail |= {"state": "done", "code": "executed", "player_id": 1, "received": 1.0}
    shell.signup("ann")
    store = Store(shell.url)
    with store.writing() as session:
        rows = [mail | {"outcome": f"done: {name} 7"} for name in changing]
        session.execute(insert(inbound), rows)
        told = [
            line.removeprefix("1 ").partition(" (")[0]
            for line in list_remains(session, "ann", 0.0, ())
        ]
    store.close()
    assert {*told} == changing
    assert not [verb.name for verb in list_verbs() if verb.goes_with_board and verb.remedy]


def test_a_declined_board_goes_on_as_it_was(any_shell: Shell) -> None:
    shell = any_shell
    shell.signup("ann", "bob")
    for game in ("cradle", "reversi", "backgammon"):
        shell.ok("challenge", game, "bob", "ann")
    shell.ok("move", "cradle", "1", "bob", MOVES[0], who="bob")
    shell.ok("move", "cradle", "1", "ann", MOVES[1], who="ann")
    before = {number: shell.json("admin", "board", str(number)) for number in (1, 2, 3)}
    for name in ("2", "3"):
        shell.ok("decline", before[int(name)]["game"], name, "ann", who="ann")
    shell.ok("admin", "cancel", "1", *_WHY)

    shell.ok("set", "ann", "mail=text", who="ann")
    # The preview says which boards it leaves, and how they go on.
    asked = shell.run("admin", "rollback", "--player", "ann", "--since", "2h", stdin="x\nn\n")
    assert asked.exit_code == 1
    assert "not undone:" in asked.stderr
    assert "  reversi 2 (declined; pbm admin reopen 2)" in asked.stderr.splitlines()
    assert (
        "  1 set (pbm admin player ann; by click or at the terminal)" in asked.stderr.splitlines()
    )
    assert "set" not in {row["action"] for row in shell.json("admin", "audit")}

    for number in (1, 2, 3):
        said = shell.ok("admin", "reopen", str(number), *_WHY)
        assert said == "done; mailed to bob@example.org, ann@example.org\n"
        after = shell.json("admin", "board", str(number))
        for key in ("state", "ply", "rated"):
            assert after[key] == before[number][key], (number, key)
    # The secret of dice was out: they follow from another.
    assert shell.json("admin", "board", "3")["commitment"] != before[3]["commitment"]
    assert [row["action"] for row in shell.json("admin", "audit")].count("reopen") == 3
    shell.ok("move", "cradle", "1", "bob", MOVES[2], who="bob")
    shell.ok("accept", "backgammon", "3", "ann", who="ann")
    assert shell.ok("admin", "check") == "no difference\n"

    # What was not cancelled is refused in plain words.
    again = shell.run("admin", "reopen", "1", *_WHY)
    assert again.exit_code == 1
    assert "board 1 was not cancelled: there is nothing to reopen" in again.stderr
    shell.ok("resign", "cradle", "1", "bob", who="bob")
    over = shell.run("admin", "reopen", "1", *_WHY)
    assert "board 1 ended with a result: pbm admin rollback takes it back" in over.stderr

"""What the operator sees of a game whose package broke or changed, and what ends its boards."""

import pytest

from tests.harness.packages import Packages, nim
from tests.harness.shell import Shell


@pytest.fixture
def played(shell: Shell, packages: Packages) -> Shell:
    """Board 1 of Nim, on which ann has taken three stones."""
    packages.install("nim", nim())
    shell.signup("ann", "bob")
    shell.ok("challenge", "nim", "ann", "bob")
    shell.ok("move", "nim", "1", "ann", "take-3", who="ann")
    return shell


@pytest.mark.parametrize("source", [None, nim(version=2, most=2)])
def test_the_operator_sees_and_ends_what_waits(
    played: Shell, packages: Packages, source: str | None
) -> None:
    packages.install("nim", source)
    for words in (("help",), ("games",), ("list",), ("admin", "mails"), ("admin", "boards")):
        assert "Error" not in played.ok(*words)
    refused = played.run("show", "1")
    assert refused.exit_code == 1
    assert "Not done: " in refused.output
    found = {row["what"]: row for row in played.json("doctor", code=1)}
    assert found["boards"]["grade"] == "BAD"
    assert found["boards"]["says"].startswith("1 waits: ")
    assert found["games"]["grade"] == ("BAD" if source is None else "ok")
    assert played.run("admin", "check").exit_code == 1
    shown = played.json("admin", "board", "1")
    assert shown["position"] == "  (the position cannot be shown)"
    assert [move["move"] for move in shown["moves"]] == ["take-3"]
    played.ok("admin", "adjudicate", "1", "1,2", "--reason", "the package is gone", "--yes")
    shown = played.json("admin", "board", "1")
    assert (shown["state"], shown["reason"]) == (
        "over",
        "the operator decided: the package is gone",
    )
    packages.install("nim", nim())
    assert "take-3" in played.ok("show", "1")
    assert played.run("admin", "check").exit_code == 0


def test_a_board_of_a_game_that_is_gone_can_be_cancelled(played: Shell, packages: Packages) -> None:
    packages.remove("nim")
    played.ok("admin", "cancel", "1", "--reason", "the package is gone", "--yes")
    assert played.json("admin", "board", "1")["state"] == "cancelled"


def test_the_cause_is_not_said_to_be_the_database(played: Shell, packages: Packages) -> None:
    packages.install("nim", "import nosuchmodule")
    said = " ".join(played.run("doctor").stdout.split())
    cause = "ModuleNotFoundError: No module named 'nosuchmodule'"
    assert f"nim of pbm-nim was not loaded: {cause}" in said
    assert "[database] url" not in said

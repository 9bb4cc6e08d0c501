"""The operator undoes at once what one player did on many boards: shown first, one reason."""

from __future__ import annotations

from tests.harness.shell import MOVES, Shell

_WHY = ("--yes", "--reason", "her password was stolen")


def test_what_a_player_did_is_taken_back_cancelled_and_banned(any_shell: Shell) -> None:
    shell = any_shell
    shell.signup("ann", "bob", "cat")
    for other in ("bob", "cat", "bob"):
        shell.ok("challenge", "cradle", "ann", other)
    for number, other in ((1, "bob"), (2, "cat")):
        shell.ok("move", "cradle", str(number), "ann", MOVES[0], who="ann")
        shell.ok("move", "cradle", str(number), other, MOVES[1], who=other)
    shell.ok("resign", "cradle", "2", "ann", who="ann")

    # What would be done is shown; without an agreement nothing is.
    asked = shell.run("admin", "rollback", "--player", "Ann", "--since", "2h", stdin="stolen\nn\n")
    assert asked.exit_code == 1
    assert [line.split()[0] for line in asked.stderr.splitlines()[:3]] == ["board", "1", "2"]
    assert "Take these 2 boards back?" in asked.stderr
    assert shell.json("admin", "board", "2")["state"] == "over"
    assert len(shell.json("admin", "audit")) == 0
    said = shell.ok("admin", "rollback", "--player", "ann", "--since", "2h", *_WHY)
    assert said == "done; mailed to ann@example.org, bob@example.org, cat@example.org\n"
    boards = [shell.json("admin", "board", str(number)) for number in (1, 2)]
    assert [(board["state"], board["ply"]) for board in boards] == [("running", 0)] * 2
    assert [row["reason"] for row in shell.json("admin", "audit")] == [_WHY[2]] * 2

    # None is left, and what is half of one form and half of the other is usage.
    again = shell.run("admin", "rollback", "--player", "ann", "--since", "2h", *_WHY)
    assert (again.exit_code, again.stderr) == (1, "pbm: nothing was done: there is none\n")
    for words in (("1",), ("1", "0", "--player", "ann"), ("1", "0", "--since", "2h"), ()):
        assert shell.run("admin", "rollback", *words, *_WHY).exit_code == 2, words
    assert shell.run("admin", "rollback", "--player", "ann", *_WHY).exit_code == 1  # since when?

    # Each of the two others shows the boards and asks once for all; "no" changes nothing.
    for line, shown, question in (
        ("cancel --player ann", ["1", "2", "3"], "End these 3 boards without a result?"),
        ("cancel --player cat --since 2h", ["2"], "End board 2 without a result?"),
        ("ban cat --boards", ["2"], "Ban cat"),
    ):
        asked = shell.run("admin", *line.split(), stdin="stolen\nn\n")
        assert asked.exit_code == 1, line
        numbers = [row.split()[0] for row in asked.stderr.splitlines() if row[:1].isdigit()]
        assert (numbers, question in asked.stderr) == (shown, True), asked.stderr
        assert asked.stderr.count("?") == 1, asked.stderr
    states = {row["state"] for row in shell.json("admin", "boards")}
    assert "cancelled" not in states
    assert len(shell.json("admin", "audit")) == 2

    # A ban with the boards of the account, and all boards of a player who stays.
    assert shell.run("admin", "ban", "x@example.org", "--boards", *_WHY).exit_code == 1
    assert "cat@example.org" in shell.ok("admin", "ban", "cat", "--boards", *_WHY)
    assert shell.json("admin", "board", "2")["state"] == "cancelled"
    assert shell.ok("admin", "cancel", "--player", "ann", *_WHY).startswith("done; mailed to ann")
    assert {row["state"] for row in shell.json("admin", "boards")} == {"cancelled"}
    assert shell.ok("admin", "check") == "no difference\n"

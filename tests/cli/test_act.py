"""Playing from the shell: the same commands as by mail, exit codes, JSON, and no password shown."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.harness.shell import MOVES, PASSWORDS, SERVER, Shell


def _mails(shell: Shell, *query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = shell.json("admin", "mails", "--out", *query)
    return found


def test_a_whole_game_on_each_database(any_shell: Shell) -> None:
    shell = any_shell
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob")
    for at, move in enumerate(MOVES):
        who = ("ann", "bob")[at % 2]
        said = shell.ok("move", "cradle", "1", who, move, who=who)
    assert said.startswith("[cradle 1] ann - bob\n\nYou won (7): no cradle fits.")
    assert "ann won" in shell.ok("cradle", "history")
    assert len(_mails(shell, "--board", "1")) == 2 * (1 + len(MOVES))
    assert shell.run("move", "cradle", "1", "bob", MOVES[0], who="bob").exit_code == 1
    assert shell.ok("admin", "check") == "no difference\n"
    assert not any(password in shell.seen for password in PASSWORDS.values())


def test_both_word_orders_and_options_with_one_dash_or_two(shell: Shell) -> None:
    shell.signup("ann", "bob")
    orders = (
        ("challenge", "cradle", "ann", "bob", "--size=3", "-must_reduce"),
        ("cradle", "challenge", "ann", "bob", "--size", "3", "-must_reduce"),
        ("challenge", "cradle", "-size=3", "ann", "-must_reduce", "bob"),
        ("chall", "cradle", "ann", "-size", "3", "bob", "-must-reduce", "--unrated"),
    )
    for number, words in enumerate(orders, 1):
        said = shell.ok(*words)
        options = "triangles along a side of the hexagon: 3; each level must have fewer cells"
        assert f"Cradle, board {number}; {options}" in " ".join(said.split())
    wrong = shell.run("challenge", "cradle", "ann", "bob", "-size=99")
    assert wrong.exit_code == 1
    assert "-size" in wrong.stderr


def test_a_refusal_is_code_1_and_changes_nothing(board: Shell) -> None:
    before = _mails(board)
    for words, who in (
        (("move", "cradle", "1", "bob", "b1,c1,d1,d2"), "bob"),
        (("move", "cradle", "1", "ann", "b1,c1,d1,d9"), "ann"),
        (("move", "cradle", "1", "ann", "b1,c1,d1,d2"), "bob"),
        (("move", "cradle", "77", "ann", "b1,c1,d1,d2"), "ann"),
        (("challenge", "cradle", "ann", "nobody"), ""),
    ):
        result = board.run(*words, who=who)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "Not done: " in result.stderr
    assert [row["number"] for row in board.json("admin", "board", "1")["moves"]] == []
    assert not any(password in board.seen for password in PASSWORDS.values())
    told = [mail["what"] for mail in _mails(board) if mail not in before]
    assert all("not done" in what or what == "[cradle 1] ann - bob" for what in told)


def test_words_that_are_missing_are_usage(board: Shell) -> None:
    for words in (("move", "cradle"), ("move", "cradle", "1"), ("signup", "cat"), ("signup",)):
        assert board.run(*words, who="ann").exit_code == 2, words


def test_the_password_is_asked_for_hidden_and_twice_for_a_new_one(board: Shell) -> None:
    said = board.run("move", "cradle", "1", "ann", MOVES[0], stdin="orchard7\n")
    assert said.exit_code == 0
    assert "Password of ann" in said.stderr
    assert board.run("signup", "cat", "cat@example.org", stdin="saucer99\nsaucer98\n").exit_code
    board.ok("signup", "cat", "cat@example.org", stdin="saucer99\nsaucer99\n")
    board.ok("set", "cat", who="cat")
    assert board.run("move", "cradle", "1", "ann", MOVES[0], stdin="").exit_code == 2
    assert not any(password in board.seen for password in PASSWORDS.values())
    assert not any(password in board.argv for password in PASSWORDS.values())


def test_a_password_among_the_words_is_not_taken(board: Shell) -> None:
    result = board.run("signup", "cat", "saucer99", "cat@example.org", who="cat")
    assert result.exit_code == 2
    assert "saucer99" not in result.output


def test_changing_the_password(board: Shell) -> None:
    board.ok("change", "password", "ann", who="ann", PBM_NEW_PASSWORD="brandnew1")
    assert board.run("set", "ann", who="ann").exit_code == 1
    board.ok("set", "ann", PBM_PASSWORD="brandnew1")
    assert "brandnew1" not in board.seen


def test_the_answer_as_json(board: Shell) -> None:
    done = board.json("move", "cradle", "1", "ann", MOVES[0], who="ann")
    assert (done["ok"], done["code"]) == (True, 0)
    assert {"to", "subject", "text"} == set(done["mails"][0])
    assert done["mails"][0]["to"] == "ann@example.org"
    assert done["mails"][0]["subject"] == "[cradle 1] ann - bob"
    assert done["mails"][0]["text"].startswith(f"You played {MOVES[0]}. It is bob's turn (2).")
    assert "a2,b2,c2,c3" in done["mails"][0]["text"]
    assert "bob@example.org" in [mail["to"] for mail in done["mails"]]
    refused = board.json("move", "cradle", "1", "ann", MOVES[0], who="ann", code=1)
    assert (refused["ok"], refused["code"], refused["refusal"]) == (False, 1, "wrong_turn")
    assert refused["mails"][0]["text"].startswith("Not done: ")
    usage = board.json("move", "cradle", who="ann", code=2)
    assert (usage["ok"], usage["code"], usage["refusal"]) == (False, 2, "missing_argument")


def test_opponents_get_their_mails_and_the_comment(board: Shell) -> None:
    board.ok("move", "cradle", "1", "ann", MOVES[0], "--body", "good luck", who="ann")
    board.ok("message", "ann", "bob", who="ann", stdin="shall we?\n")
    told = [mail for mail in _mails(board) if mail["who"] == "bob@example.org"]
    texts = [board.ok("admin", "mail", mail["mail"]) for mail in told]
    assert any("> good luck" in text for text in texts)
    assert any("> shall we?" in text for text in texts)


def test_the_text_never_holds_the_password(board: Shell) -> None:
    result = board.run("move", "cradle", "1", "ann", MOVES[0], "--body", "I am orchard7", who="ann")
    assert result.exit_code == 2
    assert board.json("admin", "board", "1")["moves"] == []


def test_as_operator_is_recorded_and_visible(board: Shell) -> None:
    board.ok("move", "cradle", "1", "ann", MOVES[0], "--as-operator", "--reason", "by phone")
    (row,) = board.json("admin", "audit")
    assert (row["userid"], row["board"], row["reason"]) == ("ann", 1, "by phone")
    assert row["action"] == "as ann: cradle move"
    (move,) = board.json("admin", "board", "1")["moves"]
    assert move["comment"] == ""
    mails = [mail for mail in _mails(board) if mail["who"] == "bob@example.org"]
    assert "> (by the operator)" in board.ok("admin", "mail", mails[0]["mail"])
    board.run("move", "cradle", "1", "ann", MOVES[0], "--as-operator")
    assert len(board.json("admin", "audit")) == 1
    look = ("--reveal", "--reason", "a complaint")
    (move,) = board.json("admin", "board", "1", *look)["moves"]
    assert move["comment"] == "(by the operator)"
    assert board.run("admin", "export", "1", "--reveal").exit_code == 2
    assert "by the operator" not in board.ok("admin", "export", "1")
    assert "by the operator" in board.ok("admin", "export", "1", *look)
    acts = [row["action"] for row in board.json("admin", "audit")]
    assert sorted(acts)[1:] == ["reveal board 1", "reveal comments of board 1"]


def test_as_operator_shows_no_hand_without_a_recorded_reason(shell: Shell) -> None:
    shell.signup("ann", "bob", "cat")
    shell.begins("poolside", "ann", "bob", "cat")
    own = shell.ok("showas", "poolside", "ann", "1", who="ann")
    spectator = shell.ok("show", "poolside", "1")
    shown = shell.ok("showas", "poolside", "ann", "1", "--as-operator")
    hand = next(line for line in own.splitlines() if line.lstrip().startswith("red "))
    assert hand not in spectator
    assert hand not in shown
    assert shell.run("showas", "poolside", "ann", "1", "--as-operator", "--reveal").exit_code == 2
    revealed = shell.ok(
        "showas", "poolside", "ann", "1", "--as-operator", "--reveal", "--reason", "a dispute"
    )
    assert hand in revealed
    assert "revealed" in shell.json("admin", "audit")[0]["action"]


def test_a_code_goes_to_its_address_and_not_to_the_terminal(shell: Shell, sqlite_url: str) -> None:
    shell.write(sqlite_url, "", confirm=True)
    done = shell.json("signup", "ann", "ann@example.org", who="ann")
    assert [mail["to"] for mail in done["mails"]] == ["ann@example.org"]
    assert "Code: " not in done["mails"][0]["text"]
    (mail,) = _mails(shell)
    assert "Code: ****-****-****" in shell.ok("admin", "mail", mail["mail"])


def test_what_cannot_be_reached_is_code_75(shell: Shell) -> None:
    shell.write("postgresql://127.0.0.1:1/none", "")
    result = shell.run("list")
    assert result.exit_code == 75
    assert result.stderr.startswith("pbm: database unavailable: ")
    assert result.stderr.count("\n") == 1
    failed = json.loads(shell.run("list", "--json").stdout)
    assert (failed["ok"], failed["code"], failed["mails"]) == (False, 75, [])


def test_a_newer_schema_is_code_75(shell: Shell, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "pbm.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    result = shell.run("list")
    assert result.exit_code == 75
    assert "install the newer pbm" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("signup", "ann", "ann@example.org"),
        ("chess", "move", "1", "ann", "e2e4"),
        ("admin", "boards"),
        ("admin", "db", "upgrade"),
        ("receive", "--to", SERVER),
    ],
)
def test_no_command_makes_a_database(shell: Shell, tmp_path: Path, words: tuple[str, ...]) -> None:
    new = tmp_path / "folder" / "new.db"
    shell.write(f"sqlite:///{new}", "")
    refused = shell.run(*words, who="ann", stdin="Subject: games\n\n")
    assert refused.exit_code == 75
    assert refused.stderr == f"pbm: no database at {new}: pbm admin db create makes one\n"
    assert not new.parent.exists()


@pytest.mark.parametrize(
    ("words", "game"), [(("games",), "chess"), (("search", "konane"), "konane")]
)
def test_lists_of_games_need_no_database(
    shell: Shell, tmp_path: Path, words: tuple[str, ...], game: str
) -> None:
    shell.write(f"sqlite:///{tmp_path / 'folder' / 'new.db'}", "")
    assert game in shell.ok(*words).lower()


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "sqlite+nothing:///x"])
def test_a_wrong_url_is_usage(shell: Shell, url: str) -> None:
    shell.write(url, "")
    assert shell.run("list").exit_code == 2

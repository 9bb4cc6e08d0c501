"""Renaming, merging and erasing players, and what is kept about them: the operator's side."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import select, update

from pbm.core.fsck import find_differences
from pbm.features.analysis.tables import analyses, analysis_requests
from pbm.store.engine import Store
from pbm.store.tables import outbound, players
from tests.harness.shell import MOVES, Shell

_WHY = ("--yes", "--reason", "because")


def plays(shell: Shell, board: int, *people: str, moves: int = 2) -> None:
    for at, move in enumerate(MOVES[:moves]):
        who = people[at % 2]
        shell.ok("move", "cradle", str(board), who, move, who=who)


def is_consistent(shell: Shell) -> bool:
    """Whether the database agrees with itself."""
    store = Store(shell.url)
    try:
        with store.reading() as session:
            return list(find_differences(session)) == []
    finally:
        store.close()


def list_requests(shell: Shell) -> list[tuple[int, str]]:
    """The boards whose analysis somebody waits for, and who that is."""
    store = Store(shell.url)
    query = select(analysis_requests.c.board_id, players.c.userid).join(players)
    try:
        with store.reading() as session:
            assert session.tuples(select(analyses.c.state).distinct()) == [("waiting",)]
            return sorted((int(board), str(userid)) for board, userid in session.tuples(query))
    finally:
        store.close()


def played(shell: Shell) -> None:
    """Board 1 of ann and bob is over by bob's resignation; on board 2 they have begun."""
    shell.signup("ann", "bob", "cat")
    shell.ok("challenge", "cradle", "ann", "bob")
    plays(shell, 1, "ann", "bob")
    shell.ok("resign", "cradle", "1", "bob", who="bob")
    shell.ok("challenge", "cradle", "ann", "bob")
    plays(shell, 2, "ann", "bob")


def test_rename_takes_boards_records_and_events_along(any_shell: Shell) -> None:
    shell = any_shell
    played(shell)
    shell.ok("event", "new", "roundrobin", "hex", "ann", "--name=Cup", who="ann")
    for who in ("ann", "bob", "cat"):
        shell.ok("event", "enter", "1", who, who=who)
    shell.ok("challenge", "cradle", "ann", "bob")
    plays(shell, 3, "ann", "bob")
    shell.ok("admin", "adjudicate", "3", "1,2", "--yes", "--reason", "bob left")
    assert "bob left" in json.dumps(shell.json("admin", "board", "3")["reason"])
    output = shell.ok("admin", "rename", "bob", "Robert", *_WHY)
    assert "mailed to bob@example.org" in output
    after = shell.json("admin", "board", "3")
    assert [seat["userid"] for seat in after["seats"]] == ["ann", "Robert"]
    assert after["reason"] == "the operator decided: Robert left"
    assert "Robert left" in json.dumps(after["moves"])
    assert "bob left" not in json.dumps(after["moves"])
    assert "Robert" in shell.ok("event", "show", "1")
    assert is_consistent(shell)
    for line in (
        ("signup", "bob", "eve@example.org"),
        ("admin", "rename", "cat", "bob", *_WHY),
        ("admin", "rename", "cat", "Robert", *_WHY),
        ("admin", "rename", "cat", "operator", *_WHY),
        ("admin", "rename", "cat", "no!name", *_WHY),
        ("admin", "rename", "random", "dice", *_WHY),
    ):
        assert shell.run(*line, who="bob").exit_code == 1, line
    shell.ok("admin", "rename", "robert", "bob", *_WHY)  # its own former one
    shell.ok("move", "cradle", "2", "ann", MOVES[2], who="ann")
    assert is_consistent(shell)


def test_merge_makes_one_player_of_two(any_shell: Shell) -> None:
    shell = any_shell
    played(shell)
    shell.ok("challenge", "cradle", "cat", "ann")
    plays(shell, 3, "cat", "ann")
    shell.ok("resign", "cradle", "3", "ann", who="ann")
    shell.ok("watch", "cradle", "2", "cat", who="cat")
    for who, board in (("bob", "1"), ("cat", "1"), ("bob", "3")):
        shell.ok("analyse", "cradle", board, who, who=who)
    refused = shell.run("admin", "merge", "bob", "ann", *_WHY)
    assert (refused.exit_code, "board 2" in refused.output) == (1, True)
    output = shell.ok("admin", "merge", "bob", "cat", *_WHY)
    assert "bob@example.org" in output
    assert "cat@example.org" in output
    (cat,) = shell.json("admin", "player", "cat")
    assert sorted(row["board"] for row in cat["boards"]) == [1, 2, 3]
    assert {row["address"] for row in cat["addresses"]} == {"cat@example.org", "bob@example.org"}
    assert list_requests(shell) == [(1, "cat"), (3, "cat")]
    (bob,) = shell.json("admin", "player", "bob")
    assert (bob["state"], bob["boards"], bob["addresses"]) == ("closed", [], [])
    ratings = {row["userid"]: row["boards"] for row in shell.json("admin", "ratings")}
    assert ratings == {"ann": 2, "cat": 2}
    assert is_consistent(shell)
    shell.ok("move", "cradle", "2", "ann", MOVES[2], who="ann")
    shell.ok("move", "cradle", "2", "cat", MOVES[3], who="cat")
    assert is_consistent(shell)


def test_boards_of_two_accounts_against_each_other_no_longer_count(board: Shell) -> None:
    plays(board, 1, "ann", "bob")
    board.ok("resign", "cradle", "1", "bob", who="bob")
    board.ok("admin", "merge", "bob", "ann", *_WHY)
    assert board.json("admin", "ratings") == []
    assert is_consistent(board)


def test_the_operator_erases_and_hands_over_what_is_kept(any_shell: Shell, tmp_path: Path) -> None:
    shell = any_shell
    played(shell)
    shell.ok("note", "cradle", "2", "bob", "A remark of mine", who="bob")
    for who in ("bob", "cat"):
        shell.ok("analyse", "cradle", "1", who, who=who)
    assert shell.run("admin", "player-data", "bob").exit_code == 2
    data = json.loads(shell.ok("admin", "player-data", "bob", "--reason", "he asked"))
    assert [row["board"] for row in data["boards"]] == [1, 2]
    assert "A remark of mine" in json.dumps(data)
    (awaited,) = data["analyses_awaited"]
    assert (awaited["board_id"], awaited["at"][-6:]) == (1, "+00:00")
    file = tmp_path / "bob.json"
    shell.ok("admin", "player-data", "bob", "--reason", "he asked", "--output", str(file))
    assert json.loads(file.read_text("utf-8")).keys() == data.keys()
    ratings = {row["userid"]: row["mu"] for row in shell.json("admin", "ratings")}
    output = shell.ok("admin", "erase", "bob", "--yes", "--reason", "bob@example.org asked")
    assert "bob@example.org" in output
    assert list_requests(shell) == [(1, "cat")]
    assert shell.run("admin", "player", "bob").exit_code == 1
    (former,) = shell.json("admin", "players", "--state", "closed")
    name = former["userid"]
    assert (former["addresses"], name.startswith("former-")) == ([], True)
    after = {row["userid"]: row["mu"] for row in shell.json("admin", "ratings")}
    assert after["ann"] > ratings["ann"]  # by the resignation of board 2 alone
    assert [seat["userid"] for seat in shell.json("admin", "board", "1")["seats"]] == ["ann", name]
    acts = [(row["action"], row["reason"]) for row in shell.json("admin", "audit")]
    assert acts[0] == ("erase", "(an address) asked")
    assert is_consistent(shell)
    assert shell.run("admin", "erase", name, *_WHY).exit_code == 1


def test_a_mail_is_sent_once_more(board: Shell) -> None:
    number = board.json("admin", "board", "1")["mails"][0]["mail"]
    assert board.run("admin", "resend", number, *_WHY).exit_code == 1  # it has not been sent yet
    assert board.run("admin", "resend", "in:1", *_WHY).exit_code == 2
    store = Store(board.url)
    with store.writing() as session:
        sent = {"state": "sent", "finished": 1.0, "attempts": 1, "why": "250"}
        session.execute(update(outbound).values(sent))
    store.close()
    board.ok("admin", "resend", number, *_WHY)
    (mail,) = [row for row in board.json("admin", "mails") if row["mail"] == number]
    assert (mail["state"], mail["why"]) == ("waiting", "")

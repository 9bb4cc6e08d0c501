"""The operator's view: shapes, what is never shown, and that acts are asked for and recorded."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbm.cli.admin.sql import VIEWS
from pbm.store.tables import metadata
from tests.harness.shell import MOVES, PASSWORDS, Shell

_WHY = ("--yes", "--reason", "because")


def _play(shell: Shell, count: int) -> None:
    for at, move in enumerate(MOVES[:count]):
        who = ("ann", "bob")[at % 2]
        shell.ok("move", "cradle", "1", who, move, who=who)


def _change(tmp_path: Path, statement: str) -> None:
    connection = sqlite3.connect(tmp_path / "pbm.db")
    with connection:
        connection.execute(statement)
    connection.close()


def _hash_and_secret(tmp_path: Path) -> list[str]:
    connection = sqlite3.connect(tmp_path / "pbm.db")
    found = [row[0] for row in connection.execute("SELECT password FROM players")]
    found += [row[0].hex() for row in connection.execute("SELECT secret FROM boards")]
    found += [row[0] for row in connection.execute("SELECT value FROM settings")]
    connection.close()
    return found


def test_shapes_on_each_database(any_shell: Shell) -> None:
    shell = any_shell
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob", "-size=2", "--title=Winter match")
    _play(shell, 2)
    (board,) = shell.json("admin", "boards", "--player", "ANN", "--state", "running")
    (named,) = shell.json("admin", "sql", "SELECT title FROM boards")
    assert board["title"] == named["title"] == shell.json("admin", "board", "1")["title"]
    assert board["title"] == "Winter match"
    assert (board["board"], board["players"], board["to_move"]) == (1, ["ann", "bob"], ["ann"])
    whole = shell.json("admin", "board", "1")
    assert [
        (move["number"], move["ply"], move["kind"], move["seat"], move["move"])
        for move in whole["moves"]
    ] == [(1, 1, "move", 0, MOVES[0]), (2, 2, "move", 1, "b1,c1,d1,d2")]
    assert [seat["userid"] for seat in whole["seats"]] == ["ann", "bob"]
    assert len(whole["mails"]) == 6
    assert "+-----+" in whole["position"]
    assert [row["userid"] for row in shell.json("admin", "players")] == ["bob", "ann"]
    (ann,) = shell.json("admin", "player", "ann")
    assert ann["addresses"][0]["address"] == "ann@example.org"
    assert ann["boards"][0]["to_move"] is True
    assert [row["move"] for row in shell.json("admin", "moves")] == [MOVES[1], MOVES[0]]
    numbers = {row["what"]: row["value"] for row in shell.json("admin", "stats")}
    assert (numbers["moves_a_day"][-1], numbers["boards_running"]) == (2, 1)
    assert shell.json("admin", "check") == []
    (status,) = shell.json("admin", "db", "status")
    assert status["fits"] is True
    counted = shell.json("admin", "sql", "SELECT game, count(*) AS n FROM boards GROUP BY game")
    assert counted == [{"game": "cradle", "n": 1}]
    for words in ("boards", "players", "mails", "moves", "ratings", "audit", "stats"):
        assert shell.ok("admin", words)


def test_no_hash_no_secret_and_no_tag_is_shown(board: Shell, tmp_path: Path) -> None:
    _play(board, 2)
    board.ok(
        "receive",
        "--to",
        "pbm@games.example",
        stdin=("From: ann@example.org\nSubject: cradle move 1 ann orchard7 e2,f2,g2,e3\n\nx\n"),
    )
    before = board.seen
    for words in (
        ("boards",),
        ("board", "1"),
        ("players",),
        ("player", "ann"),
        ("mails",),
        ("mail", "in:1"),
        ("moves",),
        ("audit",),
        ("stats",),
        *(("mail", f"out:{n}") for n in range(1, 9)),
        ("sql", "SELECT * FROM players"),
        ("sql", "SELECT * FROM boards"),
        ("sql", "SELECT * FROM outbound"),
        ("sql", "SELECT * FROM inbound"),
    ):
        board.ok("admin", *words)
        board.json("admin", *words)
    shown = board.seen[len(before) :]
    for secret in [*_hash_and_secret(tmp_path), *PASSWORDS.values(), "argon2"]:
        assert secret not in shown
    assert "move 1 ..." in shown


def test_plans_and_notes_are_for_their_writer(board: Shell) -> None:
    """Neither their text nor that there is one; with a reason, which is recorded, the plan."""
    plain = board.json("admin", "board", "1")["seats"]
    body = f"if {MOVES[0]} then resign"
    board.ok("plan", "cradle", "1", "bob", "--body", body, who="bob")
    board.ok("note", "cradle", "1", "bob", "A remark of mine", who="bob")
    assert board.json("admin", "board", "1")["seats"] == plain
    before = board.seen
    for words in (
        ("board", "1"),
        ("mails",),
        ("moves",),
        *(("mail", f"out:{n}") for n in range(1, 7)),
        ("sql", "SELECT * FROM seats"),
    ):
        board.ok("admin", *words)
        board.json("admin", *words)
    shown = board.run("plan", "cradle", "1", "bob", "--as-operator").output
    shown += board.seen[len(before) :]
    assert "then resign" not in shown
    assert "remark" not in shown
    assert board.run("admin", "board", "1", "--reveal").exit_code == 2
    revealed = board.json("admin", "board", "1", "--reveal", "--reason", "a complaint")["seats"]
    assert revealed[1]["plan"] == f"1 if {MOVES[0]} then resign"
    assert "reveal board 1" in board.ok("admin", "audit")


_UNSEEN = {"settings", "codes", "signups", "notes", "chats", "press", "former_userids", "puzzles"}
_UNSEEN |= {"messages_of_the_day", "message_readings", "party_talk"}


def test_every_view_has_the_columns_that_help_says(any_shell: Shell) -> None:
    said = any_shell.ok("admin", "sql", "--help")
    documented = dict(re.findall(r"^ {2,}([a-z_]+): .*\n((?: {4,}.*\n)+)", said, re.MULTILINE))
    assert set(documented) == set(metadata.tables) - _UNSEEN == set(VIEWS)
    counts = []
    for name, text in documented.items():
        columns = re.sub(r"\([^)]*\)|\s", "", text).split(",")
        counts += [f"(SELECT count({column}) FROM {name})" for column in columns]  # noqa: S608 (our own words)
    assert len(counts) > 100
    any_shell.ok("admin", "sql", f"SELECT {' + '.join(counts)} AS n")
    assert any_shell.run("admin", "sql", "SELECT count(*) AS n FROM settings").exit_code == 2


def test_control_characters_do_not_reach_the_terminal(board: Shell) -> None:
    board.ok("move", "cradle", "1", "ann", MOVES[0], "--body", "\x1b[2Jboo\u202e", who="ann")
    board.ok(
        "receive",
        "--to",
        "pbm@games.example",
        stdin=("From: =?utf-8?q?=1B]0;x=07?= <ann@example.org>\nSubject: \x1b[31mlist\n\nx\n"),
    )
    for words in (
        ("board", "1"),
        ("moves",),
        ("mails",),
        ("mail", "in:1"),
        ("mail", "out:5"),
        ("sql", "SELECT * FROM moves"),
    ):
        for said in (board.ok("admin", *words), board.run("admin", *words, "--json").stdout):
            assert not {"\x1b", "\x07", "\u202e"} & set(said)


def test_hidden_hands_need_a_recorded_reason(shell: Shell) -> None:
    shell.signup("ann", "bob", "cat")
    shell.begins("poolside", "ann", "bob", "cat")
    own = shell.ok("showas", "poolside", "ann", "1", who="ann")
    hand = next(line.strip() for line in own.splitlines() if line.lstrip().startswith("red "))
    towels = hand.split()[2:4]
    for words in (("board", "1"), ("mail", "out:4"), ("moves",), ("mails",)):
        assert hand not in shell.ok("admin", *words)
    chance = [move["move"] for move in shell.json("admin", "board", "1")["moves"]]
    assert not set(towels) & set(chance)
    assert shell.run("admin", "board", "1", "--reveal").exit_code == 2
    assert shell.json("admin", "audit") == []
    shown = shell.ok("admin", "board", "1", "--reveal", "--reason", "a dispute")
    assert hand in shown
    mails = [
        mail
        for mail in shell.json("admin", "mails", "--board", "1")
        if mail["who"] == "ann@example.org"
    ]
    revealed = shell.ok("admin", "mail", mails[0]["mail"], "--reveal", "--reason", "a dispute")
    assert hand in revealed
    assert [row["reason"] for row in shell.json("admin", "audit")] == ["a dispute", "a dispute"]


@pytest.mark.parametrize(("game", "move"), [("battleship", "b3-b7"), ("darkchess", "e2e4")])
def test_what_a_seat_alone_knows_is_shown_to_the_operator_with_a_reason(
    shell: Shell, game: str, move: str
) -> None:
    shell.signup("ann", "bob")
    shell.ok("challenge", game, "ann", "bob")
    shell.ok("move", game, "1", "ann", move, who="ann")
    for words in (("board", "1"), ("moves",), ("mails",), ("mail", "out:4"), ("export", "1")):
        shown = shell.ok("admin", *words)
        assert move not in shown
        assert "played e4" not in shown
        assert "played carrier b" not in shown
    assert shell.run("admin", "board", "1", "--reveal").exit_code == 2
    why = ("--reveal", "--reason", "a dispute")
    assert move in shell.ok("admin", "board", "1", *why)
    now, then = (shell.json("admin", "board", "1", "--ply", ply, *why) for ply in ("1", "0"))
    assert now["views"] == shell.json("admin", "board", "1", *why)["views"] != then["views"]
    result = shell.run("admin", "board", "1", "--ply", "2")
    assert (result.exit_code, result.stderr) == (2, "pbm: board 1 has come to move 1 only\n")
    shell.ok("resign", game, "1", "bob", who="bob")
    assert move in shell.ok("admin", "board", "1")


def test_why_a_mail_got_no_answer(board: Shell) -> None:
    board.ok(
        "receive",
        "--to",
        "pbm@games.example",
        stdin=("From: ann@example.org\nSubject: list\nMessage-ID: <1@x.example>\n\nx\n"),
    )
    (mail,) = board.json("admin", "mails", "--address", "ann@example.org", "--in")
    assert (mail["mail"], mail["state"], mail["next"]) == ("in:1", "waiting", "at once")
    assert "no mail was sent for it" in board.ok("admin", "mail", "1")
    assert board.run("admin", "mail", "in:9").exit_code == 1
    assert board.run("admin", "mail", "post:9").exit_code == 2


_TAMPERING = (
    ("DELETE FROM moves WHERE number = 1", "move 1 is missing"),
    ("DELETE FROM moves WHERE number = 2", "the log has 1"),
    ("UPDATE moves SET move = 'd3,d4,e4,f4', words = '' WHERE number = 1", "position"),
    ("UPDATE boards SET to_move = '1'", "on the move"),
    ("UPDATE boards SET ply = 7", "ply"),
    ("UPDATE boards SET state = 'over', ended = 1, to_move = ''", "result"),
    ("UPDATE boards SET state = 'odd'", "state"),
    ("UPDATE boards SET secret = x'00'", "commitment"),
    ("UPDATE outbound SET state = 'lost' WHERE id = 1", "outgoing mail 1"),
    ("UPDATE outbound SET state = 'sent' WHERE id = 1", "outgoing mail 1"),
    ("UPDATE players SET state = 'odd' WHERE id = 1", "player ann"),
)


@pytest.mark.parametrize(("statement", "says"), _TAMPERING, ids=lambda text: text[:30])
def test_check_finds_what_does_not_fit(
    board: Shell, tmp_path: Path, statement: str, says: str
) -> None:
    _play(board, 2)
    assert board.ok("admin", "check") == "no difference\n"
    _change(tmp_path, statement)
    result = board.run("admin", "check")
    assert result.exit_code == 1
    assert says in result.stdout
    assert result.stdout.count("\n") == 1
    assert board.json("admin", "check", code=1)[0]["difference"] in result.stdout


def test_check_of_games_with_chance_and_undo(shell: Shell, tmp_path: Path) -> None:
    shell.signup("ann", "bob", "cat")
    shell.begins("poolside", "ann", "bob", "cat")
    for who in ("ann", "bob", "cat"):
        shell.ok("move", "poolside", "1", who, "pass", who=who)
    assert shell.ok("admin", "check") == "no difference\n"
    shell.ok("admin", "rollback", "1", "1", *_WHY)
    assert shell.ok("admin", "check") == "no difference\n"
    number = next(
        move["number"]
        for move in shell.json("admin", "board", "1")["moves"]
        if move["kind"] == "chance"
    )
    _change(tmp_path, f"UPDATE moves SET move = 'x' WHERE number = {number}")  # noqa: S608 (our own words)
    assert shell.run("admin", "check").exit_code == 1


def test_backup_is_a_database_that_checks(board: Shell, tmp_path: Path) -> None:
    _play(board, 3)
    copy = tmp_path / "copy.db"
    board.ok("admin", "backup", str(copy))
    assert copy.stat().st_mode & 0o077 == 0
    assert board.run("admin", "backup", str(copy)).exit_code == 1
    (tmp_path / "other").mkdir()
    other = Shell(tmp_path / "other", f"sqlite:///{copy}")
    assert other.ok("admin", "check") == "no difference\n"
    assert len(other.json("admin", "board", "1")["moves"]) == 3


def test_db_create_makes_a_database_once(shell: Shell, tmp_path: Path) -> None:
    new = tmp_path / "folder" / "new.db"
    shell.write(f"sqlite:///{new}", "")
    assert shell.json("admin", "db", "status", code=1)[0]["schema"] is None
    assert shell.run("admin", "db", "upgrade").exit_code == 75
    assert not new.parent.exists()
    assert shell.ok("admin", "db", "create").startswith(f"made {new}, schema ")
    assert shell.json("admin", "db", "status")[0]["fits"] is True
    assert "already" in shell.ok("admin", "db", "upgrade")
    shell.signup("ann")
    again = shell.run("admin", "db", "create")
    assert (again.exit_code, again.stderr) == (1, f"pbm: there is a database at {new} already\n")
    assert "ann" in shell.ok("admin", "players")


def test_db_create_leaves_the_tables_of_others_alone(shell: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE theirs (n)")
    shell.write(f"sqlite:///{other}", "")
    refused = shell.run("admin", "db", "create")
    assert (refused.exit_code, refused.stderr) == (
        1,
        f"pbm: {other} is not empty: it has a table theirs\n",
    )


def test_an_act_is_asked_for_and_wants_a_reason(board: Shell) -> None:
    refused = board.run("admin", "cancel", "1", stdin="a reason\nn\n")
    assert refused.exit_code == 1
    assert board.run("admin", "cancel", "1", stdin="").exit_code == 1
    assert board.json("admin", "audit") == []
    board.ok("admin", "cancel", "1", stdin="they asked\ny\n")
    assert board.json("admin", "board", "1")["state"] == "cancelled"
    assert board.run("admin", "cancel", "1", *_WHY).exit_code == 1


def _told(shell: Shell, who: str) -> dict[str, Any]:
    mails = shell.json("admin", "mails", "--out")
    newest: dict[str, Any] = next(m for m in mails if m["who"] == f"{who}@example.org")
    return newest | {"text": shell.ok("admin", "mail", newest["mail"])}


def test_acts_on_boards_are_recorded_and_told(board: Shell) -> None:
    _play(board, 3)
    board.ok("plan", "cradle", "1", "ann", "--body", "if any then resign", who="ann")
    board.ok("admin", "rollback", "1", "1", *_WHY)
    told = " ".join(_told(board, "bob")["text"].split())
    assert "back to the position after move 1: because" in told
    assert "plan" not in told
    assert "You have no plan on this board." in board.ok("plan", "cradle", "1", "ann", who="ann")
    assert board.json("admin", "board", "1")["ply"] == 1
    assert board.run("admin", "adjudicate", "1", "2,3", *_WHY).exit_code == 1
    assert board.run("admin", "adjudicate", "1", "first", *_WHY).exit_code == 2
    board.ok("admin", "adjudicate", "1", "2,1", *_WHY)
    assert "bob won (1)." in _told(board, "ann")["text"]
    assert board.ok("admin", "check") == "no difference\n"
    board.ok("admin", "rollback", "1", "0", *_WHY)
    assert board.json("admin", "board", "1")["state"] == "running"
    board.ok("move", "cradle", "1", "ann", MOVES[1], who="ann")
    assert board.ok("admin", "check") == "no difference\n"
    actions = [row["action"] for row in board.json("admin", "audit", "--board", "1")]
    assert actions == ["rollback to 0", "adjudicate 2,1", "rollback to 1"]


def test_the_operator_does_what_a_master_does(shell: Shell) -> None:
    """On a board that has none; its players read who did it, and why."""
    shell.signup("ann", "bob", "cat")
    shell.ok("challenge", "dip", "ann", "bob", "cat")
    for words, told in (
        (("extend", "12h"), "the operator made this phase longer, by 12h: because"),
        (("set", "france", "F", "bre,", "A", "BUR"), "the units of France are A BUR, F BRE now"),
        (("process",), "the operator ended this phase: because"),
        (("vacate", "fra"), "the operator opened France to another player: because"),
    ):
        shell.ok("admin", "master", "1", *words, *_WHY)
        mail = _told(shell, "ann")["mail"]
        text = shell.ok("admin", "mail", mail, "--reveal", "--reason", "to see")
        assert told.lower() in " ".join(text.split()).lower()
    refused = shell.run("admin", "master", "1", "vacate", "england", *_WHY)
    assert refused.exit_code == 1
    assert "that would end the game" in refused.stderr
    assert shell.run("admin", "master", "9", "extend", "3", *_WHY).exit_code == 1
    actions = [row["action"] for row in shell.json("admin", "audit", "--board", "1")]
    assert actions[-1] == "master made this phase longer, by 12h"
    assert sum(action.startswith("master ") for action in actions) == 4
    assert shell.ok("admin", "check") == "no difference\n"


def test_a_rollback_takes_back_resignations_after_the_move(shell: Shell, tmp_path: Path) -> None:
    shell.signup("ann", "bob", "cat")
    shell.begins("poolside", "ann", "bob", "cat")

    def out() -> list[str]:
        people = shell.ok("show", "poolside", "1").splitlines()
        return [row.split()[0] for row in people if row.endswith("  out")]

    shell.ok("resign", "poolside", "1", "bob", who="bob")
    assert out() == ["bob"]
    shell.ok("admin", "rollback", "1", "0", *_WHY)
    assert out() == []
    shell.ok("move", "poolside", "1", "ann", "pass", who="ann")
    shell.ok("resign", "poolside", "1", "bob", who="bob")
    shell.ok("move", "poolside", "1", "cat", "pass", who="cat")
    shell.ok("admin", "rollback", "1", "2", *_WHY)
    assert out() == ["bob"]
    shell.ok("admin", "rollback", "1", "1", *_WHY)
    assert out() == []
    assert shell.ok("admin", "check") == "no difference\n"
    shell.ok("admin", "adjudicate", "1", "1,2,3", *_WHY)
    shell.ok("admin", "rollback", "1", "1", *_WHY)
    for who in ("ann", "cat"):
        shell.ok("resign", "poolside", "1", who, who=who)
    assert shell.json("admin", "board", "1")["state"] == "over"
    assert shell.ok("admin", "check") == "no difference\n"
    record = tmp_path / "record.json"
    record.write_text(shell.ok("admin", "export", "1"), encoding="utf-8")
    shell.ok("admin", "import", str(record), *_WHY)
    assert shell.ok("admin", "check") == "no difference\n"
    assert "right: " in shell.ok("verify-dice", str(record))


def test_acts_on_players(board: Shell) -> None:
    board.ok("admin", "suspend", "ann", *_WHY)
    assert "because" in _told(board, "ann")["text"]
    assert board.run("move", "cradle", "1", "ann", MOVES[0], who="ann").exit_code == 1
    board.ok("admin", "unsuspend", "ann", *_WHY)
    board.ok("move", "cradle", "1", "ann", MOVES[0], who="ann")
    board.ok("admin", "reset-password", "bob", *_WHY)
    assert board.run("set", "bob", who="bob").exit_code == 1
    assert "confirm" not in board.seen
    subjects = [mail["what"] for mail in board.json("admin", "mails", "--out", "--player", "bob")]
    assert "[pbm] a code for a new password" in subjects
    board.ok("admin", "suspend", "bob@example.org", *_WHY)
    assert board.json("admin", "player", "bob")[0]["addresses"][0]["stopped"]
    board.ok("admin", "unsuspend", "bob@example.org", *_WHY)
    assert "mail go again to bob@example.org: because" in " ".join(
        _told(board, "bob")["text"].split()
    )
    board.ok("admin", "announce", "we move house", "--body", "Tonight.", "--yes")
    assert "Tonight." in _told(board, "bob")["text"]
    assert board.run("admin", "suspend", "nobody", *_WHY).exit_code == 1
    assert len(board.json("admin", "audit")) == 6


def test_some_players_are_written_to(board: Shell) -> None:
    text = ("announce", "your seat", "--body", "Is it free?", "--to", "bob", "--to", "BOB", "--yes")
    assert board.ok("admin", *text) == "done; mailed to bob@example.org\n"
    assert "Is it free?" in _told(board, "bob")["text"]
    assert board.run("admin", *text, "--to", "nobody").exit_code == 1
    assert [row["action"] for row in board.json("admin", "audit")] == ["write: your seat"]


def test_a_dead_mailbox_is_replaced_when_the_code_comes_back(board: Shell) -> None:
    """Nothing changes before that, and the operator sees no code."""
    board.write(board.url, "127.0.0.1:0", confirm=True)
    board.ok("admin", "set-address", "bob", "Robert@Example.org", *_WHY)
    before = [row["address"] for row in board.json("admin", "player", "bob")[0]["addresses"]]
    assert before == ["bob@example.org", "robert@example.org"]
    told = " ".join(_told(board, "bob")["text"].split())
    assert "the operator sent a code to robert@example.org" in told.lower()
    assert "because" in told
    code = re.compile(r"^Code: +(?!\.\.\.)", re.MULTILINE)
    assert "confirm this address" in str(board.json("admin", "mails", "--out"))
    assert not code.search(_told(board, "robert")["text"])
    assert board.run("admin", "set-address", "bob", "bob@example.org", *_WHY).exit_code == 1
    assert board.run("admin", "set-address", "bob", "nowhere", *_WHY).exit_code == 1
    assert [row["action"] for row in board.json("admin", "audit")] == [
        "set address robert@example.org"
    ]


def test_acts_on_mails(board: Shell, tmp_path: Path) -> None:
    board.ok("admin", "drop", "out:1", *_WHY)
    assert board.run("admin", "drop", "out:1", *_WHY).exit_code == 1
    (dropped,) = board.json("admin", "mails", "--stuck")
    assert (dropped["mail"], dropped["state"]) == ("out:1", "dropped")
    assert "because" in dropped["why"]
    assert board.json("admin", "player", "ann")[0]["audit"][-1]["action"] == "drop mail out:1"
    board.ok("admin", "retry", "out:1", *_WHY)
    assert board.json("admin", "mails", "--stuck") == []
    board.ok("receive", "--to", "pbm@games.example", stdin="From: a@b.example\n\nx\n")
    _change(tmp_path, "UPDATE inbound SET state = 'aside', attempts = 3, finished = 1")
    assert [mail["mail"] for mail in board.json("admin", "mails", "--state", "aside")] == ["in:1"]
    board.ok("admin", "release", "in:1", *_WHY)
    assert board.json("admin", "mail", "in:1")[0]["attempts"] == 0
    board.ok("admin", "drop", "in:1", *_WHY)
    assert board.ok("admin", "check") == "no difference\n"
    assert len(board.json("admin", "audit")) == 4


def test_a_player_is_seen_when_a_command_comes(tmp_path: Path, board: Shell) -> None:
    """As players, stats and the documented view say."""
    _change(tmp_path, "UPDATE players SET seen = seen - 864000")

    def shown() -> tuple[int, dict[str, str], int]:
        stats = {row["what"]: row["value"] for row in board.json("admin", "stats")}
        people = {row["userid"]: row["seen"][:10] for row in board.json("admin", "players")}
        query = "SELECT count(*) AS n FROM players WHERE seen > created"
        (row,) = board.json("admin", "sql", query)
        return stats["players_seen_in_a_week"], people, row["n"]

    before = shown()
    board.ok("set", "ann", who="ann")
    board.ok("set", "bob", "--as-operator", "--reason", "a look")
    after = shown()
    assert (before[0], before[2], after[0], after[2]) == (0, 0, 1, 1)
    assert before[1]["ann"] < after[1]["ann"]
    assert before[1]["bob"] == after[1]["bob"]


def test_a_ban_is_listed_with_its_reason_and_recorded(board: Shell) -> None:
    board.ok("admin", "ban", "ann", *_WHY)
    board.ok("admin", "ban", "@Spam.example", *_WHY)
    listed = [(row["target"], row["userid"]) for row in board.json("admin", "bans")]
    assert listed == [("@spam.example", None), ("ann@example.org", "ann"), ("ann", "ann")]
    assert {row["reason"] for row in board.json("admin", "bans")} == {"because"}
    assert board.json("admin", "players", "--state", "suspended")[0]["userid"] == "ann"
    board.ok("admin", "unban", "ann", *_WHY)
    board.ok("admin", "unban", "@spam.example", *_WHY)
    assert board.json("admin", "bans") == []
    assert [row["action"] for row in board.json("admin", "audit")] == [
        "unban @spam.example",
        "unban",
        "ban @spam.example",
        "ban",
    ]
    board.ok("move", "cradle", "1", "ann", MOVES[0], who="ann")


def test_secret_links_are_not_shown(shell: Shell, tmp_path: Path) -> None:
    """Whoever opens one can play: operators read a mail without it."""
    with shell.config.open("a", encoding="utf-8") as config:
        config.write('[web]\nlisten = "127.0.0.1:0"\nurl = "https://club.example"\n')
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob", "-size=2")
    connection = sqlite3.connect(tmp_path / "pbm.db")
    sent = b"".join(row[0] for row in connection.execute("SELECT message FROM outbound"))
    connection.close()
    keys = set(re.findall(r"-([a-z2-7]{32})\b", sent.decode()))
    assert keys
    for mail in shell.json("admin", "mails"):
        shell.ok("admin", "mail", mail["mail"])
        shell.ok("admin", "mail", mail["mail"], "--reveal", "--reason", "a complaint")
    assert "https://club.example/s/1-0-****" in shell.seen
    assert not [key for key in keys if key[:16] in shell.seen]


def test_limits_are_shown_with_who_has_reached_them(any_shell: Shell) -> None:
    shell = any_shell
    with shell.config.open("a", encoding="utf-8") as file:
        file.write("[limits]\nnotices_a_day = 5\nopen_boards = 1\nannouncements_a_day = 1\n")
        file.write("chats_an_hour = 0\n")
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob", "-size=2")
    for _ in range(4):
        shell.ok("message", "ann", "bob", who="ann", stdin="Hello!\n")
    shell.ok("broadcast", "bob", who="bob", stdin="Hello, all!\n")
    rows = {row["key"]: row for row in shell.json("admin", "limits")}
    assert len(rows) > 40
    notices, announced = rows["[limits] notices_a_day"], rows["[limits] announcements_a_day"]
    assert (notices["most"], notices["window"]) == (5, "a day")
    assert (notices["near"], notices["spent"]) == ("ann@example.org bob", "")
    assert (announced["near"], announced["spent"]) == ("", "bob@example.org")
    assert rows["[limits] open_boards"]["spent"] == "ann, bob"
    assert rows["[limits] chats_an_hour"]["most"] == "any number"
    reached = [row["limit"] for row in shell.json("admin", "limits", "--reached")]
    assert reached == ["open-boards", "notices", "announcements"]

"""What operators could not find out: values as values in JSON, wrong names refused with advice."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import select, update

from pbm.features.analysis.queue import enqueue_analysis
from pbm.store.engine import Store
from pbm.store.tables import addresses, inbound, outbound
from tests.harness.shell import Shell


def test_options_and_watchers_are_values_in_json(board: Shell) -> None:
    board.ok("challenge", "cradle", "ann", "bob", "-size=2")
    board.signup("cat")
    board.ok("watch", "cradle", "2", "cat", who="cat")
    details = board.json("admin", "board", "2")
    assert details["options"] == {"size": 2}
    assert details["watchers"] == ["cat"]
    assert details["proposals"] == []
    shown = board.ok("admin", "board", "2").splitlines()
    assert "options      -size=2" in shown
    assert "watchers     cat" in shown
    assert "proposals    -" in shown
    assert "-size=2" in board.ok("admin", "boards")


def test_a_game_that_is_none_is_refused(board: Shell) -> None:
    result = board.run("admin", "boards", "--game", "nosuch")
    assert (result.exit_code, "there is no game nosuch" in result.output) == (2, True)
    result = board.run("admin", "ratings", "--game", "cradel")
    assert (result.exit_code, "did you mean cradle?" in result.output) == (2, True)
    assert [row["board"] for row in board.json("admin", "boards", "--game", "Cradle")] == [1]


def test_a_view_that_is_none_is_answered_with_the_views(any_shell: Shell) -> None:
    any_shell.signup("ann")
    result = any_shell.run("admin", "sql", "SELECT * FROM games")
    assert result.exit_code == 2
    assert "the views are players, addresses, boards" in result.output


def test_a_question_has_a_name(any_shell: Shell) -> None:
    shell = any_shell
    shell.signup("ann", "cat")
    shell.ok("signup", "bob", "ann@example.org", who="bob")
    shell.ok("challenge", "hex", "ann", "bob")
    shell.ok("watch", "hex", "1", "cat", who="cat")
    shell.ok("move", "hex", "1", "ann", "a1", who="ann")
    shell.ok("unwatch", "hex", "1", "cat", who="cat")
    store = Store(shell.url)
    with store.writing() as session:
        of_cat = update(addresses).where(addresses.c.address == "cat@example.org")
        session.execute(of_cat.values(bounce_score=2.0))
    store.close()

    def ask(name: str, *columns: str) -> list[list[object]]:
        return [[row[each] for each in columns] for row in shell.json("admin", "sql", name)]

    assert ask("busiest_players", "userid", "moves", "boards") == [["ann", 1, 1]]
    assert ask("top_games", "game", "boards", "ended") == [["hex", 1, 0]]
    assert ask("bounced_addresses", "userid", "bounce_score") == [["cat", 2.0]]
    assert ask("shared_addresses", "address", "userid") == [
        ["ann@example.org", "ann"],
        ["ann@example.org", "bob"],
    ]
    assert ask("watchers_ever", "board_id", "userid") == [[1, "cat"]]
    result = shell.run("admin", "sql", "top_players")
    assert (result.exit_code, "busiest_players" in result.stderr) == (2, True)


def test_top_shows_queues_slow_games_and_errors(board: Shell) -> None:
    mail = "From: ann@example.org\nSubject: cradle show 1\nMessage-ID: <1@example.org>\n\nx\n"
    board.ok("receive", "--from", "ann@example.org", "--to", "pbm@games.example", stdin=mail)
    store = Store(board.url)
    with store.writing() as session:
        row = session.execute(select(inbound.c.received)).scalar_one()
        done = {"state": "done", "finished": row + 3.5, "board_id": 1, "code": "executed"}
        session.execute(update(inbound).values(**done))
        failed = update(outbound).where(outbound.c.id == 2)
        why = "550 no such mailbox"
        session.execute(failed.values(state="failed", finished=row, why=why))
        enqueue_analysis(session, 1, 1, row - 90)
    store.close()
    seen = board.json("admin", "top")
    came, went, analysed = seen["queues"]
    assert (analysed["queue"], analysed["waiting"]) == ("analyses", 1)
    assert (analysed["came_in_a_minute"], analysed["came_in_an_hour"]) == (0, 1)
    assert (came["queue"], came["waiting"], came["came_in_a_minute"]) == ("in", 0, 1)
    assert (went["queue"], went["bad"], went["waiting"] > 0) == ("out", 1, True)
    (slow,) = seen["slow_games"]
    assert (slow["game"], slow["mails"], slow["median_seconds"]) == ("cradle", 1, 3.5)
    (error,) = seen["errors"]
    assert (error["mail"], error["why"]) == ("out:2", why)
    screen = board.ok("admin", "top", "--once")
    assert all(len(line) <= 78 for line in screen.splitlines())
    assert "550 no such mailbox" in screen
    assert "analyses  1      " in screen
    stats = {row["what"]: row["value"] for row in board.json("admin", "stats")}
    assert (stats["analyses_waiting"], stats["analyses_waiting_since"]) == (1, "2 min")


def test_datasette_shows_the_views_and_no_table(board: Shell, tmp_path: Path) -> None:
    """The file that ships is the one that the command prints; each of its queries runs."""
    printed = json.loads(board.ok("admin", "sql", "--datasette"))
    shipped = Path(__file__).parents[2] / "config" / "datasette" / "metadata.json"
    assert json.loads(shipped.read_text("utf-8")) == printed
    pbm = printed["databases"]["pbm"]
    with closing(sqlite3.connect(tmp_path / "pbm.db")) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = {name for (name,) in tables if not name.startswith("sqlite_")}
        assert {name for name, rule in pbm["tables"].items() if rule["allow"] is False} == names
        for query in pbm["queries"].values():
            rows = connection.execute(query["sql"]).fetchall()
            assert "argon2" not in str(rows)
        assert connection.execute(pbm["queries"]["players"]["sql"]).fetchall()
        (game,) = connection.execute(pbm["queries"]["top_games"]["sql"]).fetchall()
        assert game[:2] == ("cradle", 1)
    assert (printed["allow_sql"], pbm["allow_sql"]) == (False, False)

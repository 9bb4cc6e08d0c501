"""What operators look at: people apart from computer players, times as times, first steps, and
commands that are mistyped."""

from __future__ import annotations

import re
import time
from pathlib import Path

import click
import pytest

from pbm.cli import cli
from pbm.cli.admin.inspecting import parse_time
from pbm.core.player import find_player, mark_seen
from pbm.daemon.vital_signs import count_all
from pbm.games import list_game_names
from pbm.store.engine import Store
from tests.harness.databases import do
from tests.harness.shell import Shell


def test_house_players_are_no_people_in_any_count(tmp_path: Path, sqlite_url: str) -> None:
    shell = Shell(tmp_path, sqlite_url)
    shell.signup("ann", "bob")
    do(sqlite_url, "INSERT INTO players (userid, name, password, state, created, seen)"
       " VALUES ('Fish', 'fish', '!engine', 'active', 1, 9999999999)")  # fmt: skip
    stats = {row["what"]: row["value"] for row in shell.json("admin", "stats")}
    assert (stats["players_active"], stats["players_seen_in_a_week"]) == (2, 2)
    assert stats["house_players"] == 1
    store = Store(sqlite_url)
    with store.reading() as session:
        numbers = count_all(session, time.time())
        everybody = session.connection.exec_driver_sql(
            "SELECT count(*) FROM players WHERE state = 'active'"
        ).scalar_one()
    store.close()
    assert (numbers.active_players, numbers.house_players) == (2, stats["house_players"])
    assert everybody == 2 + numbers.house_players


def test_seen_is_true_to_the_minute(tmp_path: Path, sqlite_url: str) -> None:
    Shell(tmp_path, sqlite_url).signup("ann")
    store = Store(sqlite_url)

    def mark(now: float) -> float:
        with store.writing() as session:
            ann = find_player(session, "ann")
            assert ann is not None
            mark_seen(session, ann, now)
        with store.reading() as session:
            found = find_player(session, "ann")
            assert found is not None
            return found.seen

    begun = time.time() + 1000
    assert mark(begun) == begun
    assert mark(begun + 30) == begun
    assert mark(begun + 61) == begun + 61
    store.close()


@pytest.mark.parametrize("text", ["5m", "5min", "5 m"])
def test_minutes_are_a_time_ago(text: str) -> None:
    assert parse_time(text, 1000.0) == 700.0


def test_an_answer_shows_times_as_times_and_numbers_to_programs(
    tmp_path: Path, sqlite_url: str
) -> None:
    shell = Shell(tmp_path, sqlite_url)
    shell.signup("ann")
    do(sqlite_url, "INSERT INTO inbound (received, via, peer, envelope_from, recipient, state,"
       " fingerprint, raw) VALUES (strftime('%s', 'now'), 'smtp', '', 'a@b.example', '', 'done',"
       " '', '')")  # fmt: skip
    assert re.search(
        r"a@b\.example.* \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", shell.ok("admin", "sql", "top_senders")
    )
    (row,) = shell.json("admin", "sql", "top_senders")
    assert abs(row["last"] - time.time()) < 600
    query = "SELECT seen, id FROM players WHERE userid = 'ann'"
    assert re.search(r"^\d{4}-\d\d-\d\dT", shell.ok("admin", "sql", query), re.MULTILINE)


def test_the_first_doctor_lists_steps(tmp_path: Path) -> None:
    """Where there was a server before, a missing database is bad all the same."""
    url = f"sqlite:///{tmp_path / 'state' / 'pbm.db'}"
    shell = Shell(tmp_path, url)
    found = {row["what"]: row for row in shell.json("doctor", code=1)}
    assert found["database"]["grade"] == found["server"]["grade"] == "next"
    assert found["database"]["do"] == "pbm admin db create"
    assert {row["what"] for row in found.values() if row["grade"] == "BAD"} == set()
    shell.ok("admin", "db", "create")
    (tmp_path / "state" / "pbm.db-before-0100").touch()
    for path in (tmp_path / "state").glob("pbm.db*"):
        if not path.name.endswith("0100"):
            path.unlink()
    found = {row["what"]: row for row in shell.json("doctor", code=1)}
    assert found["database"]["grade"] == "BAD"
    assert "mount its disk" in found["database"]["do"]


def test_each_group_shows_the_whole_of_its_short_helps() -> None:
    def walk(group: click.Group, path: str) -> None:
        context = click.Context(group, info_name=path, terminal_width=80)
        cut = [line for line in group.get_help(context).splitlines() if line.endswith("...")]
        assert [line for line in cut if not line.startswith("Usage:")] == []
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if isinstance(command, click.Group):
                walk(command, f"{path} {name}")

    assert isinstance(cli, click.Group)
    walk(cli, "pbm")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("docter", "doctor"),
        ("admin backupp", "backup"),
        ("admin db creat", "create"),
        ("challange hex ann bob", "challenge"),
    ],
)
def test_a_mistyped_command_gets_a_guess(
    tmp_path: Path, sqlite_url: str, line: str, meant: str
) -> None:
    result = Shell(tmp_path, sqlite_url).run(*line.split())
    assert result.exit_code == 2
    assert f"Did you mean {meant!r}?" in result.stderr


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("change pasword", "did you mean change password?"),
        ("event entr 3", "did you mean event enter?"),
        ("change sesame", "change is followed by address, password"),
        ("change", "change is followed by address, password"),
    ],
)
def test_a_mistyped_second_word_gets_a_guess(
    tmp_path: Path, sqlite_url: str, line: str, advice: str
) -> None:
    result = Shell(tmp_path, sqlite_url).run(*line.split())
    assert (result.exit_code, result.stderr) == (2, f"pbm: this is not a command: {advice}\n")


def test_what_resembles_nothing_gets_no_guess(tmp_path: Path, sqlite_url: str) -> None:
    result = Shell(tmp_path, sqlite_url).run("qqqqqqqq")
    assert result.exit_code == 2
    assert "Did you mean" not in result.stderr
    assert "qqqqqqqq" not in list_game_names()

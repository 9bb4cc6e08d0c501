"""`pbm admin sql` shows what its views have; no query gets at anything else, by whatever name."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from sqlalchemy import Float, select

from pbm.cli.admin import sql
from pbm.cli.admin.sql import QUESTIONS
from pbm.store.engine import Store
from pbm.store.tables import metadata
from tests.harness.shell import Shell

NASTY = (
    "SELECT password FROM players",
    "SELECT value FROM settings",
    "SELECT secret FROM main.boards",
    "SELECT digest FROM codes",
    "SELECT raw FROM inbound",
    "SELECT hex(recipient) FROM inbound",
    "SELECT hex(recipient) || hex(why) FROM outbound",
    "SELECT * FROM main.settings",
    "SELECT * FROM temp.settings",
    'SELECT * FROM "settings"',
    "SELECT * FROM [settings]",
    "SELECT * FROM `codes`",
    "WITH players AS (SELECT * FROM main.players) SELECT * FROM players",
    "WITH players AS (SELECT password FROM main.players) SELECT password FROM players",
    "WITH settings AS (SELECT * FROM main.settings) SELECT * FROM settings",
    "WITH boards AS (SELECT * FROM main.codes) SELECT * FROM boards",
    "WITH x(a) AS (SELECT value FROM main.settings) SELECT a FROM x",
    "WITH RECURSIVE seats AS (SELECT secret FROM main.boards UNION SELECT 1) SELECT * FROM seats",
    "WITH seats AS MATERIALIZED (SELECT digest FROM codes) SELECT * FROM seats",
    "SELECT (SELECT group_concat(password) FROM main.players)",
    "SELECT * FROM (SELECT * FROM main.settings) AS players",
    "SELECT * FROM players AS p JOIN main.settings AS s",
    "SELECT 1 UNION SELECT password FROM main.players",
    "SELECT EXISTS (SELECT 1 FROM main.players WHERE password LIKE '$argon2%')",
    "SELECT * FROM json_each((SELECT value FROM main.settings))",
    "SELECT * FROM json_tree((SELECT json_group_array(value) FROM settings))",
    "SELECT sql FROM sqlite_master",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM sqlite_temp_master",
    "SELECT * FROM pragma_table_info('settings')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM dbstat",
    "SELECT load_extension('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('x', 'y')",
    "SELECT fts3_tokenizer('simple')",
    "ATTACH DATABASE 'pbm.db' AS other",
    "PRAGMA query_only = 0",
    "PRAGMA writable_schema = 1",
    "VACUUM INTO 'copy.db'",
    "CREATE TEMP VIEW players AS SELECT * FROM main.players",
    "DELETE FROM players",
    "UPDATE boards SET state = 'over'",
    "REPLACE INTO players VALUES (1)",
    "DROP TABLE players",
    "SELECT 1; DELETE FROM players",
    "WITH x AS (SELECT 1) DELETE FROM boards",
    "WITH x AS (DELETE FROM players RETURNING *) SELECT * FROM x",
    "nonsense",
    'SELECT * FROM U&"publi\\0063".players',
    "SELECT password FROM public.players",
    "SELECT query_to_xml('SELECT password FROM public.players', true, true, '')",
    "SELECT set_config('role', 'pbm', true)",
    "SELECT (SELECT password FROM public.players LIMIT 1)",
    "SELECT 1) AS q, public.players AS p, (SELECT 2",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT nextval('public.players_id_seq')",
    "SELECT * FROM pg_stats WHERE attname = 'password'",
    "SELECT count(*) FROM settings",
    "SELECT value FROM (SELECT 'installation' AS name) AS s NATURAL JOIN main.settings",
    "SELECT count(*) FROM (SELECT 'installation' AS name) AS s NATURAL JOIN settings",
    "SELECT digest FROM boards NATURAL JOIN public.codes",
    "WITH RECURSIVE players AS (SELECT password FROM public.players) SELECT * FROM players",
    "SELECT table_to_xml('public.players', true, true, '')",
    "SELECT database_to_xml(true, true, '')",
    "SELECT * FROM ts_stat('SELECT password::tsvector FROM public.players')",
    "SELECT pg_get_viewdef('players'::regclass)",
    "SELECT ev_action FROM pg_rewrite",
    "SELECT lo_import('/etc/passwd')",
    "SELECT * FROM information_schema.columns",
    "TABLE settings",
    "SELECT 1 FROM boards FOR UPDATE",
)
"""Queries that ask for what no view has, or try to change something."""


_TAG = "abcdefgh" * 2
_TABLES = [table for table in metadata.sorted_tables if table.name != "counters"]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def club(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Two players, boards with dice and with hidden pieces, a note, an open code, a mail that
    waits."""
    folder = tmp_path_factory.mktemp("club")
    if request.param == "sqlite":
        shutil.copyfile(request.getfixturevalue("sqlite_template"), folder / "pbm.db")
        url = f"sqlite:///{folder / 'pbm.db'}"
    else:
        cluster = request.getfixturevalue("cluster")
        url = cluster.url(cluster.create(request.getfixturevalue("postgresql_template")))
    shell = Shell(folder, url)
    shell.signup("ann", "bob")
    for number, game in enumerate(("backgammon", "battleship"), 1):
        shell.ok("challenge", game, "ann", "bob")
        for who in ("ann", "bob"):
            shell.run("accept", game, str(number), who, who=who)
    shell.ok("note", "backgammon", "1", "ann", "my-own-thoughts", who="ann")
    shell.ok("admin", "set-address", "ann", "new@example.org", "--yes", "--reason", "because")
    token = f"pbm+b1-0-1-{_TAG}@games.example"
    shell.ok("receive", "--to", token, stdin="From: a@b.example\nSubject: forgot bob\n\n")
    return shell


@pytest.fixture(scope="module")
def secrets(club: Shell) -> set[str]:
    """Everything in the database that no view has, as text and in hexadecimal; but for times, which
    several tables have alike."""
    store = Store(club.url)
    found: set[str] = {_TAG}
    with store.reading() as session:
        for table in _TABLES:
            shown = re.findall(r"\w+", sql.VIEWS.get(table.name, ("", ""))[1])
            for column in table.columns:
                if column.name not in shown and not isinstance(column.type, Float):
                    found |= set(map(_spell, session.column(select(column))))
    store.close()
    secrets = {each for each in found if len(each) >= 12}
    for word in ("argon2", "my-own-thoughts"):
        assert any(word in each for each in secrets)
    assert len(secrets) > 10
    return secrets | {each.encode().hex() for each in secrets}


def _spell(value: object) -> str:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else str(value)


@pytest.mark.parametrize("query", NASTY)
def test_no_query_gets_at_more_than_the_views(club: Shell, secrets: set[str], query: str) -> None:
    before = _count(club)
    done = club.run("admin", "sql", "--json", query)
    assert done.exit_code in (0, 2), done.output
    said = json.dumps(json.loads(done.stdout)) if done.exit_code == 0 else done.output
    assert [each for each in secrets if each in said or each.upper() in said] == []
    assert _count(club) == before
    assert not list(club.folder.glob("copy*"))


def _count(club: Shell) -> list[dict[str, int]]:
    query = "SELECT (SELECT count(*) FROM players) AS p, (SELECT sum(id) FROM boards) AS b"
    found: list[dict[str, int]] = club.json("admin", "sql", query)
    return found


def test_answers_are_those_of_the_database(club: Shell) -> None:
    """In its own SQL: types, names in any case or quotes, and rows of several views together."""
    is_sqlite = club.url.startswith("sqlite")
    third = "[players]" if is_sqlite else "players"
    query = f"""
        SELECT p."userid", b.id AS n, b.number + 0.5 AS r
        FROM BOARDS b JOIN "seats" s ON s.board_id = b.id JOIN {third} p ON p.id = s.player_id
        WHERE b.id = '1' ORDER BY s.seat"""  # noqa: S608 (our own words)
    rows = club.json("admin", "sql", query)
    assert [row["userid"] for row in rows] == ["ann", "bob"]
    assert {row["n"] for row in rows} == {1}
    assert all(row["r"] % 1 == 0.5 for row in rows)
    assert club.json("admin", "sql", "SELECT 'public 50%' AS said") == [{"said": "public 50%"}]
    counted = "WITH x AS (SELECT game FROM boards) SELECT count(*) AS n, sum(1.0) AS s FROM x"
    assert club.json("admin", "sql", counted) == [{"n": 2, "s": 2}]
    assert club.json("admin", "sql", "SELECT game FROM boards WHERE game LIKE 'back%'") == [
        {"game": "backgammon"}
    ]
    refused = club.run("admin", "sql", "SELECT * FROM settings")
    assert refused.exit_code == 2
    assert "no such table: settings; the views are players, " in refused.stderr
    refused = club.run("admin", "sql", "SELECT nonsense FROM boards")
    assert refused.exit_code == 2
    assert "nonsense" in refused.stderr


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_that_is_here_already_is_answered(club: Shell, name: str) -> None:
    rows = club.json("admin", "sql", name)
    if name == "busiest_players":
        assert [row["userid"] for row in rows] == ["ann", "bob"][: len(rows)]


def test_sentences_are_read_as_they_are_said(club: Shell) -> None:
    """Not with what they are stored of, so that other languages can say them."""
    rows = club.json("admin", "sql", "SELECT move, news FROM moves WHERE board_id = 1")
    told = [f"{row['move']} {row['news']}" for row in rows]
    assert any("rolls" in each for each in told), told
    assert not any("{" in each or "\x1e" in each for each in told), told


def test_a_query_that_does_not_end_is_ended(club: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "_SECONDS", 0.0)
    query = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x"
    refused = club.run("admin", "sql", query)
    assert (refused.exit_code, refused.stderr) == (
        2,
        "pbm: the query takes more than 0 seconds\n",
    )


def test_the_time_is_that_of_all_rows(club: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of reading and masking them, too, not of the query alone."""
    monkeypatch.setattr(sql, "_SECONDS", 0.0)
    monkeypatch.setattr(sql, "_CLOCKED", 1)
    monkeypatch.setattr(sql, "_STEPS", 10**9)
    refused = club.run("admin", "sql", "SELECT 1 AS one")
    assert refused.exit_code == 2
    assert "takes more than 0 seconds" in refused.stderr

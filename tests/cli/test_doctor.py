"""What `pbm doctor` and other commands say when something around them is broken."""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import threading
import time
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from pbm.cli.doctor.host import RESTART
from pbm.core.due import HEARTBEAT
from pbm.daemon import presence
from pbm.features.analysis.queue import enqueue_analysis
from pbm.store.engine import Store
from pbm.store.tables import settings
from tests.daemon.trace_receiver import Receiver
from tests.engines.matches import spell_failing_engine
from tests.harness.shell import Shell


def _found(shell: Shell) -> dict[str, dict[str, Any]]:
    return {row["what"]: row for row in shell.json("doctor", code=1)}


def _note_heartbeat(shell: Shell, seconds_ago: float) -> None:
    store = Store(shell.url)
    with store.writing() as session:
        at = str(time.time() - seconds_ago)
        session.execute(insert(settings).values(name=HEARTBEAT, value=at))
    store.close()


def test_a_server_that_does_not_run_is_bad_however_mail_comes(shell: Shell) -> None:
    text = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(re.sub('listen = ".*"', 'listen = ""', text), encoding="utf-8")
    _note_heartbeat(shell, 3600)
    found = _found(shell)
    assert (found["server"]["grade"], found["server"]["do"]) == ("BAD", "start it with pbm serve")
    assert "listener" not in found


def test_a_postgresql_with_an_old_sign_of_life_has_no_server(
    tmp_path: Path, postgresql_url: str
) -> None:
    shell = Shell(tmp_path, postgresql_url)
    _note_heartbeat(shell, 3600)
    assert _found(shell)["server"]["grade"] == "BAD"


def test_where_no_server_has_run_its_start_is_a_step(any_shell: Shell) -> None:
    rows = json.loads(any_shell.run("doctor", "--json").stdout)
    assert [row["grade"] for row in rows if row["what"] == "server"] == ["next"]
    bad = {row["what"] for row in rows if row["grade"] == "BAD"}
    assert bad <= {"settings"}  # PostgreSQL of tests does not wait for the disk


def test_a_missing_database_is_a_step_unless_a_backup_lies_there(tmp_path: Path) -> None:
    """Configuration and mails of another program may lie there, too."""
    shell = Shell(tmp_path, f"sqlite:///{tmp_path / 'pbm.db'}")
    (tmp_path / "mail").mkdir()
    rows = {row["what"]: row["grade"] for row in json.loads(shell.run("doctor", "--json").stdout)}
    assert (rows["database"], rows["server"]) == ("next", "next")
    (tmp_path / "pbm-monday.db").touch()
    assert "mount its disk" in _found(shell)["database"]["do"]


def test_what_a_backup_says_of_daemons_is_not_believed(shell: Shell) -> None:
    """A file has one server, which holds its lock: others are those of the backup that it was."""
    _note_heartbeat(shell, 10)
    store = Store(shell.url)
    with store.writing() as session:
        presence.note(session, presence.introduce("host 127.0.0.1:2525", time.time()), time.time())
    found = _found(shell)
    assert (found["server"]["grade"], "daemon" in found) == ("BAD", False)
    with presence.announce(store):
        assert _found(shell)["daemon"]["grade"] == "ok"
    store.close()


@pytest.mark.parametrize(
    ("server", "rest", "grade"),
    [
        ("", "", None),
        ("trusts = 'mx'", "", "BAD"),
        ("trusts = 'mx'", "[lmtp]\nlisten = '127.0.0.1:0'", "note"),
        ("trusts = 'mx'\ntrusted_peers = ['127.0.0.1']", "", "ok"),
    ],
)
def test_a_trusted_server_that_comes_by_smtp_has_to_be_named(
    shell: Shell, server: str, rest: str, grade: str | None
) -> None:
    text = shell.config.read_text(encoding="utf-8")
    text = text.replace("[server]", f"[server]\n{server}") + rest
    shell.config.write_text(text, encoding="utf-8")
    found = _found(shell).get("trusts")
    assert (found and found["grade"]) == grade
    if grade in ("BAD", "note"):
        assert found is not None
        assert "[server] trusted_peers" in found["do"]


def test_a_relay_that_cannot_be_used_is_named(shell: Shell) -> None:
    text = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(re.sub('maildir:[^"]*', "smtp://127.0.0.1:1", text), encoding="utf-8")
    found = _found(shell)["relay"]
    assert found["grade"] == "BAD"
    assert found["says"].startswith("127.0.0.1:1: Connection refused")
    assert found["do"] == "nothing listens there: start the relay, or correct [relay] url"


def test_a_configuration_that_cannot_be_used_is_a_finding_with_its_line(shell: Shell) -> None:
    """What can be looked at without one is looked at all the same."""
    text = shell.config.read_text(encoding="utf-8")
    text = re.sub('maildir:[^"]*', "ftp://user:secret99@relay.invalid", text)
    shell.config.write_text(text, encoding="utf-8")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "ftp://" in row)
    found = _found(shell)
    assert list(found) == ["versions", "games", "configuration"]
    says = found["configuration"]["says"]
    assert found["configuration"]["grade"] == "BAD"
    assert says.startswith(f"{shell.config}:{line}: [relay] url must be maildir:FOLDER, smtp://")
    assert "secret99" not in shell.seen


def test_the_disk_is_that_of_the_database(shell: Shell, tmp_path: Path) -> None:
    assert _found(shell)["disk"]["says"].endswith(str(tmp_path))


def test_a_database_that_takes_nothing_is_bad(shell: Shell, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "pbm.db") as connection:
        connection.execute(
            "CREATE TRIGGER t BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    connection.close()
    assert "writing" not in _found(shell)  # nothing is changed by looking
    shell.write("sqlite:////proc/version", "127.0.0.1:1")
    assert _found(shell)["database"]["grade"] == "BAD"


def test_a_server_that_hangs_is_told_from_one_that_does_not_run(shell: Shell) -> None:
    shell.signup("ann")
    _note_heartbeat(shell, 3600)
    store = Store(shell.url)
    with socket.create_server(("127.0.0.1", 0)) as listener, presence.announce(store):
        shell.write(shell.url, f"127.0.0.1:{listener.getsockname()[1]}")
        closing = threading.Thread(target=lambda: listener.accept()[0].close())
        closing.start()
        found = _found(shell)
        closing.join()
    store.close()
    assert found["server"]["says"] == f"process {os.getpid()}: last heartbeat 1 h ago"
    assert found["listener"]["says"].endswith("Connection unexpectedly closed")
    for what in ("server", "listener"):
        assert (found[what]["grade"], found[what]["do"]) == ("BAD", RESTART)


def test_each_engine_is_tried_in_each_of_its_games(shell: Shell) -> None:
    def describe(name: str, command: str, protocol: str, *games: str) -> str:
        keys = {"userid": name, "protocol": protocol, "command": command, "games": [*games]}
        lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
        return "\n".join(["[[bots.engine]]", *lines, "limit_seconds = 9.0\n"])

    liar = spell_failing_engine("gtp", "illegal")
    engines = [
        describe("gone", "/no/such/engine", "uci", "chess"),
        describe("ends", "true", "xboard", "minishogi", "nosuchgame"),
        describe("liar", liar, "gtp", "go", "hex"),
    ]
    text = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(text + "".join(engines), encoding="utf-8")
    rows = [row for row in shell.json("doctor", code=1) if row["what"] == "engines"]
    assert [row["grade"] for row in rows] == ["BAD"] * 5
    assert [row["says"] for row in rows] == [
        "gone in chess: there is no program '/no/such/engine'",
        "ends in minishogi: it ended in the middle of a move",
        "ends: there is no game called 'nosuchgame'",
        "liar in go: illegal move 'z99'",
        "liar in hex: gtp is for go, not for hex",
    ]
    assert rows[3]["do"] == f"try by hand: {liar}; see docs/bots.md"


def test_analyses_that_wait_for_days_are_noted(board: Shell) -> None:
    store = Store(board.url)
    for days, wanted in ((0.5, ("ok", "")), (2, ("note", "lower analyses_a_day or"))):
        with store.writing() as session:
            enqueue_analysis(session, 1, 1, time.time() - days * 86400)
        found = _found(board)["analyses"]
        assert found["says"].startswith("1 waiting, the oldest for ")
        assert (found["grade"], found["do"][:23]) == wanted
    store.close()


def test_a_folder_that_cannot_be_written_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write("sqlite:////proc/version", "127.0.0.1:1")
    monkeypatch.setattr("os.access", lambda _path, mode: mode != os.W_OK)
    assert _found(shell)["database"]["do"].startswith("nothing can be written in /proc: ")


def test_who_takes_the_traces_is_asked(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    text = shell.config.read_text(encoding="utf-8")

    def trace_to(url: str) -> dict[str, Any]:
        shell.config.write_text(f'{text}[tracing]\nurl = "{url}"\n', encoding="utf-8")
        found: dict[str, Any] = _found(shell)["tracing"]
        return found

    with Receiver() as receiver:
        assert trace_to(receiver.url)["grade"] == "ok"
    found = trace_to("http://127.0.0.1:1/v1/traces")
    assert (found["grade"], found["says"]) == (
        "BAD",
        "http://127.0.0.1:1/v1/traces: Connection refused",
    )

    def is_missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("pbm.daemon.tracing.version", is_missing)
    why = "[tracing] url needs OpenTelemetry: install pbm-server[tracing]"
    found = trace_to("http://127.0.0.1:1/v1/traces")
    assert (found["grade"], found["says"]) == ("BAD", why)
    result = shell.run("serve")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, f"pbm: {why}")


@pytest.mark.parametrize("words", [("imaps", "gaierror"), ("imap", "refused")])
def test_each_failure_of_a_mailbox_has_its_advice(shell: Shell, words: tuple[str, str]) -> None:
    scheme, kind = words
    host = "no-host.invalid" if kind == "gaierror" else "127.0.0.1:1"
    text = shell.config.read_text(encoding="utf-8")
    imap = f'[imap]\nurl = "{scheme}://user:secret99@{host}/INBOX"\n'
    shell.config.write_text(text + imap, encoding="utf-8")
    found = _found(shell)["mailbox"]
    wanted = "no such host" if kind == "gaierror" else "no answer"
    assert found["do"].startswith(wanted), found
    cause = "Name or service not known" if kind == "gaierror" else "Connection refused"
    assert found["says"].endswith(cause), found
    assert "secret99" not in shell.seen


def test_a_backup_that_cannot_be_written_is_one_sentence(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for target in (tmp_path / "file" / "copy.db", tmp_path / "none" / "copy.db"):
        result = shell.run("admin", "backup", str(target))
        assert result.exit_code == 75
        assert result.stderr.startswith(f"pbm: {target} cannot be written: ")
        assert result.stderr.count("\n") == 1


def test_an_option_without_its_dash_is_named_as_one(board: Shell) -> None:
    result = board.run("challenge", "hex", "ann", "bob", "sise=5")
    assert "an option begins with a dash: -NAME=VALUE" in result.output
    assert "hex challenge ann bob\n" in result.output


def test_several_mails_or_all_of_a_kind_are_released_or_none(shell: Shell, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "pbm.db") as connection:
        connection.executemany(
            "INSERT INTO inbound (received, via, recipient, raw, state, finished)"
            " VALUES (1, 'smtp', 'a@b', x'', ?, 1)",
            [("aside",), ("aside",), ("aside",), ("done",)],
        )
    connection.close()
    why = ("--reason", "mended", "--yes")

    def states() -> list[str]:
        rows = shell.json("admin", "mails", "--in")
        return [row["state"] for row in sorted(rows, key=lambda row: str(row["mail"]))]

    assert shell.run("admin", "release", "in:1", "in:4", *why).exit_code == 1
    assert states() == ["aside", "aside", "aside", "done"]
    shell.ok("admin", "release", "in:1", "2", *why)
    assert states() == ["waiting", "waiting", "aside", "done"]
    shell.ok("admin", "retry", "--all", "aside", *why)
    assert states() == ["waiting", "waiting", "waiting", "done"]
    assert shell.run("admin", "drop", *why).exit_code == 2

"""The server as a process, mails to it by `pbm send`, and the demonstration."""

from __future__ import annotations

import json
import os
import re
import signal
import smtplib
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.servers import until
from tests.harness.shell import PASSWORDS, Shell, environment


def _port(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    said = server.stdout.readline()
    found = re.fullmatch(r"ready smtp 127\.0\.0\.1:(\d+)\n", said)
    assert found, (said, server.poll())
    return found[1]


@pytest.fixture
def running(shell: Shell, sqlite_url: str) -> Iterator[Shell]:
    """A shell whose server runs."""
    server = shell.start("serve")
    try:
        shell.write(sqlite_url, f"127.0.0.1:{_port(server)}")
        yield shell
    finally:
        server.send_signal(signal.SIGTERM)
        events = server.communicate(timeout=60)[1].splitlines()
        said = [event.split()[1:3] for event in events]
        assert (said[0], said[-1]) == (["info", "serving"], ["info", "stopped"])
        allowed = (["warning", "refused"], ["warning", "wrong"], ["warning", "picture"])
        assert [event for event, word in zip(events, said, strict=True) if word not in allowed] == [
            events[0],
            events[-1],
        ]
        assert f"database={shell.folder / 'pbm.db'}" in events[0]
        assert server.returncode == 0


def test_ready_then_drained_on_sigterm(running: Shell) -> None:
    said = running.ok("send", "--from", "ann@example.org", "signup ann orchard7")
    assert said.startswith("Subject: [pbm] welcome, ann\n")


def test_what_the_server_writes_is_nobody_elses(tmp_path: Path) -> None:
    """Whatever the shell's umask is, and a socket file is for a mail server of its group."""
    folder = tmp_path / "all"
    folder.mkdir()
    shell = Shell(folder, f"sqlite:///{folder / 'var' / 'pbm.db'}")
    with shell.config.open("a", encoding="utf-8") as file:
        file.write(f'[lmtp]\nlisten = "unix:{folder / "lmtp"}"\n')
    shell.config.chmod(0o600)
    made = shell.start("admin", "db", "create")
    assert made.communicate(timeout=60)[1] == ""
    server = shell.start("serve")
    try:
        port = _port(server)
        with smtplib.SMTP("127.0.0.1", int(port)) as client:
            mail = "From: ann@example.org\nSubject: signup ann Pw-123\n\n"
            client.sendmail("ann@example.org", "pbm@games.example", mail)
        assert stat.S_IMODE((folder / "lmtp").stat().st_mode) == 0o660
        until(lambda: list(folder.glob("mail/ann@example.org/new/*")), "no answer")
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)
    backup = shell.start("admin", "backup", str(folder / "backup.db"))
    assert backup.communicate(timeout=60)[1] == ""
    paths = {path: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    paths.pop(folder / "lmtp", None)
    assert {"pbm.db", "backup.db", "new", "mail", "var"} <= {path.name for path in paths}
    assert [path for path, mode in paths.items() if mode & 0o077] == []


def test_a_port_for_which_it_has_no_right_names_the_socket(shell: Shell, sqlite_url: str) -> None:
    shell.write(sqlite_url, "127.0.0.1:25")
    less = [] if os.geteuid() else ["setpriv", "--bounding-set=-net_bind_service"]
    done = subprocess.run(
        [*less, sys.executable, "-m", "pbm", "--config", str(shell.config), "serve"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 75
    assert "systemctl enable --now pbm.socket pbm" in done.stderr


def test_a_taken_port_is_one_sentence_and_75(shell: Shell, sqlite_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        at = f"127.0.0.1:{taken.getsockname()[1]}"
        shell.write(sqlite_url, at)
        server = shell.start("serve")
        said = server.communicate(timeout=60)
    assert server.returncode == 75
    assert said[1].startswith(f"pbm: cannot serve at {at}: ")
    assert said[1].count("\n") == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[smtp]\nlissen = ''\n", 2),
        ("not toml", 2),
        ("[relay]\nurl = 'pigeon:roof'\n", 2),
        ("[database]\nurl = 'postgresql://127.0.0.1:1/x'\n", 75),
        ("[database]\nurl = 'sqlite:////proc/nothing/pbm.db'\n", 2),
    ],
)
def test_what_keeps_it_from_starting_is_one_sentence(shell: Shell, text: str, code: int) -> None:
    shell.config.write_text(text, encoding="utf-8")
    server = shell.start("serve")
    said = server.communicate(timeout=60)
    assert (server.returncode, said[0]) == (code, "")
    assert said[1].startswith("pbm: ")
    assert said[1].count("\n") == 1


def test_send_plays_and_answers(running: Shell) -> None:
    for name in ("ann", "bob"):
        running.ok("send", "--from", f"{name}@example.org", f"signup {name} {PASSWORDS[name]}")
    said = running.ok("send", "--from", "ann@example.org", "cradle challenge ann bob")
    assert said.startswith(
        "Subject: [cradle 1] ann - bob\n\nYour move in 21 days. New game of Cradle: "
    )
    moved = running.ok(
        "send",
        "--from",
        "ann@example.org",
        "--body",
        "hello",
        f"cradle move 1 ann {PASSWORDS['ann']} b1,c1,d1,d2",
    )
    assert moved.startswith("Subject: [cradle 1] ann - bob\n\nYou played b1,c1,d1,d2. It is bob's")
    refused = running.run("send", "--from", "bob@example.org", "cradle move 1 bob nopass b1")
    assert refused.exit_code == 1
    assert "\nNot done: " in refused.stdout
    listed = running.ok(
        "send", "--from", "bob@example.org", "--body", "-", "multiple", stdin="list\ngames\n"
    )
    assert "[pbm] 2 of 2 done" in listed
    assert "nopass" not in running.seen


def test_send_to_what_is_not_ours_is_refused(running: Shell) -> None:
    result = running.run("send", "--from", "a@b.example", "--to", "x@elsewhere.example", "list")
    assert result.exit_code == 1
    assert "pbm: refused: 550 5.1.1" in result.stderr


def test_an_answer_that_does_not_come_is_75(running: Shell) -> None:
    own = "pbm@games.example"
    result = running.run("send", "--from", own, "--wait", "0.5", "list")
    assert result.exit_code == 75
    assert "see pbm admin mails" in result.stderr
    until(
        lambda: (
            [row["what"] for row in running.json("admin", "mails", "--in", "--address", own)]
            == ["our own address"]
        ),
        "the mail is not recorded",
    )


def test_send_without_a_server_says_how_to_start_one(shell: Shell, sqlite_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    shell.write(sqlite_url, f"127.0.0.1:{port}")
    result = shell.run("send", "--from", "ann@example.org", "list")
    assert result.exit_code == 75
    assert result.stderr == (
        f"pbm: no server answers at 127.0.0.1:{port}; to start it: pbm serve\n"
    )


def test_doctor_finds_a_running_server_sound(running: Shell) -> None:
    findings = running.json("doctor", "--round-trip")
    assert {finding["grade"] for finding in findings} <= {"ok", "note"}, findings
    assert {"own address", "subaddress", "relay", "settings", "round trip"} <= {
        finding["what"] for finding in findings
    }


def test_doctor_says_what_to_do_about_everything_that_is_not_well(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "none.db-wal").touch()  # a server has run here
    shell = Shell(tmp_path / "a", f"sqlite:///{tmp_path / 'none.db'}", "127.0.0.1:1")
    text = shell.config.read_text(encoding="utf-8").replace("pbm@games.example", "pbm@localhost")
    text = re.sub(r"maildir:[^\"]*", "smtp://127.0.0.1:1", text)
    shell.config.write_text(text + '[http]\nlisten = "127.0.0.1:1"\n', encoding="utf-8")
    findings = shell.json("doctor", "--round-trip", "--wait", "0.1", code=1)
    wrong = {row["what"]: row["do"] for row in findings if row["grade"] != "ok"}
    assert set(wrong) == {
        "configuration",
        "database",
        "listener",
        "health",
        "relay",
        "round trip",
    }
    assert all(wrong.values())
    said = shell.run("doctor").stdout
    assert all(len(line) <= 78 or len(line[20:].split()) == 1 for line in said.splitlines())
    findings = re.split(r"\n(?=ok |note |BAD )", said)
    assert all("\n                 -> " in each for each in findings if not each.startswith("ok "))


def test_doctor_says_what_others_can_read() -> None:
    with tempfile.TemporaryDirectory(prefix="pbm-open-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        shell = Shell(folder, f"sqlite:///{folder / 'pbm.db'}")
        shell.ok("admin", "db", "create")
        (folder / "pbm.db").chmod(0o644)
        (folder / "mail").mkdir(exist_ok=True)
        (folder / "mail").chmod(0o750)
        shell.config.chmod(0o644)
        assert _open_to_all(shell) == [f"chmod -R o-rwx {folder / 'pbm.db'}"]
        secret = shell.config.read_text(encoding="utf-8").replace(
            f"maildir:{folder / 'mail'}", "smtp://pbm:Pw-123@127.0.0.1:1"
        )
        shell.config.write_text(secret, encoding="utf-8")
        (folder / "pbm.db").chmod(0o640)
        assert _open_to_all(shell) == [f"chmod -R o-rwx {shell.config}"]
        folder.chmod(0o750)
        assert _open_to_all(shell) == []


def _open_to_all(shell: Shell) -> list[str]:
    """What doctor says to do about permissions."""
    found = [
        row
        for row in json.loads(shell.run("doctor", "--json").stdout)
        if row["what"] == "permissions"
    ]
    assert found
    return [row["do"] for row in found if row["grade"] == "BAD"]

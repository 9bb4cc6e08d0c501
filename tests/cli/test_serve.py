"""The server as a process, mails to it by `pbm send`, and the demonstration."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shell import PASSWORDS, Shell


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
        events = server.communicate(timeout=30)[1].splitlines()
        said = [event.split()[1:3] for event in events]
        assert (said[0], said[-1]) == (["info", "serving"], ["info", "ended"])
        assert all(word in (["warning", "refused"], ["warning", "wrong"]) for word in said[1:-1])
        assert f"database={shell.folder / 'pbm.db'}" in events[0]
        assert server.returncode == 0


def test_ready_then_drained_on_sigterm(running: Shell) -> None:
    said = running.ok("send", "--from", "ann@example.org", "signup ann orchard7")
    assert said.startswith("Subject: [pbm] welcome, ann\n")


def test_a_taken_port_is_one_sentence_and_75(shell: Shell, sqlite_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        at = f"127.0.0.1:{taken.getsockname()[1]}"
        shell.write(sqlite_url, at)
        server = shell.start("serve")
        said = server.communicate(timeout=30)
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
        ("[database]\nurl = 'sqlite:////proc/nothing/pbm.db'\n", 75),
    ],
)
def test_what_keeps_it_from_starting_is_one_sentence(shell: Shell, text: str, code: int) -> None:
    shell.config.write_text(text, encoding="utf-8")
    server = shell.start("serve")
    said = server.communicate(timeout=30)
    assert (server.returncode, said[0]) == (code, "")
    assert said[1].startswith("pbm: ")
    assert said[1].count("\n") == 1


def test_send_plays_and_answers(running: Shell) -> None:
    for name in ("ann", "bob"):
        running.ok("send", "--from", f"{name}@example.org", f"signup {name} {PASSWORDS[name]}")
    said = running.ok("send", "--from", "ann@example.org", "cradle challenge ann bob")
    assert said.startswith("Subject: [cradle 1] new board: ann, bob\n")
    assert "It is your move" in said
    moved = running.ok("send", "--from", "ann@example.org", "--body", "hello",
                       f"cradle move 1 ann {PASSWORDS['ann']} b1,c1,d1,d2")  # fmt: skip
    assert moved.startswith("Subject: [cradle 1] bob to move (2), you played b1,c1,d1,d2\n")
    refused = running.run("send", "--from", "bob@example.org", "cradle move 1 bob nopass b1")
    assert refused.exit_code == 1
    assert "[cradle 1] not done" in refused.stdout
    listed = running.ok("send", "--from", "bob@example.org", "--body", "-", "multiple",
                        given="list\ngames\n")  # fmt: skip
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
    assert "pbm admin mails says why" in result.stderr
    (mail,) = running.json("admin", "mails", "--in", "--address", own)
    assert mail["what"] == "our own address"


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
    shell = Shell(tmp_path / "a", f"sqlite:///{tmp_path / 'none.db'}", "127.0.0.1:1")
    text = shell.config.read_text(encoding="utf-8").replace("pbm@games.example", "pbm@localhost")
    text = re.sub(r"maildir:[^\"]*", "smtp://127.0.0.1:1", text)
    shell.config.write_text(text + '[http]\nlisten = "127.0.0.1:1"\n', encoding="utf-8")
    findings = shell.json("doctor", "--round-trip", "--wait", "0.1", code=1)
    wrong = {row["what"]: row["do"] for row in findings if row["grade"] != "ok"}
    assert set(wrong) == {
        "configuration", "database", "listener", "health", "relay", "round trip",
    }  # fmt: skip
    assert all(wrong.values())
    said = shell.run("doctor").stdout.splitlines()
    assert all(" -> " in line for line in said if not line.startswith("ok "))

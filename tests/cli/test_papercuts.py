"""Small things that operators met: each is a sentence, and the right exit code."""

from __future__ import annotations

import subprocess
import sys

from tests.harness.shell import Shell, environment


def test_what_cannot_be_done_is_said(shell: Shell) -> None:
    shell.signup("ann")
    why = ("--yes", "--reason", "because")
    nothing = shell.run("admin", "retry", "--all", "failed", *why)
    assert (nothing.exit_code, nothing.stderr) == (1, "pbm: not done: no mail is failed\n")
    asked = shell.run("admin", "player-data", "ann")
    assert (asked.exit_code, "needs --reason" in asked.stderr) == (2, True)
    assert '"ann"' in shell.ok("admin", "player-data", "ann", stdin="asked by letter\n")
    assert shell.json("admin", "audit")[0]["reason"] == "asked by letter"
    command = [sys.executable, "-m", "pbm", "--config", str(shell.config), "help"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 75
    assert done.stderr == "pbm: the output cannot be written: no space left\n"

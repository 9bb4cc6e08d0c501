"""`config/pbm`, as root runs it: the audit names the person, not the user of the server."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.shell import Shell, environment

WRAPPER = Path(__file__).parents[2] / "config" / "pbm"


@pytest.fixture
def wrapper(tmp_path: Path, shell: Shell) -> Path:
    """The wrapper installed in a folder of its own, for the server of `shell`."""
    program = tmp_path / "bin" / "pbm"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pbm "$@"\n')
    program.chmod(0o755)
    text = WRAPPER.read_text(encoding="utf-8")
    for there, here in (
        ("/opt/pbm/bin/pbm", program),
        ("/etc/pbm/pbm.toml", shell.config),
        ("cd /var/lib/pbm", f"cd {tmp_path}"),
        ("runuser -u pbm --", "env LOGNAME=pbm USER=pbm"),
    ):
        assert text.count(there) == 1
        text = text.replace(there, str(here))
    installed = tmp_path / "pbm"
    installed.write_text(text)
    return installed


def test_the_audit_names_who_ran_it(wrapper: Path, shell: Shell) -> None:
    shell.signup("ann")
    sh = shutil.which("sh")
    assert sh is not None
    for more in ({"SUDO_USER": "frank"}, {"SUDO_USER": ""}):
        for act in ("suspend", "unsuspend"):
            subprocess.run(
                [sh, str(wrapper), "admin", act, "ann", "--yes", "--reason", "test"],
                env=environment(**more),
                check=True,
                capture_output=True,
            )
    whoami = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True)
    actors = [row["actor"] for row in shell.json("admin", "audit")]
    assert actors == [whoami.stdout.strip()] * 2 + ["frank"] * 2

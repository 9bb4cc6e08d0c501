"""The lines to try that a trial server prints begin with a command that the shell finds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbm.daemon.app import find_own_name


def test_the_program_is_named_as_it_can_be_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "my programs" / "pbm"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho started\n")
    program.chmod(0o755)

    def start(argv: str, path: str) -> str:
        monkeypatch.setenv("PATH", path)
        monkeypatch.setattr(sys, "argv", [argv, "serve"])
        name = find_own_name()
        shell = ["/bin/sh", "-c", f"{name} --version"]
        done = subprocess.run(shell, capture_output=True, text=True, check=True)
        return f"{name}: {done.stdout.split()[0]}"

    nowhere = str(tmp_path)
    assert start(str(program), nowhere) == f"'{program}': started"
    assert start(str(program), f"{nowhere}:{program.parent}") == "pbm: started"
    module = start(str(Path("pbm", "__main__.py")), nowhere)
    assert module.startswith(f"{sys.executable} -m pbm: pbm")

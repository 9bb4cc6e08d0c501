"""The three ways of config/README.md, typed as they stand: afterwards a player is answered."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.config.typed_ways import ROOT, typed
from tests.harness.mail_programs import require
from tests.harness.shell import environment

_UNSHARE = ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
_PROGRAMS = {"A": ("postfix",), "B": (), "C": ("dovecot",)}


@pytest.mark.long
@pytest.mark.parametrize("way", ["A", "B", "C"])
def test_a_way_is_typed_as_it_stands(way: str) -> None:
    require(*_PROGRAMS[way])
    if shutil.which("openssl") is None:
        pytest.skip("needs the package openssl")
    if os.geteuid() or subprocess.run([*_UNSHARE, "true"], check=False).returncode:
        pytest.skip("needs the right to mount")
    lines = typed(way)
    assert any(" setup --way " in line for line in lines)
    done = subprocess.run(
        [*_UNSHARE, sys.executable, "-m", "tests.config.typed_ways", way],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout[-12000:] + done.stderr[-4000:]
    assert done.returncode == 0, said
    for line in lines:
        assert f"$ {line}\n" in done.stdout, line
    assert done.stdout.endswith(f"way {way}: a player is answered\n"), said

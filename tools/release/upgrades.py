"""What users do with a release: install its packages, and upgrade to it from what went before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

from tools.release.folder import ROOT

Item = tuple[str, bool, str]
NOT_TRIED = "not tried: "
_NEEDS = {"debian": ("debootstrap",), "pipx": ("pipx",), "container": ("buildah", "debootstrap")}
"""The kinds of package that `tools.installing` tries, and the programs that it needs for them."""


def check_packages(work: Path) -> Iterator[Item]:
    """Check that each kind of package is built, installed, played, upgraded and removed where that
    can be done on this machine."""
    for kind, programs in _NEEDS.items():
        missing = [name for name in programs if shutil.which(name) is None]
        if missing or (kind != "pipx" and os.geteuid()):
            why = f"needs {' '.join(missing)}" if missing else "needs root"
            yield f"package: {kind}", True, f"{NOT_TRIED}{why}"
            continue
        folder = work / f"installing-{kind}"
        code, said = _run(sys.executable, "-m", "tools.installing", kind, "--work", str(folder))
        bad = [line for line in said.splitlines() if line.startswith("BAD")]
        yield f"package: {kind}", code == 0, "; ".join(bad) or said.strip().splitlines()[-1]


def check_upgrades(work: Path, program: Path, previous: str) -> Iterator[Item]:
    """Check that the database of the previous release is upgraded by the program that was just
    built."""
    what = f"the database of {previous} is upgraded"
    commit = find_release(previous)
    if not commit:
        yield what, True, f"{NOT_TRIED}no commit here is that release"
        return
    source = work / "previous"
    source.mkdir()
    archive = work / "previous.tar"
    venv.create(work / "previous-venv", with_pip=True)
    older = work / "previous-venv" / "bin" / "pbm"
    url = f"sqlite:///{work / 'previous.db'}"
    install = "install", "-q", "-c", source / ".ci" / "constraints.txt", source
    for command in (
        ("git", "archive", "-o", archive, commit),
        ("tar", "-xf", archive, "-C", source),
        (older.with_name("pip"), *install),
        (older, "admin", "db", "create"),
        (older, "demo"),
        (program, "admin", "db", "upgrade"),
        (program, "admin", "check"),
    ):
        code, said = _run(*map(str, command), PBM_DATABASE_URL=url)
        if code:
            break
    yield what, code == 0, said.strip()[-300:]


def find_release(version: str) -> str:
    """Return the commit that is a release, found as `pbm/version.py` finds it: by its line."""
    line = f'RELEASE = "{version}"'
    code, said = _run("git", "log", "--format=%H", "-S", line, "--", "pbm/version.py")
    return "" if code or not said.strip() else said.split()[-1]


def _run(*command: str, **more: str) -> tuple[int, str]:
    """Return exit code and output of a command."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **more},
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout

"""A list of facts, each printed as it is established."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Checklist:
    """Prints ok or BAD for each fact, and counts the bad ones."""

    def __init__(self) -> None:
        self.faults = 0
        self._begun = time.monotonic()

    def check(self, what: str, is_right: bool, detail: str = "") -> bool:
        self.faults += not is_right
        seconds = time.monotonic() - self._begun
        mark = "ok " if is_right else "BAD"
        print(f"{mark} {seconds:5.0f} s  {what}{': ' if detail else ''}{detail}", flush=True)
        return is_right


def run(*command: str | Path, cwd: Path = ROOT, must: bool = True) -> tuple[int, str]:
    """Exit code and output of a command; with `must` its failure ends the program."""
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if must and result.returncode:
        sys.exit(f"{result.stdout[-4000:]}\n{' '.join(map(str, command))}: {result.returncode}")
    return result.returncode, result.stdout


def export_tree(folder: Path, commit: str = "HEAD", version: str = "") -> Path:
    """Return the files of the last commit, or of that of another version, and none that a checkout
    has besides."""
    folder.mkdir(parents=True)
    archive = folder.with_suffix(".tar")
    run("git", "archive", "-o", archive, commit)
    run("tar", "-xf", archive, "-C", folder)
    archive.unlink()
    (folder / "pbm" / "version.txt").write_text(f"{version or find_version()}\n")
    return folder


@cache
def find_version() -> str:
    """Return the version of the commit that was checked out at first: another may follow while
    packages are built."""
    return run(sys.executable, "-m", "pbm.version")[1].strip()

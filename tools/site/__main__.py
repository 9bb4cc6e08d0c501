"""`python -m tools.site OUTPUT` builds the site of the documentation, as `mkdocs build --strict`.

Built twice of one commit, it is the same. Exit 1 when anything is missing, a link for instance."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build(output: Path) -> int:
    """Build the site into a folder, whose files are replaced. Return the exit code."""
    words = ["build", "--strict", "--clean", "--site-dir", str(output.absolute())]
    environment = {"SOURCE_DATE_EPOCH": _find_time(), "NO_MKDOCS_2_WARNING": "1"} | os.environ
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return 1
    return 0


def _find_time() -> str:
    """Return the time of the commit; 0 without git."""
    if (git := shutil.which("git")) is None:
        return "0"
    command = [git, "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "0"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("output", type=Path, help="the folder for the site")
    sys.exit(build(parser.parse_args().output))


if __name__ == "__main__":
    main()

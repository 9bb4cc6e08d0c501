"""Packages as users get them: `python -m tools.installing bare debian pipx pythons container`.

Each fact is ok or BAD; exit 1 when one is bad. Files go to --work, a new folder."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tools.installing import bare, container, debian, interpreters
from tools.installing.checklist import Checklist

_KINDS = {
    "bare": bare.check,
    "debian": debian.check,
    "pipx": interpreters.check_pipx,
    "pythons": interpreters.check_pythons,
    "container": container.check,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.installing")
    parser.add_argument("kinds", nargs="+", choices=_KINDS)
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="pbm-installing-"))
    checklist = Checklist()
    for kind in options.kinds:
        folder = work / kind
        folder.mkdir(parents=True)
        _KINDS[kind](folder, checklist)
    sys.exit(bool(checklist.faults))


main()

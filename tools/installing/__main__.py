"""Packages as users get them: `python -m tools.installing release booted bare debian pipx
pythons container`.

Each fact is ok or BAD; exit 1 when one is bad. Files go to --work, a new folder. With --short, bare
and pythons run a part of the tests where this machine lets them, and say in capitals where not."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tools.installing import bare, booted, container, debian, interpreters, published
from tools.installing.checklist import Checklist, find_version

_KINDS = {
    "debian": debian.check,
    "pipx": interpreters.check_pipx,
    "container": container.check,
    "release": published.check,
    "booted": booted.check,
}
_WITH_SHORT_FORMS = {"bare": bare.check, "pythons": interpreters.check_pythons}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.installing")
    parser.add_argument("kinds", nargs="+", choices=[*_KINDS, *_WITH_SHORT_FORMS])
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="pbm-installing-"))
    checklist = Checklist()
    find_version()  # of what is built now: commits may follow meanwhile
    for kind in options.kinds:
        folder = work / kind
        folder.mkdir(parents=True)
        if kind in _KINDS:
            _KINDS[kind](folder, checklist)
        else:
            _WITH_SHORT_FORMS[kind](folder, checklist, is_short=options.short)
    sys.exit(bool(checklist.faults))


main()

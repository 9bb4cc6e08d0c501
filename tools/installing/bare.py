"""Both commands of the README on a bare Debian, with nothing but python3-venv."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from tools.installing.checklist import ROOT, Checklist, export_tree
from tools.installing.debian import Chroot, find_obstacle

SERVE = r"""
cd /srv/pbm
sh -c '{command}' >said 2>errors &
shell=$!
until grep -q '^ready smtp' said; do
    kill -0 $shell || {{ cat said errors; exit 1; }}
    sleep 1
done
kill -TERM $(sed -n 's/.* serving .* pid=\([0-9]*\).*/\1/p' errors)
wait $shell
"""

_SHORT = (
    "tests/cli/test_manual.py",
    "tests/config/test_monitoring.py",
    "tests/config/test_systemd.py",
    "tests/config/test_typed_ways.py",
    "tests/e2e",
    "tests/engines",
    "tests/faults/test_stores.py",
    "tests/mail/test_in_chromium.py",
    "tests/mail/test_signer.py",
    "tests/release/test_version.py",
    "tests/store/test_keys.py",
    "tests/test_readme.py",
    "tests/words/test_rebuilding.py",
)
"""The tests of the short form: each kind of program that can be absent is wanted by some."""
_ABSENT = ("chromium", "espeak-ng", "git", "gnugo", "postfix", "strace")
"""Packages that a bare Debian has not and some of these tests need."""
_LAST = re.compile(r"^To run everything: apt install (.*) \(see \.ci/run\)$", re.MULTILINE)


def check(work: Path, checklist: Checklist, *, is_short: bool) -> None:
    """Check: this needs root, debootstrap, and a network that has packages of Debian and of Python.
    The short form runs few of the tests, and none where no chroot or no Debian can be had: it says
    so."""
    if obstacle := find_obstacle():
        if not is_short:
            sys.exit(f"a chroot {obstacle}")
        print(f"THE BARE FORM WAS NOT TRIED: a chroot {obstacle}", flush=True)
        return
    chroot = Chroot(work / "chroot")
    try:
        chroot.bootstrap()
        chroot.run("apt-get -qq update && apt-get -qq --no-install-recommends install python3-venv")
    except SystemExit as failure:
        if not is_short:
            raise
        print(f"THE BARE FORM WAS NOT TRIED: no bare Debian can be had: {failure}", flush=True)
        return
    source = export_tree(chroot.root / "srv" / "pbm")
    shutil.copy(ROOT / ".ci" / "constraints.txt", chroot.root / "srv")
    readme = (source / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^    (\S*(?:python3|pip) .* && .*)$", readme, re.MULTILINE)
    chroot.borrow_pip()
    chroot.environment.append("PIP_CONSTRAINT=/srv/constraints.txt")
    version = chroot.run("python3 --version")[1].strip()
    code, said = chroot.run(SERVE.format(command=first), must=False)
    if not checklist.check(f"the first command starts a server: {version}", code == 0):
        print(said[-4000:])
        return
    some = f" -n 2 {' '.join(_SHORT)}" if is_short else ""
    code, said = chroot.run(f"cd /srv/pbm && {second}{some}", must=False)
    passed = re.findall(r"^.*\d passed.*$", said, re.MULTILINE)
    what = "some tests of the second command pass" if is_short else "the second command passes"
    if not checklist.check(what, code == 0 and len(passed) == 1, " ".join(passed)):
        print(said[-8000:])
    last = _LAST.search(said)
    named = last[1].split() if last else []
    left_out = [name for name in _ABSENT if name not in named]
    checklist.check("one line says how to run everything", not left_out, " ".join(named))

"""Both commands of the README on a bare Debian, with nothing but python3-venv."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tools.installing.checklist import ROOT, Checklist, export_tree
from tools.installing.debian import Chroot

_SERVE = r"""
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


def check(work: Path, checklist: Checklist) -> None:
    """Needs root, debootstrap, and a network that has packages of Debian and of Python."""
    chroot = Chroot(work / "chroot")
    chroot.bootstrap()
    source = export_tree(chroot.root / "srv" / "pbm")
    shutil.copy(ROOT / ".ci" / "constraints.txt", chroot.root / "srv")
    readme = (source / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^    (\S*(?:python3|pip) .* && .*)$", readme, re.MULTILINE)
    with chroot.mounted():
        chroot.run("apt-get -qq update && apt-get -qq --no-install-recommends install python3-venv")
        chroot.borrow_pip()
        chroot.environment.append("PIP_CONSTRAINT=/srv/constraints.txt")
        version = chroot.run("python3 --version")[1].strip()
        code, said = chroot.run(_SERVE.format(command=first), must=False)
        if not checklist.check(f"the first command starts a server: {version}", code == 0):
            print(said[-4000:])
            return
        code, said = chroot.run(f"cd /srv/pbm && {second}", must=False)
        last = "; ".join(said.strip().splitlines()[-2:])
        if not checklist.check("the second command passes", code == 0, last):
            print(said[-8000:])

"""The Debian package: built in a clean chroot, checked by lintian, installed, upgraded, purged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.installing import signup
from tools.installing.checklist import Checklist, export_tree, find_version, run

_APT = ("apt.conf.d", "auth.conf.d", "sources.list.d", "sources.list", "trusted.gpg.d")


_ENTER = """
set -e
mount --rbind --make-rslave /proc "$0/proc"
mount --rbind --make-rslave /dev "$0/dev"
if test -d "$1"; then
    mkdir -p "$0/root/.cache/pip"
    mount --bind "$1" "$0/root/.cache/pip"
fi
chroot=$0
shift
exec chroot "$chroot" env -i "$@"
"""
"""Enters a chroot. What it mounts is seen by the command alone and gone with it, so that the folder
can be removed whatever happens."""


def find_obstacle() -> str:
    """Return why there can be no chroot on this machine, or nothing."""
    if os.geteuid():
        return "needs root"
    if shutil.which("debootstrap") is None:
        return "needs the package debootstrap"
    done = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return "needs the right to mount" if done.returncode else ""


class Chroot:
    """A Debian of its own below `root`, with this machine's sources of packages."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment: list[str] = []
        self._pip_cache = ""

    def run(self, command: str, *, must: bool = True, offline: bool = False) -> tuple[int, str]:
        apart = ("unshare", "--mount", *(("--net",) if offline else ()))
        clean = (
            "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL=C.UTF-8",
            "HOME=/root",
        )
        words = (*apart, "sh", "-c", _ENTER, self.root, self._pip_cache, *clean)
        variables = ("DEBIAN_FRONTEND=noninteractive", *self.environment)
        return run(*words, *variables, "sh", "-c", command, must=must)

    def borrow_pip(self) -> None:
        """Let pip find its packages where it does on this machine, and what it has of them."""
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        copies = {"/etc/pip.conf": self.root / "etc" / "pip.conf"}
        if "PIP_CERT" in pip:  # not where the package ca-certificates would write its own
            copies[pip["PIP_CERT"]] = self.root / "etc" / "pip-certificates.pem"
            pip["PIP_CERT"] = "/etc/pip-certificates.pem"
        for name, copy in copies.items():
            if Path(name).is_file():
                shutil.copy(name, copy)
        self.environment = [f"{name}={value}" for name, value in pip.items()]
        code, said = run(sys.executable, "-m", "pip", "cache", "dir", must=False)
        self._pip_cache = "" if code else said.strip()

    def bootstrap(self, release: str = "") -> None:
        """Make what debootstrap calls a minimal system, from where this machine has its own, and of
        the same release unless another is asked for."""
        what = ("--format", "$(SITE) $(RELEASE)", "Created-By: Packages")
        _, sites = run("apt-get", "indextargets", *what)
        site, own = sites.split("\n")[0].split(" ")
        bootstrap = ("debootstrap", "--variant=minbase")
        if release:
            run(*bootstrap, release, self.root, site, "/usr/share/debootstrap/scripts/sid")
        else:
            run(*bootstrap, own.partition(",")[0], self.root, site)
        etc = self.root / "etc" / "apt"
        for name in _APT[:2] if release else _APT:
            path = Path("/etc/apt") / name
            if path.is_dir():
                shutil.copytree(path, etc / name, dirs_exist_ok=True)
            elif path.exists():
                shutil.copy(path, etc / name)
        # An installer writes this, debootstrap does not.
        (self.root / "etc" / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
        # No service of an installed package starts here.
        policy = self.root / "usr" / "sbin" / "policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)


def check(work: Path, checklist: Checklist) -> None:
    """Build the package and go with it through its life. Needs root, debootstrap and a network from
    which Debian packages and Python libraries come."""
    if obstacle := find_obstacle():
        sys.exit(f"a chroot {obstacle}")
    chroot = Chroot(work / "chroot")
    chroot.bootstrap()
    package = build(chroot, checklist)
    chroot.run("apt-get -qq --no-install-recommends install lintian")
    code, said = chroot.run(
        "cd /build && lintian --allow-root --fail-on error,warning pbm-server_*.changes", must=False
    )
    checklist.check("lintian has no errors and no warnings", code == 0, said.strip())
    _go_through_life(chroot, package, checklist)


def build(
    chroot: Chroot,
    checklist: Checklist,
    suffix: str = "",
    commit: str = "HEAD",
    version: str = "",
) -> Path:
    """Return the package of the last commit, or of that of another version, built in the chroot for
    its release of Debian. Its version ends in the suffix."""
    export_tree(chroot.root / "build" / "pbm", commit, version)
    chroot.borrow_pip()
    chroot.run("apt-get -qq update")
    chroot.run("cd /build/pbm && apt-get -qq --no-install-recommends build-dep ./")
    chroot.run(f"sh /build/pbm/debian/fetch-wheels {suffix}")
    code, said = chroot.run(
        "cd /build/pbm && dpkg-buildpackage -us -uc -b",
        must=False,
        offline=True,
    )
    if not checklist.check("dpkg-buildpackage builds it without a network", code == 0):
        sys.exit(said[-4000:])
    (package,) = (chroot.root / "build").glob("pbm-server_*.deb")
    size = f"{package.stat().st_size / 1e6:.1f} MB"
    checklist.check("one package comes of it", True, f"{package.name}, {size}")
    return package


def _go_through_life(chroot: Chroot, package: Path, checklist: Checklist) -> None:
    """Install the package of 0.1, which had another name, play, upgrade twice, remove, purge."""
    root = chroot.root
    chroot.run(f"apt-get -qq --no-install-recommends install {_make_older(chroot, package, 'pbm')}")
    version = chroot.run("pbm --version")[1].strip()
    checklist.check("the installed program runs", version == f"pbm {find_version()}", version)
    config = root / "etc" / "pbm" / "pbm.toml"
    mode = oct(config.stat().st_mode & 0o777)
    checklist.check("only root and the server read the configuration", mode == "0o640", mode)
    for path in (
        "usr/share/man/man8/pbm.8.gz",
        "usr/share/man/man5/pbm.toml.5.gz",
        "usr/share/bash-completion/completions/pbm",
        "usr/share/zsh/vendor-completions/_pbm",
        "usr/share/fish/vendor_completions.d/pbm.fish",
        "lib/systemd/system/pbm.service",
        "etc/logrotate.d/pbm",
    ):
        checklist.check(f"it has {path}", (root / path).is_file())

    config.write_text(config.read_text() + signup.SETTINGS)
    (root / "build" / "play.py").write_text(signup.SCRIPT)
    signup.check_answer(chroot.run("python3 /build/play.py", must=False)[1], checklist)
    changed = config.read_text()

    for newer in (_make_older(chroot, package, "pbm-server"), f"/build/{package.name}"):
        chroot.run(f"apt-get -qq -y --no-install-recommends install {newer}")
    chroot.run("dpkg --purge pbm")
    checklist.check("an upgrade leaves the configuration alone", config.read_text() == changed)
    code, said = chroot.run("pbm admin players && pbm admin check", must=False)
    checklist.check("it finds the players and boards of the older", code == 0 and "ann" in said)

    chroot.run("apt-get -qq remove pbm-server")
    checklist.check(
        "removal leaves configuration and state",
        not (root / "usr/bin/pbm").exists()
        and config.exists()
        and (root / "var/lib/pbm/pbm.db").exists(),
    )
    chroot.run("dpkg --purge pbm-server")
    left = [
        str(path.relative_to(root))
        for folder in ("etc", "var/lib/pbm", "var/log/pbm", "usr/lib/pbm", "lib/systemd")
        for path in (root / folder).rglob("*pbm*")
    ]
    checklist.check("a purge leaves nothing", not left, " ".join(left))


def _make_older(chroot: Chroot, package: Path, name: str) -> str:
    """Return the same files under an earlier version number, so that its scripts upgrade from it,
    and under that name, without the fields by which the new name takes over from the old."""
    chroot.run(f"cd /build && dpkg-deb -R {package.name} {name}")
    control = chroot.root / "build" / name / "DEBIAN" / "control"
    text = re.sub(r"^Version: (.*)$", r"Version: \1~0", control.read_text(), flags=re.M)
    if name == "pbm":
        text = re.sub(r"^(Provides|Conflicts|Replaces): pbm\n", "", text, flags=re.M)
        text = text.replace("Package: pbm-server\n", "Package: pbm\n")
    control.write_text(text)
    chroot.run(f"dpkg-deb -Znone -b /build/{name} /build/older-{name}.deb")
    return f"/build/older-{name}.deb"

"""Builds what is made in a Debian of its own: a package for each release of Debian, and the
container image."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from tools.installing.checklist import Checklist, find_version, run
from tools.installing.debian import Chroot, build
from tools.release.image import write_image

SUITES = {"bookworm": "12", "trixie": "13"}
"""The releases of Debian that packages are built for, the oldest first."""
IMAGE = "localhost/pbm:latest"
_NEEDS = "adduser ca-certificates libgcc-s1 libstdc++6 python3 zlib1g"
_UNPACK = 'dpkg-deb --fsys-tarfile "$0" | tar -x --keep-directory-symlink -C "$1"'
"""Follows /lib to where it leads, which dpkg-deb alone would replace."""
_PASSING = (
    *("etc/machine-id", "etc/resolv.conf", "root/.cache", "usr/sbin/policy-rc.d", "etc/pip.conf"),
    *("var/cache/ldconfig/aux-cache", "var/cache/apt", "var/cache/debconf", "var/lib/apt/lists"),
    *("var/log", "etc/apt/apt.conf.d", "etc/apt/auth.conf.d", "etc/apt/sources.list.d"),
)
"""What a chroot has of the machine and the hour that made it."""
_SOURCES = """\
deb http://deb.debian.org/debian {suite} main
deb http://deb.debian.org/debian {suite}-updates main
deb http://deb.debian.org/debian-security {suite}-security main
"""


def build_package(work: Path, suite: str) -> Path:
    """Return the package for a suite, built in a chroot below `work`."""
    chroot = Chroot(work / suite)
    chroot.bootstrap(suite)
    return build(chroot, Checklist(), f"~deb{SUITES[suite]}")


def build_image(work: Path, suite: str, package: Path, archive: Path, made: datetime) -> None:
    """Write the image: a Debian with nothing but Python, and the files of the package. It has no
    database and no configuration."""
    chroot = Chroot(work / "image")
    root = chroot.root
    chroot.bootstrap(suite)
    chroot.run(f"apt-get -qq update && apt-get -qq --no-install-recommends install {_NEEDS}")
    _, architecture = chroot.run("dpkg --print-architecture")
    run("sh", "-c", _UNPACK, package, root)
    home = "/var/lib/pbm"
    chroot.run(f"adduser --quiet --system --group --home {home} pbm && chown pbm:pbm {home}")
    chroot.run("rm /usr/bin/pbm && ln -s /usr/lib/pbm/pbm /usr/bin/pbm")  # which wants to be root
    _forget(root, suite)
    settings = {
        "User": "pbm",
        "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "PBM_CONFIG=/etc/pbm/pbm.toml"],
        "Cmd": ["pbm", "serve"],
        "WorkingDir": home,
        "Volumes": {home: {}},
        "Labels": {"org.opencontainers.image.version": find_version()},
    }
    write_image(archive, root, IMAGE, settings, architecture=architecture.strip(), made=made)


def _forget(root: Path, suite: str) -> None:
    for name in _PASSING:
        path = root / name
        if path.is_dir():
            shutil.rmtree(path)
            path.mkdir()
        else:
            path.unlink(missing_ok=True)
    (root / "etc" / "machine-id").touch()
    (root / "etc" / "apt" / "sources.list").write_text(_SOURCES.format(suite=suite))
    for name in ("shadow", "shadow-"):
        path = root / "etc" / name
        rows = [line.split(":") for line in path.read_text().splitlines()]
        days = "".join(":".join([*row[:2], "19000", *row[3:]]) + "\n" for row in rows)
        path.write_text(days)  # the day on which a password was changed

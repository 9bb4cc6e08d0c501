"""Upgrades as operators do them, on a Debian that is booted in a container of its own: from the
release before to the folder that is published, while a game goes on; and purge.

What is typed are the lines of config/README.md; systemd starts, restarts and stops the units."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tools.installing import signup
from tools.installing.checklist import ROOT, Checklist, export_tree, find_version, run
from tools.installing.debian import Chroot, build, find_obstacle
from tools.installing.published import (
    list_image_lines,
    list_lines,
    list_package_lines,
    make_folder,
    prepare,
    serve,
    type_lines,
)
from tools.release.folder import find_previous
from tools.release.packages import build_image
from tools.release.upgrades import find_release

_PATIENCE = 120.0
_PODMAN = "podman crun netavark aardvark-dns iptables"
_LEFT = (
    *("/etc/pbm", "/var/lib/pbm", "/var/log/pbm", "/usr/lib/pbm", "/usr/bin/pbm"),
    *("/lib/systemd/system/pbm.service", "/etc/systemd/system/multi-user.target.wants/pbm.service"),
)
"""What a purge must not leave."""
_PIP_CACHE = "/var/cache/pip"
_UPGRADED = "/srv/upgraded"


class BootedDebian(Chroot):
    """A Debian whose systemd runs in a container of its own."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._leader = 0

    @contextmanager
    def boot(self, *, is_alone: bool = False) -> Iterator[None]:
        """Start it, alone without this machine's network, and stop it at the end. What is run
        meanwhile is run in it."""
        (self.root / "usr" / "sbin" / "policy-rc.d").unlink(missing_ok=True)
        words = ["systemd-nspawn", "--quiet", "--boot", "--directory", str(self.root)]
        words += ["--register=no", "--keep-unit", "--console=read-only"]
        words.append("--system-call-filter=add_key keyctl bpf")  # a container in it wants these
        if is_alone:
            words.append("--private-network")
        if self._pip_cache:
            words.append(f"--bind={self._pip_cache}:{_PIP_CACHE}")
            self.environment.append(f"PIP_CACHE_DIR={_PIP_CACHE}")
        with (self.root.parent / "console").open("wb") as console:
            nspawn = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=console, stderr=console
            )
        try:
            until = time.monotonic() + _PATIENCE
            while not self._is_up(nspawn.pid):
                if nspawn.poll() is not None or time.monotonic() > until:
                    sys.exit((self.root.parent / "console").read_text(errors="replace")[-4000:])
                time.sleep(0.5)
            yield
        finally:
            if nspawn.poll() is None and self._leader:
                self.run("systemctl poweroff --no-wall", must=False)
            self._leader = 0
            try:
                nspawn.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                nspawn.send_signal(signal.SIGKILL)
                nspawn.wait()

    def _is_up(self, nspawn: int) -> bool:
        """Whether systemd says that all is started that had to be."""
        children = Path(f"/proc/{nspawn}/task/{nspawn}/children").read_text().split()
        if not children:
            return False
        self._leader = int(children[0])
        return self.run("systemctl is-system-running", must=False)[1].strip() in (
            "running",
            "degraded",
        )

    def run(self, command: str, *, must: bool = True, offline: bool = False) -> tuple[int, str]:
        if not self._leader:
            return super().run(command, must=must, offline=offline)
        spaces = ["--mount", "--net", "--uts", "--ipc", "--pid", "--root", "--wd"]
        enter = ("nsenter", "--target", str(self._leader), *spaces)
        clean = ("LC_ALL=C.UTF-8", "HOME=/root", "DEBIAN_FRONTEND=noninteractive")
        path = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        words = ("env", "-i", path, *clean, *self.environment, "sh", "-c", f"cd /root && {command}")
        return run(*enter, *words, must=must)


def check(work: Path, checklist: Checklist) -> None:
    """Check: this needs root, debootstrap, systemd-nspawn (Debian's package systemd-container), and
    a network that has packages of Debian and of Python."""
    if obstacle := find_obstacle():
        sys.exit(f"a chroot {obstacle}")
    if shutil.which("systemd-nspawn") is None:
        sys.exit("a booted Debian needs the package systemd-container")
    previous = find_previous()
    commit = find_release(previous)
    if not commit:
        sys.exit(f"no commit here is {previous}")
    folder = work / "folder"
    folder.mkdir()
    with serve(folder) as url:
        make_folder(folder, url, checklist)
        builder = Chroot(work / "builder")
        builder.bootstrap("bookworm")
        older = build(builder, checklist, "~deb12", commit, previous)
        debian = BootedDebian(work / "debian")
        prepare(debian, "bookworm")
        debian.run("apt-get -qq --no-install-recommends install systemd systemd-sysv dbus")
        shutil.copy(older, debian.root / "srv" / "older.deb")
        export_tree(debian.root / "usr" / "local" / "src" / "older", commit, previous)
        shutil.copy(Path(__file__).with_name("game.py"), debian.root / "srv")
        with debian.boot():
            _upgrade_package(debian, url, previous, checklist)
            _purge(debian, checklist)
            _upgrade_wheel(debian, url, previous, checklist)
            debian.run(f"apt-get -qq --no-install-recommends install {_PODMAN}")
            debian.run("systemctl disable --now pbm && rm -rf /var/lib/pbm /etc/pbm/pbm.toml")
        image = debian.root / "root" / "older-image.tar"
        build_image(work, "bookworm", older, image, datetime.now(UTC))
        shutil.copy(folder / "pbm-image.tar", debian.root / "root")
        with debian.boot(is_alone=True):
            _upgrade_image(debian, url, previous, checklist)


def _upgrade_package(debian: BootedDebian, url: str, previous: str, checklist: Checklist) -> None:
    """The package of the release before is installed, and upgraded as `apt upgrade` does."""
    debian.run("apt-get -qq --no-install-recommends install ca-certificates curl /srv/older.deb")
    port = _configure(debian)
    debian.run("systemctl restart pbm")
    _check_version(debian, previous, checklist)
    with _playing(debian, port, "the package", checklist):
        lines = [line for line in list_package_lines() if line != "apt install pbm-server"]
        code, said = type_lines(debian, [*lines, "apt upgrade"], url)
        if not checklist.check("the package is upgraded by apt upgrade", code == 0):
            print(said[-4000:])
    _check_version(debian, find_version(), checklist)
    _check_boards(debian, checklist)


def _purge(debian: BootedDebian, checklist: Checklist) -> None:
    """Nothing of the package runs or lies about after a purge."""
    debian.run("apt-get -qq purge pbm-server")
    left = debian.run(f"ls -d {' '.join(_LEFT)} 2>/dev/null", must=False)[1].split()
    checklist.check("a purge leaves no file", not left, " ".join(left))
    processes = debian.run("find /proc -maxdepth 1 -user pbm")[1].split()
    checklist.check("a purge leaves no process", not processes, " ".join(processes))
    units = debian.run("systemctl list-units --all --plain --no-legend 'pbm*'")[1].strip()
    checklist.check("a purge leaves no unit", not units, units)


def _upgrade_wheel(debian: BootedDebian, url: str, previous: str, checklist: Checklist) -> None:
    """The release before is installed from its source, as it was then, and upgraded as the guide
    says."""
    source = "/usr/local/src/older"
    is_older = ("useradd ", "install -d -m")
    steps = [line for line in list_lines("## 1. The program") if line.startswith(is_older)]
    for command in (
        "apt-get -qq --no-install-recommends install gpg gpg-agent python3-venv",
        "userdel pbm",  # the package's, which stays
        "python3 -m venv /opt/pbm",
        f"/opt/pbm/bin/pip install -q --require-hashes -r {source}/config/requirements.txt",
        f"/opt/pbm/bin/pip install -q --no-deps --no-build-isolation '{source}[imap,metrics]'",
        *steps,
        f"install -m 755 {source}/config/pbm /usr/local/bin/pbm",
        f"install -m 640 -g pbm {source}/debian/pbm.toml /etc/pbm/pbm.toml",
        f"install -m 644 {source}/config/systemd/pbm.service /etc/systemd/system/",
        "pbm admin db create",
    ):
        debian.run(command)
    port = _configure(debian)
    debian.run("systemctl daemon-reload && systemctl enable --now pbm")
    _check_version(debian, previous, checklist)
    lines = list_lines("## 1. The program")
    fetched = lines[lines.index("install -d /usr/local/src/pbm") :][:4]
    with _playing(debian, port, "the wheel", checklist):
        upgrade = [line for line in list_lines("### Upgrade") if line != "pbm doctor"]
        release = next(line for line in lines if line.startswith("RELEASE="))
        code, said = type_lines(debian, [release, *fetched, *upgrade], url)
        if not checklist.check("each line of the guide upgrades", code == 0):
            print(said[-4000:])
    _check_version(debian, find_version(), checklist)
    _check_boards(debian, checklist)


def _upgrade_image(debian: BootedDebian, url: str, previous: str, checklist: Checklist) -> None:
    """The image of the release before is started, and replaced as the guide says."""
    containers = debian.root / "etc" / "containers" / "containers.conf"
    containers.write_text('[containers]\ncgroups = "disabled"\n')  # which it may not make in there
    load, make, start, look, remove = list_image_lines()
    config = debian.root / "etc" / "pbm" / "pbm.toml"
    text = (ROOT / "debian" / "pbm.toml").read_text(encoding="utf-8")
    config.write_text(text.replace("127.0.0.1:2525", "0.0.0.0:2424") + signup.SETTINGS)
    debian.run("chgrp pbm /etc/pbm/pbm.toml && chmod 640 /etc/pbm/pbm.toml")
    older = load.replace("pbm-image.tar", "older-image.tar")
    code, said = type_lines(debian, [older, make, start], url)
    if not checklist.check(f"the image of {previous} is started", code == 0):
        print(said[-4000:])
        return
    maildirs = "/var/lib/containers/storage/volumes/pbm/_data/mail"
    with _playing(debian, 2424, "the image", checklist, maildirs):
        code, said = type_lines(debian, [remove, load, start], url)
        if not checklist.check("the image is replaced", code == 0):
            print(said[-4000:])
    version = debian.run("podman exec pbm pbm --version")[1].strip()
    checklist.check(f"{find_version()} runs", version == f"pbm {find_version()}", version)
    code, said = debian.run("podman exec pbm pbm admin check", must=False)
    checklist.check("check finds no fault", code == 0, said.strip()[-200:])
    code, said = debian.run(look, must=False)
    checklist.check("doctor looks around in it", "database" in said, "" if code == 0 else said)


def _configure(debian: BootedDebian) -> int:
    """Add what the configuration needs besides; the port at which it takes mail, which is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    path = debian.root / "etc" / "pbm" / "pbm.toml"
    path.write_text(path.read_text().replace(":2525", f":{port}") + signup.SETTINGS)
    return port


@contextmanager
def _playing(
    debian: BootedDebian,
    port: int,
    what: str,
    checklist: Checklist,
    maildirs: str = "/var/lib/pbm/mail",
) -> Iterator[None]:
    """Have two people play while the block runs, and some moves more."""
    debian.run(
        f"rm -f {_UPGRADED}; systemd-run --quiet --unit=game python3 /srv/game.py "
        f"{maildirs} {port} {_UPGRADED}"
    )
    until = time.monotonic() + _PATIENCE
    log = "journalctl --quiet --output=cat --unit=game _TRANSPORT=stdout"
    while "a3" not in debian.run(log)[1] and time.monotonic() < until:
        time.sleep(0.5)
    before = debian.run(log)[1].split()
    yield
    debian.run(f"touch {_UPGRADED}")
    until = time.monotonic() + 5 * _PATIENCE
    while not debian.run("systemctl is-active game", must=False)[0]:
        if time.monotonic() > until:
            break
        time.sleep(1)
    played = debian.run(log)[1].split()
    is_whole = len(before) < len(played) and played[-1:] == ["done"]
    detail = f"{len(played) - 1} moves" if is_whole else " ".join(played)
    checklist.check(f"{what}: a game goes on through the upgrade", is_whole, detail)
    debian.run("systemctl reset-failed game; journalctl --rotate --vacuum-time=1s", must=False)


def _check_version(debian: BootedDebian, version: str, checklist: Checklist) -> None:
    said = debian.run("pbm --version")[1].strip()
    is_active = debian.run("systemctl is-active pbm", must=False)[1].strip()
    checklist.check(f"{version} runs", (said, is_active) == (f"pbm {version}", "active"), said)


def _check_boards(debian: BootedDebian, checklist: Checklist) -> None:
    code, said = debian.run("pbm admin check", must=False)
    checklist.check("check finds no fault", code == 0, said.strip()[-200:])

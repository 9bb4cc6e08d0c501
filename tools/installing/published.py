"""A release as strangers take it: on a bare Debian of each release, what README.md and
config/README.md say is typed as it stands, against the folder that is published, served on
loopback."""

from __future__ import annotations

import re
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tools.installing import signup
from tools.installing.bare import SERVE
from tools.installing.checklist import ROOT, Checklist, find_version, run
from tools.installing.debian import Chroot, find_obstacle
from tools.release.folder import SUMS, read_address
from tools.release.packages import SUITES

_NO_SYSTEMD = ("systemctl ", "pbm doctor")


def check(work: Path, checklist: Checklist) -> None:
    """Check: this needs root, debootstrap, and a network that has packages of Debian and Python."""
    if obstacle := find_obstacle():
        sys.exit(f"a chroot {obstacle}")
    folder = work / "folder"
    folder.mkdir()
    with serve(folder) as url:
        make_folder(folder, url, checklist)
        for suite in SUITES:
            _check_package(_start(work / f"{suite}-apt", suite), url, folder, checklist)
            _check_wheel(_start(work / f"{suite}-pip", suite), url, checklist)
            _check_trial(_start(work / f"{suite}-trial", suite), url, checklist)


def make_folder(folder: Path, url: str, checklist: Checklist) -> None:
    """Make the folder of a release of the last commit, which is published at that address."""
    make = ("-m", "tools.release", folder, "--draft", "--short", "--url", url)
    code, said = run(sys.executable, *make, must=False)
    print(said, flush=True)
    checklist.check("each item of the folder is ok", code == 0)
    if not checklist.check("the folder is made", (folder / f"{SUMS}.asc").exists()):
        sys.exit(1)


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve the folder on loopback; its address."""
    handler = partial(_Silent, directory=str(folder))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.shutdown()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


def list_lines(heading: str, page: str = "config/README.md") -> list[str]:
    """Return the lines to type below a heading, before the next one."""
    section = (ROOT / page).read_text(encoding="utf-8").partition(f"\n{heading}")[2]
    section = re.split(r"^##", section, maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^    (\S.*)$", section, re.MULTILINE)


def list_package_lines() -> list[str]:
    """Return those that install the Debian package."""
    lines = list_lines("### Packages")
    return lines[: lines.index("apt install pbm-server") + 1]


def list_image_lines() -> list[str]:
    """Return those that use the container image: they load it, make the database, start the
    container, look at it, and remove it."""
    lines = list_lines("### Packages")
    return lines[lines.index("podman load -q -i pbm-image.tar") :]


def list_trial_lines() -> list[str]:
    """Return those of README.md that start a server without a clone."""
    [block] = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
    return str(block).splitlines()


def _start(root: Path, suite: str) -> Chroot:
    chroot = Chroot(root)
    prepare(chroot, suite)
    return chroot


def prepare(chroot: Chroot, suite: str) -> None:
    """Make it a minimal system in which packages can be installed without a question."""
    chroot.bootstrap(suite)
    chroot.borrow_pip()
    yes = chroot.root / "etc" / "apt" / "apt.conf.d" / "yes"
    yes.write_text('APT::Get::Assume-Yes "true";\n')
    chroot.run("apt-get -qq update")


def type_lines(chroot: Chroot, lines: list[str], url: str) -> tuple[int, str]:
    """Type the lines at one shell, with the address of the folder in place of the published one."""
    text = "\n".join(["set -ev", *lines, ""]).replace(read_address(), url)
    (chroot.root / "root" / "typed").write_text(text)
    return chroot.run("cd /root && bash typed", must=False)


def _check_package(chroot: Chroot, url: str, folder: Path, checklist: Checklist) -> None:
    suite = chroot.root.name
    code, said = type_lines(chroot, list_package_lines(), url)
    if not checklist.check(f"{suite}: apt installs the package", code == 0):
        print(said[-4000:])
        return
    _play(chroot, checklist)
    index = next((folder / "apt" / "dists" / suite.partition("-")[0]).rglob("Packages.gz"))
    content = index.read_bytes()
    index.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    plain = index.with_suffix("")
    listed = plain.read_bytes()
    plain.write_bytes(listed.replace(b"Package: pbm-server", b"Package: pbm-servex"))
    forget = "rm -rf /var/lib/apt/lists/127*"
    code, said = chroot.run(
        f"{forget} && apt-get update -o APT::Update::Error-Mode=any", must=False
    )
    checklist.check(f"{suite}: apt refuses a repository that was changed", code != 0)
    index.write_bytes(content)
    plain.write_bytes(listed)


def _check_wheel(chroot: Chroot, url: str, checklist: Checklist) -> None:
    suite = chroot.root.name
    code, said = type_lines(chroot, list_lines("## 1. The program"), url)
    if not checklist.check(f"{suite}: each line installs", code == 0):
        print(said[-4000:])
        return
    config = chroot.root / "etc" / "pbm" / "pbm.toml"
    config.write_text((ROOT / "debian" / "pbm.toml").read_text())
    _play(chroot, checklist)
    upgrade = [line for line in list_lines("### Upgrade") if not line.startswith(_NO_SYSTEMD)]
    code, said = type_lines(chroot, upgrade, url)
    if not checklist.check(f"{suite}: each line upgrades", code == 0):
        print(said[-4000:])


def _play(chroot: Chroot, checklist: Checklist) -> None:
    _, version = chroot.run("pbm --version")
    checklist.check(chroot.root.name, version == f"pbm {find_version()}\n", version.strip())
    with (chroot.root / "etc" / "pbm" / "pbm.toml").open("a") as config:
        config.write(signup.SETTINGS)
    (chroot.root / "srv" / "play.py").write_text(signup.SCRIPT)
    signup.check_answer(chroot.run("python3 /srv/play.py", must=False)[1], checklist)


def _check_trial(chroot: Chroot, url: str, checklist: Checklist) -> None:
    chroot.run("apt-get -qq --no-install-recommends install python3-venv")
    (chroot.root / "srv" / "pbm").mkdir()
    typed = " && ".join(list_trial_lines()).replace(read_address(), url)
    code, said = chroot.run(SERVE.format(command=typed), must=False)
    what = f"{chroot.root.name}: what the README says starts a server"
    if not checklist.check(what, code == 0):
        print(said[-4000:])

"""Game packages that tests install, change and remove."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbm import games

NIM = """\
from dataclasses import dataclass, replace

from pbm.rules import IllegalMove, Option
from tests.rules.nim import Nim, NimPosition


@dataclass(frozen=True, slots=True)
class Position(NimPosition):
    def legal_moves(self, seat):
        most = self.options.get("most", {most})
        return NimPosition.legal_moves(self, seat)[:most]


class Game(Nim):
    position = Position
    info = replace(Nim.info, version={version}{info})
{methods}

Position.game = GAME = Game()
"""


def nim(version: int = 1, most: int = 3, info: str = "", methods: str = "") -> str:
    """The source of a version of Nim in which so many stones may be taken at once."""
    return NIM.format(version=version, most=most, info=info, methods=methods)


class Packages:
    """A folder on the path that packages are installed into."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        sys.path.insert(0, str(folder))

    def install(self, name: str, source: str | None, game: str = "GAME") -> None:
        """Install the distribution pbm-NAME with an entry point NAME for that object, replacing an
        older one; without a source its module is missing."""
        self.remove(name)
        if source is not None:
            (self.folder / f"pbm_{name}.py").write_text(source, encoding="utf-8")
        metadata = self.folder / f"pbm_{name}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: pbm-{name}\nVersion: 1.0\n"
        )
        (metadata / "entry_points.txt").write_text(f"[pbm.games]\n{name} = pbm_{name}:{game}\n")
        _forget()

    def add(self, name: str, source: str) -> None:
        """Add a module pbm_NAME that is no game of its own."""
        (self.folder / f"pbm_{name}.py").write_text(source, encoding="utf-8")
        _forget()

    def remove(self, name: str) -> None:
        """Uninstall a distribution."""
        (self.folder / f"pbm_{name}.py").unlink(missing_ok=True)
        shutil.rmtree(self.folder / f"pbm_{name}-1.0.dist-info", ignore_errors=True)
        shutil.rmtree(self.folder / "__pycache__", ignore_errors=True)
        sys.modules.pop(f"pbm_{name}", None)
        _forget()

    def close(self) -> None:
        """Uninstall everything."""
        for path in self.folder.glob("pbm_*.py"):
            sys.modules.pop(path.stem, None)
        sys.path.remove(str(self.folder))
        _forget()


def _forget() -> None:
    importlib.invalidate_caches()
    games.reload()


# Programs of the system that some tests need, with the Debian package of each: where one is
# missing, its tests are skipped and the last line of the run says what to install.

_PLACES = "/usr/sbin:/usr/local/sbin:/usr/games"
_PACKAGES = {
    "dovecot": "dovecot-imapd",
    "etcd": "etcd-server",
    "man": "man-db",
    "opendkim-genkey": "opendkim-tools",
    "setpriv": "util-linux",
    "systemd-analyze": "systemd",
}
"""Packages that are not called as their program."""
_WANTED = re.compile(r"needs the package ([a-z0-9.+-]+)")


def find_program(name: str) -> str | None:
    """Return where a program is, if it is installed."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{_PLACES}")


def require(*names: str) -> None:
    """Skip where a program is missing, naming its package; in CI a skip is a failure."""
    for name in names:
        if find_program(name) is None:
            skip_without(_PACKAGES.get(name, name))


def skip_without(package: str) -> None:
    """Skip a test that needs a package."""
    pytest.skip(f"needs the package {package}")


def list_wanted(reasons: Iterable[str]) -> list[str]:
    """Return the packages for want of which tests were skipped."""
    return sorted({name for reason in reasons for name in _WANTED.findall(reason)})

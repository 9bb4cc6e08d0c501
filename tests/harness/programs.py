"""Programs of the system that some tests need, with the Debian package of each: where one is
missing, its tests are skipped and the last line of the run says what to install."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable

import pytest

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

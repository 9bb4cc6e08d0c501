"""A repository of Debian packages, as files for any web server: a suite for each release of Debian,
of which apt verifies the signature."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from tempfile import TemporaryDirectory

# Signs what is published, with OpenPGP: what apt verifies, and what a stranger finds a program for
# on any system.


class Signer:
    """A key of GnuPG, in its home folder."""

    def __init__(self, key: str, home: str = "") -> None:
        self.key = key
        self._home = home

    def export(self) -> bytes:
        """Return the public key, armored."""
        return self._run("--armor", "--export-options", "export-minimal", "--export", self.key)

    def sign(self, text: bytes) -> bytes:
        """Return a detached signature, armored."""
        return self._run("--local-user", self.key, "--armor", "--detach-sign", given=text)

    def clear_sign(self, text: bytes) -> bytes:
        """Return the text with its signature."""
        return self._run("--local-user", self.key, "--clear-sign", given=text)

    def _run(self, *words: str, given: bytes = b"") -> bytes:
        home = ("--homedir", self._home) if self._home else ()
        command = ["gpg", "--batch", "--yes", "--quiet", "--digest-algo", "SHA512", *home, *words]
        return subprocess.run(command, check=True, capture_output=True, input=given).stdout


@contextmanager
def make_trial_signer() -> Iterator[Signer]:
    """Make a key that is gone afterwards, to try everything with."""
    name = "pbm trial, not a release"
    with TemporaryDirectory(prefix="pbm-key-") as home:
        Path(home).chmod(0o700)
        gpg = ["gpg", "--homedir", home, "--batch", "--quiet", "--passphrase", ""]
        try:
            made = [*gpg, "--quick-generate-key", name, "ed25519", "sign", "never"]
            subprocess.run(made, check=True, capture_output=True)
            yield Signer(name, home)
        finally:
            subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)


_NAME = "pbm"


def write_repository(
    folder: Path, packages: Mapping[str, Path], signer: Signer, made: datetime
) -> None:
    """Write the repository; `packages` has the package for each suite, such as "bookworm"."""
    pool = folder / "pool"
    pool.mkdir(parents=True)
    for suite, package in packages.items():
        shutil.copy(package, pool / package.name)
        _write_suite(folder, suite, pool / package.name, signer, made)


def _write_suite(folder: Path, suite: str, package: Path, signer: Signer, made: datetime) -> None:
    place = folder / "dists" / suite
    architecture = _ask(package, "Architecture")
    index = place / "main" / f"binary-{architecture}"
    index.mkdir(parents=True)
    content = package.read_bytes()
    stanza = (
        f"{_ask(package).rstrip()}\n"
        f"Filename: {package.relative_to(folder)}\n"
        f"Size: {len(content)}\n"
        f"SHA256: {hashlib.sha256(content).hexdigest()}\n\n"
    ).encode()
    (index / "Packages").write_bytes(stanza)
    (index / "Packages.gz").write_bytes(gzip.compress(stanza, mtime=0))
    release = (
        f"Origin: {_NAME}\n"
        f"Label: {_NAME}\n"
        f"Suite: {suite}\n"
        f"Codename: {suite}\n"
        f"Date: {format_datetime(made, usegmt=True)}\n"
        f"Architectures: {architecture}\n"
        "Components: main\n"
        f"Description: pbm for Debian {suite}\n"
        "SHA256:\n"
        + "".join(
            f" {hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_size}"
            f" {path.relative_to(place)}\n"
            for path in sorted(index.iterdir())
        )
    ).encode()
    (place / "Release").write_bytes(release)
    (place / "Release.gpg").write_bytes(signer.sign(release))
    (place / "InRelease").write_bytes(signer.clear_sign(release))


def _ask(package: Path, *fields: str) -> str:
    command = ["dpkg-deb", "--field", str(package), *fields]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

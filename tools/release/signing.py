"""Signs what is published, with OpenPGP: what apt verifies, and what a stranger finds a program for
on any system."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


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

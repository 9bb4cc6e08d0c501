"""Makes the private keys that sign mails."""

from __future__ import annotations

import shutil
import subprocess

from pbm.cli import TRY_AGAIN, Failed

BITS = "2048"


def make_rsa_key(without: str = "") -> str:
    """Return a new RSA key in PEM form. Failed without openssl; `without` is the option that needs
    no key."""
    program = shutil.which("openssl")
    if program is None:
        says = "no openssl to make a key with: apt install openssl"
        raise Failed(f"{says}, or {without}" if without else says, TRY_AGAIN)
    done = subprocess.run(  # noqa: S603 (a program of the system, no shell)
        [program, "genrsa", BITS], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"openssl failed: {done.stderr.strip()[-200:]}", TRY_AGAIN)
    return done.stdout

"""Builds the source archive and the wheel of a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build(source: Path, out: Path, *options: str, umask: int = 0o022) -> dict[str, bytes]:
    """Return the source archive and the wheel, by name, or only what the options say."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", *options, "-o", str(out), str(source)],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": ""},
        umask=umask,
    )
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def unpack(archive: Path, folder: Path) -> Path:
    """Return the folder that the archive contains, below this one."""
    folder.mkdir()
    with tarfile.open(archive) as files:
        files.extractall(folder)  # noqa: S202 (built here; Python 3.11.2 has no filter)
    (source,) = folder.iterdir()
    return source

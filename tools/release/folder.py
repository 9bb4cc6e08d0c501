"""The folder that is published: what is in it besides what is built, and its seal."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path

from pbm.version import RELEASE, find_version
from tools.release.repository import Signer

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


EXTRAS = "imap,metrics"
"""What an installation has beside what the server needs: see config/README.md."""
KEY = "pbm.asc"
SUMS = "SHA256SUMS"
_BUILDERS = (
    "babel",
    "hatchling",
    "packaging",
    "pathspec",
    "pluggy",
    "tomlkit",
    "trove-classifiers",
)
TO_THE_SITE = '<!doctype html><meta http-equiv="refresh" content="0; url=site/">\n'


def read_settings() -> dict[str, str]:
    """Return the addresses of the project, as pyproject.toml has them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["tool"]["pbm"])


def read_address() -> str:
    """Return where releases are published."""
    return read_settings()["releases"]


def is_example(url: str) -> bool:
    """Return whether nobody can have that address."""
    return (
        re.match(r"(https?://|[^@/]+@)([\w.-]+\.)?example(\.(org|com|net))?(/|$)", url) is not None
    )


def read_changelog() -> list[tuple[str, str, str]]:
    """Return version, date and text of each release, the newest first."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\d[\w.]*) \((\d{4}-\d\d-\d\d|unreleased)\)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))


def read_notes() -> tuple[str, str]:
    """Return the version that this is or will be, and what the changelog says of it in short."""
    version, _, text = read_changelog()[0]
    return version, text.partition("\n### In detail\n")[0].strip()


def find_previous() -> str:
    """Return the version of the release before the commit that is checked out."""
    dated = [version for version, day, _ in read_changelog() if day != "unreleased"]
    return dated[1] if find_version() == RELEASE else dated[0]


def find_date() -> datetime:
    """Return when the commit was made that is checked out."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return datetime.fromtimestamp(int(done.stdout), UTC)


def list_libraries() -> set[str]:
    """Return the libraries of an installation, with their versions."""
    return set(re.findall(r"^(\S+==[^\s;]+)", read_libraries(), re.MULTILINE))


def read_libraries() -> str:
    """Return the pinned libraries of an installation, without what builds the wheel."""
    pinned = (ROOT / "config" / "requirements.txt").read_text(encoding="utf-8")
    pinned = re.sub(rf"^({'|'.join(_BUILDERS)})==.*\n( .*\n)+", "", pinned, flags=re.MULTILINE)
    return re.sub(r"\A(#.*\n)+", "", pinned)


def pin(wheel: Path, url: str) -> str:
    """Return the requirements of an installation, the wheel with its address and checksum included:
    `pip install --require-hashes -r` needs nothing else."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    named = f"pbm-server[{EXTRAS}] @ {url}/{wheel.name} \\\n    --hash=sha256:{digest}\n"
    return read_libraries() + named


def pack_config(archive: Path, made: datetime) -> None:
    """Write an archive of the files of `config` that operators copy."""
    paths = (path for path in (ROOT / "config").rglob("*") if path.is_file())
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in sorted(paths):
            entry = tarfile.TarInfo(str(path.relative_to(ROOT)))
            content = path.read_bytes()
            entry.size, entry.mtime = len(content), int(made.timestamp())
            entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            tar.addfile(entry, io.BytesIO(content))
    archive.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def seal(folder: Path, signer: Signer) -> None:
    """Write the checksums of all files, their signature, and the key to verify it with."""
    (folder / KEY).write_bytes(signer.export())
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in paths
    )
    (folder / SUMS).write_text(sums)
    (folder / f"{SUMS}.asc").write_bytes(signer.sign(sums.encode()))

"""Writes the planned files, each completely or not at all, and keeps what it replaces."""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbm.cli import REFUSED, TRY_AGAIN, Failed
from pbm.cli.setup.plan import SECRET, PlannedFile

_USER = "pbm"
_FOLDER_MODE = 0o750


def list_others(files: Sequence[PlannedFile]) -> list[Path]:
    """Return the paths at which there is something else already."""
    return [file.path for file in files if not _is_empty(file.path) and not _has_text(file)]


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except OSError:
        return not path.is_symlink()


def _has_text(file: PlannedFile) -> bool:
    try:
        return file.path.read_bytes() == file.text.encode()
    except OSError:
        return False


def write_files(files: Sequence[PlannedFile], *, replaces: bool) -> list[Path]:
    """Write the files that are not there yet, and return the copies that were kept of others.
    Failed when others are there and may not be replaced, or when one cannot be written."""
    others = list_others(files)
    if others and not replaces:
        raise Failed(
            f"{others[0]} is there already: --replace keeps it as {_old(others[0])}", REFUSED
        )
    kept = []
    for file in files:
        if _has_text(file):
            continue
        try:
            if file.path in others:
                os.replace(file.path, _old(file.path))
                kept.append(_old(file.path))
            _write_file(file)
        except OSError as error:
            hint = "; run it as root" if os.geteuid() else ""
            says = f"{file.path} cannot be written: {error.strerror}{hint}"
            raise Failed(says, TRY_AGAIN) from None
    return kept


def _old(path: Path) -> Path:
    return path.with_name(f"{path.name}.old")


def _write_file(file: PlannedFile) -> None:
    """Write one file, readable from the beginning by those alone who may."""
    folder = file.path.parent
    if not folder.exists():
        folder.mkdir(parents=True, mode=0o755)
        os.chmod(folder, _FOLDER_MODE)
        _give_to_group(folder)
    new = file.path.with_name(f"{file.path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as out:
        out.write(file.text)
        out.flush()
        os.fsync(descriptor)
    if file.mode != SECRET or _give_to_group(new):
        os.chmod(new, file.mode)
    os.replace(new, file.path)


def _give_to_group(path: Path) -> bool:
    """Let the group of the server read it, where root asks and there is one."""
    if os.geteuid():
        return False
    try:
        os.chown(path, 0, grp.getgrnam(_USER).gr_gid)
    except KeyError:
        return False
    return True


def run_doctor(config: Path, *words: str) -> str:
    """Return what `pbm doctor` prints about the configuration, run as the user of the server."""
    given: dict[str, Any] = {}
    if os.geteuid() == 0:
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(_USER)
            given = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    command = [sys.executable, "-m", "pbm", "--config", str(config), "doctor", *words]
    try:
        done: subprocess.CompletedProcess[str] = subprocess.run(  # noqa: S603 (this program)
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            **given,
        )
    except OSError as error:
        return f"pbm doctor cannot be run: {error.strerror}\n"
    return done.stdout + done.stderr

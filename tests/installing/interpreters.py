"""The wheel installed by pipx, and into an environment of each Python that this machine has."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from .checklist import Checklist, export_tree, run

_VERSIONS = ("3.11", "3.12", "3.13", "3.14")
_PARTS = ("tests/rules", "tests/games", "tests/core", "tests/store", "tests/ratings", "tests/cli")


def _build_wheel(work: Path) -> Path:
    source = export_tree(work / "source")
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "-o", work / "wheel", source)
    (wheel,) = (work / "wheel").glob("*.whl")
    return wheel


def check_pipx(work: Path, checklist: Checklist) -> None:
    """`pipx install` gives a program `pbm` that needs nothing of the folder it came from."""
    wheel = _build_wheel(work)
    os.environ.update(PIPX_HOME=str(work / "home"), PIPX_BIN_DIR=str(work / "bin"))
    run("pipx", "install", "--python", sys.executable, f"{wheel}[imap,metrics]")
    shutil.rmtree(work / "source")
    _, version = run(work / "bin" / "pbm", "--version", cwd=work)
    checklist.check(
        "pipx install gives a program", "commit" in version or "(" in version, version.strip()
    )
    code, said = run(work / "bin" / "pbm", "hex", "help", cwd=work, must=False)
    checklist.check("it has its pages of help", code == 0 and "HEX" in said)


def check_pythons(work: Path, checklist: Checklist) -> None:
    """The wheel in an environment of each Python, and the tests that need no server."""
    wheel = _build_wheel(work)
    for version in _VERSIONS:
        program = _find_python(version)
        if program is None:
            checklist.check(f"Python {version}", True, "not on this machine: not tried")
            continue
        environment = work / version
        run(program, "-m", "venv", environment)
        python = environment / "bin" / "python"
        run(python, "-m", "pip", "install", "-q", f"{wheel}[test]")
        source = export_tree(work / f"tests-{version}")
        shutil.rmtree(source / "pbm")
        code, said = run(python, "-m", "pytest", "-q", "-n2", *_PARTS, cwd=source, must=False)
        checklist.check(f"Python {version}", code == 0, said.strip().splitlines()[-1])
        if code:
            print(said[-6000:])


def _find_python(version: str) -> str | None:
    """An interpreter on the path, or one that pyenv keeps."""
    on_path = [Path(place) for place in os.environ["PATH"].split(os.pathsep)]
    for place in on_path + sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin")):
        path = place / f"python{version}"
        if path.exists() and run(path, "--version", must=False)[0] == 0:
            return str(path)
    return None

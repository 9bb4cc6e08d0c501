"""The wheel installed by pipx, and into an environment of each Python: of this machine, or in a
chroot with a newer Debian."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from tools.installing.checklist import Checklist, export_tree, find_version, run
from tools.installing.debian import Chroot

_NEWER = "forky"
"""The release of Debian from which a Python comes that this machine has not."""
_VERSIONS = ("3.11", "3.12", "3.13", "3.14")
_PARTS = (
    *("tests/rules", "tests/games", "tests/core", "tests/store", "tests/ratings", "tests/cli"),
    *("tests/mail", "tests/conversations", "tests/test_readme.py"),
)
_SHORT = (
    *("tests/rules/testing", "tests/store/test_migrate.py", "tests/mail/test_smtp_sessions.py"),
    *("tests/cli/test_serve.py", "tests/conversations/test_replies.py", "tests/test_readme.py"),
)
"""What the short form runs, and what it installs for that."""
_RUNNERS = "pytest pytest-xdist pytest-randomly hypothesis"


def _build_wheel(work: Path) -> Path:
    source = export_tree(work / "source")
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "-o", work / "wheel", source)
    (wheel,) = (work / "wheel").glob("*.whl")
    return wheel


def check_pipx(work: Path, checklist: Checklist) -> None:
    """Check that `pipx install` gives a program `pbm` that needs nothing of the folder it came
    from."""
    wheel = _build_wheel(work)
    os.environ.update(PIPX_HOME=str(work / "home"), PIPX_BIN_DIR=str(work / "bin"))
    run("pipx", "install", "--python", sys.executable, f"{wheel}[imap,metrics]")
    shutil.rmtree(work / "source")
    _, version = run(work / "bin" / "pbm", "--version", cwd=work)
    checklist.check(
        "pipx install gives a program", version == f"pbm {find_version()}\n", version.strip()
    )
    code, said = run(work / "bin" / "pbm", "hex", "help", cwd=work, must=False)
    checklist.check("it has its pages of help", code == 0 and "HEX" in said)


def check_pythons(work: Path, checklist: Checklist, *, is_short: bool) -> None:
    """Check the wheel in an environment of each Python, and a part of the tests. A Python that this
    machine has not needs root and debootstrap. The short form plays a game and runs a few tests
    with the newest of the other Pythons that are here."""
    if is_short:
        _check_another(work, checklist)
        return
    wheel = _build_wheel(work)
    for version in _VERSIONS:
        program = _find_python(version)
        if program is not None:
            code, said = _test(_run_here, program, wheel, work / version)
        else:
            code, said = _test_in_chroot(version, wheel, work)
        checklist.check(f"Python {version}", code == 0, said.strip().splitlines()[-1])
        if code:
            print(said[-6000:])


def _check_another(work: Path, checklist: Checklist) -> None:
    own = "{}.{}".format(*sys.version_info)
    found = {each: _find_python(each) for each in _VERSIONS if each != own}
    version, program = max(((each, path) for each, path in found.items() if path), default=("", ""))
    if not program:
        print(f"NO PYTHON BUT {own} WAS TRIED: this machine has no other", flush=True)
        return
    code, said = _test(
        _run_here,
        program,
        _build_wheel(work),
        work / version,
        parts=_SHORT,
        extras="",
        besides=_RUNNERS,
    )
    checklist.check(f"Python {version}", code == 0, said.strip().splitlines()[-1])
    if code:
        print(said[-6000:])


def _run_here(command: str) -> tuple[int, str]:
    return run("sh", "-c", command, must=False)


def _test(
    shell: Callable[[str], tuple[int, str]],
    program: str,
    wheel: Path,
    folder: Path,
    root: Path = Path("/"),
    *,
    parts: tuple[str, ...] = _PARTS,
    extras: str = "[test]",
    besides: str = "",
) -> tuple[int, str]:
    """Install, play and test in a folder, which is below the root that the shell has."""
    source = export_tree(folder / "source")
    shutil.rmtree(source / "pbm")
    shutil.copy(wheel, folder)
    inside = Path("/") / folder.relative_to(root)
    python = inside / "environment" / "bin" / "python"
    return shell(
        f"{program} -m venv {python.parents[1]}"
        f" && {python} -m pip install -q -c {inside / 'source/.ci/constraints.txt'}"
        f" '{inside / wheel.name}{extras}' {besides}"
        f" && {python} --version"
        f" && cd {inside / 'source'} && {python.with_name('pbm')} demo"
        f" && {python} -m pytest -n 2 {' '.join(parts)}"
    )


def _test_in_chroot(version: str, wheel: Path, work: Path) -> tuple[int, str]:
    chroot = Chroot(work / f"chroot-{version}")
    chroot.bootstrap(_NEWER)
    chroot.run(f"apt-get -qq --no-install-recommends install python{version}-venv man-db procps")
    chroot.borrow_pip()

    def shell(command: str) -> tuple[int, str]:
        return chroot.run(command, must=False)

    root = chroot.root
    return _test(shell, f"python{version}", wheel, root / "root" / "pbm", root)


def _find_python(version: str) -> str | None:
    """Return an interpreter on the path, or one that pyenv keeps."""
    on_path = [Path(place) for place in os.environ["PATH"].split(os.pathsep)]
    for place in on_path + sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin")):
        path = place / f"python{version}"
        if path.exists() and run(path, "--version", must=False)[0] == 0:
            return str(path)
    return None

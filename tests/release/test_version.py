"""A version comes after the release before it, from a clone and from a tree without git."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.version import Version

from tests.harness.packages import require

ROOT = Path(__file__).parents[2]
_FILES = ("pbm/__init__.py", "pbm/version.py", "debian/write-changelog", ".gitattributes")
_NAMES = ("-c", "user.name=ann", "-c", "user.email=ann@example.org")


class Project:
    """A repository with the module of the version and what else says what is released."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in _FILES:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        (folder / ".gitignore").write_text("debian/changelog\n")
        self.dates = ""
        git(folder, "init", "-q")
        self._write("0.0.1")
        self.commit("before")

    def commit(self, text: str) -> str:
        (self.folder / "work").write_text(text)
        git(self.folder, "add", "-A")
        git(self.folder, *_NAMES, "commit", "-q", "-m", text)
        return git(self.folder, "rev-parse", "--short=12", "HEAD")

    def release(self, version: str) -> str:
        """Commit that this is released."""
        self._write(version)
        self.dates = f"## {version} (2026-11-26)\n\n{self.dates}"
        (self.folder / "CHANGELOG.md").write_text(f"# Changes\n\n{self.dates}", encoding="utf-8")
        return self.commit(version)

    def _write(self, version: str) -> None:
        path = self.folder / "pbm" / "version.py"
        lines = path.read_text(encoding="utf-8").splitlines()
        lines = [f'RELEASE = "{version}"' if one[:10] == "RELEASE = " else one for one in lines]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def ask(self) -> str:
        return ask(self.folder)


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def ask(folder: Path) -> str:
    """Return what a tree says which version it is."""
    command = [sys.executable, "-B", "-m", "pbm.version"]  # the file changes within a second
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    require("git")
    return Project(tmp_path / "project")


def test_versions_are_ordered_as_they_were_made(project: Project) -> None:
    project.release("0.2.0")
    made = [project.ask()]
    for number in range(1, 12):
        commit = project.commit(f"change {number}")
        made.append(project.ask())
        assert made[-1] == f"0.2.1.dev{number}+g{commit}"
    for version in ("0.2.1", "0.3.0"):
        project.release(version)
        made.append(project.ask())
        assert made[-1] == version
        project.commit(f"after {version}")
        made.append(project.ask())
    assert made == sorted(made, key=Version)
    if shutil.which("dpkg"):
        for one, next_one in pairwise(map(order_for_debian, made)):
            command = ["dpkg", "--compare-versions", one, "lt", next_one]
            assert subprocess.run(command, check=False).returncode == 0, (one, next_one)


def order_for_debian(version: str) -> str:
    return version.replace(".dev", "~dev")


def test_a_shallow_clone_does_not_pass_for_a_release(project: Project, tmp_path: Path) -> None:
    project.release("0.2.0")
    commit = project.commit("after")
    for depth, expected in ((1, f"0.2.1.dev0+g{commit}"), (3, f"0.2.1.dev1+g{commit}")):
        folder = tmp_path / f"depth-{depth}"
        git(tmp_path, "clone", "-q", f"--depth={depth}", project.folder.as_uri(), str(folder))
        assert ask(folder) == expected


def test_an_archive_of_git_knows_its_commit_and_its_tag(project: Project, tmp_path: Path) -> None:
    project.release("0.2.0")
    git(project.folder, *_NAMES, "tag", "v0.2.0")
    assert ask(export(project, tmp_path / "released")) == "0.2.0"
    commit = project.commit("after")
    version = ask(export(project, tmp_path / "after"))
    assert version.startswith("0.2.1.dev0+g")
    assert commit.startswith(version.partition("+g")[2])
    assert Version("0.2.0") < Version(version) < Version("0.2.1")


def export(project: Project, folder: Path) -> Path:
    """Unpack what `git archive` writes."""
    folder.mkdir()
    git(project.folder, "archive", "-o", str(folder / "it.tar"), "HEAD")
    subprocess.run(["tar", "-xf", "it.tar"], cwd=folder, check=True)
    return folder


def test_a_copy_without_git_comes_after_the_release(project: Project, tmp_path: Path) -> None:
    project.release("0.2.0")
    copy = tmp_path / "copy"
    shutil.copytree(project.folder, copy, ignore=shutil.ignore_patterns(".git"))
    assert ask(copy) == "0.2.1.dev0"
    (copy / "pbm" / "version.txt").write_text("0.2.1.dev7+g0123456789ab\n")
    assert ask(copy) == "0.2.1.dev7+g0123456789ab"


def test_the_debian_changelog_says_the_same(project: Project) -> None:
    def write() -> list[str]:
        command = [sys.executable, str(project.folder / "debian" / "write-changelog")]
        subprocess.run(command, check=True)
        text = (project.folder / "debian" / "changelog").read_text(encoding="utf-8")
        return [line for line in text.splitlines() if line.startswith("pbm-server")]

    project.release("0.2.0")
    first = "pbm-server (0.2.0) unstable; urgency=medium"
    assert write() == [first]
    commit = project.commit("after")
    assert write() == [f"pbm-server (0.2.1~dev1+g{commit}) unstable; urgency=medium", first]

"""The packages under `examples/`: written as the tutorial says, installed and played."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.cli.authors.check_game import GameSource
from pbm.games import find_name_clash
from pbm.rules.testing import check
from tests.docs.markdown import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("pbm-*"))
each_example = pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)


@pytest.fixture(autouse=True)
def path() -> Iterator[None]:
    """The module search path, as it was before."""
    before = sys.path[:]
    yield
    sys.path[:] = before


def test_there_is_one_of_each_kind() -> None:
    features = {
        folder.name: set(GameSource(str(folder)).find().info.features) for folder in EXAMPLES
    }
    assert features == {
        "pbm-domineering": set(),
        "pbm-outrank": set(),
        "pbm-pig": {"chance"},
        "pbm-ridge": {"paired"},
        "pbm-sprint": {"chance"},
        "pbm-tricks": {"chance", "hidden"},
    }


@each_example
def test_an_example_conforms(folder: Path) -> None:
    game = GameSource(str(folder)).find()
    assert check(game, games=4, moves=60) > 30
    assert find_name_clash(game) == ""


@each_example
def test_an_example_has_the_files_that_new_game_writes(folder: Path) -> None:
    name = folder.name.removeprefix("pbm-")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.[mpt]*")}
    assert files == {
        "README.md",
        "pyproject.toml",
        "rules.md",
        f"pbm_{name}.py",
        f"tests/test_{name}.py",
    }


def test_the_examples_pass_their_own_tests(tmp_path: Path) -> None:
    paths = [ROOT, *EXAMPLES]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"),
            *("-c", "/dev/null", "-k", "not conforms", f"--rootdir={tmp_path}"),
            *(str(folder / "tests") for folder in EXAMPLES),
        ],
        env={"PYTHONPATH": ":".join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "24 passed" in done.stdout


def test_an_installed_example_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """Built into a wheel, unpacked, and played by name."""
    folder = EXAMPLES[0]
    program = (
        "from hatchling.builders.wheel import WheelBuilder; import sys; "
        "list(WheelBuilder('.').build(directory=sys.argv[1]))"
    )
    built = [sys.executable, "-c", program, str(tmp_path)]
    subprocess.run(built, cwd=folder, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "pbm", "try", "domineering", "--random", "2"],
        env={"PYTHONPATH": f"{ROOT}:{tmp_path / 'site'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("2 random games of Domineering (seed 0)"), done.stderr

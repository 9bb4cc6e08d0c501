"""The wheel holds all that the server needs: unpacked beside nothing but its dependencies, it plays
the demonstration."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.harness.shell import environment

ROOT = Path(__file__).parents[2]
FROM_CONFIG = {
    "pbm.toml",
    "postfix/main.cf",
    "exim/pbm.conf",
    "opensmtpd/smtpd.conf",
    "systemd/pbm.service",
    "systemd/pbm.socket",
}
"""The files of `config` that `pbm manual` and `pbm setup` read."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `python -m build` makes."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), str(ROOT)],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = folder.iterdir()
    return built


def test_it_holds_the_package_and_the_migrations_and_no_more(wheel: Path) -> None:
    def files(folder: str) -> set[str]:
        found = (path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file())
        return {str(path) for path in found if "__pycache__" not in path.parts}

    sources = {name for name in files("pbm") if name.endswith(".po")}
    expected = files("pbm") - sources | {name.removesuffix("po") + "mo" for name in sources}
    expected |= {f"pbm/_{name}" for name in files("migrations")}
    expected |= {name.replace("docs/", "pbm/_", 1) for name in files("docs/authors")}
    expected |= {f"pbm/_config/{name}" for name in FROM_CONFIG}
    expected |= {f"pbm/_{Path(name).relative_to('docs')}" for name in files("docs/authors")}
    expected.add("pbm/version.txt")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in names if ".dist-info/" not in name} == expected
    (entries,) = [name for name in names if name.endswith(".dist-info/entry_points.txt")]
    assert b"\npbm = pbm.cli:main\n" in zipfile.ZipFile(wheel).read(entries)


@pytest.mark.long
def test_it_plays_the_demonstration(wheel: Path, tmp_path: Path) -> None:
    """Nothing of the checkout is on its path: templates, pages and migrations are its own."""
    packages, work = tmp_path / "packages", tmp_path / "work"
    zipfile.ZipFile(wheel).extractall(packages)
    work.mkdir()
    given = environment(TMPDIR=str(work), PBM_DATABASE_URL="sqlite:////nowhere/x.db")
    given["PYTHONPATH"] = str(packages)
    script = "import pbm.cli, sys; assert pbm.__file__.startswith(sys.argv.pop(1)); pbm.cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", script, str(packages), "demo"],
        capture_output=True,
        text=True,
        check=False,
        env=given,
        cwd=work,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    for said in (
        "ann@ann.example mails to pbm@games.example\n  Subject: signup ann ********\n",
        "bob@bob.example mails to pbm+b1-1-4-",
        "bob@bob.example reads\n  Subject: [cradle 1] ann - bob\n",
        "\n  | ann won (7): no cradle fits.\n",
    ):
        assert said in done.stdout
    assert "orchard7" not in done.stdout
    assert "kettle42" not in done.stdout
    assert list(work.iterdir()) == []

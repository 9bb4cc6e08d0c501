"""The manual pages are those of the commands and of the configuration."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import fields

from pbm.config import SECTIONS
from pbm.version import find_version
from tests.harness.packages import require
from tests.harness.shell import Shell

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["pbm.8", "pbm.toml.5"])
def page(request: pytest.FixtureRequest, shell: Shell, tmp_path: Path) -> Path:
    """A manual page."""
    name = str(request.param)
    (tmp_path / name).write_text(shell.ok("manual", name), encoding="utf-8")
    return tmp_path / name


def render(page: Path) -> str:
    """The page as man shows it; its warnings are errors."""
    require("man")
    command = ["man", "--warnings", "-l", str(page)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"MANWIDTH": "10000"}
    )
    assert done.stderr == ""
    return " ".join(re.sub(".\b", "", done.stdout).split())


def test_a_page_has_all_there_is_and_man_has_no_warning(page: Path) -> None:
    text = render(page)
    if page.name == "pbm.8":
        for words in (
            "pbm serve Run the server until SIGTERM",
            "pbm admin deliverability",
            "--name-server HOST[:PORT]",
            'eval "$(pbm completion bash)"',
            "PBM_CONFIG",
        ):
            assert words in text
        return
    source = (ROOT / "config" / "pbm.toml").read_text(encoding="utf-8")
    for name, section in SECTIONS.items():
        assert f"[{name}]" in text
        for key in fields(section):
            found = re.search(rf"^((?:# .*\n)+){key.name} = (.*)$", source, re.MULTILINE)
            assert found is not None
            remark = " ".join(found[1].replace("# ", "").split())
            assert f"{key.name} = {found[2]} {remark}" in text


def test_the_version_is_that_of_the_tree(shell: Shell) -> None:
    assert shell.ok("--version") == f"pbm {find_version()}\n"

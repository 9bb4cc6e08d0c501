"""The units: systemd itself reads them without a word, and they grant what the server needs."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbm.cli import USAGE
from tests.harness.packages import require

UNITS = Path(__file__).parents[2] / "config" / "systemd"
_PROGRAM = "/opt/pbm/bin/pbm"


class _UnitParser(configparser.RawConfigParser):
    """Names of directives are as they are written."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def read_unit(text: str) -> configparser.RawConfigParser:
    parser = _UnitParser(strict=False, comment_prefixes=("#",))
    parser.read_string(text)
    return parser


def unit(name: str) -> configparser.RawConfigParser:
    return read_unit((UNITS / name).read_text(encoding="utf-8"))


def analyze(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    require("systemd-analyze")
    return subprocess.run(
        ["systemd-analyze", *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The units, with a program that is on this machine."""
    for path in UNITS.iterdir():
        text = path.read_text(encoding="utf-8").replace(_PROGRAM, sys.executable)
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    return tmp_path


def test_systemd_finds_nothing_wrong(copied: Path) -> None:
    names = [f"./{path.name}" for path in copied.iterdir()]
    done = analyze(copied, "verify", *names)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    service = copied / "pbm.service"
    service.write_text(service.read_text().replace("ProtectHome=", "ProtectHouse="))
    assert "ProtectHouse" in analyze(copied, "verify", "./pbm.service").stderr


def test_it_can_do_little_harm(copied: Path) -> None:
    """`systemd-analyze security`: from 10, exposed, to 0."""
    done = analyze(copied, "security", "--offline=true", "--threshold=20", "./pbm.service")
    assert done.returncode == 0, done.stdout
    assert re.search(r"exposure level for pbm\.service: 1\.\d OK", done.stdout)


def test_the_service_says_what_the_server_does() -> None:
    service = unit("pbm.service")["Service"]
    assert service["Type"] == "notify"
    assert service["ExecStart"] == f"{_PROGRAM} --config /etc/pbm/pbm.toml serve"
    assert service["ExecReload"] == "/bin/kill -HUP $MAINPID"
    text = (UNITS / "pbm.service").read_text(encoding="utf-8")
    checks, _ = re.findall("(?m)^ExecReload=(.+)$", text)
    assert checks == f"{_PROGRAM} --config /etc/pbm/pbm.toml admin reload --check"
    assert unit("pbm.service")["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit("pbm.socket")["Install"]["RequiredBy"] == "pbm.service"
    assert int(service["WatchdogSec"]) >= 30
    assert int(service["RestartPreventExitStatus"]) == USAGE
    assert unit("pbm.socket")["Socket"]["FileDescriptorName"] == "smtp"
    assert unit("pbm_web.socket")["Socket"]["FileDescriptorName"] == "web"


def test_the_other_way_to_port_25_is_there_in_full(copied: Path) -> None:
    """Taking the # off and deleting two lines, as the comment says, gives a sound unit."""
    service = copied / "pbm.service"
    text = re.sub(r"(?m)^(CapabilityBoundingSet=|PrivateUsers=yes)\n", "", service.read_text())
    service.write_text(re.sub(r"(?m)^#(?=\w+=CAP_)", "", text))
    done = analyze(copied, "verify", "./pbm.service")
    assert (done.returncode, done.stderr) == (0, "")
    done = analyze(copied, "security", "--offline=true", "--threshold=30", "./pbm.service")
    assert done.returncode == 0, done.stdout

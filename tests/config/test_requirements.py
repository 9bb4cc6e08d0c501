"""config/requirements.txt pins everything that an operator installs, by version and checksum."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.docs.markdown import ROOT

TEXT = (ROOT / "config" / "requirements.txt").read_text(encoding="utf-8")
PINNED = {
    canonicalize_name(name): Version(version)
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", TEXT, re.MULTILINE)
}


def test_each_library_of_an_installation_is_pinned_within_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = map(Requirement, project["dependencies"] + extras["imap"] + extras["metrics"])
    for requirement in named:
        assert PINNED[canonicalize_name(requirement.name)] in requirement.specifier, requirement
    assert PINNED.keys() >= {"hatchling", "babel"}, "what builds it"


def test_the_tests_use_the_same_versions() -> None:
    text = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8")
    used = {
        canonicalize_name(name): Version(version)
        for name, version in re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE)
    }
    both = PINNED.keys() & used.keys()
    assert {name: PINNED[name] for name in both} == {name: used[name] for name in both}
    assert len(both) > 30


def test_each_has_checksums_and_none_an_address() -> None:
    lines = [line for line in TEXT.splitlines() if not line.startswith("#")]
    for one in re.split(r"\n(?=\S)", "\n".join(lines)):
        assert re.fullmatch(
            r"[\w.-]+==[\w.]+( ; [^\\]+)? \\\n(    --hash=sha256:[0-9a-f]{64}( \\)?\n?)+", one
        ), one
    assert "://" not in TEXT

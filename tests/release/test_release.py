"""A release: built the same twice, with a bill of what is in it."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from pbm.features.finding.help import load_pages
from pbm.locale import LANGUAGES
from pbm.version import find_version
from tools.release.__main__ import (
    Broken,
    check_advisories,
    check_attacks,
    check_changelog,
    check_languages,
)
from tools.release.folder import ROOT, build, read_notes, unpack
from tools.release.sbom import build_sbom, inspect_packages
from tools.release.upgrades import NOT_TRIED


def test_two_builds_are_equal(tmp_path: Path) -> None:
    """In other folders, with other rights of the files, and from the archive of the first; the
    version is everywhere that of the tree."""
    [name] = build(ROOT, tmp_path / "out", "--sdist")
    source = unpack(tmp_path / "out" / name, tmp_path / "a")
    for path in ("pbm/version.txt", "README.md", "config/pbm.toml", "debian/control"):
        assert (source / path).is_file(), path
    assert not (source / ".venv").exists()
    first = build(source, tmp_path / "first", "--wheel")
    other = unpack(tmp_path / "out" / name, tmp_path / "longer-name")
    assert build(other, tmp_path / "second", "--wheel", umask=0o077) == first
    (wheel,) = (tmp_path / "first").glob("*.whl")
    version = find_version()
    assert name == f"pbm_server-{version}.tar.gz"
    assert wheel.name == f"pbm_server-{version}-py3-none-any.whl"
    files = zipfile.ZipFile(wheel)
    assert files.read("pbm/version.txt").decode() == f"{version}\n"
    catalogue = files.read("pbm/locale/de/LC_MESSAGES/pbm.mo")
    assert set(re.findall(rb"Date: (\S+)", catalogue)) == {b"2020-02-02"}  # not that of the build


def test_a_bill_names_each_part_with_version_and_licence() -> None:
    bill = build_sbom("pbm-server", inspect_packages())
    assert bill["metadata"]["component"]["purl"].startswith("pkg:pypi/pbm-server@")
    parts = {part["name"]: part for part in bill["components"]}
    assert parts["msgspec"]["purl"].startswith("pkg:pypi/msgspec@")
    for part in parts.values():
        assert part["licenses"][0]["license"]["name"]


def test_a_bill_has_the_text_of_a_licence_without_a_name_and_what_was_compiled_in() -> None:
    parts = {
        part["name"]: part for part in build_sbom("pbm-server", inspect_packages())["components"]
    }
    [licence] = parts["resvg_py"]["licenses"]
    assert licence["license"]["name"] == "its text"
    assert "Permission is hereby granted" in licence["license"]["text"]["content"]
    assert "usvg" in {part["name"] for part in parts["resvg_py"]["components"]}


_AUDIT = """#!/bin/sh
case " $* " in
*" --strict "*) echo "ERROR:pip_audit._cli:click: could not be audited" >&2; exit 1 ;;
*) echo "No known vulnerabilities found" >&2 ;;
esac
"""
"""What pip-audit says where it cannot ask anybody."""


def test_advisories_that_cannot_be_asked_for_are_left_to_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip-audit").write_text(_AUDIT)
    (tmp_path / "pip-audit").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    [(_, _, says)] = check_advisories()
    assert says.startswith(NOT_TRIED)


def test_the_changelog_is_one_of_releases() -> None:
    assert [what for what, is_right, _ in check_changelog() if not is_right] == []
    _, notes = read_notes()
    assert notes.startswith("### What you must do\n")
    assert "### In detail" not in notes


def test_a_release_asks_for_each_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_pages(), "untranslated", "A page of today.")
    found = list(check_languages())
    assert len(found) == len(LANGUAGES) - 1
    assert not any(is_right for _, is_right, _ in found)
    assert all(says.endswith(", 1 not translated") for _, _, says in found)


def test_a_release_varies_attacks_and_stops_at_one_that_succeeds() -> None:
    ((what, is_right, says),) = check_attacks("files", minutes=0.1)
    assert what == "no varied attack succeeds"
    assert is_right
    assert "0 broken" in says
    found = check_attacks("an attack that cannot even be tried")
    assert [is_right for _, is_right, _ in (next(found),)] == [False]
    with pytest.raises(Broken):
        next(found)

"""Every page: commands and programs exist, configurations load, links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from pbm.config import parse
from tests.docs.markdown import (
    PAGES,
    ROOT,
    anchors,
    check_command,
    fenced,
    name_of,
    quoted,
    read_page,
    typed_lines,
    without_blocks,
    words_of,
)

_OURS = re.compile(r"(?:\.venv/bin/|/opt/pbm/bin/)?pbm ")
each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


def test_the_pages_are_found() -> None:
    assert {"README.md", "docs/architecture.md", "docs/decisions/0002-own-mime-reader.md"} <= {
        name_of(page) for page in PAGES
    }


_PROGRAM = re.compile(r"(?:\.venv/bin/)?python3? -m ((?:tests|tools|pbm)[\w.]*)(.*)")


@each_page
def test_every_command_of_ours_exists_with_its_options(page: Path) -> None:
    text = read_page(page)
    for line in typed_lines(text):
        if _OURS.match(line):
            check_command(words_of(line)[1:], whole=True)
    for passage in quoted(text):
        if _OURS.match(passage):
            check_command(words_of(passage)[1:], whole=False)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name_of
)
def test_every_program_exists_and_has_these_options(page: Path) -> None:
    """The changelog also names programs of older versions, which are gone."""
    text = read_page(page)
    for passage in [*typed_lines(text), *quoted(text)]:
        match = _PROGRAM.fullmatch(passage)
        if match is None:
            continue
        spec = find_spec(match[1])
        assert spec is not None, passage
        assert spec.origin is not None
        source = Path(spec.origin)
        if source.name == "__init__.py":
            source = source.with_name("__main__.py")
        assert source.is_file(), passage
        options = re.findall(r"--[a-z-]+", match[2])
        code = "".join(path.read_text() for path in source.parent.glob("*.py"))
        assert all(option in code for option in options), passage


@each_page
def test_every_configuration_loads(page: Path) -> None:
    """A block of TOML is a pbm.toml, or part of one, or the pyproject.toml of a package."""
    for block in fenced(read_page(page), "toml"):
        if "project" in tomllib.loads(block):
            assert tomllib.loads(block)["project"]["entry-points"]["pbm.games"]
        else:
            parse(block)
    for section, key in re.findall(r"`\[(\w+)\] (\w+)", without_blocks(read_page(page))):
        if section == "pbm":  # the subject of a mail
            continue
        assert re.search(rf"^{key} = ", _section(section), re.MULTILINE), (section, key)


def _section(name: str) -> str:
    text = (ROOT / "config" / "pbm.toml").read_text(encoding="utf-8")
    match = re.search(rf"^\[{name}\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    assert match is not None, name
    return match[1]


@each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    text = without_blocks(read_page(page))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?://|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(read_page(target)), link


@each_page
def test_every_path_that_is_named_is_there(page: Path) -> None:
    for passage in quoted(read_page(page)):
        if re.fullmatch(r"(?:pbm|tests|tools|config|migrations|docs|\.ci)(?:/[\w.-]+)+/?", passage):
            path = passage.replace("NAME.py", "hex.py").replace("NAME", "cyclone")
            assert (ROOT / path).exists(), passage


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for link in re.findall(r"\]\(([^)#\s]+)", without_blocks(read_page(page))):
            target = (page.parent / link).resolve()
            if target.is_file():
                waiting.append(target)
    assert set(PAGES) <= seen


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["admin", "nonsense"], ["doctor", "--nonsense"], ["admin", "mail", "1", "2"]],
)
def test_a_command_that_does_not_exist_is_noticed(words: list[str]) -> None:
    with pytest.raises(click.ClickException):
        check_command(words, whole=True)

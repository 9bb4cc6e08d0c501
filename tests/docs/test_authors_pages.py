"""The pages for authors are true: the tutorial is carried out, the examples of code run, and the
site with the interface can be built."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbm.cli import cli
from pbm.cli.authors.check_game import GameSource
from pbm.rules.testing import check, find_faults
from tests.docs.markdown import ROOT, fenced, read_page, typed_lines, words_of

PAGES = ROOT / "docs" / "authors"
_OUTSIDE = ("python3 -m venv", ". .venv", "pip install", "python -m pytest", "python -m build")
"""What the tutorial has you type that is not ours; `.ci/run` and the tests of packages do it."""


@pytest.fixture(autouse=True)
def path() -> Iterator[None]:
    """The module search path, as it was before."""
    before = sys.path[:]
    yield
    sys.path[:] = before


def test_the_tutorial_leads_to_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command is typed, the module is put together from its parts, and the test is run."""
    text = read_page(PAGES / "tutorial.md")
    monkeypatch.chdir(tmp_path)
    module = Path("pbm-domineering/pbm_domineering.py")
    shown = [block.strip() for block in fenced(text, "text")]
    before, after = text.split("## The module")
    assert _type(before, [f"{shown[0].removeprefix('white: ')}\n?\nquit\n"])[-1].startswith("\n")
    module.write_text(_build_module(after.split("## Try it")[0]))
    output = _type(after, [f"{shown[1]}\nquit\n", "b2-b3\nquit\n", "", ""])
    assert "horizontal: a4-b4" in output[0]
    assert "vertical: b2-b3" in output[1]
    assert output[2].startswith("1000 random games of Domineering (seed 0)")
    assert output[3] == "Domineering: nothing found in 12 random games (seed 0)\n"


def _type(text: str, inputs: list[str]) -> list[str]:
    """Type the commands of a page, each with its input; what they print."""
    output, left = [], iter(inputs)
    for line in typed_lines(text):
        if line.startswith(_OUTSIDE):
            continue
        words = words_of(line)
        assert words[0] == "pbm", line
        typed = "" if words[1] == "new-game" else next(left)
        done = CliRunner().invoke(cli, words[1:], input=typed, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        if words[1] != "new-game":
            output.append(done.output)
    return output


def _build_module(text: str) -> str:
    """The module that the parts of a page make: those that are indented belong together."""
    parts = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return "".join(
        part if not number else f"\n{part}" if part.startswith(" ") else f"\n\n{part}"
        for number, part in enumerate(parts)
    )


def test_the_game_of_the_tutorial_is_the_example() -> None:
    text = read_page(PAGES / "tutorial.md").split("## The module")[1].split("## Try it")[0]
    example = (ROOT / "examples/pbm-domineering/pbm_domineering.py").read_text(encoding="utf-8")
    assert _squeeze(_build_module(text)) == _squeeze(example)


def _squeeze(source: str) -> str:
    """A source without the number of its empty lines."""
    return re.sub(r"\n\n+", "\n\n", source)


def test_the_test_of_the_tutorial_passes() -> None:
    section = read_page(PAGES / "tutorial.md").split("## Write the tests")[1]
    (block,) = fenced(section, "python")
    GameSource(str(ROOT / "examples" / "pbm-domineering"))
    namespace: dict[str, Any] = {}
    exec(block, namespace)  # noqa: S102 (from our own page)
    namespace["test_vertical_begins_with_an_upright_domino"]()


def test_the_finding_that_the_tutorial_shows_is_one(tmp_path: Path) -> None:
    source = (ROOT / "examples/pbm-domineering/pbm_domineering.py").read_text(encoding="utf-8")
    twice = source.replace("        return [\n", "        return 2 * [\n", 1)
    (tmp_path / "pbm_domineering.py").write_text(twice)
    game = GameSource(str(tmp_path / "pbm_domineering.py")).find()
    text = find_faults(game, games=1, moves=2)[0].explain()
    shown = fenced(read_page(PAGES / "tutorial.md"), "text")[2]
    assert all(line in text for line in shown.splitlines())


def test_the_code_of_the_recipes_runs() -> None:
    namespace: dict[str, Any] = {
        "GAME_WITH_DICE": GameSource(str(ROOT / "examples" / "pbm-pig")).find(),
        "GAME_WITH_HANDS": GameSource(str(ROOT / "examples" / "pbm-tricks")).find(),
    }
    blocks = fenced(read_page(PAGES / "recipes.md"), "python")
    assert len(blocks) >= 7
    for block in blocks:
        exec(block, namespace)  # noqa: S102 (from our own page)


@pytest.mark.parametrize("name", ["sprint", "muster", "outrank", "secret", "ridge"])
def test_a_whole_game_of_the_recipes_can_be_played(name: str, tmp_path: Path) -> None:
    """Each is at most 80 lines, conforms as it stands, and is the example of its name, if there is
    one."""
    blocks = fenced(read_page(PAGES / "families.md"), "python")
    (block,) = [one for one in blocks if f'"{name}"' in one or f"[{name}:" in one]
    assert sum(bool(line.strip()) for line in block.splitlines()) <= 80
    module = tmp_path / f"pbm_{name}.py"
    module.write_text(block)
    found = find_faults(GameSource(str(module)).find(), games=3, moves=40)
    assert [one.explain() for one in found] == []
    example = ROOT / f"examples/pbm-{name}/pbm_{name}.py"
    if name not in ("muster", "secret"):
        assert _strip(block) == _strip(example.read_text(encoding="utf-8"))


def _strip(source: str) -> str:
    """Leave out the docstring of a module and the text of its help."""
    source = re.sub(r'\A"""[^"]*"""\n', "", source)
    return _squeeze(re.sub(r'^HELP = (""".*?"""|"[^\n]*)$', "", source, flags=re.M | re.S)).strip()


def test_the_topics_of_new_game_are_the_pages() -> None:
    listed = CliRunner().invoke(cli, ["new-game", "--help-topic", "list"])
    names = [line.split()[0] for line in listed.output.splitlines()]
    pages = {page.stem for page in PAGES.glob("*.md")} - {"README"}
    assert set(names) == pages | {"contents"}
    for name in pages:
        shown = CliRunner().invoke(cli, ["new-game", "--help-topic", name])
        assert (shown.exit_code, shown.output.strip()) == (
            0,
            read_page(PAGES / f"{name}.md").strip(),
        )
    wrong = CliRunner().invoke(cli, ["new-game", "--help-topic", "cards"])
    assert wrong.exit_code == 2
    assert "there is no topic cards; type one of these: contents, comparing" in wrong.output


def test_the_games_that_were_ported_conform() -> None:
    # A module of its own: a dataclass looks its annotations up there.
    source = "\n".join(fenced(read_page(PAGES / "porting.md"), "python"))
    namespace: dict[str, Any] = {"__name__": __name__}
    exec(source, namespace)  # noqa: S102 (from our own page)
    for name in ("APART", "FIFTEEN"):
        assert check(namespace[name], games=4, moves=60) > 20


def test_a_game_is_compared_as_the_page_says() -> None:
    (block,) = fenced(read_page(PAGES / "comparing.md"), "python")
    namespace: dict[str, Any] = {"__name__": __name__}
    exec(block, namespace)  # noqa: S102 (from our own page)
    game = GameSource(str(ROOT / "examples" / "pbm-domineering")).find()

    class Plain:
        """Domineering once more, with a set of covered squares."""

        def __init__(self) -> None:
            self.covered: set[tuple[int, int]] = set()
            self.turn = 0

        def moves(self) -> list[str]:
            across, up = (0, 1) if self.turn % 2 == 0 else (1, 0)
            return [
                f"{'abcdefgh'[x]}{y + 1}-{'abcdefgh'[x + across]}{y + up + 1}"
                for x in range(8 - across)
                for y in range(8 - up)
                if not {(x, y), (x + across, y + up)} & self.covered
            ]

        def play(self, move: str) -> None:
            for name in move.split("-"):
                self.covered.add(("abcdefgh".index(name[0]), int(name[1]) - 1))
            self.turn += 1

        def ranks(self) -> tuple[int, ...] | None:
            return None if self.moves() else ((2, 1) if self.turn % 2 == 0 else (1, 2))

    assert all(namespace["compare"](game, Plain(), seed) > 10 for seed in range(3))

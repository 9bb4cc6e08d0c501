"""Games that were written for an earlier release go on working: the examples of each, as they were,
and every name that their authors could import. `python -m tools.release --cut` keeps both."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from pbm.rules.phrases import Listing, capitalize
from tools.release.keeping import NAMES

RELEASES = sorted(path for path in Path(__file__).parent.iterdir() if (path / NAMES).is_file())
EXAMPLES = [folder for release in RELEASES for folder in sorted(release.glob("pbm-*"))]
TOOLKIT_OF_CHESS = "pbm.rules.chess.variant."
"""What games of the chess family are written with; how these are played may be cut otherwise."""


def find(path: str) -> object:
    """What stands at a dotted path, as `from MODULE import NAME` finds it."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_an_example_of_an_earlier_release_is_played(folder: Path) -> None:
    """In a process of its own, as its author would; a warning is no fault."""
    words = [sys.executable, "-m", "pbm", "check-game", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing found" in done.stdout


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
@pytest.mark.filterwarnings("ignore:pbm.rules:DeprecationWarning")
def test_every_name_of_an_earlier_release_is_found(release: Path) -> None:
    names = (release / NAMES).read_text("utf-8").split()
    promised = [
        name
        for name in names
        if not name.startswith("pbm.rules.chess.") or name.startswith(TOOLKIT_OF_CHESS)
    ]
    assert len(promised) > 100
    missing = []
    for name in promised:
        try:
            find(name)
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == [], "forward them: pbm/rules/moved.py"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pbm.rules.drawing.sentences.capitalize", capitalize),
        ("pbm.rules.drawing.sentences.join_words", Listing),
    ],
)
def test_a_name_that_has_moved_warns_of_where_it_is(old: str, new: object) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} is now pbm.rules.phrases") as warned:
        assert find(old) is new
    assert warned[0].filename == __file__
    with pytest.raises(AttributeError, match="has no attribute"):
        find("pbm.rules.drawing.sentences.never_there")


def test_the_author_is_shown_the_warning(tmp_path: Path) -> None:
    """By check-game, which does not fail for it."""
    example = next(path for path in EXAMPLES if path.name == "pbm-pig")
    game = tmp_path / "pbm_pig.py"
    text = (example / "pbm_pig.py").read_text("utf-8")
    moved = "from pbm.rules.drawing.sentences import join_words\n"
    game.write_text(text.replace("import re\n", f"import re\n{moved}", 1), encoding="utf-8")
    words = [sys.executable, "-m", "pbm", "check-game", str(game)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    line = game.read_text("utf-8").split("\n").index(moved.strip()) + 1
    said = f"pbm_pig.py:{line}: DeprecationWarning: pbm.rules.drawing.sentences.join_words is now"
    assert said in done.stderr

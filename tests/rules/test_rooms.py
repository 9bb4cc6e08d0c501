"""The rooms of rules and games: every module is found by a name of its own."""

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

import pbm
from pbm.rules.moved import MOVED

ROOT = Path(pbm.__file__).parent
ROOMS = [*(ROOT / "rules").rglob("*.py"), *(ROOT / "games").rglob("*.py")]
NAMES = Counter(path.stem for path in ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_has_a_name_of_its_own(path: Path) -> None:
    if path.stem != "__init__":
        assert NAMES[path.stem] == 1
        assert not path.stem.startswith("_")


def test_a_folder_holds_a_handful_of_modules() -> None:
    folders = Counter(path.parent for path in ROOMS if path.parent != ROOT / "games")
    assert max(folders.values()) <= 20


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_what_has_moved_is_where_it_is_said_to_be(old: str, new: str) -> None:
    assert find_spec(new) is not None
    assert find_spec(old) is None

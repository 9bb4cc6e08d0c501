"""The package of a new game, written from templates."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from pbm.core.words import list_command_words
from pbm.games import find_rejected_name, reserve
from pbm.version import RELEASE

_TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9]{1,19}")
_TEXT = re.compile(r"[ !#-\[\]-~]*")
_HELP = re.compile(r'^(HELP = """\\\n)(.*?)^"""', re.MULTILINE | re.DOTALL)
MOST_SEATS = 4


class SkeletonError(ValueError):
    """A package that cannot be written; the text says why."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the author wants to begin with.

    shape       "squares", "hexagons" or "track"
    low, high   the numbers of players
    has_hands   whether players have something that only they see
    is_sealed   whether all move at the same time
    openspiel   the game of OpenSpiel that is wanted instead; "" for none
    """

    name: str
    title: str
    shape: str = "squares"
    low: int = 2
    high: int = 2
    has_dice: bool = False
    has_hands: bool = False
    is_sealed: bool = False
    openspiel: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether a family of the toolkit does most of the work: two sides, nothing else."""
        has_more = self.has_dice or self.has_hands or self.is_sealed
        return self.shape != "track" and self.low == self.high == 2 and not has_more


def write_package(wishes: Wishes, folder: Path) -> list[Path]:
    """Write the package, and return its files. SkeletonError when it cannot be."""
    check_name(wishes.name)
    for text in (wishes.title, wishes.openspiel):
        if not _TEXT.fullmatch(text):
            raise SkeletonError(
                f"{text} stands in the module between quotes: type printable ASCII, but neither a "
                "double quote nor a backslash"
            )
    if not 2 <= wishes.low <= wishes.high <= MOST_SEATS:
        raise SkeletonError(f"a new game begins with 2 to {MOST_SEATS} players")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SkeletonError(f"{folder} exists already; give another --folder")
    written = []
    for name, text in render_package(wishes).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def check_name(name: str) -> None:
    """Raise SkeletonError when no game can have that name."""
    if not _NAME.fullmatch(name):
        raise SkeletonError(
            f"a game is named with 2 to 20 letters and digits, a letter first, not {name}"
        )
    reserve(list_command_words())
    if cause := find_rejected_name(name):
        raise SkeletonError(f"{cause}; choose another")


def render_package(wishes: Wishes) -> dict[str, str]:
    """Return the text of each file of the package, by its path."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Python, not HTML)
    )
    values = _build_values(wishes)
    if wishes.openspiel:
        template = "openspiel.py.jinja"
    else:
        template = "two_sides.py.jinja" if wishes.is_plain else "seats.py.jinja"
    source = _HELP.sub(_wrap_help, environment.get_template(template).render(values))
    values["help_text"] = _find_help(source)
    files = {
        "pyproject.toml": "pyproject.toml.jinja",
        "README.md": "README.md.jinja",
        "rules.md": "rules.md.jinja",
        f"tests/test_{wishes.name}.py": "test_game.py.jinja",
    }
    texts = {path: environment.get_template(name).render(values) for path, name in files.items()}
    return {f"{values['module']}.py": source, **texts}


def _build_values(wishes: Wishes) -> dict[str, Any]:
    is_hexagonal = wishes.shape == "hexagons"
    features = [
        word
        for word, is_wanted in (
            ("chance", wishes.has_dice or wishes.has_hands),
            ("hidden", wishes.has_hands),
            ("sealed", wishes.is_sealed),
        )
        if is_wanted
    ]
    return {
        "name": wishes.name,
        "title": wishes.title,
        "class_name": f"{wishes.name.capitalize()}Position",
        "module": f"pbm_{wishes.name}",
        "package": f"pbm-{wishes.name}",
        "pbm_version": RELEASE,
        "shape": wishes.shape,
        "low": wishes.low,
        "high": wishes.high,
        "players_text": str(wishes.low)
        if wishes.low == wishes.high
        else f"{wishes.low} to {wishes.high}",
        "dice": wishes.has_dice,
        "hidden": wishes.has_hands,
        "sealed": wishes.is_sealed,
        "chance": wishes.has_dice or wishes.has_hands or bool(wishes.openspiel),
        "features": "{" + ", ".join(f'"{word}"' for word in features) + "}" if features else "",
        "summary": "run along the track" if wishes.shape == "track" else "take places side by side",
        "openspiel": wishes.openspiel,
        "row": 4,
        "size": 4 if is_hexagonal else 5,
        "low_size": 3,
        "high_size": 6 if is_hexagonal else 9,
        "example": "b2",
    }


def _wrap_help(match: re.Match[str]) -> str:
    """Return the help page in a module, with its paragraphs filled; indented lines stay as they
    are."""
    lines: list[str] = []
    paragraph: list[str] = []
    for line in [*match[2].split("\n"), ""]:
        if line and not line.startswith(" "):
            paragraph.append(line)
            continue
        lines += textwrap.wrap(" ".join(paragraph), 78, break_on_hyphens=False)
        paragraph = []
        lines.append(line)
    return match[1] + "\n".join(lines).rstrip() + '\n"""'


def _find_help(source: str) -> str:
    """Return the rules as the help page of the module tells them, without its title."""
    match = _HELP.search(source)
    return match[2].partition("\n\n")[2] if match else "See the help page of the game.\n"

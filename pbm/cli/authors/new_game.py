"""`pbm new-game`: the package of a new game, which is playable at once."""

from __future__ import annotations

import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import click
import jinja2

from pbm.cli import REFUSED, USAGE, CommandFailed
from pbm.core.words import list_command_words
from pbm.games import find_rejected_name, reserve
from pbm.version import RELEASE

_SEATS = re.compile(r"\s*([0-9]+)\s*(?:-\s*([0-9]+)\s*)?")
_SHAPES = ("squares", "hexagons", "track")


def _read_seats(text: str) -> tuple[int, int]:
    """Return the smallest and the largest number of players in `2` or `2-4`."""
    if match := _SEATS.fullmatch(text):
        seats = int(match[1]), int(match[2] or match[1])
        if 2 <= seats[0] <= seats[1] <= MOST_SEATS:
            return seats
    raise click.BadParameter(
        f"{text} is no number of players: type one from 2 to {MOST_SEATS}, or two such as 2-4"
    )


@click.command("new-game")
@click.argument("name", required=False, default="")
@click.option("--title", default="", help="the name as people write it")
@click.option("--shape", type=click.Choice(_SHAPES), help="the shape of the board")
@click.option("--players", type=_read_seats, metavar="N or N-M", help="how many play: 2, or 2-4")
@click.option("--dice/--no-dice", default=None, help="whether dice are rolled")
@click.option("--hidden/--no-hidden", default=None, help="whether players have hidden hands")
@click.option("--sealed/--no-sealed", default=None, help="whether all move at the same time")
@click.option("--openspiel", metavar="GAME", help="a game of OpenSpiel, such as 'go(board_size=9)'")
@click.option("--folder", metavar="PATH", help="where to write it (default: ./pbm-NAME)")
@click.option(
    "--help-topic",
    metavar="TOPIC",
    help="show a page for authors and end; `list` names them",
)
def command(
    name: str,
    title: str,
    shape: str | None,
    players: tuple[int, int] | None,
    dice: bool | None,
    hidden: bool | None,
    sealed: bool | None,
    openspiel: str | None,
    folder: str | None,
    help_topic: str | None,
) -> None:
    """Write the package of a new game: module, rules, help, tests, pyproject.toml.

    What it writes is a small game that can be played at once, to be changed into yours. Questions
    choose where to begin; each has an option that answers it. Nothing is ever overwritten.
    """
    if help_topic is not None:
        show_topic(help_topic)
        return
    if not name:
        raise CommandFailed("new-game needs a name: pbm new-game harbour", USAGE)
    name = name.lower()
    try:
        check_name(name)
    except SkeletonError as error:
        raise CommandFailed(str(error), USAGE) from None
    asks = sys.stdin.isatty()
    if openspiel is None:
        if asks:
            shape = shape or click.prompt("The board", "squares", type=click.Choice(_SHAPES))
            question = "How many play (2, or 2-4)"
            players = players or click.prompt(question, "2", value_proc=_read_seats)
        dice = _ask_yes("Are there dice?", dice, asks)
        hidden = _ask_yes("Have players hidden hands?", hidden, asks)
        sealed = _ask_yes("Do all move at the same time, sealed?", sealed, asks)
    else:
        from pbm.adapters.openspiel import OpenSpielError, adapt

        try:
            adapt(openspiel)
        except OpenSpielError as error:
            raise CommandFailed(str(error), REFUSED) from None
    low, high = players or (2, 2)
    wishes = Wishes(
        name=name,
        title=title or name.capitalize(),
        shape=shape or "squares",
        low=low,
        high=high,
        has_dice=bool(dice),
        has_hands=bool(hidden),
        is_sealed=bool(sealed),
        openspiel=openspiel or "",
    )
    target = Path(folder or f"pbm-{wishes.name}")
    try:
        files = write_package(wishes, target)
    except SkeletonError as error:
        raise CommandFailed(str(error), USAGE) from None
    except OSError as error:
        raise CommandFailed(f"{target} cannot be written: {error.strerror}", REFUSED) from None
    for file in files:
        click.echo(f"  {file}")
    click.echo(f"\nTo play it: pbm try {target}\nTo check it: pbm check-game {target}")


def _ask_yes(question: str, given: bool | None, asks: bool) -> bool:
    if given is None and asks:
        return click.confirm(question, default=False)
    return bool(given)


# The package of a new game, written from templates.

_TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9]{1,19}")
_TEXT = re.compile(r"[ !#-\[\]-~]*")
_HELP = re.compile(r'^(HELP = """\\\n)(.*?)^"""', re.MULTILINE | re.DOTALL)
MOST_SEATS = 4


class SkeletonError(ValueError):
    """A package that cannot be written; the text says why."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The author's choices for a new game.

    shape       "squares", "hexagons" or "track"
    low, high   the numbers of players
    has_hands   whether players have something hidden from others
    is_sealed   whether all move at the same time
    openspiel   a game of OpenSpiel to use instead; "" for none
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
        """Whether a family of the toolkit does most of the work: two sides, and nothing hidden or
        at the same time."""
        has_more = self.has_dice or self.has_hands or self.is_sealed
        return self.shape != "track" and self.low == self.high == 2 and not has_more


def write_package(wishes: Wishes, folder: Path) -> list[Path]:
    """Write the package, and return its files. SkeletonError if that is impossible."""
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
    """Raise SkeletonError for a name that no game can have."""
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


def _build_values(wishes: Wishes) -> dict[str, object]:
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
    """Return the help page in a module, with its paragraphs wrapped; indented lines stay
    unchanged."""
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
    """Return the rules from the help page of the module, without its title."""
    match = _HELP.search(source)
    return match[2].partition("\n\n")[2] if match else "See the help page of the game.\n"


# The pages for authors at the terminal: `pbm new-game --help-topic`.

_PACKAGE = Path(__file__).parents[2]
_FOLDERS = (_PACKAGE / "_authors", _PACKAGE.parent / "docs" / "authors")
"""The folders of the pages, in an installation and in the repository."""
LIST = "list"


def find_topics() -> dict[str, Path]:
    """Find the page of each topic, the contents first."""
    folder = next((one for one in _FOLDERS if one.is_dir()), None)
    pages = [] if folder is None else sorted(folder.glob("*.md"))
    named = {("contents" if page.stem == "README" else page.stem): page for page in pages}
    return dict(sorted(named.items(), key=lambda row: (row[0] != "contents", row[0])))


def show_topic(topic: str) -> None:
    """Show a page, or list them."""
    topics = find_topics()
    if topic == LIST:
        for name, page in topics.items():
            title = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
            click.echo(f"  {name:14} {title}")
    elif topic in topics:
        click.echo_via_pager(topics[topic].read_text(encoding="utf-8"))
    else:
        names = ", ".join(topics)
        raise CommandFailed(f"there is no topic {topic}; type one of these: {names}", USAGE)

"""The pages of the games: rules, picture, options and notation of each, and the gallery."""

from __future__ import annotations

import posixpath
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path

from pbm.features.finding.game_page import build_game_page
from pbm.games import get_game, list_game_names
from pbm.pictures.board_picture import draw_lesson
from pbm.rules import Game, GameInfo
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.game_info import FAMILIES
from tools.gallery import sample

FOLDER = "games"
_RULES = Path(__file__).parents[2] / "docs" / "rules"
_FEATURES = {
    "chance": "chance",
    "hidden": "something is hidden",
    "sealed": "all move at once, sealed",
    "swap": "the second player may swap",
}


def list_own_games() -> list[str]:
    """Return the names of the games of this repository, without those of packages that are
    installed."""
    names = list_game_names()
    return [name for name in names if type(get_game(name)).__module__.startswith("pbm.")]


def write_gallery() -> str:
    """Return the index of all games, by family, each with its picture."""
    names = list_own_games()
    parts = [
        "# Games\n",
        f"All {len(names)} games, each with its rules, a picture of a game under way and how its "
        "moves are written. Variants of chess from a file in the format of Fairy-Stockfish and "
        "games in [packages of others](../authors/README.md) add to them.\n",
    ]
    families = {name: title for name, title in FAMILIES.items()} | {"": "and others"}
    for family, title in families.items():
        members = [name for name in names if get_game(name).info.family == family]
        if members:
            parts.append(f"## {title[0].upper()}{title[1:]}\n")
            parts.append(f'<div class="gallery">\n{"".join(map(_write_tile, members))}</div>\n')
    return "\n".join(parts)


def _write_tile(name: str) -> str:
    info = get_game(name).info
    picture = f'<img src="{name}.svg" alt="" loading="lazy">' if draw_game(name) else ""
    return (
        f'<a href="{name}/">{picture}<strong>{escape(info.title)}</strong> '
        f"<span>{escape(info.summary)}</span></a>\n"
    )


def write_page(name: str) -> str:
    """Return the page of a game."""
    game = get_game(name)
    title, _, text = build_game_page(game, has_drawings=False).partition("\n\n")
    facts = "".join(f"- {line}\n" for line in _list_facts(game.info))
    picture = _write_picture(game) if draw_game(name) else ""
    about = re.sub(
        r"^[A-Z0-9][A-Z0-9' -]*(?![a-z])", f"{game.info.title} ", " ".join(title.split())
    )
    about = about.replace(" ,", ",").strip()
    figures = _write_figures(game)
    return f"# {game.info.title}\n\n{about}\n\n{facts}\n{picture}\n{figures}{convert_text(text)}"


def _write_figures(game: Game) -> str:
    """Return the first position and the lessons with their captions."""
    captions = ["At the beginning.", *(each.caption for each in game.list_lessons())]
    figures = [
        f'<figure><img src="../{game.info.name}-{number}.svg" alt="" loading="lazy">'
        f"<figcaption>{escape(caption)}</figcaption></figure>\n"
        for number, caption in enumerate(captions)
    ]
    return f'## In pictures\n\n<div class="figures">\n{"".join(figures)}</div>\n\n'


def draw_figures(name: str) -> Mapping[str, str]:
    """Return the pictures of a game's lessons, with its first position as number 0, by the names of
    their files."""
    game = get_game(name)
    numbers = range(len(game.list_lessons()) + 1)
    return {f"{name}-{number}.svg": draw_lesson(game, number) for number in numbers}


def _list_facts(info: GameInfo) -> list[str]:
    counts = [str(number) for number in info.players]
    facts = [f"**In commands:** `{info.name}`"]
    if info.aliases:
        facts[0] += f", also {', '.join(f'`{alias}`' for alias in info.aliases)}"
    facts.append(
        f"**Players:** {counts[0] if len(counts) == 1 else f'{counts[0]} to {counts[-1]}'}"
    )
    facts.append(f"**Length:** {info.length}")
    if shown := [text for name, text in _FEATURES.items() if name in info.features]:
        facts.append(f"**Special:** {', '.join(shown)}")
    if (_RULES / f"{info.name}.md").is_file():
        facts.append(f"[The rules in full](../rules/{info.name}.md), with what was decided here")
    return facts


def _write_picture(game: Game) -> str:
    words = " ".join(sample(game.info.name).position.words(None).split())
    alternative = escape(words if len(words) < 600 else f"A game of {game.info.title} under way")
    source = f"../{game.info.name}.svg"
    return f'<img class="board" src="{source}" alt="{alternative}">\n'


@cache
def draw_game(name: str) -> str:
    """Return the picture of a game under way, in the colours that the reader's system prefers; ""
    for a game without one."""
    shown = sample(name)
    scene = shown.scene()
    return draw_svg(scene, shown.position.colours) if scene.places else ""


# Finds out where the links of the repository's pages lead on the site.

ROOT = Path(__file__).parents[2]
PAGES: Mapping[str, str] = {
    "config/README.md": "operators/README.md",
    "CONTRIBUTING.md": "developers/README.md",
    "CHANGELOG.md": "operators/changes.md",
    "SECURITY.md": "operators/security.md",
    "README.md": "trying.md",
}
"""Pages of the repository outside of docs, and where the site has them."""
_SOURCES = {site: repository for repository, site in PAGES.items()}
_MADE: Mapping[str, str] = {"pbm/games": "games/README.md", "pbm/help": "players/start.md"}
"""Folders of which the site has pages, which tools/site/hook.py makes."""
_LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_SOURCE = "source"


def find_source(page: str) -> str:
    """Return the path in the repository of a page of the site."""
    return _SOURCES.get(page, f"docs/{page}")


def rewrite_links(text: str, page: str) -> tuple[str, set[str]]:
    """Return the text with links that hold on the site, and the files of the repository that it
    links to, which the site has below `source`. Links to folders become text."""
    files: set[str] = set()
    here = posixpath.dirname(find_source(page))

    def rewrite(match: re.Match[str]) -> str:
        words, link = match[1], match[2]
        if re.match(r"[a-z]+:|#", link):
            return match[0]
        name, hash_mark, anchor = link.partition("#")
        path = posixpath.normpath(posixpath.join(here, name))
        target = _find_target(path)
        if not target:
            return words[1:-1]
        if target.startswith(f"{_SOURCE}/"):
            files.add(path)
        near = posixpath.relpath(target, posixpath.dirname(page) or ".")
        return f"{words}({near}{hash_mark}{anchor})"

    pieces, last = [], 0
    for block in _FENCE.finditer(text):
        pieces += [_LINK.sub(rewrite, text[last : block.start()]), block[0]]
        last = block.end()
    pieces.append(_LINK.sub(rewrite, text[last:]))
    return "".join(pieces), files


def _find_target(path: str) -> str:
    """Return where the site has a file of the repository; "" for a folder."""
    if page := PAGES.get(path) or _MADE.get(path):
        return page
    if (ROOT / path).is_dir():
        return f"{path.removeprefix('docs/')}/README.md" if _is_page_folder(path) else ""
    return path.removeprefix("docs/") if path.startswith("docs/") else f"{_SOURCE}/{path}"


def _is_page_folder(path: str) -> bool:
    return path.startswith("docs/") and (ROOT / path / "README.md").is_file()


def place_source(path: str) -> str:
    """Return where the site has a file that is no page."""
    return f"{_SOURCE}/{path}"


# Turns the help pages, which are plain text, into Markdown.

_HEADING = re.compile(r"[A-Z][A-Z' -]+")
_MARKUP = re.compile(r"([\\`*_<>\[\]#|])")
_NUMBERED = re.compile(r"[0-9]+\. ")
_TYPED = re.compile(r" +\w*> ")


def convert_text(text: str) -> str:
    """Return the Markdown of a text: lines in capitals are headings, indented lines stay as they
    are, all others are paragraphs."""
    return "\n\n".join(_convert_block(block) for block in _split_blocks(text)) + "\n"


def _split_blocks(text: str) -> Iterator[list[str]]:
    """Yield headings, paragraphs, items, and runs of indented lines with the empty lines between
    them."""
    block: list[str] = []
    for line in text.rstrip().split("\n"):
        if not _belongs(line, block):
            yield from _finish(block)
            block = []
        block.append(line)
    yield from _finish(block)


def _finish(block: list[str]) -> Iterator[list[str]]:
    while block and not block[-1].strip():
        block.pop()
    if any(line.strip() for line in block):
        yield block


def _belongs(line: str, block: list[str]) -> bool:
    """Whether a line goes on with a block."""
    last = next((each for each in reversed(block) if each.strip()), "")
    if not last:
        return False
    if _is_item(block[0]):
        return bool(line.startswith("  ") or (not line and _is_item(block[0])))
    is_indented = last.startswith(" ")
    if not line.strip():
        return is_indented
    if _HEADING.fullmatch(line) or _HEADING.fullmatch(last) or _is_item(line):
        return False
    return line.startswith(" ") == is_indented


def _is_item(line: str) -> bool:
    return line.startswith("- ") or bool(_NUMBERED.match(line))


def _convert_block(block: list[str]) -> str:
    first = block[0]
    if _HEADING.fullmatch(first):
        return f"## {first.capitalize()}"
    if _is_item(first):
        return _convert_item(block)
    if first.startswith(" "):
        return _fence(block)
    return _escape(" ".join(line.strip() for line in block))


def _convert_item(block: list[str]) -> str:
    """Return an item of a list, in which lines such as `> games` or `bob> games` are commands."""
    mark, _, text = block[0].partition(" ")
    parts = []
    for is_command, run in groupby([text, *block[1:]], key=lambda line: bool(_TYPED.match(line))):
        lines = [line.strip() for line in run]
        parts.append(
            "\n".join(f"    {line}" for line in lines) if is_command else _escape(" ".join(lines))
        )
    first, *more = parts
    rest = [f"\n\n{textwrap.indent(part, '    ')}" for part in more]
    return f"{mark} {first}{''.join(rest)}"


def _fence(lines: list[str]) -> str:
    """Return the lines as they are, without the blanks that begin all of them."""
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(["```text", *(line[least:] for line in lines), "```"])


def _escape(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)

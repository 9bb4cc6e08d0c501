"""What mkdocs calls while it builds the site: generated pages, links, anchors as on GitHub."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))  # `mkdocs` is started from anywhere

from mkdocs.structure.files import File, Files  # noqa: E402
from mkdocs.structure.pages import Page  # noqa: E402

from pbm.features.finding.help import find_page  # noqa: E402
from tools.readme_pictures import LINE  # noqa: E402
from tools.site import game_pages  # noqa: E402
from tools.site.game_pages import (  # noqa: E402
    PAGES,
    convert_text,
    place_source,
    rewrite_links,
)

_PICTURE = "docs/mail-light.svg"
_BOARDS = {"by-day": _PICTURE, "by-night": "docs/mail-dark.svg"}
"""The boards beside the mail on the first page, by the name of their class and file."""
_MAIL = re.compile(r"^!\[.*\]\(mail-light\.svg\)$", re.MULTILINE)
_HELP = "players"
_SERVER = "pbm@games.example.org"
_INDENT = 4
_LIST = re.compile(r"(?:[-*]|[0-9]+\.) ")


def on_config(config: Any) -> Any:
    """Make anchors as GitHub does."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slugify
    return config


def slugify(title: str, separator: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w -]", "", title).lower().replace(" ", separator)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages outside of docs, those of the games and of the help, and what they link to."""
    pages = {site: _read(repository) for repository, site in PAGES.items()}
    pages["trying.md"] = pages["trying.md"].replace('"docs/', '"../')
    pages[f"{game_pages.FOLDER}/README.md"] = game_pages.write_gallery()
    for name in game_pages.list_own_games():
        pages[f"{game_pages.FOLDER}/{name}.md"] = game_pages.write_page(name)
        if picture := game_pages.draw_game(name):
            files.append(File.generated(config, f"{game_pages.FOLDER}/{name}.svg", content=picture))
        for path, picture in game_pages.draw_figures(name).items():
            files.append(File.generated(config, f"{game_pages.FOLDER}/{path}", content=picture))
    for topic in list_help_pages(config.nav):
        pages[f"{_HELP}/{topic}.md"] = write_help_page(topic)
    for name, path in _BOARDS.items():
        files.append(File.generated(config, f"{name}.svg", content=_cut_board(_read(path))))
    pages["operators/configuration.md"] = _write_configuration()
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    wanted: set[str] = set()
    for file in files.documentation_pages():
        wanted |= rewrite_links(file.content_string, file.src_uri)[1]
    for path in sorted(wanted):
        content = (ROOT / path).read_bytes()
        files.append(File.generated(config, place_source(path), content=content))
    return files


def list_help_pages(nav: Any) -> list[str]:
    """Return the topics that the navigation names."""
    if isinstance(nav, str):
        match = re.fullmatch(rf"{_HELP}/(\w+)\.md", nav)
        return [match[1]] if match and match[1] != "README" else []
    parts = nav.values() if isinstance(nav, dict) else nav
    return [topic for part in parts for topic in list_help_pages(part)]


def write_help_page(topic: str) -> str:
    """Return a page of the help, as mail and terminal show it."""
    title, text = find_page("" if topic == "start" else topic)
    text = text.replace("{server}", _SERVER)
    heading = title if title != "pbm" else "start"
    asked = "help" if topic == "start" else f"help {topic}"
    note = f"By mail: `{asked}`. `{_SERVER}` stands for the address of your server.\n"
    return f"# {heading[0].upper()}{heading[1:]}\n\n{note}\n{convert_text(text)}"


def _write_configuration() -> str:
    text = _read("config/pbm.toml")
    return f"# Every key of pbm.toml\n\n```toml\n{text}```\n"


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Let links lead to the pages of the site, and lists begin where GitHub lets them."""
    if page.is_homepage:
        markdown = _MAIL.sub(lambda _: show_mail(), markdown)
    text, _ = rewrite_links(markdown, page.file.src_uri)
    return _separate_lists(text)


def show_mail() -> str:
    """Return the mail that the README shows as a picture as text, which can be read on a phone."""
    rows = dict(re.findall(r'<text x="32" y="(\d+)"[^>]*>(.*?)</text>', _read(_PICTURE)))
    first, last = min(map(int, rows)), max(map(int, rows))
    lines = [rows.get(str(y), "") for y in range(first, last + 1, LINE)]
    until = lines.index("")
    heads = [line.partition(": ") for line in lines[:until]]
    head = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, _, value in heads)
    boards = "".join(f'<img class="{name}" src="{name}.svg" alt="The board">' for name in _BOARDS)
    text = "\n".join(lines[until + 1 :]).replace("\n\n", "\n&#8203;\n")  # no blank line: HTML
    return f'<div class="mail"><dl>{head}</dl><div><pre>{text}</pre>{boards}</div></div>\n'


def _cut_board(picture: str) -> str:
    """Return the board of a picture that has a mail beside it."""
    board = picture.partition("</g>")[2].rpartition("</svg>")[0].lstrip()
    return re.sub(
        r'^<svg .*?(viewBox="[^"]*")', r'<svg xmlns="http://www.w3.org/2000/svg" \1', board
    )


def _separate_lists(text: str) -> str:
    """Return the text with an empty line in front of each list, and what belongs to an item
    indented by four: Python's Markdown needs both."""
    lines: list[str] = []
    is_code, width = False, 0
    for line in text.split("\n"):
        is_code ^= line.startswith("```")
        item = _LIST.match(line) if not is_code else None
        before = lines[-1] if lines else ""
        if item and before and not width:
            lines.append("")
        if item:
            width = len(item[0])
        elif line and not line.startswith(" " * max(width, 1)):
            width = 0
        indent = len(line) - len(line.lstrip())
        is_inside = width and not item and width <= indent < 2 * _INDENT
        lines.append(f"{' ' * (_INDENT - width)}{line}" if is_inside and line.strip() else line)
    return "\n".join(lines)

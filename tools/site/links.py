"""Finds out where the links of the repository's pages lead on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

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

"""The pages for authors at the terminal: `pbm new-game --help-topic`."""

from __future__ import annotations

from pathlib import Path

import click

from pbm.cli import USAGE, Failed

_PACKAGE = Path(__file__).parents[2]
_FOLDERS = (_PACKAGE / "_authors", _PACKAGE.parent / "docs" / "authors")
"""Where the pages are in what is installed, and in the repository."""
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
        raise Failed(f"there is no topic {topic}; type one of these: {names}", USAGE)

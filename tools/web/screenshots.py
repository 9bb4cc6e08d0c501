"""`python -m tools.web.screenshots [FOLDER] [--version 816f3cd]` takes a picture of each kind of
page of a club in which a lot is going on: at the width of a screen and of a phone, light and dark,
in Chromium without JavaScript.

With a version, of the pages that it had, from a worktree of its own."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from tools.web import demo_club
from tools.web.clicker import chromium, open_context, take_top

_ROOT = Path(__file__).parents[2]
_FOLDER = _ROOT / "docs" / "pages" / "after"
_WINDOWS = ((1200, 900), (390, 844))
_TALLEST = 1800
_QUALITY = 52


@contextmanager
def open_demo(root: Path = _ROOT) -> Iterator[Mapping[str, str]]:
    """Serve a club by the version in a folder, and yield the addresses of its pages by kind."""
    path = f"{root}:{root / 'tests' / 'plugin'}"
    command = [sys.executable, str(Path(demo_club.__file__))]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=root,
        env={**os.environ, "PYTHONPATH": path},
        text=True,
    ) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())


@contextmanager
def open_version(version: str) -> Iterator[Path]:
    """Yield a worktree of a version, or this tree for none."""
    if not version:
        yield _ROOT
        return
    with tempfile.TemporaryDirectory(prefix="pbm-version-") as name:
        git = ["git", "-C", str(_ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--force", name, version], check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run([*git, "remove", "--force", name], check=True)


def take(browser: Browser, url: str, window: tuple[int, int], *, dark: bool) -> Image.Image:
    """Return a page as it looks in a window; one that is longer is cut where nobody reads on."""
    width, height = window
    context = open_context(browser, width=width, height=height, dark=dark)
    page = context.new_page()
    page.goto(url, wait_until="networkidle")
    picture = take_top(page, _TALLEST)
    context.close()
    return picture


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(prog="python -m tools.web.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=_FOLDER)
    parser.add_argument("--version", default="", help="a commit, for the pages as they were")
    parser.add_argument("--kinds", nargs="*", default=[], help="the kinds of page; all by default")
    parser.add_argument("--format", default="webp", choices=("webp", "png"))
    parser.add_argument("--all", action="store_true", help="all of both sizes in both colours")
    request = parser.parse_args()
    request.folder.mkdir(parents=True, exist_ok=True)
    with open_version(request.version) as root, open_demo(root) as urls, chromium() as browser:
        kinds: Sequence[str] = request.kinds or list(urls)
        for kind in kinds:
            for window in _WINDOWS:
                for dark in (False, True) if request.all else (window[0] < 600,):
                    theme = "dark" if dark else "light"
                    path = request.folder / f"{kind}-{window[0]}-{theme}.{request.format}"
                    take(browser, urls[kind], window, dark=dark).save(path, quality=_QUALITY)
                    print(f"{path.name}: {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()

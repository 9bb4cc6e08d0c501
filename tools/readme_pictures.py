"""`python -m tools.readme_pictures` plays the README's first game and draws a mail of it beside its
board: docs/mail-light.svg and docs/mail-dark.svg."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from msgspec import Struct

from pbm.rules.drawing.svg.palette import DARK, LIGHT, Theme

ROOT = Path(__file__).parents[1]
_DOCS = ROOT / "docs"
_READER = "bob@example.org"
_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
LINE = 16
_WIDTH, _GAP, _MAIL = 980, 16, 540
_SIZE = 12
_SHOWN_AFTER = 4
"""The mail after the fourth command is shown."""


class Shown(Struct, frozen=True):
    """A mail as the player reads it, and the drawing of its board."""

    subject: str
    text: str
    light: str
    dark: str


def list_commands(readme: str) -> list[tuple[str, str]]:
    """Return the sender and the command of each `pbm send` of the README's first game."""
    lines = re.findall(r"^    \.venv/bin/pbm send --from (\S+) (.+)$", readme, re.MULTILINE)
    return [(sender, shlex.split(command)[0]) for sender, command in lines]


def play(commands: list[tuple[str, str]]) -> Shown:
    """Play the moves on a server of their own. Return the last mail that the reader got."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = folder / "pbm.toml"
        config.write_text(
            f'[server]\naddress = "pbm@games.example.org"\n[database]\nurl = "sqlite:///{name}/db"\n'
            "[players]\nconfirm_addresses = false\n"
        )
        _run(config, "admin", "db", "create")
        mails = []
        for sender, command in commands[:_SHOWN_AFTER]:
            words, password = _take_password(command, sender)
            done = json.loads(_run(config, *words, "--json", password=password))
            mails += [mail for mail in done["mails"] if mail["to"] == _READER]
        drawn = []
        for more in ((), ("--dark",)):
            _run(config, "cradle", "show", "1", "--svg", str(folder / "board.svg"), *more)
            drawn.append((folder / "board.svg").read_text(encoding="utf-8"))
    return Shown(mails[-1]["subject"], mails[-1]["text"], *drawn)


def _take_password(command: str, sender: str) -> tuple[list[str], str]:
    """Return the words for the command line, where the password is not among them."""
    words = command.split()
    if words[0] == "signup":
        return [*words[:2], sender], words[2]
    if "move" in words:
        return [*words[:4], *words[5:]], words[4]
    return words, ""


def _run(config: Path, *words: str, password: str = "x") -> str:  # noqa: S107 (asked for nothing)
    done = subprocess.run(
        [sys.executable, "-m", "pbm", "--config", str(config), *words],
        env=os.environ | {"PBM_PASSWORD": password, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return done.stdout


def draw(shown: Shown, *, dark: bool) -> str:
    """Return the mail at the left, as a mail program shows it, and its board at the right."""
    theme = DARK if dark else LIGHT
    lines = shown.text.partition("\nPlease move by")[0].split("\n")
    height = 6 * _GAP + LINE * len(lines)
    board = _WIDTH - _MAIL - 3 * _GAP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
            f'width="{_WIDTH}" height="{height}" role="img">',
            "<title>A mail of the server, with the board as text, and the same board as a "
            "picture</title>",
            *_draw_mail(shown.subject, lines, height, theme),
            _place(shown.dark if dark else shown.light, _MAIL + 2 * _GAP, board, height),
            "</svg>\n",
        ]
    )


def _draw_mail(subject: str, lines: list[str], height: int, theme: Theme) -> list[str]:
    """Return a card with the header of the mail and its text."""
    texts = [("From: pbm@games.example.org", True), (f"Subject: {subject}", True), ("", False)]
    texts += [(line, False) for line in lines]
    rows = []
    for number, (text, is_bold) in enumerate(texts):
        kind = ' class="head"' if is_bold else ""
        if text:
            y = _GAP + 24 + number * LINE
            rows.append(f'<text x="{2 * _GAP}" y="{y}"{kind}>{escape(text)}</text>')
    return [
        f'<rect x="1" y="1" width="{_MAIL}" height="{height - 2}" rx="10" fill="{theme.page}" '
        f'stroke="{theme.text}" stroke-opacity="0.3"/>',
        f"<style>#mail text {{ font: {_SIZE}px {_FONT}; fill: {theme.text}; text-anchor: start; "
        "dominant-baseline: auto; white-space: pre }"
        "#mail text.head { font-weight: bold }</style>",
        '<g id="mail" xml:space="preserve">',
        *rows,
        "</g>",
    ]


def _place(svg: str, x: int, width: int, height: int) -> str:
    """Return the drawing, scaled to the width, in the middle of the height."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None
    high = round(width * float(found[2]) / float(found[1]))
    y = max(0, (height - high) // 2)
    inner = re.sub(r"^<svg [^>]*>", "", svg)
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{high}" viewBox="{found[0][9:-1]}">{inner}'
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.readme_pictures", description=__doc__)
    parser.add_argument("--folder", type=Path, default=_DOCS, help="where the pictures go")
    folder = parser.parse_args().folder
    shown = play(list_commands((ROOT / "README.md").read_text(encoding="utf-8")))
    for dark in (False, True):
        file = folder / f"mail-{'dark' if dark else 'light'}.svg"
        file.write_text(draw(shown, dark=dark), encoding="utf-8")
        print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

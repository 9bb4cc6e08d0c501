"""`python -m tools.mail.sheet [FOLDER]` draws the mails that a server sends on four sheets: as a
phone and a wide window show them (390 and 700 px), light and dark, in Chromium without JavaScript.

The kinds of mail take turns with the languages. `--single` draws each mail by itself instead."""

from __future__ import annotations

import argparse
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from pbm.config import Config, Database, Trust, Web
from pbm.config import Server as Address
from pbm.locale import LANGUAGES
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tools.web.clicker import chromium, open_context, take_top

_FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
_WIDTHS = (390, 700)
_COLUMNS = 6
_TALLEST = 1000
_LESSONS = 3
_GAP = 20
_QUALITY = 52
_OPENING = ("e12-e11, m-e12", "e1-e2, m-e1", "e11-e9", "e2-e4", "e9-e8", "f1-f2")


def write_mails(talk: Conversation) -> Iterator[tuple[str, Mail]]:
    """Play a little in a club, and yield one mail of each kind with the name of the kind."""
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    yield "code", (code := talk.any_mail("ann"))
    talk.replies(code, "yes")
    yield "welcome", (welcome := talk.any_mail("ann"))
    talk.mails("bob", f"signup bob {talk.password('bob')}")
    talk.replies(talk.any_mail("bob"), "yes")
    bob = talk.any_mail("bob")
    yield from _write_accounts(talk, welcome)
    yield from _write_boards(talk, welcome)
    talk.replies(welcome, "event new swiss hex --name=Spring --rounds=3 --begins=2026-03-09")
    yield "event", talk.any_mail("ann")
    talk.everything()
    talk.replies(bob, "event enter 1")
    yield "entered", talk.any_mail("bob")
    talk.everything()
    talk.mails("zoe@elsewhere.example", "Hello, what is this?")
    yield "stranger", talk.any_mail("zoe@elsewhere.example")


def _write_accounts(talk: Conversation, welcome: Mail) -> Iterator[tuple[str, Mail]]:
    """Yield mails about no board."""
    talk.replies(welcome, "invite kim@cafe.example chess")
    yield "invitation", talk.any_mail("kim@cafe.example")
    for kind, line in (
        ("invited", ""),
        ("no command", "I want to play something with my sister"),
        ("refused", "hex challenge ann nobody"),
        ("help", "help spacecradles"),
        ("help on a variant", "help orda"),
        ("games", "games short"),
        ("player", "who ann"),
        ("no more mails", "stop"),
        ("preferences", "set ask=no"),
    ):
        if line:
            talk.replies(welcome, line)
        yield kind, talk.any_mail("ann")


def _write_boards(talk: Conversation, welcome: Mail) -> Iterator[tuple[str, Mail]]:
    first, asked = _challenge(talk, welcome, "chess")
    yield "new board", first
    yield "asked", asked
    for kind, line in (("preview", "preview e4"), ("moves", "moves"), ("refused move", "Qh5")):
        talk.replies(first, line)
        yield kind, talk.any_mail("ann")
    latest = talk.plays(("e4", "f6", "Qh5"), "ann", "bob", latest=[first, asked])
    yield "own move", latest[0]
    yield "check", latest[1]
    talk.replies(latest[1], "chat That was quick! Where did you learn this?")
    talk.any_mail("bob")
    yield "chat", talk.any_mail("ann")
    talk.replies(latest[1], "resign")
    yield "lost", talk.any_mail("bob")
    yield "won", talk.any_mail("ann")
    latest = _challenge(talk, welcome, "spacecradles")
    yield "space cradles", talk.plays(_OPENING, "ann", "bob", latest=latest)[0]
    yield "space truckin", _challenge(talk, welcome, "spacetruckin")[0]
    talk.replies(welcome, "mine")
    yield "own boards", talk.any_mail("ann")


def _challenge(talk: Conversation, welcome: Mail, game: str) -> list[Mail]:
    talk.replies(welcome, f"{game} challenge ann bob")
    return [talk.any_mail(who) for who in ("ann", "bob")]


def write_pages() -> Iterator[tuple[str, str]]:
    """Yield the page of each kind of mail, with its kind and language: each mail in another
    language than the one before."""
    written = dict[str, dict[str, str]]()
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            config = Config(
                server=Address(
                    address=SERVER, name="Example Games Club", colour="#14568c", language=language
                ),
                database=Database(f"sqlite:///{folder}/pbm.db"),
                trust=Trust(newcomer=0),
                web=Web("", "https://club.example"),
            )
            server = InProcess(config, clock := Clock())
            talk = Conversation(server, clock, confirms=True)
            for kind, mail in write_mails(talk):
                written.setdefault(kind, {})[language] = find_page(mail.message)
            server.close()
    for number, (kind, pages) in enumerate(written.items()):
        language = LANGUAGES[number % len(LANGUAGES)]
        yield f"{kind}-{language}", pages[language]


def find_page(message: EmailMessage) -> str:
    """Return the page of a mail with its picture in it; its text where it has none."""
    body = message.get_body(("html", "plain"))
    assert body is not None
    page = str(body.get_content())
    if body.get_content_type() == "text/plain":
        return f"<pre>{page}</pre>"
    for part in message.walk():
        if part.get_content_type() == "image/png":
            data = b64encode(part.get_content()).decode()
            name = part["Content-ID"].strip("<>")
            page = page.replace(f"cid:{name}", f"data:image/png;base64,{data}")
    return page


def take(
    browser: Browser, page: str, width: int, *, dark: bool, tallest: int = _TALLEST
) -> Image.Image:
    """Return a page as it looks in a window of that width, as far as somebody reads at once."""
    context = open_context(browser, width=width, dark=dark)
    tab = context.new_page()
    tab.set_content(page, wait_until="load")
    picture = take_top(tab, tallest)
    context.close()
    return picture


def _find_tallest(name: str) -> int:
    """Return how much of a mail of that name is shown: more of help, whose pictures come late."""
    return (_LESSONS if name.startswith("help") else 1) * _TALLEST


def join(pictures: list[Image.Image], width: int, ground: str) -> Image.Image:
    """Return pictures of that width beside and below each other."""
    rows = [pictures[at : at + _COLUMNS] for at in range(0, len(pictures), _COLUMNS)]
    heights = [max(picture.height for picture in row) for row in rows]
    size = _COLUMNS * (width + _GAP) + _GAP, sum(heights) + _GAP * (len(rows) + 1)
    sheet, top = Image.new("RGB", size, ground), _GAP
    for row, height in zip(rows, heights, strict=True):
        for column, picture in enumerate(row):
            sheet.paste(picture, (_GAP + column * (width + _GAP), top))
        top += height + _GAP
    return sheet


def main() -> None:
    """Draw the sheets."""
    parser = argparse.ArgumentParser(prog="python -m tools.mail.sheet", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=_FOLDER)
    parser.add_argument("--single", action="store_true", help="a picture for each mail")
    request = parser.parse_args()
    request.folder.mkdir(parents=True, exist_ok=True)
    pages = list(write_pages())
    with chromium() as browser:
        for width in _WIDTHS:
            for dark in (False, True):
                theme = "dark" if dark else "light"
                pictures = [
                    take(browser, page, width, dark=dark, tallest=_find_tallest(name))
                    for name, page in pages
                ]
                if request.single:
                    for (name, _), picture in zip(pages, pictures, strict=True):
                        picture.save(request.folder / f"{name}-{width}-{theme}.png")
                    continue
                path = request.folder / f"mails-{width}-{theme}.webp"
                join(pictures, width, "#888888").save(path, quality=_QUALITY)
                print(f"{path.name}: {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()

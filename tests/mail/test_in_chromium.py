"""A mail with a picture in a browser, on a phone and on a desk, light and dark."""

from __future__ import annotations

import json
import re
import subprocess
from base64 import b64encode
from email import message_from_bytes, policy
from html import escape
from pathlib import Path
from typing import Any

from pbm.features.finding.help import find_page
from pbm.mail.paged_mail import draw_at_once, finish_mail
from pbm.mail.picture_page import PageFacts, build_page
from pbm.store.engine import Store
from tests.harness.mail_room import Room
from tests.harness.packages import find_program, require

_WIDTHS = (360, 390, 1200)
_FRAME = '<iframe style="border:0;width:{width}px;height:1000px" srcdoc="{page}"></iframe>'
_MEASURE = """<pre id="measures"></pre><script>
addEventListener("load", () => {
  const measures = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, image = page.querySelector("img");
    return {
      width: page.documentElement.scrollWidth,
      drawn: image?.naturalWidth,
      shown: image?.getBoundingClientRect().width,
      smallest: Math.min(...[...page.querySelectorAll("a")].map(
        link => link.getBoundingClientRect().height)),
      ground: getComputedStyle(page.body).backgroundColor,
    };
  });
  document.getElementById("measures").textContent = JSON.stringify(measures);
});
</script>"""


def page_of(raw: bytes) -> str:
    """The page of a mail, with its picture in it."""
    message = message_from_bytes(finish_mail(raw, draw_at_once), policy=policy.default)
    page, picture = (
        part for part in message.walk() if part.get_content_type() in ("text/html", "image/png")
    )
    data = b64encode(picture.get_content()).decode()
    return re.sub(r"cid:[^\"]+", f"data:image/png;base64,{data}", page.get_content())


def measure(page: str, folder: Path, *, dark: bool) -> list[dict[str, Any]]:
    """What a page measures at each width."""
    frames = "".join(_FRAME.format(width=width, page=escape(page)) for width in _WIDTHS)
    file = folder / "frames.html"
    file.write_text(f"<!DOCTYPE html><html><body>{frames}{_MEASURE}</body></html>")
    command = [
        find_program("chromium") or "",
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder / 'profile'}",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--virtual-time-budget=5000",
        "--dump-dom",
        file.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    found = re.search(r'<pre id="measures">(\[.+?\])</pre>', done.stdout)
    assert found is not None, done.stdout[-500:] + done.stderr[-500:]
    measures: list[dict[str, Any]] = json.loads(found[1])
    return measures


def test_a_mail_fits_a_phone_and_a_desk_and_is_dark_on_request(
    sqlite_store: Store, tmp_path: Path
) -> None:
    require("chromium")
    room = Room(sqlite_store)
    with room.tried() as session:
        ann = room.player(session, "ann")
        room.player(session, "bob")
        raw = b"From: ann@example.org\r\nSubject: tictactoe challenge ann bob\r\n\r\n\r\n"
        sent = room.takes(session, raw, "ann@example.org", room.proves(ann))
        mails = {mail["recipient"]: mail["message"] for mail in sent}
    page = page_of(mails["ann@example.org"])
    light, dark = (measure(page, tmp_path, dark=each) for each in (False, True))
    for width, one in zip(_WIDTHS, light, strict=True):
        assert one["width"] == width, "nothing is wider than the screen"
        assert one["drawn"] >= 1.3 * one["shown"], "the picture has been loaded, and is sharp"
        assert one["smallest"] >= 40, "a finger can press a move"
    assert light[0]["shown"] >= 250
    assert [one["ground"] for one in light] == ["rgb(255, 255, 255)"] * 3
    assert all(sum(map(int, re.findall(r"\d+", one["ground"]))) < 120 for one in dark)


def test_the_longest_options_of_help_fit_a_phone(tmp_path: Path) -> None:
    require("chromium")
    facts = PageFacts((0, 0), "help dip", "games@example.org", "", "", "", is_help=True)
    page = build_page(find_page("dip")[1], facts, None)
    assert max(map(len, page.split())) > 60
    for width, measured in zip(_WIDTHS, measure(page, tmp_path, dark=False), strict=True):
        assert measured["width"] <= width

"""Mails with pictures: parts, Content-IDs, sizes, and what is not in them."""

from __future__ import annotations

import re
from email.message import EmailMessage
from html import unescape
from io import BytesIO

import pytest
from PIL import Image

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

pytestmark = pytest.mark.config(players={"pictures": True})
_MOST_MAIL = 60_000


def parts_of(mail: Mail) -> tuple[str, EmailMessage, bytes]:
    """The text, the page as a part, and the PNG of a mail with a picture, which must have exactly
    these."""
    assert len(mail.raw) < _MOST_MAIL
    assert mail.message.get_content_type() == "multipart/alternative"
    text, related = mail.message.iter_parts()
    assert text.get_content_type() == "text/plain"
    assert related.get_content_type() == "multipart/related"
    assert isinstance(related, EmailMessage)
    page, picture = related.iter_parts()
    assert isinstance(page, EmailMessage)
    assert page.get_content_type() == "text/html"
    assert picture.get_content_type() == "image/png"
    assert picture.get_content_disposition() == "inline"
    name = str(picture["Content-ID"]).strip("<>")
    assert re.findall(r'src="([^"]+)"', page.get_content()) == [f"cid:{name}"]
    png = picture.get_content()
    assert isinstance(png, bytes)
    return text.get_content(), page, png


def test_a_board_comes_as_a_picture_unless_its_reader_wants_text(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("bob", "set mail=text")
    talk.receives("bob", "[pbm] preferences of bob changed", "mail=text (picture, text or none)")
    mine, yours = talk.challenge("cradle", "ann", "bob")
    assert yours.header("Content-Type").startswith("text/plain")
    text, page, png = parts_of(mine)
    assert text.replace("\r\n", "\n") == mine.text
    with Image.open(BytesIO(png)) as image:
        assert image.width >= 390
    html = page.get_content()
    said = unescape(re.sub(r"<[^>]+>", " ", html.partition("</head>")[2]))
    beginning = "New game of Cradle"
    lead, _, below = mine.text.partition("\n-- ")[0].partition("\n\n")
    lead = " ".join(lead.split()).replace("It is your move (1).", "")  # as the headline says
    below = " ".join(below.partition("Cradle, board 1")[2].split())
    assert sorted(said.split()) == sorted(f"{lead} Cradle, board 1 {below}".split())
    assert '<h1 style="' in html.partition(beginning)[0]
    assert re.search(r'alt="[^"]*to move', html)


def test_a_reply_to_a_mail_with_a_picture_is_a_move(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("tictactoe", "ann", "bob")
    mails = talk.plays(["a1", "b2", "c3"], "ann", "bob", latest=mails)
    before, after = (parts_of(mail)[2] for mail in mails)
    assert before == after, "both see the same"
    links = re.findall(r'href="(mailto:[^"]+)"', parts_of(mails[1])[1].get_content())
    assert len(links) == 6
    assert all("&amp;body=" in link for link in links)


def test_a_picture_shows_what_its_reader_may_see(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    white, black = (parts_of(mail)[2] for mail in talk.challenge("darkchess", "ann", "bob"))
    assert white != black


def test_pictures_are_small_in_the_largest_mails(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for game in ("go", "spacefighters", "spacetruckin", "backgammon", "battleship", "pegs"):
        for mail in talk.challenge(game, "ann", "bob"):
            parts_of(mail)


def test_a_page_holds_nothing_that_mail_programs_refuse(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("hex", "ann", "bob")
    html = parts_of(mail)[1].get_content().lower()
    for refused in ("<script", "<svg", "<link", "@import", "http://", "https://", "position:"):
        assert refused not in html, refused
    for wanted in ('<html lang="en">', "<title>", 'name="viewport"', 'name="color-scheme"'):
        assert wanted in html, wanted


def test_a_line_to_send_is_no_headline(talk: Conversation) -> None:
    """The headline says what is new; what to do about it stands below."""
    talk.signup("ann", "bob")
    talk.mails("ann", "chess challenge ann bob")
    html = parts_of(talk.any_mail("ann"))[1].get_content()
    headline = re.search(r"<h1[^>]*>(.*?)</h1>(.*)", html, re.DOTALL)
    assert headline is not None
    said = unescape(re.sub(r"\s+", " ", headline[1])).strip()
    assert said == (
        "This game is asleep until you reply to this mail: your address alone proves nothing."
    )
    assert "Reply with your first move" in headline[2]

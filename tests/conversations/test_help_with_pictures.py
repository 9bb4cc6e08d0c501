"""The page of a game by mail: its text, and a page with the first position and the lessons as
pictures, which are in characters in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pbm.games import get_game
from tests.conversations.test_echoes import answer
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.mail.test_picture_page import Page, both

pytestmark = [pytest.mark.config(players={"pictures": True}), pytest.mark.in_process]
_PICTURE = re.compile(r'src="cid:([^"]+)"')
_MOST = 99_000
_BOARD = re.compile(r"^ *(?:a +b +c|12 +r )", re.MULTILINE)
"""A line of a board in characters."""


def _list_pictures(mail: Mail) -> dict[str, bytes]:
    """The pictures of a mail by their Content-ID."""
    return {
        part["Content-ID"].strip("<>"): part.get_content()
        for part in mail.message.walk()
        if part.get_content_type() == "image/png"
    }


def _ask(talk: Conversation, topic: str, who: str = "ann") -> Mail:
    talk.proves(who, f"help {topic}")
    return talk.any_mail(who)


def _list_captions(name: str) -> Iterator[str]:
    for lesson in get_game(name).list_lessons():
        yield " ".join(lesson.caption.split())


@pytest.mark.parametrize("name", ["spacecradles", "orda"])
def test_the_page_of_a_game_comes_with_its_pictures(talk: Conversation, name: str) -> None:
    """Each picture stands on the page, once, with its caption below; the text has the same in
    characters."""
    talk.signup("ann")
    mail = _ask(talk, name)
    text, html = both(mail.raw)
    pictures, captions = _list_pictures(mail), [*_list_captions(name)]
    assert _PICTURE.findall(html) == [*pictures]
    assert len(pictures) == 1 + len(captions)
    assert len(mail.raw) <= _MOST
    page = " ".join(Page(html).text.split())
    assert all(page.count(caption) == 1 for caption in captions)
    assert not _BOARD.search(Page(html).text)
    assert len(_BOARD.findall(text)) >= 2
    assert "OPTIONS" in text
    assert "Options" in page


def test_headings_and_lists_of_help_are_those_of_the_page(talk: Conversation) -> None:
    talk.signup("ann")
    html = both(_ask(talk, "spacecradles").raw)[1]
    assert re.findall(r"<h2[^>]*>(Aim|Board|Bumping)</h2>", html) == ["Aim", "Board", "Bumping"]
    assert "<li>A step goes to one of the eight cells around, also diagonally round an" in html


@pytest.mark.parametrize("name", ["ataxx", "battleship", "spacefighters"])
def test_options_with_long_names_flow_on_a_phone(talk: Conversation, name: str) -> None:
    """A name that is too long for its column stands alone on a line of the text."""
    talk.signup("ann")
    text, html = both(_ask(talk, name).raw)
    option = max(get_game(name).info.options, key=lambda option: len(option.usage))
    assert f"\n  {option.usage}\n" in text
    assert f"<b>{option.usage}</b> " in html
    assert all("--nag" not in drawn for drawn in re.findall(r"<pre.*?</pre>", html, re.DOTALL))


def test_numbered_parts_of_a_turn_are_paragraphs(talk: Conversation) -> None:
    talk.signup("ann")
    html = both(_ask(talk, "spacefighters").raw)[1]
    parts = re.findall(r"<p[^>]*>(\d)\. ([^<]*)</p>", html)
    assert [number for number, _ in parts] == ["1", "2", "3", "4"]
    assert "past your own ships, but not past enemies" in parts[1][1]
    assert parts[3][1].endswith("one, 20 for the central one")


def test_help_in_words_has_captions_and_no_drawing(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "set board=words")
    talk.any_mail("ann")
    mail = _ask(talk, "spacecradles")
    text = " ".join(both(mail.raw)[0].split())
    assert not _list_pictures(mail)
    assert not _BOARD.search(both(mail.raw)[0])
    assert all(caption in text for caption in _list_captions("spacecradles"))


def test_an_address_that_is_nobodys_gets_no_pictures(talk: Conversation) -> None:
    """A line with a forged sender does not become a large mail to somebody who never wrote."""
    talk.mails("zoe", "help spacecradles")
    mail = talk.any_mail("zoe")
    assert not _list_pictures(mail)


def test_the_pages_of_several_games_are_one_mail_with_the_pictures_of_all(
    talk: Conversation,
) -> None:
    talk.signup("ann")
    mail = _ask(talk, "konane and hex")
    assert len(_list_pictures(mail)) == 2 + len([*_list_captions("hex")])
    assert len(mail.raw) <= _MOST


def test_rules_of_a_board_come_with_pictures_too(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first, _ = talk.challenge("hex", "ann", "bob")
    talk.replies(first, "rules")
    assert _list_pictures(talk.any_mail("ann"))


def test_lists_of_help_flow_on_a_phone(talk: Conversation) -> None:
    """Options and pieces are lines of the page, not columns of characters."""
    talk.signup("ann")
    html = both(_ask(talk, "orda").raw)[1]
    assert "<b>L lancer</b> like a knight, without capturing; captures any distance" in html
    assert "<b>--nag=DAYS</b> a reminder after this many days without a move (7)<br>" in html
    assert "orda challenge userid1 userid2\n" in html
    assert "mailto:" not in html


@pytest.mark.parametrize("tag", ["blockquote", "div"])
def test_what_a_reply_quotes_of_the_page_is_none_of_its_words(talk: Conversation, tag: str) -> None:
    """Captions and words of pictures neither, where the mail program marks no quotation."""
    talk.signup("ann")
    mail = _ask(talk, "hex")
    page = both(mail.raw)[1].partition("<body")[2].partition(">")[2].partition("</body>")[0]
    answer(talk, mail, "", html=f"<p>mine</p><{tag}>{page}</{tag}>")
    told = talk.any_mail("ann")
    assert "open boards of ann" in told.subject
    assert "Not passed on" not in told.text

"""Pages are said in the language of the player whom they are for, or in what the visitor's browser
asks for."""

from __future__ import annotations

import re

import pytest

from tests.harness.conversation import Conversation
from tests.harness.languages import say
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Page, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})
german = pytest.mark.config(server={"language": "de"})
_GERMAN = {"content-language": "de"}
_LANG = re.compile(r'<html lang="(\w+)">')


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """Board 1, Hex between ann, who reads German, and bob; their first mails."""
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=de")
    talk.any_mail("ann")
    ann, bob = talk.challenge("hex", "ann", "bob", options="-size=5")
    return [ann, bob]


def find_link(mail: Mail, folder: str = "s") -> str:
    """The link to a page in a mail, in whatever language it is."""
    found = re.search(rf"{HOST}/{folder}/\S+", mail.text)
    assert found is not None, mail.text
    return found[0]


def is_in(page: Page, language: str) -> bool:
    """Whether a page says that it is in a language, in its head and to caches."""
    found = _LANG.search(page.text)
    said = found[1] if found else ""
    return (said, page.headers["content-language"]) == (language, language)


def test_the_page_of_a_seat_is_in_the_language_of_its_player(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    """Whatever the browser asks for; what is clicked acts as ever, and is answered so too."""
    page = visitor.get(find_link(mails[0]), accept_language="fr")
    assert is_in(page, "de")
    assert "vary" not in page.headers
    for sentence in ("Your move", "Players", "What else you can do"):
        assert say("de", sentence) in page.says
    assert say("de", "red joins top and bottom, blue left and right")[1:] in page.says
    page = visitor.follow(page, page.steps["c3"])
    form = page.form("move")
    page = visitor.send(page, form)
    assert page.status == 200
    assert is_in(page, "de")
    assert say("de", "Played.") in page.says
    again = visitor.send(page, form)
    assert again.status == 409
    assert is_in(visitor.get(find_link(mails[1]), accept_language="de"), "en")
    for who in ("ann", "bob"):
        talk.any_mail(who)


def test_own_pages_are_in_the_language_of_the_player(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann")
    talk.proves("ann", "set language=fr")
    talk.any_mail("ann")
    talk.proves("ann", "mine")
    home = find_link(talk.any_mail("ann"), "u")
    for path in ("", "/events"):
        page = visitor.get(f"{home}{path}", accept_language="de")
        assert is_in(page, "fr"), path


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT, en;q=0.5", "de"),
        ("fr;q=0.9, nl;q=0.8, xx", "fr"),
        ("nl;q=0.2, es", "es"),
        ("de;q=0, nl;q=0.1", "nl"),
        ("tlh, *;q=0.5", "en"),
        ("de;q=high", "en"),
        (",;q=1,;;=", "en"),
    ],
)
def test_public_pages_are_in_what_the_browser_asks_for(
    mails: list[Mail], visitor: Visitor, accepted: str, language: str
) -> None:
    asked = {"accept_language": accepted} if accepted else {}
    for path in ("/", "/board/1", "/board/1/try", "/game/hex", "/player/ann", "/nothing", "/join"):
        page = visitor.get(path, **asked)
        assert is_in(page, language), path
        assert page.headers["vary"] == "Accept-Language"
    assert say(language, "Games") in visitor.get("/", **asked).says


def test_games_have_the_titles_by_which_a_language_knows_them(visitor: Visitor) -> None:
    """What is typed is what a mail names; a game without another title keeps its own."""
    page = visitor.get("/game/chess", accept_language="de")
    assert say("de", "Rules") in page.says
    assert re.search(r"<h1>\s*Schach\s*</h1>", page.text)
    assert "chess herausfordern USERID OPPONENT" in page.says
    front = visitor.get("/games", accept_language="fr")
    assert re.search(r">Échecs</a>", front.text)
    assert "Hex" in front.says


@german
def test_visitors_who_ask_for_nothing_read_the_language_of_the_server(
    talk: Conversation, visitor: Visitor
) -> None:
    assert is_in(visitor.get("/"), "de")
    assert is_in(visitor.get("/", accept_language="tlh"), "de")
    assert is_in(visitor.get("/", accept_language="en-GB"), "en")
    plain = visitor.get("/?" + "a" * 2001, accept_language="nl")
    assert (plain.status, plain.headers["content-language"]) == (414, "nl")


def test_a_page_that_is_kept_is_kept_by_its_language(mails: list[Mail], visitor: Visitor) -> None:
    """A tag is good for one language alone, and drawings are kept for each."""
    tags = {
        language: visitor.get("/board/1", accept_language=language).headers["etag"]
        for language in ("en", "de", "fr", "de")
    }
    assert len(set(tags.values())) == 3
    same = visitor.get("/board/1", accept_language="de", if_none_match=tags["de"])
    assert same.status == 304
    assert (same.headers["vary"], same.headers["content-language"]) == ("Accept-Language", "de")
    other = visitor.get("/board/1", accept_language="fr", if_none_match=tags["de"])
    assert other.status == 200


def test_what_programs_read_is_the_same_in_every_language(
    mails: list[Mail], visitor: Visitor
) -> None:
    for path in ("/board/1.json", "/board/1.sgf", "/results.atom", "/player/ann.atom"):
        texts = {visitor.get(path, accept_language=each).text for each in ("en", "de")}
        assert len(texts) == 1, path


def test_what_somebody_is_called_is_never_markup(talk: Conversation, visitor: Visitor) -> None:
    """Also where a name is a value of a sentence."""
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=de name=<b>&amp;Ann")
    talk.any_mail("ann")
    mail, _ = talk.challenge("hex", "ann", "bob", options="-size=5")
    for page in (visitor.get(find_link(mail)), visitor.get("/player/ann", accept_language="de")):
        assert "<b>&amp;Ann" not in page.text

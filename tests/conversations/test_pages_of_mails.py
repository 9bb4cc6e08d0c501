"""The pages of mails that show no board: a headline, a button, and links for lines to send."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.harness.conversation import Conversation
from tests.mail.test_picture_page import Page, both


def test_a_mail_without_a_board_has_a_headline_and_a_button(talk: Conversation) -> None:
    """A code asks for a yes, which a button sends; lines that can be sent as they stand are links,
    and none asks for the password of whom the reply proves."""
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    code = talk.any_mail("ann")
    page = Page(both(code.raw)[1])
    assert "Confirm this address" in page.text
    (button,) = page.links
    assert unquote(button).startswith(f"mailto:{code.reply_to}?")
    assert button.endswith("&body=yes")
    talk.replies(code, "yes")
    welcome = Page(both(talk.any_mail("ann").raw)[1])
    assert "PASSWORD" not in welcome.text
    sent = list_replies(welcome)
    assert "cradle challenge ann level1" in sent
    assert "cradle challenge ann " in sent
    assert not [line for line in sent if line.upper() in line or "OTHER" in line]


def list_replies(page: Page) -> list[str]:
    """What the links of a page put into a reply."""
    return [unquote(link).partition("&body=")[2] for link in page.links if "&body=" in link]


def test_lines_that_answer_a_question_are_their_readers(talk: Conversation) -> None:
    """Words that a reader has are named, buttons say what they do, and what the reader has to add
    is left out."""
    talk.signup("ann")
    talk.proves("ann", "set language=nl")
    talk.replies(talk.any_mail("ann"), "I want to play something with my sister")
    answer = talk.any_mail("ann")
    assert "    aanbiedingen\n    spellen\n" in answer.text
    page = Page(both(answer.raw)[1])
    for label in ("Schaken tegen \u2026", "Een partij Schaken aanbieden", "uitnodigen \u2026"):
        assert label in page.text
    assert {"chess uitdagen ann ", "chess aanbieden", "uitnodigen ", "aanbiedingen"} <= {
        *list_replies(page)
    }
    assert "OPPONENT" not in page.text


@pytest.mark.config(web={"url": "https://club.example"})
def test_the_link_of_a_french_mail_has_the_blank_before_the_colon(talk: Conversation) -> None:
    """It is the address of the page's button, and stands there alone."""
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=fr")
    talk.any_mail("ann")
    board = talk.challenge("hex", "ann", "bob")[0]
    assert "\nSur le web : https://club.example/s/" in board.text
    assert "club.example" not in Page(both(board.raw)[1]).text


def test_the_page_of_a_game_is_headed_by_its_title(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "help spacecradles")
    page = Page(both(talk.any_mail("ann").raw)[1])
    assert page.text.strip().startswith("Space Cradles\nSPACE CRADLES, 2 to 4 players")


def test_mails_are_text_alone_for_who_wants_that(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "set mail=text")
    talk.any_mail("ann")
    talk.proves("ann", "help hex")
    assert not talk.any_mail("ann").message.is_multipart()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("accept", "resign", "chat")), ("de", ("annehmen", "aufgeben", "nachricht"))],
)
def test_a_reply_is_named_once_and_in_its_readers_words(
    talk: Conversation, language: str, words: tuple[str, ...]
) -> None:
    """The page has the word on a button, and neither the line that could be sent instead nor the
    number of the turn, which is for programs."""
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    asked = talk.challenge("cradle", "bob", "ann", options="--ask")[1]
    played = talk.plays(["e4", "e5"], "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))
    talk.replies(played[1], "chat Hi!")
    talk.any_mail("bob")
    told = {words[0]: asked, words[1]: played[0], words[2]: talk.any_mail("ann")}
    for word, mail in told.items():
        page = Page(both(mail.raw)[1]).text
        assert word in page
        assert "PASSWORD" not in mail.text
        for other in ("PASSWORD", "or send", "oder schick", "(3)", "chess move", "chess chat"):
            assert other not in page, (word, other)


def test_what_a_yes_would_do_has_a_button(talk: Conversation) -> None:
    """On a page with a board and on one without."""
    talk.signup("ann", "bob")
    board = talk.challenge("chess", "ann", "bob")[0]
    for mail, line in ((board, "e4 and good luck!"), (None, "set digest=1")):
        if mail is None:
            talk.proves("ann", line)
        else:
            talk.replies(mail, line)
        refused = talk.any_mail("ann")
        page = Page(both(refused.raw)[1])
        (yes,) = [link for link in page.links if link.endswith("&body=yes")]
        assert unquote(yes).startswith(f"mailto:{refused.reply_to}?")


def test_a_team_is_made_without_words_that_vanish(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "team new rooks bob")
    talk.receives(
        "ann", "[pbm] not done: more words follow team new than it takes", "team new rooks"
    )
    talk.proves("ann", "team new rooks")
    talk.receives("ann", "[pbm] the team @rooks", "team invite rooks USERID")

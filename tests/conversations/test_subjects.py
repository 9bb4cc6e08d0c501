"""The Subject of a board's mails: its players' names, so that every mail program shows one
conversation, or what has happened. The first line says it in any case."""

from __future__ import annotations

import pytest

from tests.games.cradles import FINISHED
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

TITLE = "[cradle 1] ann - bob"


@pytest.fixture(autouse=True)
def _new_players(talk: Conversation) -> None:
    """Players have set nothing."""
    talk.preferred = "{}"


def lead(mail: Mail) -> str:
    """The first paragraph, of which a phone shows the beginning."""
    return " ".join(mail.text.partition("\n\n")[0].split())


@pytest.mark.postgresql
def test_all_mails_of_a_board_have_one_subject(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    seen = list(latest)
    assert [lead(mail) for mail in latest] == [
        "Your move in 21 days. New game of Cradle: ann (first) against bob (second). "
        "It is your move (1).",
        "New game of Cradle: ann (first) against bob (second). It is ann's turn (1).",
    ]
    for number, move in enumerate(FINISHED[:-1]):
        latest = talk.plays(
            [move], "ann", "bob", latest=latest[number % 2 :] + latest[: number % 2]
        )
        seen += latest
        mover, other = ("ann", "bob") if number % 2 == 0 else ("bob", "ann")
        mine, theirs = latest if mover == "ann" else reversed(latest)
        assert lead(mine) == f"You played {move}. It is {other}'s turn ({number + 2})."
        asked = f"Your move in 21 days: {mover} played {move}. It is your move ({number + 2})."
        assert lead(theirs) == asked
        latest = sorted(latest, key=lambda mail: mail.address)
        assert theirs.message_id.startswith(f"<b1-{int(other == 'bob')}-{number + 2}-")
        assert theirs.fact("Ply") == str(number + 1)
    talk.replies(latest[1], "chat Well played!")
    seen += [talk.any_mail("bob"), talk.any_mail("ann")]
    assert [lead(mail) for mail in seen[-2:]] == [
        "This was sent to ann:",
        "bob writes on board 1:",
    ]
    talk.replies(latest[1], "a1,a2")
    seen.append(talk.any_mail("bob"))
    assert lead(seen[-1]) == "Not done: it is ann's turn."
    talk.replies(latest[0], FINISHED[-1])
    seen += [talk.any_mail("ann"), talk.any_mail("bob")]
    assert [lead(mail) for mail in seen[-2:]] == [
        f"You won (7): no cradle fits. You played {FINISHED[-1]}.",
        f"ann won (7): no cradle fits. ann played {FINISHED[-1]}.",
    ]
    assert {mail.subject for mail in seen} == {TITLE}
    assert {mail.references[0] for mail in seen} == {"<board.1@example.net>"}


def test_what_is_not_about_a_board_has_a_subject_of_its_own(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", "frobnicate 17")
    assert lead(talk.receives("ann", "[pbm] not done: there was no command in your mail")) == (
        "Not done: I could not find a command in your mail."
    )
    talk.proves("ann", "cradle challenge ann carl")
    mail = talk.any_mail("ann")
    assert mail.subject.startswith("[pbm] not done: ")
    assert lead(mail).startswith("Not done: ")


def test_a_watcher_and_a_reader_have_it_too(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    opening = talk.challenge("cradle", "ann", "bob")
    talk.mails("carl", f"cradle watch 1 carl {talk.password('carl')}")
    talk.receives("carl", TITLE, "You will get the mails of board 1")
    talk.mails("carl", "cradle show 1")
    mail = talk.receives("carl", TITLE)
    assert lead(mail) == "It is ann's turn (1)."
    talk.replies(opening[0], FINISHED[0])
    talk.any_mail("ann")
    talk.receives("bob", TITLE)
    mail = talk.receives("carl", TITLE, "You are watching this board.")
    assert lead(mail) == f"ann played {FINISHED[0]}. It is bob's turn (2)."


def test_the_news_in_the_subject(talk: Conversation) -> None:
    """For those who ask for it, in every form; the others keep the names."""
    talk.signup("ann", "bob")
    talk.mails("ann", f"set ann {talk.password('ann')} subject=news")
    talk.receives("ann", "[pbm] preferences of ann changed", "subject=news")
    talk.proves("bob", "cradle challenge ann bob")
    mine = talk.receives("ann", "[cradle 1] new board: ann, bob")
    talk.receives("bob", TITLE)
    talk.replies(mine, FINISHED[0])
    talk.receives("ann", f"[cradle 1] bob to move (2), you played {FINISHED[0]}")
    yours = talk.receives("bob", TITLE)
    talk.replies(yours, FINISHED[1])
    mine = talk.receives("ann", f"[cradle 1] your move (3), bob played {FINISHED[1]}")
    yours = talk.receives("bob", TITLE)
    talk.replies(mine, "nonsense")
    mail = talk.any_mail("ann")
    assert mail.subject.startswith("[cradle 1] not done: ")
    assert lead(mail).startswith("Not done: ")
    talk.replies(yours, "resign")
    mail = talk.receives("ann", "[cradle 1] ann won (2)")
    assert lead(mail) == "bob resigned. You won (2)."
    assert lead(talk.receives("bob", TITLE)) == "You resigned. ann won (2)."


def test_the_text_comes_with_a_page_unless_one_asks_for_text_alone(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("bob", f"set bob {talk.password('bob')} mail=text")
    talk.receives("bob", "[pbm] preferences of bob changed", "mail=text")
    mine, yours = talk.challenge("cradle", "ann", "bob")
    assert mine.header("Content-Type").startswith("multipart/alternative")
    page = mine.message.get_body(("html",))
    assert page is not None
    assert "ann (first) against bob" in str(page.get_content())
    assert "Board crooked?" not in mine.text
    assert yours.header("Content-Type").startswith("text/plain")
    assert "Board crooked? Reply with: set mail=picture" in yours.lines
    talk.replies(mine, FINISHED[0])
    assert "multipart" in talk.receives("ann", TITLE).header("Content-Type")
    yours = talk.receives("bob", TITLE)
    assert yours.header("Content-Type").startswith("text/plain")
    talk.mails("bob", f"set bob {talk.password('bob')} mail=picture")
    talk.receives("bob", "[pbm] preferences of bob changed", "mail=picture")
    talk.replies(yours, FINISHED[1])
    talk.any_mail("ann")
    assert "multipart" in talk.receives("bob", TITLE).header("Content-Type")


@pytest.mark.config(server={"name": "Café Zugzwang"})
def test_mails_of_no_board_have_the_name_of_the_club(talk: Conversation) -> None:
    """And one without any mark of a reply is not taken for the command that its subject names."""
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    talk.replies(talk.receives("ann", "[Café Zugzwang] confirm this address"), "yes")
    welcome = talk.receives("ann", "[Café Zugzwang] welcome, ann")
    talk.replies(welcome, "help hex")
    page = talk.receives("ann", "[Café Zugzwang] help hex")
    for subject in (page.subject, page.subject.replace("Café ", "Café  ")):
        talk.mails("ann", subject, "games chess", to=page.reply_to)
        assert "games: chess" in talk.any_mail("ann").subject


def test_a_list_of_moves_is_broken_where_the_page_ends(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mine, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mine, "moves")
    page = talk.any_mail("ann").message.get_body(("html",))
    assert page is not None
    text = page.get_content()
    before, _, _ = text.partition("a3  a4  b3  b4")
    assert before != text
    assert "white-space:pre-wrap" in before[before.rindex("<pre") :]


def test_words_beside_a_command_below_a_subject_are_passed_on(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("chess", "ann", "bob")
    line = f"chess chat 1 ann {talk.password('ann')} hello there"
    talk.mails("ann", "A word about Sunday", f"{line}\nand more")
    told = talk.everything()
    assert {each.address.partition("@")[0] for each in told} == {"ann", "bob"}
    for each in told:
        assert "> hello there\n> and more\n" in each.text

"""Notices that a player causes: beyond a number a day they become one summary, whatever way they
come; moves are mailed always, and who blocks and never agreed to play hears nothing."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.store.tables import held_notices
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail, has_name
from tests.harness.visitor import HOST, Visitor

MOST = 30
pytestmark = pytest.mark.config(
    limits={"chats_an_hour": 0, "mails_a_day": 0, "open_boards": 0, "news_a_day": 0},
    web={"url": HOST},
)


def heard(talk: Conversation, who: str) -> list[Mail]:
    """What somebody has received; all other mails are taken for read."""
    return [mail for mail in talk.everything() if mail.address == f"{who}@example.org"]


def summary(talk: Conversation, who: str) -> Mail:
    """The one mail that somebody receives within the next two hours."""
    for _ in range(8):
        talk.clock.advance(seconds=900)
        talk.server.tick(900.0)
    (mail,) = heard(talk, who)
    return mail


@pytest.mark.postgresql
def test_a_flood_of_chats_ends_in_a_summary_and_moves_go_on(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob")
    for number in range(1, MOST + 12):
        talk.replies(mails[0], f"chat line {number} of what ann says")
    got = talk.everything()
    assert sum(mail.address.startswith("bob") for mail in got) == MOST - 1
    assert sum(mail.address.startswith("ann") for mail in got) == MOST + 11
    talk.replies(mails[0], "d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")
    talk.any_mail("ann")
    mail = summary(talk, "bob")
    assert mail.subject == "[pbm] 12 more notices from ann"
    assert "[hex 1] ann writes (the last of 12)" in mail.text
    for number in range(1, MOST + 12):
        assert (f"line {number} of" in mail.text) is (number >= MOST)
    assert "block ann" in mail.text
    talk.passes(days=1)
    assert not heard(talk, "bob")
    talk.replies(mails[0], "chat a new day")
    talk.receives("bob", "[hex 1] ann writes", "a new day")
    talk.any_mail("ann")


def test_fast_chat_by_a_person_arrives_at_once(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob")
    for number in range(20):
        talk.replies(mails[0], f"chat Message number {number} about the weather")
        talk.clock.advance(seconds=10)
        talk.receives("bob", "[hex 1] ann writes", f"number {number} about")
        talk.any_mail("ann")


def test_clicks_count_like_mails(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob")
    page = visitor.get(mails[0].line("On the web: "))
    for number in range(20):
        visitor.send(page, page.form("chat"), text=f"Click {number}")
        talk.replies(mails[0], f"chat Mail {number}")
    assert len(heard(talk, "bob")) == MOST - 1
    mail = summary(talk, "bob")
    assert mail.text.count("Click ") + mail.text.count("Mail ") == 11


def test_resignations_taken_back_end_soon(talk: Conversation, visitor: Visitor) -> None:
    """Before a first move, by mails of many lines and by clicks."""
    talk.signup("eve", "bob", "carl")
    mails = talk.challenge("hex", "eve", "bob")
    talk.mails("carl", f"hex watch 1 carl {talk.password('carl')}")
    talk.everything()
    lines = f"hex resign 1 eve {talk.password('eve')}\nhex undo 1 eve {talk.password('eve')}\n"
    talk.mails("eve", "multiple", lines * 20)
    page = visitor.get(mails[0].line("On the web: "))
    for _ in range(5):
        for act in ("resign", "undo"):
            page = visitor.get(page.url)
            forms = [form for form in page.forms if form.fields.get("do") == act]
            if forms:
                visitor.send(page, forms[0], sure="yes")
    got = talk.everything()
    for who in ("bob", "carl"):
        assert sum(mail.address.startswith(who) for mail in got) == 3


def test_who_blocks_and_never_agreed_hears_nothing(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("eve", "bob")
    mails = talk.challenge("hex", "eve", "bob")
    talk.mails("bob", f"block bob {talk.password('bob')} eve")
    talk.any_mail("bob")
    eve = talk.password("eve")
    talk.replies(mails[0], "chat You coward!")
    answer = talk.receives("eve", "[hex 1] passed on to bob")
    assert "Nobody" not in answer.text
    page = visitor.get(mails[0].line("On the web: "))
    visitor.send(page, page.form("chat"), text="Coward by click!")
    for line in ("propose", "undo", "resign", "undo"):
        talk.mails("eve", f"hex {line} 1 eve {eve}", "Coward, again!")
    talk.mails("eve", f"hex move 1 eve {eve} d4", "Coward, and a move!")
    assert not heard(talk, "bob")
    bob = visitor.get(mails[1].line("On the web: "))
    assert "oward" not in bob.says
    assert held(talk) == 0


def held(talk: Conversation) -> int:
    with talk.server.store.reading() as session:
        return len(session.execute(select(held_notices.c.count)).scalars().all())


def test_boards_in_play_go_on_for_who_blocks(talk: Conversation) -> None:
    """Who has moved hears of moves, and of what goes with them."""
    talk.signup("eve", "bob")
    mails = talk.challenge("hex", "bob", "eve")
    talk.replies(mails[0], "d4")
    talk.any_mail("bob")
    asked = talk.any_mail("eve")
    talk.mails("bob", f"block bob {talk.password('bob')} eve")
    talk.any_mail("bob")
    talk.replies(asked, "e5\nWell played")
    talk.receives("bob", "[hex 1] your move (3), eve played e5", "> Well played")
    talk.any_mail("eve")


def test_a_watcher_who_blocks_hears_no_chat(talk: Conversation) -> None:
    talk.signup("eve", "ann", "bob")
    mails = talk.challenge("hex", "eve", "ann")
    bob = talk.password("bob")
    talk.mails("bob", f"hex watch 1 bob {bob}")
    talk.mails("bob", f"block bob {bob} eve")
    talk.everything()
    talk.replies(mails[0], "chat Bob is a coward")
    talk.receives("ann", "[hex 1] eve writes")
    talk.replies(mails[0], "d4\nBob is a coward")
    assert "coward" not in talk.receives("bob", "[hex 1] ann to move (2), eve played d4").text
    talk.everything()


def test_a_watcher_is_not_mailed_without_end_by_one_player_alone(talk: Conversation) -> None:
    """Both seats are eve's, who moves and takes it back."""
    talk.signup("eve", "bob")
    talk.proves("eve", "hex challenge eve eve")
    talk.everything()
    talk.mails("bob", f"hex watch 1 bob {talk.password('bob')}")
    talk.everything()
    eve = talk.password("eve")
    lines = f"hex move 1 eve {eve} d4\nhex undo 1 eve {eve}\n" * 25
    for _ in range(4):
        talk.mails("eve", "multiple", lines)
    assert len(heard(talk, "bob")) <= MOST + 11


def test_offers_of_a_draw_rejected_without_end(talk: Conversation) -> None:
    talk.signup("eve", "ann", "bob")
    mails = talk.challenge("hex", "eve", "ann")
    talk.replies(mails[0], "d4")
    talk.mails("bob", f"hex watch 1 bob {talk.password('bob')}")
    talk.everything()
    eve, ann = talk.password("eve"), talk.password("ann")
    for _ in range(40):
        talk.mails("eve", f"hex propose 1 eve {eve}")
        talk.mails("ann", f"hex reject 1 ann {ann}")
    got = talk.everything()
    assert sum(mail.address.startswith("bob") for mail in got) == 2 * MOST
    assert "[hex 1] " in summary(talk, "bob").text


def test_challenges_declined_and_messages_without_end(talk: Conversation) -> None:
    talk.signup("eve", "bob")
    eve = talk.password("eve")
    for number in range(1, 26):
        talk.proves("eve", "hex challenge eve bob")
        talk.mails("eve", f"hex decline {number} eve {eve}")
        talk.mails("eve", f"message eve {eve} bob", f"Message {number}")
    assert len(heard(talk, "bob")) == MOST
    mail = summary(talk, "bob")
    assert mail.subject == "[pbm] 45 more notices from eve"
    assert "[hex 25] cancelled (0) (the last of 2)" in " ".join(mail.text.split())
    assert "Message 25" in mail.text


@pytest.mark.config(
    limits={"notices_a_day": 2, "chats_an_hour": 0, "open_boards": 0, "mails_a_day": 0}
)
def test_results_are_mailed_at_once_to_who_agreed_to_play(talk: Conversation) -> None:
    talk.signup("eve", "bob")
    for board in range(1, 7):
        talk.proves("bob", "hex challenge bob eve")
        talk.mails("bob", f"hex move {board} bob {talk.password('bob')} d4")
    talk.everything()
    eve = talk.password("eve")
    for board in range(1, 6):
        talk.mails("eve", f"hex resign {board} eve {eve}")
    assert [mail.subject for mail in heard(talk, "bob")] == [
        f"[hex {board}] bob won (1)" for board in range(1, 6)
    ]
    for _ in range(3):
        talk.mails("eve", f"hex propose 6 eve {eve}")
        talk.mails("bob", f"hex reject 6 bob {talk.password('bob')}")
    assert len(heard(talk, "bob")) == 2 + 3
    for board in range(7, 10):
        talk.proves("eve", "hex challenge eve bob")
        talk.everything()
        talk.mails("eve", f"hex resign {board} eve {eve}")
    assert not heard(talk, "bob")


@pytest.mark.postgresql
@pytest.mark.config(limits={"notices_a_day": 3, "chats_an_hour": 0})
def test_what_a_summary_has_no_room_for_is_in_the_next(talk: Conversation) -> None:
    """No text is cut, and none is left out."""
    talk.signup("ann", "bob")
    boards = [talk.challenge("hex", "ann", "bob")[0] for _ in range(3)]
    for number, mail in enumerate(boards, 1):
        for part in "abc":
            talk.replies(mail, "chat " + f"story {number}{part}, " * 400 + f"end {number}{part}")
    talk.everything()
    talk.passes(days=0.2, step=900.0)

    texts = (mail.text.replace("\n> ", " ") for mail in heard(talk, "bob"))
    first, second = (" ".join(text.split()) for text in texts)
    assert ["end 1c" in first, "end 2c" in first, "end 3a" in second] == [True] * 3
    told = first + second
    assert held(talk) == 0
    for number in range(1, 4):
        for part in "abc":
            assert told.count(f"story {number}{part}") == 400
            assert f"end {number}{part}" in told


def test_words_that_wait_are_not_shown_to_who_blocks(talk: Conversation) -> None:
    talk.signup("eve", "carl", "bob")
    for who in ("eve", "carl"):
        for number in range(MOST + 2):
            talk.mails(who, f"message {who} {talk.password(who)} bob", f"{who} says {number}")
    talk.mails("bob", f"block bob {talk.password('bob')} eve")
    talk.everything()
    mail = summary(talk, "bob")
    assert "carl says" in mail.text
    assert not has_name(mail.text, "eve")
    assert held(talk) == 0


@pytest.mark.config(limits={"notices_a_day": 2, "chats_an_hour": 0})
def test_a_summary_dies_with_the_account(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob")
    for _ in range(3):
        talk.replies(mails[0], "chat secret words")
    talk.everything()
    assert held(talk) == 1
    ann = talk.password("ann")
    talk.mails("ann", f"erase ann {ann}")
    code = talk.any_mail("ann")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.everything()
    with talk.server.store.reading() as session:
        assert set(session.execute(select(held_notices.c.text)).scalars()) <= {""}


@pytest.mark.config(limits={"news_a_day": 12})
def test_many_players_together_cause_no_more_than_a_day_holds(talk: Conversation) -> None:
    """What each of them writes is little; what is about the own boards is mailed always."""
    people = ("ann", "eve", "carl", "dora", "fay")
    talk.signup("bob", *people)
    for who in people:
        for number in range(4):
            talk.mails(who, f"message {who} {talk.password(who)} bob", f"{who} says {number}")
    assert len(heard(talk, "bob")) == 12
    mails = talk.challenge("hex", "ann", "bob")
    talk.replies(mails[0], "d4")
    (moved,) = heard(talk, "bob")
    assert moved.subject.startswith("[hex 1] your move")
    mail = summary(talk, "bob")
    assert "fay says 0" in mail.text
    assert "fay says 3" in mail.text

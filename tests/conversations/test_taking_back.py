"""Acts that are taken back at once by who did them: resigning, and accepting a draw, an undo or the
end of a board."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.core.fsck import find_differences
from pbm.store.tables import boards, rating_changes, ratings, seats
from tests.harness.conversation import Conversation
from tests.harness.databases import all_rows
from tests.harness.mail import Mail

HINT = "A mistake? Reply with undo within an hour."


def after_a_move(talk: Conversation, options: str = "") -> list[Mail]:
    """A board of hex on which ann has moved; the latest mails of both."""
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob", options=options)
    talk.replies(mails[0], "d4")
    return [talk.any_mail("ann"), talk.any_mail("bob")]


def says(talk: Conversation, who: str, word: str) -> None:
    talk.mails(who, f"hex {word} 1 {who} {talk.password(who)}")


def check(talk: Conversation) -> None:
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == []


def state(talk: Conversation) -> str:
    check(talk)
    with talk.server.store.reading() as session:
        return str(session.execute(select(boards.c.state).where(boards.c.id == 1)).scalar_one())


@pytest.mark.postgresql
def test_a_resignation_that_ended_the_board(talk: Conversation) -> None:
    _, asked = after_a_move(talk)
    talk.clock.advance(days=3)
    talk.replies(asked, "resign")
    talk.receives("ann", "[hex 1] ann won (1)")
    lost = talk.receives("bob", "[hex 1] ann won (1)", HINT)
    talk.clock.advance(seconds=3500)
    talk.replies(lost, "undo\nOops, wrong board.")
    talk.receives(
        "ann", "[hex 1] bob to move (2), bob took back the resignation", "> Oops, wrong board."
    )
    mail = talk.receives(
        "bob",
        "[hex 1] your move (2), you took back the resignation",
        "Please move by Mon 23 Mar 2026, 12:00 UTC (in 18 days).",
    )
    assert HINT not in mail.text
    assert state(talk) == "running"
    with talk.server.store.reading() as session:
        for table in (ratings, rating_changes):
            assert all_rows(session, select(table)) == []
        assert set(session.execute(select(seats.c.rank)).scalars()) == {None}
    talk.replies(mail, "e5")
    talk.receives("ann", "[hex 1] your move (3), bob played e5")
    talk.receives("bob", "[hex 1] ann to move (3), you played e5")
    check(talk)


def test_only_once(talk: Conversation) -> None:
    after_a_move(talk)
    says(talk, "bob", "resign")
    talk.receives("ann", "[hex 1] ann won (1)")
    talk.receives("bob", "[hex 1] ann won (1)", HINT)
    says(talk, "ann", "undo")
    talk.receives("ann", "[hex 1] not done: board 1 is over")
    says(talk, "bob", "undo")
    talk.receives("ann", "[hex 1] bob to move (2), bob took back the resignation")
    talk.receives(
        "bob",
        "[hex 1] your move (2), you took back the resignation",
        "You can take back a resignation once on each board: the next one here is final.",
    )
    says(talk, "bob", "undo")
    talk.receives("bob", "[hex 1] not done: you have no move to take back")
    says(talk, "bob", "resign")
    talk.receives("ann", "[hex 1] ann won (1)")
    mail = talk.receives(
        "bob",
        "[hex 1] ann won (1)",
        "You have taken back a resignation on this board before: this one is final.",
    )
    assert HINT not in mail.text
    says(talk, "bob", "undo")
    talk.receives("bob", "[hex 1] not done: board 1 is over")
    assert state(talk) == "over"


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("offer", "what", "ended"),
    [
        ("propose", "the acceptance of the draw", "over"),
        ("cancel", "the cancellation", "cancelled"),
    ],
)
def test_an_accepted_end(talk: Conversation, offer: str, what: str, ended: str) -> None:
    after_a_move(talk)
    says(talk, "ann", offer)
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    assert HINT not in talk.any_mail("ann").text
    mail = talk.any_mail("bob")
    assert HINT in mail.text
    assert state(talk) == ended
    talk.replies(mail, "undo")
    talk.receives("ann", f"[hex 1] bob to move (2), bob took back {what}")
    again = talk.receives("bob", f"[hex 1] your move (2), you took back {what}", "ann proposes")
    assert state(talk) == "running"
    talk.replies(again, "reject")
    talk.any_mail("ann")
    talk.any_mail("bob")


@pytest.mark.postgresql
def test_an_accepted_undo(talk: Conversation) -> None:
    after_a_move(talk)
    says(talk, "ann", "undo")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    talk.receives("ann", "[hex 1] your move (1), back to the start")
    mail = talk.receives("bob", "[hex 1] ann to move (1), back to the start", HINT)
    talk.replies(mail, "undo")
    talk.receives("ann", "[hex 1] bob to move (2), bob took back the acceptance of the undo")
    mail = talk.receives("bob", "[hex 1] your move (2), you took back the acceptance of the undo")
    assert "d4" in mail.text
    assert state(talk) == "running"
    talk.replies(mail, "e5")
    talk.receives("ann", "[hex 1] your move (3), bob played e5")
    talk.receives("bob", "[hex 1] ann to move (3), you played e5")
    check(talk)


def test_not_once_another_has_moved_or_a_queued_move_has_followed(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    latest = talk.challenge("cradle", "ann", "bob", "carl")
    talk.plays(["a2,b2,c2,c3"], "ann", "bob", "carl", latest=latest)
    talk.mails("carl", f"cradle queue 1 carl {talk.password('carl')} b1,c1,d1,d2")
    talk.any_mail("carl")
    talk.mails("bob", f"cradle resign 1 bob {talk.password('bob')}")
    for who in ("ann", "bob", "carl"):
        mail = talk.any_mail(who)
        assert "ann to move (3)" in mail.subject or who == "ann"
        assert HINT not in mail.text
    talk.mails("bob", f"cradle undo 1 bob {talk.password('bob')}")
    talk.receives("bob", "[cradle 1] not done: you no longer play on board 1")


def test_three_players_and_one_comes_back(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    latest = talk.challenge("cradle", "ann", "bob", "carl")
    talk.plays(["a2,b2,c2,c3"], "ann", "bob", "carl", latest=latest)
    talk.mails("bob", f"cradle resign 1 bob {talk.password('bob')}")
    for who in ("ann", "bob", "carl"):
        mail = talk.any_mail(who)
        assert (HINT in mail.text) is (who == "bob")
    talk.mails("bob", f"cradle undo 1 bob {talk.password('bob')}")
    talk.receives("bob", "[cradle 1] your move (2), you took back the resignation")
    for who in ("ann", "carl"):
        talk.receives(who, "[cradle 1] bob to move (2), bob took back the resignation")
    check(talk)


def test_not_where_the_end_has_shown_the_dice(talk: Conversation) -> None:
    """The secret of all rolls to come stands in the last mail."""
    talk.signup("ann", "bob")
    talk.agreed("backgammon", "ann", "bob")
    talk.mails("bob", f"backgammon resign 1 bob {talk.password('bob')}")
    talk.any_mail("ann")
    mail = talk.receives("bob", "[backgammon 1] ann won (0)", "[Secret ")
    assert HINT not in mail.text
    talk.replies(mail, "undo")
    talk.receives("bob", "[backgammon 1] not done: board 1 is over")


def test_to_resign_before_anybody_has_moved_is_to_decline(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    says(talk, "bob", "resign")
    talk.receives("ann", "[hex 1] cancelled (0)", "bob declined")
    talk.receives("bob", "[hex 1] cancelled (0)", HINT)
    assert state(talk) == "cancelled"
    says(talk, "bob", "undo")
    talk.receives("ann", "[hex 1] your move (1), bob took back the cancellation")
    talk.receives("bob", "[hex 1] ann to move (1), you took back the cancellation")
    assert state(talk) == "running"
    says(talk, "bob", "resign")
    talk.receives("ann", "[hex 1] cancelled (0)", "bob declined")
    mail = talk.receives("bob", "[hex 1] cancelled (0)", "this one is final")
    assert HINT not in mail.text
    says(talk, "bob", "undo")
    talk.receives("bob", "[hex 1] not done: board 1 is over")
    assert state(talk) == "cancelled"


def test_each_kind_of_act_is_taken_back_once_by_each_player(talk: Conversation) -> None:
    after_a_move(talk)
    says(talk, "ann", "propose")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    for word, what in (("undo", ""), ("accept", "final"), ("undo", "not done: board 1 is over")):
        talk.everything()
        says(talk, "bob", word)
        (mail,) = [mail for mail in talk.everything() if mail.address.startswith("bob")]
        assert what in f"{mail.subject} {mail.text}"
    latest = talk.challenge("hex", "ann", "bob")
    talk.plays(["d4"], "ann", "bob", latest=latest)
    for who in ("ann", "bob"):
        says_on_second(talk, who, "resign")
        assert HINT in answer(talk, who)
        says_on_second(talk, who, "undo")
        assert "the next one here is final" in answer(talk, who)
    says_on_second(talk, "ann", "resign")
    assert HINT not in answer(talk, "ann")
    check(talk)


def says_on_second(talk: Conversation, who: str, word: str) -> None:
    talk.mails(who, f"hex {word} 2 {who} {talk.password(who)}")


def answer(talk: Conversation, who: str) -> str:
    """What somebody has received last; all other mails are taken for read."""
    mails = [mail for mail in talk.everything() if mail.address.startswith(who)]
    return " ".join(mails[-1].text.split())


def test_only_for_an_hour(talk: Conversation) -> None:
    after_a_move(talk)
    says(talk, "bob", "resign")
    assert HINT in answer(talk, "bob")
    talk.clock.advance(seconds=3601)
    says(talk, "bob", "undo")
    talk.receives("bob", "[hex 1] not done: board 1 is over")


def test_a_rating_since_then_is_computed_anew(talk: Conversation) -> None:
    after_a_move(talk)
    says(talk, "bob", "resign")
    talk.any_mail("ann")
    talk.any_mail("bob")
    latest = talk.challenge("hex", "ann", "bob")
    talk.plays(["d4"], "ann", "bob", latest=latest)
    talk.mails("ann", f"hex resign 2 ann {talk.password('ann')}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    says(talk, "bob", "undo")
    talk.any_mail("ann")
    talk.any_mail("bob")
    check(talk)
    with talk.server.store.reading() as session:
        assert set(session.execute(select(rating_changes.c.board_id)).scalars()) == {2}

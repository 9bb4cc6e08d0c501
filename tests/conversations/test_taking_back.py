"""Acts that are taken back at once by who did them: resigning, and accepting a draw, an undo or the
end of a board."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.core.service.fsck import find_differences
from pbm.store.tables import boards, rating_changes, ratings, seats
from tests.conversations.conversation import Conversation
from tests.conversations.mail import Mail
from tests.store.statements import all_rows

HINT = "A mistake? Reply with undo within an hour."


def after_a_move(house: Conversation, options: str = "") -> list[Mail]:
    """A board of hex on which ann has moved; the latest mails of both."""
    house.signup("ann", "bob")
    mails = house.challenge("hex", "ann", "bob", options=options)
    house.replies(mails[0], "d4")
    return [house.any_mail("ann"), house.any_mail("bob")]


def says(house: Conversation, who: str, word: str) -> None:
    house.mails(who, f"hex {word} 1 {who} {house.password(who)}")


def check(house: Conversation) -> None:
    with house.server.store.reading() as session:
        assert list(find_differences(session)) == []


def state(house: Conversation) -> str:
    check(house)
    with house.server.store.reading() as session:
        return str(session.execute(select(boards.c.state).where(boards.c.id == 1)).scalar_one())


@pytest.mark.postgresql
def test_a_resignation_that_ended_the_board(house: Conversation) -> None:
    _, asked = after_a_move(house)
    house.clock.advance(days=3)
    house.replies(asked, "resign")
    house.receives("ann", "[hex 1] ann won (1)")
    lost = house.receives("bob", "[hex 1] ann won (1)", HINT)
    house.clock.advance(seconds=3500)
    house.replies(lost, "undo\nOops, wrong board.")
    house.receives(
        "ann", "[hex 1] bob to move (2), bob took back the resignation", "> Oops, wrong board."
    )
    mail = house.receives(
        "bob",
        "[hex 1] your move (2), you took back the resignation",
        "Please move by Mon 23 Mar 2026, 12:00 UTC.",
    )
    assert HINT not in mail.text
    assert state(house) == "running"
    with house.server.store.reading() as session:
        for table in (ratings, rating_changes):
            assert all_rows(session, select(table)) == []
        assert set(session.execute(select(seats.c.rank)).scalars()) == {None}
    house.replies(mail, "e5")
    house.receives("ann", "[hex 1] your move (3), bob played e5")
    house.receives("bob", "[hex 1] ann to move (3), you played e5")
    check(house)


def test_only_for_an_hour_and_only_once(house: Conversation) -> None:
    after_a_move(house)
    says(house, "bob", "resign")
    house.receives("ann", "[hex 1] ann won (1)")
    house.receives("bob", "[hex 1] ann won (1)", HINT)
    says(house, "ann", "undo")
    house.receives("ann", "[hex 1] not done: board 1 is over")
    says(house, "bob", "undo")
    house.receives("ann", "[hex 1] bob to move (2), bob took back the resignation")
    house.receives("bob", "[hex 1] your move (2), you took back the resignation")
    says(house, "bob", "undo")
    house.receives("bob", "[hex 1] not done: you have no move to take back")
    says(house, "bob", "resign")
    house.receives("ann", "[hex 1] ann won (1)")
    house.receives("bob", "[hex 1] ann won (1)")
    house.clock.advance(seconds=3601)
    says(house, "bob", "undo")
    house.receives("bob", "[hex 1] not done: board 1 is over")
    assert state(house) == "over"


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("offer", "what", "ended"),
    [
        ("propose", "the acceptance of the draw", "over"),
        ("cancel", "the cancellation", "cancelled"),
    ],
)
def test_an_accepted_end(house: Conversation, offer: str, what: str, ended: str) -> None:
    after_a_move(house)
    says(house, "ann", offer)
    house.any_mail("ann")
    house.replies(house.any_mail("bob"), "accept")
    assert HINT not in house.any_mail("ann").text
    mail = house.any_mail("bob")
    assert HINT in mail.text
    assert state(house) == ended
    house.replies(mail, "undo")
    house.receives("ann", f"[hex 1] bob to move (2), bob took back {what}")
    again = house.receives("bob", f"[hex 1] your move (2), you took back {what}", "ann proposes")
    assert state(house) == "running"
    house.replies(again, "reject")
    house.any_mail("ann")
    house.any_mail("bob")


@pytest.mark.postgresql
def test_an_accepted_undo(house: Conversation) -> None:
    after_a_move(house)
    says(house, "ann", "undo")
    house.any_mail("ann")
    house.replies(house.any_mail("bob"), "accept")
    house.receives("ann", "[hex 1] your move (1), back to the start")
    mail = house.receives("bob", "[hex 1] ann to move (1), back to the start", HINT)
    house.replies(mail, "undo")
    house.receives("ann", "[hex 1] bob to move (2), bob took back the acceptance of the undo")
    mail = house.receives("bob", "[hex 1] your move (2), you took back the acceptance of the undo")
    assert "d4" in mail.text
    assert state(house) == "running"
    house.replies(mail, "e5")
    house.receives("ann", "[hex 1] your move (3), bob played e5")
    house.receives("bob", "[hex 1] ann to move (3), you played e5")
    check(house)


def test_not_once_another_has_moved_or_a_queued_move_has_followed(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    latest = house.challenge("cradle", "ann", "bob", "carl")
    house.plays(["a2,b2,c2,c3"], "ann", "bob", "carl", latest=latest)
    house.mails("carl", f"cradle queue 1 carl {house.password('carl')} b1,c1,d1,d2")
    house.any_mail("carl")
    house.mails("bob", f"cradle resign 1 bob {house.password('bob')}")
    for who in ("ann", "bob", "carl"):
        mail = house.any_mail(who)
        assert "ann to move (3)" in mail.subject or who == "ann"
        assert HINT not in mail.text
    house.mails("bob", f"cradle undo 1 bob {house.password('bob')}")
    house.receives("bob", "[cradle 1] not done: you no longer play on board 1")


def test_three_players_and_one_comes_back(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    latest = house.challenge("cradle", "ann", "bob", "carl")
    house.plays(["a2,b2,c2,c3"], "ann", "bob", "carl", latest=latest)
    house.mails("bob", f"cradle resign 1 bob {house.password('bob')}")
    for who in ("ann", "bob", "carl"):
        mail = house.any_mail(who)
        assert (HINT in mail.text) is (who == "bob")
    house.mails("bob", f"cradle undo 1 bob {house.password('bob')}")
    house.receives("bob", "[cradle 1] your move (2), you took back the resignation")
    for who in ("ann", "carl"):
        house.receives(who, "[cradle 1] bob to move (2), bob took back the resignation")
    check(house)


def test_not_where_the_end_has_shown_the_dice(house: Conversation) -> None:
    """The secret of all rolls to come stands in the last mail."""
    house.signup("ann", "bob")
    house.agreed("backgammon", "ann", "bob")
    house.mails("bob", f"backgammon resign 1 bob {house.password('bob')}")
    house.any_mail("ann")
    mail = house.receives("bob", "[backgammon 1] ann won (0)", "[Secret ")
    assert HINT not in mail.text
    house.replies(mail, "undo")
    house.receives("bob", "[backgammon 1] not done: board 1 is over")


def test_to_resign_before_anybody_has_moved_is_to_decline(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.challenge("hex", "ann", "bob")
    says(house, "bob", "resign")
    house.receives("ann", "[hex 1] cancelled (0)", "bob declined")
    house.receives("bob", "[hex 1] cancelled (0)", HINT)
    assert state(house) == "cancelled"
    says(house, "bob", "undo")
    house.receives("ann", "[hex 1] your move (1), bob took back the cancellation")
    house.receives("bob", "[hex 1] ann to move (1), you took back the cancellation")
    assert state(house) == "running"


def test_a_rating_since_then_is_computed_anew(house: Conversation) -> None:
    after_a_move(house)
    says(house, "bob", "resign")
    house.any_mail("ann")
    house.any_mail("bob")
    latest = house.challenge("hex", "ann", "bob")
    house.plays(["d4"], "ann", "bob", latest=latest)
    house.mails("ann", f"hex resign 2 ann {house.password('ann')}")
    house.any_mail("ann")
    house.any_mail("bob")
    says(house, "bob", "undo")
    house.any_mail("ann")
    house.any_mail("bob")
    check(house)
    with house.server.store.reading() as session:
        assert set(session.execute(select(rating_changes.c.board_id)).scalars()) == {2}

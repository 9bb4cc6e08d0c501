"""The letters of a club: what the server writes to its members about a month, and about a year."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conversations.test_clubs import make_club, sign
from tests.conversations.test_parties import read, readers
from tests.harness.conversation import DAY, Conversation
from tests.harness.mail import Mail


def play(talk: Conversation, number: int, *options: str) -> None:
    """Play a board of the club that ann wins with her third move."""
    talk.proves("ann", " ".join(("hex challenge ann bob --club=rooks -size=3", *options)))
    for who, move in (("ann", "a1"), ("bob", "b1"), ("ann", "a2"), ("bob", "b2"), ("ann", "a3")):
        talk.mails(who, f"hex move {number} {who} {talk.password(who)} {move}")
    talk.everything()


def pass_to(talk: Conversation, year: int, month: int) -> list[Mail]:
    """Let the time pass to the first hours of a month; what was mailed that is no reminder."""
    at = datetime(year, month, 1, 6, tzinfo=UTC).timestamp()
    talk.passes(days=(at - talk.clock()) / DAY, step=5 * DAY)
    return [
        mail
        for mail in talk.everything()
        if "letter for" in mail.subject or "the year" in mail.subject
    ]


@pytest.mark.postgresql
def test_a_letter_tells_members_of_the_month_and_the_year(talk: Conversation) -> None:
    """With results, upset, longest game, who seeks and a diagram, to those who take such mails; in
    a month without a result there is none."""
    talk.signup("ann", "bob", "carl", "dora", "eve")
    make_club(talk, "rooks", "ann", "bob", "carl", "dora")
    now = datetime.fromtimestamp(talk.clock(), UTC)
    talk.mails("carl", f"set carl {talk.password('carl')} broadcasts=no")
    talk.mails("dora", f"set dora {talk.password('dora')} board=words")
    talk.everything()
    play(talk, 1)
    play(talk, 2, "--private")
    talk.mails("ann", f"hex seek ann {talk.password('ann')} --club=rooks -size=5")
    talk.everything()
    months = [(now.year + (now.month + n - 1) // 12, (now.month + n - 1) % 12 + 1) for n in (1, 2)]
    mails = pass_to(talk, *months[0])
    letters = [mail for mail in mails if "letter for" in mail.subject]
    assert readers(letters) == ["ann", "bob", "dora"]
    assert letters[0].subject == f"[pbm] rooks: letter for {now.year}-{now.month:02}"
    said = read(letters, "ann")
    assert "In the club rooks 2 boards have ended" in said
    assert "Hex: ann - bob: ann won hex show 1" in said
    assert "hex show 2" in said
    assert "Longest game: Hex: ann - bob, 5 moves: hex show 1." in said
    assert "hex join 1" in said
    assert " a b c" in said
    assert " a b c" not in read(letters, "dora")
    assert "a1" in read(letters, "dora")
    assert b"List-Unsubscribe: " in letters[0].raw
    assert not [mail for mail in pass_to(talk, *months[1]) if "letter for" in mail.subject]
    mails = pass_to(talk, now.year + 1, 1)
    years = [mail for mail in mails if "the year" in mail.subject]
    assert readers(years) == ["ann", "bob", "dora"]
    assert "ann played 2 boards" in read(years, "bob")
    assert "ann won 2 boards" in read(years, "bob")


def test_the_upset_is_the_winner_with_the_least_chance(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    make_club(talk, "rooks", "ann", "bob")
    for number in (1, 2):
        play(talk, number)
    talk.proves("ann", "hex challenge ann bob --club=rooks -size=3")
    talk.mails("ann", f"hex move 3 ann {talk.password('ann')} a1")
    talk.mails("bob", f"hex move 3 bob {talk.password('bob')} b1")
    talk.mails("ann", f"hex resign 3 ann {talk.password('ann')}")
    talk.everything()
    now = datetime.fromtimestamp(talk.clock(), UTC)
    mails = pass_to(talk, now.year + now.month // 12, now.month % 12 + 1)
    said = read([mail for mail in mails if "letter for" in mail.subject], "bob")
    assert "Upset: bob won with a chance of " in said
    assert "%: hex show 3." in said
    assert "How Hex, board 3 ended:" in said
    sign(talk, "bob", "club leave rooks")
    talk.everything()

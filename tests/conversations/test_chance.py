"""Chance, hidden hands and sealed moves by mail: Poolside, a game from another package, whose seats
see only what is theirs until the board is over."""

from __future__ import annotations

import hashlib
import re

import pytest

from pbm.core.secrets import decide
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

PEOPLE = ("ann", "bob", "carl")
SEATS = ("red", "white", "blue")


def hands(mail: Mail) -> dict[str, list[str]]:
    """The hands as the picture of that mail shows them."""
    found = {}
    for line in mail.lines:
        word = line[2:11].strip()
        if word in SEATS and word not in found:
            found[word] = line[16:24].split()
    return found


def everybody(talk: Conversation) -> list[Mail]:
    return [talk.any_mail(who) for who in PEOPLE]


@pytest.fixture
def dealt(talk: Conversation) -> list[Mail]:
    """The first mails of a board; two towels each have been dealt."""
    talk.signup(*PEOPLE)
    return talk.agreed("poolside", *PEOPLE)


def test_everybody_sees_the_own_hand_and_no_other(talk: Conversation, dealt: list[Mail]) -> None:
    drawn = []
    for seat, mail in zip(SEATS, dealt, strict=True):
        assert mail.subject == "[poolside 1] new board: ann, bob, carl"
        own = hands(mail).pop(seat)
        drawn += own
        others = [hand for name, hand in hands(mail).items() if name != seat]
        assert others == [["-", "-"]] * 2
        names = dict(zip(SEATS, ("ann", "bob", "carl"), strict=True))
        assert re.findall(rf"^ +{names[seat]} draws (.)$", mail.text, re.MULTILINE) != ["-", "-"]
        for other in set(SEATS) - {seat}:
            drawn_here = re.findall(rf"^ +{names[other]} draws (.)$", mail.text, re.MULTILINE)
            assert drawn_here == ["-", "-"]
    assert len(set(drawn)) == 6
    talk.mails("ann", "poolside show 1")
    shown = talk.any_mail("ann")
    assert set(map(tuple, hands(shown).values())) == {("-", "-")}


@pytest.mark.postgresql
def test_a_whole_game_with_sealed_bids_and_dice(talk: Conversation, dealt: list[Mail]) -> None:
    """bob and carl bid before ann; what they bid is not told before the last bid is in, and ann's
    first mail still counts. Then each takes a turn that begins with a roll."""
    first = {mail.address: mail for mail in dealt}
    bid = hands(dealt[1])["white"][1]
    talk.replies(dealt[1], f"bid {bid}")
    talk.receives("ann", "[poolside 1] your move (1), bob played bid -")
    talk.receives("bob", f"[poolside 1] ann and carl to move (1), you played bid {bid}")
    talk.receives("carl", "[poolside 1] your move (1), bob played bid -")
    talk.replies(dealt[2], "pass")
    talk.receives("ann", "[poolside 1] your move (1), carl played bid -")
    talk.receives("bob", "[poolside 1] ann to move (1), carl played bid -")
    talk.receives("carl", "[poolside 1] ann to move (1), you passed")
    talk.replies(first["ann@example.org"], "pass")
    latest = everybody(talk)
    for mail in latest:
        assert f"the bids are red passes, white {bid}, blue passes" in " ".join(mail.text.split())
    for who, seat in (("bob", "white"), ("ann", "red"), ("carl", "blue")):
        index = PEOPLE.index(who)
        mail = latest[index]
        assert mail.subject.startswith("[poolside 1] your move (")
        rolled = re.search(rf"{who} rolls ([1-6])$", mail.text, re.MULTILINE)
        assert rolled is not None
        assert mail.line("die ")[0] == rolled[1]
        talk.replies(mail, f"play {hands(mail)[seat][-1]}, end")
        latest = everybody(talk)
    assert " won (4): " in latest[0].text
    talk.mails("ann", "poolside show 1")
    shown = talk.any_mail("ann")
    final = [hands(mail) for mail in (*latest, shown)]
    assert final == final[:1] * 4
    assert "-" not in {towel for hand in final[0].values() for towel in hand}


def test_the_secret_is_published_at_the_end_and_explains_all_chance(
    talk: Conversation, dealt: list[Mail]
) -> None:
    """Its hash stood in the first mail; anybody can draw the towels again."""
    hash_of_secret = dealt[0].fact("Hash")
    assert {mail.fact("Hash") for mail in dealt} == {hash_of_secret}
    assert all("[Secret" not in mail.text for mail in dealt)
    drawn = {seat: hands(mail)[seat] for seat, mail in zip(SEATS, dealt, strict=True)}
    for who in ("ann", "bob"):
        talk.mails(who, f"poolside resign 1 {who} {talk.password(who)}")
        latest = everybody(talk)
    secret = bytes.fromhex(latest[0].fact("Secret"))
    assert hashlib.sha256(secret).hexdigest() == hash_of_secret
    deck = [str(towel) for towel in range(1, 10)]
    again: dict[str, list[str]] = {seat: [] for seat in SEATS}
    for question in range(6):
        towel = deck.pop(decide(secret, 1, 0, question, len(deck)))
        again[SEATS[question % 3]].append(towel)
    assert {seat: sorted(hand) for seat, hand in again.items()} == drawn


def test_nobody_declines_an_opening_roll(talk: Conversation) -> None:
    """An invitation first: what has been seen cannot be thrown again by declining."""
    talk.signup("ann", "bob")
    mails = talk.challenge("backgammon", "ann", "bob")
    for mail in mails:
        assert mail.subject == "[backgammon 1] invitation: ann, bob"
        assert "rolled" not in mail.text
    talk.replies(mails[1], "accept")
    for who in ("ann", "bob"):
        mail = talk.receives(who, "[backgammon 1] new board: ann, bob", "rolled")
        assert "decline" not in mail.text
    for who in ("ann", "bob"):
        talk.mails(who, f"backgammon decline 1 {who} {talk.password(who)}")
        talk.receives(
            who,
            "[backgammon 1] not done: the first roll is made, and you agreed to play",
            f"backgammon cancel 1 {who} PASSWORD",
            f"backgammon resign 1 {who} PASSWORD",
        )
    talk.mails("bob", f"backgammon resign 1 bob {talk.password('bob')}")
    for who in ("ann", "bob"):
        talk.receives(who, "[backgammon 1] ann won (0)", "won")


def test_who_joins_an_offer_has_agreed_to_the_roll(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"backgammon seek ann {talk.password('ann')}")
    talk.any_mail("ann")
    talk.mails("bob", f"backgammon join 1 bob {talk.password('bob')}")
    for who in ("ann", "bob"):
        talk.receives(who, "[backgammon 1] new board: bob, ann", "rolled")
    talk.mails("bob", f"backgammon decline 1 bob {talk.password('bob')}")
    talk.receives("bob", "[backgammon 1] not done: the first roll is made, and you agreed to play")


@pytest.mark.config(players={"vacation_days": 0})
def test_who_lets_the_time_run_out_after_the_roll_is_rated(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.agreed("backgammon", "ann", "bob", options="--forfeit=1 --nag=none")
    talk.passes(days=2)
    for who in ("ann", "bob"):
        while talk.waiting(who):
            mail = talk.any_mail(who)
        assert "ran out of time" in mail.text
        assert "Ratings (help ratings explains them):" in mail.lines

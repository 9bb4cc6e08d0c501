"""Finding opponents: open offers, who joins them, when they expire, and rematches."""

from __future__ import annotations

import pytest

from pbm.games import get_game
from tests.conversations.conversation import Conversation
from tests.games.cradles import FINISHED


@pytest.mark.postgresql
def test_an_offer_is_put_up_listed_and_taken_up(house: Conversation) -> None:
    house.signup("ann", "bob")
    ann, bob = house.password("ann"), house.password("bob")
    house.mails("ann", f"cradle seek ann {ann} -size=3 --nag=3", "A slow game, please.")
    house.receives(
        "ann",
        "[pbm] offer 1: cradle -size=3 --nag=3",
        "stands until Wed 01 Apr 2026, 12:00 UTC: Cradle for 2 players, -size=3 --nag=3.",
        "cradle join 1 USERID PASSWORD",
        "cradle seek ann PASSWORD none",
    )
    house.mails("bob", "seeks")
    house.receives(
        "bob",
        "[pbm] open offers",
        "1  cradle -size=3 --nag=3, by ann (1500 +-250), until Wed 01",
        "> A slow game, please.",
        "cradle join 1 USERID PASSWORD",
    )
    house.mails("bob", f"cradle join 1 bob {bob}", "With pleasure!")
    mail = house.receives("bob", "[cradle 1] new board: bob, ann", "It is your move", "-size=3")
    assert mail.fact("Players") == "bob ann"
    house.receives("ann", "[cradle 1] new board: bob, ann", "> With pleasure!", "--nag=3")
    house.mails("bob", "cradle seeks")
    house.receives("bob", "[pbm] open offers: cradle", "Nobody is looking for a game of cradle")
    house.mails("bob", f"join 1 bob {bob}")
    house.receives("bob", "[pbm] not done: there is no open offer with that number", "seeks")


def test_an_offer_that_nobody_takes_up_expires(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.mails("ann", f"cradle seek ann {house.password('ann')} -size=3")
    house.receives("ann", "[pbm] offer 1: cradle -size=3")
    house.passes(days=29.5)
    house.nothing_more()
    house.passes(days=1)
    house.receives("ann", "[pbm] offer 1 has expired", "cradle seek ann PASSWORD -size=3")
    house.mails("bob", f"cradle join 1 bob {house.password('bob')}")
    house.receives("bob", "[pbm] not done: there is no open offer with that number")


@pytest.mark.postgresql
def test_three_players_find_each_other(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    house.mails("ann", f"cradle seek ann {house.password('ann')} --players=3")
    house.receives(
        "ann", "[pbm] offer 1: cradle", "Cradle for 3 players", "enough players have joined"
    )
    house.mails("bob", f"cradle join 1 bob {house.password('bob')}")
    house.receives("bob", "[pbm] offer 1: you joined, 1 missing", "Players so far: ann, bob")
    house.receives("ann", "[pbm] offer 1: bob joined, 1 missing", "You need not do anything")
    house.mails("carl", "seeks")
    house.receives("carl", "[pbm] open offers", "for 3 players, 1 missing")
    house.mails("bob", f"cradle join 1 bob {house.password('bob')}")
    house.receives("bob", "[pbm] not done: you have already joined offer 1")
    house.mails("carl", f"cradle join 1 carl {house.password('carl')}")
    for who in ("ann", "bob", "carl"):
        house.receives(who, "[cradle 1] new board: bob, carl, ann")


def test_offers_that_cannot_be_taken_up(house: Conversation) -> None:
    house.signup("ann", "bob")
    ann, bob = house.password("ann"), house.password("bob")
    house.mails("ann", f"cradle seek ann {ann} --rating=1600-2000")
    house.receives("ann", "[pbm] offer 1: cradle", "for ratings from 1600 to 2000")
    house.mails("ann", f"cradle join 1 ann {ann}")
    house.receives("ann", "[pbm] not done: offer 1 is your own", "cradle seek ann PASSWORD none")
    house.mails("bob", f"cradle join 1 bob {bob}")
    house.receives("bob", "[pbm] not done: offer 1 is for ratings from 1600 to 2000, yours is 1500")
    house.mails("bob", f"cyclone join 1 bob {bob}")
    house.receives("bob", "[pbm] not done: offer 1 is a game of cradle", "cradle join 1 bob PASS")
    house.mails("bob", f"cradle join bob {bob}")
    house.receives("bob", "[pbm] not done: the number of the offer is missing")
    house.mails("ann", f"cradle seek ann {ann} none")
    house.receives("ann", "[pbm] withdrawn: offer 1", "cradle seek ann PASSWORD")
    house.mails("ann", f"cradle seek ann {ann} none")
    house.receives("ann", "[pbm] not done: you have no open offer for cradle")


def test_offers_that_cannot_be_made(house: Conversation) -> None:
    house.signup("ann", "bob")
    ann = house.password("ann")
    house.mails("ann", f"cradle seek ann {ann} bob")
    house.receives(
        "ann",
        "[pbm] not done: an offer is open to everybody: to name a player, challenge one",
        "cradle challenge ann USERID",
    )
    house.mails("ann", f"cradle seek ann {ann} --players=9")
    mail = house.any_mail("ann")
    assert mail.subject.startswith("[pbm] not done: ")
    assert "--players=3" in mail.text
    house.mails("ann", f"cradle seek ann {ann} --rating=high")
    house.receives("ann", "[pbm] not done: --rating is a range, for instance --rating=1400-1700")


@pytest.mark.config(limits={"open_offers": 2})
def test_a_player_has_only_so_many_offers(house: Conversation) -> None:
    house.signup("ann")
    for number in (1, 2):
        house.mails("ann", f"cradle seek ann {house.password('ann')}")
        house.receives("ann", f"[pbm] offer {number}: cradle")
    house.mails("ann", f"cradle seek ann {house.password('ann')}")
    house.receives("ann", "[pbm] not done: you already have 2 open offers, the limit")


@pytest.mark.postgresql
def test_a_rematch_with_seats_swapped(house: Conversation) -> None:
    house.signup("ann", "bob")
    latest = house.agreed("cradle", "ann", "bob", options="--nag=3 --forfeit=9")
    last = house.plays(FINISHED, "ann", "bob", latest=latest)
    assert "cradle rematch 1 bob PASSWORD" in last[1].text
    house.replies(last[1], "rematch")
    house.receives(
        "bob",
        "[cradle 2] new board: bob, ann",
        "It is your move",
        "--nag=3 --forfeit=9",
        "This is the rematch of board 1, with the seats swapped.",
        "decline, chat TEXT",
    )
    house.receives("ann", "[cradle 2] new board: bob, ann")
    house.mails("ann", f"cradle rematch 1 ann {house.password('ann')}")
    house.receives(
        "ann", "[cradle 1] not done: there is already a rematch: board 2", "cradle show 2"
    )
    house.mails("ann", f"cradle rematch 2 ann {house.password('ann')}")
    house.receives("ann", "[cradle 2] not done: board 2 is not over")


def test_a_rematch_asks_who_wants_to_be_asked(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    house.mails("bob", f"set bob {house.password('bob')} ask=yes")
    house.any_mail("bob")
    house.proves("ann", "cradle challenge ann bob carl --unrated")
    for who in ("ann", "bob", "carl"):
        house.any_mail(who)
    house.mails("bob", f"cradle accept 1 bob {house.password('bob')}")
    house.any_mail("bob")
    house.any_mail("ann")
    house.any_mail("carl")
    house.mails("carl", f"cradle accept 1 carl {house.password('carl')}")
    for who in ("ann", "bob", "carl"):
        house.receives(who, "[cradle 1] new board: ann, bob, carl")
    house.mails("ann", f"cradle move 1 ann {house.password('ann')} b1,c1,d1,d2")
    for who in ("ann", "bob", "carl"):
        house.any_mail(who)
    for loser in ("ann", "carl"):
        house.mails(loser, f"cradle resign 1 {loser} {house.password(loser)}")
        for who in ("ann", "bob", "carl"):
            house.any_mail(who)
    house.mails("carl", f"cradle rematch 1 carl {house.password('carl')}")
    for who in ("bob", "carl", "ann"):
        mail = house.receives(who, "[cradle 2] invitation: bob, carl, ann")
        assert mail.fact("Players") == "bob carl ann"


def test_a_result_mail_holds_the_whole_record(house: Conversation) -> None:
    """Every move from the first, where other mails show the last dozen lines."""
    house.signup("ann", "bob")
    latest = house.challenge("cradle", "ann", "bob", options="-size=6")
    position, moves = get_game("cradle").setup(2, {"size": 6}), list[str]()
    while len(moves) < 14:
        (seat,) = position.to_move
        moves.append(position.legal_moves(seat)[0])
        position = position.play(seat, moves[-1])
    last = house.plays(moves, "ann", "bob", latest=latest)
    assert not any(line.strip().startswith("1 ann ") for line in last[0].lines)
    house.mails("ann", f"cradle resign 1 ann {house.password('ann')}", "Well played!\n" * 2)
    for who in ("ann", "bob"):
        mail = house.receives(who, "[cradle 1] bob won (14)")
        assert mail.lines.count("          > Well played!") == 2
        for number, move in enumerate(moves, 1):
            mover = "ann" if number % 2 else "bob"
            said = f"{number:>4} {mover}  {move}"
            assert f"{said:<30}  2026-03-02 12:00" in mail.lines

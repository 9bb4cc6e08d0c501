"""Finding opponents: open offers, who joins them, when they expire, and rematches."""

from __future__ import annotations

import pytest

from pbm.games import get_game
from tests.games.cradles import FINISHED
from tests.harness.conversation import Conversation


@pytest.mark.postgresql
def test_an_offer_is_put_up_listed_and_taken_up(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.mails("ann", f"cradle seek ann {ann} -size=3 --nag=3", "A slow game, please.")
    talk.receives(
        "ann",
        "[pbm] offer 1: cradle -size=3 --nag=3",
        "stands until Wed 01 Apr 2026, 12:00 UTC: Cradle for 2 players; "
        "triangles along a side of the hexagon: 3; days until a reminder: 3.",
        "cradle join 1",
        "To withdraw your offers of Cradle, reply with cradle seek none",
    )
    talk.mails("bob", "seeks")
    talk.receives(
        "bob",
        "[pbm] open offers",
        "1  cradle -size=3 --nag=3, by ann (1500 +-250), until Wed 01",
        "> A slow game, please.",
        "cradle join 1",
    )
    talk.mails("bob", f"cradle join 1 bob {bob}", "With pleasure!")
    mail = talk.receives("bob", "[cradle 1] new board: bob, ann", "Your move in 21 days", "-size=3")
    assert mail.fact("Players") == "bob ann"
    talk.receives("ann", "[cradle 1] new board: bob, ann", "> With pleasure!", "a reminder: 3")
    talk.mails("bob", "cradle seeks")
    talk.receives("bob", "[pbm] open offers: cradle", "Nobody is looking for a game of cradle")
    talk.mails("bob", f"join 1 bob {bob}")
    talk.receives("bob", "[pbm] not done: there is no open offer with that number", "seeks")


def test_an_offer_that_nobody_takes_up_expires(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"cradle seek ann {talk.password('ann')} -size=3")
    talk.receives("ann", "[pbm] offer 1: cradle -size=3")
    talk.passes(days=29.5)
    talk.nothing_more()
    talk.passes(days=1)
    talk.receives("ann", "[pbm] offer 1 has expired", "reply with cradle seek -size=3")
    talk.mails("bob", f"cradle join 1 bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] not done: there is no open offer with that number")


def test_a_userid_alone_stands_before_options_where_the_address_proves(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "hex seek ann -size=9")
    talk.receives("ann", "[pbm] offer 1: hex -size=9")
    mail = talk.challenge("hex", "ann", "bob")[0]
    talk.mails("ann", "hex seek ann -size=9", to=mail.reply_to)
    refused = talk.any_mail("ann")
    assert "reply with the word yes" not in refused.text
    assert "Send instead:\n    hex seek\n    help seek" in refused.text


@pytest.mark.postgresql
def test_three_players_find_each_other(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.mails("ann", f"cradle seek ann {talk.password('ann')} --players=3")
    talk.receives(
        "ann", "[pbm] offer 1: cradle", "Cradle for 3 players", "enough players have joined"
    )
    talk.mails("bob", f"cradle join 1 bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] offer 1: you joined, 1 missing", "Players so far: ann, bob")
    talk.receives("ann", "[pbm] offer 1: bob joined, 1 missing", "You need not do anything")
    talk.mails("carl", "seeks")
    talk.receives("carl", "[pbm] open offers", "for 3 players, 1 missing")
    talk.mails("bob", f"cradle join 1 bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] not done: you have already joined offer 1")
    talk.mails("carl", f"cradle join 1 carl {talk.password('carl')}")
    for who in ("ann", "bob", "carl"):
        talk.receives(who, "[cradle 1] new board: bob, carl, ann")


def test_offers_that_cannot_be_taken_up(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.mails("ann", f"cradle seek ann {ann} --rating=1600-2000")
    talk.receives("ann", "[pbm] offer 1: cradle", "for ratings from 1600 to 2000")
    talk.mails("ann", f"cradle join 1 ann {ann}")
    talk.receives("ann", "[pbm] not done: offer 1 is your own", "cradle seek ann PASSWORD none")
    talk.mails("bob", f"cradle join 1 bob {bob}")
    talk.receives("bob", "[pbm] not done: offer 1 is for ratings from 1600 to 2000, yours is 1500")
    talk.mails("bob", f"cyclone join 1 bob {bob}")
    talk.receives("bob", "[pbm] not done: offer 1 is a game of cradle", "cradle join 1 bob PASS")
    talk.mails("bob", f"cradle join bob {bob}")
    talk.receives("bob", "[pbm] not done: the number of the offer is missing")
    talk.mails("ann", f"cradle seek ann {ann} none")
    talk.receives("ann", "[pbm] withdrawn: offer 1", "reply with: cradle seek")
    talk.mails("ann", f"cradle seek ann {ann} none")
    talk.receives("ann", "[pbm] not done: you have no open offer for cradle")


def test_offers_that_cannot_be_made(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.mails("ann", f"cradle seek ann {ann} bob")
    talk.receives(
        "ann",
        "[pbm] not done: an offer is open to everybody: to name a player, challenge one",
        "cradle challenge ann USERID",
    )
    talk.mails("ann", f"cradle seek ann {ann} --players=9")
    mail = talk.any_mail("ann")
    assert mail.subject.startswith("[pbm] not done: ")
    assert "Cradle is for 2 or 3 players, not 9." in mail.text
    talk.mails("ann", f"cradle seek ann {ann} --rating=high")
    talk.receives("ann", "[pbm] not done: --rating is a range, for instance 1400-1700")


@pytest.mark.config(limits={"open_offers": 2})
def test_a_player_has_only_so_many_offers(talk: Conversation) -> None:
    talk.signup("ann")
    for number in (1, 2):
        talk.mails("ann", f"cradle seek ann {talk.password('ann')}")
        talk.receives("ann", f"[pbm] offer {number}: cradle")
    talk.mails("ann", f"cradle seek ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] not done: you already have 2 open offers, the limit")


@pytest.mark.postgresql
def test_a_rematch_with_seats_swapped(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.agreed("cradle", "ann", "bob", options="--nag=3 --forfeit=9")
    last = talk.plays(FINISHED, "ann", "bob", latest=latest)
    assert "\n    rematch\n" in last[1].text
    talk.replies(last[1], "rematch")
    talk.receives(
        "bob",
        "[cradle 2] new board: bob, ann",
        "Your move in 9 days.",
        "days until a reminder: 3; days for a move: 9",
        "This is the rematch of board 1, with the seats swapped.",
        "You can also reply: draw, resign, decline, chat Hello!, help cradle",
    )
    talk.receives("ann", "[cradle 2] new board: bob, ann")
    talk.mails("ann", f"cradle rematch 1 ann {talk.password('ann')}")
    talk.receives(
        "ann", "[cradle 1] not done: there is already a rematch: board 2", "cradle show 2"
    )
    talk.mails("ann", f"cradle rematch 2 ann {talk.password('ann')}")
    talk.receives("ann", "[cradle 2] not done: board 2 is not over")


def test_a_rematch_asks_who_wants_to_be_asked(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.mails("bob", f"set bob {talk.password('bob')} ask=yes")
    talk.any_mail("bob")
    talk.proves("ann", "cradle challenge ann bob carl --unrated")
    for who in ("ann", "bob", "carl"):
        talk.any_mail(who)
    talk.mails("bob", f"cradle accept 1 bob {talk.password('bob')}")
    talk.any_mail("bob")
    talk.any_mail("ann")
    talk.any_mail("carl")
    talk.mails("carl", f"cradle accept 1 carl {talk.password('carl')}")
    for who in ("ann", "bob", "carl"):
        talk.receives(who, "[cradle 1] new board: ann, bob, carl")
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} b1,c1,d1,d2")
    for who in ("ann", "bob", "carl"):
        talk.any_mail(who)
    for loser in ("ann", "carl"):
        talk.mails(loser, f"cradle resign 1 {loser} {talk.password(loser)}")
        for who in ("ann", "bob", "carl"):
            talk.any_mail(who)
    talk.mails("carl", f"cradle rematch 1 carl {talk.password('carl')}")
    for who in ("bob", "carl", "ann"):
        mail = talk.receives(who, "[cradle 2] invitation: bob, carl, ann")
        assert mail.fact("Players") == "bob carl ann"


def test_a_result_mail_holds_the_whole_record(talk: Conversation) -> None:
    """Every move from the first, where other mails show the last dozen lines."""
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob", options="-size=6")
    position, moves = get_game("cradle").setup(2, {"size": 6}), list[str]()
    while len(moves) < 14:
        (seat,) = position.to_move
        moves.append(position.legal_moves(seat)[0])
        position = position.play(seat, moves[-1])
    last = talk.plays(moves, "ann", "bob", latest=latest)
    assert not any(line.strip().startswith("1 ann ") for line in last[0].lines)
    talk.mails("ann", f"cradle resign 1 ann {talk.password('ann')}", "Well played!\n" * 2)
    for who in ("ann", "bob"):
        mail = talk.receives(who, "[cradle 1] bob won (14)")
        assert mail.lines.count("          > Well played!") == 2
        for number, move in enumerate(moves, 1):
            mover = "ann" if number % 2 else "bob"
            said = f"{number:>4} {mover}  {move}"
            assert any(
                line.startswith(f"{said} ") and line.endswith("  2026-03-02 12:00")
                for line in mail.lines
            )

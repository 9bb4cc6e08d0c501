"""Moves that wait: queued for one's turn, or submitted and looked at before they are confirmed."""

from __future__ import annotations

import re

import pytest

from tests.conversations.conversation import Conversation
from tests.conversations.mail import Mail


@pytest.fixture
def mails(house: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob."""
    house.signup("ann", "bob")
    return house.challenge("hex", "ann", "bob")


@pytest.mark.postgresql
def test_a_queued_move_is_played_when_the_turn_comes(
    house: Conversation, mails: list[Mail]
) -> None:
    house.mails("bob", f"hex queue 1 bob {house.password('bob')} e5", "As always.")
    house.receives("bob", "[hex 1] queued: e5", "queue none", "hex queue 1 bob PASSWORD none")
    house.mails("bob", "hex show 1")
    house.receives("bob", "[hex 1] ann to move (1)")
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4", "Hello!")
    house.receives(
        "ann",
        "[hex 1] your move (3), you played d4, bob played e5",
        "You played d4.\n",
        "bob played e5.\n",
        "bob writes:\n> As always.",
        "Passed on to bob:\n> Hello!",
        "It is your move.",
    )
    mail = house.receives(
        "bob",
        "[hex 1] ann to move (3), ann played d4, you played e5",
        "ann played d4.\nYou played e5.\n",
        "ann writes:\n> Hello!",
        "Passed on to ann:\n> As always.",
    )
    assert "It is your move" not in mail.text


def test_queued_moves_answer_queued_moves_in_one_mail(house: Conversation) -> None:
    """With three players each gets one mail about the whole chain, watchers too."""
    people = ("ann", "bob", "carl")
    house.signup(*people, "dora")
    house.challenge("cradle", *people, options="-size=3")
    house.mails("dora", f"cradle watch 1 dora {house.password('dora')}")
    house.any_mail("dora")
    for who, move in (("bob", "i1,g2,h2,i2"), ("carl", "b3,c3,b4,c4")):
        house.mails(who, f"cradle queue 1 {who} {house.password(who)} {move}", f"By {who}.")
        house.receives(who, f"[cradle 1] queued: {move}")
    house.mails("ann", f"cradle move 1 ann {house.password('ann')} c1,d1,e1,c2")
    told = {who: house.any_mail(who) for who in (*people, "dora")}
    for who, mail in told.items():
        said = " ".join(mail.text.split())
        for mover, move in (
            ("ann", "c1,d1,e1,c2"),
            ("bob", "i1,g2,h2,i2"),
            ("carl", "b3,c3,b4,c4"),
        ):
            assert f"{'You' if who == mover else mover} played {move}." in said, mail
        assert ("By bob." in said) is (who != "dora")
        assert mail.fact("ToMove") == "ann"


def test_who_wants_no_copies_hears_of_the_answer(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", f"set ann {house.password('ann')} own=no")
    house.receives("ann", "[pbm] preferences of ann changed")
    house.mails("bob", f"hex queue 1 bob {house.password('bob')} e5")
    house.receives("bob", "[hex 1] queued: e5")
    house.replies(mails[0], "d4")
    house.receives("ann", "[hex 1] your move (3), you played d4, bob played e5")
    house.receives("bob", "[hex 1] ann to move (3), ann played d4, you played e5")


def test_both_queue(house: Conversation, mails: list[Mail]) -> None:
    """A queued move answers each move that comes."""
    ann, bob = house.password("ann"), house.password("bob")
    house.mails("bob", f"hex queue 1 bob {bob} e5")
    house.receives("bob", "[hex 1] queued: e5")
    house.mails("ann", f"hex move 1 ann {ann} d4")
    house.any_mail("ann")
    house.any_mail("bob")
    house.mails("bob", f"hex queue 1 bob {bob} f6")
    house.receives("bob", "[hex 1] queued: f6")
    house.mails("ann", f"hex move 1 ann {ann} c3")
    house.receives("ann", "[hex 1] your move (5), you played c3, bob played f6")
    house.receives("bob", "[hex 1] ann to move (5), ann played c3, you played f6")


@pytest.mark.postgresql
def test_a_queued_move_that_no_longer_fits(house: Conversation, mails: list[Mail]) -> None:
    """The mail about the move that came says it; nobody else learns what was queued."""
    house.mails("bob", f"hex queue 1 bob {house.password('bob')} d4")
    house.receives("bob", "[hex 1] queued: d4", "d4 will be played the moment it is your turn")
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4")
    own = house.receives("ann", "[hex 1] bob to move (2), you played d4")
    assert "queued" not in own.text
    mail = house.receives(
        "bob",
        "[hex 1] your move (2), ann played d4",
        "Your queued move d4 was not played: ",
        "hex move 1 bob PASSWORD",
    )
    house.replies(mail, "e5")
    house.receives("bob", "[hex 1] ann to move (3), you played e5")
    house.receives("ann", "[hex 1] your move (3), bob played e5")


def test_none_clears_and_another_one_replaces(house: Conversation, mails: list[Mail]) -> None:
    bob = house.password("bob")
    for typed, subject in (
        ("e5", "queued: e5"),
        ("f6", "queued: f6"),
        ("None.", "nothing is queued"),
    ):
        house.mails("bob", f"hex queue 1 bob {bob} {typed}")
        house.receives("bob", f"[hex 1] {subject}")
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4")
    house.receives("ann", "[hex 1] bob to move (2), you played d4")
    house.receives("bob", "[hex 1] your move (2), ann played d4")


def test_queued_for_one_move_number_only(house: Conversation, mails: list[Mail]) -> None:
    house.mails("bob", f"hex queue#4 1 bob {house.password('bob')} e5")
    house.receives("bob", "[hex 1] queued: e5")
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4")
    house.receives("ann", "[hex 1] bob to move (2), you played d4")
    house.receives(
        "bob",
        "[hex 1] your move (2), ann played d4",
        "Your queued move e5 was not played: it was for move 4",
    )


def test_an_undo_forgets_what_was_queued(house: Conversation, mails: list[Mail]) -> None:
    house.plays(["d4"], "ann", "bob", latest=mails)
    ann, bob = house.password("ann"), house.password("bob")
    house.mails("ann", f"hex queue 1 ann {ann} c3")
    house.receives("ann", "[hex 1] queued: c3")
    house.mails("ann", f"hex undo 1 ann {ann}")
    house.any_mail("ann")
    house.replies(house.any_mail("bob"), "accept")
    house.any_mail("ann")
    house.any_mail("bob")
    house.mails("ann", f"hex move 1 ann {ann} e5")
    house.any_mail("ann")
    house.any_mail("bob")
    house.mails("bob", f"hex move 1 bob {bob} d4")
    house.receives("bob", "[hex 1] ann to move (3), you played d4")
    house.receives("ann", "[hex 1] your move (3), bob played d4")


def test_a_reply_queues(house: Conversation, mails: list[Mail]) -> None:
    house.replies(mails[1], "queue e5")
    mail = house.receives("bob", "[hex 1] queued: e5")
    house.replies(mail, "queue none")
    house.receives("bob", "[hex 1] nothing is queued")


# Submit and confirm


@pytest.mark.postgresql
def test_submit_and_confirm(house: Conversation, mails: list[Mail]) -> None:
    ann = house.password("ann")
    house.mails("ann", f"hex submit 1 ann {ann} d4", "Here I come.")
    house.receives("ann", "[hex 1] submitted (1): d4", "nobody else sees it.")
    house.mails("ann", f"hex submit 1 ann {ann} e5", "There I come.")
    house.receives("ann", "[hex 1] submitted (1): e5", "hex confirm 1 ann PASSWORD")
    house.mails("bob", "hex show 1")
    house.receives("bob", "[hex 1] ann to move (1)")
    house.mails("ann", f"hex confirm 1 ann {ann}")
    house.receives("ann", "[hex 1] bob to move (2), you played e5")
    house.receives("bob", "[hex 1] your move (2), ann played e5", "> There I come.")
    house.mails("ann", f"hex confirm 1 ann {ann}")
    house.receives("ann", "[hex 1] not done: you have not submitted a move")


@pytest.mark.parametrize(
    "word", ["confirm", "Confirm.", "hex confirm", "confirm 1", "hex confirm 1"]
)
def test_a_reply_confirms(house: Conversation, mails: list[Mail], word: str) -> None:
    house.replies(mails[0], "submit d4")
    mail = house.receives("ann", "[hex 1] submitted (1): d4", "reply with confirm")
    house.replies(mail, word)
    house.receives("ann", "[hex 1] bob to move (2), you played d4")
    house.receives("bob", "[hex 1] your move (2), ann played d4")


def test_a_submitted_move_is_for_one_position(house: Conversation, mails: list[Mail]) -> None:
    house.replies(mails[0], "submit d4")
    house.receives("ann", "[hex 1] submitted (1): d4")
    latest = house.plays(["e5", "f6"], "ann", "bob", latest=mails)
    house.mails("ann", f"hex confirm 1 ann {house.password('ann')}")
    house.receives("ann", "[hex 1] not done: you have not submitted a move")
    house.replies(latest[0], "submit c3")
    house.receives("ann", "[hex 1] submitted (3): c3")
    house.mails("bob", f"hex submit 1 bob {house.password('bob')} c3")
    house.receives("bob", "[hex 1] not done: it is ann's turn")


def test_what_is_submitted_is_marked_as_the_last_move(house: Conversation) -> None:
    house.signup("ann", "bob")
    first, _ = house.challenge("cradle", "ann", "bob")
    house.replies(first, "b1,c1,d1,d2")
    house.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    mail = house.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    house.replies(mail, "submit d3,d4,e4,f4")
    house.receives("bob", "[cradle 1] submitted (2): d3,d4,e4,f4", "* placed last: d3,d4,e4,f4")
    house.mails("bob", "cradle preview 1 d3,d4,e4,f4")
    house.receives("bob", "[cradle 1] preview: d3,d4,e4,f4", "* placed last: d3,d4,e4,f4")


def test_submit_stops_at_the_first_chance(house: Conversation) -> None:
    """No roll is shown before the move is played."""
    house.signup("ann", "bob")
    first, _ = house.agreed("cyclone", "ann", "bob")
    move = first.line("cyclone move 1 ann PASSWORD ")
    house.mails("ann", f"cyclone submit 1 ann {house.password('ann')} {move}")
    mail = house.any_mail("ann")
    assert mail.subject.startswith("[cyclone 1] submitted (1): ")


# Preview


def test_a_preview_stores_nothing(house: Conversation, mails: list[Mail]) -> None:
    house.mails("carl", f"signup carl {house.password('carl')}")
    code = house.receives("carl", "[pbm] confirm this address")
    house.replies(code, f"confirm {code.line('Code: ')}")
    house.receives("carl", "[pbm] welcome, carl")
    house.mails("carl", "hex preview 1 d4")
    house.receives("carl", "[hex 1] preview: d4", "Nothing is stored.")
    house.mails("carl", "hex preview 1 z9")
    house.receives("carl", "[pbm] not done: z9 is not on the board: it runs from a1 to k11")
    house.mails("bob", "hex show 1")
    assert house.receives("bob", "[hex 1] ann to move (1)").fact("Ply") == "0"


def test_a_preview_of_a_new_board(house: Conversation) -> None:
    house.signup("ann")
    house.mails("ann", "cradle preview new 3 -size=3")
    house.receives(
        "ann",
        "[pbm] preview: cradle for 3",
        "Nothing is stored.",
        "-size=3",
        "cradle challenge ann OTHER OTHER -size=3",
    )
    house.mails("ann", "cradle preview new 9")
    house.receives("ann", "[pbm] not done: Cradle is for 2 or 3 players, not 9", "-size=2..6")
    house.mails("ann", "list")
    house.receives("ann", "[pbm] boards being played", "none")


def test_nothing_hidden_is_previewed(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    house.agreed("poolside", "ann", "bob", "carl")
    house.mails("carl", "poolside preview 1 1")
    house.receives(
        "carl",
        "[poolside 1] not done: Poolside hides things from spectators, so it cannot be previewed",
        "poolside submit 1 carl PASSWORD MOVE",
    )


def test_a_submitted_or_previewed_move_that_ends_the_game(house: Conversation) -> None:
    house.signup("ann", "bob")
    latest = house.challenge("tictactoe", "ann", "bob")
    latest = house.plays(["a1", "b2", "b1", "c3"], "ann", "bob", latest=latest)
    house.mails("bob", "tictactoe preview 1 c1")
    house.receives(
        "bob", "[tictactoe 1] preview: c1", "That ends the game: 3 in a row for crosses."
    )
    house.replies(latest[0], "submit c1")
    mail = house.receives(
        "ann", "[tictactoe 1] submitted (5): c1", "That ends the game: 3 in a row"
    )
    house.replies(mail, "confirm")
    for who in ("ann", "bob"):
        house.receives(who, "[tictactoe 1] ann won (5)")


def test_a_submitted_move_after_which_chance_decides(house: Conversation) -> None:
    house.signup("ann", "bob")
    mail, _ = house.agreed("cyclone", "ann", "bob")
    move = mail.line("cyclone move 1 ann PASSWORD ")
    house.replies(mail, f"submit {move}")
    house.receives("ann", f"[cyclone 1] submitted (1): {move}")


def test_what_a_hidden_board_would_show_is_not_shown_to_who_submits(house: Conversation) -> None:
    """The last bid opens all: who submits it sees the board as it is. Who plays it with more behind
    it, which the opened board refuses, has played it."""
    people = ("ann", "bob", "carl")
    house.signup(*people)
    house.agreed("poolside", *people)
    for who in ("ann", "bob"):
        house.mails(who, f"poolside pass 1 {who} {house.password(who)}")
        for reader in people:
            house.any_mail(reader)
    house.mails("carl", f"poolside submit 1 carl {house.password('carl')} pass")
    house.receives(
        "carl", "[poolside 1] submitted (3): pass", "stays hidden until it is played", "sealed"
    )
    house.mails("carl", f"poolside submit 1 carl {house.password('carl')} dive")
    assert "'dive' is not a move" in house.any_mail("carl").subject
    house.mails("carl", f"poolside move 1 carl {house.password('carl')} pass, dive")
    mail = house.any_mail("carl")
    assert "you played pass" in mail.subject
    assert "your turn ends before 'dive'" in " ".join(mail.text.split())
    for reader in ("ann", "bob"):
        house.any_mail(reader)


def test_a_hidden_board_that_ends_by_agreement_is_shown_to_all(house: Conversation) -> None:
    people = ("ann", "bob", "carl")
    house.signup(*people)
    house.agreed("poolside", *people)
    for who, verb in (("ann", "propose"), ("bob", "accept"), ("carl", "accept")):
        house.mails(who, f"poolside {verb} 1 {who} {house.password(who)}")
        latest = [house.any_mail(reader) for reader in people]
    for mail in latest:
        assert "draws -" not in mail.text
        assert not re.search(r"^. (red|white|blue).* - ", mail.text, re.MULTILINE)

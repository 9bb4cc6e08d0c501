"""What needs everybody's consent: draws, taking back, ending a board, invitations; and the claim of
a position that stands for the third time."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import func, select, update

from pbm.core.storing import load, save
from pbm.games import get_game
from pbm.games.chess import ChessPosition
from pbm.store.tables import boards, moves
from tests.games.cradles import CLIMB, SPIRAL
from tests.harness.conversation import Conversation
from tests.harness.databases import all_rows
from tests.harness.mail import Mail

ROUND = ("e11-e10", "h2-h3", "e10-e11", "h3-h2")


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob."""
    talk.signup("ann", "bob")
    return talk.challenge("hex", "ann", "bob")


def both(talk: Conversation, ann: str, bob: str, *says: str) -> list[Mail]:
    """The mails that both receive about one event."""
    return [talk.receives("ann", ann, *says), talk.receives("bob", bob, *says)]


@pytest.mark.postgresql
def test_a_draw_by_agreement(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"hex propose 1 ann {talk.password('ann')}", "It is late.")
    yours, mine = (
        talk.receives("bob", "[hex 1] ann to move (1), ann proposed a draw", "> It is late."),
        talk.receives("ann", "[hex 1] your move (1), you proposed a draw"),
    )
    assert "ann proposes a draw. Reply with one of these:\n    accept\n    reject\n" in yours.text
    assert "Waiting for" not in yours.text
    assert "You propose a draw. Waiting for bob to accept or reject." in mine.text
    talk.replies(yours, "Accept.")
    both(
        talk,
        "[hex 1] draw (0)",
        "[hex 1] draw (0)",
        "agreed to a draw. The game is drawn (0).",
        "draw",
    )


def test_a_draw_is_rejected(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"hex draw 1 ann {talk.password('ann')}")
    both(
        talk,
        "[hex 1] your move (1), you proposed a draw",
        "[hex 1] ann to move (1), ann proposed a draw",
    )
    talk.mails("ann", f"hex draw 1 ann {talk.password('ann')}")
    talk.receives("ann", "[hex 1] not done: you have already agreed: the others have to answer")
    talk.mails("ann", f"hex accept 1 ann {talk.password('ann')}")
    talk.receives("ann", "[hex 1] not done: there is no offer to accept at the moment")
    talk.mails("bob", f"hex reject 1 bob {talk.password('bob')}")
    mail, _ = both(
        talk,
        "[hex 1] your move (1), bob rejected the draw",
        "[hex 1] ann to move (1), you rejected the draw",
    )
    assert "proposes" not in mail.text


def test_a_move_of_the_other_answers_a_proposal(talk: Conversation, mails: list[Mail]) -> None:
    """It stays open while the proposer moves, and ends with the other's move."""
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} propose")
    both(
        talk,
        "[hex 1] your move (1), you proposed a draw",
        "[hex 1] ann to move (1), ann proposed a draw",
    )
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    _mine, yours = both(
        talk, "[hex 1] bob to move (2), you played d4", "[hex 1] your move (2), ann played d4"
    )
    assert "Reply with one of these:" in yours.text
    talk.replies(yours, "e5")
    both(talk, "[hex 1] your move (3), bob played e5", "[hex 1] ann to move (3), you played e5")
    talk.mails("bob", f"hex accept 1 bob {talk.password('bob')}")
    talk.receives("bob", "[hex 1] not done: there is no offer to accept at the moment")


def test_three_have_to_agree_and_the_one_who_left_is_last(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    people = ("ann", "bob", "carl")
    talk.plays(["a2,b2,c2,c3"], *people, latest=talk.challenge("cradle", *people))
    talk.mails("bob", f"cradle resign 1 bob {talk.password('bob')}")
    for who in ("ann", "bob", "carl"):
        talk.any_mail(who)
    talk.mails("carl", f"cradle propose 1 carl {talk.password('carl')}")
    for who in ("ann", "bob", "carl"):
        talk.any_mail(who)
    talk.mails("bob", f"cradle accept 1 bob {talk.password('bob')}")
    talk.receives("bob", "[cradle 1] not done: you no longer play on board 1")
    talk.mails("ann", f"cradle accept 1 ann {talk.password('ann')}")
    for who in ("ann", "bob", "carl"):
        mail = talk.any_mail(who)
        assert mail.subject == "[cradle 1] ann and carl tie (1)"
        assert mail.fact("Result") == "1 3 1"


@pytest.mark.postgresql
def test_undo(talk: Conversation, mails: list[Mail]) -> None:
    """All agree; the answer to a mail from before is stale then."""
    talk.replies(mails[0], "d4")
    mine, yours = both(
        talk, "[hex 1] bob to move (2), you played d4", "[hex 1] your move (2), ann played d4"
    )
    talk.replies(mine, "undo\nI meant e5, sorry.")
    mine, asked = both(
        talk,
        "[hex 1] bob to move (2), you asked to take back move 1",
        "[hex 1] your move (2), ann asked to take back move 1",
    )
    assert "> I meant e5, sorry." in asked.text
    talk.replies(asked, "accept")
    mine, _again = both(
        talk,
        "[hex 1] your move (1), back to the start",
        "[hex 1] ann to move (1), back to the start",
    )
    talk.replies(mails[0], "c3")
    talk.receives("ann", "[hex 1] not done: the board has changed since the mail you replied to")
    talk.replies(mine, "e5")
    both(talk, "[hex 1] bob to move (2), you played e5", "[hex 1] your move (2), ann played e5")
    talk.replies(yours, "f6")
    talk.receives("bob", "[hex 1] not done: the board has changed since the mail you replied to")
    talk.mails("bob", "hex show 1#1")
    mail = talk.receives("bob", "[hex 1] after move 1")
    assert "e5" in mail.text
    assert "d4" not in mail.text


def test_undo_takes_back_what_came_after_too(talk: Conversation, mails: list[Mail]) -> None:
    latest = talk.plays(["d4", "e5", "f6"], "ann", "bob", latest=mails)
    assert latest[1].subject == "[hex 1] your move (4), ann played f6"
    talk.mails("bob", f"hex undo 1 bob {talk.password('bob')}")
    asked, _ = both(
        talk,
        "[hex 1] bob to move (4), bob asked to take back move 2",
        "[hex 1] your move (4), you asked to take back move 2",
    )
    talk.replies(asked, "reject")
    both(
        talk,
        "[hex 1] bob to move (4), you rejected the undo, nothing is taken back",
        "[hex 1] your move (4), ann rejected the undo, nothing is taken back",
    )
    talk.mails("bob", f"hex undo 1 bob {talk.password('bob')}")
    both(
        talk,
        "[hex 1] bob to move (4), bob asked to take back move 2",
        "[hex 1] your move (4), you asked to take back move 2",
    )
    talk.mails("ann", f"hex undo 1 ann {talk.password('ann')}")
    both(
        talk,
        "[hex 1] bob to move (2), back to the position after move 1",
        "[hex 1] your move (2), back to the position after move 1",
    )


def rolls(talk: Conversation) -> list[tuple[int, str]]:
    """Move number and outcome of every answer of chance, undone ones included."""
    with talk.server.store.reading() as session:
        query = select(moves.c.ply, moves.c.move).where(moves.c.kind == "chance")
        return [(row.ply, row.move) for row in all_rows(session, query.order_by(moves.c.number))]


def a_turn(talk: Conversation) -> str:
    """Moves that fill the turn of cyclone's first seat on board 1."""
    with talk.server.store.reading() as session:
        position = get_game("cyclone").decode(
            session.execute(select(boards.c.position)).scalar_one()
        )
    played = []
    while 0 in position.to_move:
        played.append(position.legal_moves(0)[0])
        position = position.play(0, played[-1])
    return " ".join(played)


def test_the_dice_of_an_undone_move_stay_the_same(talk: Conversation) -> None:
    """An undo is no second throw."""
    talk.signup("ann", "bob")
    talk.agreed("cyclone", "ann", "bob")
    turn = a_turn(talk)
    opening = rolls(talk)
    talk.mails("ann", f"cyclone move 1 ann {talk.password('ann')} {turn}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    first = rolls(talk)[len(opening) :]
    assert first
    talk.mails("ann", f"cyclone undo 1 ann {talk.password('ann')}")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    talk.receives("ann", "[cyclone 1] your move (1), back to the start")
    talk.any_mail("bob")
    talk.mails("ann", f"cyclone move 1 ann {talk.password('ann')} {turn}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    assert rolls(talk) == opening + first + first


@pytest.mark.postgresql
def test_cancel_by_consent(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"hex cancel 1 ann {talk.password('ann')}")
    _, asked = both(
        talk,
        "[hex 1] your move (1), you proposed to cancel the board",
        "[hex 1] ann to move (1), ann proposed to cancel the board",
    )
    talk.mails("bob", f"hex undo 1 bob {talk.password('bob')}")
    talk.receives("bob", "[hex 1] not done: you have no move to take back")
    talk.replies(asked, "accept")
    both(talk, "[hex 1] cancelled (0)", "[hex 1] cancelled (0)", "does not affect ratings")
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.receives("ann", "[hex 1] not done: board 1 is over")


def test_more_than_one_proposal(talk: Conversation, mails: list[Mail]) -> None:
    """accept alone would be a guess."""
    for word in ("propose", "cancel"):
        talk.mails("ann", f"hex {word} 1 ann {talk.password('ann')}")
        talk.any_mail("ann")
        talk.any_mail("bob")
    talk.mails("bob", f"hex accept 1 bob {talk.password('bob')}")
    talk.receives(
        "bob",
        "[hex 1] not done: there is more than one proposal: name the one you mean",
        "hex propose 1 bob PASSWORD",
        "hex cancel 1 bob PASSWORD",
        "hex reject 1 bob PASSWORD",
    )
    talk.mails("bob", f"hex cancel 1 bob {talk.password('bob')}")
    both(talk, "[hex 1] cancelled (0)", "[hex 1] cancelled (0)")


def test_reject_rejects_all_that_is_proposed(talk: Conversation, mails: list[Mail]) -> None:
    for word in ("propose", "cancel"):
        talk.mails("ann", f"hex {word} 1 ann {talk.password('ann')}")
        talk.any_mail("ann")
        asked = talk.any_mail("bob")
    talk.replies(asked, "reject\nLet us play on.")
    told = [" ".join(talk.any_mail(who).text.split()) for who in ("ann", "bob")]
    for who, text in zip(("Bob", "You"), told, strict=True):
        assert f"{who.lower()} rejected the draw" in text.lower()
        assert f"{who.lower()} rejected the cancellation" in text.lower()
        assert text.count("Let us play on.") == 1
    talk.mails("bob", f"hex accept 1 bob {talk.password('bob')}")
    talk.receives("bob", "[hex 1] not done: there is no offer to accept at the moment")


@pytest.mark.postgresql
def test_decline(talk: Conversation, mails: list[Mail]) -> None:
    """Until the own first move, whatever the other has played."""
    talk.replies(mails[0], "d4")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "decline\nNo time, sorry.")
    both(talk, "[hex 1] cancelled (1)", "[hex 1] cancelled (1)")
    talk.mails("ann", "all show ann")
    talk.receives("ann", "[pbm] open boards of ann", "No open boards of ann.")


def test_decline_after_a_move_is_too_late(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "d4")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("ann", f"hex decline 1 ann {talk.password('ann')}")
    talk.receives(
        "ann",
        "[hex 1] not done: you have already moved on this board",
        "hex cancel 1 ann PASSWORD",
        "hex resign 1 ann PASSWORD",
    )


@pytest.mark.postgresql
def test_an_invitation(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "hex challenge ann bob --ask")
    mine, yours = both(talk, *["[hex 1] invitation: ann, bob"] * 2)
    assert "It starts when everybody has accepted." in " ".join(mine.text.split())
    assert "\n    accept\n" in yours.text
    for mail in (mine, yours):
        assert "not start at once, since the challenge asks first" in " ".join(mail.text.split())
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.receives("ann", "[hex 1] not done: board 1 is waiting for its players to accept")
    talk.replies(yours, "accept")
    both(talk, *["[hex 1] new board: ann, bob"] * 2)


def test_whoever_wants_to_be_asked_is_asked(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("bob", f"set bob {talk.password('bob')} ask=yes")
    talk.receives("bob", "[pbm] preferences of bob changed")
    talk.proves("ann", "hex challenge bob ann")
    _, yours = both(talk, *["[hex 1] invitation: bob, ann"] * 2)
    assert "since somebody wants to be asked first (ask=yes)" in " ".join(yours.text.split())
    talk.replies(yours, "reject")
    both(talk, *["[hex 1] cancelled (0)"] * 2)
    talk.proves("bob", "hex challenge bob ann")
    both(talk, *["[hex 2] new board: bob, ann"] * 2)


# Repetition


def played(talk: Conversation, typed: Sequence[str], latest: list[Mail]) -> list[Mail]:
    """Both play by reply; the mails after the last move."""
    return talk.plays(typed, "ann", "bob", latest=latest)


def test_a_position_that_stands_for_the_third_time_may_be_claimed(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    opening = talk.challenge("spacecradles", "ann", "bob")
    latest = played(talk, ["e12-e11,m-e12", "h1-h2,m-h1", *ROUND], opening)
    assert "third time" not in latest[0].text
    latest = played(talk, ROUND[:3], latest)
    talk.replies(latest[1], ROUND[3])
    mine, yours = talk.any_mail("ann"), talk.any_mail("bob")
    for mail in (mine, yours):
        assert "The position stands for the third time: to claim a draw, reply" in mail.text
    talk.replies(mine, "propose")
    both(
        talk,
        *["[spacecradles 1] draw (10)"] * 2,
        "the position stands for the third time. The game is drawn (10).",
        "draw",
    )


def test_a_climb_that_does_not_end_may_be_claimed_as_a_draw(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    latest = played(talk, [*CLIMB, *SPIRAL, *SPIRAL[:-1]], latest)
    assert "third time" not in latest[1].text
    talk.replies(latest[0], SPIRAL[-1])
    talk.any_mail("ann")
    yours = talk.any_mail("bob")
    assert "The position stands for the third time: to claim a draw, reply" in yours.text
    talk.replies(yours, "propose")
    mails = both(
        talk,
        *["[cradle 1] draw (23)"] * 2,
        "the position stands for the third time. The game is drawn (23).",
        "draw",
    )
    assert "1500" in mails[0].text  # it is rated


def test_a_log_with_keys_of_an_older_server_tells_that_a_climb_does_not_end(
    talk: Conversation,
) -> None:
    """It has the whole key of each position, not a rough one; the positions are compared then."""
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    latest = played(talk, [*CLIMB, *SPIRAL], latest)
    with talk.server.store.writing() as session:
        session.execute(update(moves).values(key=func.substr(moves.c.key, 2)))
    *most, last = SPIRAL
    latest = talk.plays(most, "bob", "ann", latest=latest[::-1])
    assert "third time" not in latest[0].text
    talk.replies(latest[1], last)
    talk.any_mail("ann")
    assert "The position stands for the third time" in talk.any_mail("bob").text


def test_a_position_that_was_left_cannot_be_claimed(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    opening = talk.challenge("spacecradles", "ann", "bob")
    latest = played(talk, ["e12-e11,m-e12", "h1-h2,m-h1", *ROUND, *ROUND], opening)
    latest = played(talk, ["e11-f10"], latest)
    assert "third time" not in latest[1].text
    talk.replies(latest[1], "propose")
    both(
        talk,
        "[spacecradles 1] bob to move (12), bob proposed a draw",
        "[spacecradles 1] your move (12), you proposed a draw",
    )


def test_an_undone_position_does_not_count(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    opening = talk.challenge("spacecradles", "ann", "bob")
    latest = played(talk, ["e12-e11,m-e12", "h1-h2,m-h1", *ROUND, *ROUND[:3]], opening)
    talk.replies(latest[1], ROUND[3])
    talk.any_mail("ann")
    mail = talk.any_mail("bob")
    talk.replies(mail, "undo")
    asked = talk.any_mail("ann")
    talk.any_mail("bob")
    talk.replies(asked, "accept")
    talk.any_mail("ann")
    mail = talk.any_mail("bob")
    assert "third time" not in mail.text


def quiet_moves(count: int) -> list[str]:
    """Moves of chess from the beginning without progress, near home, and without a position coming
    a third time."""
    dice, position = random.Random(1), get_game("chess").setup(2)
    seen, played = [position.key], list[str]()
    while len(played) < count:
        seat = min(position.to_move)
        near = [m for m in position.legal_moves(seat) if (m[3] > "5") == bool(seat)]
        move = dice.choice(near)
        after = position.play(seat, move)
        assert isinstance(after, ChessPosition)
        if after.idle > len(played) and seen.count(after.key) < 2:
            position = after
            played.append(move)
            seen.append(position.key)
    return played


def test_fifty_moves_of_chess_may_be_claimed(talk: Conversation) -> None:
    """The reason is the game's own. All moves but the last two are played without mails."""
    talk.signup("ann", "bob")
    talk.challenge("chess", "ann", "bob")
    *many, ann, bob = quiet_moves(100)
    with talk.server.store.writing() as session:
        board = load(session, 1)
        for move in many:
            board.play_text(min(board.position.to_move), move, "", talk.clock())
        save(session, board, talk.clock())
    talk.mails("ann", f"chess move 1 ann {talk.password('ann')} {ann}")
    talk.any_mail("ann")
    mail = talk.any_mail("bob")
    assert "fifty" not in mail.text
    talk.replies(mail, bob)
    claim = (
        "Each side has made fifty moves without a capture or a pawn move: to claim a draw, "
        "reply with draw."
    )
    for who in ("ann", "bob"):
        mail = talk.any_mail(who)
        assert claim in " ".join(mail.text.split())
    talk.replies(mail, "propose")
    both(talk, *["[chess 1] draw (100)"] * 2, "draw")


# Words that are moves


def test_swap_and_pass(talk: Conversation, mails: list[Mail]) -> None:
    """Commands of their own, where the game has such moves."""
    talk.replies(mails[0], "d4")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("bob", f"hex swap#3 1 bob {talk.password('bob')}")
    talk.receives("bob", "[hex 1] not done: it is move 2 now, not move 3")
    talk.mails("bob", f"hex swap#2 1 bob {talk.password('bob')}")
    both(
        talk,
        "[hex 1] your move (3), bob swapped sides",
        "[hex 1] ann to move (3), you swapped sides",
    )
    talk.mails("ann", f"hex pass 1 ann {talk.password('ann')}")
    mail = talk.any_mail("ann")
    assert mail.subject.startswith("[hex 1] not done: ")
    first, _ = talk.challenge("go", "ann", "bob")
    talk.replies(first, "pass")
    both(talk, "[go 2] bob to move (2), you passed", "[go 2] your move (2), ann passed")
    talk.mails("bob", f"go pass 2 bob {talk.password('bob')}")
    talk.any_mail("ann")
    talk.any_mail("bob")

"""What waits for the end of a board waits until nobody can take that end back."""

from __future__ import annotations

import pytest

from pbm.core.storing import load
from pbm.features.records.record import parse_record
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tests.harness.visitor import HOST, Visitor

pytestmark = pytest.mark.config(bots={"analysis_seconds": 0.3}, web={"url": HOST})
WAITS = "The end of board 1 can still be taken back, until Mon 02 Mar 2026, 13:00 UTC (in 1 hour)."


def thinks(talk: Conversation) -> None:
    """The analyst does what there is to do; a running server does so by itself."""
    if isinstance(talk.server, InProcess):
        analyst = talk.server.build_analyst()
        while analyst.work():
            pass
        analyst.end()


def begun(talk: Conversation, moves: list[str]) -> list[Mail]:
    """A game of chess with these moves; the latest mails of both."""
    talk.signup("ann", "bob", "cat")
    return talk.plays(moves, "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))


def resigns(talk: Conversation, mail: Mail) -> list[Mail]:
    talk.replies(mail, "resign")
    return [talk.any_mail("ann"), talk.any_mail("bob")]


@pytest.mark.postgresql
def test_an_analysis_waits_for_the_hour_of_undo(talk: Conversation, visitor: Visitor) -> None:
    latest = begun(talk, ["f3", "e5", "g4"])
    ends = resigns(talk, latest[1])
    for who, mail in zip(("ann", "bob"), ends, strict=True):
        assert "Reply with analyse" in mail.text
        talk.replies(mail, "analyse")
        talk.receives(who, "[chess 1] it will be analysed", WAITS)
    talk.proves("cat", "chess analyse 1")
    talk.receives("cat", "[chess 1] it will be analysed", WAITS)
    thinks(talk)
    talk.nothing_more()
    assert "Analysis" not in visitor.get("/board/1").text
    talk.mails("cat", "chess export 1")
    assert "analysis" not in parse_record(talk.any_mail("cat").text)
    talk.clock.advance(seconds=3601)
    thinks(talk)
    for who in ("ann", "bob", "cat"):
        assert talk.awaited_mail(who).subject == "[chess 1] analysis"
    talk.replies(ends[1], "undo")
    talk.receives("bob", "[chess 1] not done: board 1 is over")


def test_whoever_takes_the_end_back_learns_nothing(talk: Conversation) -> None:
    latest = begun(talk, ["f3", "e5", "g4"])
    mail = resigns(talk, latest[1])[1]
    talk.replies(mail, "analyse")
    talk.receives("bob", "[chess 1] it will be analysed", WAITS)
    thinks(talk)
    talk.replies(mail, "undo")
    talk.receives("ann", "[chess 1] bob to move (4), bob took back the resignation")
    mail = talk.receives("bob", "[chess 1] your move (4), you took back the resignation")
    talk.clock.advance(seconds=3601)
    thinks(talk)
    gone = talk.awaited_mail("bob")
    assert gone.subject == "[chess 1] it was not analysed"
    talk.replies(mail, "Qh4")
    talk.receives("ann", "[chess 1] bob won (4)")
    mated = talk.receives("bob", "[chess 1] bob won (4)")
    talk.replies(mated, "analyse")
    queued = talk.receives("bob", "[chess 1] it will be analysed")
    assert "taken back" not in queued.text
    thinks(talk)
    assert talk.awaited_mail("bob").subject == "[chess 1] analysis"


def test_a_draw_that_was_accepted_may_be_taken_back_too(talk: Conversation) -> None:
    latest = begun(talk, ["f3", "e5", "g4"])
    talk.replies(latest[0], "propose")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    for who in ("ann", "bob"):
        talk.replies(talk.receives(who, "[chess 1] draw (3)"), "analyse")
        talk.receives(who, "[chess 1] it will be analysed", WAITS)
    thinks(talk)
    talk.nothing_more()
    talk.clock.advance(seconds=3601)
    thinks(talk)
    for who in ("ann", "bob"):
        assert talk.awaited_mail(who).subject == "[chess 1] analysis"


@pytest.mark.parametrize("ends", ["resign", "cancel"])
def test_a_board_that_can_go_on_is_not_asked_about_by_another(
    talk: Conversation, ends: str
) -> None:
    """Ann gives up board 1 for a while, and has the same position of board 2 analysed."""
    latest = begun(talk, ["f3", "e5"])
    mated = talk.plays(
        ["f3", "e5", "g4", "Qh4"], "ann", "bob", latest=talk.challenge("chess", "ann", "bob")
    )
    if ends == "cancel":
        talk.replies(latest[1], "cancel")
        talk.any_mail("bob")
        latest = [talk.any_mail("ann"), latest[1]]
        talk.replies(latest[0], "accept")
        talk.any_mail("ann")
        talk.any_mail("bob")
    else:
        resigns(talk, latest[0])
    talk.replies(mated[0], "analyse")
    talk.receives("ann", "[chess 2] it will be analysed")
    thinks(talk)
    says = " ".join(talk.awaited_mail("ann").text.split())
    assert "One turn is left out: the same position stands on a board" in says
    assert "played g4" not in says


def test_an_end_that_shows_something_is_settled_at_once(talk: Conversation) -> None:
    """What was hidden and the secret of the dice come with it."""
    talk.signup("ann", "bob")
    for number, game in enumerate(("darkchess", "backgammon"), 1):
        begin = talk.agreed if game == "backgammon" else talk.challenge
        mails = begin(game, "ann", "bob")
        with talk.server.store.reading() as session:
            board = load(session, number)
        (seat,) = board.position.to_move
        move = board.position.legal_moves(seat)[0]
        talk.replies(mails[seat], move)
        for who in ("ann", "bob"):
            talk.any_mail(who)
        talk.proves("bob", f"{game} resign {number}")
        for who in ("ann", "bob"):
            assert "Reply with undo" not in talk.any_mail(who).text
        with talk.server.store.reading() as session:
            board = load(session, number)
        assert board.is_uncovered
        assert board.is_settled(talk.clock())
        talk.proves("bob", f"{game} undo {number}")
        talk.receives("bob", f"[{game} {number}] not done: board {number} is over")

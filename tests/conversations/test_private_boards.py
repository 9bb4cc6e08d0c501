"""Private boards: nobody but their players sees them, or how they end."""

from __future__ import annotations

import pytest

from pbm.features.finding.rows import count_boards_by_game
from tests.harness.conversation import Conversation
from tests.harness.mail import has_name
from tests.harness.visitor import HOST, Visitor


@pytest.mark.config(limits={"unproved_a_day": 0})
def test_nobody_else_sees_a_private_board(talk: Conversation) -> None:
    """It is as if it did not exist: shown, listed, exported, tried, watched by nobody else."""
    talk.signup("ann", "bob", "carl", "dora", "eve")
    talk.proves("ann", "hex challenge ann bob -size=3 --private")
    mail = talk.receives(
        "ann", "[hex 1] new board: ann, bob", "only who belongs to it sees the board"
    )
    theirs = talk.receives(
        "bob", "[hex 1] new board: ann, bob", "only who belongs to it sees the board"
    )
    password = talk.password("carl")
    for line in (
        "hex show 1",
        f"hex showas carl {password} 1",
        "hex export 1",
        "hex preview 1 b2",
        f"hex watch 1 carl {password}",
        f"hex chat 1 carl {password}",
        f"hex move 1 carl {password} b2",
        f"hex analyse 1 carl {password}",
        "find 1",
    ):
        talk.mails("carl", line, "Hello there." if "chat" in line else "")
        said = talk.any_mail("carl").text
        assert "there is no board with that number" in said, line
        assert not has_name(said, "ann")
    for line in ("hex list", "list", "all show ann", "hex games bob", "hex show ann"):
        talk.mails("dora", line)
        assert "only who belongs" not in (said := talk.any_mail("dora").text), line
        assert "move 1" not in said, line
    talk.mails("dora", "who ann")
    assert "Open boards: 0" in talk.any_mail("dora").text
    talk.mails("ann", "all show ann")
    assert "move 1" in talk.any_mail("ann").text
    with talk.server.store.reading() as session:
        assert not count_boards_by_game(session)
    talk.mails("ann", "hex show 1")
    talk.receives("ann", "[hex 1] ann to move (1)")
    latest = talk.plays(["a1", "b1", "a2", "b2", "a3"], "ann", "bob", latest=[mail, theirs])
    assert latest[0].subject.startswith("[hex 1] ann won (5)")
    assert "This game does not affect ratings." in latest[0].text
    for line in (
        "hex show 1",
        "hex export 1",
        "hex history",
        "all show ann all",
        "stats ann bob",
        "rating ann",
        "hex ratings",
        "find hex",
        "find ann",
        "find ann bob",
        "find hex opening a1",
        "who ann",
    ):
        talk.mails("eve", line)
        said = talk.any_mail("eve").text
        assert "a3" not in said, line
        assert "ann won" not in said, line
        assert "  1  hex" not in said, line
    talk.mails("ann", "find hex")
    assert "ann won" in talk.any_mail("ann").text
    talk.replies(latest[1], "rematch")
    talk.receives("bob", "[hex 2] new board: bob, ann", "only who belongs to it sees the board")
    talk.receives("ann", "[hex 2] new board: bob, ann")
    talk.mails("carl", "hex show 2")
    assert "there is no board with that number" in talk.any_mail("carl").text


@pytest.mark.config(web={"url": HOST})
def test_no_page_shows_a_private_board(talk: Conversation, visitor: Visitor) -> None:
    """Nor do feeds, lists, files and pictures, while it lasts and after; its players' pages do."""
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob", options="-size=3 --private")
    seat = mails[0].line("On the web: ")
    paths = [f"/board/1{end}" for end in ("", "/try", ".json", ".txt", ".svg", ".png")]
    paths += ["/", "/results.atom", "/games/hex", "/players/ann", "/events", "/help/private"]
    for moves in ((), ("a1", "b1", "a2", "b2", "a3")):
        mails = talk.plays(moves, "ann", "bob", latest=mails)
        for path in paths:
            page = visitor.get(path)
            assert "/board/1" not in page.text, path
            assert "ann, bob" not in page.text, path
            if path.startswith("/board/"):
                assert page.status == 404, path
        assert visitor.get(seat).status == 200


def test_the_boards_of_an_event_are_not_private(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", f"event new swiss hex ann {talk.password('ann')} --private --rounds=3")
    said = talk.any_mail("ann").text
    assert "everybody may see the boards of an event: leave out --private" in " ".join(said.split())


@pytest.mark.config(web={"url": HOST})
def test_pages_pictures_and_feeds_have_no_private_board(
    talk: Conversation, visitor: Visitor
) -> None:
    """Its address leads nowhere, as that of a board that there is not; the front page, the players'
    pages and the feeds do not name it."""
    talk.signup("ann", "bob")
    talk.proves("ann", "hex challenge ann bob -size=3 --private --title=Derby")
    talk.any_mail("ann")
    talk.any_mail("bob")
    for path in ("board/1", "board/1.png", "board/1.svg", "board/1.json", "board/1/try"):
        assert visitor.get(f"{HOST}/{path}").status == 404, path
    pages = ("", "games", "find", "player/ann", "game/hex", "results.atom", "player/ann.atom")
    for path in pages:
        said = visitor.get(f"{HOST}/{path}").says
        assert "Derby" not in said, path
        assert "board/1" not in said, path

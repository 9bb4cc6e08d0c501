"""Boards that have ended are found by mail: by game, players, date and first moves."""

from __future__ import annotations

import re

from tests.harness.conversation import Conversation


def finish(talk: Conversation, game: str, moves: list[str]) -> None:
    """Ann and bob play a board; whoever is to move then resigns."""
    mails = talk.challenge(game, "ann", "bob")
    mails = talk.plays(moves, "ann", "bob", latest=mails)
    talk.replies(mails[len(moves) % 2], "resign")
    talk.everything()


def test_old_boards_are_found(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    finish(talk, "chess", ["e4", "e5", "Nf3"])
    finish(talk, "chess", ["d4", "d5"])
    finish(talk, "tictactoe", ["b2", "a1"])
    for line, found in (
        ("find chess bob", (2, 1)),
        ("find ann bob", (3, 2, 1)),
        ("find chess opening e4", (1,)),
        ("find chess opening e4 c5", ()),
        ("find chess 2026-03", (2, 1)),
        ("find on 02.03.2026", (3, 2, 1)),
        ("find 3.3.2026", ()),
        ("find bob 2025", ()),
        ("chess history carl", ()),
        ("history chess bob", (2, 1)),
    ):
        talk.proves("ann", line)
        text = talk.any_mail("ann").text
        listed = re.findall(r"^ +(\d+)  \w", text, re.MULTILINE)
        assert tuple(map(int, listed)) == found, line
    talk.proves("ann", "find 1")
    mail = talk.receives("ann", "[pbm] Chess, board 1")
    assert "The first moves: e4 e5 Nf3" in mail.text
    assert "ann won" in mail.text
    talk.proves("ann", "openings chess")
    assert re.search(r"d4 +1 board,  the first player won 0", talk.any_mail("ann").text)
    for line, reason in (
        ("find hex zoe", "no player, game or date with that name"),
        ("find opening e4", "name the game"),
        ("find 31.2.2026", "a date is written as 2026-03-17"),
        ("find 2/3/2026", "a date is written as 2026-03-17"),
    ):
        talk.proves("ann", line)
        text = talk.any_mail("ann").text
        assert text.startswith("Not done:")
        assert reason in text


def test_first_moves_leave_out_what_was_taken_back(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("chess", "ann", "bob")
    ann, bob = talk.plays(["e4", "e5", "Nf3"], "ann", "bob", latest=mails)
    talk.replies(ann, "undo")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    ann, bob = (talk.any_mail(who) for who in ("ann", "bob"))
    talk.plays(["d4"], "ann", "bob", latest=[ann, bob])
    talk.replies(bob, "resign")
    talk.everything()
    talk.proves("ann", "find 1")
    assert "The first moves: e4 e5 d4\n" in talk.any_mail("ann").text


def test_how_a_player_has_fared(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    finish(talk, "tictactoe", ["b2", "a1"])
    talk.proves("ann", "who bob")
    text = " ".join(talk.any_mail("ann").text.split())
    assert "tictactoe 1 won, 0 drawn, 0 lost" in text
    assert "100 percent of the boards were played to their end" in text


def test_a_long_list_has_pages(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for _ in range(27):
        finish(talk, "tictactoe", ["b2"])
    for line in ("find tictactoe bob 2026", "history tictactoe bob"):
        talk.proves("ann", line)
        said = talk.any_mail("ann").text
        following = re.search(r"The next ones: (find .*page 2)", said)
        assert following is not None, said
        talk.proves("ann", following[1])
        text = talk.any_mail("ann").text
        assert re.findall(r"^ +(\d+)  \w", text, re.MULTILINE) == ["2", "1"]
        assert "The next ones" not in text

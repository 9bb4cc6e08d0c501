"""Draughts and kalah by mail: numbers and coordinates, what must be captured, the record that other
programs read, several moves in a turn."""

from __future__ import annotations

import pytest

from pbm.games import get_game
from tests.harness.conversation import Conversation


def test_squares_are_typed_as_players_do_and_the_game_is_exported(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("checkers", "ann", "bob")
    latest = talk.plays(["11-15", "c3-d4", "15x22"], "ann", "bob", latest=latest)
    assert latest[1].subject == "[draughts 1] your move (4), ann played 15x22"
    talk.replies(latest[1], "21-17")
    talk.receives(
        "bob",
        "[draughts 1] not done: 21-17: you must capture: 25x18 or 26x17",
        "[X]22",
    )
    talk.replies(latest[1], "b2:d4")
    talk.receives("bob", "[draughts 1] ann to move (5), you played 25x18")
    talk.receives("ann", "[draughts 1] your move (5), bob played 25x18", "[O]18")
    talk.mails("ann", "draughts export 1")
    talk.receives(
        "ann",
        "[draughts 1] record",
        '[Black "ann"]',
        '[GameType "21,B,8,8,N1,0"]',
        "1. 11-15 22-18 2. 15x22 25x18 *",
    )


@pytest.mark.parametrize(
    ("game", "move", "kind", "begins"),
    [
        ("draughts", "11-15", "text/plain", '[Event "'),
        ("chess", "e4", "application/vnd.chess-pgn", '[Event "'),
        ("hex", "a1", "application/x-go-sgf", "(;"),
    ],
)
def test_the_record_comes_first_and_as_a_file(
    talk: Conversation, game: str, move: str, kind: str, begins: str
) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge(game, "ann", "bob")
    talk.plays([move], "ann", "bob", latest=latest)
    talk.mails("ann", f"{game} export 1")
    mail = talk.receives("ann", f"[{game} 1] record", "The same as an object in JSON")
    (part,) = mail.message.iter_attachments()
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    text = content.decode().replace("\r\n", "\n")
    assert part.get_content_type() == kind
    assert part.get_filename() == f"{game}-1.{get_game(game).record_format}"
    assert text.startswith(begins)
    assert 0 < mail.text.index(text.rstrip()) < mail.text.index("\n{")


def test_a_list_of_sowings_is_one_turn(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    (mine, _) = talk.challenge("kalah", "ann", "bob")
    talk.replies(mine, "c, f")
    talk.receives("ann", "[kalah 1] bob to move (2), you played c, f")
    talk.receives("bob", "[kalah 1] your move (2), ann played c, f", "|[ 0]|  5 |  5 |[ 0]|  2")

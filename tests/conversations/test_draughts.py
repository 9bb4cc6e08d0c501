"""Draughts and kalah by mail: numbers and coordinates, what must be captured, the record that other
programs read, several moves in a turn."""

from __future__ import annotations

from tests.conversations.conversation import Conversation


def test_squares_are_typed_as_players_do_and_the_game_is_exported(house: Conversation) -> None:
    house.signup("ann", "bob")
    latest = house.challenge("checkers", "ann", "bob")
    latest = house.plays(["11-15", "c3-d4", "15x22"], "ann", "bob", latest=latest)
    assert latest[1].subject == "[draughts 1] your move (4), ann played 15x22"
    house.replies(latest[1], "21-17")
    house.receives(
        "bob",
        "[draughts 1] not done: 21-17: you must capture: 25x18 or 26x17",
        "[X]22",
    )
    house.replies(latest[1], "b2:d4")
    house.receives("bob", "[draughts 1] ann to move (5), you played 25x18")
    house.receives("ann", "[draughts 1] your move (5), bob played 25x18", "[O]18")
    house.mails("ann", "draughts export 1")
    house.receives(
        "ann",
        "[draughts 1] record",
        '[Black "ann"]',
        '[GameType "21,B,8,8,N1,0"]',
        "1. 11-15 22-18 2. 15x22 25x18 *",
    )


def test_a_list_of_sowings_is_one_turn(house: Conversation) -> None:
    house.signup("ann", "bob")
    (mine, _) = house.challenge("kalah", "ann", "bob")
    house.replies(mine, "c, f")
    house.receives("ann", "[kalah 1] bob to move (3), you played c, f")
    house.receives("bob", "[kalah 1] your move (3), ann played c, f", "|[ 0]|  5 |  5 |[ 0]|  2")

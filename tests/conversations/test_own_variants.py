"""A variant that the operator wrote is played by mail; a board whose section goes, or no longer
allows what was played, waits, and its players are told so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbm import games
from tests.harness.conversation import Conversation

HILL = "[hillside:chess]\nflagPiece = k\nflagRegion = *5\n"
WITHOUT_PAWNS = f"{HILL}startFen = rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1\n"
GONE = "hillside cannot be played at the moment: the operator has been told ..."
CHANGED = "board 1 is on hold for the operator ..."


def bring(text: str) -> None:
    games.bring_variants({"hill.ini": text}, {})


@pytest.fixture
def shelf() -> Iterator[None]:
    """The section on the shelf, which is gone afterwards."""
    bring(HILL)
    yield
    games.reload()
    games.bring_variants({}, {})


def test_a_board_of_a_section_that_goes_or_changes_waits_until_it_is_back(
    shelf: None, talk: Conversation
) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hillside", "ann", "bob")
    talk.everything()
    for who, move, without, why in (
        ("ann", "e4", "[other:chess]\n", GONE),
        ("bob", "e5", WITHOUT_PAWNS, CHANGED),
    ):
        line = f"hillside move 1 {who} {talk.password(who)} {move}"
        bring(without)
        games.expect(["hillside"])
        talk.mails(who, line)
        talk.receives(who, f"[hillside 1] not done: {why}")
        bring(HILL)
        talk.mails(who, line)
        other = "bob" if who == "ann" else "ann"
        number = 2 if who == "ann" else 3
        talk.receives(who, f"[hillside 1] {other} to move ({number}), you played {move}")
        talk.everything()

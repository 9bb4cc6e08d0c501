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


OVER = {
    "mated": "[mated:chess]\nstartFen = rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w\n",
    "stuck": "[stuck:chess]\nstartFen = 7K/5k2/6q1/8/8/8/8/8 w\n",
    "bare": "[bare:chess]\nstartFen = k7/8/8/8/8/8/8/8 w\n",
    "climbed": "[climbed:kingofthehill]\nstartFen = 4k3/7p/8/3K4/8/8/8/8 b\n",
    "lonely": "[lonely:extinction]\nstartFen = 4k3/8/8/8/8/8/8/4K3 w\n",
    "idle": "[idle:chess]\nstartFen = 4k3/8/8/8/8/8/8/R3K3 w - - 150 1\n",
    "pair": "[pair:bughouse]\nstartFen = rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR[] w\n",
}
"""Sections whose first position nobody can play on from."""


def test_a_section_that_is_over_before_the_first_move_is_a_fault_and_the_others_play(
    shelf: None, talk: Conversation
) -> None:
    bring("".join(OVER.values()) + HILL)
    faults = {fault.name: fault.cause for fault in games.list_faults()}
    assert faults.keys() == OVER.keys()
    for name, cause in faults.items():
        begin = f"[{name}]: startFen: the game is over before the first move: "
        assert cause.startswith(begin), cause
    talk.signup("ann", "bob")
    for name in OVER:
        talk.proves("ann", f"{name} challenge ann bob")
        talk.receives("ann", f"[pbm] not done: {name} cannot be played at the moment ...")
    talk.challenge("hillside", "ann", "bob")
    talk.everything()


def test_a_section_in_which_the_answer_would_be_none_ends_after_the_first_move(
    shelf: None, talk: Conversation
) -> None:
    bring("[alone:chess]\nstartFen = 8/8/8/8/8/8/4P3/4K3 w\n")
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("alone", "ann", "bob")
    talk.replies(mail, "e4")
    for who in ("ann", "bob"):
        talk.receives(who, "[alone 1] draw (1)", "stalemate: black has no legal move")

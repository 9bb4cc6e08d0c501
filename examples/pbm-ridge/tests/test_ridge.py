"""Ridge: what its section says, and the conformance suite."""

from pbm_ridge import GAME

from pbm.rules.testing import check


def test_it_conforms() -> None:
    assert check(GAME, games=2, moves=60) > 20


def test_a_cannon_stands_where_the_queen_stood() -> None:
    kinds = {piece.place: piece.kind for piece in GAME.setup().scene().pieces}
    assert kinds["d1"] == "cannon"


def test_a_king_in_the_middle_wins() -> None:
    position = GAME.setup()
    for move in ("e2e3", "a7a6", "e1e2", "b7b6", "e2f3", "c7c6", "f3e4"):
        (seat,) = position.to_move
        position = position.play(seat, move)
    assert position.outcome is not None
    assert position.outcome.winners == (0,)

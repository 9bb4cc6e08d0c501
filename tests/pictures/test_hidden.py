"""Pictures of games that hide something: positions that differ only in what a viewer may not see
look the same, byte by byte."""

from __future__ import annotations

from pbm.games import get_game
from pbm.pictures.png import make_png
from pbm.rules import Position
from pbm.rules.drawing.svg import draw_svg


def pictures(position: Position, viewer: int | None) -> tuple[str, bytes]:
    """The board as SVG and PNG for that viewer."""
    svg = draw_svg(position.scene(viewer), position.colours, dark=False)
    return svg, make_png(svg)


def test_fleets_at_different_places_look_the_same_to_the_other_side() -> None:
    start = get_game("battleship").setup()
    moves = start.legal_moves(0)
    one, other = (start.play(0, move) for move in (moves[0], moves[-1]))
    assert pictures(one, 0) != pictures(other, 0)
    for viewer in (1, None):
        assert pictures(one, viewer) == pictures(other, viewer)


def test_men_in_the_dark_look_the_same() -> None:
    start = get_game("darkchess").setup().play(0, "g1f3")
    one, other = (start.play(1, move).play(0, "f3g1") for move in ("b8a6", "a7a6"))
    assert pictures(one, 1) != pictures(other, 1)
    for viewer in (0, None):
        assert pictures(one, viewer) == pictures(other, viewer)


def test_a_spectator_sees_less_than_a_seat() -> None:
    position = get_game("darkchess").setup()
    assert len({pictures(position, viewer)[0] for viewer in (None, 0, 1)}) == 3

"""Stacks of pieces of four triangles: placements as text, and which lie level."""

import pytest

from pbm.rules import InvalidMove
from pbm.rules.stacking import FORMS, Placements, fitting
from pbm.rules.triangles import hexagon

ALL = Placements(hexagon(2))
BARE = [0] * len(ALL.board)


def stacks(**heights: int) -> list[int]:
    return [heights.get(name, 0) for name in ALL.board.names]


def fits(height: list[int], top: list[int]) -> set[str]:
    return set(ALL.listing(fitting(ALL.rows, height, top)))


def test_placements_are_numbered_form_by_form() -> None:
    forms = [ALL.form_of[piece.cells] for piece in ALL.pieces]
    assert forms == sorted(forms)
    assert [mask.bit_count() for mask in ALL.of_form] == [42, 36, 12]
    assert ALL.names == tuple(ALL.listing((1 << 90) - 1))
    assert ALL.listing(0) == []
    assert ALL.listing(0b101) == [ALL.names[0], ALL.names[2]]


def test_forms_that_are_left_out_still_have_a_name() -> None:
    rounds = Placements(hexagon(2), 1)
    assert len(rounds.pieces) == 42
    cells = rounds.read("b1 c1 d1 e1")
    assert FORMS[rounds.form_of[cells]] == "straight"


def test_near_placements_share_a_cell() -> None:
    for number, piece in enumerate(ALL.pieces):
        others, rows = ALL.near[number]
        near = {row[0].bit_length() - 1 for form in rows for row in form}
        expected = {
            other for other, one in enumerate(ALL.pieces) if set(one.cells) & set(piece.cells)
        }
        assert near == expected
        assert {n for n in range(len(ALL.pieces)) if others >> n & 1}.isdisjoint(near)
        assert (others & (1 << 90) - 1).bit_count() == 90 - len(near)


def test_everything_lies_level_on_bare_board() -> None:
    assert fits(BARE, BARE) == set(ALL.names)


@pytest.mark.parametrize(
    ("heights", "level"),
    [
        ({"b1": 1, "c1": 1, "d1": 1, "d2": 1}, True),
        ({"b1": 1, "c1": 1, "d2": 1}, True),
        ({"b1": 1, "d1": 1, "d2": 1}, True),
        ({"b1": 1, "d2": 1}, False),
        ({"b1": 1}, False),
        ({"c1": 1, "d1": 1}, False),
        ({"b1": 1, "c1": 2, "d1": 1, "d2": 1}, False),
        ({"b1": 1, "c1": 1, "d1": 1, "d2": 2}, False),
    ],
)
def test_a_round_piece_bridges_one_cell(heights: dict[str, int], level: bool) -> None:
    tops = {name: number for number, name in enumerate(heights, 1)}
    assert ("b1,c1,d1,d2" in fits(stacks(**heights), stacks(**tops))) is level


def test_the_same_four_cells_of_one_piece_do_not_carry() -> None:
    heights = stacks(b1=1, c1=1, d1=1, d2=1)
    assert "b1,c1,d1,d2" not in fits(heights, heights)
    assert "b1,c1,d1,d2" in fits(heights, stacks(b1=1, c1=1, d1=1, d2=2))


def test_a_text_names_four_joined_cells() -> None:
    assert ALL.name(ALL.read("D2;b1 C1-d1.")) == "b1,c1,d1,d2"
    for text in ("b1,c1,d1", "b1,c1,d1,f4", "b1,c1,d1,x", "b1,c1,d1,a1", "b1,b1,c1,d1", "b1 " * 99):
        with pytest.raises(InvalidMove):
            ALL.read(text)

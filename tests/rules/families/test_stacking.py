"""Stacks of pieces of four triangles: notation of placements, and which lie level."""

import random

import pytest

from pbm.rules import InvalidMove
from pbm.rules.boards.triangles import hexagon
from pbm.rules.families.stacking import FORMS, Placements, StackState, find_fitting

ALL = Placements(hexagon(2))
BARE = [0] * len(ALL.board)


def stacks(**heights: int) -> list[int]:
    return [heights.get(name, 0) for name in ALL.board.names]


def fits(height: list[int], top: list[int]) -> set[str]:
    return set(ALL.listing(find_fitting(ALL.rows, height, top)))


def test_placements_are_numbered_form_by_form() -> None:
    forms = [ALL.form_of[piece.cells] for piece in ALL.pieces]
    assert forms == sorted(forms)
    assert [mask.bit_count() for mask in ALL.of_form] == [42, 36, 12]
    assert ALL.names == tuple(ALL.listing((1 << 90) - 1))
    assert ALL.listing(0) == []
    assert ALL.listing(0b101) == [ALL.names[0], ALL.names[2]]
    assert [ALL.middle(mask) for mask in (0b1, 0b101, 0b111)] == [
        ALL.names[0],
        ALL.names[2],
        ALL.names[1],
    ]


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


# What still matters


class Stacks:
    """Stacks that are built up, of the first forms."""

    def __init__(self, forms: int, height: list[int], top: list[int]) -> None:
        self.places = Placements(hexagon(2), forms)
        self.height, self.top = height, top

    def fits(self) -> list[int]:
        """The numbers of the placements that fit."""
        mask = find_fitting(self.places.rows, self.height, self.top)
        return [number for number in range(len(self.places.pieces)) if mask >> number & 1]

    def lay(self, number: int) -> None:
        piece = self.places.pieces[number]
        level, new = self.height[piece.ends[0]] + 1, max(self.top) + 1
        for cell in piece.cells:
            self.height[cell], self.top[cell] = level, new

    def stack_state(self) -> StackState:
        return self.places.stack_state(self.height, self.top)

    def changed(self, dice: random.Random) -> "Stacks":
        """The same with all above some level lifted, and some cells lower that nothing rests on."""
        level, lift = dice.randrange(-1, max(self.height)), dice.randrange(4)
        height = [h + lift if h > level else h for h in self.height]
        for cell, bearing in enumerate(self.stack_state().heights):
            if bearing < 0 and dice.random() < 0.5:
                height[cell] = dice.randrange(height[cell] + 1)
        top = [piece or max(self.top) + 1 + cell for cell, piece in enumerate(self.top)]
        level_tops: dict[tuple[int, int], int] = {}
        for cell, piece in enumerate(top):
            level_tops.setdefault((piece, height[cell]), len(level_tops) + 1)
        top = [level_tops[piece, height[cell]] for cell, piece in enumerate(top)]
        return Stacks(len(self.places.of_form), height, top)


@pytest.mark.parametrize("forms", [1, 3])
def test_stacks_of_the_same_outlook_allow_the_same_from_then_on(forms: int) -> None:
    dice, pairs, plies, lifted = random.Random(forms), 0, 0, 0
    while pairs < 150:
        one = Stacks(forms, [0] * 24, [0] * 24)
        for _ in range(dice.randrange(2, 20)):
            if fit := one.fits():
                one.lay(dice.choice(fit))
        other = one.changed(dice)
        if one.stack_state() != other.stack_state() or one.height == other.height:
            continue
        pairs += 1
        lifted += len({b - a for a, b in zip(one.height, other.height, strict=True)}) > 1
        while fit := one.fits():
            assert fit == other.fits()
            number = dice.choice(fit)
            one.lay(number)
            other.lay(number)
            assert one.stack_state() == other.stack_state()
            plies += 1
            if max(one.height) > 30:
                break
        assert bool(fit) or not other.fits()
    assert plies > 150
    assert lifted > 20


def test_what_no_piece_can_rest_on_is_left_out() -> None:
    one = Stacks(1, [0] * 24, [0] * 24)
    low = ALL.board.cell("b1")
    assert low is not None
    assert one.stack_state().heights == (0,) * 24
    for cell in range(24):
        if cell != low:
            one.height[cell], one.top[cell] = 1 + cell % 2, 1 + cell
    deep = one.stack_state()
    assert deep.heights[low] == -1
    one.height = [h + 5 if h else 0 for h in one.height]
    assert one.stack_state() == deep


def test_an_exposed_piece_counts() -> None:
    one, other = (Stacks(1, [1] * 24, list(range(1, 25))) for _ in range(2))
    for cell in ALL.pieces[0].cells:
        other.top[cell] = 30
    assert one.stack_state() != other.stack_state()
    assert one.fits() == [0, *other.fits()]

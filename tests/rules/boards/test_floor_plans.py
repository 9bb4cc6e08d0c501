"""Floor plans: rooms, doors, joined places, steps, reach, drawing."""

import pytest

from pbm.rules.boards.floor_plans import FloorPlan, bits
from pbm.rules.boards.squares import Grid

PLAN = FloorPlan(
    Grid(5, 4),
    joined={"den": ("a1", "b1", "a2", "b2")},
    rooms=[(("d2", "e2", "d3", "e3"), (("c3", "d3"),))],
    renamed={"e3": "bed"},
)


def names(mask: int) -> set[str]:
    return {PLAN.names[place] for place in bits(mask)}


def around(table: tuple[int, ...], name: str) -> set[str]:
    return names(table[PLAN.number[name]])


def test_bits_come_lowest_first() -> None:
    assert list(bits(0b101001)) == [0, 3, 5]


def test_covered_cells_are_no_places_but_name_their_place() -> None:
    assert "a1" not in PLAN.number
    assert PLAN.place("B2") == PLAN.place("den") == PLAN.number["den"]
    assert PLAN.place("e3") == PLAN.place("Bed") == PLAN.number["bed"]
    assert PLAN.place("f1") is None
    assert len(list(bits(PLAN.places))) == 17
    assert len(list(bits(PLAN.cells))) == 16


def test_steps_go_over_edges_and_not_through_walls() -> None:
    assert around(PLAN.edges, "den") == {"a3", "b3", "c1", "c2"}
    assert around(PLAN.edges, "c2") == {"den", "c1", "c3"}
    assert around(PLAN.edges, "c3") == {"b3", "c2", "c4", "d3"}
    assert around(PLAN.edges, "bed") == {"d3", "e2"}


def test_adjacent_is_also_over_a_corner_but_through_a_door_only_straight() -> None:
    assert around(PLAN.adjacent, "den") == {"a3", "b3", "c1", "c2", "c3"}
    assert around(PLAN.adjacent, "c3") == {"den", "b3", "c2", "b4", "c4", "d4", "d3"}
    assert around(PLAN.adjacent, "d2") == {"d3", "bed", "e2"}
    assert around(PLAN.adjacent, "d4") == {"c4", "e4", "c3"}


def test_reach_ends_on_what_is_not_passable() -> None:
    start = PLAN.number["c4"]
    assert names(PLAN.reach(start, 1, PLAN.places)) == {"b4", "c3", "d4"}
    closed = PLAN.places & ~PLAN.bit[PLAN.number["c3"]]
    assert names(PLAN.reach(start, 2, closed)) == {"b4", "c3", "d4", "a4", "b3", "e4"}


def test_reach_and_distance_agree_with_single_steps() -> None:
    for start in bits(PLAN.places):
        seen = PLAN.bit[start]
        for steps in range(12):
            assert PLAN.reach(start, steps, PLAN.places) | PLAN.bit[start] == seen
            for place in bits(PLAN.places):
                near = PLAN.distance(start, place, PLAN.places)
                assert (near is not None and near <= steps) == bool(seen & PLAN.bit[place])
            for place in bits(seen):
                seen |= PLAN.edges[place]


def test_there_may_be_no_way() -> None:
    closed = PLAN.places & ~PLAN.bit[PLAN.number["d3"]]
    assert PLAN.distance(PLAN.number["c3"], PLAN.number["bed"], PLAN.places) == 2
    assert PLAN.distance(PLAN.number["c3"], PLAN.number["bed"], closed) is None
    assert PLAN.distance(PLAN.number["c3"], PLAN.number["d3"], closed) == 1


def test_a_torus_is_refused() -> None:
    with pytest.raises(ValueError, match="borders"):
        FloorPlan(Grid(4, 4, torus=True))


def test_a_drawing_shows_walls_doors_and_boxes() -> None:
    canvas = PLAN.draw()
    for place in bits(PLAN.places):
        canvas.put(*PLAN.spots[place], "*" if PLAN.names[place] == "bed" else ".")
    assert canvas.picture().text.split("\n") == [
        "       a   b   c   d   e",
        "  4    .   .   .   .   .    4",
        "                 +-------+",
        "  3    .   .   .   .   *    3",
        "     +-------+",
        "  2  |  den  | . | .   .    2",
        "                 +-------+",
        "  1  |   .   | .   .   .    1",
        "     +-------+",
        "       a   b   c   d   e",
    ]

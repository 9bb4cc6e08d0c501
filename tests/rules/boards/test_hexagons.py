"""Boards of hexagons, and connections on them."""

import random
from dataclasses import replace

from pbm.rules.boards.hexagons import HexBoard, hexagon, rhombus, triangle
from pbm.rules.drawing.hexagon_scene import hexagon_scene
from pbm.rules.drawing.scene import marks_on, pieces_on
from pbm.rules.drawing.scene_text import HEXAGONS, draw_scene
from pbm.rules.families.connection import closes_ring, connects, run_starts, touched_bits


def near(board: HexBoard, name: str) -> list[str]:
    around = board.around[board.number[name]]
    return [board.names[cell] if cell >= 0 else "-" for cell in around]


def test_shapes_have_their_cells() -> None:
    assert len(rhombus(4, 3)) == 12
    assert len(triangle(5)) == 15
    assert [len(hexagon(side)) for side in (1, 2, 3, 5)] == [1, 7, 19, 61]
    assert hexagon(2).names == ("a1", "b1", "a2", "b2", "c2", "b3", "c3")


def test_neighbours_stand_clockwise_from_the_east() -> None:
    assert near(rhombus(3, 3), "b2") == ["c2", "b3", "a3", "a2", "b1", "c1"]
    assert near(hexagon(2), "b2") == ["c2", "c3", "b3", "a2", "a1", "b1"]
    assert near(triangle(3), "a1") == ["-", "b2", "a2", "-", "-", "-"]


def test_neighbours_are_mutual_and_opposite() -> None:
    for board in (rhombus(4, 4), triangle(5), hexagon(4)):
        for cell, six in enumerate(board.around):
            for way, there in enumerate(six):
                assert there < 0 or board.around[there][(way + 3) % 6] == cell


def test_axes_pass_through_a_cell_both_ways() -> None:
    board = hexagon(3)
    ahead, behind = board.axes[board.number["c3"]][0]
    assert [board.names[cell] for cell in (*reversed(behind), *ahead)] == ["a3", "b3", "d3", "e3"]
    assert all(len(a) + len(b) == 4 for a, b in board.axes[board.number["c3"]])


def test_a_drawing_has_cells_where_they_touch() -> None:
    board = hexagon(2)
    pieces, marks = pieces_on(board.names, ".XO...."), marks_on(board.names, {3})
    scene = replace(hexagon_scene(board), pieces=pieces, marks=marks)
    lines = draw_scene(scene, HEXAGONS).picture().text.split("\n")
    assert "[.]" in lines[2]
    assert [line.strip()[0] for line in lines] == ["a", "1", "2", "3", "b"]
    first, second = lines[1].index("."), lines[2].index("O")
    assert first - second == 1


def board_of(on: HexBoard, *names: str) -> str:
    return "".join("X" if name in names else "." for name in on.names)


def test_arcs_are_runs_of_stones_round_a_cell() -> None:
    on = hexagon(3)
    six = on.around[on.number["c3"]]
    assert run_starts(board_of(on), six, "X") == []
    assert len(run_starts(board_of(on, "d3", "d4", "b2"), six, "X")) == 2
    assert len(run_starts(board_of(on, "d3", "c4", "b2"), six, "X")) == 3
    assert len(run_starts(board_of(on, "d3", "d4", "c4", "b3", "b2", "c2"), six, "X")) == 1


def test_groups_reach_what_their_cells_touch() -> None:
    on = rhombus(3, 3)
    touch = [1 if row == 0 else 2 if row == 2 else 0 for _, row in on.cells]
    board = board_of(on, "b1", "b2", "a3")
    assert touched_bits(board, on.number["b2"], on.neighbours, touch) == 3
    assert connects(board, on.number["b2"], on, touch) == 3
    assert connects(board_of(on, "b2"), on.number["b2"], on, touch) == 0


def ringed(on: HexBoard, stones: set[int]) -> bool:
    """Whether some cells are cut off from the border, or some stone has six round it."""
    outside = [c for c, six in enumerate(on.around) if -1 in six and c not in stones]
    seen, frontier = set(outside), outside
    while frontier:
        for there in on.neighbours[frontier.pop()]:
            if there not in seen and there not in stones:
                seen.add(there)
                frontier.append(there)
    return len(seen) + len(stones) < len(on) or any(
        all(there in stones for there in on.around[cell]) for cell in stones
    )


def test_a_ring_is_seen_exactly_when_it_is_closed() -> None:
    on, rng, closed = hexagon(4), random.Random(3), 0
    for _ in range(300):
        stones: set[int] = set()
        for cell in rng.sample(range(len(on)), len(on)):
            stones.add(cell)
            board = "".join("X" if there in stones else "." for there in range(len(on)))
            assert closes_ring(board, cell, on) == ringed(on, stones)
            if ringed(on, stones):
                closed += 1
                break
    assert closed > 250

"""Graphs: neighbours, distances and shortest paths."""

from pbm.rules.boards.graphs import Graph

STAR = Graph(["a", "b", "c", "x", "alone"], [("a", "x"), ("b", "x"), ("c", "x")])


def names(spaces: tuple[int, ...]) -> list[str]:
    return [STAR.names[space] for space in spaces]


def test_spaces_are_found_in_any_case() -> None:
    assert STAR.space("X") == 3
    assert STAR.space("y") is None
    assert len(STAR) == 5


def test_neighbours_stand_in_the_order_of_the_links() -> None:
    assert names(STAR.neighbours[3]) == ["a", "b", "c"]
    assert names(STAR.neighbours[0]) == ["x"]


def test_distances() -> None:
    assert STAR.distance[0] == (0, 2, 2, 1, None)


def test_the_way_leaves_out_the_start() -> None:
    assert names(STAR.way(0, 2)) == ["x", "c"]
    assert STAR.way(0, 0) == ()
    assert STAR.way(0, 4) == ()


def test_of_several_ways_the_first_is_taken() -> None:
    square = Graph("abcd", [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    assert square.way(0, 3) == (1, 3)

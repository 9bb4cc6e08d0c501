"""Square boards of any outline, and straight lines on them."""

from pbm.rules.boards.squares import KING, Grid


def names(grid: Grid, cells: tuple[int, ...]) -> list[str]:
    return [grid.names[cell] for cell in cells]


def test_a_missing_cell_is_not_found_and_not_reached() -> None:
    grid = Grid(3, 3, missing=["b2"])
    assert grid.cell("b2") is None
    assert grid.cell("C3") == 8
    assert grid.step(grid.number["b1"], 0, 1) is None
    assert names(grid, grid.king[grid.number["a1"]]) == ["a2", "b1"]
    assert grid.king[4] == ()


def test_numbers_and_names_stay_those_of_the_full_grid() -> None:
    full, holed = Grid(3, 3), Grid(3, 3, missing=["a1"])
    assert holed.names == full.names
    assert holed.number["b1"] == full.number["b1"] == 1
    assert len(holed) == 9


def test_a_ray_ends_at_the_border_and_at_a_missing_cell() -> None:
    grid = Grid(4, 4, missing=["d1"])
    north, north_east, east = (KING.index(step) for step in ((0, 1), (1, 1), (1, 0)))
    assert names(grid, grid.rays[0][north]) == ["a2", "a3", "a4"]
    assert names(grid, grid.rays[0][north_east]) == ["b2", "c3", "d4"]
    assert names(grid, grid.rays[0][east]) == ["b1", "c1"]


def test_a_ray_on_a_torus_ends_before_its_own_cell() -> None:
    torus = Grid(3, 3, torus=True)
    assert names(torus, torus.rays[0][KING.index((1, 0))]) == ["b1", "c1"]
    assert names(torus, torus.rays[0][KING.index((-1, -1))]) == ["c3", "b2"]

"""Space Truckin', sentence by sentence of docs/rules/spacetruckin.md."""

import random
import re

import pytest

from pbm.games import get_game
from pbm.games.spacetruckin import SpaceTruckinPosition
from pbm.games.spacetruckin.table import GRID, KIND_NAMED, KINDS, SET, TILE_NAMED, TILING
from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    AmbiguousMove,
    IllegalMove,
    InvalidMove,
    MoveError,
    Outcome,
    Position,
)
from tests.games.turns import P, played, refusal

GAME = get_game("spacetruckin")
RED, YELLOW, BLUE = 0, 1, 2
TYPES = "p4 p3 p3w p2a p2aw p2o p2ox p2ax p1 p1ws p1wr p1wl p1w3 ws wc w3 w4 st stw"


def at(
    board: str,
    drawn: str = "hole",
    *,
    ships: dict[str, tuple[int, int]] | None = None,
    corner: str = "",
    pools: tuple[int, ...] = (5, 5),
    points: tuple[int, ...] = (0, 0),
    bag: str = "st st",
    mover: int = RED,
    left: tuple[int, ...] = (),
) -> SpaceTruckinPosition:
    """A position: `board` as "e5@0 p1ws, e6@2 p1", ships as {cell: (seat, segment)}."""
    ships = ships or {}
    tiles = []
    for text in filter(None, board.split(", ")):
        seat, segment = ships.get(text[:2], (0, -1))
        tiles.append(f"{text} {1 + 4 * seat + segment}")
    counts = [0] * len(KINDS)
    for name in bag.split():
        counts[KIND_NAMED[name]] += 1
    number = KIND_NAMED[drawn] if drawn else -1
    clock = ("ne", "se", "sw", "nw").index(corner) if corner else -1
    data = [tiles, list(pools), list(points), counts, number, clock, mover, 7, list(left)]
    position = GAME.load(len(pools), {}, data)
    assert isinstance(position, SpaceTruckinPosition)
    return position


def moves(position: SpaceTruckinPosition) -> set[str]:
    (seat,) = position.to_move
    return set(position.legal_moves(seat))


def play_text(position: Position, text: str) -> str:
    (seat,) = position.to_move
    move, left = position.parse(text, seat)
    assert left == ""
    return move


def play(position: P, text: str) -> P:
    (seat,) = position.to_move
    return played(position, seat, play_text(position, text) if seat != CHANCE else text)


def ships(position: SpaceTruckinPosition) -> dict[str, tuple[int, int]]:
    return {
        GRID.names[cell]: divmod(ship - 1, 4) for cell, ship in enumerate(position.ships) if ship
    }


def without(cells: str, tile: str = "st@0") -> str:
    """A full board of one tile but for some cells."""
    name, turn = tile.split("@")
    return ", ".join(f"{cell}@{turn} {name}" for cell in GRID.names if cell not in cells.split())


# The tiles and the draw.


def test_the_set_has_81_tiles_and_ten_black_holes() -> None:
    assert " ".join(row[0] for row in SET) == TYPES
    assert sum(row[3] for row in SET) == 81
    start = GAME.setup(2)
    assert start.chance is not None
    assert len(start.chance.outcomes) == 90


def test_segments_cover_the_edges_that_are_not_void() -> None:
    for tile in TILING.tiles:
        covered = sorted(("nesw"[edge], one.kind) for one in tile.segments for edge in one.edges)
        edges = sorted(("nesw"[n], edge) for n, edge in enumerate(tile.edges) if edge != "v")
        assert covered == edges


def test_two_segments_of_a_kind_on_a_tile_have_one_edge_each() -> None:
    for tile in TILING.tiles:
        for kind in "pw":
            same = [one for one in tile.segments if one.kind == kind]
            assert len(same) < 2 or all(len(one.edges) == 1 for one in same)


def test_the_list_to_draw_from_is_in_the_order_of_the_table_arrows_first_holes_last() -> None:
    start = GAME.setup(4)
    assert start.to_move == CHANCE_TO_MOVE
    assert start.chance is not None
    assert start.chance.kind == "pick"
    assert " ".join(start.chance.outcomes) == (
        "p4 p4 p3^ p3 p3 p3 p3w^ p3w p3w p2a^ p2a^ p2a p2a p2a p2aw^ p2aw^ p2aw p2aw p2aw p2aw "
        "p2o p2o p2o p2o p2ox p2ox p2ox p2ax p2ax p2ax p1^ p1^ p1 p1 p1 p1ws^ p1ws p1ws p1ws "
        "p1wr^ p1wr p1wr p1wr p1wl^ p1wl p1wl p1wl p1w3^ p1w3 p1w3 p1w3 "
        "ws^ ws^ ws ws ws ws ws ws wc^ wc^ wc wc wc wc wc w3^ w3 w3 w3 w4 w4 "
        "st^ st st st st stw^ stw stw " + " ".join(["hole"] * 10)
    )
    assert len(start.legal_moves(CHANCE)) == 19 + 14 + 1


def test_a_drawn_tile_leaves_the_bag() -> None:
    position = play(GAME.setup(2), "p4")
    position = play(position, "a1@0")
    assert position.chance is not None
    assert position.chance.outcomes[:2] == ("p4", "p3^")
    assert len(position.chance.outcomes) == 89


def test_the_last_tile_is_asked_for_too() -> None:
    position = at("e5@0 p1ws", "", bag="hole")
    assert position.chance is not None
    assert position.chance.outcomes == ("hole",)


def test_only_a_tile_with_arrows_asks_the_clock() -> None:
    position = at("e5@0 p1ws", "", bag="p4 ws^ hole")
    assert play(position, "p4").to_move == {RED}
    assert play(position, "hole").to_move == {RED}
    marked = play(position, "ws^")
    assert marked.to_move == CHANCE_TO_MOVE
    assert marked.chance is not None
    assert (marked.chance.kind, len(marked.chance.outcomes)) == ("second", 60)


@pytest.mark.parametrize(
    ("second", "turn"),
    [(0, 0), (14, 0), (15, 1), (29, 1), (30, 2), (44, 2), (45, 3), (59, 3)],
)
def test_the_second_gives_the_corner_that_the_arrow_points_to(second: int, turn: int) -> None:
    position = play(at("e5@0 p1ws", "p3^"), str(second))
    assert {move[3] for move in moves(position) if "/" not in move} == {str(turn)}
    assert play(at("e5@0 p1ws", "p3"), "a1@2").board[0] == TILING.face(TILE_NAMED["p3"], 2)


def test_a_tile_with_two_arrows_points_with_either() -> None:
    for corner, turns in (("ne", "02"), ("se", "13"), ("sw", "02"), ("nw", "13")):
        position = at("e5@0 p1ws", "ws^", corner=corner)
        assert {move[3] for move in moves(position)} == set(turns)


def test_a_tile_that_fits_nowhere_is_set_aside_and_another_drawn() -> None:
    position = at(without("i9"), "", bag="p4 st hole")
    after = play(position, "p4")
    assert after.to_move == CHANCE_TO_MOVE
    assert after.chance is not None
    assert after.chance.outcomes == ("st", "hole")
    assert after.turn == position.turn
    assert after.mover == position.mover
    assert after.news == (
        "a tile with planets on all four sides (p4) fits nowhere and is set aside",
    )
    assert moves(play(after, "st")) == {
        f"i9@{turn}{ship}" for turn in range(4) for ship in ("", "/engineer")
    }


def test_a_tile_with_arrows_is_set_aside_only_after_the_clock() -> None:
    position = play(at(without("i9"), "", bag="p2a^ st"), "p2a^")
    assert position.chance is not None
    assert position.chance.kind == "second"
    after = play(position, "3")
    assert after.chance is not None
    assert after.chance.outcomes == ("st",)
    assert after.news == (
        "a tile with planets on two sides that meet, in one system (p2a), with an arrow to ne "
        "fits nowhere and is set aside",
    )


def test_the_corner_decides_whether_a_tile_fits() -> None:
    # The planet of a9 looks over the border to i9, which therefore wants one in the east.
    around = without("i9").replace("a9@0 st", "a9@3 p1")
    assert moves(play(at(around, "p1^"), "20")) == {"i9@1", "i9@1/battleship:e"}
    after = play(at(around, "p1^"), "0")
    assert after.to_move == CHANCE_TO_MOVE
    assert after.news == (
        "a tile with a planet on one side (p1), with an arrow to ne fits nowhere and is set aside",
    )


def test_when_the_last_tile_is_set_aside_the_game_ends() -> None:
    position = play(at(without("i9"), "", bag="p4", points=(3, 4)), "p4")
    assert position.to_move == frozenset()
    assert position.outcome == Outcome((2, 1), "no tile is left to draw: yellow 4, red 3")


# Placing.


def test_a_tile_goes_anywhere_vacant_and_need_not_touch_another() -> None:
    position = at("e5@0 p1ws", "st", pools=(0, 0))
    free = {name for name in GRID.names if name not in ("e5", "e6", "d5", "f5")}
    assert moves(position) == {f"{name}@{turn}" for name in free for turn in range(4)}


def test_each_edge_equals_the_facing_one_over_the_borders_too() -> None:
    position = at("a1@0 p1ws", "ws", pools=(0, 0))
    legal_set = moves(position)
    assert {"i1@1", "i1@3", "b1@1", "b1@3", "a9@1", "a9@3"} <= legal_set
    assert not {"i1@0", "i1@2", "a9@0", "a2@0", "a2@1"} & legal_set
    assert refusal(position, "i1@0") == (
        "at i1@0 the east edge of the ws is void, but a1 shows it a wormhole; @1 or @3 fits on i1"
    )
    assert refusal(position, "a2@1") == (
        "at a2@1 the south edge of the ws is void, but a1 shows it a planet; no rotation fits on a2"
    )


def test_all_rotations_are_separate_moves() -> None:
    assert {f"a1@{turn}" for turn in range(4)} <= moves(at("e5@0 p1ws", "p4"))


def test_a_ship_goes_along_on_a_segment_of_its_role() -> None:
    def on_a1(drawn: str) -> set[str]:
        return {move[4:] for move in moves(at("e5@0 p1ws", drawn)) if move.startswith("a1@1")}

    assert on_a1("p3w") == {"", "/battleship:n", "/cargo:w"}
    assert on_a1("p2ox") == {"", "/battleship:e", "/battleship:w"}
    assert on_a1("p1w3") == {"", "/battleship:e", "/cargo:n", "/cargo:s", "/cargo:w"}
    assert on_a1("st") == {"", "/engineer"}
    assert on_a1("stw") == {"", "/engineer", "/cargo:w"}
    assert on_a1("wc") == {"", "/cargo:n"}


def test_a_ship_comes_out_of_the_pool() -> None:
    position = play(at("e5@0 p1ws", "p3", mover=YELLOW), "a1@0/battleship:n")
    assert position.pools == (5, 4)
    assert ships(position) == {"a1": (YELLOW, 0)}
    empty = at("e5@0 p1ws", "p3", pools=(0, 3))
    assert refusal(empty, "a1@0/battleship:n") == "no ship is left in red's pool"
    assert "a1@0" in moves(empty)


def test_a_feature_that_holds_a_ship_takes_no_other_over_any_number_of_tiles() -> None:
    row = "e5@0 p1ws, f5@1 ws, g5@1 ws"
    for holder in (RED, YELLOW):
        position = at(row, "ws", ships={"e5": (holder, 1)})
        owner = ("red", "yellow")[holder]
        assert "h5@1" in moves(position)
        assert refusal(position, "h5@1/cargo:e") == (
            f"that wormhole already holds {owner}'s cargo on e5"
        )
        assert "e9@1/cargo:e" in moves(position)
    # The planet of the same tile is another feature.
    assert "h5@1/cargo:e" in moves(at(row, "ws", ships={"e5": (YELLOW, 0)}))


def test_a_feature_is_held_over_the_border_too() -> None:
    position = at("i5@1 ws, h5@1 ws", "w3", ships={"h5": (YELLOW, 0)})
    legal_set = moves(position)
    assert "a5@0" in legal_set
    assert "a5@0/cargo:w" not in legal_set
    assert {"a5@0/cargo:e", "a5@0/cargo:s"} <= legal_set


def test_a_segment_that_joins_two_features_is_held_by_either() -> None:
    position = at("a1@1 ws, c1@1 ws", "ws", ships={"c1": (YELLOW, 0)})
    assert "b1@1" in moves(position)
    assert "b1@1/cargo:e" not in moves(position)


def test_two_segments_of_one_tile_are_manned_apart() -> None:
    position = at("a1@0 p2ox, e5@0 p1ws", "p1", ships={"a1": (YELLOW, 0)})
    assert "a9@0/battleship:n" in moves(position)  # the south planet of a1 is free
    assert refusal(position, "a2@2/battleship:s") == (
        "that planetary system already holds yellow's battleship on a1"
    )


def test_a_feature_completed_by_this_tile_may_be_manned() -> None:
    position = play(at("e5@0 p1ws", "p1"), "e6@2/battleship:s")
    assert position.points == (2, 0)
    assert position.pools == (6, 5)  # back at once, and a new ship
    assert ships(position) == {}
    assert position.news[1:] == (
        "red takes 2 for the planetary system at e6, 2 tiles",
        "red gets a new ship",
    )


# What is complete, and what it gives.


def test_two_segments_give_two_points_and_four_over_the_border() -> None:
    inside = play(at("e5@1 stw", "stw"), "d5@3/cargo:e")
    assert inside.points == (2, 0)
    assert inside.pools == (5, 5)  # the ship is back, and there is no new one for a wormhole
    assert play(at("e5@1 stw", "stw", ships={"e5": (YELLOW, 1)}), "d5@3").points == (0, 2)
    border = play(at("i5@3 stw", "stw"), "a5@1/cargo:w")
    assert border.points == (4, 0)
    assert border.news[1:] == ("red takes 4 for the wormhole at a5, 2 tiles over the border",)


def test_three_tiles_give_two_each() -> None:
    position = play(at("a1@3 stw, c1@1 stw", "ws", ships={"a1": (YELLOW, 1)}), "b1@1")
    assert position.points == (0, 6)
    assert position.pools == (5, 6)
    assert ships(position) == {}


def test_a_tile_counts_once_though_two_of_its_segments_belong_to_the_feature() -> None:
    # A ring of planets that comes back to the other planet of the p2ax on a1.
    ring = "a2@1 p2a, b2@2 p2a, b1@3 p2a"
    position = play(at(ring, "p2ax", pools=(7, 7)), "a1@0/battleship:n")
    assert position.points == (8, 0)
    assert position.pools == (8, 7)


def test_a_loop_round_the_board_is_complete_and_over_the_border() -> None:
    row = ", ".join(f"{column}3@1 ws" for column in "abcdefgh")
    position = play(at(row, "ws", ships={"c3": (YELLOW, 0)}), "i3@3")
    assert position.points == (0, 2 * 9 + 2)


def test_an_open_edge_keeps_a_feature_open() -> None:
    position = play(at("e5@0 p3", "p1"), "e6@2/battleship:s")
    assert position.points == (0, 0)
    assert ships(position) == {"e6": (RED, 0)}


def test_most_ships_take_all_points_and_equal_most_take_all_each() -> None:
    arms = "d5@1 p1, f5@3 p1, e6@2 p1, e4@0 p1"
    two_one = at(
        arms,
        "p4",
        pools=(4, 4, 4),
        points=(0, 0, 0),
        ships={"d5": (BLUE, 0), "f5": (BLUE, 0), "e6": (RED, 0)},
    )
    after = play(two_one, "e5@0")
    assert after.points == (0, 0, 10)
    assert after.pools == (5, 4, 7)  # all ships return; blue alone gets a new one
    even = at(
        arms,
        "p4",
        pools=(4, 4, 4),
        points=(1, 0, 0),
        ships={"d5": (BLUE, 0), "e6": (RED, 0)},
    )
    after = play(even, "e5@0")
    assert after.points == (11, 0, 10)
    assert after.pools == (6, 4, 6)


def test_a_new_ship_comes_only_up_to_ten() -> None:
    for pool, following in ((7, 9), (8, 10), (9, 10)):
        position = at("e5@0 p1, a1@0 p1", "p1", pools=(pool, 5), ships={"a1": (RED, 0)})
        assert play(position, "e6@2").pools[RED] == pool
        position = at("e5@0 p1", "p1", pools=(pool, 5), ships={"e5": (RED, 0)})
        assert play(position, "e6@2").pools[RED] == following


def test_ships_on_the_board_count_among_the_ten() -> None:
    position = at("e5@0 p1, a1@0 p1", "p1", pools=(8, 5), ships={"e5": (RED, 0), "a1": (RED, 0)})
    assert play(position, "e6@2").pools[RED] == 9


def test_each_planetary_system_gives_its_own_new_ship() -> None:
    board = "e6@2 p1, e4@0 p1"
    position = at(board, "p2ox", ships={"e6": (YELLOW, 0), "e4": (YELLOW, 0)})
    after = play(position, "e5@0")
    assert after.points == (0, 4)
    assert after.pools == (5, 9)


def test_a_complete_feature_without_a_ship_gives_nothing() -> None:
    position = play(at("e5@0 p1", "p1"), "e6@2")
    assert position.points == (0, 0)
    assert position.news[1:] == ()


SEVEN = ("d4", "d5", "d6", "e4", "e6", "f4", "f5")


def test_a_station_is_complete_when_the_eight_cells_around_are_filled() -> None:
    around = ", ".join(f"{cell}@0 st" for cell in SEVEN)
    position = play(at(f"{around}, e5@0 st", "st", ships={"e5": (YELLOW, 0)}), "f6@0")
    assert position.points == (0, 9)
    assert position.pools == (5, 6)
    assert position.news[1:] == ("yellow takes 9 for the station at e5",)
    own = play(at(f"{around}, f6@0 st", "st"), "e5@2/engineer")
    assert (own.points, own.pools) == ((9, 0), (5, 5))
    open_ = play(at(around, "st"), "e5@2/engineer")
    assert (open_.points, ships(open_)) == ((0, 0), {"e5": (RED, 0)})


def test_a_station_on_the_border_gives_two_more() -> None:
    around = ", ".join(f"{cell}@0 st" for cell in ("i4", "i5", "i6", "a4", "a6", "b4", "b5"))
    position = play(at(f"{around}, a5@0 st", "st", ships={"a5": (RED, 0)}), "b6@0")
    assert position.points == (11, 0)


def test_a_cargo_beside_a_station_is_not_its_engineer() -> None:
    around = ", ".join(f"{cell}@0 st" for cell in ("d4", "d5", "d6", "e6", "f4", "f5", "f6"))
    position = play(at(f"{around}, e4@0 ws", "stw"), "e5@0/cargo:s")
    assert position.points == (0, 0)
    assert ships(position) == {"e5": (RED, 1)}


def test_several_features_complete_at_once() -> None:
    board = "d5@3 stw, f5@1 stw, e6@2 p1"
    position = at(board, "p1ws", ships={"d5": (YELLOW, 1), "e6": (RED, 0)})
    after = play(position, "e5@0")
    assert after.points == (2, 6)


# The black hole.


def test_with_a_black_hole_a_cargo_may_be_removed() -> None:
    board = "a1@1 ws, c1@0 p1, e1@0 st, g1@1 ws"
    position = at(board, ships={"a1": (YELLOW, 0), "c1": (RED, 0), "e1": (RED, 0), "g1": (RED, 0)})
    assert {move for move in moves(position) if move.startswith("remove")} == {
        "remove:a1",
        "remove:g1",
    }
    after = play(position, "remove:a1")
    assert "a1" not in ships(after)
    assert after.pools == (5, 5)  # out of the game
    assert after.turn == position.turn + 1
    assert after.to_move == CHANCE_TO_MOVE
    assert after.mover == YELLOW
    assert refusal(position, "remove:c1") == (
        "c1 holds a battleship; a black hole takes a cargo only"
    )
    assert "an engineer" in refusal(position, "remove:e1")
    assert "no ship" in refusal(position, "remove:b5")


def test_a_wormhole_whose_cargo_was_removed_can_be_manned_again() -> None:
    position = at("a1@1 ws", ships={"a1": (YELLOW, 0)}, bag="ws ws")
    after = play(play(position, "remove:a1"), "ws")
    assert "b1@1/cargo:e" in moves(after)


def test_a_removed_cargo_no_longer_counts_among_the_ten() -> None:
    # Ten ships, one is removed: the next planet brings the tenth again.
    position = at(
        "a1@1 ws, e5@0 p1", pools=(8, 5), ships={"a1": (RED, 0), "e5": (RED, 0)}, bag="p1 p1"
    )
    after = play(play(play(position, "remove:a1"), "p1"), "e6@2")
    assert after.pools[RED] == 10


def test_an_exchange_takes_absolute_rotations_and_each_tile_to_the_other_cell() -> None:
    position = at("a1@1 p4, e5@3 st")
    assert moves(position) == {"pass"} | {
        f"exchange:a1@{one},e5@{other}" for one in range(4) for other in range(4)
    }
    after = play(position, "exchange:a1@2,e5@1")
    assert after.board[GRID.number["a1"]] == TILING.face(TILE_NAMED["st"], 2)
    assert after.board[GRID.number["e5"]] == TILING.face(TILE_NAMED["p4"], 1)


def test_ships_stay_on_their_tile_and_segment() -> None:
    position = at("a1@0 p1ws, e5@0 ws", ships={"a1": (YELLOW, 1), "e5": (RED, 0)})
    after = play(position, "exchange:a1@0,e5@3")
    assert ships(after) == {"e5": (YELLOW, 1), "a1": (RED, 0)}
    assert after.ship_kind_on(GRID.number["e5"]) == "w"


def test_all_edges_around_both_must_fit() -> None:
    position = at("d5@1 ws, e5@1 ws, a2@0 st, a7@0 ws")
    assert moves(position) == {
        "pass",
        *(f"exchange:a2@{one},a7@{other}" for one in range(4) for other in range(4)),
        *(
            f"exchange:a7@{one},{cell}@{other}"
            for cell in ("d5", "e5")
            for one in range(4)
            for other in (1, 3)
        ),
        *(
            f"exchange:d5@{one},e5@{other}"
            for one in range(4)
            for other in range(4)
            if one % 2 == other % 2
        ),
    }
    assert refusal(position, "exchange:a2@0,d5@0") == (
        "at d5@0 the east edge of the st is void, but e5 shows it a wormhole"
    )


def test_neighbours_exchanged_must_fit_each_other() -> None:
    position = at("a1@3 stw, b1@1 stw")
    assert {move for move in moves(position) if move != "pass"} == {
        f"exchange:a1@{one},b1@{other}"
        for one in range(4)
        for other in range(4)
        if (one == 3) == (other == 1)
    }
    assert "but b1 shows it a void edge" in refusal(position, "exchange:a1@3,b1@0")


def test_a_feature_completed_by_an_exchange_is_scored() -> None:
    board = "a1@3 stw, b1@1 ws, c1@1 stw, d4@1 ws"
    position = at(board, ships={"d4": (YELLOW, 0)})
    # The ws on d4 with its cargo changes places with the one between two stations.
    after = play(position, "exchange:b1@1,d4@0")
    assert after.points == (0, 6)
    assert ships(after) == {}
    assert after.pools == (5, 6)


def test_an_exchange_carries_an_engineer_to_a_filled_place() -> None:
    around = ", ".join(f"{cell}@0 st" for cell in [*SEVEN, "f6", "e5"])
    position = at(f"{around}, a1@0 st", ships={"a1": (YELLOW, 0)})
    assert play(position, "exchange:a1@0,e5@0").points == (0, 9)


def test_an_exchange_can_join_held_features_and_undo_nothing_scored() -> None:
    board = "a1@1 ws, b1@1 ws, e5@0 ws, e6@0 ws"
    position = at(board, points=(4, 2), ships={"a1": (RED, 0), "e5": (YELLOW, 0)})
    after = play(position, "exchange:b1@1,e5@0")
    assert ships(after) == {"a1": (RED, 0), "b1": (YELLOW, 0)}
    assert after.points == (4, 2)
    placing = play(after, "st")
    assert placing.to_move == {YELLOW}


def test_after_an_exchange_free_and_held_features_are_known() -> None:
    position = at("a1@1 ws, e5@1 ws", ships={"a1": (RED, 0)}, bag="ws")
    after = play(play(position, "exchange:a1@1,e5@1"), "ws")
    assert "b1@1/cargo:e" in moves(after)
    assert "f5@1/cargo:e" not in moves(after)


def test_the_start_tile_may_move_and_arrows_do_not_matter() -> None:
    assert "exchange:a1@2,e5@3" in moves(at("e5@0 p1ws, a1@0 p2a"))


def test_a_tile_drawn_allows_no_black_hole_moves_and_the_other_way_round() -> None:
    position = at("e5@0 p1ws, a1@0 ws", "p3", ships={"a1": (RED, 0)})
    for move in ("pass", "remove:a1", "exchange:a1@0,e5@0"):
        assert (
            "that takes a black hole; a tile with planets on three sides (p3) was drawn"
            in refusal(position, move)
        )
    assert "no tile to place" in refusal(at("e5@0 p1ws"), "a1@0")


# The end.


def test_the_game_ends_when_nothing_is_left_to_draw() -> None:
    position = play(at("e5@0 p1ws", "st", bag=""), "a1@0")
    assert position.to_move == frozenset()
    assert position.chance is None
    assert position.outcome == Outcome((1, 1), "no tile is left to draw: red 0, yellow 0")
    assert position.turn == 8


def test_at_the_end_each_segment_gives_a_point_by_majority_without_the_border() -> None:
    board = "i1@1 ws, a1@1 ws, b1@1 ws, a5@0 p2ax, a6@1 p2a, b6@2 p2a, c3@0 p1"
    held = {"i1": (RED, 0), "b1": (RED, 0), "a1": (YELLOW, 0), "a5": (YELLOW, 0)}
    position = play(at(board, bag="", ships=held), "pass")
    # red: three segments; yellow: a5 north, a6, b6, whose ring is open at b5.
    assert position.points == (3, 3)
    assert position.outcome is not None
    assert position.outcome.ranks == (1, 1)


def test_at_the_end_a_segment_counts_each_though_the_tile_is_the_same() -> None:
    # Both planets of the p2ox on a1 belong to the column, which is open at one p3.
    column = ", ".join(f"a{row}@0 p2o" for row in range(3, 10))
    position = at(f"a1@0 p2ox, a2@1 p3, {column}", bag="", ships={"a5": (RED, 0)})
    assert play(position, "pass").points == (10, 0)


def test_at_the_end_an_engineer_gives_one_and_one_for_each_filled_cell() -> None:
    position = at("a1@0 st, i9@0 st, b2@0 st", bag="", ships={"a1": (RED, 0), "b2": (YELLOW, 0)})
    after = play(position, "pass")
    assert after.points == (3, 2)
    assert after.news == (
        "red takes 3 for the unfinished station at a1",
        "yellow takes 2 for the unfinished station at b2",
    )


def test_equal_most_at_the_end_each_take_all() -> None:
    position = at("a1@1 ws, b1@1 ws", bag="", ships={"a1": (RED, 0), "b1": (YELLOW, 0)})
    assert play(position, "pass").points == (2, 2)


# Turns and resigning.


def test_seats_draw_in_turn() -> None:
    position = GAME.setup(3)
    order: list[int] = []
    for _ in range(4):
        position = play(position, "hole")
        order += position.to_move
        position = play(position, "pass")
    assert order == [0, 1, 2, 0]
    assert position.turn == 4


def test_who_resigns_leaves_the_board_and_the_draw_to_the_next() -> None:
    position = at(
        "e5@0 p1ws, a1@1 ws",
        "p1^",
        corner="sw",
        pools=(5, 5, 5),
        points=(9, 0, 1),
        ships={"e5": (RED, 1), "a1": (BLUE, 0)},
    )
    after = position.resign(RED)
    assert after.to_move == {YELLOW}
    assert (after.drawn, after.corner, after.bag) == (
        position.drawn,
        position.corner,
        position.bag,
    )
    assert after.turn == position.turn + 1
    assert ships(after) == {"a1": (BLUE, 0)}
    assert {move[3] for move in after.legal_moves(YELLOW)} == {"2"}
    later = play(play(after, "a9@2"), "st")
    assert later.to_move == {BLUE}
    assert play(play(later, "c3@0"), "st").to_move == {YELLOW}


def test_a_feature_of_who_resigned_is_free() -> None:
    position = at("a1@1 ws", "ws", pools=(5, 5, 5), points=(0, 0, 0), ships={"a1": (BLUE, 0)})
    assert "b1@1/cargo:e" not in moves(position)
    after = position.resign(BLUE)
    assert after.to_move == {RED}
    assert after.turn == position.turn
    assert "b1@1/cargo:e" in after.legal_moves(RED)


def test_the_last_seat_left_wins_at_once_without_final_scoring() -> None:
    position = at(
        "a1@0 st, b1@0 st",
        "p1",
        pools=(5, 5, 5),
        points=(9, 0, 3),
        ships={"a1": (RED, 0), "b1": (BLUE, 0)},
    )
    after = position.resign(RED).resign(BLUE)
    assert after.to_move == frozenset()
    assert after.points == (9, 0, 3)
    assert after.outcome == Outcome((3, 1, 2), "yellow is the last seat left")
    with pytest.raises(IllegalMove):
        after.resign(YELLOW)
    with pytest.raises(IllegalMove):
        position.resign(RED).resign(RED)


def test_the_black_hole_stays_when_its_seat_resigns() -> None:
    position = at("e5@0 p1ws", pools=(5, 5, 5), points=(0, 0, 0)).resign(RED)
    assert set(position.legal_moves(YELLOW)) == {"pass"}


def test_who_resigned_ranks_below_all_who_stayed_whatever_the_points() -> None:
    position = (
        at("e5@0 p1ws", bag="", pools=(5, 5, 5, 5), points=(30, 2, 7, 40), mover=RED)
        .resign(3)
        .resign(RED)
    )
    after = play(position, "pass")
    assert after.outcome is not None
    assert after.outcome.ranks == (3, 2, 1, 4)


# Typed text.


@pytest.mark.parametrize(
    ("drawn", "text", "move"),
    [
        ("p3w", "a1@1", "a1@1"),
        ("p3w", " A1 @ 1. ", "a1@1"),
        ("p3w", "a1 1", "a1@1"),
        ("p3w", "a1@1/battleship:s", "a1@1/battleship:n"),
        ("p3w", "a1@1 b e", "a1@1/battleship:n"),
        ("p3w", "A1@1 B", "a1@1/battleship:n"),
        ("p3w", "a1 1 cargo", "a1@1/cargo:w"),
        ("p3w", "a1@1/c:west", "a1@1/cargo:w"),
        ("p1w3", "a1@0 c s", "a1@0/cargo:s"),
        ("st", "a1", "a1@0"),
        ("st", "a1 e", "a1@0/engineer"),
        ("st", "a1@3 engineer,", "a1@3/engineer"),
        ("p4", "a1/b:w", "a1@0/battleship:n"),
        ("ws", "f5 c", "f5@1/cargo:e"),
        ("p2ox", "e6", "e6@0"),
    ],
)
def test_typed_placements(drawn: str, text: str, move: str) -> None:
    assert play_text(at("e5@0 p1ws", drawn), text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("remove d1", "remove:d1"),
        ("Remove: D1.", "remove:d1"),
        ("exchange:e5@2,a1@0", "exchange:a1@0,e5@2"),
        ("Exchange a1@0, e5@2", "exchange:a1@0,e5@2"),
        ("exchange a1 0 e5 2", "exchange:a1@0,e5@2"),
        ("exchange c3 a1", "exchange:a1@0,c3@0"),
        ("exchange a1@2 e5", "exchange:a1@2,e5@0"),
        (" PASS ", "pass"),
    ],
)
def test_typed_black_hole_moves(text: str, move: str) -> None:
    # a1 and c3 hold tiles whose rotations look alike.
    position = at("e5@0 p1, a1@0 p4, c3@0 w4, d1@0 w4", ships={"d1": (RED, 0)})
    assert play_text(position, text) == move


def test_an_exchange_with_its_comma_is_one_move() -> None:
    position = at("e5@0 p1ws, a1@0 p2a")
    assert position.parse("exchange:a1@0,e5@2,pass", RED) == ("exchange:a1@0,e5@2", "pass")
    assert position.parse("pass, e6@1", RED) == ("pass", "e6@1")
    assert at("e5@0 p1ws", "p4").parse("a1@1 b, c3", RED) == ("a1@1/battleship:n", "c3")


@pytest.mark.parametrize(
    ("drawn", "text", "part"),
    [
        ("p3", "a1", "more than one rotation fits: a1@0, a1@1, a1@2 or a1@3?"),
        ("p2ox", "a1@1 b", "say which edge: a1@1/battleship:e or a1@1/battleship:w?"),
    ],
)
def test_what_could_mean_several_moves_is_asked(drawn: str, text: str, part: str) -> None:
    with pytest.raises(AmbiguousMove) as caught:
        at("e5@0 p1ws", drawn).parse(text, RED)
    assert part in str(caught.value)


def test_an_exchange_that_could_turn_several_ways_is_asked() -> None:
    with pytest.raises(AmbiguousMove, match="more than one rotation fits: exchange:a1@0,e5@0, "):
        at("e5@0 p1, a1@0 p4").parse("exchange a1 e5", RED)


@pytest.mark.parametrize(
    ("drawn", "text", "error", "part"),
    [
        ("p3", "j5@1", InvalidMove, "'j5' is off the board, which runs from a1 to i9"),
        ("p3", "a1@4", InvalidMove, "@4 is not a rotation"),
        ("p3", "e5@0", IllegalMove, "e5 is taken by a p1ws"),
        ("p3", "e6@0", IllegalMove, "the south edge of the p3 is void, but e5 shows it a planet"),
        (
            "p3",
            "f5",
            IllegalMove,
            "a tile with planets on three sides (p3) fits f5 in no rotation: e5 shows it a "
            "wormhole",
        ),
        ("p3", "a1@1/cargo:n", IllegalMove, "a p3 has no wormhole for a cargo"),
        ("st", "a1@1/battleship", IllegalMove, "a st has no planetary system for a battleship"),
        ("p3w", "a1@1/battleship:w", IllegalMove, "the west edge of the p3w is a wormhole"),
        ("p3", "a1@1/battleship:x", InvalidMove, "'x' is no edge: n, e, s or w"),
        ("p3", "a1@1/trader:n", InvalidMove, "'trader' is no role"),
        ("st", "a1@1/engineer:n", InvalidMove, "an engineer takes no edge: a1@1/engineer"),
        ("p3", "hello there", InvalidMove, "'hello there' is not a move; write cell and rotation"),
        ("hole", "hello", InvalidMove, "with a black hole remove:CELL"),
        ("hole", "exchange:e5@0", InvalidMove, "an exchange names two cells"),
        ("hole", "exchange:e5@0,e5@1", IllegalMove, "not e5 twice"),
        ("hole", "exchange:e5@0,a9@1", IllegalMove, "a9 is vacant"),
        ("hole", "exchange:e5@0,z1@1", InvalidMove, "'z1' is off the board"),
        ("hole", "exchange:e5@0,a1@7", InvalidMove, "@7 is not a rotation"),
        ("hole", "remove", IllegalMove, "'remove' is not a move; with a black hole"),
        ("p3", "a1 " * 1000, InvalidMove, "shorter than 1000"),
    ],
)
def test_errors_teach(drawn: str, text: str, error: type[MoveError], part: str) -> None:
    position = at("e5@0 p1ws, a1@0 st" if drawn == "hole" else "e5@0 p1ws", drawn)
    with pytest.raises(error) as caught:
        position.parse(text, RED)
    assert part in str(caught.value)
    with pytest.raises(MoveError):
        position.play(RED, text)


def test_the_arrow_is_named_when_it_points_elsewhere() -> None:
    position = at("e5@0 p1ws", "p3^", corner="se")
    assert refusal(position, "a1@0") == (
        "the arrow must point to se, which it does at @1; @1 fits on a1"
    )
    position = at("e5@0 p1ws", "ws^", corner="ne")
    assert refusal(position, "a1@1") == (
        "an arrow must point to ne, which it does at @0 or @2; @0 or @2 fits on a1"
    )


@pytest.mark.parametrize(
    "text",
    ["A1@1", "a1@1 ", "a1 1", "a1@1/b:n", "a1@1/battleship", "a1@1/battleship:s", "a1@1,"],
)
def test_play_takes_the_canonical_spelling_only(text: str) -> None:
    position = at("e5@0 p1ws", "p3w")
    with pytest.raises(InvalidMove, match="one move, written in full, is a1@1"):
        position.play(RED, text)
    hole = at("e5@0 st, a1@0 st")
    with pytest.raises(InvalidMove, match="is exchange:a1@0,e5@2"):
        hole.play(RED, "exchange:e5@2,a1@0")


def test_only_the_seat_on_the_move_is_read() -> None:
    position = at("e5@0 p1ws", "p3w")
    with pytest.raises(IllegalMove, match="red's turn"):
        position.parse("a1@0", YELLOW)
    assert position.legal_moves(YELLOW) == ()
    with pytest.raises(IllegalMove, match="chance"):
        GAME.setup(2).parse("a1@0", RED)


# Text.


def test_the_examples_of_the_help_work() -> None:
    lines = [line[5:] for line in GAME.info.help.splitlines() if line.startswith("   > ")]
    examples = [re.split(r" {2,}", line)[0] for line in lines]
    assert len(examples) == 15
    tile = at("e5@0 p1ws", "p1ws")
    hole = at("e5@0 p4, a1@0 w4", ships={"a1": (YELLOW, 0)})
    for text in examples:
        position = hole if text.startswith(("remove", "exchange", "pass")) else tile
        assert play(position, text).turn == 8
    assert "c3@0/engineer" in GAME.info.help
    assert play_text(at("e5@0 p1ws", "st"), "c3@0/engineer") == "c3@0/engineer"


def test_the_board_shows_tiles_ships_and_the_last_move() -> None:
    position = play(at("e5@0 p1ws, a1@0 p3w", "w3", ships={"a1": (YELLOW, 0)}), "i9@1/cargo:s")
    lines = position.render(None, ("i9@1/cargo:s",)).split("\n")
    assert lines[0] == lines[28] == "     a     b     c     d     e     f     g     h     i"
    assert lines[1:4] == [
        " " * 51 + "* || *",
        " 9   .     .     .     .     .     .     .     .   ==()   9",
        " " * 51 + "* cR *",
    ]
    assert [line[27:33] for line in lines[13:16]] == ["+ @@ +", "======", "+    +"]
    assert [line[3:9] for line in lines[25:28]] == ["+ @@ +", "@@bY@@", "+ || +"]
    assert all(len(line) <= 78 for line in lines)


def test_the_drawn_tile_is_shown_in_four_rotations() -> None:
    text = at("e5@0 p1ws", "p3^", corner="se").render()
    assert "red has a tile with planets on three sides (p3), with an arrow to se" in " ".join(
        text.split()
    )
    assert "@0 arrow ne       @1 arrow se       @2 arrow sw       @3 arrow nw" in text
    assert "wrong corner      fits 77 cells     wrong corner      wrong corner" in text
    # i1, north of i9 over the border, shows its wormhole to it.
    text = at(without("i9").replace("i1@0 st", "i1@0 stw"), "stw").render()
    assert "fits nowhere      fits nowhere      fits i9           fits nowhere" in text
    text = at(without("b1 d5 h8 i3"), "st").render()
    assert text.count("fits b1 d5 h8 i3") == 4
    text = at(without("a7 b1 d5 h8 i3"), "st").render()
    assert text.count("fits 5 cells") == 4


def test_where_the_tile_lies_beside_another_is_named() -> None:
    text = at("e5@0 p1ws", "st").render()
    assert "beside a tile: @0 e4; @1 e4; @2 e4; @3 e4" in text
    assert "beside a tile" not in at("e5@0 p1ws", "hole").render()


def test_scores_pools_and_tiles_left_are_shown() -> None:
    position = at("e5@0 p1ws", "p3", points=(12, 3), ships={"e5": (YELLOW, 1)}, bag="p4 ws^ hole")
    text = position.render()
    assert "> R red         12      5             0        0           0" in text
    assert "  Y yellow       3      5             0        1           0" in text
    assert "left to draw: 2 tiles, 1 black holes (which: bag); set aside: 77" in text
    assert (
        "resigned" in at("e5@0 p1ws", "p3", left=(1,), pools=(5, 5, 5), points=(0, 0, 0)).render()
    )


def test_points_if_the_game_ended_now_are_shown_while_it_runs() -> None:
    # The cargo of yellow stands in a wormhole of one segment, red's engineer beside two tiles.
    position = at("e5@0 p1ws, e6@0 st", "hole", points=(12, 3), ships={"e5": (YELLOW, 1)})
    manned = at(
        "e5@0 p1ws, e6@0 st", "hole", points=(12, 3), ships={"e5": (YELLOW, 1), "e6": (RED, 0)}
    )
    for each, red in ((position, 12), (manned, 14)):
        rows = [line for line in each.render().split("\n") if line[2:5] in ("R r", "Y y")]
        assert [line[:18].split()[-1] for line in rows] == ["12", "3"]
        assert [line.split()[-1] for line in rows] == [str(red), "4"]
        panel = next(each_one for each_one in each.scene().panels if "ended" in each_one.title)
        assert [entry.count for entry in panel.entries] == [red, 4]
    over = at("e5@0 p1ws", "", points=(12, 3), bag="")
    assert over.outcome is not None
    assert "if it ended now" not in over.render()


@pytest.mark.parametrize(
    ("drawn", "move", "told"),
    [
        ("p1", "e6@2", "e6 now has a tile with a planet on one side"),
        (
            "p1",
            "e6@2/battleship:s",
            "e6 now has a tile with a planet on one side; a battleship at its south edge",
        ),
        ("wc", "f5@0/cargo:s", "f5 now has a curved wormhole; a cargo at its south edge"),
        ("st", "d4@0/engineer", "d4 now has a station; an engineer in it"),
        ("hole", "exchange:e5@0,f5@1", "the tiles on e5 and f5 change places"),
        ("hole", "remove:f5", "yellow's cargo on f5 leaves the board"),
    ],
)
def test_a_move_is_told_in_words(drawn: str, move: str, told: str) -> None:
    board = "e5@0 p1ws" + (", f5@1 ws" if drawn == "hole" else "")
    before = at(board, drawn, ships={"f5": (YELLOW, 0)} if drawn == "hole" else {})
    after = before.play(RED, before.parse(move, RED)[0])
    assert after.news[0] == told


def test_draws_are_described() -> None:
    start = GAME.setup(2)
    assert start.describe(CHANCE, "p2a^") == (
        "red draws a tile with planets on two sides that meet, in one system (p2a), with an arrow"
    )
    assert start.describe(CHANCE, "hole") == "red draws a black hole"
    assert start.describe(CHANCE, "17") == "the clock shows 17: se"
    assert start.describe(RED, "a1@0") == "a1@0"


# All of it.


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_is_what_would_be_found_anew(seed: int) -> None:
    rng = random.Random(seed)
    position = GAME.setup(2 + seed % 5)
    lost = 0
    while position.to_move:
        assert isinstance(position, SpaceTruckinPosition)
        anew = GAME.decode(position.encode())
        assert isinstance(anew, SpaceTruckinPosition)
        assert (anew, anew.patterns, anew.busy) == (position, position.patterns, position.busy)
        for cell, face in enumerate(position.board):
            assert not face or not TILING.clashes(position.board, cell, face)
        total = sum(position.pools) + len(ships(position))
        assert 7 * position.players - lost <= total <= 10 * position.players
        for cell, ship in enumerate(position.ships):
            if ship and position.ship_kind_on(cell) != "s":
                assert not TILING.feature(position.board, cell, ship - 1 & 3).closed
        if position.chance is not None:
            position = position.play(CHANCE, rng.choice(position.chance.outcomes))
            continue
        (seat,) = position.to_move
        move = rng.choice(position.legal_moves(seat))
        lost += move.startswith("remove")
        position = position.play(seat, move)
    assert position.outcome is not None


def test_a_tile_is_read_aloud_in_words() -> None:
    words = at("e5@0 p1ws, e6@2 p2ax", "st").words(0)
    assert "E5: a tile with a planet and a straight wormhole." in words
    assert "two systems turned 2." in words
    assert "(st)" not in words
    assert "has a station." in words

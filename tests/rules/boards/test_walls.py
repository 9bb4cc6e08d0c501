"""Walls between squares, and links between pegs."""

import random

from pbm.rules.boards.peg_links import AROUND, UP, add_link, find_linked, has_link, possible_links
from pbm.rules.boards.walls import wall_set, walls_of


def test_a_board_has_its_walls() -> None:
    board = walls_of(9)
    assert len(board.names) == 128
    assert board.names[:2] == ("a1h", "a1v")
    assert bin(board.clashes[board.number["d4h"]]).count("1") == 4
    assert {
        name
        for name, wall in board.number.items()
        if board.clashes[board.number["d4v"]] >> wall & 1
    } == {"d4v", "d3v", "d5v", "d4h"}


def test_ways_go_round_walls() -> None:
    board = walls_of(5)
    now = wall_set(5, sum(1 << board.number[name] for name in ("a1h", "c1h")))
    start, goal = 1, 0b11111 << 20
    assert board.reaches(start, goal, now.above, now.right)
    # Only the last column is open above row 1.
    over, _ = board.way(start, goal, now.above, now.right)
    assert over & 0b11111 == 1 << 4
    shut = wall_set(5, sum(1 << board.number[name] for name in ("a1h", "c1h", "d1v")))
    assert not board.reaches(start, goal, shut.above, shut.right)


def test_only_a_wall_across_the_way_that_touches_two_things_can_close_it() -> None:
    board, rng, closing = walls_of(5), random.Random(2), 0
    pawns = [(1 << 2, 0b11111 << 20), (1 << 22, 0b11111)]
    for _ in range(400):
        placed = 0
        for wall in rng.sample(range(len(board.names)), 10):
            now = wall_set(5, placed)
            if now.blocked >> wall & 1:
                continue
            above, right = now.above | board.edges[wall][0], now.right | board.edges[wall][1]
            if all(board.reaches(a, b, above, right) for a, b in pawns):
                placed |= 1 << wall
                continue
            closing += 1
            assert (board.ends[wall] & now.posts).bit_count() > 1
            ways = [board.way(a, b, now.above, now.right) for a, b in pawns]
            assert any(
                board.edges[wall][0] & over or board.edges[wall][1] & beside
                for over, beside in ways
            )
    assert closing > 20


def test_links_go_a_knights_move_and_are_kept_once() -> None:
    every = possible_links(6)
    assert len(AROUND) == 2 * len(UP) == 8
    assert len(every[0]) == 2
    assert max(map(len, every)) == 8
    for cell, several in enumerate(every):
        for span in several:
            back = next(s for s in every[span.target] if s.target == cell)
            assert back.place == span.place
            assert set(back.crossing) == set(span.crossing)
    # In the middle of a board each link is crossed by nine others.
    middle = possible_links(12)[5 * 12 + 5]
    assert {len(span.crossing) for span in middle} == {9}


def test_links_join_pegs() -> None:
    links = ["0"] * 36
    first, second = (
        possible_links(6)[0][0],
        next(s for s in possible_links(6)[13] if s.target == 26),
    )
    assert first.target == 13
    add_link(links, first.place)
    add_link(links, second.place)
    assert has_link(links, first.place)
    assert find_linked(links, 26, 6) == {0, 13, 26}
    assert find_linked(links, 7, 6) == {7}

"""Space Cradles, sentence by sentence of docs/rules/spacecradles.md."""

import random
from dataclasses import replace

import pytest

from pbm.games.spacecradles import GAMES, SpaceCradlesPosition
from pbm.games.spacecradles.cells import GRID
from pbm.rules import IllegalMove, InvalidMove, OptionError, Position
from tests.games.turns import legal_set, on_move, play_text, refusal

GAME = GAMES[0]
SEATS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}


def board(
    colours: str,
    pieces: str,
    platforms: tuple[str, ...] = (),
    *,
    seat: int = 0,
    fresh: tuple[int, ...] = (),
) -> SpaceCradlesPosition:
    """A position in the middle of a game: colours by seat (`rg`), pieces as `Re5 rf6 ...`."""
    players = len(colours)
    start = GAME.setup(players, {"colors": ",".join(SEATS[letter] for letter in colours)})
    assert isinstance(start, SpaceCradlesPosition)
    cells = [" " if name not in GRID.number else "." for name in GRID.names]
    for word in pieces.split():
        cells[GRID.number[word[1:]]] = word[0]
    return replace(
        start,
        board="".join(cells),
        platforms=platforms or ("",) * players,
        seat=seat,
        begun=frozenset(range(players)).difference(fresh),
    )


def marks_after(position: Position, move: str) -> set[tuple[str, ...]]:
    """The role of each mark of a move, with its places."""
    return {(mark.role, *mark.places) for mark in position.scene(None, (move,)).marks}


def pieces(position: Position) -> set[str]:
    assert isinstance(position, SpaceCradlesPosition)
    return {
        piece + GRID.names[cell] for cell, piece in enumerate(position.board) if piece not in " ."
    }


def cells(names: str) -> set[str]:
    return set(names.split())


def targets(position: Position, source: str) -> set[str]:
    return {move.split("-")[1] for move in legal_set(position) if move.split("-")[0] == source}


# Board and set-up


def test_the_board_is_a_cross_of_eighty_cells() -> None:
    assert len(GRID.number) == 80
    for name in ("a5", "d8", "e1", "h12", "l5", "f7"):
        assert name in GRID.number
    for name in ("a4", "d9", "i4", "l12", "d4", "a1"):
        assert name not in GRID.number


@pytest.mark.parametrize(
    ("players", "colours"),
    [(2, "red green"), (3, "red yellow green"), (4, "red yellow green blue")],
)
def test_each_colour_begins_with_four_drones_and_a_mothership(players: int, colours: str) -> None:
    start = GAME.setup(players)
    assert start.seat_names == tuple(colours.split()) == GAME.info.seats[players]
    back = {
        "red": "re12 rf12 rg12 rh12",
        "yellow": "yl5 yl6 yl7 yl8",
        "green": "ge1 gf1 gg1 gh1",
        "blue": "ba5 ba6 ba7 ba8",
    }
    assert pieces(start) == {piece for colour in colours.split() for piece in back[colour].split()}
    assert isinstance(start, SpaceCradlesPosition)
    assert start.platforms == ("m",) * players
    assert start.to_move == {0}


def test_colours_are_given_in_seat_order() -> None:
    start = GAME.setup(2, {"colors": "Blue, YELLOW"})
    assert start.seat_names == ("blue", "yellow")
    assert "ba5" in pieces(start)
    assert not any(piece[0] in "rg" for piece in pieces(start))


@pytest.mark.parametrize(
    ("players", "colours", "reason"),
    [
        (2, "red,pink", "-colors takes red, yellow, green and blue, not 'pink'"),
        (2, "red,gr", "-colors takes red, yellow, green and blue, not 'gr'"),
        (2, "", "-colors takes red, yellow, green and blue, not ''"),
        (2, "red,red", "-colors names red twice, each seat has a colour of its own"),
        (3, "red,blue", "-colors needs a colour for each of 3 seats, not 2"),
        (2, "red,blue,green", "-colors needs a colour for each of 2 seats, not 3"),
    ],
)
def test_wrong_colours_are_refused(players: int, colours: str, reason: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.setup(players, {"colors": colours})
    assert str(caught.value) == reason


def test_seat_0_begins_and_turns_go_clockwise_by_colour() -> None:
    position = GAME.setup(4, {"colors": "green,red,blue,yellow"})
    order = []
    for text in ("e1-e2", "a5-b5", "e12-e11", "l5-k5", "m-e1"):
        order.append(on_move(position))
        position = play_text(position, text)
    assert order == [0, 2, 1, 3, 0]
    assert position.turn == 5


# Moving


def test_a_mothership_steps_to_eight_neighbours() -> None:
    position = board("rg", "Rf6 Ge1")
    assert targets(position, "f6") == cells("e5 f5 g5 e6 g6 e7 f7 g7")


def test_steps_round_an_inner_corner_are_steps() -> None:
    position = board("rg", "Re12 re4 Gh1")
    assert targets(position, "e4") == cells("d5 e5 f5 f4 f3 e3")
    assert "d5" in targets(position, "e4")
    assert play_text(position, "e4-d5").to_move == {1}


def test_a_drone_teleports_in_the_region_of_its_mothership() -> None:
    position = board("rg", "Re9 rf10 re8 Ga8 gh12")
    region = {f"{column}{row}" for column in "efgh" for row in (9, 10, 11, 12)}
    assert targets(position, "f10") == region - {"e9", "f10", "h12"}
    assert targets(position, "e8") == cells("d8 f8 d7 e7 f7 f9")  # not the same region
    assert len(legal_set(position)) == len(
        position.legal_moves(0)
    )  # a step and teleport is one move


def test_no_teleport_while_the_mothership_is_on_the_platform() -> None:
    position = board("rg", "re12 rf12 rg12 rh12 re9 Ga8", ("m", ""))
    assert targets(position, "e9") == cells("d8 e8 f8 e10 f10 f9")
    assert "mothership is on its platform" in refusal(position, "e9-h11")


def test_an_x_may_stand_for_the_dash() -> None:
    position = GAME.setup(2, {})
    assert position.parse("f12xf11, m x h11", 0) == ("f12-f11", "m x h11")


def test_a_drone_does_not_bump_its_own_colour_a_mothership_does() -> None:
    position = board("rg", "Rf6 rg6 rf7 Ge1")
    assert "f7" not in targets(position, "g6")
    assert "f6" not in targets(position, "g6")
    assert {"g6", "f7"} <= targets(position, "f6")
    assert pieces(play_text(position, "f6-g6")) == {"Rg6", "rl6", "rf7", "Ge1"}


# Bumping


def test_a_bumped_piece_slides_to_the_edge() -> None:
    after = play_text(board("rg", "Re5 re6 gf6 Ge1"), "e6-f6")
    assert pieces(after) == {"Re5", "rf6", "gl6", "Ge1"}
    assert after.news == ("green's drone on f6 slides east to l6",)
    assert marks_after(after, "e6-f6") == {
        ("last", "e6"),
        ("last", "f6"),
        ("last", "l6"),
        ("slide", "f6", "l6"),
    }


def test_it_slides_diagonally_and_round_an_inner_corner() -> None:
    after = play_text(board("rg", "Rf3 ge4 Gh1"), "f3-e4")
    assert pieces(after) == {"Re4", "ga8", "Gh1"}


def test_a_piece_at_the_edge_is_taken() -> None:
    after = play_text(board("rg", "Re5 rb6 ga6 Ge1"), "b6-a6")
    assert pieces(after) == {"Re5", "ra6", "Ge1"}
    assert after.news == (
        "green's drone on a6 stands at the edge and is taken",
        "green's drone returns to its platform",
    )
    assert ("taken", "a6") in marks_after(after, "b6-a6")
    assert legal_set(after) == {"d-f1", "d-g1", "d-h1"}


def test_a_collision_takes_both_whatever_their_colours() -> None:
    after = play_text(board("rgb", "Re5 re6 gf6 rj6 Ge1 Ba5"), "e6-f6")
    assert pieces(after) == {"Re5", "rf6", "Ge1", "Ba5"}
    assert isinstance(after, SpaceCradlesPosition)
    assert after.platforms == ("d", "d", "")


def test_a_piece_bumped_straight_into_a_neighbour_takes_both() -> None:
    after = play_text(board("rgb", "Re5 re6 gf6 bg6 Ge1 Ba5"), "e6-f6")
    assert pieces(after) == {"Re5", "rf6", "Ge1", "Ba5"}
    assert isinstance(after, SpaceCradlesPosition)
    assert after.platforms == ("", "d", "d")


def test_the_decisive_blow_is_told_and_shown_where_it_falls() -> None:
    hit = play_text(board("gr", "Ge4 re5 Re12"), "e4-e5")
    assert hit.outcome is not None
    assert hit.news[0] == (
        "red's drone on e5 slides north to e11 and hits red's mothership on e12: both are taken"
    )
    assert {("taken", "e12"), ("slide", "e5", "e12")} <= marks_after(hit, "e4-e5")
    lines = hit.render(None, ("e4-e5",)).splitlines()
    assert next(line for line in lines if line.split()[:1] == ["12"]).split()[1] == "*"
    assert "mothership from e4 to e5. Taken: e12. Slides: e5 to e12." in hit.words(None, ("e4-e5",))


def test_a_stored_position_shows_the_blow_by_the_news_of_the_log() -> None:
    hit = play_text(board("gr", "Ge4 re5 Re12"), "e4-e5")
    stored = GAME.decode(hit.encode())
    assert stored.scene(None, ("e4-e5",)) != hit.scene(None, ("e4-e5",))
    assert stored.told(hit.news).scene(None, ("e4-e5",)) == hit.scene(None, ("e4-e5",))


# Taken pieces


def test_a_taken_mothership_eliminates_its_owner_and_leaves_its_drones() -> None:
    after = play_text(board("ryg", "Rg1 rk7 Yl8 yl6 gd5 Ga8", ("", "dd", "")), "k7-l8")
    assert pieces(after) == {"Rg1", "rl8", "yl6", "gd5", "Ga8"}
    assert after.playing == {0, 2}
    assert after.to_move == {2}
    assert isinstance(after, SpaceCradlesPosition)
    assert after.platforms == ("", "", "")
    assert after.news == (
        "yellow's mothership on l8 stands at the edge and is taken",
        "yellow is out",
    )


def test_an_eliminated_owners_drone_can_be_bumped_and_leaves_the_game() -> None:
    position = board("ryg", "Rg1 ya6 rb6 Ga8").resign(1)
    after = play_text(position, "b6-a6")
    assert "ra6" in pieces(after)
    assert isinstance(after, SpaceCradlesPosition)
    assert after.platforms == ("", "", "")
    assert after.news == (
        "yellow's drone on a6 stands at the edge and is taken",
        "yellow's drone leaves the game",
    )


def test_a_drone_taken_with_its_mothership_does_not_return() -> None:
    after = play_text(board("ryg", "Rg1 re6 yf6 Yg6 Ga8"), "e6-f6")
    assert isinstance(after, SpaceCradlesPosition)
    assert after.platforms == ("", "", "")
    assert pieces(after) == {"Rg1", "rf6", "Ga8"}
    assert after.playing == {0, 2}


def test_the_last_seat_wins() -> None:
    end = play_text(board("rg", "Rb7 Ga8"), "b7-a8")
    assert end.outcome is not None
    assert end.outcome.ranks == (1, 2)
    assert end.to_move == frozenset()
    assert end.legal_moves(0) == ()


def test_ranks_follow_the_order_of_elimination() -> None:
    position = play_text(board("ryg", "Rb7 rk7 Yl8 Ga8"), "k7-l8")
    end = play_text(play_text(position, "a8-a7"), "b7-a7")
    assert end.outcome is not None
    assert end.outcome.ranks == (1, 3, 2)


def test_eliminated_together_is_equal() -> None:
    after = play_text(board("rygb", "Rg1 re6 Yf6 Gg6 Ba8"), "e6-f6")
    assert after.to_move == {3}
    end = after.resign(0)
    assert end.outcome is not None
    assert end.outcome.ranks == (2, 3, 3, 1)


def test_nobody_left_is_a_tie_of_those_eliminated_by_the_move() -> None:
    tie = play_text(board("ryg", "re6 Gf6 Rg6 Yl5").resign(1), "e6-f6")
    assert tie.outcome is not None
    assert tie.outcome.ranks == (1, 3, 1)


def test_who_takes_the_own_mothership_is_out() -> None:
    after = play_text(board("rg", "re6 gf6 Rg6 Ge1"), "e6-f6")
    assert after.outcome is not None
    assert after.outcome.ranks == (2, 1)


# The platform


def test_a_piece_must_come_in_while_there_is_room() -> None:
    position = board("rg", "re12 rf12 Ge1", ("md", ""))
    assert legal_set(position) == {"m-g12", "m-h12", "d-g12", "d-h12"}
    assert refusal(position, "e12-e11") == (
        "e12-e11: red must bring in a piece from its platform first: m-g12, m-h12, d-g12 or d-h12"
    )
    after = play_text(position, "drone h12")
    assert "rh12" in pieces(after)
    assert after.to_move == {1}  # one piece a turn
    assert isinstance(after, SpaceCradlesPosition)
    assert after.platforms == ("m", "")


def test_with_a_full_back_rank_the_board_is_played() -> None:
    position = board("rg", "re12 gf12 rg12 rh12 Ge1", ("m", ""))
    assert not any(move.startswith("m-") for move in legal_set(position))
    assert "e12-e11" in legal_set(position)
    assert refusal(position, "m-f12") == "m-f12: green's drone is on f12"


def test_the_position_at_the_moment_of_the_move_counts() -> None:
    position = board("rgb", "re12 Gf12 rg12 rh12 Ba5", ("m", "", ""))
    assert "m-f12" not in legal_set(position)
    assert legal_set(position.resign(1)) == {"m-f12"}


# The first turn


def test_the_first_turn_may_bring_in_the_mothership() -> None:
    position = GAME.setup(2).play(0, "f12-f11")
    assert position.to_move == {0}
    assert position.turn == 0
    assert legal_set(position) == {"m-f12", "end"}
    assert position.play(0, "m-f12").to_move == {1}
    assert "Rf12" in pieces(position.play(0, "m-f12"))
    assert position.play(0, "end").to_move == {1}
    assert position.play(0, "end").turn == 1


def test_typed_text_ends_the_first_turn_by_itself() -> None:
    start = GAME.setup(2)
    assert start.parse("f12-f11", 0) == ("f12-f11", "end")
    assert start.parse(" F12 - f11. ", 0) == ("f12-f11", "end")
    assert start.parse("f12-f11,m-f12", 0) == ("f12-f11", "m-f12")
    assert start.parse("f12-f11 , end", 0) == ("f12-f11", "end")
    assert play_text(start, "f12-f11").to_move == {1}


def test_a_later_turn_ends_with_its_move() -> None:
    position = play_text(play_text(GAME.setup(2), "f12-f11,m-f12"), "f1-f2")
    assert position.parse("f11-f10", 0) == ("f11-f10", "")
    assert play_text(position, "f11-f10").to_move == {1}


def test_a_first_turn_without_room_or_with_an_entry_ends_at_once() -> None:
    crowded = board("rg", "gf12 re12 rg12 rh12 re11 Gh1", ("m", "m"), fresh=(0, 1))
    assert play_text(crowded, "e11-e10").to_move == {1}
    robbed = board("rg", "re12 rg12 rh12 Gh1", ("md", ""), fresh=(0,))
    assert legal_set(robbed) == {"m-f12", "d-f12"}
    assert robbed.play(0, "d-f12").to_move == {1}
    assert robbed.parse("d-f12", 0) == ("d-f12", "")


def test_only_the_mothership_may_follow() -> None:
    position = board("rg", "re12 rf12 rg12 rh12 Gh1", ("md", ""), fresh=(0,)).play(0, "f12-f11")
    reason = "after its first move red may only bring in its mothership, or end"
    assert refusal(position, "d-f12") == f"d-f12: {reason}"
    assert refusal(position, "e12-e11") == f"e12-e11: {reason}"


def test_a_first_move_that_ends_the_game_leaves_nothing_open() -> None:
    start = board("rg", "re12 rf12 rg12 rh12 rb7 Ga8", ("m", ""), fresh=(0,))
    won = play_text(start, "b7-a8")
    assert won.outcome is not None
    assert won.outcome.ranks == (1, 2)
    assert won.to_move == frozenset()
    crossed = board("rg", "re12 rf12 rg12 rb7 Ga8", ("m", ""), fresh=(0,))
    assert legal_set(crossed) == {"m-h12"}


# Skipped seats


FULL = "ge12 gf12 gg12 gh12"


def test_a_seat_without_a_legal_move_is_skipped() -> None:
    position = board("rg", f"{FULL} Ge5", ("m", ""), seat=1)
    after = play_text(position, "e5-e6")
    assert after.to_move == {1}
    assert after.turn == 1
    assert after.news == ("red has no legal move and is skipped",)


def test_if_nobody_can_move_those_left_tie() -> None:
    ring = "ye12 yf12 yg12 yh12 ye1 yf1 yg1 yh1"
    position = board("rgy", f"{ring} Yl5", ("m", "m", ""), seat=2)
    after = position.resign(2)
    assert after.outcome is not None
    assert after.outcome.ranks == (1, 1, 3)
    assert after.outcome.reason == "nobody left has a legal move"


# Notation


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a1-b2", "a1-b2: a1 does not exist, the board is a cross"),
        ("e9-d9", "e9-d9: d9 does not exist, the board is a cross"),
        ("m12-l5", "'m12-l5': 'm12' is not on the board, columns a to l and rows 1 to 12"),
        ("m-e13", "'m-e13': 'e13' is not on the board, columns a to l and rows 1 to 12"),
        ("end", "end: a turn is one move here, there is no passing"),
        ("m-e9", "m-e9: red does not have its mothership on its platform"),
        ("d-e9", "d-e9: red does not have a drone on its platform"),
        ("f6-f7", "f6-f7: f6 is vacant"),
        ("h12-h11", "h12-h11: green's drone is on h12, it is red's turn"),
        ("e9-e9", "e9-e9: the piece would stay where it is"),
        ("e9-e11", "e9-e11: a mothership moves one cell, to any of the eight around it"),
        ("f10-e9", "f10-e9: a drone may not bump its own colour, red's mothership is on e9"),
        ("f10-h12", "f10-h12: a teleport never bumps, green's drone is on h12"),
        (
            "f10-f8",
            "f10-f8: a teleport stays in its region, f8 is in the centre, not in the north",
        ),
        (
            "e8-h8",
            "e8-h8: that is no step, and a drone teleports only in its mothership's region: "
            "the mothership on e9 is in the north, the drone in the centre",
        ),
    ],
)
def test_a_refusal_says_why(move: str, reason: str) -> None:
    position = board("rg", "Re9 rf10 re8 Ga8 gh12")
    assert refusal(position, move) == reason


@pytest.mark.parametrize("text", ["", "pass", "f12", "f12-", "-f11", "f12-f11x", "?", "x-e1"])
def test_what_is_not_notation_is_invalid(text: str) -> None:
    with pytest.raises(InvalidMove, match="write f12-f11, m-f12, d-f12 or end"):
        GAME.setup(2).parse(text, 0)


def test_play_takes_canonical_moves_only() -> None:
    for move in ("F12-f11", " f12-f11", "f12-f11 ", "f12-f11\n", "f12-f11,end", "f012-f11"):
        refusal(GAME.setup(2), move)


def test_the_pieces_off_the_back_rank_are_named() -> None:
    position = board("rg", "Ge1", ("m", ""))
    expected = "m-e11: red's pieces come in on its back rank e12-h12, not on e11"
    assert refusal(position, "m-e11") == expected
    assert "red does not have a drone" in refusal(position, "d-e12")


@pytest.mark.parametrize("text", ["\u00e9\n" + "a" * 100_000, "e12" + " " * 100_000 + "?"])
def test_hostile_text_is_repeated_safely(text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.setup(2).parse(text, 0)
    assert len(str(caught.value)) < 120
    assert str(caught.value).isprintable()


def test_what_is_left_is_handed_back() -> None:
    position = play_text(play_text(GAME.setup(2), "f12-f11,m-f12"), "f1-f2")
    assert position.parse("f11-f10,f10-f9", 0) == ("f11-f10", "f10-f9")


# Resigning


def test_resigning_removes_the_mothership_and_empties_the_platform() -> None:
    position = board("ryg", "Rg1 Yl8 yl6 Ga8", ("", "d", ""))
    after = position.resign(1)
    assert pieces(after) == {"Rg1", "yl6", "Ga8"}
    assert after.to_move == {0}
    assert isinstance(after, SpaceCradlesPosition)
    assert after.platforms == ("", "", "")
    with pytest.raises(IllegalMove):
        after.resign(1)


def test_resigning_on_the_move_passes_the_turn_on() -> None:
    position = GAME.setup(3).play(0, "e12-e11")
    after = position.resign(0)
    assert after.to_move == {1}
    assert after.turn == 1
    assert "l5-k5" in legal_set(after)


def test_another_seats_resignation_leaves_an_open_turn_open() -> None:
    after = GAME.setup(3).play(0, "e12-e11").resign(1)
    assert legal_set(after) == {"m-e12", "end"}
    assert after.play(0, "end").to_move == {2}


def test_after_resignations_the_last_seat_left_wins() -> None:
    end = GAME.setup(3).resign(2).resign(0)
    assert end.outcome is not None
    assert end.outcome.ranks == (2, 1, 3)


# Repetition


def test_the_key_repeats_with_the_position_and_the_seat() -> None:
    position = board("rg", "Re9 Ga8")
    again = position
    for text in ("e9-e10", "a8-a7", "e10-e9", "a7-a8"):
        again = play_text(again, text)
        assert (again.key == position.key) == (text == "a7-a8")
    assert again.turn == 4


def test_the_key_knows_platforms_and_the_first_turn() -> None:
    position = board("rg", "Re9 re12 Ga8")
    assert position.key != board("rg", "Re9 re12 Ga8", ("d", "")).key
    assert position.key != board("rg", "Re9 re12 Ga8", fresh=(0,)).key


# What people see


def test_the_picture_shows_board_and_platforms() -> None:
    lines = GAME.setup(3).render().split("\n")
    assert " ".join(lines[1].split()) == "12 r r r r 12"
    assert " ".join(lines[5].split()) == "8 . . . . : : : : . . . y 8"
    assert lines[0] == lines[13]
    assert "> red    north  platform  R" in lines
    assert "  yellow east   platform  Y" in lines


def test_the_centre_is_seen_between_the_arms() -> None:
    position = GAME.setup(2).play(0, "e12-e11").play(0, "m-e12")
    lines = position.render().split("\n")
    colons = [[at for at, sign in enumerate(line) if sign == ":"] for line in lines[:14]]
    columns = [lines[0].index(letter) for letter in "efgh"]
    assert colons == [[]] * 5 + [columns] * 4 + [[]] * 5
    assert "  small letters drones, capitals motherships, : the centre" in lines


def test_the_last_move_is_marked() -> None:
    position = GAME.setup(2).play(0, "e12-e11").play(0, "m-e12")
    text = position.render(None, ("e12-e11", "m-e12"))
    assert "[R]" in text
    assert "[r]" in text
    assert "[" not in position.render()


def test_the_examples_of_the_help_can_be_played() -> None:
    position = GAME.setup(2)
    examples = [line[4:] for line in GAME.info.help.splitlines() if line.startswith("  > ")]
    assert len(examples) == 5
    for example in examples:
        position = play_text(position, example)
    assert position.turn == 5
    assert "rh8" in pieces(position)


# Invariants


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_plays_has_four_drones_and_a_mothership(players: int) -> None:
    rng = random.Random(players)
    for _ in range(4):
        position: Position = GAME.setup(players)
        for _ in range(150):
            if not position.to_move:
                break
            seat = on_move(position)
            position = position.play(seat, rng.choice(list(position.legal_moves(seat))))
            assert isinstance(position, SpaceCradlesPosition)
            for owner in position.playing:
                letter, platform = position.seat_names[owner][0], position.platforms[owner]
                assert position.board.count(letter) + platform.count("d") == 4
                assert position.board.count(letter.upper()) + platform.count("m") == 1
            for owner in set(range(players)) - position.playing:
                assert position.seat_names[owner][0].upper() not in position.board
                assert position.platforms[owner] == ""

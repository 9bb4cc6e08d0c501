"""Battleship: placing, shots, salvoes, fleets, endings, and who learns what."""

import random
import re
from dataclasses import replace

import pytest

from pbm.games import get_game
from pbm.games.battleship import BattleshipPosition
from pbm.games.battleship.battleship_state import FLEETS
from pbm.rules import MoveError, OptionError, Position, Value
from tools.games.hiding import compare

NORTH, SOUTH = 0, 1
USUAL = "a1-a5 c1-c4 e1-e3 g1-g3 i1-i2"
SHORT = "a1-a4 c1-c3 e1-e2"


def typed(position: Position, seat: int, text: str) -> BattleshipPosition:
    """The position after typed moves of one seat."""
    while text:
        move, text = position.parse(text, seat)
        position = position.play(seat, move)
    assert isinstance(position, BattleshipPosition)
    return position


def sailing(north: str = USUAL, south: str = USUAL, **options: Value) -> BattleshipPosition:
    """A game in which both fleets have been placed."""
    start = get_game("battleship").setup(2, options)
    return typed(typed(start, NORTH, north), SOUTH, south)


def shot(position: BattleshipPosition, text: str) -> BattleshipPosition:
    """The position after shots, each of whoever is on the move."""
    for word in text.split():
        position = typed(position, position.side, word)
    return position


def refusal(position: Position, text: str, seat: int = NORTH) -> str:
    """Why typed moves are refused."""
    with pytest.raises(MoveError) as caught:
        typed(position, seat, text)
    return str(caught.value)


# Placing


def test_both_place_at_the_same_time_in_any_order() -> None:
    start = get_game("battleship").setup()
    assert start.to_move == {NORTH, SOUTH}
    north = typed(start, NORTH, USUAL)
    assert north.to_move == {SOUTH}
    assert north.turn == 0
    assert typed(north, SOUTH, USUAL) == sailing()
    assert typed(typed(start, SOUTH, USUAL), NORTH, USUAL) == sailing()
    assert sailing().news == ("both fleets are at sea, north shoots first",)
    assert (sailing().to_move, sailing().turn) == (frozenset({NORTH}), 1)


def test_every_place_of_a_ship_is_listed() -> None:
    start = get_game("battleship").setup()
    assert len(start.legal_moves(NORTH)) == 2 * 10 * 6
    after = typed(start, NORTH, "a1-a5")
    # Of the 140 places of a battleship ten cross a1 to a5: five along the rows, and upward those
    # that begin at a1 to a5.
    assert len(after.legal_moves(NORTH)) == 140 - 10
    assert len(after.legal_moves(SOUTH)) == 120


@pytest.mark.parametrize(
    "text", ["a1-a5", "A5-A1", "carrier a1-a5", "Carrier: a1 a5", "a1a5", "a1 to a5", "a1 - a5"]
)
def test_a_place_is_typed_in_many_ways(text: str) -> None:
    assert get_game("battleship").setup().parse(text, SOUTH) == ("a1-a5", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a1-a4", "a1-a4 does not fit: for the carrier (5 cells) name both ends, such as a1-a5"),
        ("a1-e5", "a1-e5 does not fit"),
        ("g1-k1", "k1 is not on the board"),
        ("cruiser a1-a3", "the carrier comes next"),
        ("b7", "'b7' is not a place for a ship"),
        ("a1-a5 a5-d5", "a5-d5: your carrier lies there, a1-a5"),
        ("", "not a place for a ship"),
    ],
)
def test_a_wrong_place_is_refused(text: str, reason: str) -> None:
    position = get_game("battleship").setup()
    if not text:
        with pytest.raises(MoveError, match=reason):
            position.parse(text, NORTH)
    else:
        assert reason in refusal(position, text)


def test_only_the_canonical_spelling_is_a_move() -> None:
    with pytest.raises(MoveError, match="'a5-a1' is written a1-a5"):
        get_game("battleship").setup().play(NORTH, "a5-a1")


def test_ships_that_may_not_touch() -> None:
    apart = typed(get_game("battleship").setup(2, {"apart": True}), NORTH, "a1-a5")
    for text in ("b1-b4", "b6-e6", "a6-d6"):
        assert "it would touch another ship" in refusal(apart, text)
    typed(apart, NORTH, "c6-f6 c1-c3")
    with pytest.raises(OptionError, match="-apart needs a size of 10 or more"):
        get_game("battleship").setup(2, {"apart": True, "size": 9})


@pytest.mark.parametrize("fleet", list(FLEETS))
def test_ships_that_may_not_touch_never_leave_the_next_without_a_place(fleet: str) -> None:
    rng = random.Random(3)
    for _ in range(40):
        position = get_game("battleship").setup(2, {"apart": True, "fleet": fleet})
        while NORTH in position.to_move:
            moves = position.legal_moves(NORTH)
            position = position.play(NORTH, rng.choice(moves))


# Shooting


def test_a_shot_hits_misses_and_sinks() -> None:
    position = shot(sailing(), "a1")
    assert position.news == ("north hits at a1",)
    assert position.to_move == {SOUTH}
    position = shot(position, "j10")
    assert position.news == ("south misses at j10",)
    position = shot(position, "i1 j9 i2")
    assert position.news == ("north hits at i2", "north sinks the destroyer")
    assert "sunk destroyer 2" in position.render(SOUTH)


def test_a_cell_is_shot_at_once() -> None:
    position = shot(sailing(), "b7 b7")
    assert "you have already shot at b7" in refusal(position, "b7")
    assert "k1 is not on the board, which ends at j10" in refusal(position, "k1")
    assert "write a shot as b7" in refusal(position, "carrier")
    assert len(position.legal_moves(NORTH)) == 99


def test_marks_stand_where_the_last_shot_went() -> None:
    position = shot(sailing(), "b7 b7")
    north, south = position.render(None, ("b7",)).split("\n")[5].split("7", 1)[1].split(" 7 ", 1)
    assert "[o]" in north
    assert "[o]" not in south
    assert "[" not in position.render(None)


def test_the_last_ship_that_sinks_ends_the_game_and_all_is_shown() -> None:
    position = sailing(SHORT, SHORT, fleet="short")
    for cell in ("a1", "a2", "a3", "a4", "c1", "c2", "c3", "e1"):
        position = shot(position, f"{cell} {cell.replace('a', 'j').replace('c', 'i')}")
        assert position.outcome is None
        if cell == "e1":
            break
    assert position.shots[SOUTH][-1] == "e1"
    position = shot(position, "e2")
    assert position.outcome is not None
    assert position.outcome.ranks == (1, 2)
    assert position.outcome.reason == "south's fleet is sunk"
    for viewer in (None, NORTH, SOUTH):
        assert "#" in position.render(viewer)
    assert "north sinks the destroyer" in position.news


def test_who_resigns_loses_and_both_fleets_are_shown() -> None:
    position = sailing().resign(NORTH)
    assert position.outcome is not None
    assert (position.outcome.ranks, position.outcome.reason) == ((2, 1), "north resigns")
    assert position.render(None).count("#") == 34
    early = get_game("battleship").setup().resign(SOUTH)
    assert early.outcome is not None
    assert early.outcome.ranks == (1, 2)


# Salvoes


def test_a_salvo_has_a_shot_for_each_ship_afloat_and_is_told_as_one() -> None:
    position = sailing(salvo=True)
    position = shot(position, "i1 i2 b1 b2")
    assert position.to_move == {NORTH}
    assert position.news == ()
    assert "X" not in position.render(NORTH)
    assert position.render(NORTH).count("?") == 4
    assert position.turn == 1
    position = shot(position, "a1")
    assert position.news == (
        "north hits at i1, i2 and a1",
        "north misses at b1 and b2",
        "north sinks the destroyer",
    )
    assert (position.side, position.left, position.turn) == (SOUTH, 4, 2)


def test_nobody_is_told_of_a_salvo_before_its_last_shot() -> None:
    """All that is shown after four shots is the same wherever the other fleet lies."""
    here = shot(sailing(USUAL, USUAL, salvo=True), "a1 a2 a3 a4")
    there = shot(sailing(USUAL, "f1-f5 h1-h4 j1-j3 d1-d3 b1-b2", salvo=True), "a1 a2 a3 a4")
    for viewer in (None, NORTH):
        assert here.render(viewer, ("a3", "a4")) == there.render(viewer, ("a3", "a4"))
    assert here.to_move == there.to_move
    assert here.outcome is None


def test_a_salvo_that_sinks_the_last_ship_ends_with_its_last_shot() -> None:
    position = sailing(SHORT, SHORT, fleet="short", salvo=True)
    position = shot(position, "a1 a2 a3 j1 j2 j3 a4 c1 c2")
    assert (position.side, position.left) == (SOUTH, 2)
    position = shot(position, "j4 j5 c3 e1 h1 j6 e2")
    assert (position.side, position.left) == (NORTH, 2)
    assert position.outcome is None
    assert shot(position, "h2 h3").outcome is not None


# Who is told what


def test_the_places_of_the_other_are_told_to_nobody_else() -> None:
    start = get_game("battleship").setup()
    assert start.describe(NORTH, "a1-a5", NORTH) == "carrier a1-a5"
    for viewer in (SOUTH, None):
        assert start.describe(NORTH, "a1-a5", viewer) == "carrier (hidden)"
    assert sailing().render(NORTH).count("#") == 17
    assert "#" not in sailing().render(None)


def test_a_board_that_ends_otherwise_is_uncovered() -> None:
    bare = sailing().uncovered()
    assert bare.render(None).count("#") == 34
    assert bare == sailing()
    start = get_game("battleship").setup().uncovered()
    assert start.describe(NORTH, "a1-a5", SOUTH) == "carrier a1-a5"


def test_what_a_seat_is_told_does_not_depend_on_what_it_must_not_know() -> None:
    count, different = compare("battleship", 250)
    assert count >= 250
    assert different >= 5


def test_a_seat_can_tell_its_own_fleets_apart() -> None:
    one, other = sailing(), sailing("a1-a5 c1-c4 e1-e3 g1-g3 i1-j1")
    assert one.render(NORTH) != other.render(NORTH)
    assert one.render(SOUTH) == other.render(SOUTH)
    assert replace(one, winner=0).render(SOUTH) != replace(other, winner=0).render(SOUTH)


def test_the_examples_of_the_help_can_be_played() -> None:
    examples = re.findall(r"^ +> (.+)$", get_game("battleship").info.help, re.MULTILINE)
    assert len(examples) == 5
    start = get_game("battleship").setup()
    for text in examples[:4]:
        typed(start, SOUTH, text)
    shot(sailing(), examples[4])

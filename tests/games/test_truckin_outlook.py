"""What ships promise in Space Truckin', for the bots."""

from pbm.games import get_game
from pbm.games.spacetruckin.table import judge_ships
from tests.games.test_spacetruckin import GAME, RED, YELLOW, at, play

_ALONE = "e5@0 p1ws"
_MANY = "st " * 5 + "wc " * 5 + "ws " * 6 + "p2a " * 3 + "p4 " * 2


def test_the_last_ship_in_the_pool_promises_more_than_one_aboard() -> None:
    aboard = at(_ALONE, ships={"e5": (RED, 0)}, pools=(0, 1), bag=_MANY)
    red, yellow = judge_ships(aboard)
    assert 0 < red < yellow
    assert judge_ships(at(_ALONE, pools=(1, 1), bag=_MANY))[RED] == yellow


def test_the_first_ships_in_the_pool_promise_the_most() -> None:
    none, one, two, three, four = (
        judge_ships(at(_ALONE, pools=(count, 5), bag=_MANY))[RED] for count in range(5)
    )
    assert one - none > two - one > three - two
    assert round(three - two, 9) == round(four - three, 9) > 0


def test_ships_promise_less_when_few_tiles_are_left_and_nothing_at_the_end() -> None:
    early, late = (at(_ALONE, pools=(5, 5), bag=bag) for bag in (_MANY, "st st"))
    assert judge_ships(early)[RED] > judge_ships(late)[RED] > 0
    over = play(at(_ALONE, bag="", points=(3, 5)), "pass")
    assert over.outcome is not None
    assert over.outlook == over.standing == (3.0, 5.0)


def test_what_is_nearly_complete_promises_more() -> None:
    planet = at("e5@0 p1", ships={"e5": (RED, 0)}, bag=_MANY)
    system = at("e5@0 p4", ships={"e5": (RED, 0)}, bag=_MANY)
    assert judge_ships(planet)[RED] > judge_ships(system)[RED]
    assert judge_ships(planet)[YELLOW] == judge_ships(system)[YELLOW]


def test_a_station_in_a_hole_of_the_board_is_nearly_complete() -> None:
    around = ["d4", "e4", "f4", "d5", "f5", "d6", "e6"]
    hemmed = ", ".join(["e5@0 st", *(f"{cell}@0 st" for cell in around)])
    closed, free = (at(board, ships={"e5": (RED, 0)}, bag=_MANY) for board in (hemmed, "e5@0 st"))
    assert judge_ships(closed)[RED] > judge_ships(free)[RED]


def test_the_outlook_is_the_standing_and_what_ships_promise() -> None:
    position = get_game("spacetruckin").setup(3)
    assert position.standing == (0.0, 0.0, 0.0)
    first, *others = position.outlook or ()
    assert first > 0
    assert others == [first, first]
    assert GAME.setup(3).outlook == position.outlook

"""Space Fighters: each sentence of docs/rules/spacefighters.md on hand-made positions, and
parsing."""

import random
import re
from dataclasses import replace

import pytest

from pbm.games.spacefighters import GAMES, SpaceFightersPosition
from pbm.games.spacefighters.battle import (
    BIT,
    CONTROLS,
    DEPLOY,
    FIGHTERS,
    GONE,
    NUMBER,
    SETUP,
    TILES,
    Team,
)
from pbm.rules import CHANCE, IllegalMove, InvalidMove, MoveError, OptionError, Position
from pbm.rules.phrases import join_roll
from tests.games.turns import P, played

(GAME,) = GAMES
RING = ["f6", "f7", "f8", "g6", "g8", "h6", "h7", "h8"]


def mask(names: str) -> int:
    return sum(BIT[NUMBER[name]] for name in names.split())


def team(
    fighters: str = "", controls: str = "", spare: tuple[int, int] = (0, 0), resources: int = 0
) -> Team:
    return Team(mask(fighters), mask(controls), *spare, resources)


def board(
    *teams: Team, dice: tuple[int, ...] = (6, 8), phase: int = DEPLOY, left: tuple[int, ...] = ()
) -> SpaceFightersPosition:
    """Seat 0 is on the move; a second team far away is added where none is given."""
    if len(teams) == 1:
        teams = (*teams, team("", "green"))
    return SpaceFightersPosition(len(teams), 0, 7, phase, dice, teams, left)


def playing(position: P, text: str) -> P:
    """Plays a typed list for whoever is on the move; numbers are dice."""
    while text:
        (seat,) = position.to_move
        if seat == CHANCE:
            outcome, _, text = text.partition(",")
            position = played(position, CHANCE, outcome.strip())
        else:
            move, text = position.parse(text, seat)
            position = played(position, seat, move)
    return position


def test_done_ends_a_turn_and_commas_may_be_missing() -> None:
    position = board(team("c3 e5", "c4"))
    assert position.parse("c3-d3 e5-e6, done", 0) == ("c3-d3", "e5-e6, done")
    assert position.parse("c3 - d3 end turn", 0) == ("c3-d3", "end turn")
    assert position.parse("Done.", 0) == ("end", "")
    with pytest.raises(InvalidMove, match="is no order"):
        position.parse("hello c3-d3", 0)


def moves(position: Position, pattern: str = ".*") -> list[str]:
    """The listed moves of the seat on the move that match, sorted."""
    (seat,) = position.to_move
    return sorted(move for move in position.legal_moves(seat) if re.fullmatch(pattern, move))


def refused(position: Position, move: str, kind: type[MoveError] = IllegalMove) -> str:
    (seat,) = position.to_move
    assert move not in position.legal_moves(seat)
    with pytest.raises(kind) as caught:
        position.play(seat, move)
    return str(caught.value)


# Start and set-up.


def test_two_to_four_teams_by_seat() -> None:
    assert [GAME.setup(n).seat_names for n in (2, 3, 4)] == [
        ("red", "green"),
        ("red", "blue", "green"),
        ("red", "blue", "green", "yellow"),
    ]
    with pytest.raises(OptionError):
        GAME.setup(5)


def test_a_team_starts_with_its_station_two_fighters_in_reserve_and_20_resources() -> None:
    position = GAME.setup(2)
    assert isinstance(position, SpaceFightersPosition)
    assert position.teams == (
        team("", "red", (2, 0), 20),
        team("", "green", (2, 0), 20),
    )


@pytest.mark.parametrize(
    ("seat", "tiles"),
    [
        (0, "a11 b11 c11 c12 c13"),
        (1, "k11 l11 m11 k12 k13"),
        (2, "k1 k2 k3 l3 m3"),
        (3, "c1 c2 a3 b3 c3"),
    ],
)
def test_a_set_up_names_three_of_five_tiles(seat: int, tiles: str) -> None:
    position = GAME.setup(4)
    for _ in range(seat):
        (first,) = position.to_move
        position = position.play(first, moves(position)[0])
    listed = moves(position)
    assert len(listed) == 30
    assert {name for move in listed for name in move.split()[1:]} == set(tiles.split())
    for move in listed:
        one, two, _control = (NUMBER[name] for name in move.split()[1:])
        assert one < two


def test_set_ups_go_in_seat_order_and_then_the_dice_roll() -> None:
    position = GAME.setup(3)
    assert position.to_move == {0}
    position = playing(position, "setup c12 c11 b11")
    assert isinstance(position, SpaceFightersPosition)
    assert position.teams[0] == team("c11 c12", "red b11", (2, 0), 20)
    assert (position.to_move, position.turn) == (frozenset({1}), 1)
    position = playing(position, "k11 l11 m11")
    assert position.to_move == {2}
    position = playing(position, "Setup K1, k2, k3.")
    assert (position.to_move, position.turn) == (frozenset({CHANCE}), 3)
    assert position.chance is not None
    assert position.chance.outcomes == tuple("123456")
    position = position.play(CHANCE, "5")
    assert position.chance is not None
    assert position.chance.outcomes == tuple("12345678")
    assert position.play(CHANCE, "1").to_move == {0}


def test_set_up_refusals() -> None:
    position = GAME.setup(2)
    beside = "the tiles beside your station are a11, b11, c11, c12 and c13"
    assert refused(position, "setup c11 c12 d4") == (
        f"setup c11 c12 d4: d4 is not beside your station; {beside}"
    )
    assert "three different tiles" in refused(position, "setup c11 c11 c12")
    assert "write 'setup c11 c12 b11'" in refused(position, "setup c12 c11 b11", InvalidMove)
    assert "wrong phase: first set up" in refused(position, "end")
    assert "wrong phase: first set up" in refused(position, "c11-c9")
    assert "'n1' is off the board" in refused(position, "setup n1 c11 c12", InvalidMove)
    assert "FIGHTER FIGHTER CONTROLSHIP" in refused(position, "setup c11", InvalidMove)
    assert "the set-up is over" in refused(board(team("c3")), "setup c11 c12 b11")


# Deployment.


def test_a_fighter_is_deployed_beside_a_control_ship_in_space() -> None:
    position = board(team("d6 e6", "d5", (1, 0), 25), team("", "red", (0, 0), 0))
    assert moves(position, "deploy .*") == [
        f"deploy f {tile}" for tile in ("c4", "c5", "c6", "d4", "e4", "e5")
    ]


def test_a_fighter_is_deployed_beside_an_owned_station() -> None:
    position = board(team("", "blue", (1, 0), 0), team("", "red", (0, 0), 0))
    assert moves(position, "deploy .*") == sorted(
        f"deploy f {tile}" for tile in ("k11", "l11", "m11", "k12", "k13")
    )
    position = board(team("", "star", (1, 0), 0), team("", "red", (0, 0), 0))
    assert moves(position, "deploy .*") == [f"deploy f {tile}" for tile in RING]


def test_a_fighter_is_deployed_beside_its_own_station_unless_an_enemy_owns_it() -> None:
    own = [f"deploy f {tile}" for tile in ("a11", "b11", "c11", "c12", "c13")]
    assert moves(board(team("m8", "", (1, 0))), "deploy .*") == own
    assert moves(board(team("m8", "red", (1, 0))), "deploy .*") == own
    assert moves(board(team("m8", "", (1, 0)), team("", "red")), "deploy .*") == []


def test_over_the_wall_only_the_tiles_of_a_door_are_adjacent() -> None:
    position = board(team("", "f9", (1, 0), 0), team("", "red"))
    assert "deploy f e8" in moves(position)
    assert "deploy f f8" not in moves(position)
    assert "deploy f g8" not in moves(position)
    position = board(team("", "g9", (1, 0), 0), team("", "red"))
    assert moves(position, "deploy f .8") == ["deploy f g8"]
    position = board(team("", "f8", (1, 0), 0), team("", "red"))
    assert moves(position, "deploy .*") == ["deploy f f7", "deploy f g8"]


def test_a_control_ship_is_deployed_beside_an_owned_station_or_into_its_own_neutral_one() -> None:
    position = board(team("c1", "yellow d9", (0, 1)), team("", "green"))
    assert moves(position, "deploy .*") == [
        f"deploy c {place}" for place in ("a3", "b3", "c2", "c3", "red")
    ]
    position = board(team("", "star", (0, 1)), team("", "red"))
    assert moves(position, "deploy .*") == [f"deploy c {tile}" for tile in RING]
    position = board(team("d4", "d5", (0, 1)))
    assert moves(position, "deploy .*") == ["deploy c red"]


def test_any_number_of_ships_is_deployed_and_they_may_act() -> None:
    position = playing(board(team("", "red", (2, 1))), "deploy f c13, deploy c c12, deploy f c11")
    assert isinstance(position, SpaceFightersPosition)
    assert position.teams[0] == team("c13 c11", "red c12")
    assert "c13-d13" in moves(position)
    assert "c12-d12" in moves(position)
    assert moves(position, "deploy .*") == []


def test_deployment_refusals() -> None:
    position = board(team("c11", "red", (1, 0)), team("c12", "c13 yellow"))
    assert refused(position, "deploy f c9") == (
        "deploy f c9: c9 is not adjacent to one of your control ships or stations"
    )
    assert "occupied: c12 holds green's fighter" in refused(position, "deploy f c12")
    assert "occupied: c11 holds red's fighter" in refused(position, "deploy f c11")
    assert "fighters never enter" in refused(position, "deploy f red")
    assert "fighters never enter" in refused(position, "deploy f star")
    assert "supply: no control ship is in your reserve" in refused(position, "deploy c b11")
    position = board(team("c11", "d4 red", (0, 1)), team("", "yellow"))
    assert "supply: no fighter is in your reserve" in refused(position, "deploy f b11")
    assert "not adjacent to a station that you own" in refused(position, "deploy c d5")
    assert "into your own station, red" in refused(position, "deploy c blue")
    assert "occupied: red holds red's control ship" in refused(position, "deploy c red")
    after = playing(board(team("c11", "red", (1, 0))), "c11-c10")
    assert "wrong phase: ships are deployed before" in refused(after, "deploy f c11")


# Fighters.


def test_a_fighter_moves_as_many_steps_as_the_die_shows_and_not_diagonally() -> None:
    position = board(team("d3"), dice=(2, 1))
    assert moves(position, "d3.*") == sorted(
        f"d3-{tile}"
        for tile in ["d1", "c2", "d2", "e2", "b3", "c3", "e3", "f3", "c4", "d4", "e4", "d5"]
    )
    assert refused(position, "d3-d9") == "d3-d9 is 6 steps, the fighter die shows 2"
    assert refused(position, "d3-e5") == "d3-e5 is 3 steps, the fighter die shows 2"


def test_a_fighter_passes_over_own_ships_but_not_over_enemies() -> None:
    position = board(team("a6 a5", "a4"), dice=(3, 1))
    assert "a6-a3" in moves(position)
    assert "occupied: a5 holds red's fighter" in refused(position, "a6-a5")
    assert "occupied: a4 holds red's control ship" in refused(position, "a6-a4")
    position = board(team("a6"), team("a5", "green"), dice=(3, 1))
    assert moves(position, "a6.a[1-5]") == ["a6xa5"]
    assert refused(position, "a6-a4") == (
        "a6-a4 is 4 steps round the ships on the way, the fighter die shows 3"
    )
    position = board(team("a3"), team("b3 a4", "green"), dice=(6, 1))
    assert moves(position, "a3.*") == ["a3xa4", "a3xb3"]
    assert "every way is closed" in refused(position, "a3-a5")


def test_walls_turn_fighters_to_the_doors() -> None:
    position = board(team("f8"), dice=(2, 1))
    assert moves(position, "f8.*") == ["f8-e7", "f8-f6", "f8-f7", "f8-g8", "f8-g9", "f8-h8"]
    assert refused(position, "f8-f9") == (
        "f8-f9 is 3 steps round walls and stations, the fighter die shows 2"
    )


def test_fighters_pass_neither_stations_nor_the_star() -> None:
    position = board(team("g8 c13"), dice=(2, 1))
    assert "g8-g6" not in moves(position)
    assert "g8-g6 is 4 steps round walls and stations" in refused(position, "g8-g6")
    assert "fighters never enter" in refused(position, "g8-star")
    assert "fighters never enter" in refused(position, "c13-red")
    assert "c13-a11" not in moves(board(team("c13"), dice=(3, 1)))


def test_a_fighter_moves_once() -> None:
    position = playing(board(team("d3 m8")), "d3-d4")
    assert moves(position, "d4.*") == []
    assert "the fighter on d4 has moved" in refused(position, "d4-d5")
    assert "m8-m9" in moves(position)


def test_a_fighter_may_move_and_then_attack_a_station() -> None:
    position = board(team("d5 d6"), team("", "yellow"), dice=(3, 1))
    position = playing(position, "d5-c3")
    assert moves(position, "c3.*") == ["c3xyellow"]
    position = playing(position, "d6-d4")
    position = playing(position, "c3xyellow, 6, 1")
    assert position.outcome is not None


def test_stations_are_fought_from_all_adjacent_tiles() -> None:
    five = team("a3 b3 c3 c2 c1 a4 d1")
    position = board(five, team("", "yellow"), dice=(1, 1))
    assert moves(position, ".*xyellow") == sorted(
        f"{tile}xyellow" for tile in ("a3", "b3", "c3", "c2", "c1")
    )
    assert "yellow is attacked from an adjacent tile (c1, c2, a3, b3 and c3)" in refused(
        position, "a4xyellow"
    )
    position = board(team("f6 f7 f8 g6 g8 h6 h7"), team("e7", "star"), dice=(1, 1))
    assert len(moves(position, ".*xstar")) == 7
    position = board(team("e7 g9 f9"), team("", "star"), dice=(6, 1))
    assert moves(position, ".*xstar") == []


def test_a_won_attack_on_a_tile_takes_the_tile_and_ends_the_fighters_turn() -> None:
    position = board(team("d3"), team("d5 a3", "yellow green"), dice=(3, 1))
    fight = playing(position, "d3xd5, 4")
    assert fight.chance is not None
    assert len(fight.chance.outcomes) == 6
    after = playing(fight, "4")
    assert isinstance(after, SpaceFightersPosition)
    assert after.teams == (team("d5"), team("a3", "yellow green"))
    assert after.news == (
        "red's fighter from d3 rolls 4, green's fighter on d5 4: the defender is destroyed",
    )
    assert moves(after) == ["end"]
    assert "has fought and does nothing more" in refused(after, "d5-d6")


def test_the_outlook_counts_what_a_fight_may_bring_and_how_near_ships_are() -> None:
    position = board(team("d3", "star"), team("d5", "green"))
    assert position.standing == playing(position, "d3xd5").standing
    before, fought, ahead = (
        each.outlook
        for each in (position, playing(position, "d3xd5"), playing(position, "d3xd5, 6"))
    )
    assert fought == pytest.approx((before[0], before[1] - 25 * 21 / 36))
    assert ahead == pytest.approx((before[0], before[1] - 25))
    nearer, farther = (playing(position, order).outlook for order in ("d3-d4", "d3-c1"))
    assert nearer[0] > before[0] > farther[0]


def test_a_lost_attack_sends_the_fighter_to_the_reserve() -> None:
    position = board(team("d3", "", (1, 0)), team("", "d5 green"), dice=(3, 1))
    fight = playing(position, "d3xd5, 6")
    assert fight.chance is not None
    assert len(fight.chance.outcomes) == 8
    after = playing(fight, "7")
    assert isinstance(after, SpaceFightersPosition)
    assert after.teams == (team("", "", (2, 0)), team("", "d5 green"))
    assert "the fighter goes back to the reserve" in after.news[0]
    assert moves(after) == ["end"]


def test_a_won_attack_on_a_station_leaves_it_neutral_and_the_fighter_where_it_was() -> None:
    position = board(team("c3 d9"), team("m8", "yellow green"), dice=(3, 1))
    after = playing(position, "c3xyellow, 2, 2")
    assert isinstance(after, SpaceFightersPosition)
    assert after.teams == (team("c3 d9"), team("m8", "green"))
    assert moves(after, "c3.*") == []
    assert "d9-d8" in moves(after)


def test_after_fighting_from_its_place_a_fighter_does_not_move() -> None:
    position = playing(board(team("c3"), team("", "yellow green"), dice=(3, 1)), "c3xyellow, 6, 1")
    assert "has fought and does nothing more" in refused(position, "c3-c4")


def test_fight_refusals() -> None:
    position = board(team("c3 c4", "d6"), team("c8 d5", "green yellow"), dice=(3, 1))
    assert "no ship is on m8" in refused(position, "m8-m9")
    assert "not yours: c8 holds green's fighter" in refused(position, "c8-c9")
    assert "c3xe3: only enemies are fought, and e3 holds no ship" in refused(position, "c3xe3")
    assert "holds red's fighter" in refused(position, "c3xc4")
    assert "holds no ship" in refused(position, "c3xstar")
    assert refused(position, "c3xc8") == "c3xc8 is 5 steps, the fighter die shows 3"
    assert "control ships do not fight" in refused(position, "d6xd5")
    assert "write 'c3xd5'" in refused(position, "c3-d5", InvalidMove)
    assert "leaves its place" in refused(position, "c3-c3")


# Control ships.


def test_the_control_die_reads_as_4_when_it_shows_more() -> None:
    for shown, steps in ((1, 1), (3, 3), (4, 4), (5, 4), (8, 4)):
        position = board(team("", "a6"), dice=(1, shown))
        reach = [f"a6-a{6 + up}" for up in range(1, 6)]
        assert [move in moves(position) for move in reach] == [up <= steps for up in range(1, 6)]
    assert refused(position, "a6-a11") == "a6-a11 is 5 steps, the control die allows 4"


def test_a_control_ship_passes_over_nothing() -> None:
    for blocker in (team("a5 b6 a7"), team("", "a5 b6 a7")):
        position = board(team("", "a6"), blocker)
        assert moves(position, "a6.*") == []
        assert "every way is closed" in refused(position, "a6-a4")
    position = board(team("a5 b6 a7", "a6"))
    assert moves(position, "a6.*") == []
    assert "occupied: a5 holds red's fighter" in refused(position, "a6-a5")


def test_with_pass_own_a_control_ship_passes_its_own_but_no_enemy() -> None:
    beside = board(team(controls="a4 b4"), team(controls="a5"), dice=(1, 2))
    assert "a4-c4" not in beside.legal_moves(0)
    passing = replace(beside, options={"pass_own": True})
    assert "a4-c4" in passing.legal_moves(0)
    assert not {"a4-b4", "a4-a6"} & {*passing.legal_moves(0)}


def test_teams_choose_their_colours() -> None:
    position = GAMES[0].setup(2, {"colors": "blue,yellow"})
    assert position.seat_names == ("blue", "yellow")
    position = position.play(0, position.legal_moves(0)[0]).play(
        1, position.play(0, position.legal_moves(0)[0]).legal_moves(1)[0]
    )
    assert GAMES[0].decode(position.encode()) == position
    assert position.render().count("yellow") > 1
    for text, cause in (("blue,blue", "twice"), ("pink,red", "takes red"), ("red", "each of 2")):
        with pytest.raises(OptionError, match=cause):
            GAMES[0].setup(2, {"colors": text})


def test_each_roll_says_who_rolls_and_for_what() -> None:
    position = board(team("c3", "d6"), team("d5", "green"), dice=())
    said = list[str]()
    for outcome in ("5", "8"):
        said.append(position.describe(CHANCE, outcome))
        position = played(position, CHANCE, outcome)
    assert said == ["red rolls 5 for fighters", "red rolls 8 for control ships"]
    assert join_roll(*said) == "red rolls 5 for fighters and 8 for control ships"
    position = played(position, 0, "c3xd5")
    assert position.describe(CHANCE, "4") == "red rolls 4"
    position = played(position, CHANCE, "4")
    assert position.describe(CHANCE, "6") == "green rolls 6"
    assert position.describe(0, "c3xd5") == "c3xd5"


def test_control_ships_enter_leave_and_pass_stations() -> None:
    position = board(team("", "red"), dice=(1, 1))
    assert moves(position, "red.*") == ["red-a11", "red-b11", "red-c12", "red-c13"]
    position = board(team("", "c11"), dice=(1, 2))
    assert "c11-red" in moves(position)
    assert "c12-red" in moves(board(team("", "c12"), dice=(1, 1)))
    position = board(team("c11", "b11"), dice=(1, 2))
    assert {"b11-red", "b11-c12", "b11-c13"} <= set(moves(position))
    position = board(team("c11", "b11"), team("", "red"), dice=(1, 4))
    assert "b11-red" not in moves(position)
    assert "b11-c12" not in moves(position)
    position = board(team("", "g8"), dice=(1, 2))
    assert {"g8-star", "g8-g6", "g8-f7", "g8-h7"} <= set(moves(position))
    assert "f8-star" not in moves(board(team("", "f8"), dice=(1, 1)))
    position = board(team("", "g8"), team("", "star"), dice=(1, 4))
    assert "g8-g6" in moves(position)
    assert "g8-g6" not in moves(board(team("", "g8"), team("", "star"), dice=(1, 3)))


def test_a_control_ship_moves_once_and_closes_the_fighters_phase() -> None:
    position = playing(board(team("d4", "d6 d8", (1, 0))), "d6-d7")
    assert moves(position, "d4.*|deploy.*|d7.*") == []
    assert "fighters act before the first control ship order" in refused(position, "d4-d5")
    assert "has moved this turn" in refused(position, "d7-d6")
    assert "d8-d9" in moves(position)


# Buying and income.


@pytest.mark.parametrize("phase", [DEPLOY, FIGHTERS, CONTROLS])
def test_one_ship_a_turn_is_bought_in_any_phase(phase: int) -> None:
    position = board(team("d4", "d6", (0, 0), 130), phase=phase)
    assert moves(position, "buy.*") == ["buy c", "buy f"]
    after = playing(position, "buy f")
    assert isinstance(after, SpaceFightersPosition)
    assert (after.teams[0].spare_fighters, after.teams[0].resources) == (1, 105)
    assert "one ship a turn" in refused(after, "buy c")
    after = playing(position, "buy c")
    assert isinstance(after, SpaceFightersPosition)
    assert (after.teams[0].spare_controls, after.teams[0].resources) == (1, 30)
    assert after.phase == phase


def test_a_bought_ship_is_deployed_in_the_same_turn() -> None:
    assert "c13-d13" in moves(playing(board(team("", "red", (0, 0), 25)), "buy f,deploy f c13"))


def test_purchases_need_resources_and_room() -> None:
    position = board(team("a5 a6 a7 a8", "", (3, 0), 99))
    assert refused(position, "buy c") == "buy c: supply: a control ship costs 100, you have 99"
    assert "at most 7 fighters" in refused(position, "buy f")
    position = board(team("", "d1 d2 d3 d4", (0, 1), 200))
    assert "at most 5 control ships" in refused(position, "buy c")
    assert moves(position, "buy.*") == ["buy f"]


def test_income_is_earned_at_the_end() -> None:
    for controls, income in (
        ("red", 10),
        ("blue", 5),
        ("star", 20),
        ("red blue yellow star", 40),
        ("a5", 0),
    ):
        after = playing(board(team("", controls, (0, 0), 3), team("m8", "")), "end")
        assert isinstance(after, SpaceFightersPosition)
        assert after.teams[0].resources == 3 + income
        assert (after.seat, after.turn, after.to_move) == (1, 8, frozenset({CHANCE}))
        assert bool(after.news) == bool(income)


def test_a_turn_stays_open_until_end_and_then_everything_may_act_again() -> None:
    position = playing(board(team("d4 d5", "d6"), team("m8", "green")), "d4-d3, d6-d7")
    assert position.to_move == {0}
    position = playing(position, "end, 1, 1, m8-m9, end, 2, 2")
    assert position.to_move == {0}
    assert {"d3-d2", "d5-d6", "d7-d8"} <= set(moves(position))


def test_a_team_with_nothing_to_order_still_gets_its_turn() -> None:
    position = board(team("d4"), team("", "", (1, 0), 0))
    position = playing(position, "end, 3, 3")
    assert position.to_move == {1}
    assert "end" in moves(position)


# Out of the game.


def test_out_without_ships_in_space_and_with_an_enemy_in_the_own_station() -> None:
    three = (team("d5", "red"), team("d3", "", (3, 1), 200), team("", "blue"))
    after = playing(board(*three), "d5xd3, 6, 1")
    assert isinstance(after, SpaceFightersPosition)
    assert after.left == (1,)
    assert after.teams[1] == GONE
    assert after.playing == {0, 2}
    assert "blue is out: no ship in space and an enemy in its own station" in after.news


def test_out_when_an_enemy_enters_the_own_station() -> None:
    three = (team("", "l11"), team("", "", (3, 1), 200), team("m8"))
    after = playing(board(*three), "l11-blue")
    assert after.playing == {0, 2}


def test_not_out_while_the_own_station_is_free() -> None:
    three = (team("d5"), team("d3", "", (1, 0), 0), team("m8"))
    assert playing(board(*three), "d5xd3, 6, 1").playing == {0, 1, 2}


def test_out_without_ships_reserve_and_resources() -> None:
    for resources, stays in ((24, False), (25, True)):
        three = (team("d5"), team("d3", "", (0, 0), resources), team("m8"))
        after = playing(board(*three), "d5xd3, 6, 1")
        assert (1 in after.playing) == stays
    assert any(
        "no resources to buy one" in line
        for line in playing(board(team("d5"), team("d3"), team("m8")), "d5xd3, 6, 1").news
    )


def test_a_team_that_is_out_by_its_own_attack_passes_the_turn_without_income() -> None:
    three = (team("d5", "", (0, 0), 10), team("m8", "red"), team("d3", "green"))
    after = playing(board(*three), "d5xd3, 1, 6")
    assert isinstance(after, SpaceFightersPosition)
    assert (after.left, after.seat, after.turn, after.to_move) == ((0,), 1, 8, frozenset({CHANCE}))
    assert playing(after, "3, 3, m8-m7, end, 1, 1").to_move == {2}


def test_the_last_team_wins_at_once_and_ranks_follow_the_order_of_leaving() -> None:
    position = board(team("d5"), GONE, team("d3"), GONE, left=(3, 1))
    after = playing(position, "d5xd3, 6, 1")
    assert after.outcome is not None
    assert after.outcome.ranks == (1, 3, 2, 4)
    assert after.outcome.reason == "red is the last team left"
    assert after.to_move == frozenset()
    assert after.chance is None


# Resigning.


def test_resigning_on_the_own_turn_lets_the_next_team_roll() -> None:
    three = (team("d5", "blue", (2, 2), 99), team("m8"), team("d3"))
    after = board(*three, dice=(3, 3)).resign(0)
    assert isinstance(after, SpaceFightersPosition)
    assert (after.left, after.seat, after.turn, after.dice) == ((0,), 1, 8, ())
    assert after.teams == (GONE, *three[1:])


def test_resigning_off_turn_leaves_the_turn_as_it_is() -> None:
    three = (team("d5"), team("m8", "l11"), team("d3"))
    after = playing(board(*three), "d5-d4").resign(1)
    assert isinstance(after, SpaceFightersPosition)
    assert (after.seat, after.turn, after.dice) == (0, 7, (6, 8))
    assert after.moved == mask("d4")
    after = playing(after, "end")
    assert isinstance(after, SpaceFightersPosition)
    assert after.seat == 2


def test_news_tell_of_one_move_only() -> None:
    three = (team("d5", "red"), team("m8", "l11"), team("d3"))
    after = playing(board(*three), "end")
    assert after.news == ("red earns 10 and has 10 resources",)
    gone = after.resign(2)
    assert gone.news == ("green leaves: its ships are gone, its stations neutral",)
    assert playing(gone, "1, 1").news == ()


def test_resigning_during_the_set_up() -> None:
    start = GAME.setup(4)
    position = playing(start.resign(0), "setup k11 l11 m11")
    assert isinstance(position, SpaceFightersPosition)
    assert position.to_move == {2}
    position = position.resign(3)
    assert isinstance(position, SpaceFightersPosition)
    assert (position.to_move, position.phase) == (frozenset({2}), SETUP)
    position = playing(position, "setup k1 k2 k3")
    assert isinstance(position, SpaceFightersPosition)
    assert (position.seat, position.phase, position.to_move) == (1, DEPLOY, frozenset({CHANCE}))
    last = playing(GAME.setup(3), "setup c11 c12 c13, setup k11 l11 m11").resign(2)
    assert isinstance(last, SpaceFightersPosition)
    assert (last.seat, last.turn, last.to_move) == (0, 3, frozenset({CHANCE}))


def test_the_last_but_one_to_resign_ends_the_game() -> None:
    after = GAME.setup(3).resign(1).resign(0)
    assert after.outcome is not None
    assert after.outcome.ranks == (2, 3, 1)
    with pytest.raises(IllegalMove):
        after.resign(2)
    with pytest.raises(IllegalMove):
        GAME.setup(3).resign(1).resign(1)


def test_resigning_while_dice_roll() -> None:
    three = (team("d5"), team("d3"), team("m8"))
    fight = playing(board(*three), "d5xd3, 4")
    off = fight.resign(1)
    assert isinstance(off, SpaceFightersPosition)
    assert (off.to_move, off.teams[0]) == (frozenset({0}), team("d5"))
    assert "d5-d4" in moves(off)
    on = fight.resign(2)
    assert on.to_move == {CHANCE}
    assert playing(on, "1").outcome is not None
    gone = fight.resign(0)
    assert isinstance(gone, SpaceFightersPosition)
    assert (gone.seat, gone.fight, gone.to_move) == (1, (), frozenset({CHANCE}))
    rolls = playing(GAME.setup(3), "c11 c12 c13, k11 k12 k13, k1 k2 k3, 4")
    other = rolls.resign(2)
    assert isinstance(other, SpaceFightersPosition)
    assert (other.seat, other.dice, other.to_move) == (0, (4,), frozenset({CHANCE}))
    own = rolls.resign(0)
    assert isinstance(own, SpaceFightersPosition)
    assert (own.seat, own.dice, own.to_move) == (1, (), frozenset({CHANCE}))


# Typed orders.


@pytest.mark.parametrize(
    ("typed", "order", "left"),
    [
        ("C3-C4", "c3-c4", ""),
        (" c3 - c4 , end.", "c3-c4", "end"),
        ("c3-d5", "c3xd5", ""),
        ("c3 X d5; c4-c5", "c3xd5", "c4-c5"),
        ("c3-yellow", "c3xyellow", ""),
        ("c3-a1", "c3xyellow", ""),
        ("f8xg7", "f8xstar", ""),
        ("d6-d5", "d6-d5", ""),
        ("DEPLOY F C11,deploy c red", "deploy f c11", "deploy c red"),
        ("deploy fighter to c11", "deploy f c11", ""),
        ("deploy  control ship  b13", "deploy c red", ""),
        ("buy a fighter", "buy f", ""),
        ("Buy C.", "buy c", ""),
        ("END", "end", ""),
        ("end turn,", "end", ""),
    ],
)
def test_typed_orders(typed: str, order: str, left: str) -> None:
    position = board(team("c3 c4 f8", "d6", (1, 1), 200), team("d5", "yellow star"))
    assert position.parse(typed, 0) == (order, left)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "an order is missing"),
        ("c3-c4c5", "no order"),
        ("c3", "'c3' is no order"),
        ("c3-c4-c5", "no order"),
        ("c3-n4", "'n4' is off the board: columns are a to m, rows 1 to 13"),
        ("c3-c14", "'c14' is off the board"),
        ("c3-pink", "'pink' is neither a tile nor a station"),
        ("deploy x c3", "write 'deploy f c1' for a fighter"),
        ("c3-c4, " * 400, "more text"),
        ("-" * 1900, "no order"),
    ],
)
def test_what_is_no_order(typed: str, reason: str) -> None:
    with pytest.raises(InvalidMove, match=re.escape(reason)):
        board(team("c3", "d6")).parse(typed, 0)


def test_play_is_strict_about_spelling() -> None:
    position = board(team("c3", "d6"))
    for text in ("C3-c4", "c3-c4 ", "c3 - c4", "c3-c4,end"):
        assert "write 'c3-c4'" in refused(position, text, InvalidMove)


# Help and pictures.


def test_the_sample_game_of_the_help_can_be_played() -> None:
    position: Position = GAME.setup(2)
    played = 0
    for line in GAME.info.help.splitlines():
        words = re.split(r"\s{2,}", line.strip())[0]
        if words.startswith("> "):
            position = playing(position, words[2:])
            played += 1
        elif words.startswith("dice "):
            for die in words.split()[1:]:
                position = position.play(CHANCE, die)
    assert played == 9
    assert isinstance(position, SpaceFightersPosition)
    assert position.teams == (
        team("c13 c12 k3", "red star", (2, 0), 45),
        team("j3 l3", "k2", (1, 0), 40),
    )


def test_the_orders_in_the_help_are_right() -> None:
    far = board(team("c3", "yellow g8 a4 c12", (1, 1), 200), team("d5", "green"))
    near = board(team("c3 f8", "red", (1, 1), 200), team("d5", "star yellow"))
    shown = set(re.findall(r"^    ((?:deploy|buy) . \w+|\w+[-x]\w+)(?:  |$)", GAME.info.help, re.M))
    shown |= set(re.findall(r"buy [fc]|f8xstar|c12-red|g8-star|a4-c4", GAME.info.help))
    assert len(shown) == 13
    assert shown <= {*moves(far), *moves(near)}


def test_the_board_as_text() -> None:
    position = playing(GAME.setup(2), "c11 c12 b11, k3 l3 k2").play(CHANCE, "6")
    position = playing(position.play(CHANCE, "7"), "c11-g9")
    assert position.render(last=("c11-g9",)).split("\n") == [
        "       a   b   c   d   e   f   g   h   i   j   k   l   m",
        "     +-------+                                   +-------+",
        " 13  |  red  | .   .   .   .   .   .   .   .   . |  blue |  13",
        " 12  |   R   | r   .   .   .   .   .   .   .   . |   .   |  12",
        "     +-------+                                   +-------+",
        " 11    .   R  [.]  .   .   .   .   .   .   .   .   .   .    11",
        " 10    .   .   .   .   .   .   .   .   .   .   .   .   .    10",
        "  9    .   .   .   .   .   .  [r]  .   .   .   .   .   .    9",
        "                         +---+   +---+",
        "  8    .   .   .   .   . | .   .   . | .   .   .   .   .    8",
        "  7    .   .   .   .   .   .   *   .   .   .   .   .   .    7",
        "  6    .   .   .   .   . | .   .   . | .   .   .   .   .    6",
        "                         +---+   +---+",
        "  5    .   .   .   .   .   .   .   .   .   .   .   .   .    5",
        "  4    .   .   .   .   .   .   .   .   .   .   .   .   .    4",
        "  3    .   .   .   .   .   .   .   .   .   .   g   g   .    3",
        "     +-------+                                   +-------+",
        "  2  | yellow| .   .   .   .   .   .   .   .   G | green |  2",
        "  1  |   .   | .   .   .   .   .   .   .   .   . |   G   |  1",
        "     +-------+                                   +-------+",
        "       a   b   c   d   e   f   g   h   i   j   k   l   m",
        "",
        "     fighters r g (f), control ships R G (c), star *",
        "",
        "     team     resources  reserve  in space  stations owned",
        "   > red      20         2f 0c    2f 2c     red (+10)",
        "     green    20         2f 0c    2f 2c     green (+10)",
        "",
        "     dice of red: fighters 6, control ships 7, read as 4",
        "     still open: fighters, control ships, end",
        "     moved, may attack a station: g9",
    ]


def test_captions_of_other_moments() -> None:
    rich = board(team("d4", "d6", (1, 0), 200))
    assert "still open: deployments, fighters, control ships, buy f, buy c, end" in rich.render()
    rich = playing(rich, "buy f, d6-d7")
    assert "still open: control ships, end" in rich.render()
    assert "done for this turn: d7" in rich.render()
    assert "red sets up two fighters and a control ship on a11" in GAME.setup(2).render()
    over = GAME.setup(3).resign(1).resign(0)
    assert "the game is over: green is the last team left" in over.render()
    assert "blue     out of the game, number 1 to leave" in over.render()
    full = "d1 d2 d3 d4 d5 d6 d7"
    spent = SpaceFightersPosition(
        2,
        0,
        5,
        CONTROLS,
        (1, 1),
        (team(full, "red blue green yellow star"), team("m8")),
        spent=mask(full + " red blue green yellow star"),
    )
    assert max(map(len, spent.render().split("\n"))) <= 78


# Whole games.


@pytest.mark.parametrize("seed", range(12))
def test_what_always_holds(seed: int) -> None:
    rng = random.Random(seed)
    position = GAME.setup(rng.choice((2, 3, 4)))
    for _ in range(600):
        if not position.to_move:
            break
        assert isinstance(position, SpaceFightersPosition)
        everything = 0
        for number, fleet in enumerate(position.teams):
            ships = fleet.fighters | fleet.controls
            assert fleet.fighters & ~TILES == 0
            assert everything & ships == 0
            everything |= ships
            assert (fleet.fighters & fleet.controls) == 0
            assert fleet.owned("f") <= 7
            assert fleet.owned("c") <= 5
            assert fleet.resources >= 0
            assert number not in position.left or fleet == GONE
        (seat,) = position.to_move
        listed = position.legal_moves(seat)
        fights = [move for move in listed if "x" in move]
        position = position.play(seat, rng.choice(fights or listed))

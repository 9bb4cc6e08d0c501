"""Leagues over several seasons, ladders and tours."""

import random

import pytest
from msgspec.structs import replace

from pbm.pairing.record import DAY, Leg, Options, Record
from pbm.pairing.rounds import admit, begin, leave
from pbm.pairing.rungs import can_challenge, challenge, list_rungs
from pbm.pairing.seasons import list_movements, next_season
from pbm.pairing.standings import crosstable, explain_place, leg_of, rank_all, standings
from tools.pairing.seasons import announce, play

LEAGUE = Options(kind="league", game="hex", divisions=3, exchange=1)


def names(record: Record, division: int) -> list[str]:
    return [each.name for each in record.entrants if each.division == division]


def test_the_first_season_divides_by_rating() -> None:
    record = begin(announce(LEAGUE, 12))
    ratings = [[each.rating for each in record.entrants if each.division == n] for n in range(3)]
    assert [len(each) for each in ratings] == [4, 4, 4]
    assert min(ratings[0]) >= max(ratings[1]) >= min(ratings[1]) >= max(ratings[2])


def test_the_first_move_up_and_the_last_move_down() -> None:
    record = play(announce(LEAGUE, 12), random.Random(1))
    rows = [standings(record, division) for division in range(3)]
    after = next_season(record)
    assert after.season == 2
    assert {*names(after, 0)} == {row.name for row in (*rows[0][:3], rows[1][0])}
    assert rows[0][3].name in names(after, 1)
    assert rows[2][0].name in names(after, 1)
    assert rows[1][3].name in names(after, 2)
    moved = {each.name: each for each in list_movements(record)}
    assert moved[rows[1][0].name].reason == "place 1 of 4 moves up"
    assert moved[rows[2][3].name].reason == "stays"


def test_places_of_those_who_left_are_filled_from_below_and_new_players_begin_below() -> None:
    record = play(announce(LEAGUE, 12), random.Random(2))
    gone = standings(record, 0)[0].number
    record = leave(record, gone, 50 * DAY, "withdrew")
    after = next_season(record)
    assert len(after.entrants) == 11
    assert [len(names(after, division)) for division in range(3)] == [4, 4, 3]
    new = admit(after, "new", 2500, 51 * DAY)
    began = begin(replace(after.with_entrants([new]), secret="11" * 32))
    assert names(began, 2)[0] == "new"
    assert [len(names(began, division)) for division in range(3)] == [4, 4, 4]


def test_a_league_goes_on_for_ten_seasons() -> None:
    rng = random.Random(3)
    record = announce(LEAGUE, 13)
    for season in range(1, 11):
        assert record.season == season
        record = play(replace(record, secret=rng.randbytes(32).hex()), rng, leaving=0.002)
        assert len({row.name for row in rank_all(record)}) == len(record.entrants)
        record = next_season(record)


def ladder(count: int, **options: float) -> Record:
    kind = Options(kind="ladder", game="hex", **options)  # type: ignore[arg-type]
    return begin(replace(announce(kind, count), begins=0.0))


def order(record: Record, now: float) -> list[int]:
    return [rung.number for rung in list_rungs(record, now)]


def play_challenge(
    record: Record, challenger: int, defender: int, now: float, points: tuple[float, float]
) -> Record:
    assert can_challenge(record, challenger, defender, now) == ""
    game = challenge(record, challenger, defender, now)
    assert game.seats == (defender, challenger)
    return record.with_games([replace(game, points=points, how="played", ended=now + DAY)])


def test_a_challenger_who_wins_takes_the_rung_and_the_others_move_down() -> None:
    record = play_challenge(ladder(5), 4, 2, DAY, (0, 1))
    assert order(record, DAY) == [1, 2, 3, 4, 5]
    assert order(record, 2 * DAY) == [1, 4, 2, 3, 5]
    record = play_challenge(record, 5, 2, 3 * DAY, (0.5, 0.5))
    assert order(record, 9 * DAY) == [1, 4, 2, 3, 5]
    assert "won the challenge to" in explain_place(record, 4)
    assert [row.number for row in standings(record)] == [1, 4, 2, 3, 5]


def test_a_ladder_is_climbed_a_few_rungs_at_a_time_one_board_at_a_time() -> None:
    record = ladder(6)
    assert "5 rungs above" in can_challenge(record, 6, 1, DAY)
    assert "below you" in can_challenge(record, 1, 2, DAY)
    assert "somebody else" in can_challenge(record, 2, 2, DAY)
    open_board = record.with_games([challenge(record, 6, 4, DAY)])
    assert "comes first" in can_challenge(open_board, 6, 5, DAY)
    assert "another challenge" in can_challenge(open_board, 5, 4, DAY)
    gone = leave(record, 3, DAY, "closed")
    assert "not on the ladder" in can_challenge(gone, 4, 3, DAY)
    assert order(gone, DAY) == [1, 2, 4, 5, 6]


def test_who_does_not_play_sinks_rung_by_rung() -> None:
    record = play_challenge(ladder(3, decay=10), 3, 2, 9 * DAY, (1, 0))
    assert order(record, 9.5 * DAY) == [1, 2, 3]
    assert order(record, 11 * DAY) == [2, 1, 3]
    assert order(record, 19 * DAY) == [2, 1, 3]
    assert order(record, 20.5 * DAY)[-1] == 1
    assert "10 days" in list_rungs(record, 20.5 * DAY)[-1].reason
    assert order(ladder(3, decay=0), 500 * DAY) == [1, 2, 3]


def test_new_players_enter_a_ladder_on_the_lowest_rung() -> None:
    record = ladder(3)
    late = admit(record, "late", 2400, 5 * DAY)
    assert order(record.with_entrants([late]), 6 * DAY) == [1, 2, 3, 4]


def test_a_tour_adds_up_the_best_events() -> None:
    legs = (
        Leg(event=1, name="Spring", ended=1.0, places=(("ann",), ("bob", "cyd"), ("dee",))),
        Leg(event=2, name="Summer", ended=2.0, places=(("dee",), ("ann",))),
        Leg(event=3, name="Autumn", ended=3.0, places=(("bob",), ("ann",), ("cyd",))),
    )
    tour = replace(announce(Options(kind="tour", game="hex", rounds=2), 0), legs=legs)
    rows = standings(tour)
    assert [(row.place, row.name, row.points) for row in rows] == [
        (1, "ann", 4.0), (2, "bob", 3.5), (3, "cyd", 1.5), (4, "dee", 1.0),
    ]  # fmt: skip
    assert rows[0].breaks[0].sum == "3 (Spring) + 1 (Autumn) = 4"


@pytest.mark.parametrize("kind", ["swiss", "roundrobin", "knockout", "league"])
def test_an_event_becomes_a_leg_with_everybody_in_it(kind: str) -> None:
    options = Options(kind=kind, game="hex", groups=2, divisions=2)
    record = play(announce(options, 9), random.Random(5))
    leg = leg_of(record)
    assert sorted(name for place in leg.places for name in place) == sorted(
        each.name for each in record.entrants
    )
    assert crosstable(record, 0).rows

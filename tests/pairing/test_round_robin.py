"""Round robins: Berger tables, groups with a final, tables of three, and who leaves."""

import random
from collections import Counter
from itertools import combinations

import pytest

from pbm.pairing.record import Options
from pbm.pairing.round_robin import balance, berger
from pbm.pairing.rounds import begin, explain_pairing, is_over, leave, pair_next
from pbm.pairing.standings import crosstable, explain_place, standings
from tools.pairing.seasons import announce, finish, play


def robin(**options: int) -> Options:
    return Options(kind="roundrobin", game="hex", **options)  # type: ignore[arg-type]


def test_berger_tables_are_those_of_the_handbook() -> None:
    assert berger([1, 2, 3, 4]) == [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    six = berger([1, 2, 3, 4, 5, 6])
    assert six[0] == [(1, 6), (2, 5), (3, 4)]
    assert six[1] == [(6, 4), (5, 3), (1, 2)]
    assert six[4] == [(3, 6), (4, 2), (5, 1)]


@pytest.mark.parametrize("count", range(2, 25))
def test_everybody_meets_everybody_once_with_colours_in_balance(count: int) -> None:
    tables = [table for tables in berger(range(count)) for table in tables]
    assert sorted(sorted(table) for table in tables) == sorted(
        list(pair) for pair in combinations(range(count), 2)
    )
    first = Counter(table[0] for table in tables)
    assert all(abs(2 * first[number] - (count - 1)) <= 1 for number in range(count))


@pytest.mark.parametrize(("count", "seats"), [(9, 3), (10, 3), (3, 3), (16, 4)])
def test_tables_of_more_seats_balance_seats_meetings_and_rests(count: int, seats: int) -> None:
    rounds = balance(range(count), seats, seats)
    sat = Counter((number, seat) for tables in rounds for table in tables
                  for seat, number in enumerate(table))  # fmt: skip
    met = Counter(pair for tables in rounds for table in tables
                  for pair in combinations(sorted(table), 2))  # fmt: skip
    played = Counter(number for tables in rounds for table in tables for number in table)
    assert max(sat.values()) <= 2
    assert max(played.values()) - min(played.values()) <= 1
    assert count <= 4 or max(met.values()) <= 2
    assert all(len(set(table)) == seats for tables in rounds for table in tables)


def test_all_boards_begin_at_once_and_the_event_is_over_when_they_are() -> None:
    record = begin(announce(robin(), 5))
    games = pair_next(record, 7.0)
    assert len(games) == 10
    assert [game.id for game in games] == list(range(1, 11))
    record = record.with_games(games)
    assert pair_next(record, 8.0) == ()
    assert not is_over(record, 8.0)
    rng = random.Random(1)
    for game in games:
        record = finish(record, game, rng, 9.0)
    assert is_over(record, 9.0)


def test_boards_come_one_at_a_time_where_players_have_one_together() -> None:
    record = begin(announce(robin(together=1), 6))
    games = pair_next(record, 7.0)
    assert sorted(number for game in games for number in game.seats) == [1, 2, 3, 4, 5, 6]
    record = finish(record.with_games(games), games[0], random.Random(2), 8.0)
    assert pair_next(record, 8.0) == ()
    record = finish(record, games[1], random.Random(2), 8.0)
    assert pair_next(record, 9.0)


def test_the_winners_of_groups_play_a_final() -> None:
    record = play(announce(robin(groups=3, advance=2), 12), random.Random(3))
    groups = [standings(record, group) for group in range(3)]
    assert [len(rows) for rows in groups] == [4, 4, 4]
    expected = {row.number for rows in groups for row in rows[:2]}
    final = [game for game in record.games if game.stage == "final"]
    assert {number for game in final for number in game.seats} == expected
    assert len(final) == 15
    assert {row.number for row in standings(record, stage="final")} == expected


def test_who_leaves_before_half_of_the_boards_is_taken_out_of_the_tables() -> None:
    record = begin(announce(robin(), 6))
    record = record.with_games(pair_next(record, 1.0))
    rng = random.Random(4)
    own = [game for game in record.games if 1 in game.seats]
    for game in own[:2]:
        record = finish(record, game, rng, 2.0)
    record = leave(record, 1, 3.0, "withdrew")
    assert {game.how for game in record.games if 1 in game.seats} == {"annulled"}
    assert standings(record)[-1].number == 1
    assert standings(record)[-1].played == 0
    assert all(row.points == 0 for row in standings(record))


def test_who_leaves_after_half_of_the_boards_loses_those_that_are_open() -> None:
    record = begin(announce(robin(), 5))
    record = record.with_games(pair_next(record, 1.0))
    rng = random.Random(4)
    own = [game for game in record.games if 1 in game.seats]
    for game in own[:2]:
        record = finish(record, game, rng, 2.0)
    record = leave(record, 1, 3.0, "silent")
    hows = Counter(game.how for game in record.games if 1 in game.seats)
    assert hows == {"played": 2, "forfeit": 2}
    assert all(game.points_of(1) == 0 for game in record.games if game.how == "forfeit")
    assert all(sum(game.points or ()) == 1 for game in record.games if game.how == "forfeit")


def test_the_crosstable_adds_up() -> None:
    record = play(announce(robin(boards=2), 7), random.Random(5), leaving=0.01)
    table = crosstable(record)
    values = {"1": 1.0, "0": 0.0, "½": 0.5, "+": 1.0, "-": 0.0, "x": 0.0, "*": 0.0}
    for row in table.rows:
        assert sum(values[mark] for cell in row.cells for mark in cell.text) == row.points
        assert row.cells[row.place - 1].text == "*"


def test_places_and_pairings_are_explained() -> None:
    record = play(announce(robin(), 6), random.Random(6))
    for row in standings(record):
        text = explain_place(record, row.number)
        assert f"{row.name} has place {row.place} with" in text
        assert "Berger" in explain_pairing(record, row.number)


def test_teams_meet_on_all_boards_at_once_with_colours_in_turn() -> None:
    """`together` counts matches."""
    options = Options(kind="teamleague", game="hex", boards=3, members=True, together=1)
    record = begin(announce(options, 4))
    rounds = 0
    while games := pair_next(record, 7.0):
        rounds += 1
        met = {frozenset(game.seats) for game in games}
        assert len(met) == 2
        assert len(games) == 6
        for pair in met:
            legs = [game for game in games if {*game.seats} == pair]
            assert [game.leg for game in legs] == [1, 2, 3]
            assert legs[0].seats == legs[1].seats[::-1] == legs[2].seats
        record = record.with_games(games)
        for game in games:
            record = finish(record, game, random.Random(game.id), 8.0)
    assert rounds == 3

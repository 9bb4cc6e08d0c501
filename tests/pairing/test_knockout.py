"""Knockouts: trees, byes, matches of several boards, and who leaves."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from pbm.pairing.game_points import adjudicate
from pbm.pairing.knockout import Tree
from pbm.pairing.record import EventGame, Options, Record
from pbm.pairing.rounds import begin, count_rounds, is_over, leave, pair_next
from pbm.pairing.standings import explain_place, standings
from tools.pairing.seasons import announce, play


def knockout(kind: str = "knockout", boards: int = 1) -> Options:
    return Options(kind=kind, game="hex", boards=boards)


def win(record: Record, number: int) -> Record:
    """The record after a player has won all boards that are open."""
    return record.with_games(
        replace(game, points=tuple(float(seat == number) for seat in game.seats), how="played")
        for game in record.open_games
        if number in game.seats
    )


def pairs(games: tuple[EventGame, ...]) -> set[frozenset[int]]:
    return {frozenset(game.seats) for game in games}


def test_the_best_seeds_meet_last_and_have_the_byes() -> None:
    record = begin(announce(knockout(), 6))
    first = pair_next(record, 1.0)
    assert pairs(first) == {frozenset({4, 5}), frozenset({3, 6})}
    record = win(record.with_games(first), 5)
    (semifinal,) = pair_next(record, 2.0)
    assert {*semifinal.seats} == {1, 5}
    assert count_rounds(record) == 3


@pytest.mark.parametrize("count", range(2, 18))
@pytest.mark.parametrize("kind", ["knockout", "doubleknockout"])
def test_each_match_takes_one_player_out_until_one_is_left(kind: str, count: int) -> None:
    record = play(announce(knockout(kind), count, count), random.Random(count))
    losses = Counter(
        match.loser for match in Tree(record).matches() if match.winner > 0 and match.loser > 0
    )
    rows = standings(record)
    beaten = 1 if kind == "knockout" else 2
    assert rows[0].place == 1
    assert rows[1].place == 2
    assert losses[rows[0].number] < beaten
    assert all(losses[row.number] == beaten for row in rows[1:])
    assert max(game.round for game in record.games) <= count_rounds(record)
    for row in rows:
        assert row.name in explain_place(record, row.number)


@pytest.mark.parametrize("kind", ["knockout", "doubleknockout"])
@pytest.mark.parametrize("seed", range(6))
def test_matches_of_three_boards_end_with_a_majority(kind: str, seed: int) -> None:
    record = play(announce(knockout(kind, 3), 9, seed), random.Random(seed), leaving=0.02)
    for match in Tree(record).matches():
        assert len(match.games) <= 4
        firsts = Counter(game.seats[0] for game in match.games)
        assert (
            not firsts
            or max(firsts.values()) - min(firsts[number] for number in match.players) <= 1
        )
    assert is_over(record, 0)


def test_a_level_match_has_one_board_more_and_then_the_better_seed_goes_on() -> None:
    record = begin(announce(knockout(), 2))
    record = record.with_games(pair_next(record, 1.0))
    for expected in (1, 0):
        record = record.with_games(
            replace(game, points=(0.5, 0.5), how="played") for game in record.open_games
        )
        decider = pair_next(record, 2.0)
        assert len(decider) == expected
        record = record.with_games(decider)
    assert record.games[0].seats == record.games[1].seats[::-1]
    assert is_over(record, 3.0)
    assert standings(record)[0].number == 1


def test_after_an_adjudicated_draw_the_better_seed_goes_on_at_once() -> None:
    options = replace(knockout(), adjudication="draw")
    record = begin(announce(options, 4))
    record = adjudicate(record.with_games(pair_next(record, 1.0)), 2.0)
    (final,) = pair_next(record, 2.0)
    assert {*final.seats} == {1, 2}


def test_who_leaves_loses_the_open_match_and_nothing_before_it() -> None:
    record = begin(announce(knockout(), 4))
    record = record.with_games(pair_next(record, 1.0))
    record = win(win(record, 4), 2)
    (final,) = pair_next(record, 2.0)
    record = leave(record.with_games([final]), 4, 3.0, "withdrew")
    assert is_over(record, 4.0)
    assert [row.number for row in standings(record)[:2]] == [2, 4]
    gone = leave(record, 2, 5.0, "closed")
    assert [row.number for row in standings(gone)[:2]] == [2, 4]


def test_the_final_of_a_double_knockout_is_played_again_when_the_unbeaten_loses_it() -> None:
    record = begin(announce(knockout("doubleknockout"), 2))
    record = win(record.with_games(pair_next(record, 1.0)), 1)
    record = win(record.with_games(pair_next(record, 2.0)), 2)
    (again,) = pair_next(record, 3.0)
    assert "again" in again.reason
    record = win(record.with_games([again]), 2)
    assert is_over(record, 4.0)
    assert standings(record)[0].number == 2

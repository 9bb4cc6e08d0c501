"""Swiss events: the Dutch System beside an independent engine, and what holds in every event."""

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbm.pairing.record import EventGame, Options, Record
from pbm.pairing.rounds import admit, begin, explain_pairing, is_over, leave, pair_next
from pbm.pairing.standings import standings
from pbm.pairing.trf import list_differences, read_trf, write_trf
from tools.pairing.seasons import announce, finish, play
from tools.pairing.swiss_rounds import compare_rounds

SWISS = Options(kind="swiss", game="chess")


@pytest.mark.parametrize("seed", range(6))
def test_rounds_are_paired_as_by_an_independent_engine(seed: int, tmp_path: Path) -> None:
    for each in compare_rounds(seed + 70, tmp_path, most=24):
        assert each.ours == each.theirs


@pytest.mark.parametrize("seed", range(8))
def test_nobody_meets_twice_or_the_gone_or_has_a_colour_too_often(seed: int) -> None:
    def watch(record: Record, games: tuple[EventGame, ...]) -> None:
        gone = {each.number for each in record.entrants if each.left is not None}
        assert not gone & {number for game in games for number in game.seats}

    rng = random.Random(seed)
    options = replace(SWISS, rounds=rng.randint(3, 7))
    record = play(announce(options, rng.randint(8, 24), seed), rng, leaving=0.02, watch=watch)
    meetings = Counter(frozenset(game.seats) for game in record.games if not game.is_bye)
    assert all(len(pair) == 2 for pair in meetings)
    assert max(meetings.values()) == 1
    rounds = Counter((number, game.round) for game in record.games for number in game.seats)
    assert max(rounds.values()) == 1
    byes = Counter(game.seats for game in record.games if game.is_bye)
    assert not byes or max(byes.values()) <= 2
    last = record.options.rounds
    for entrant in record.entrants:
        colours = [
            1 if game.seats[0] == entrant.number else -1
            for game in record.games
            if entrant.number in game.seats and game.is_played and game.round < last
        ]
        assert abs(sum(colours)) <= 2
        assert all(colours[n : n + 3].count(colours[n]) < 3 for n in range(len(colours) - 2))


def test_early_pairs_are_those_that_no_open_board_can_change() -> None:
    rng = random.Random(5)
    early = 0
    for seed in range(6):
        record = begin(announce(replace(SWISS, rounds=5), 12, seed))
        record = record.with_games(pair_next(record, 1.0))
        while record.open_games and max(game.round for game in record.games) < 3:
            record = finish(record, record.open_games[0], rng, 2.0)
            games = pair_next(record, 2.0)
            if games and record.open_games:
                early += len(games)
                full = record
                for game in record.open_games:
                    full = finish(full, game, rng, 3.0)
                expected = {game.seats for game in pair_next(full, 3.0)}
                assert {game.seats for game in games} <= expected
            record = record.with_games(games)
    assert early


def test_a_late_entry_joins_the_next_round_without_points() -> None:
    rng = random.Random(1)
    record = begin(announce(replace(SWISS, rounds=3), 7))
    record = record.with_games(pair_next(record, 1.0))
    late = admit(record, "late", 1500, 2.0)
    record = record.with_entrants([late])
    assert late.joins == 2
    assert pair_next(record, 2.0) == ()
    for game in record.open_games:
        record = finish(record, game, rng, 3.0)
    second = pair_next(record, 3.0)
    assert any(late.number in game.seats for game in second)
    assert not any(game.is_bye for game in second)


def test_who_asks_for_a_bye_has_half_a_point_and_who_is_left_over_has_a_point() -> None:
    record = begin(announce(replace(SWISS, rounds=3), 8))
    record = record.with_entrants([replace(record.entrant(3), away=(1,))])
    byes = {game.seats: game.points for game in pair_next(record, 1.0) if game.is_bye}
    assert byes == {(3,): (0.5,), (8,): (1.0,)}


def test_a_swiss_ends_when_its_rounds_are_played_and_its_pairings_are_explained() -> None:
    record = play(announce(SWISS, 9), random.Random(3))
    assert record.options.rounds == 4
    assert is_over(record, 0)
    for entrant in record.entrants:
        for n in range(1, 5):
            text = explain_pairing(record, entrant.number, n)
            assert "moves first" in text or "odd" in text


def test_rounds_go_on_when_nearly_everybody_has_left() -> None:
    record = begin(announce(replace(SWISS, rounds=4), 6))
    rng = random.Random(2)
    record = record.with_games(pair_next(record, 1.0))
    for number in (2, 4, 5, 6):
        record = leave(record, number, 1.0, "silent")
    for _ in range(8):
        for game in record.open_games:
            record = finish(record, game, rng, 2.0)
        record = record.with_games(pair_next(record, 2.0))
    assert is_over(record, 3.0)
    met = [game.seats for game in record.games if {*game.seats} == {1, 3}]
    assert len(met) <= 1


@pytest.mark.parametrize("kind", ["swiss", "roundrobin"])
def test_a_trf_is_read_back_as_the_games_that_were_written(kind: str) -> None:
    options = replace(SWISS, kind=kind, rounds=5 if kind == "swiss" else 0)
    record = play(announce(options, 9), random.Random(4), leaving=0.01 if kind == "swiss" else 0)
    again = read_trf(write_trf(record))
    assert [(each.number, each.name, each.rating) for each in again.entrants] == [
        (each.number, each.name, each.rating) for each in record.entrants
    ]

    def results(record: Record) -> set[tuple[object, ...]]:
        return {(game.round, game.seats, game.points, game.how) for game in record.games}

    assert results(again) == results(record)
    lines = [write_trf(each).splitlines() for each in (record, again)]
    assert [line for line in lines[0] if line.startswith("001")] == [
        line for line in lines[1] if line.startswith("001")
    ] or kind == "swiss"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("   2 w 1", "   2 b 1"), "do not agree about round 1"),
        (("   1 b 0", "   1 b ="), "do not agree about round 1"),
        (("   2 w 1", "   2 w ?"), "is no result"),
        (("001    1", "001    x"), "has no number"),
        (("001", "002"), "names no players"),
    ],
)
def test_a_trf_that_contradicts_itself_is_refused(change: tuple[str, str], sentence: str) -> None:
    record = begin(announce(replace(SWISS, rounds=1), 2))
    (game,) = pair_next(record, 1.0)
    text = write_trf(record.with_games([replace(game, seats=(1, 2), points=(1, 0), how="played")]))
    assert change[0] in text
    with pytest.raises(ValueError, match=sentence):
        read_trf(text.replace(*change))


@pytest.mark.parametrize(
    ("codes", "points", "counted"),
    [
        (("0", "0"), (0.0, 0.0), [(0, 0, 1), (0, 0, 1)]),
        (("L", "L"), (0.0, 0.0), [(0, 0, 1), (0, 0, 1)]),
        (("=", "0"), (0.5, 0.0), [(0, 1, 0), (0, 0, 1)]),
    ],
)
def test_an_arbiter_may_have_both_lose_what_was_played(
    codes: tuple[str, str], points: tuple[float, float], counted: list[tuple[int, int, int]]
) -> None:
    record = begin(announce(replace(SWISS, rounds=1), 2))
    (game,) = pair_next(record, 1.0)
    text = write_trf(record.with_games([replace(game, seats=(1, 2), points=(1, 0), how="played")]))
    text = text.replace("   2 w 1", f"   2 w {codes[0]}").replace("   1 b 0", f"   1 b {codes[1]}")
    read = read_trf(text)
    assert [(game.points, game.how) for game in read.games] == [(points, "played")]
    rows = {row.number: (row.wins, row.draws, row.losses) for row in standings(read)}
    assert [rows[1], rows[2]] == counted


def test_tables_go_from_the_highest_scores_to_the_lowest() -> None:
    record = begin(announce(replace(SWISS, rounds=4), 16))
    rng = random.Random(7)
    for n in range(3):
        record = record.with_games(pair_next(record, n))
        for game in record.open_games:
            record = finish(record, game, rng, n)
    totals = {e.number: sum(g.points_of(e.number) for g in record.games) for e in record.entrants}
    best = [max(totals[n] for n in game.seats) for game in pair_next(record, 9.0)]
    assert all(one >= two for one, two in pairwise(best))


def test_a_report_of_swiss_manager_has_rounds_without_an_opponent() -> None:
    """Neither paired, once with a point and once without; and a double forfeit."""
    head = "012 Club Cup\n092 Individual: Swiss-System\n142 2\n"
    rows = (
        ("Ames,Ann", "   2 w 1", "0000 - -"),
        ("Birk,Bob", "   1 b 0", "   4 w -"),
        ("Cole,Cy", "0000 - +", "0000 - +"),
        ("Dorn,Di", "0000 - -", "   2 b -"),
    )
    text = head + "".join(
        f"001 {number:4d} m    {name:<33}{'':44}{'  '.join(cells)}\n"
        for number, (name, *cells) in enumerate(rows, 1)
    )
    record = read_trf(text)
    assert [game.seats for game in record.games] == [(1, 2), (3,), (2, 4), (3,)]
    table = {row.name: (row.points, row.wins, row.draws, row.losses) for row in standings(record)}
    assert table == {
        "Ames,Ann": (1.0, 1, 0, 0),
        "Birk,Bob": (0.0, 0, 0, 2),
        "Cole,Cy": (2.0, 0, 0, 0),
        "Dorn,Di": (0.0, 0, 0, 1),
    }


THREE = """012 Club Cup
{line}
001    1 m    Ames,Ann                          2000                            3.0  1        2 w 1
001    2 m    Birk,Bob                          2000                            0.0  4        1 b 0
001    3 m    Cole,Cy                           2000                            1.5  2        4 w =
001    4 m    Dorn,Di                           2000                            1.0  3        3 b =
"""


@pytest.mark.parametrize("line", ["XXS W=3.0 D=1.0", "BBW 3.0\nBBD 1.0", "162 W 3.0 D 1.0 L 0.0"])
def test_a_report_may_name_other_points_and_its_own_are_compared(line: str) -> None:
    text = THREE.format(line=line)
    record = read_trf(text)
    assert [row.points for row in standings(record)] == [3, 1, 1, 0]
    assert [(row.wins, row.draws) for row in standings(record)] == [(1, 0), (0, 1), (0, 1), (0, 0)]
    assert list_differences(text, record) == ["Cole,Cy has 1½ in the report, but 1 by its games."]
    again = write_trf(record)
    assert "XXS W=3.0 D=1.0" in again
    assert (read_trf(again).games, list_differences(again, record)) == (record.games, [])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("XXS Q=3.0", 'has "Q" where points belong, such as W=3.0; the results are W, D, L, WW'),
        ("XXS W=three", 'has "W=three" where points belong'),
        ("BBW many", 'The line "BBW many" names no points'),
    ],
)
def test_points_that_are_none_are_refused(line: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_trf(THREE.format(line=line))

"""Tie-breaks of tables made by hand."""

from typing import Literal

from msgspec.structs import replace

from pbm.pairing.record import Entrant, EventGame, Options, Record
from pbm.pairing.standings import explain_place, standings
from pbm.pairing.tie_breaks import _Table, list_rounds

ROUNDS = {
    1: [("ann", "dee", 1.0), ("bob", "eve", 0.5), ("cyd", "fay", 0.0)],
    2: [("fay", "ann", 0.5), ("eve", "cyd", 1.0), ("dee", "bob", 0.0)],
    3: [("ann", "eve", 0.0), ("bob", "fay", 1.0), ("cyd", "dee", 1.0)],
}
NAMES = ("ann", "bob", "cyd", "dee", "eve", "fay")


def small_swiss() -> Record:
    games: list[EventGame] = []
    for round, results in ROUNDS.items():
        for table, (first, second, points) in enumerate(results, 1):
            games.append(
                EventGame(
                    id=len(games) + 1,
                    round=round,
                    table=table,
                    seats=(NAMES.index(first) + 1, NAMES.index(second) + 1),
                    points=(points, 1 - points),
                    how="played",
                )
            )
    return Record(
        event=1,
        name="Small",
        options=Options(kind="swiss", game="chess", rounds=3),
        secret="07" * 32,
        entrants=tuple(Entrant(number=n, name=name) for n, name in enumerate(NAMES, 1)),
        games=tuple(games),
    )


def breaks_of(record: Record, name: str) -> dict[str, float]:
    (row,) = (row for row in standings(record) if row.name == name)
    return {each.name: each.value for each in row.breaks}


def sums_of(record: Record, name: str) -> dict[str, str]:
    (row,) = (row for row in standings(record) if row.name == name)
    return {each.name: each.sum for each in row.breaks}


def test_points_and_breaks_of_a_swiss_without_byes() -> None:
    """Points: eve 2½, bob 2½, fay 1½, ann 1½, cyd 1, dee 0."""
    record = small_swiss()
    assert [row.name for row in standings(record)] == ["eve", "bob", "fay", "ann", "cyd", "dee"]
    assert breaks_of(record, "eve")["buchholz"] == 2.5 + 1 + 1.5
    assert breaks_of(record, "bob")["buchholz"] == 2.5 + 0 + 1.5
    assert sums_of(record, "eve")["buchholz"] == "2½ (bob) + 1 (cyd) + 1½ (ann) = 5"
    assert breaks_of(record, "eve")["median"] == 1.5
    assert breaks_of(record, "eve")["sonneborn"] == 0.5 * 2.5 + 1 * 1 + 1 * 1.5
    assert breaks_of(record, "ann")["sonneborn"] == 1 * 0 + 0.5 * 1.5
    assert breaks_of(record, "ann")["wins"] == 1
    assert "Buchholz: 2½ (bob)" in explain_place(record, NAMES.index("eve") + 1)


def test_direct_encounter_decides_only_if_all_who_are_level_have_met() -> None:
    record = small_swiss()
    only = replace(record, options=replace(record.options, breaks=("direct", "lots")))
    assert sums_of(only, "ann")["direct"] == "½ (against fay) = ½"
    assert sums_of(only, "eve")["direct"] == "½ (against bob) = ½"
    games = [replace(game, points=(0.5, 0.5)) for game in record.games]
    level = only.with_games(games)
    assert sums_of(level, "eve")["direct"] == "not all who are level have met"
    assert len({each["lots"] for each in (breaks_of(level, name) for name in NAMES)}) == 6


def test_who_is_ahead_whatever_the_missing_games_had_brought_comes_first() -> None:
    """C.07, 6.2: among four who are level ann has beaten all, bob and cyd have drawn and beaten
    dee."""
    results = [(1, 2, 1.0), (1, 3, 1.0), (1, 4, 1.0), (2, 3, 0.5), (2, 4, 1.0), (3, 4, 1.0)]
    games = [
        EventGame(
            id=n, round=n, table=1, seats=(one, two), points=(points, 1 - points), how="played"
        )
        for n, (one, two, points) in enumerate(results, 1)
    ]

    def find(record: Record) -> dict[str, tuple[int, float]]:
        table = _Table(record, record.entrants, record.games)
        tie = [each.number for each in record.entrants]
        ordered = table.refine(tie, "direct")
        return {
            record.name_of(number): (place, table.breaks[number][0].value)
            for place, number in enumerate(ordered)
        }

    def build(edition: Literal["2012", "2024"], *left_out: int) -> Record:
        return Record(
            event=1,
            name="Level",
            options=Options(kind="swiss", game="chess", rounds=6, edition=edition),
            entrants=tuple(Entrant(number=n, name=name) for n, name in enumerate(NAMES[:4], 1)),
            games=tuple(game for game in games if game.id not in left_out),
        )

    assert find(build("2024")) == {"ann": (0, 3), "bob": (1, 1.5), "cyd": (2, 1.5), "dee": (3, 0)}
    # Without bob against cyd: ann stays ahead, the others might have changed places.
    assert find(build("2024", 4)) == {"ann": (0, 3), "bob": (1, 0), "cyd": (2, 0), "dee": (3, 0)}
    assert find(build("2012", 4))["ann"] == (0, 0)
    # Without ann against dee: ann has two points, bob at most one and a half, dee at most one.
    found = find(build("2024", 3))
    assert found["ann"] == (0, 2)
    assert {found[name][1] for name in ("bob", "cyd", "dee")} == {0}
    # Without ann against bob, bob could have passed her.
    assert {value for _, value in find(build("2024", 1)).values()} == {0}


def lone_rounds(results: dict[int, float], rounds: int) -> Record:
    """Somebody plays bob again and again, but has byes in the rounds named."""
    games = [
        EventGame(id=n, round=n, table=1, seats=(1,), points=(results[n],), how="bye")
        if n in results
        else EventGame(id=n, round=n, table=1, seats=(1, 2), points=(0.5, 0.5), how="played")
        for n in range(1, rounds + 1)
    ]
    return replace(small_swiss(), games=tuple(games))


def test_a_virtual_opponent_has_the_same_points_and_then_draws() -> None:
    """FIDE's first example: 1½ of 2 points, absent from round 3 of 9: the virtual opponent has 2½
    points after it and 5½ at the end. The second: 3½ of 5, a forfeit won in round 6: 3½ and 5."""
    start = [EventGame(id=n, round=n, table=1, seats=(1, 2), how="played") for n in range(1, 10)]
    first = [replace(start[0], points=(1, 0)), replace(start[1], points=(0.5, 0.5))]
    absent = EventGame(id=3, round=3, table=1, seats=(1, 2), points=(0, 1), how="forfeit")
    rest = [replace(game, points=(0, 1)) for game in start[3:]]
    record = small_swiss()
    assert list_rounds(record, 1, [*first, absent])[2].virtual == 2.5
    assert list_rounds(record, 1, [*first, absent, *rest])[2].virtual == 5.5
    half = [replace(start[n], points=(1, 0) if n < 3 else (0.25, 0.75)) for n in range(5)]
    forfeit = EventGame(id=6, round=6, table=1, seats=(1, 2), points=(1, 0), how="forfeit")
    more = [replace(game, points=(0, 1)) for game in start[6:]]
    assert list_rounds(record, 1, [*half, forfeit])[5].virtual == 3.5
    assert list_rounds(record, 1, [*half, forfeit, *more])[5].virtual == 5.0


def test_byes_count_half_a_point_for_opponents() -> None:
    record = lone_rounds({1: 1.0}, 3)
    (row,) = (row for row in standings(record) if row.name == "ann")
    assert row.points == 2
    assert breaks_of(record, "bob")["buchholz"] == (2 - 0.5) + (2 - 0.5) + (0 + 1 + 0.5 * 2)
    assert breaks_of(record, "ann")["wins"] == 0


def test_a_round_robin_counts_forfeits_as_played_and_annulled_boards_not_at_all() -> None:
    record = small_swiss()
    record = replace(record, options=Options(kind="roundrobin", game="hex"))
    assert breaks_of(record, "eve")["sonneborn"] == 0.5 * 2.5 + 1 * 1 + 1 * 1.5
    forfeited = record.with_games([replace(record.games[7], how="forfeit")])
    assert breaks_of(forfeited, "bob") == breaks_of(record, "bob") | {"wins": 1.0}
    annulled = record.with_games([replace(record.games[7], how="annulled")])
    assert breaks_of(annulled, "bob")["sonneborn"] == 0.5 * 2.5 + 1 * 0


def test_a_double_forfeit_is_lost_for_both() -> None:
    record = small_swiss()
    first = replace(record.games[0], points=(0.0, 0.0), how="forfeit")
    rows = standings(replace(record, games=(first, *record.games[1:])))
    found = {row.name: (row.wins, row.draws, row.losses) for row in rows}
    assert found["ann"] == (0, 1, 2)
    assert found["dee"] == (0, 0, 3)


def test_the_edition_of_2024_has_its_own_order_and_its_own_unplayed_rounds() -> None:
    """Ann asks to miss the last round, in which eve is left over. Ann's virtual opponent has ann's
    own points, and is cut before the lowest; for fay, ann has drawn that round, and eve has won."""
    record = small_swiss()
    record = replace(record, options=replace(record.options, edition="2024"))
    assert list(breaks_of(record, "eve")) == [
        "cut1", "buchholz", "sonneborn", "progressive", "direct", "wins", "lots",
    ]  # fmt: skip
    assert sums_of(record, "eve")["cut1"] == "1½ (ann) + 2½ (bob) = 4 (without 1 (cyd))"
    assert sums_of(record, "eve")["progressive"] == "½ + 1½ + 2½ = 4½"
    bye = EventGame(id=7, round=3, table=3, seats=(5,), points=(1.0,), how="bye")
    record = replace(record, games=(*record.games[:6], bye, *record.games[7:]))
    found = {name: breaks_of(record, name) for name in NAMES}
    assert (found["ann"]["buchholz"], found["ann"]["cut1"]) == (0 + 1.5 + 1.5, 0 + 1.5)
    assert (found["eve"]["buchholz"], found["eve"]["cut1"]) == (2.5 + 1 + 2.5, 2.5 + 2.5)
    assert found["fay"]["buchholz"] == 1 + (1.5 + 0.5) + 2.5
    before = replace(record, options=replace(record.options, edition="2012"))
    assert breaks_of(before, "ann")["buchholz"] == 0 + 1.5 + 2.5

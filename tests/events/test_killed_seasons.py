"""Some seasons through a server that dies; `python -m tools.populations.events` plays more."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pbm.features.events.running import LargeRounds
from pbm.pairing.record import Options
from pbm.pairing.rounds import begin, complete, pair_next
from pbm.pairing.standings import standings
from tools.pairing.seasons import announce
from tools.populations.events import make_club, play_season


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("events"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", [40, 142, 239])
def test_a_season_ends_well_though_the_server_dies(seed: int, club: Path) -> None:
    """A ladder whose process is killed; a knockout whose last board is not begun when its time runs
    out; a Swiss whose last bye of a round lets the next one begin."""
    _, figures = play_season(club, seed)
    assert figures.wrong == []
    assert figures.kills or figures.crashes
    assert sum(figures.games.values()) > 5


def test_a_large_round_is_paired_between_two_transactions() -> None:
    record = begin(announce(Options(kind="swiss", game="chess", rounds=5), 102))
    rounds = LargeRounds()
    assert rounds.find(record, 1.0) is None
    assert rounds.is_asked
    rounds.pair(1.0)
    assert not rounds.is_asked
    assert rounds.find(record, 1.0) == pair_next(record, 1.0)


def test_a_large_round_is_paired_anew_when_somebody_has_left_meanwhile() -> None:
    record = begin(announce(Options(kind="swiss", game="chess", rounds=5), 103))
    rounds = LargeRounds()
    assert rounds.find(record, 1.0) is None
    rounds.pair(1.0)
    without = record.with_entrants([replace(record.entrants[7], left=1.0, why="withdrew")])
    assert rounds.find(without, 1.0) is None
    rounds.pair(2.0)
    assert rounds.find(without, 2.0) == pair_next(without, 2.0)


def test_a_small_round_is_paired_at_once() -> None:
    record = begin(announce(Options(kind="swiss", game="chess", rounds=3), 8))
    assert LargeRounds().find(record, 1.0) == pair_next(record, 1.0)


def test_somebody_wins_a_knockout_whose_time_has_run_out() -> None:
    record = begin(announce(Options(kind="knockout", game="chess"), 5))
    over = complete(record, 9.0)
    assert [row.place for row in standings(over)].count(1) == 1
    assert {game.how for game in over.games} == {"adjudicated"}


def test_the_rounds_of_a_swiss_that_were_not_played_are_left_out() -> None:
    record = begin(announce(Options(kind="swiss", game="chess", rounds=3), 8))
    assert complete(record, 9.0) == record

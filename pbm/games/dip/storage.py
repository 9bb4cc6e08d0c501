"""A phase of Diplomacy as JSON values."""

from __future__ import annotations

from typing import Any

from pbm.rules.diplomacy.board import GameMap, Season, Unit
from pbm.rules.diplomacy.phases import Rules, Stage, State
from pbm.rules.diplomacy.results import Dislodged


def store_state(state: State) -> list[Any]:
    """Return the state without its map and rules."""
    return [
        state.year,
        state.season.value,
        state.stage.value,
        [_store_unit(unit) for unit in state.units],
        [[code, owner] for code, owner in state.owners.items()],
        [[_store_unit(each.unit), each.by, list(each.options)] for each in state.dislodged],
        state.winner,
    ]


def load_state(values: list[Any], game_map: GameMap, rules: Rules) -> State:
    """Return the state that `store_state` wrote."""
    year, season, stage, units, owners, dislodged, winner = values
    return State(
        game_map=game_map,
        year=year,
        season=Season(season),
        stage=Stage(stage),
        units=tuple(_load_unit(each) for each in units),
        owners=dict(owners),
        dislodged=tuple(
            Dislodged(_load_unit(unit), by, tuple(options)) for unit, by, options in dislodged
        ),
        winner=winner,
        rules=rules,
    )


def _store_unit(unit: Unit) -> list[str]:
    return [unit.power, unit.kind, unit.place]


def _load_unit(values: list[str]) -> Unit:
    power, kind, place = values
    return Unit(power, kind, place)

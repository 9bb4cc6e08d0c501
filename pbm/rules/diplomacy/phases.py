"""The game of Diplomacy from phase to phase.

A year has moves in spring and in fall, each followed by retreats if units were dislodged, then
adjustments in winter if a power has more centres than units or fewer. Centres change hands after
the fall, retreats included; phases without anything to order are skipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from pbm.rules.diplomacy.adjustments import (
    Removal,
    adjust,
    count_adjustments,
    list_build_orders,
    list_disband_orders,
)
from pbm.rules.diplomacy.board import GameMap, Season, Unit
from pbm.rules.diplomacy.equations import Paradox
from pbm.rules.diplomacy.legality import UnitsOnMap, list_orders, make_standing
from pbm.rules.diplomacy.movement import adjudicate
from pbm.rules.diplomacy.orders import Dislodged, Given, Judged, Order, Result, Retreat
from pbm.rules.diplomacy.retreats import list_retreat_orders, retreat
from pbm.rules.phrases import phrase


class Stage(Enum):
    """The three kinds of phases."""

    MOVEMENT = str(phrase("movement"))
    RETREATS = str(phrase("retreats"))
    ADJUSTMENTS = str(phrase("adjustments"))


@dataclass(frozen=True, slots=True)
class DiplomacyRules:
    """The choices that the rules of the game leave, or that its editions make differently."""

    paradox: Paradox = Paradox.SZYKMAN
    removal: Removal = Removal.RULES_2023


@dataclass(frozen=True, slots=True)
class PhaseState:
    """A game at the beginning of a phase.

    units      those that stand in a province, in order
    owners     whose each centre is; those of nobody are left out
    dislodged  the units that are to retreat, in a phase of retreats: those that can
    winner     the power that has won; nothing can be ordered any more
    """

    game_map: GameMap
    year: int
    season: Season
    stage: Stage
    units: tuple[Unit, ...]
    owners: Mapping[str, str]
    dislodged: tuple[Dislodged, ...] = ()
    winner: str = ""
    rules: DiplomacyRules = DiplomacyRules()

    @property
    def code(self) -> str:
        """The phase as judges abbreviate it: S1901M, F1901R, W1901A."""
        return f"{self.season.value[0]}{self.year}{self.stage.value[0].upper()}"

    @property
    def name(self) -> str:
        """The phase: Spring 1901, movement."""
        return f"{self.season.value} {self.year}, {self.stage.value}"

    @property
    def standing(self) -> UnitsOnMap:
        """The units by province."""
        return make_standing(self.game_map, self.units)

    def list_units(self, power: str) -> tuple[Unit, ...]:
        """Return the units of a power that stand in a province."""
        return tuple(unit for unit in self.units if unit.power == power)

    def list_centres(self, power: str) -> tuple[str, ...]:
        """Return the centres of a power."""
        return tuple(code for code, owner in self.owners.items() if owner == power)

    def count_due(self, power: str) -> int:
        """Return the number of units that a power may build, or must disband if negative."""
        return count_adjustments(self.game_map, power, self.units, self.owners)

    def list_powers_to_order(self) -> tuple[str, ...]:
        """Return the powers that have something to order in this phase."""
        if self.winner:
            return ()
        if self.stage is Stage.MOVEMENT:
            able = {unit.power for unit in self.units}
        elif self.stage is Stage.RETREATS:
            able = {each.unit.power for each in self.dislodged}
        else:
            able = {each.name for each in self.game_map.powers if self.count_due(each.name)}
        return tuple(each.name for each in self.game_map.powers if each.name in able)

    def list_orders(self, power: str) -> list[Order]:
        """Return every legal order of a power in this phase."""
        if self.winner:
            return []
        if self.stage is Stage.RETREATS:
            return list(list_retreat_orders(self.dislodged, power))
        if self.stage is Stage.ADJUSTMENTS:
            if self.count_due(power) > 0:
                return list(list_build_orders(self.game_map, power, self.units, self.owners))
            return list(list_disband_orders(power, self.units)) if self.count_due(power) else []
        standing = self.standing
        return [order for unit in self.list_units(power) for order in list_orders(standing, unit)]


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase that was adjudicated.

    judged     what became of each order, in the order in which they were given
    state      the game at its next phase
    dislodged  the units dislodged in this phase, those too that cannot retreat
    gone       the units that left the board in this phase
    """

    judged: tuple[Judged, ...]
    state: PhaseState
    dislodged: tuple[Dislodged, ...] = ()
    gone: tuple[Unit, ...] = ()


def set_up(game_map: GameMap, rules: DiplomacyRules | None = None) -> PhaseState:
    """Return the game at its first phase."""
    owners = {code: str(each.name) for each in game_map.powers for code in each.homes}
    state = PhaseState(
        game_map=game_map,
        year=game_map.year,
        season=game_map.season,
        stage=Stage.ADJUSTMENTS if game_map.season is Season.WINTER else Stage.MOVEMENT,
        units=tuple(sorted(unit for power in game_map.powers for unit in power.units)),
        owners=_sort_owners(owners),
        rules=rules or DiplomacyRules(),
    )
    return state if state.list_powers_to_order() else _follow(state)


def play(state: PhaseState, given: Sequence[Given]) -> PlayedPhase:
    """Adjudicate the phase with the orders of all powers."""
    if state.winner:
        raise ValueError("The game is over.")
    dislodged: tuple[Dislodged, ...] = ()
    if state.stage is Stage.MOVEMENT:
        movement = adjudicate(state.standing, given, state.rules.paradox)
        units, judged, dislodged = movement.units, movement.judged, movement.dislodged
        gone = tuple(each.unit for each in dislodged if not each.options)
    elif state.stage is Stage.RETREATS:
        units, judged = retreat(state.game_map, state.units, state.dislodged, given)
        gone = _list_without_retreat(state.dislodged, judged)
    else:
        units, judged = adjust(
            state.game_map, state.units, state.owners, given, state.rules.removal
        )
        gone = tuple(unit for unit in state.units if unit not in units)
    waiting = tuple(each for each in dislodged if each.options)
    after = replace(state, units=units, dislodged=waiting)
    return PlayedPhase(judged, _follow(after), dislodged, gone)


def _list_without_retreat(
    dislodged: Sequence[Dislodged], judged: Sequence[Judged]
) -> tuple[Unit, ...]:
    """Return the dislodged units that did not retreat."""
    saved = {
        each.order.province
        for each in judged
        if isinstance(each.order, Retreat) and each.result is Result.DONE
    }
    return tuple(each.unit for each in dislodged if each.unit.province not in saved)


def _follow(state: PhaseState) -> PhaseState:
    """Return the next phase with something to order, after one that has been adjudicated."""
    if state.stage is Stage.MOVEMENT and state.dislodged:
        return replace(state, stage=Stage.RETREATS)
    if state.season is Season.SPRING:
        return replace(state, season=Season.FALL, stage=Stage.MOVEMENT)
    if state.season is Season.FALL:
        state = replace(
            state,
            season=Season.WINTER,
            stage=Stage.ADJUSTMENTS,
            owners=_sort_owners(
                {
                    **state.owners,
                    **{
                        unit.province: unit.power
                        for unit in state.units
                        if state.game_map.provinces[unit.province].centre
                    },
                }
            ),
        )
        state = replace(state, winner=_find_winner(state))
        if state.winner or state.list_powers_to_order():
            return state
    return replace(state, year=state.year + 1, season=Season.SPRING, stage=Stage.MOVEMENT)


def _find_winner(state: PhaseState) -> str:
    """Return the power with the most centres, if these are enough and no other has as many."""
    counts = {str(each.name): len(state.list_centres(each.name)) for each in state.game_map.powers}
    most = max(counts.values())
    leaders = [power for power, count in counts.items() if count == most]
    return leaders[0] if most >= state.game_map.victory and len(leaders) == 1 else ""


def _sort_owners(owners: Mapping[str, str]) -> Mapping[str, str]:
    return dict(sorted(owners.items()))

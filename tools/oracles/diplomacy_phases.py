"""Random phases of Diplomacy held against the adjudicator of the package `diplomacy`: the legal
orders of all powers, then the units, retreats and centres after the phase.

`python -m tools.oracles.diplomacy_phases --phases=5000 --seed=0` compares so many and prints how
many were left out. Version 1.1.2 of the package follows the test cases in their version 2.4, and
errs here and there. What it cannot be asked is left out, with the rest of its game:

- An army whose convoy to a neighbouring province fails marches there instead: preferred by version
  2.4, no longer by version 3 (6.G.8, 6.G.11, 6.G.20).
- Help against a unit of one's own counts, where the attacker is convoyed or the unit convoys: wrong
  (6.D.12).
- A support that names the other coast than the move counts (against 6.B.9).
- A unit that was dislodged by a convoyed army may retreat to provinces that are occupied or
  contested: wrong.

It also lists supports of fleets without a coast where there are two, which we read but do not
list."""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pbm.rules.diplomacy.adjustments import Removal
from pbm.rules.diplomacy.board import ARMY, province_of
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.orders import Convoy, Given, Move, Order, Result, SupportMove
from pbm.rules.diplomacy.phases import DiplomacyRules, PhaseState, PlayedPhase, Stage, play, set_up
from tests.rules.diplomacy.random_phases import give_orders, give_paradoxes, strew

RULES = DiplomacyRules(removal=Removal.RULES_2000)
MOST = 8
"""Phases of a game."""


class Theirs:
    """A game of the package, set up as one of ours."""

    def __init__(self, state: PhaseState) -> None:
        with warnings.catch_warnings():
            # It leaves a file of its own open.
            warnings.simplefilter("ignore")
            from diplomacy import Game

            self.game: Any = Game()
        self.game_map = state.game_map
        self.game.clear_units()
        self.game.clear_centers()
        for power in state.game_map.powers:
            self.game.set_units(power.name.upper(), list(map(str, state.list_units(power.name))))
            self.game.set_centers(power.name.upper(), list(state.list_centres(power.name)))

    def spell(self, order: Order) -> str:
        """Return the order as they write it: VIA for every convoy."""
        if isinstance(order, Move) and order.kind == ARMY and not order.via:
            far = order.to not in self.game_map.armies[order.place]
            return f"{order} VIA" if far else str(order)
        return str(order)

    def list_orders(self) -> set[str]:
        """Return every legal order but supports of a fleet without the coast."""
        listed = self.game.get_all_possible_orders().values()
        return {order for orders in listed for order in orders if not self._lacks_coast(order)}

    def _lacks_coast(self, order: str) -> bool:
        to = order.split()[-1]
        split = to in self.game_map.provinces and self.game_map.provinces[to].coasts
        return " S F " in order and " - " in order and bool(split)

    def play(self, given: Iterable[Given]) -> None:
        """Adjudicate the phase."""
        orders: dict[str, list[str]] = {}
        for each in given:
            orders.setdefault(each.power.upper(), []).append(self.spell(each.order))
        for power, listed in orders.items():
            self.game.set_orders(power, listed)
        self.game.process()

    def describe(self) -> tuple[str, set[str], dict[str, set[str]], dict[str, str]]:
        """Return the phase, the units, those dislodged with their retreats, the owners of the
        centres."""
        return (
            self.game.get_current_phase(),
            {
                f"{power} {unit}"
                for power, units in self.game.get_units().items()
                for unit in units
                if not unit.startswith("*")
            },
            {
                f"{name} {unit}": set(places)
                for name, power in self.game.powers.items()
                for unit, places in power.retreats.items()
            },
            {code: power for power, held in self.game.get_centers().items() for code in held},
        )


def describe_ours(state: PhaseState) -> tuple[str, set[str], dict[str, set[str]], dict[str, str]]:
    """Return the same description of our game."""
    return (
        state.code,
        {f"{unit.power.upper()} {unit}" for unit in state.units},
        {f"{e.unit.power.upper()} {e.unit}": set(e.options) for e in state.dislodged},
        {code: power.upper() for code, power in state.owners.items()},
    )


def is_left_out(state: PhaseState, played: PlayedPhase) -> bool:
    """Whether the oracle is known to differ about such a phase."""
    at, armies = state.standing.at, state.game_map.armies
    legal = [each for each in played.judged if each.result is not Result.ILLEGAL]
    carried = {
        each.order.other
        for each in legal
        if isinstance(each.order, Convoy) and each.result is not Result.UNMATCHED
    }
    carried |= {o.province for o in (e.order for e in legal) if isinstance(o, Move) and o.via}
    fleets = {each.order.province for each in legal if isinstance(each.order, Convoy)}
    goals = {
        each.order.province: province_of(each.order.to)
        for each in legal
        if isinstance(each.order, Move)
    }
    against_own = set[tuple[str, str]]()
    for each in legal:
        order = each.order
        if isinstance(order, Move) and each.result is Result.NO_CONVOY:
            falls_back = order.to in armies[order.place]
            if falls_back:
                return True
        if isinstance(order, SupportMove) and each.result is Result.UNMATCHED:
            to_other_coast = province_of(order.to) == goals.get(province_of(order.other))
            if to_other_coast:
                return True
        elif isinstance(order, SupportMove):
            to = province_of(order.to)
            if to in at and at[to].power == each.power:
                if order.other in carried or to in fleets:
                    return True
                against_own.add((province_of(order.other), to))
    if any((to, start) in against_own for start, to in against_own):
        return True
    return any(each.by in carried for each in played.dislodged)


def compare(phases: int, seed: int = 0) -> Counter[str]:
    """Compare that many phases. Return how many of each kind, and how many were left out.
    AssertionError says what differs."""
    rng, game_map = random.Random(seed), find_map("standard")
    found = Counter[str]()
    while found.total() - found["left out"] < phases:
        state = strew(game_map, rng, RULES) if rng.random() < 0.8 else set_up(game_map, RULES)
        for kind in _play_game(state, rng, f"seed {seed}, after {dict(found)}"):
            found[kind] += 1
    return found


def _play_game(state: PhaseState, rng: random.Random, title: str) -> Iterator[str]:
    theirs = Theirs(state)
    for _ in range(MOST):
        if state.winner:
            return
        powers = [power.name for power in state.game_map.powers]
        ours = {theirs.spell(o) for power in powers for o in state.list_orders(power)}
        listed = theirs.list_orders()
        assert ours == listed, (
            f"{title}, {state.code}: {', '.join(map(str, state.units))}\nonly ours: "
            f"{sorted(ours - listed)}\nonly the oracle's: {sorted(listed - ours)}"
        )
        strange = state.stage is Stage.MOVEMENT and rng.random() < 0.2
        given = give_paradoxes(state, rng) if strange else give_orders(state, rng)
        played = play(state, given)
        if state.stage is Stage.MOVEMENT and is_left_out(state, played):
            yield "left out"
            return
        theirs.play(given)
        yield state.stage.value
        judged = "\n".join(f"{each.power} {each.order}: {each.result}" for each in played.judged)
        state, ends, others = played.state, describe_ours(played.state), theirs.describe()
        if state.winner:  # of which they do not say so in the phase
            ends, others = (state.code, *ends[1:]), (state.code, *others[1:])
        assert ends == others, f"{title}, before {state.code}\n{judged}\n{ends}\n{others}"


def main(arguments: list[str]) -> None:
    options = dict(word.removeprefix("--").split("=") for word in arguments)
    found = compare(int(options.get("phases", 5000)), int(options.get("seed", 0)))
    listed = ", ".join(f"{number:,} {kind}" for kind, number in found.most_common())
    sys.stdout.write(f"{listed}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

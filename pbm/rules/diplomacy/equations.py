"""The equations between the answers of a movement phase, evaluated with what is known of them.

A question is a word and a province: ("move", "PAR"). Its equation is evaluated with bounds:
strengths are at least what certain supports make them and at most what possible ones do, so that
the answer is yes, no, or not yet known (None). Strengths as in chapter 5.B of the Diplomacy
Adjudicator Test Cases: attack, hold, defend (head to head) and prevent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from pbm.rules.diplomacy.board import ARMY, province_of
from pbm.rules.diplomacy.legality import UnitsOnMap
from pbm.rules.diplomacy.orders import (
    Convoy,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)

Question: TypeAlias = tuple[str, str]
Answers: TypeAlias = dict[Question, bool]
Bounds: TypeAlias = tuple[int, int]

MOVE, PATH, SUPPORT, CONVOY = "move", "path", "support", "convoy"
NOTHING = (0, 0)


class Paradox(Enum):
    """The rules for convoys on whose arrival depends whether they arrive.

    SZYKMAN    the fleets of the paradox do not convoy
    ALL_HOLD   all moves of the paradox fail
    RULES_1982 a convoyed army never cuts support for an action where a fleet convoys
    RULES_2000 a convoyed army does not cut support for an attack on a fleet that its convoy needs;
               what is then still a paradox is resolved as by SZYKMAN
    """

    SZYKMAN = "szykman"
    ALL_HOLD = "all hold"
    RULES_1982 = "1982"
    RULES_2000 = "2000"


class Equations:
    """The equations of one phase and the answers found so far.

    moving     the move of each unit that moves
    convoyed   the provinces whose armies go by convoy, with the fleets ordered to carry them
    attackers  for each province the units that move there
    supports   the supports of something that was ordered
    helpers    for each unit the units that support it so
    convoys    for each fleet that convoys an army that so moves, the army's province
    """

    def __init__(
        self, standing: UnitsOnMap, orders: Mapping[str, MovementOrder], paradox: Paradox
    ) -> None:
        self.standing, self.paradox = standing, paradox
        self.answers: Answers = {}
        self.moving = {code: each for code, each in orders.items() if isinstance(each, Move)}
        carriers = dict[tuple[str, str], list[str]]()
        for code, order in orders.items():
            if isinstance(order, Convoy):
                carriers.setdefault((order.other, order.to), []).append(code)
        self.convoyed: dict[str, list[str]] = {}
        self.convoys: dict[str, str] = {}
        for code, move in self.moving.items():
            fleets = carriers.get((code, move.to), [])
            if self._is_convoyed(code, move, fleets):
                self.convoyed[code] = fleets
                self.convoys.update(dict.fromkeys(fleets, code))
        self.attackers: dict[str, list[str]] = {}
        for code, move in self.moving.items():
            self.attackers.setdefault(province_of(move.to), []).append(code)
        self.supports: dict[str, SupportHold | SupportMove] = {}
        self.helpers: dict[str, list[str]] = {code: [] for code in orders}
        for code, order in orders.items():
            if isinstance(order, (SupportHold, SupportMove)) and self._is_matched(order):
                self.supports[code] = order
                self.helpers[province_of(order.other)].append(code)
        self.harmless = {code: set(self._list_harmless(code)) for code in self.supports}
        """For each support the convoyed armies that a rule of 1982 or 2000 keeps from cutting
        it."""
        self.questions: list[Question] = [
            *((CONVOY, code) for code in self.convoys),
            *((PATH, code) for code in self.convoyed),
            *((SUPPORT, code) for code in self.supports),
            *((MOVE, code) for code in self.moving),
        ]

    def _is_convoyed(self, code: str, move: Move, fleets: list[str]) -> bool:
        """Whether an army goes by sea: because it must, was ordered to, or a fleet of its own power
        convoys it."""
        unit = self.standing.at[code]
        if unit.kind != ARMY:
            return False
        if move.via or move.to not in self.standing.game_map.list_near(unit):
            return True
        return any(self.standing.at[fleet].power == unit.power for fleet in fleets)

    def _is_matched(self, order: SupportHold | SupportMove) -> bool:
        move = self.moving.get(province_of(order.other))
        if isinstance(order, SupportHold):
            return move is None
        return move is not None and order.to in (move.to, province_of(move.to))

    def _list_harmless(self, code: str) -> Iterator[str]:
        order = self.supports[code]
        where = province_of(order.to if isinstance(order, SupportMove) else order.other)
        for army in self.attackers.get(code, ()):
            if army not in self.convoyed or where not in self.convoys:
                continue
            if self.paradox is Paradox.RULES_1982:
                yield army
            elif self.paradox is Paradox.RULES_2000 and isinstance(order, SupportMove):
                others = {fleet for fleet in self.convoyed[army] if fleet != where}
                if where in self.convoyed[army] and not self._is_crossed(army, others):
                    yield army

    # What was answered, for whoever shows the results.

    def moves(self, code: str) -> bool:
        """Whether the unit moved."""
        return self.answers[MOVE, code]

    def arrives(self, code: str) -> bool:
        """Whether the unit came as far as the border."""
        return self.answers.get((PATH, code), True)

    def counts(self, code: str) -> bool:
        """Whether the support was not cut."""
        return self.answers[SUPPORT, code]

    def carries(self, code: str) -> bool:
        """Whether the fleet convoyed until the army was across."""
        return self.answers[CONVOY, code] and self.arrives(self.convoys[code])

    def prevents(self, code: str) -> bool:
        """Whether the moving unit kept others out of the province it moved to."""
        return self._bound_prevent(code)[0] > 0

    # The equations.

    def evaluate(self, question: Question) -> bool | None:
        """Return the answer that those known so far leave, None if they leave both."""
        word, code = question
        if word == MOVE:
            return self._evaluate_move(code)
        if word == SUPPORT:
            return self._evaluate_support(code)
        if word == PATH:
            return self._evaluate_path(code)
        attacks = [self.answers.get((MOVE, other)) for other in self.attackers.get(code, ())]
        return False if True in attacks else None if None in attacks else True

    def list_read(self, question: Question) -> Iterator[Question]:
        """Yield the questions whose answers the equation reads."""
        word, code = question
        if word == PATH:
            yield from ((CONVOY, fleet) for fleet in self.convoyed[code])
        elif word in (SUPPORT, CONVOY):
            for other in self.attackers.get(code, ()):
                yield (MOVE, other)
                if word == SUPPORT and other in self.convoyed:
                    yield (PATH, other)
        else:
            to = province_of(self.moving[code].to)
            for other in {*self.attackers[to], to}:
                yield from ((SUPPORT, helper) for helper in self.helpers.get(other, ()))
                if other in self.convoyed:
                    yield (PATH, other)
                if opponent := self._find_opponent(other):
                    yield (MOVE, opponent)
            if to in self.moving:
                yield (MOVE, to)

    def _evaluate_path(self, code: str) -> bool | None:
        fleets = self.convoyed[code]
        known = {fleet: self.answers.get((CONVOY, fleet)) for fleet in fleets}
        if self._is_crossed(code, {fleet for fleet in fleets if known[fleet]}):
            return True
        possible = {fleet for fleet in fleets if known[fleet] is not False}
        return None if self._is_crossed(code, possible) else False

    def _is_crossed(self, code: str, fleets: set[str]) -> bool:
        """Whether these fleets lead the army across."""
        to = province_of(self.moving[code].to)
        return self.standing.is_chain(code, to, frozenset(fleets))

    def _evaluate_support(self, code: str) -> bool | None:
        order, power = self.supports[code], self.standing.at[code].power
        where = province_of(order.to) if isinstance(order, SupportMove) else ""
        known: bool | None = True
        for other in self.attackers.get(code, ()):
            if other in self.harmless[code]:
                continue
            cuts = self.answers.get((MOVE, other))
            if other != where and self.standing.at[other].power != power and cuts is not True:
                cuts = self.answers.get((PATH, other)) if other in self.convoyed else True
            if cuts:
                return False
            if cuts is None:
                known = None
        return known

    def _evaluate_move(self, code: str) -> bool | None:
        to = province_of(self.moving[code].to)
        least, most = self._bound_attack(code)
        opponent = self._find_opponent(code)
        against = [self._bound_support(opponent) if opponent else self._bound_hold(to)]
        against += [self._bound_prevent(other) for other in self.attackers[to] if other != code]
        if all(least > high for _, high in against):
            return True
        if any(most <= low for low, _ in against):
            return False
        return None

    def _find_opponent(self, code: str) -> str:
        """Return the unit that the unit meets head to head, "" if none."""
        move = self.moving.get(code)
        if move is None or code in self.convoyed:
            return ""
        to = province_of(move.to)
        back = self.moving.get(to)
        if back is None or to in self.convoyed or province_of(back.to) != code:
            return ""
        return to

    def _bound_support(self, code: str, without: str = "") -> Bounds:
        """Count 1 and the supports of the unit, those of one power left out."""
        least = most = 1
        for helper in self.helpers[code]:
            if self.standing.at[helper].power != without:
                known = self.answers.get((SUPPORT, helper))
                least += known is True
                most += known is not False
        return least, most

    def _bound_attack(self, code: str) -> Bounds:
        arrives = self.answers.get((PATH, code)) if code in self.convoyed else True
        if arrives is False:
            return NOTHING
        to = province_of(self.moving[code].to)
        there = self.standing.at.get(to)
        leaves: bool | None = there is None
        if to in self.moving and not self._find_opponent(code):
            leaves = self.answers.get((MOVE, to))
        least = most = 0
        if there is None or leaves is not False:
            least, most = self._bound_support(code)
        if there is not None and leaves is not True:
            stays = NOTHING
            if there.power != self.standing.at[code].power:
                stays = self._bound_support(code, without=there.power)
            least, most = stays[0], max(most, stays[1])
        return (least if arrives else 0), most

    def _bound_hold(self, code: str) -> Bounds:
        if code not in self.standing.at:
            return NOTHING
        if code not in self.moving:
            return self._bound_support(code)
        leaves = self.answers.get((MOVE, code))
        return (int(leaves is False), int(leaves is not True))

    def _bound_prevent(self, code: str) -> Bounds:
        arrives = self.answers.get((PATH, code)) if code in self.convoyed else True
        opponent = self._find_opponent(code)
        beaten = self.answers.get((MOVE, opponent)) if opponent else False
        if arrives is False or beaten is True:
            return NOTHING
        least, most = self._bound_support(code)
        return (least if arrives and beaten is False else 0), most

"""Adjudicates the orders of a movement phase.

Each order is a question or two with the answers yes and no: does the move succeed, does its convoy
arrive, does the support count, does the fleet carry on convoying? The answers depend on each other
by the equations of strengths in Lucas B. Kruijswijk's "The Math of Adjudication" (Diplomatic Pouch,
Spring 2009) and chapter 5 of his Diplomacy Adjudicator Test Cases, version 3. An answer is given as
soon as the others that are known leave no choice (`equations`). What then still depends on itself
is taken ring by ring (`rings`): if one set of answers alone satisfies its equations it is taken,
otherwise units that follow each other in a circle all move, and a ring with a convoy is a paradox,
for which `Rules.paradox` names the rule. Illegal orders are as if they had not been written, and
the later of two orders to a unit counts. The choices are listed in docs/rules/diplomacy.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbm.rules.diplomacy.board import Unit, province_of
from pbm.rules.diplomacy.equations import (
    CONVOY,
    MOVE,
    PATH,
    SUPPORT,
    Answers,
    Equations,
    Paradox,
    Question,
)
from pbm.rules.diplomacy.legality import UnitsOnMap, check_movement
from pbm.rules.diplomacy.orders import (
    Convoy,
    Dislodged,
    Given,
    Hold,
    Judged,
    Move,
    MovementOrder,
    Order,
    Result,
    SupportHold,
    SupportMove,
)
from pbm.rules.errors import IllegalMove


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement phase adjudicated: a `Judged` for each order given, in their order."""

    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    judged: tuple[Judged, ...]


def adjudicate(
    standing: UnitsOnMap, given: Sequence[Given], paradox: Paradox = Paradox.SZYKMAN
) -> Movement:
    """Move the units as ordered; those without a legal order hold."""
    orders, judged = sort_out(standing, given)
    holding: dict[str, MovementOrder] = {
        code: orders.get(code, Hold(unit.kind, unit.place)) for code, unit in standing.at.items()
    }
    equations = Equations(standing, holding, paradox)
    answer_all(equations)
    final = tuple(
        each
        if each.result is not Result.DONE
        else Judged(each.power, each.order, _name_result(equations, each.order))
        for each in judged
    )
    units, dislodged = _move_units(standing, equations)
    return Movement(units, dislodged, final)


def sort_out(
    standing: UnitsOnMap, given: Sequence[Given]
) -> tuple[Mapping[str, MovementOrder], list[Judged]]:
    """Return the legal order of each unit that has one, by province, and the orders with those
    marked that are illegal or replaced."""
    orders, judged, last = dict[str, MovementOrder](), list[Judged](), dict[str, int]()
    for number, each in enumerate(given):
        try:
            order = check_movement(standing, each.power, each.order)
        except IllegalMove as refusal:
            judged.append(Judged(each.power, each.order, Result.ILLEGAL, str(refusal)))
            continue
        judged.append(Judged(each.power, order, Result.DONE))
        code = order.province
        if code in last:
            earlier = judged[last[code]]
            judged[last[code]] = Judged(earlier.power, earlier.order, Result.REPLACED)
        orders[code], last[code] = order, number
    return orders, judged


def _name_result(equations: Equations, order: Order) -> Result:
    if isinstance(order, Move):
        if equations.moves(order.province):
            return Result.DONE
        return Result.BOUNCED if equations.arrives(order.province) else Result.NO_CONVOY
    if isinstance(order, (SupportHold, SupportMove)):
        if order.province not in equations.supports:
            return Result.UNMATCHED
        return Result.DONE if equations.counts(order.province) else Result.CUT
    if isinstance(order, Convoy):
        if order.province not in equations.convoys:
            return Result.UNMATCHED
        return Result.DONE if equations.carries(order.province) else Result.NO_CONVOY
    return Result.DONE


def _move_units(
    standing: UnitsOnMap, equations: Equations
) -> tuple[tuple[Unit, ...], tuple[Dislodged, ...]]:
    after, by = dict[str, Unit](), dict[str, str]()
    for code, move in equations.moving.items():
        if equations.moves(code):
            unit = standing.at[code]
            after[province_of(move.to)] = Unit(unit.power, unit.kind, move.to)
            by[province_of(move.to)] = code
    lost = list[Unit]()
    for code, unit in standing.at.items():
        if code in equations.moving and equations.moves(code):
            continue
        if code in after:
            lost.append(unit)
        else:
            after[code] = unit
    contested = {
        code
        for code, movers in equations.attackers.items()
        if code not in after and any(equations.prevents(mover) for mover in movers)
    }
    dislodged = tuple(
        Dislodged(
            unit,
            by[unit.province],
            _list_retreats(standing, unit, {*after, *contested, *_barred(equations, by, unit)}),
        )
        for unit in sorted(lost)
    )
    return tuple(sorted(after.values())), dislodged


def _barred(equations: Equations, by: Mapping[str, str], unit: Unit) -> set[str]:
    """Return the province from which the unit was dislodged over the border."""
    attacker = by[unit.province]
    return set() if attacker in equations.convoyed else {attacker}


def _list_retreats(standing: UnitsOnMap, unit: Unit, closed: set[str]) -> tuple[str, ...]:
    steps = standing.game_map.list_steps(unit)
    return tuple(sorted(place for place in steps if province_of(place) not in closed))


# Answers all questions of a movement phase, those too that depend on themselves.

_GUESSED_FIRST = (CONVOY, MOVE, SUPPORT, PATH)
_MOST_GUESSES = 2_000
"""Guesses that the search in one ring may cost; one that needs more counts as having no
solution."""


def answer_all(equations: Equations) -> None:
    """Fill in `equations.answers`."""
    _deduce(equations, equations.questions)
    while len(equations.answers) < len(equations.questions):
        for ring in _find_rings(equations):
            _answer_ring(equations, ring)
        _deduce(equations, equations.questions)


def _deduce(equations: Equations, questions: Iterable[Question]) -> None:
    """Answer what the answers known leave no choice about, until nothing new is found."""
    answers = equations.answers
    waiting = [question for question in questions if question not in answers]
    found = True
    while found:
        found, still = False, list[Question]()
        for question in waiting:
            answer = equations.evaluate(question)
            if answer is None:
                still.append(question)
            else:
                answers[question], found = answer, True
        waiting = still


def _answer_ring(equations: Equations, ring: list[Question]) -> None:
    """Answer some questions of a ring, at least one."""
    solutions = _list_solutions(equations, ring)
    convoys = [question for question in ring if question[0] == CONVOY]
    if len(solutions) == 1 or (solutions and not convoys):
        equations.answers.update(solutions[0])
    elif convoys and equations.paradox is not Paradox.ALL_HOLD:
        equations.answers.update(dict.fromkeys(convoys, False))
    else:
        stop = [question for question in ring if question[0] in (MOVE, PATH)]
        equations.answers.update(dict.fromkeys(stop or ring, False))


def _list_solutions(equations: Equations, ring: list[Question]) -> list[Answers]:
    """Return up to two sets of answers that satisfy the equations of the ring; the first has units
    moving where it can."""
    known = equations.answers
    found, guesses = list[Answers](), [_MOST_GUESSES]

    def search(guessed: Answers) -> None:
        equations.answers = known | guessed
        _deduce(equations, ring)
        tried = equations.answers
        if any(equations.evaluate(each) is (not answer) for each, answer in guessed.items()):
            return
        open_questions = [question for question in ring if question not in tried]
        if not open_questions:
            found.append({question: tried[question] for question in ring})
            return
        for answer in (True, False):
            guesses[0] -= 1
            if len(found) < 2 and guesses[0] > 0:
                search(guessed | {open_questions[0]: answer})

    search({})
    equations.answers = known
    return found if guesses[0] > 0 else []


def _find_rings(equations: Equations) -> list[list[Question]]:
    """Return the sets of open questions that depend on each other and on no other open question:
    the last strongly connected components, found as by Tarjan."""
    answers = equations.answers
    reads = {
        question: [read for read in equations.list_read(question) if read not in answers]
        for question in equations.questions
        if question not in answers
    }
    number, low = dict[Question, int](), dict[Question, int]()
    stack, rings = list[Question](), list[list[Question]]()
    closed = set[Question]()

    def visit(root: Question) -> None:
        work: list[tuple[Question, Iterator[Question]]] = [(root, iter(reads[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while work:
            question, left = work[-1]
            read = next(left, None)
            if read is None:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[question])
                if low[question] == number[question]:
                    members = stack[stack.index(question) :]
                    del stack[stack.index(question) :]
                    inside = set(members)
                    if all(each in inside for member in members for each in reads[member]):
                        rings.append(sorted(members, key=_rank))
                    closed.update(members)
            elif read not in number:
                number[read] = low[read] = len(number)
                stack.append(read)
                work.append((read, iter(reads[read])))
            elif read not in closed:
                low[question] = min(low[question], number[read])

    for question in reads:
        if question not in number:
            visit(question)
    return rings


def _rank(question: Question) -> tuple[int, str]:
    return _GUESSED_FIRST.index(question[0]), question[1]

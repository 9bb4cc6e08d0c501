"""Who meets whom in a round robin: Berger tables for two seats, balanced tables for more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations

Table = tuple[int, ...]
"""Numbers in the order of the seats."""


@lru_cache(maxsize=64)
def schedule(numbers: tuple[int, ...], seats: int, boards: int, rounds: int) -> list[list[Table]]:
    """Return the tables of each round. For two seats everybody meets everybody on so many boards;
    for more, there are so many rounds (0: as many as a table has seats), and nobody meets others or
    takes a seat more often than can be helped."""
    if len(numbers) < seats:
        return []
    if seats == 2:
        single = berger(numbers)
        reverse: list[list[Table]] = [[table[::-1] for table in tables] for tables in single]
        return [tables for n in range(boards) for tables in (reverse if n % 2 else single)]
    return balance(numbers, seats, rounds or seats * boards)


def berger(numbers: Sequence[int]) -> list[list[Table]]:
    """Return the rounds of a round robin after the Berger tables (FIDE Handbook C.05, annex 1), the
    player with the first move before the other; who would meet nobody is left out."""
    players: list[int | None] = [*numbers] + [None] * (len(numbers) % 2)
    count = len(players)
    circle, last = players[:-1], players[-1]
    rounds: list[list[Table]] = []
    for n in range(count - 1):
        place = n * count // 2 % (count - 1)
        head = circle[place]
        pairs = [(last, head) if n % 2 else (head, last)]
        for step in range(1, count // 2):
            pairs.append(
                (circle[(place + step) % (count - 1)], circle[(place - step) % (count - 1)])
            )
        rounds.append(
            [(one, other) for one, other in pairs if one is not None and other is not None]
        )
    return rounds


def balance(numbers: Sequence[int], seats: int, rounds: int) -> list[list[Table]]:
    """Return rounds of tables with three seats or more. Where the number of players is no multiple
    of the seats, those sit out who have done so least."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    out: Counter[int] = Counter()
    result = []
    for n in range(rounds):
        turned = [*numbers[n % len(numbers) :], *numbers[: n % len(numbers)]]
        resting = sorted(turned, key=lambda number: out[number])[: len(turned) % seats]
        out.update(resting)
        playing = [number for number in turned if number not in resting]
        tables = []
        for table in _separate(playing, seats, met):
            tables.append(_sit(table, sat))
            met.update(tuple(sorted(pair)) for pair in combinations(table, 2))  # type: ignore[misc]
            sat.update((number, seat) for seat, number in enumerate(tables[-1]))
        result.append(tables)
    return result


def _separate(playing: Sequence[int], seats: int, met: Counter[tuple[int, int]]) -> list[list[int]]:
    """Return tables whose players have met as seldom as possible: dealt out, then improved by
    swaps."""
    tables = [list(playing[n :: len(playing) // seats]) for n in range(len(playing) // seats)]

    def cost(table: Sequence[int]) -> int:
        return sum(met[min(pair), max(pair)] ** 2 for pair in combinations(table, 2))

    is_better = True
    while is_better:
        is_better = False
        for one, other in combinations(tables, 2):
            for first in range(seats):
                for second in range(seats):
                    before = cost(one) + cost(other)
                    one[first], other[second] = other[second], one[first]
                    if cost(one) + cost(other) < before:
                        is_better = True
                    else:
                        one[first], other[second] = other[second], one[first]
    return tables


def _sit(table: Sequence[int], sat: Counter[tuple[int, int]]) -> Table:
    """Return the players of a table in the order of seats: each where it has sat least. Above six
    seats one after the other chooses."""

    def cost(order: Sequence[int]) -> int:
        return sum((sat[number, seat] + 1) ** 2 for seat, number in enumerate(order))

    if len(table) <= 6:
        return min(permutations(table), key=cost)
    left, order = list(table), []
    for seat in range(len(table)):
        order.append(min(left, key=lambda number: sat[number, seat]))
        left.remove(order[-1])
    return tuple(order)

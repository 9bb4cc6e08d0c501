"""Matchings against all there are, in small graphs."""

import random
from collections.abc import Iterator

import pytest

from pbm.pairing.swiss.weighted_matching import Matching

Weights = list[list[int]]


def random_weights(rng: random.Random, count: int, most: int) -> Weights:
    weights = [[0] * count for _ in range(count)]
    for first in range(count):
        for second in range(first):
            weights[first][second] = weights[second][first] = rng.randint(0, most)
    return weights


def all_matchings(vertices: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not vertices:
        yield []
        return
    first, *rest = vertices
    for second in rest:
        for others in all_matchings([vertex for vertex in rest if vertex != second]):
            yield [(first, second), *others]


def weigh(weights: Weights, pairs: list[tuple[int, int]]) -> int:
    return sum(weights[first][second] for first, second in pairs)


def pairs_of(matching: Matching) -> list[tuple[int, int]]:
    return [(vertex, matching.mate[vertex]) for vertex in matching.alive]


@pytest.mark.parametrize("most", [1, 2, 9, 10**40])
def test_no_matching_is_heavier(most: int) -> None:
    rng = random.Random(most)
    for _ in range(60):
        weights = random_weights(rng, rng.choice([2, 4, 6, 8]), most)
        matching = Matching(weights)
        pairs = pairs_of(matching)
        assert {(second, first) for first, second in pairs} == set(pairs)
        best = max(weigh(weights, each) for each in all_matchings(matching.alive))
        assert weigh(weights, pairs) == 2 * best


@pytest.mark.parametrize("most", [1, 9, 10**40])
def test_hint_and_bounds_decide_nothing(most: int) -> None:
    rng = random.Random(most)
    for _ in range(60):
        count = rng.choice([2, 4, 6, 8])
        weights = random_weights(rng, count, most)
        bounds = [rng.randint(-most, 3 * most) for _ in range(count)]
        for vertex, row in enumerate(weights):
            others = [2 * row[each] - bounds[each] for each in range(count) if each != vertex]
            bounds[vertex] = max(bounds[vertex], *others)
        shuffled = rng.sample(range(count), count)
        hint = list(zip(shuffled[::2], shuffled[1::2], strict=True))
        matching = Matching(weights, hint, bounds)
        best = max(weigh(weights, each) for each in all_matchings(matching.alive))
        assert weigh(weights, pairs_of(matching)) == 2 * best


@pytest.mark.parametrize("most", [1, 3])
def test_pairs_are_forced_exactly_when_a_best_matching_has_them(most: int) -> None:
    rng = random.Random(most)
    for _ in range(60):
        count = rng.choice([4, 6, 8])
        weights = random_weights(rng, count, most)
        matching = Matching(weights)
        best = max(weigh(weights, each) for each in all_matchings(matching.alive))
        optimal = [each for each in all_matchings(matching.alive) if weigh(weights, each) == best]
        for first in range(count):
            for second in range(first + 1, count):
                if first not in matching.alive or second not in matching.alive:
                    continue
                fitting = [each for each in optimal if (first, second) in each]
                assert matching.force(first, second) == bool(fitting)
                optimal = fitting or optimal
        assert not matching.alive

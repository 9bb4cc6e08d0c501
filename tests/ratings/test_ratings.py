"""Ratings: the page's formula and examples, and what must hold for any result."""

from __future__ import annotations

import math
import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.core.log_view import RatingChange
from pbm.features.finding.help import find_page
from pbm.ratings import (
    BETA,
    ESTABLISHED,
    KAPPA,
    NEW,
    SIGMA,
    TAU,
    Rating,
    compute_chances,
    rate,
)

_RATINGS = st.builds(Rating, st.floats(-20, 70), st.floats(0.5, SIGMA))


@st.composite
def results(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    """Two to six seats with ratings and ranks that fit."""
    before = draw(st.lists(_RATINGS, min_size=2, max_size=6))
    order = [draw(st.integers(0, len(before) - 1)) for _ in before]
    return before, [1 + sum(other < mine for other in order) for mine in order]


def as_the_page_says(before: list[Rating], ranks: list[int]) -> list[tuple[float, float]]:
    """The formula of the help page, written down once more."""
    means = [rating.mu for rating in before]
    spread = [math.sqrt(rating.sigma**2 + TAU**2) for rating in before]
    seats = range(len(before))
    c = math.sqrt(sum(s**2 + BETA**2 for s in spread))
    weight = [math.exp(mean / c) for mean in means]
    total = [sum(weight[s] for s in seats if ranks[s] >= ranks[q]) for q in seats]
    shared = [ranks.count(ranks[q]) for q in seats]
    after = []
    for i in seats:
        better = [q for q in seats if ranks[q] <= ranks[i]]
        p = {q: weight[i] / total[q] for q in better}
        o = sum(((q == i) - p[q]) / shared[q] for q in better)
        d = sum(p[q] * (1 - p[q]) / shared[q] for q in better)
        shrunk = max(1 - d * (spread[i] / c) ** 3, KAPPA)
        after.append((means[i] + o * spread[i] ** 2 / c, spread[i] * math.sqrt(shrunk)))
    return after


@given(results())
@settings(max_examples=150, deadline=None)
def test_the_formula_of_the_help_page(result: tuple[list[Rating], list[int]]) -> None:
    before, ranks = result
    after = rate(before, ranks)
    for rating, (mu, sigma) in zip(after, as_the_page_says(before, ranks), strict=True):
        assert rating.mu == pytest.approx(mu, rel=1e-9, abs=1e-9)
        assert rating.sigma == pytest.approx(sigma, rel=1e-9)


def test_the_examples_of_the_help_page() -> None:
    text = find_page("ratings")[1]
    lines = re.findall(r"^   (ann|bob) +(\S.*)$", text, re.MULTILINE)
    known = {"ann": NEW, "bob": NEW}
    expected = []
    for ranks in ([1, 2], [2, 1]):
        before = [known["ann"], known["bob"]]
        after = rate(before, ranks)
        for seat, who in enumerate(("ann", "bob")):
            change = RatingChange(
                1,
                "cradle",
                seat,
                seat,
                who,
                ranks[seat],
                compute_chances(before)[seat],
                before[seat],
                after[seat],
            )
            expected.append((who, change.line))
            known[who] = after[seat]
    assert lines == expected


def test_the_constants_of_the_help_page() -> None:
    text = find_page("ratings")[1]
    assert NEW.text in text
    assert f"until the uncertainty is {ESTABLISHED} or less" in text
    mu, sigma = 31.0, 4.0
    shown = 1500 + 30 * (mu - 25)
    assert Rating(mu, sigma).text == f"{shown:.0f} +-{30 * sigma:.0f}"
    assert (NEW.mu, NEW.sigma, BETA, TAU, KAPPA) == (25, 25 / 3, 25 / 6, 25 / 300, 0.0001)


@given(results())
@settings(max_examples=100, deadline=None)
def test_the_first_gains_and_the_last_loses(result: tuple[list[Rating], list[int]]) -> None:
    before, ranks = result
    after = rate(before, ranks)
    for seat, rank in enumerate(ranks):
        if rank == 1 and ranks.count(1) == 1:
            assert after[seat].mu >= before[seat].mu
        if rank == max(ranks) and ranks.count(rank) == 1:
            assert after[seat].mu <= before[seat].mu
        assert after[seat].sigma <= math.hypot(before[seat].sigma, TAU)


@given(results(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_the_seats_does_not_matter(
    result: tuple[list[Rating], list[int]], random: Random
) -> None:
    before, ranks = result
    order = list(range(len(before)))
    random.shuffle(order)
    after = rate(before, ranks)
    turned = rate([before[seat] for seat in order], [ranks[seat] for seat in order])
    for place, seat in enumerate(order):
        assert turned[place].mu == pytest.approx(after[seat].mu, abs=1e-9)
        assert turned[place].sigma == pytest.approx(after[seat].sigma)


@given(st.lists(_RATINGS, min_size=2, max_size=6))
@settings(max_examples=60, deadline=None)
def test_chances_are_a_distribution_in_the_order_of_the_ratings(before: list[Rating]) -> None:
    found = compute_chances(before)
    assert sum(found) == pytest.approx(1)
    by_rating = sorted(range(len(before)), key=lambda seat: before[seat].mu)
    assert [found[seat] for seat in by_rating] == sorted(found)


def test_equal_players_who_tie_keep_their_rating() -> None:
    ann, bob = rate([NEW, NEW], [1, 1])
    assert ann.mu == pytest.approx(NEW.mu)
    assert bob.mu == pytest.approx(NEW.mu)
    assert ann.sigma < NEW.sigma


def test_a_rating_is_established_after_about_ten_boards() -> None:
    ann, bob = NEW, NEW
    boards = 0
    while not ann.is_established:
        ann, bob = rate([ann, bob], [1, 2] if boards % 2 else [2, 1])
        boards += 1
    assert 8 <= boards <= 12


@pytest.mark.parametrize(("before", "ranks"), [([NEW], [1]), ([NEW, NEW], [1])])
def test_a_board_needs_two_ranked_seats(before: list[Rating], ranks: list[int]) -> None:
    with pytest.raises(ValueError, match="at least two seats"):
        rate(before, ranks)

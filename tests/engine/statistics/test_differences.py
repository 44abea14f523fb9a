"""Spread and paired tests over repeats: against scipy and by hand."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from engine import statistics


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_spread_is_the_sample_standard_deviation():
    assert statistics.spread([1, 2, 3, 6]) == (3, pytest.approx(math.sqrt(14 / 3)), 4)
    assert statistics.spread([0.25]) == (0.25, 0, 1)


def test_spread_counts_only_what_is_there():
    assert statistics.spread([np.nan, 1, 2, np.nan, 3, 6]) == statistics.spread([1, 2, 3, 6])
    mean, sd, n = statistics.spread([np.nan])
    assert (math.isnan(mean), math.isnan(sd), n) == (True, True, 0)
    assert statistics.spread([]).n == 0


@given(st.integers(2, 30), st.integers(0, 2**32 - 1))
def test_paired_verdict_equals_scipy(n, seed):
    ours, theirs = np.random.default_rng(seed).normal([[0.6], [0.5]], 0.1, (2, n))
    expected = stats.ttest_rel(ours, theirs)
    outcome, t, p = statistics.paired_verdict(ours, theirs)
    assert_allclose([t, p], [expected.statistic, expected.pvalue], rtol=1e-6)
    assert outcome == ("tie" if p >= 0.05 else "win" if t > 0 else "loss")


def test_paired_verdict_uses_the_pairs():
    """The shift is far below the spread over repeats, and the same on each."""
    ours = np.array([0.10, 0.50, 0.90, 0.31])
    theirs = ours - [0.010, 0.011, 0.010, 0.009]
    assert statistics.paired_verdict(ours, theirs).outcome == "win"
    assert statistics.paired_verdict(theirs, ours).outcome == "loss"
    assert statistics.paired_verdict(ours, theirs[[2, 0, 3, 1]]).outcome == "tie"


def test_level_decides():
    ours, theirs = [0.5, 0.6, 0.8], [0.4, 0.55, 0.6]
    p = statistics.paired_verdict(ours, theirs).p
    assert statistics.paired_verdict(ours, theirs, alpha=p * 1.01).outcome == "win"
    assert statistics.paired_verdict(ours, theirs, alpha=p).outcome == "tie"


def test_equal_differences_are_exact():
    assert sum([0.1] * 3) / 3 != 0.1  # their mean is not the number itself
    assert statistics.paired_verdict([0.1] * 3, [0] * 3) == ("win", math.inf, 0)
    ours = np.array([0.3, 0.5, 0.7, 0.9, 0.1])
    assert statistics.paired_verdict(ours, ours) == ("tie", 0, 1)
    assert statistics.paired_verdict(ours, ours - 0.1) == ("win", math.inf, 0)
    assert statistics.paired_verdict(ours - 0.1, ours) == ("loss", -math.inf, 0)


def test_rounding_of_sums_is_no_difference():
    ours = np.array([0.3, 0.5, 0.7])
    assert statistics.paired_verdict(np.nextafter(ours, 1), ours).outcome == "tie"


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([1], [0]), ([1, np.nan, 0.5], [0, 1, np.nan])])
def test_fewer_than_two_pairs_are_a_tie(ours, theirs):
    outcome, t, p = statistics.paired_verdict(ours, theirs)
    assert outcome == "tie"
    assert math.isnan(t)
    assert math.isnan(p)


def test_missing_repeats_take_their_pair_along():
    ours, theirs = [0.5, np.nan, 0.6, 0.8, 0.1], [0.4, 0.1, 0.55, 0.6, np.nan]
    assert statistics.paired_verdict(ours, theirs) == statistics.paired_verdict([0.5, 0.6, 0.8], [0.4, 0.55, 0.6])


def test_win_tie_loss_counts_the_verdicts(rng):
    table = np.round(rng.normal(np.array([0.5, 0.55, 0.6])[:, None, None], 0.07, (3, 8, 6)), 2)
    table[0, 2, 3] = np.nan
    counts = statistics.win_tie_loss(table, alpha=0.1)
    for a, b in itertools.product(range(3), repeat=2):
        outcomes = [
            statistics.paired_verdict(*pair, alpha=0.1).outcome for pair in zip(table[a], table[b], strict=True)
        ]
        assert counts[a, b].tolist() == [outcomes.count(name) for name in ("win", "tie", "loss")]
    assert counts[0, 2, 2] > 0 < counts[0, 1, 1]


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_who_is_tied_follows_from_the_level(rng, alpha):
    seen = set()
    for _ in range(60):
        table = rng.normal(size=(4, 8)) + [[0.0], [0.4], [0.8], [1.2]]
        best = table.mean(axis=1).argmax()
        p = [1.0 if i == best else stats.ttest_rel(table[best], table[i]).pvalue for i in range(4)]
        expected = [one >= alpha for one in p]
        assert statistics.tied_with_best(table, alpha).tolist() == expected
        seen |= {alpha <= one < 2 * alpha for one in p}
    assert seen == {True, False}


def test_tied_with_best_is_the_best_and_those_not_worse(rng):
    table = rng.normal(np.array([0.4, 0.6, 0.59, 0.2])[:, None], 0.03, (4, 12))
    best = table.mean(axis=1).argmax()
    tied = statistics.tied_with_best(table)
    assert tied.tolist() == [statistics.paired_verdict(row, table[best]).outcome != "loss" for row in table]
    assert tied.tolist() == [False, True, True, False]


def test_a_method_without_scores_is_not_tied():
    nan = np.nan
    assert statistics.tied_with_best([[nan, nan], [-0.2, -0.1], [-0.9, -0.8]]).tolist() == [False, True, False]
    apart = [[0.2, 0.3, nan, nan], [nan, nan, 0.8, 0.9]]  # no repeat that both have
    assert statistics.tied_with_best(apart).tolist() == [False, True]
    assert statistics.tied_with_best([[nan, nan], [nan, nan]]).tolist() == [False, False]
    assert statistics.tied_with_best([[0.1], [0.9], [nan]]).tolist() == [True, True, False]


def test_best_mean_on_easier_repeats_does_not_hide_the_better_method():
    assert statistics.tied_with_best([[np.nan, 0.9, 0.9], [0.1, 0.95, 0.95]]).tolist() == [True, True]

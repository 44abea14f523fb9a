"""Tests on ranks over data sets: against scipy, Demsar's example, and counting everything."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from engine import statistics

# Few values, so that ties and zero differences are common.
scores = st.integers(0, 12).map(lambda twelfth: twelfth / 12)


tables = st.tuples(st.integers(2, 8), st.integers(2, 5)).flatmap(lambda shape: arrays(float, shape, elements=scores))


# Demsar (2006), Table 6: ranks of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf by AUC on 14 data sets.
DEMSAR = np.array(
    [
        [4, 3, 2, 1],
        [1, 2, 3, 4],
        [4, 1, 2, 3],
        [4, 1, 3, 2],
        [4, 2, 3, 1],
        [1, 2.5, 4, 2.5],
        [3, 2, 4, 1],
        [2.5, 2.5, 4, 1],
        [4, 3, 2, 1],
        [2.5, 2.5, 2.5, 2.5],
        [4, 2.5, 1, 2.5],
        [3, 2, 4, 1],
        [4, 1, 2, 3],
        [3, 1, 4, 2],
    ]
)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def enumerated_signed_rank(differences):
    """Share of all sign patterns at least as lopsided; zeros are ranked, then dropped."""
    ranks = stats.rankdata(np.abs(differences))
    kept = [(rank, d > 0) for rank, d in zip(ranks, differences, strict=True) if d != 0]
    seen = sum(rank for rank, positive in kept if positive)
    sums = [sum(pattern) for pattern in itertools.product(*[(0, rank) for rank, _ in kept])]
    return min(1, 2 * min(np.mean([s <= seen for s in sums]), np.mean([s >= seen for s in sums])))


@given(tables)
def test_wilcoxon_equals_counting_all_sign_patterns(table):
    expected = enumerated_signed_rank(np.round(table[:, 0] - table[:, 1], 6))
    assert statistics.wilcoxon_holm(table[:, :2])[0, 1] == pytest.approx(expected)


def test_wilcoxon_equals_scipy_without_ties(rng):
    for n in (5, 30, 60):
        table = rng.normal([0.3, 0], 1, (n, 2))
        expected = stats.wilcoxon(*table.T, method="exact").pvalue
        assert statistics.wilcoxon_holm(table)[0, 1] == pytest.approx(expected, rel=1e-9)


def test_wilcoxon_counts_where_few_of_many_blocks_differ():
    for ties in (50, 60, 500):
        table = np.zeros((4 + ties, 2))
        table[:4, 0] = [0.1, 0.2, 0.3, 0.4]
        assert statistics.wilcoxon_holm(table)[0, 1] == 0.125  # of 16 sign patterns two are as lopsided


def test_wilcoxon_beyond_counting_is_close_to_counting(rng, monkeypatch):
    table = np.round(rng.normal([0.2, 0], 1, (200, 2)), 1)
    approximate = statistics.wilcoxon_holm(table)[0, 1]
    monkeypatch.setattr(statistics, "EXACT_BLOCKS", 200)
    exact = statistics.wilcoxon_holm(table)[0, 1]
    assert approximate == pytest.approx(exact, rel=0.02)
    assert approximate != exact


def test_holm_by_hand(rng):
    table = rng.normal([0, 1, 1.2, 3], 1, (9, 4))
    pairs = list(itertools.combinations(range(4), 2))
    raw = {pair: enumerated_signed_rank(table[:, pair[0]] - table[:, pair[1]]) for pair in pairs}
    adjusted, floor = {}, 0
    for place, pair in enumerate(sorted(pairs, key=raw.get)):
        floor = max(floor, min(1, (6 - place) * raw[pair]))
        adjusted[pair] = floor
    matrix = statistics.wilcoxon_holm(table)
    assert_allclose([matrix[pair] for pair in pairs], [adjusted[pair] for pair in pairs])
    assert_array_equal(matrix, matrix.T)
    assert_array_equal(np.diag(matrix), 1)
    assert len(np.unique(matrix)) > 3


def test_demsar_example():
    ranks = statistics.average_ranks(-DEMSAR)
    assert_allclose(ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    chi2, p, f, p_f = statistics.friedman(-DEMSAR)
    # His equation has no correction for ties: undo it.
    n, k = DEMSAR.shape
    ties = sum((c**3 - c).sum() for c in (np.unique(row, return_counts=True)[1] for row in DEMSAR))
    correction = 1 - ties / (n * k * (k**2 - 1))
    plain = chi2 * correction
    assert plain == pytest.approx(9.28, abs=5e-3)
    assert (n - 1) * plain / (n * (k - 1) - plain) == pytest.approx(3.69, abs=5e-3)
    assert f == pytest.approx((n - 1) * chi2 / (n * (k - 1) - chi2))
    assert (p, p_f) == (stats.chi2(3).sf(chi2), stats.f(3, 39).sf(f))
    cd = statistics.critical_difference(k, n)
    assert cd == pytest.approx(1.25, abs=5e-3)
    # At 0.05 no two differ; at 0.10 plain C4.5 falls behind C4.5+m and C4.5+m+cf.
    assert statistics.critical_difference(k, n, alpha=0.10) == pytest.approx(1.12, abs=5e-3)
    assert statistics.cliques(ranks, 1.12) == [(3, 1, 2), (2, 0)]
    assert statistics.cliques(ranks, cd) == [(3, 1, 2, 0)]


def test_critical_values_equal_the_printed_table():
    """Demsar (2006), Table 5 a: q at 0.05 for 2 .. 10 methods."""
    printed = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    ours = [statistics.critical_difference(k, 6) * 6 / math.sqrt(k * (k + 1)) for k in range(2, 11)]
    assert_allclose(ours, printed, atol=1.1e-3)


@given(tables)
def test_average_ranks_count_who_is_ahead(table):
    ahead = (table[:, None, :] > table[:, :, None]).sum(axis=2)
    level = (table[:, None, :] == table[:, :, None]).sum(axis=2)
    assert_allclose(statistics.average_ranks(table), (ahead + (level + 1) / 2).mean(axis=0))


def test_rounding_breaks_no_tie():
    table = np.array([[0.5, np.nextafter(0.5, 1)], [0.7, 0.7]])
    assert statistics.average_ranks(table).tolist() == [1.5, 1.5]


def test_friedman_equals_scipy(rng):
    for decimals in (0, 1, 6):
        table = np.round(rng.normal([0, 0.2, 0.9, 1], 1, (7, 4)), decimals)
        expected = stats.friedmanchisquare(*table.T)
        assert_allclose(statistics.friedman(table)[:2], [expected.statistic, expected.pvalue])


def test_iman_davenport_is_the_analysis_of_variance_of_ranks(rng):
    ranks = stats.rankdata(np.round(rng.normal([0, 0.2, 0.9, 1], 1, (7, 4))), axis=1)
    between = 7 * ((ranks.mean(axis=0) - 2.5) ** 2).sum() / 3
    within = ((ranks - ranks.mean(axis=0)) ** 2).sum() / (3 * 6)
    result = statistics.friedman(-ranks)
    assert result.f == pytest.approx(between / within)
    assert result.p_f == pytest.approx(stats.f(3, 18).sf(between / within))


def test_friedman_at_its_ends():
    assert statistics.friedman(np.full((3, 4), 0.5)) == (0, 1, 0, 1)
    chi2, p, f, p_f = statistics.friedman([[3, 2, 1]] * 5)
    assert (chi2, f, p_f) == (pytest.approx(10), math.inf, 0)
    assert p == pytest.approx(math.exp(-5))


@given(tables, st.randoms(use_true_random=False))
def test_order_of_methods_and_blocks_does_not_matter(table, random):
    rows, columns = (random.sample(range(n), n) for n in table.shape)
    moved = table[rows][:, columns]
    assert_allclose(statistics.average_ranks(moved), statistics.average_ranks(table)[columns])
    assert_allclose(statistics.friedman(moved), statistics.friedman(table), rtol=1e-9)
    assert_allclose(statistics.wilcoxon_holm(moved), statistics.wilcoxon_holm(table)[np.ix_(columns, columns)])


def test_ranks_ignore_the_scale_of_a_block(rng):
    table = rng.random((5, 3))
    stretched = table * [[1], [100], [0.01], [3], [7]] + [[0], [5], [0], [-1], [2]]
    assert_array_equal(statistics.average_ranks(stretched), statistics.average_ranks(table))
    assert statistics.friedman(stretched) == statistics.friedman(table)


def obvious_cliques(ranks, cd):
    """Every set of neighbours, by trying all of them; those within another go."""
    order = sorted(range(len(ranks)), key=lambda method: ranks[method])
    runs = [order[i:j] for i in range(len(order)) for j in range(i + 2, len(order) + 1)]
    close = [run for run in runs if round(ranks[run[-1]] - ranks[run[0]], 12) < cd]
    return [tuple(run) for run in close if not any(set(run) < set(other) for other in close)]


@given(st.lists(st.integers(2, 30).map(lambda half: half / 2), max_size=9), st.sampled_from([0.25, 0.5, 1, 3, 20]))
def test_cliques_are_the_maximal_runs(ranks, cd):
    assert statistics.cliques(ranks, cd) == obvious_cliques(ranks, cd)


def test_rounding_joins_no_clique():
    assert 1.4 - 1.1 < 0.3
    assert statistics.cliques([1.1, 1.4], 0.3) == []

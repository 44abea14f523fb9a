"""Statistics over repeats and data sets: against scipy, Demsar's example, and counting everything."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from engine import InvalidParameterError
from engine.experiments import rank_tests, statistics

# Few values, so that ties and zero differences are common.
scores = st.integers(0, 12).map(lambda twelfth: twelfth / 12)
tables = st.tuples(st.integers(2, 8), st.integers(2, 5)).flatmap(lambda shape: arrays(float, shape, elements=scores))

# Demsar (2006), Table 6: ranks of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf by AUC on 14 data sets.
DEMSAR = np.array([
    [4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1],
    [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3], [3, 1, 4, 2],
])  # fmt: skip


@pytest.fixture
def rng():
    return np.random.default_rng(3)


# Spread


def test_spread_is_the_sample_standard_deviation():
    assert statistics.spread([1, 2, 3, 6]) == (3, pytest.approx(math.sqrt(14 / 3)), 4)
    assert statistics.spread([0.25]) == (0.25, 0, 1)


def test_spread_counts_only_what_is_there():
    assert statistics.spread([np.nan, 1, 2, np.nan, 3, 6]) == statistics.spread([1, 2, 3, 6])
    mean, sd, n = statistics.spread([np.nan])
    assert (math.isnan(mean), math.isnan(sd), n) == (True, True, 0)
    assert statistics.spread([]).n == 0


# Paired t-tests


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


def test_tied_with_best_is_the_best_and_those_not_worse(rng):
    table = rng.normal(np.array([0.4, 0.6, 0.59, 0.2])[:, None], 0.03, (4, 12))
    best = table.mean(axis=1).argmax()
    tied = statistics.tied_with_best(table)
    assert tied.tolist() == [statistics.paired_verdict(row, table[best]).outcome != "loss" for row in table]
    assert tied.tolist() == [False, True, True, False]


def test_a_method_without_scores_is_not_tied():
    nan = np.nan
    assert statistics.tied_with_best([[nan, nan], [-0.2, -0.1], [-0.9, -0.8]]).tolist() == [False, True, False]
    assert statistics.tied_with_best([[nan, nan], [nan, nan]]).tolist() == [False, False]
    assert statistics.tied_with_best([[0.1], [0.9], [nan]]).tolist() == [True, True, False]


def test_best_mean_on_easier_repeats_does_not_hide_the_better_method():
    assert statistics.tied_with_best([[np.nan, 0.9, 0.9], [0.1, 0.95, 0.95]]).tolist() == [True, True]


# Signed ranks


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


def test_wilcoxon_beyond_counting_is_close_to_counting(rng, monkeypatch):
    table = np.round(rng.normal([0.2, 0], 1, (200, 2)), 1)
    approximate = statistics.wilcoxon_holm(table)[0, 1]
    monkeypatch.setattr(rank_tests, "EXACT_BLOCKS", 200)
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


# Ranks


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


# Refusals


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: statistics.spread([[1, 2]]), r"values must be an array of 1 axes.*\(1, 2\)"),
        (lambda: statistics.spread([1, math.inf]), "values must be finite. Got inf"),
        (lambda: statistics.paired_verdict([1, 2], [1]), "same repeats. Got 2 and 1"),
        (lambda: statistics.paired_verdict([1, 2], [1, 3], alpha=1), "alpha must be between 0 and 1.*Got 1"),
        (lambda: statistics.win_tie_loss(np.ones((2, 3))), r"scores must be an array of 3 axes.*\(2, 3\)"),
        (lambda: statistics.win_tie_loss([[[1], [np.nan]], [[1], [1]], [[1], [1]]]), "none for method 1 in data set 2"),
        (lambda: statistics.win_tie_loss(np.ones((2, 1, 3)), alpha=0), "Got 0"),
        (lambda: statistics.tied_with_best([]), "scores must be an array of 2 axes"),
        (lambda: statistics.average_ranks([[1, 2]]), r"at least 2 blocks and 2 methods. Got shape \(1, 2\)"),
        (lambda: statistics.friedman([[1], [2]]), r"Got shape \(2, 1\)"),
        (lambda: statistics.friedman([[1, 2], [1, 2], [np.nan, 3]]), "none for method 1 in block 3, 1 missing"),
        (lambda: statistics.wilcoxon_holm([[1, 2], [1, np.nan]]), "none for method 2 in block 2"),
        (lambda: statistics.critical_difference(1, 5), "n_methods must be an integer of at least 2. Got 1"),
        (lambda: statistics.critical_difference(3, 2.5), "n_blocks must be an integer of at least 2. Got 2.5"),
        (lambda: statistics.critical_difference(3, 5, alpha=math.nan), "alpha .* Got nan"),
        (lambda: statistics.cliques([1, 2], 0), "cd positive.*Got .* 0"),
        (lambda: statistics.cliques([1, np.nan], 1), "ranks must be there"),
    ],
)
def test_refusals_name_the_rule_and_the_value(call, words):
    with pytest.raises(InvalidParameterError, match=words):
        call()

"""Strategies against the slow way, and what no order of rows, columns or names may change."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError
from engine.graphs.spectral_cuts import spectral_partition
from engine.selection import Candidates, known_strategies, select, selected
from engine.selection.judging import Judge
from tests import naive_selection as naive
from tests.strategies import label_matrices

KEYS = ("snmi", "joint", "cas", "least_alike", "hull", "most_clusters", "random")


def twelve(seed=0, m=9, missing=0.0):
    """Twelve objects, base clusterings of 2 to 5 clusters that follow one partition more or less."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], 4)
    columns = []
    for place in range(m):
        own = truth % (2 + place % 3) + (rng.random(12) < 0.3) * rng.integers(0, 3, 12)
        own[rng.random(12) < missing] = -1
        own[:2] = [0, 1]
        columns.append(own)
    return Ensemble.from_labels(np.array(columns).T)


def contents(ensemble, chosen):
    """The partitions that were chosen, whatever they are called: a sorted list."""
    labels = Ensemble.from_labels(ensemble.labels).labels
    return sorted(labels[:, chosen].T.tolist())


def test_all_strategies_are_found():
    assert set(known_strategies()) >= set(KEYS)


@pytest.mark.parametrize("missing", [0.0, 0.25])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", [1, 3, 6])
def test_most_agreement_and_joint_criterion_are_those_of_the_formula(number, seed, missing):
    made = twelve(seed, missing=missing)
    snmi = naive.snmi(made.labels)
    assert snmi[select(made, "snmi", number)].sum() == pytest.approx(np.sort(snmi)[-number:].sum())
    assert select(made, "joint", number).tolist() == naive.joint(made.labels, number)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_hull_is_that_of_scipy(seed):
    made = twelve(seed)
    wanted = naive.hull(made.labels)
    assert select(made, "hull", len(wanted)).tolist() == wanted
    more = select(made, "hull", len(wanted) + 1)
    assert set(wanted) < set(more.tolist())


@pytest.mark.parametrize("seed", range(4))
def test_the_least_alike_are_those_of_the_smallest_nmi_with_eac(seed):
    made = twelve(seed)
    assert select(made, "least_alike", 4, n_clusters=3).tolist() == naive.least_alike(made, 4, 3)


def test_cluster_and_select_takes_the_best_of_every_group():
    rows, across = np.repeat([0, 1, 2], 4), np.tile([0, 1, 2, 3], 3)
    moved = np.where(np.arange(12) == 0, 1, rows)
    shifted = np.where(np.arange(12) == 0, 1, across)
    made = Ensemble.from_labels(np.array([shifted, moved, rows, across, across, rows]).T)
    one, other = select(made, "cas", 2).tolist()
    assert {one, other} & {2, 5}  # a copy agrees with its copy, and so with most
    assert {one, other} & {3, 4}


@pytest.mark.parametrize("seed", range(6))
def test_no_group_has_a_member_that_agrees_more_than_the_one_taken(seed):
    made = twelve(seed)
    seen = Candidates(made.canonical, 3, np.random.default_rng(0))
    graph = np.array(naive.agreement(made.canonical.labels))
    groups = spectral_partition(graph, np.ones(9), 3, np.random.default_rng(0), 20)
    best = [max(np.flatnonzero(groups == group), key=lambda place: seen.snmi[place]) for group in range(3)]
    assert sorted(made.form.clusterings[best]) == select(made, "cas", 3).tolist()


def test_most_clusters_are_the_largest_k():
    made = twelve(1)
    chosen = select(made, "most_clusters", 3)
    assert sorted(made.n_clusters_each[chosen]) == sorted(made.n_clusters_each)[-3:]


def test_random_draws_every_base_clustering_alike():
    made = twelve(2, m=5)
    counts = np.bincount(np.concatenate([select(made, "random", 2, seed=seed) for seed in range(300)]), minlength=5)
    assert (np.abs(counts - 120) < 40).all()
    assert select(made, "random", 2, seed=4).tolist() == select(made, "random", 2, seed=4).tolist()


@pytest.mark.parametrize("key", KEYS)
@settings(deadline=None, max_examples=25)
@given(labels=label_matrices(max_objects=12, max_clusterings=6), seed=st.integers(0, 99), data=st.data())
def test_order_and_names_decide_nothing(key, labels, seed, data):
    made = Ensemble.from_labels(labels, missing=None)
    number = data.draw(st.integers(1, made.n_clusterings))
    rng = np.random.default_rng(seed)
    columns, rows = rng.permutation(made.n_clusterings), rng.permutation(made.n_objects)
    renamed = (7 - labels)[:, columns][rows]
    chosen, again = select(made, key, number), select(Ensemble.from_labels(renamed, missing=None), key, number)
    assert len(set(chosen.tolist())) == number
    assert (np.diff(chosen) > 0).all()
    if made.form.n_symmetric == 0:
        assert contents(made, chosen) == contents(made, columns[again])


@pytest.mark.parametrize("key", KEYS)
def test_missing_labels_one_and_all(key):
    made = twelve(3, missing=0.3)
    assert len(select(made, key, 4)) == 4
    assert select(made, key, 9).tolist() == list(range(9))
    assert select(made.seen_by([0])[0], key, 1).tolist() == [0]


def test_equal_base_clusterings_are_chosen_from():
    made = Ensemble.from_labels(np.tile([0, 0, 0, 1, 1, 2], (7, 1)).T)
    assert {key: len(select(made, key, 3)) for key in KEYS} == dict.fromkeys(KEYS, 3)


def test_refusals_name_what_was_asked():
    made = twelve()
    with pytest.raises(InvalidParameterError, match="strategy must be one of snmi, joint.*Got 'best'"):
        select(made, "best", 3)
    for number in (0, 10, 2.5, True):
        with pytest.raises(InvalidParameterError, match="number must be an integer from 1 to 9"):
            select(made, "snmi", number)
    for seed in (-1, 2.5, "a", None, True):
        for count in (3, 9):
            with pytest.raises(InvalidParameterError, match=f"seed must be an integer of at least 0. Got {seed!r}"):
                select(made, "random", count, seed=seed)


def test_likeness_belongs_to_its_column():
    made = twelve(5)
    seen = Candidates(made.canonical, 3, np.random.default_rng(0))
    assert seen.agreement == pytest.approx(naive.agreement(made.canonical.labels))
    assert seen.snmi == pytest.approx(naive.snmi(made.canonical.labels))


@pytest.mark.parametrize("strategy", known_strategies())
def test_of_mirror_images_the_seed_decides_as_for_the_consensus(strategy):
    across, down = np.divmod(np.arange(36), 6)
    columns = [across, down, across // 2, down // 2, across // 3, down // 3]
    ensemble = Ensemble.from_labels(np.column_stack(columns))
    assert ensemble.form.symmetry
    for seed in range(4):  # a page's ensemble has been tossed, that of a script or the command has not
        kept = select(ensemble, strategy, 3, 3, seed)
        assert kept.tolist() == select(ensemble.tossed(seed), strategy, 3, 3, seed).tolist()


def test_one_base_clustering_or_all_may_be_named():
    made = twelve()
    for words, number in (("most_clusters:1", 1), ("most_clusters:9", 9), ("most_clusters:1%", 1), ("random", 5)):
        assert len(selected(made, words, 3)[1]) == number
    for words in ("most_clusters:0", "most_clusters:10", "most_clusters:0%", "most_clusters:101%"):
        with pytest.raises(InvalidParameterError, match="must be"):
            selected(made, words, 3)


def test_a_half_that_tells_nothing_apart_is_one_cluster():
    labels = np.zeros((6, 4), int)
    labels[:3, 2:] = 1
    judge = Judge(Ensemble.from_labels(labels), "eac", 2)
    assert judge.labels(np.array([0, 1])).tolist() == [0] * 6
    assert np.unique(judge.labels(np.array([2, 3]))).tolist() == [0, 1]

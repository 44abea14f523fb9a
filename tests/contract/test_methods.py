"""What every consensus method promises, run over the registry."""

import dataclasses
import re

import numpy as np
import pytest

from engine import (
    Cancelled,
    Ensemble,
    InvalidParameterError,
    MissingEvidenceError,
    TooLargeError,
    consensus_methods,
    leave_one_out,
    run_consensus,
)
from engine.choosing_k import choose_k
from engine.consensus import EXTRAS, running
from engine.consensus.method import BETWEEN_CLUSTERS, LARGE, VOCABULARY
from engine.params import Choice, Number
from engine.runtime.errors import MissingExtraError
from tests.monitors import Heard, stopping_at_stage
from tests.strategies import agreeing_graph, random_labels, same_partition, shuffled_rows, soft_memberships

METHODS = list(consensus_methods())
FIXED = [key for key, method in consensus_methods().items() if not method.finds_k]
DENSE = [key for key, method in consensus_methods().items() if "dense" in method.requirements()]
of_dense_methods = pytest.mark.parametrize("key", DENSE)


def of_methods_of_fixed_k(test):
    """Say that a test is about methods that are told how many clusters to find."""
    test.fixed_k = True
    return test


def pytest_generate_tests(metafunc):
    """Every test runs over all methods, but for those that say over which."""
    if of_dense_methods.mark not in metafunc.definition.iter_markers("parametrize"):
        metafunc.parametrize("key", FIXED if getattr(metafunc.function, "fixed_k", False) else METHODS)


def ensemble_for(key, labels):
    """An ensemble, with soft memberships or a graph for the methods that need them."""
    hard, needs = Ensemble.from_labels(labels), consensus_methods()[key].needs
    if "graph" in needs:
        return Ensemble.from_labels(labels, graph=agreeing_graph(labels))
    if "memberships" not in needs:
        return hard
    return Ensemble.from_labels(labels, memberships=soft_memberships(hard))


@pytest.fixture
def ensemble(key):
    return ensemble_for(key, random_labels(120, 8, 5, seed=1))


def bad_values(spec):
    return spec.kind.refused()


@of_methods_of_fixed_k
@pytest.mark.parametrize("k", [2, 3, 5, 11])
def test_exactly_k_clusters_numbered_by_first_appearance(key, ensemble, k):
    result = run_consensus(key, ensemble, k)
    assert result.labels.dtype == np.int32
    assert result.n_clusters == k
    assert list(dict.fromkeys(result.labels.tolist())) == list(range(k))


def test_a_method_that_finds_k_says_how_many_whatever_it_is_asked_for(key, ensemble):
    if not consensus_methods()[key].finds_k:
        return
    found = run_consensus(key, ensemble, None)
    assert list(dict.fromkeys(found.labels.tolist())) == list(range(found.n_clusters))
    for k in (2, 11, 10**6):
        assert (run_consensus(key, ensemble, k).labels == found.labels).all()
    moved = leave_one_out(key, ensemble, None)
    assert moved.shape == (ensemble.n_clusterings,)
    assert np.isfinite(moved).all()
    with pytest.raises(InvalidParameterError, match="finds the number of clusters itself"):
        choose_k(ensemble, key, effort="quick")


def test_the_pictures_a_method_declares_are_in_its_trace_when_asked_for(key, ensemble):
    pictures = consensus_methods()[key].pictures
    assert pictures <= set(LARGE) | set(BETWEEN_CLUSTERS)
    assert pictures <= set(run_consensus(key, ensemble, 3, record=pictures).trace)
    assert not pictures & set(run_consensus(key, ensemble, 3).trace)


@of_methods_of_fixed_k
def test_k_equal_to_n_returns_the_microclusters(key, ensemble):
    n = len(ensemble.microclusters)
    assert same_partition(run_consensus(key, ensemble, n).labels, ensemble.microclusters.assignment)


def test_label_names_do_not_matter(key, ensemble):
    soft = ensemble.memberships
    if soft is not None:  # columns stand in the order of the names
        soft = np.hstack([one[:, ::-1] for one in np.split(soft, ensemble.offsets[1:-1], axis=1)])
    renamed = Ensemble.from_labels(17 - 3 * ensemble.labels, memberships=soft, graph=ensemble.graph)
    assert (run_consensus(key, renamed, 4).labels == run_consensus(key, ensemble, 4).labels).all()


def test_the_order_of_base_clusterings_does_not_matter(key, ensemble):
    backwards = ensemble.select(range(ensemble.n_clusterings)[::-1])
    shuffled = Ensemble.from_labels(ensemble.labels[:, ::-1], memberships=backwards.memberships, graph=ensemble.graph)
    assert (run_consensus(key, shuffled, 4).labels == run_consensus(key, ensemble, 4).labels).all()


def choices(key):
    """The default parameters, and every other choice; the variant that follows the order of rows is left out."""
    specs = [spec for spec in consensus_methods()[key].params.specs() if isinstance(spec.kind, Choice)]
    return [{}, *({spec.name: one} for spec in specs for one in spec.kind.choices if one != "published-code")]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_of_rows_does_not_matter(key, seed):
    ensemble = ensemble_for(key, random_labels(120, 8, 5, seed, noise=0.3))
    shuffled, objects = shuffled_rows(ensemble, seed)
    for params in choices(key):
        for k in (2, 4, 9):
            ours = run_consensus(key, ensemble, k, params)
            assert ours.trace["symmetric_clusters"] == 0
            assert same_partition(run_consensus(key, shuffled, k, params).labels, ours.labels[objects])


@pytest.mark.parametrize("m", [1, 5])
def test_a_unanimous_ensemble_is_recovered(key, m):
    labels = np.random.default_rng(0).integers(4, size=50)
    result = run_consensus(key, ensemble_for(key, np.tile(labels[:, None], m)), 4)
    assert same_partition(result.labels, labels)


@of_methods_of_fixed_k
@pytest.mark.parametrize("m", [1, 3])
def test_fewer_clusters_than_groups_that_nothing_links_are_made_or_refused(key, m):
    labels = np.random.default_rng(3).integers(5, size=20)
    unanimous = ensemble_for(key, np.tile(labels[:, None], m))
    for params in choices(key):
        for k in (2, 3, 4):
            if key == "drec":
                with pytest.raises(InvalidParameterError, match="two microclusters that share a cluster"):
                    run_consensus(key, unanimous, k, params)
            else:
                assert run_consensus(key, unanimous, k, params).n_clusters == k


def test_a_clear_partition_is_found(key):
    truth = np.random.default_rng(2).integers(3, size=90)
    method = consensus_methods()[key]
    if method.balanced(method.params()):  # parts stay within 3 % of equal: clusters of 25 and 34 cannot be kept
        truth = np.random.default_rng(2).permutation(90) % 3
    labels = np.tile(truth[:, None], 20)
    labels[np.arange(20) * 4, np.arange(20)] = (truth[np.arange(20) * 4] + 1) % 3  # one error a clustering
    assert same_partition(run_consensus(key, ensemble_for(key, labels), 3).labels, truth)


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(key, ensemble, monkeypatch):
    first = run_consensus(key, ensemble, 5, seed=9).labels.tobytes()
    for threads in ("1", "2"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        assert run_consensus(key, ensemble, 5, seed=9).labels.tobytes() == first


def test_asking_for_matrices_changes_no_label(key, ensemble):
    plain = run_consensus(key, ensemble, 4)
    recorded = run_consensus(key, ensemble, 4, record=LARGE)
    assert (plain.labels == recorded.labels).all()
    assert not set(plain.trace) & set(LARGE)
    assert set(recorded.trace) <= VOCABULARY


def test_the_trace_is_on_microclusters_and_read_only(key, ensemble):
    n = len(ensemble.microclusters)
    trace = run_consensus(key, ensemble, 4, record=LARGE).trace
    for name in {"co_association", "similarity", "enhanced", "refined_distance"} & set(trace):
        assert trace[name].shape == (n, n)
        assert not trace[name].flags.writeable
    if "dendrogram" in trace:
        assert trace["dendrogram"].n_leaves == n
    if "cluster_weights" in trace:
        assert trace["cluster_weights"].shape == (ensemble.n_clusters_total,)


def test_cancel_is_heard_in_every_stage(key, ensemble):
    def fresh():  # what an ensemble remembers of an earlier run would skip stages
        return Ensemble.from_labels(ensemble.labels, memberships=ensemble.memberships, graph=ensemble.graph)

    watcher = Heard()
    run_consensus(key, fresh(), 4, monitor=watcher)
    assert len(set(watcher.stages)) >= 2
    for stage in set(watcher.stages):
        stopped = stopping_at_stage(stage)
        with pytest.raises(Cancelled):
            run_consensus(key, fresh(), 4, monitor=stopped)
        assert stopped.stages.count(stage) == 1


@of_methods_of_fixed_k
@pytest.mark.parametrize("k", [1, 0, -2, 2.0, True, "3", None])
def test_k_must_be_an_integer_of_at_least_two(key, ensemble, k):
    with pytest.raises(InvalidParameterError, match="n_clusters must be an integer of at least 2"):
        run_consensus(key, ensemble, k)


@of_methods_of_fixed_k
def test_more_clusters_than_microclusters_are_refused(key, ensemble):
    n = len(ensemble.microclusters)
    with pytest.raises(InvalidParameterError, match=f"at most {n}"):
        run_consensus(key, ensemble, n + 1)


def test_bad_parameters_are_refused_by_name(key, ensemble):
    for spec in consensus_methods()[key].params.specs():
        for value in bad_values(spec):
            with pytest.raises(InvalidParameterError, match=spec.name):
                run_consensus(key, ensemble, 3, {spec.name: value})
    with pytest.raises(InvalidParameterError, match="no_such"):
        run_consensus(key, ensemble, 3, {"no_such": 1})
    with pytest.raises(InvalidParameterError, match="record"):
        run_consensus(key, ensemble, 3, record=("no_such",))
    with pytest.raises(InvalidParameterError, match="seed"):
        run_consensus(key, ensemble, 3, seed=-1)


@of_dense_methods
def test_a_dense_method_refuses_what_does_not_fit_and_names_others(key, ensemble, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "2K")
    with pytest.raises(TooLargeError, match="KCC") as refusal:
        run_consensus(key, ensemble, 3)
    keys = {method.title: other for other, method in consensus_methods().items()}
    for title in set(refusal.value.alternatives) - {"MCLA"}:  # whose overlaps of clusters take more than 2 KiB
        assert keys[title] != key
        assert len(run_consensus(keys[title], ensemble, 3).labels) == len(ensemble.labels)


def test_a_missing_graph_is_named(key, ensemble):
    if "graph" in consensus_methods()[key].needs:
        assert_named_alike(key, Ensemble.from_labels(ensemble.labels))


def test_missing_memberships_are_named(key, ensemble):
    if "memberships" in consensus_methods()[key].needs:
        assert_named_alike(key, Ensemble.from_labels(ensemble.labels))


def assert_named_alike(key, ensemble):
    """Who is told beforehand what an ensemble lacks, and who runs into it, hear the same."""
    method = consensus_methods()[key]
    unmet = method.unmet(ensemble)
    assert unmet
    assert not method.can_run(ensemble)
    with pytest.raises(MissingEvidenceError, match=re.escape(f"{method.title} {unmet.split(', ')[0]}, and ")):
        run_consensus(key, ensemble, 3)


def test_a_missing_package_is_named_with_the_line_that_installs_it(key, ensemble, monkeypatch):
    extras = consensus_methods()[key].needs & EXTRAS.keys()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert (consensus_methods()[key].unavailable is not None) == bool(extras)
    if extras:
        assert re.match(r"needs the package \w+, which is not installed\.", consensus_methods()[key].unmet(ensemble))
    for extra in extras:
        with pytest.raises(MissingExtraError, match=f"pip install {extra}"):
            run_consensus(key, ensemble, 3)


@of_dense_methods
def test_no_method_is_proposed_that_cannot_run(key, ensemble, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if name == "pymetis" else None)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "2K")
    with pytest.raises(TooLargeError) as refusal:
        run_consensus(key, ensemble, 3)
    assert "KCC" in refusal.value.alternatives
    assert "HGPA" not in refusal.value.alternatives


def test_what_is_balanced_and_needed_may_hang_on_parameters(key, ensemble, monkeypatch):
    method = consensus_methods()[key]
    assert all(isinstance(method.balanced(method.params(**params)), bool) for params in choices(key))
    assert method.needs <= method.requirements()
    picky = dataclasses.replace(method, also_needs=lambda params: frozenset({"memberships", "mtkahypar"}))
    assert picky.requirements(method.params()) == method.needs | {"memberships", "mtkahypar"}
    monkeypatch.setattr(running, "consensus_methods", lambda: {key: picky})
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    with pytest.raises(MissingEvidenceError, match="soft memberships"):
        run_consensus(key, Ensemble.from_labels(ensemble.labels), 3)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "mtkahypar" else object())
    with pytest.raises(MissingExtraError, match="mtkahypar"):
        run_consensus(key, ensemble, 3)


def gappy_labels(seed=1, noise=0.15):
    labels = random_labels(120, 8, 5, seed, noise)
    labels[np.random.default_rng(seed).random(labels.shape) < 0.25] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    return labels


def test_missing_labels_are_taken_as_they_are_or_refused_with_a_way_out(key):
    ensemble = ensemble_for(key, gappy_labels())
    if not consensus_methods()[key].takes_missing:
        with pytest.raises(MissingEvidenceError, match=rf"{ensemble.n_missing} are missing.*LWGP.*drop.*complete"):
            run_consensus(key, ensemble, 3)
        assert_named_alike(key, ensemble)
        return
    for params in choices(key):
        for k in (2, 5):
            found = run_consensus(key, ensemble, k, params).labels
            if key in FIXED:
                assert list(dict.fromkeys(found.tolist())) == list(range(k))
            assert (run_consensus(key, ensemble, k, params).labels == found).all()


def test_with_missing_labels_no_order_and_no_name_decides(key):
    if not consensus_methods()[key].takes_missing:
        return  # it refuses, see above
    labels = gappy_labels(3, noise=0.3)
    objects = np.random.default_rng(0).permutation(len(labels))
    ours = run_consensus(key, ensemble_for(key, labels), 4)
    shuffled = np.where(labels < 0, -1, 40 - 3 * labels)[objects][:, ::-1]
    assert ours.trace["symmetric_clusters"] == 0
    assert same_partition(run_consensus(key, ensemble_for(key, shuffled), 4).labels, ours.labels[objects])


def test_the_description_is_complete(key):
    method = consensus_methods()[key]
    assert method.title
    assert method.reference
    assert method.summary.endswith(".")
    for spec in method.params.specs():
        assert spec.doc
        assert spec.symbol
        assert spec.validate(spec.default) == spec.default
        if isinstance(spec.kind, Number):
            assert spec.kind.slider, f"{spec.name} needs a range to move in"

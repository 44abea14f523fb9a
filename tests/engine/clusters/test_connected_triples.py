import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError, TooLargeError, consensus_methods, evidence, run_consensus
from engine.monitor import SILENT
from engine.similarities import find_evidence
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition

decays = st.floats(0, 1)
KINDS = {
    "wct": (evidence.connected_triples, naive.connected_triples),
    "wtq": (evidence.triple_quality, naive.triple_quality),
}
both = pytest.mark.parametrize("key", KINDS)


@given(label_matrices())
def test_counts_and_links_equal_sets_of_objects(labels):
    shared = evidence.shared_objects(Ensemble.from_labels(labels))
    flat = [group for found in naive.clusters(labels) for group in found]
    np.testing.assert_array_equal(shared, [[len(a & b) for b in flat] for a in flat])
    np.testing.assert_allclose(evidence.cluster_links(shared), naive.links_between_clusters(labels)[0], atol=1e-15)


@both
@settings(max_examples=40)
@given(labels=label_matrices(), dc=decays)
def test_similarities_of_clusters_equal_the_formula(key, labels, dc):
    ours, slow = KINDS[key]
    found = ours(Ensemble.from_labels(labels), dc)
    np.testing.assert_allclose(found, slow(labels, dc), atol=1e-12)
    assert (found == found.T).all()


@both
@settings(max_examples=20)
@given(labels=label_matrices(), dc=decays)
def test_evidence_on_microclusters_stands_for_objects(key, labels, dc):
    ensemble, kind = Ensemble.from_labels(labels), find_evidence(key)
    everyone, params = np.arange(len(labels)), kind.params(dc=dc)
    expected = naive.mean_over_clusters(labels, KINDS[key][1](labels, dc), same_base=True)
    matrix = ensemble.microclusters.expand_matrix(kind.matrix(ensemble, params, SILENT), everyone, everyone)
    np.testing.assert_allclose(matrix, expected, atol=1e-6)
    for j in (0, len(labels) - 1):
        assert kind.value(ensemble, params, 0, j) == pytest.approx(expected[0, j])


@both
@given(labels=label_matrices())
def test_without_decay_and_with_one_base_clustering_it_is_the_co_association(key, labels):
    kind = find_evidence(key)
    ensemble, alone = Ensemble.from_labels(labels), Ensemble.from_labels(labels[:, :1])
    assert (kind.matrix(ensemble, kind.params(dc=0), SILENT) == evidence.co_association(ensemble)).all()
    assert (kind.matrix(alone, kind.params(), SILENT) == evidence.co_association(alone)).all()


@both
@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_without_decay_the_method_is_eac(key, linkage):
    ensemble = Ensemble.from_labels(random_labels(80, 6, 5, seed=3, noise=0.3))
    for k in (2, 5, 9):
        ours = run_consensus(key, ensemble, k, {"dc": 0, "linkage": linkage}).labels
        assert (ours == run_consensus("eac", ensemble, k, {"linkage": linkage}).labels).all()


@both
@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_the_method_cuts_the_tree_of_objects(key, linkage):
    labels = random_labels(45, 5, 4, seed=8, noise=0.35)
    result = run_consensus(key, Ensemble.from_labels(labels), 6, {"linkage": linkage})
    similarity = naive.mean_over_clusters(labels, KINDS[key][1](labels, 0.8), same_base=True)
    assert same_partition(result.labels, naive.agglomerate(similarity, 6, linkage))


@both
def test_the_refined_matrix_is_cut_by_its_transfer_cut(key):
    """RM by loops over objects and clusters; microclusters stand for their objects."""
    labels = random_labels(70, 5, 4, seed=8, noise=0.25)
    between = KINDS[key][1](labels, 0.8)
    offsets = np.cumsum([0, *(len(np.unique(column)) for column in labels.T)])
    numbered = Ensemble.from_labels(labels).labels.T
    refined = np.zeros((len(labels), offsets[-1]))
    for i in range(len(labels)):
        for m in range(labels.shape[1]):
            for c in range(offsets[m], offsets[m + 1]):
                refined[i, c] = between[offsets[m] + numbered[m][i], c]
    degree = refined.sum(axis=1)
    w = (refined.T / degree) @ refined
    root = 1 / np.sqrt(w.sum(axis=1))
    values, vectors = np.linalg.eigh(w * root * root[:, None])
    rows = (refined @ (root[:, None] * vectors[:, -4:])) / degree[:, None]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    result = run_consensus(key, Ensemble.from_labels(labels), 4, {"consensus": "RM"})
    ours = result.trace["embedding"][result.microclusters.assignment]
    assert values[-4] - values[-5] > 1e-3
    np.testing.assert_allclose(ours @ ours.T, rows @ rows.T, atol=1e-8)
    assert result.n_clusters == 4


@both
def test_the_refined_matrix_needs_no_matrix_between_objects(key):
    method = consensus_methods()[key]
    assert method.requirements() == {"dense", "complete"}
    assert method.requirements(method.params(consensus="RM")) == {"complete"}


@both
def test_the_similarity_of_clusters_comes_back_in_the_callers_order(key):
    labels = np.hstack([random_labels(90, 4, 4, seed=2, noise=0.1), random_labels(90, 3, 6, seed=5, noise=0.6)])
    labels = labels[:, [4, 0, 5, 1, 2, 6, 3]]
    ensemble = Ensemble.from_labels(labels)
    assert ensemble.form.numbers.tolist() != list(range(ensemble.n_clusters_total))
    result = run_consensus(key, ensemble, 4, record=("cluster_similarity",))
    np.testing.assert_allclose(result.trace["cluster_similarity"], KINDS[key][1](labels, 0.8), atol=1e-12)
    assert not result.trace["cluster_similarity"].flags.writeable
    assert "cluster_similarity" not in run_consensus(key, ensemble, 4).trace
    assert result.trace["strongest_link"] > 0


def test_the_latest_decay_is_remembered_alone():
    ensemble, kind = Ensemble.from_labels(random_labels(noise=0.4)), find_evidence("wct")
    i, j = next((i, j) for i in range(60) for j in range(i) if (ensemble.labels[i] != ensemble.labels[j]).all())
    for dc in (0.2, 0.8, 0.8, 0.0):
        between = evidence.connected_triples(ensemble, dc)
        assert kind.value(ensemble, kind.params(dc=dc), i, j) == evidence.mean_of_pair(
            ensemble, between, "same base", i, j
        )
    assert len(ensemble.remember("wct between clusters", dict)) == 1


@both
def test_bad_decays_and_large_graphs_are_refused(key, monkeypatch):
    ensemble = Ensemble.from_labels(random_labels())
    for dc in (-0.1, 1.1, np.nan):
        with pytest.raises(InvalidParameterError, match="dc must be"):
            KINDS[key][0](ensemble, dc)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    with pytest.raises(TooLargeError, match="the graph between clusters"):
        KINDS[key][0](ensemble)

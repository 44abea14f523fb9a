"""A missing label is no cluster: readings, counts over the base clusterings that saw both, and the kernels beside."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import data
from engine import (
    Ensemble,
    InvalidEnsembleError,
    MissingEvidenceError,
    Monitor,
    confidence,
    evidence,
    leave_one_out,
    load_ensemble,
    metrics,
    run_consensus,
    save_ensemble,
)
from engine.choosing_k import choose_k
from engine.completion import completed, labelled_everywhere
from engine.distributed import distributed_consensus
from engine.ensemble import ensembles
from engine.estimators import ConsensusClustering, EnsembleClustering
from engine.generators import draw, kmeans_ensemble, make_ensemble
from engine.graphs.spectral_cuts import transfer_embedding
from engine.medians.label_kmeans import LabelRows, kmeans_on_labels
from engine.pairs.counts import pairs_seen
from engine.partition import BipartiteGraph, DenseGraph
from engine.similarities import pair_evidence
from tests import naive_confidence
from tests.strategies import random_labels


@st.composite
def gappy_matrices(draw, max_objects=12, max_clusterings=5):
    """Labels 0..3 and -1: every row has one, every column two."""
    n, m = draw(st.integers(4, max_objects)), draw(st.integers(1, max_clusterings))
    rows = st.lists(st.integers(-1, 3), min_size=m, max_size=m)
    labels = np.array(draw(st.lists(rows, min_size=n, max_size=n)))
    assume((labels >= 0).any(axis=1).all() and ((labels >= 0).sum(axis=0) >= 2).all())
    return labels


def gappy(n=60, m=8, k=4, seed=0, share=0.3):
    labels = random_labels(n, m, k, seed)
    labels[np.random.default_rng(seed + 1).random(labels.shape) < share] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    return labels


def full(matrix, ensemble):
    """The matrix between objects."""
    everyone = np.arange(ensemble.n_objects)
    return ensemble.microclusters.expand_matrix(matrix, everyone, everyone)


NAN, NONE = float("nan"), None


def hidden(rows, at=((1, 1), (2, 0))):
    """A matrix with a numpy mask over these places, whatever lies below."""
    matrix = np.ma.array(rows, mask=False)
    for place in at:
        matrix[place] = np.ma.masked
    return matrix


@pytest.mark.parametrize(
    ("labels", "missing"),
    [
        ([[0, 1], [0, -1], [-1, 1], [2, 1]], -1),
        ([[0.0, 1.0], [0.0, NAN], [NAN, 1.0], [2.0, 1.0]], -1),
        ([[0.0, 1.0], [0.0, -1.0], [NAN, 1.0], [2.0, 1.0]], -1),
        ([[0, 1], [0, None], [None, 1], [2, 1]], -1),
        ([["a", "b"], ["a", ""], ["", "b"], ["c", "b"]], -1),
        ([["a", "b"], ["a", None], ["", "b"], ["c", "b"]], -1),
        ([["a", "b"], ["a", "?"], ["?", "b"], ["c", "b"]], "?"),
        ([["0", "1"], ["0", "-1"], ["-1", "1"], ["2", "1"]], -1),
        ([[0, 1], [0, 99], [99, 1], [2, 1]], 99),
        ([[0, 1], [0, 99], [99, 1], [2, 1]], "99"),
        ([[0, 1], [0, -9], [-9, 1], [2, 1]], "-9"),
        ([["0", "1"], ["0", "-9"], ["-9", "1"], ["2", "1"]], -9),
        ([["a", "b"], ["a", "False"], ["False", "b"], ["c", "b"]], "False"),
        ([["a", "b"], ["a", "9" * 5000], ["9" * 5000, "b"], ["c", "b"]], "9" * 5000),
        (np.array([[0, 1], [0, 255], [255, 1], [2, 1]], np.uint8), 255),
        (np.array([["a", "b"], ["a", NAN], [NAN, "b"], ["c", "b"]]), -1),  # numpy writes NaN as the word "nan"
        (np.array([[b"a", b"b"], [b"a", b"nan"], [b"", b"b"], [b"c", b"b"]]), -1),
        ([[0, 1], [0, NAN], [NAN, 1], [2, 1]], None),
        (hidden([[0, 1], [0, 1], [0, 1], [2, 1]]), -1),
        (hidden([[0, 1], [0, 1], [0, 1], [2, 1]]), None),
        (hidden([[0.0, 1.0], [0.0, 7.5], [np.inf, 1.0], [2.0, 1.0]]), None),
        (hidden([["a", "b"], ["a", "b"], ["a", "b"], ["c", "b"]]), -1),
    ],
)
def test_every_way_of_saying_nothing_is_read(labels, missing):
    ensemble = Ensemble.from_labels(labels, missing=missing)
    assert ensemble.labels.tolist() == [[0, 0], [0, -1], [-1, 0], [1, 0]]
    assert (ensemble.complete, ensemble.n_missing, ensemble.n_clusters_total) == (False, 2, 3)


def test_a_mask_is_heard_at_every_door():
    rows = np.array([[0, 5], [0, 5], [1, 5], [1, 6], [1, 6], [0, 6]])
    masked, plain = hidden(rows.astype(np.uint8), [(1, 1), (4, 0)]), rows.astype(float)
    plain[1, 1] = plain[4, 0] = np.nan
    expected = Ensemble.from_labels(plain)
    assert ConsensusClustering("lwgp", 2).fit(masked).ensemble_.fingerprint == expected.fingerprint
    assert draw(masked, 2, 3).fingerprint == draw(plain, 2, 3).fingerprint
    over = [distributed_consensus(source, "lwgp", 2).labels.tolist() for source in (masked, plain)]
    assert over[0] == over[1]
    asked = hidden(expected.labels[:2], [(1, 1)])
    said = confidence.predict(expected, [0, 0, 1, 1, 1, 0], asked)
    assert said.support.tolist() == confidence.predict(expected, [0, 0, 1, 1, 1, 0], asked.filled(-1)).support.tolist()


def test_a_hidden_feature_is_refused_as_a_missing_one():
    features = hidden(np.random.default_rng(0).normal(size=(30, 2)), [(4, 1)])
    for take in (
        lambda: kmeans_ensemble(features, 3),
        lambda: make_ensemble("lac", features, 3, n_classes=2),
        lambda: EnsembleClustering().fit(features),
        lambda: data.scale(features, "standard"),
    ):
        with pytest.raises((ValueError, data.DataError), match="finite|NaN"):
            take()


def test_false_may_be_a_missing_label_and_a_number_beyond_the_type_is_none():
    flags = np.array([[True, True], [True, False], [False, True], [True, True]])
    assert Ensemble.from_labels(flags, missing=0).n_missing == 2
    assert Ensemble.from_labels(np.array([[0, 1], [1, 44]], np.uint8), missing=300).complete


def test_minus_one_may_be_a_label():
    assert Ensemble.from_labels([[0, 1], [0, -1]], missing=None).labels.tolist() == [[0, 0], [0, 1]]
    assert Ensemble.from_labels([[0, 1], [0, -1]], missing=None).complete


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([[0, 1], [-1, -1], [0, 1]], "1 without any, in row 2"),
        ([[0, 1], [-1, -1], [-1, -1]], "2 without any, in rows 2, 3"),
        ([[0, -1], [0, -1], [1, -1]], "Got 0 in column 2"),
        ([[0, -1], [0, -1], [1, 3]], "Got 1 in column 2"),
        ([[-1, -1], [-1, -1]], "without any"),
        ([[0, {}], [1, 3], [None, 2]], "in row 1, column 2"),
    ],
)
def test_what_ties_nothing_together_is_refused_by_number(labels, said):
    with pytest.raises(InvalidEnsembleError, match=said):
        Ensemble.from_labels(labels)


@given(gappy_matrices())
def test_a_missing_label_never_makes_a_cluster(labels):
    ensemble = Ensemble.from_labels(labels)
    distinct = [set(column[column >= 0].tolist()) for column in labels.T]
    assert ensemble.n_clusters_each.tolist() == [len(one) for one in distinct]
    assert ensemble.cluster_sizes.sum() == (labels >= 0).sum() == ensemble.incidence.sum()
    assert ensemble.clusters.columns().T.tolist() == ensemble.labels[ensemble.microclusters.representatives].tolist()
    assert ensemble.canonical.cluster_sizes.sum() == (labels >= 0).sum()
    rows = {tuple(row) for row in ensemble.labels.tolist()}
    assert len(ensemble.microclusters) == len(rows)


@given(gappy_matrices())
def test_co_association_is_over_the_base_clusterings_that_saw_both(labels):
    ensemble, expected = Ensemble.from_labels(labels), naive_confidence.consensus_matrix(labels)
    assert full(evidence.co_association(ensemble, dtype=np.float64), ensemble) == pytest.approx(
        expected + np.diag(1 - np.diag(expected))
    )
    unseen = [
        (i, j)
        for i, j in itertools.combinations(range(len(labels)), 2)
        if not ((labels[i] >= 0) & (labels[j] >= 0)).any()
    ]
    assert pairs_seen(ensemble) == (len(unseen), len(labels) * (len(labels) - 1) // 2)


def naive_uncertainty(labels):
    found = []
    for column in labels.T:
        for name in dict.fromkeys(column[column >= 0].tolist()):
            members, total = labels[column == name], 0.0
            for other in members.T:
                seen = other[other >= 0].tolist()
                shares = [seen.count(v) / len(seen) for v in set(seen)]
                total -= sum(p * math.log2(p) for p in shares)
            found.append(total)
    return np.array(found)


@given(gappy_matrices())
def test_uncertainty_is_over_the_members_that_were_seen(labels):
    assert evidence.cluster_uncertainty(Ensemble.from_labels(labels)) == pytest.approx(naive_uncertainty(labels))


@given(gappy_matrices())
def test_agreement_is_on_the_objects_both_label(labels):
    ours = evidence.clustering_agreement(Ensemble.from_labels(labels), "max")
    for a, b in itertools.combinations(range(labels.shape[1]), 2):
        seen = (labels[:, a] >= 0) & (labels[:, b] >= 0)
        expected = metrics.nmi(labels[seen, a], labels[seen, b], "max") if seen.any() else 0.0
        assert ours[a, b] == ours[b, a] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30)
@given(gappy_matrices())
def test_every_kind_of_evidence_that_is_counted_has_the_value_of_its_matrix(labels):
    ensemble = Ensemble.from_labels(labels)
    for key in ("ca", "lwca", "wca"):
        kind = pair_evidence()[key]
        matrix = full(kind.matrix(ensemble, kind.params(), Monitor()), ensemble)
        for i, j in itertools.combinations(range(len(labels)), 2):
            assert kind.value(ensemble, kind.params(), i, j) == pytest.approx(matrix[i, j], abs=1e-6)


@given(gappy_matrices())
def test_the_graph_of_cspa_has_m_times_the_co_association(labels):
    ensemble = Ensemble.from_labels(labels)
    sizes = ensemble.microclusters.sizes
    expected = evidence.co_association(ensemble, dtype=np.float64) * ensemble.n_clusterings * np.outer(sizes, sizes)
    np.fill_diagonal(expected, 0)
    assert evidence.pair_count_graph(ensemble).toarray() == pytest.approx(expected)


def test_the_bipartite_graph_has_an_edge_for_every_label_there_is():
    ensemble = Ensemble.from_labels(gappy())
    sparse = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    dense = DenseGraph(ensemble.clusters.incidence().toarray().astype(float))
    sizes = ensemble.microclusters.sizes
    ours, theirs = (transfer_embedding(graph, sizes, 4) for graph in (sparse, dense))
    assert ours @ ours.T == pytest.approx(theirs @ theirs.T)


@pytest.mark.parametrize("utility", ["U_c", "U_H", "NU_c", "NU_H"])
def test_kcc_raises_the_total_over_what_was_seen(utility):
    labels = gappy(40, 6, 3)
    ensemble = Ensemble.from_labels(labels)
    result = run_consensus("kcc", ensemble, 3, {"utility": utility, "starts": 4})
    total = 0.0
    for column in ensemble.labels.T:
        seen = column >= 0
        share = np.bincount(column[seen]) / seen.sum()
        own = (share**2).sum() if utility.endswith("c") else -(share * np.log2(share)).sum()
        weight = 1 / own if utility.startswith("N") else 1.0
        for a in range(3):
            counts = np.bincount(column[seen & (result.labels == a)], minlength=1).astype(float)
            n = counts.sum()
            if utility.endswith("c"):
                total += weight * ((counts**2).sum() / n - n)
            else:
                total -= weight * sum(n * -(c / n) * math.log2(c / n) for c in counts if c)
    assert result.trace["objectives"].min() == pytest.approx(-total)


def test_sec_is_the_normalised_cut_of_the_meetings_there_were():
    ensemble = Ensemble.from_labels(gappy(40, 6, 3))
    result = run_consensus("sec", ensemble, 3, {"starts": 4})
    meetings = (ensemble.incidence.astype(float) @ ensemble.incidence.astype(float).T).toarray()
    kept = [meetings[np.ix_(result.labels == a, result.labels == a)].sum() for a in range(3)]
    volumes = [meetings[result.labels == a].sum() for a in range(3)]
    assert result.trace["objectives"].min() == pytest.approx(3 - sum(np.array(kept) / volumes))


@pytest.mark.parametrize("entropic", [False, True])
@pytest.mark.parametrize("one_mass", [False, True])
def test_where_nothing_is_missing_both_kernels_are_one(entropic, one_mass):
    ensemble = Ensemble.from_labels(random_labels(80, 6, 4, noise=0.4)).canonical
    spread = np.ones(len(ensemble.microclusters)) if entropic else np.linspace(1, 3, len(ensemble.microclusters))
    if not one_mass:
        spread[:] = 1
    plain = LabelRows.of(ensemble, spread=spread, entropic=entropic)
    clusters = ensemble.clusters
    seen = LabelRows(
        clusters.ids, plain.sizes, spread, plain.values, entropic, clusters.start, clusters.clustering_of, one_mass
    )
    ours, theirs = (kmeans_on_labels(rows, 4, 5, True, np.random.default_rng(0)) for rows in (seen, plain))
    assert (ours.labels == theirs.labels).all()
    assert ours.totals == pytest.approx(theirs.totals)


@settings(max_examples=40)
@given(gappy_matrices(), st.integers(0, 99))
def test_support_and_margin_are_over_the_pairs_that_were_seen(labels, seed):
    partition = np.random.default_rng(seed).integers(3, size=len(labels))
    partition[0], partition[-1] = 0, 1
    own, gap = naive_confidence.support_and_margin(labels, partition.tolist())
    ensemble = Ensemble.from_labels(labels)
    assert confidence.support(ensemble, partition) == pytest.approx(own)
    assert confidence.margin(ensemble, partition) == pytest.approx(gap)


def test_lent_labels_are_those_of_the_most_similar_object():
    labels = gappy(50, 6, 3)
    ensemble = Ensemble.from_labels(labels)
    whole = completed(ensemble)
    assert whole.complete
    assert whole.provenance["completed"] == (labels < 0).sum()
    similarity = naive_confidence.consensus_matrix(labels)
    for i, m in np.argwhere(labels < 0):
        lenders = [j for j in range(50) if whole.labels[j, m] == whole.labels[i, m] and labels[j, m] >= 0]
        best = max(similarity[i, j] for j in range(50) if labels[j, m] >= 0)
        assert max(similarity[i, j] for j in lenders) == pytest.approx(best)
    for m in range(6):
        seen = labels[:, m] >= 0
        assert metrics.ari(whole.labels[seen, m], labels[seen, m]) == 1
    assert completed(whole) is whole


def test_objects_every_base_clustering_labels_can_be_kept_alone():
    ensemble = Ensemble.from_labels(gappy(80, 4, 3, share=0.2))
    kept = labelled_everywhere(ensemble)
    rest = ensemble.of_objects(kept)
    assert rest.complete
    assert rest.n_objects == kept.sum()
    with pytest.raises(InvalidEnsembleError, match="at least 2 objects"):
        ensemble.of_objects([0])


def test_a_choice_of_base_clusterings_that_loses_objects_says_so_or_drops_them():
    ensemble = Ensemble.from_labels([[0, -1], [0, 0], [1, 0], [-1, 1], [-1, 1]])
    with pytest.raises(InvalidEnsembleError, match="2 without any label, the first in row 4"):
        ensemble.select([0])
    part, objects = ensemble.seen_by([0])
    assert (part.n_objects, objects.tolist()) == (3, [0, 1, 2])
    whole, everyone = Ensemble.from_labels(random_labels()).seen_by([0, 1])
    assert (whole.n_clusterings, len(everyone)) == (2, 60)


def test_drawing_again_halves_and_leaving_out_go_on_with_the_objects_seen():
    labels = np.tile((np.arange(30) // 10)[:, None], 6)
    labels[0, 1:] = -1
    ensemble = Ensemble.from_labels(labels)
    found = confidence.resampled(ensemble, "eac", 3, repeats=20)
    assert (found.partitions[0] < 0).any()
    assert (found.stability == 1).all()
    assert found.consistency == pytest.approx(1)
    assert leave_one_out("eac", ensemble, 3) == pytest.approx(0)
    chosen = choose_k(ensemble, "eac", k_max=4 if len(ensemble.microclusters) >= 4 else 3, effort="quick")
    assert chosen.k == 3
    assert chosen.curves["halves"][1] == pytest.approx(1)


def test_an_ensemble_with_gaps_survives_a_file(tmp_path):
    ensemble = Ensemble.from_labels(gappy())
    save_ensemble(ensemble, tmp_path / "gaps.npz")
    assert load_ensemble(tmp_path / "gaps.npz").fingerprint == ensemble.fingerprint


def test_the_way_out_is_called_as_the_package_it_is_in(monkeypatch):
    gappy = Ensemble.from_labels([[0, 0], [0, -1], [1, 1]])
    for package in ("engine", "concord"):
        monkeypatch.setattr(ensembles, "__package__", f"{package}.ensemble")
        with pytest.raises(MissingEvidenceError, match=rf"object \({package}\.completion\)$"):
            run_consensus("ec_cms", gappy, 2)

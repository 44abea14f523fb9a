"""What a script may hand over by mistake: refused in the library's words, or taken as what it plainly means."""

from io import BytesIO

import numpy as np
import pytest
from scipy import sparse

import data
from engine import (
    EngineError,
    Ensemble,
    Graph,
    MissingEvidenceError,
    confidence,
    consensus_of_sample,
    leave_one_out,
    load_ensemble,
    metrics,
    partitions,
    run_consensus,
    save_ensemble,
    selection,
    statistics,
    tables,
)
from engine import evidence as matrices
from engine.choosing_k import choose_k, consensus_runs, principal_scores, structure
from engine.choosing_k.questions import Effort
from engine.choosing_method import choose_method, choose_setting
from engine.communities.leiden import communities
from engine.generators import (
    default_inverse_h,
    k_bounds,
    kmeans_ensemble,
    lac_ensemble,
    mixed_ensemble,
    spread_inverse_h,
)
from engine.generators.adaptive_subspaces import lac
from engine.generators.rival_runs import RPCLParams
from engine.partition import (
    BipartiteGraph,
    Dendrogram,
    branch,
    cut,
    cut_all,
    first_leaves,
    grow_trees,
    linkage,
    meeting,
    newick,
    node_spans,
    tied_at_cut,
    totals_below,
    weighted_kmeans,
)
from engine.renumbering import first_appearance
from engine.studies.study import Study
from tests.strategies import random_labels

FEW = Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [1, 1], [2, 1]])
MORE = Ensemble.from_labels(random_labels(30, 6, 3))
GAPS = Ensemble.from_labels([[0, 0, 0], [0, -1, 0], [1, 1, -1], [1, 1, 1], [2, 0, 1]])
SOFT = Ensemble.from_labels([[0], [1], [1]], memberships=[[1, 0], [0, 1], [1, 1]])
N = len(MORE.microclusters)
POINTS = np.random.default_rng(0).normal(size=(20, 2))
WORDS = [["a"]] * 5
HOLED = np.where(POINTS > 1, np.nan, POINTS)
RNG = np.random.default_rng(0)
SQUARE = np.eye(2)
TREE = run_consensus("eac", MORE, 2).trace["dendrogram"]
TRIANGLE = (np.array([0, 1, 2]), np.array([1, 2, 0])), np.ones(3), np.ones(3, int)
CLOUD = selection.chance(MORE, "eac", 3, 2, draws=4)
RAGGED = [[0], [0, 1], 0, 1, 2]


def weighted_of_gaps(votes):
    """Weighted co-association where labels are missing, base clusterings weighted too."""
    return matrices.weighted_co_association(GAPS, np.ones(GAPS.n_clusters_total), clustering_weights=votes)


@pytest.mark.parametrize(
    "made",
    [
        lambda: matrices.two_level_co_association(GAPS),
        lambda: matrices.self_paced_graph(GAPS, 2),
        lambda: matrices.tri_level_graph(GAPS, 2),
        lambda: matrices.dense_representation(GAPS, 1.0),
        lambda: matrices.robust_representation(GAPS, 2),
        lambda: matrices.completed_co_association(GAPS),
    ],
)
def test_what_a_method_refuses_is_refused_of_its_evidence(made):
    with pytest.raises(MissingEvidenceError, match="needs a label of every object .* and 2 are missing"):
        made()


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: matrices.dense_representation(MORE, -1), "lam must be"),
        (lambda: matrices.dense_representation(MORE, np.nan), "lam must be"),
        (lambda: matrices.dense_representation(MORE, 1.0, 0), "rounds must be"),
        (lambda: matrices.completed_co_association(MORE, -1), "smallest must be"),
        (lambda: matrices.completed_co_association(MORE, None, 0, 2), "high must be"),
        (lambda: matrices.self_paced_graph(MORE, 3, 2), "g must be"),
        (lambda: matrices.self_paced_graph(MORE, 0), r"n_clusters must be an integer in \[1, "),
        (lambda: matrices.tri_level_graph(MORE, 3, 0), "gamma must be"),
        (lambda: matrices.tri_level_graph(MORE, N), "n_clusters must be"),
        (lambda: matrices.robust_representation(MORE, 3, -1), "l1 must be"),
        (lambda: matrices.robust_representation(MORE, N), "n_clusters must be"),
        (lambda: matrices.source_aware_triples(MORE, np.zeros(6)), "weights must be finite, at least 0, and not all 0"),
        (lambda: matrices.source_aware_triples(MORE, np.full(6, np.nan)), "weights must be finite"),
        (lambda: matrices.membership_graph(SOFT, 0), "n_neighbors must be"),
        (lambda: matrices.crowd_weights(FEW, "a"), "beta must be"),
        (lambda: matrices.high_confidence([1, 0.5]), "co_association must be a square"),
        (lambda: confidence.internal_scores(FEW, ["a", "a", None, "b", "b"]), "every object needs a label"),
        (lambda: confidence.internal_scores(FEW, RAGGED), "rows of different lengths"),
        (lambda: confidence.predict(FEW, [2**70, 0, 0, 1, 1], FEW.labels), "whole numbers of 32 bits"),
        (lambda: confidence.nearest_base_labels(FEW, WORDS, WORDS), "features must be a matrix of numbers"),
        (lambda: partitions.partition_tree({2: RAGGED}), "rows of different lengths"),
        (lambda: partitions.partition_map(WORDS), "distances must be a matrix of numbers"),
        (lambda: partitions.partition_map([[0, 1e200], [1e200, 0]]), "finite values from 0 to 1e"),
        (lambda: partitions.map_with(partitions.partition_map([[0, 1], [1, 0]]), "a"), "distances must be a matrix"),
        (lambda: choose_k(FEW, features=WORDS), "features must be a matrix of numbers"),
        (lambda: choose_method(FEW, 2, WORDS), "features must be a matrix of numbers"),
        (lambda: principal_scores(WORDS), "features must be a matrix of numbers"),
        (lambda: default_inverse_h(WORDS), "features must be a matrix of numbers"),
        (lambda: lac_ensemble(POINTS, 2, 4), "inverse_h must be a list of numbers. Got 4"),
        (lambda: lac_ensemble(POINTS, 2, ["a"]), "inverse_h must be a list of numbers. Got"),
        (lambda: spread_inverse_h(0, 1, 2), "ends must be a pair of numbers"),
        (lambda: spread_inverse_h(2, 1, 2), "ends must be a pair of numbers"),
        (lambda: spread_inverse_h(1, 2, 0), "n must be an integer of at least 1"),
        (lambda: k_bounds("sqrt", 1), "n_objects must be an integer of at least 2"),
        (lambda: k_bounds(np.array(3), 20), "k_range must satisfy 2 <= low <= high <= 20 objects"),
        (lambda: kmeans_ensemble(POINTS, 3, minibatch_above=None), "minibatch_above must be an integer"),
        (lambda: mixed_ensemble(POINTS, 3, {"k_rang": (2, 3)}), "'k_rang' is no parameter here"),
        (lambda: k_bounds("sqrt", -1), "n_objects must be an integer of at least 2"),
        (lambda: consensus_runs(POINTS, [2.5], 2), "ks must be integers from 2"),
        (lambda: consensus_runs(POINTS, [2], 2.5), "repeats must be an integer"),
        (lambda: consensus_runs(POINTS, [2], 2, "a"), "share must be a number"),
        (lambda: cut(linkage(np.eye(3)), 2.5), r"n_clusters must be an integer in \[1, 3\]"),
        (lambda: linkage([[1, "a"], ["a", 1]]), "similarity must be a float matrix"),
        (lambda: linkage(3.0), "similarity must be a float matrix"),
        (lambda: confidence.nmi_with_each(FEW, [0, 0, 0, 1, 1], "geometric"), "normalisation must be one of max"),
        (lambda: matrices.clustering_agreement(FEW, ["max"]), "normalisation must be one of max"),
        (lambda: FEW.of_objects([0, 9]), "objects are chosen by integers below 5"),
        (lambda: FEW.of_objects([0.5, 1.2]), "objects are chosen by integers below 5"),
        (lambda: FEW.of_objects([0]), "at least 2 objects. Got 1"),
        (lambda: confidence.cluster_means(["a"] * 4, [0, 0, 1, 1]), "values must be numbers"),
        (lambda: confidence.support(FEW, [0, 0, 0, 1, 1], weights="a"), "weights must be numbers"),
        (lambda: statistics.friedman("a"), "must be numbers"),
        (lambda: statistics.critical_difference(3, 5, "a"), "alpha must be between 0 and 1"),
        (lambda: statistics.cliques([1, 2], "a"), "cd positive"),
        (lambda: partitions.partition_distances(FEW, ["vi"]), "distance must be one of"),
        (lambda: Graph.of_matrix([["a"]]), "a graph must be a matrix of numbers"),
        (lambda: selection.selection_of(None, 5), "strategy must be one of"),
        (lambda: FEW.select([9]), "integers below 2, or a bool for each. Got"),
        (lambda: FEW.select([[0, 1]]), r"integers below 2, or a bool for each. Got \[\[0, 1\]\]"),
        (lambda: FEW.select(0), "integers below 2, or a bool for each. Got 0"),
        (lambda: FEW.select([[0], [1, 2]]), "integers below 2, or a bool for each"),
        (lambda: FEW.seen_by([9]), "integers below 2, or a bool for each"),
        (lambda: FEW.seen_by(None), "integers below 2, or a bool for each"),
        (lambda: FEW.of_objects([[0, 1], [1, 0]]), "objects are chosen by integers below 5"),
        (lambda: FEW.of_objects([0, 1], [9]), "base clusterings are chosen by integers below 2"),
        (lambda: Ensemble.from_labels([[0], [1]], graph="x"), "graph must be a Graph. Got 'x'"),
        (lambda: Ensemble.from_labels([[0], [1]], provenance=5), "provenance must be a mapping"),
        (lambda: metrics.align([0, 1, 2], [2**40, 2**41, 2**41]), "reference must be whole numbers of 32 bits"),
        (lambda: metrics.align([0, 1, 2], [1.5, 1.2, 1.2]), "reference must be whole numbers of 32 bits. Got 1.5"),
        (lambda: metrics.ari(np.array(["", "a", "a"]), [0, 1, 1]), "every object needs a label here. Got 1"),
        (lambda: confidence.extended(FEW, [0, 3], ["x", "a"]), "labels must be whole numbers of 32 bits. Got 'x'"),
        (lambda: confidence.predict(FEW, [0, 0, 0, 1, 1], [[0], [0, 1]]), "rows of different lengths"),
        (lambda: leave_one_out("eac", FEW, "x"), "n_clusters must be an integer of at least 2"),
        (lambda: consensus_of_sample("eac", FEW, 2, 3, seed=-1), "seed must be an integer"),
        (lambda: choose_setting(MORE, "lwea", 3, [{}], seed="a"), "seed must be an integer"),
        (lambda: choose_setting(MORE, "lwea", "3", [{}]), "n_clusters must be an integer"),
        (lambda: choose_method(MORE, 3, budget=1.0, seed=-1), "seed must be an integer of at least 0. Got -1"),
        (lambda: choose_method(MORE, 3, budget="x"), "budget must be a number of seconds above 0. Got 'x'"),
        (lambda: choose_method(MORE, 3, leave_out=5), "leave_out must be a collection of sets of the league"),
        (lambda: statistics.critical_difference(3, 5, None), "alpha must be between 0 and 1"),
        (lambda: statistics.paired_verdict([1, 2], [1, 3], 0.05 + 0j), "alpha must be between 0 and 1"),
        (lambda: statistics.paired_interval([1, 2], [1, 3], "0.9"), "level must be between 0 and 1"),
        (lambda: statistics.cliques([1, 2], None), "cd positive"),
        (lambda: matrices.ensemble_driven_cluster_index(FEW, "x"), r"theta must be a number in \(0, inf\)"),
        (lambda: matrices.weighted_co_association(FEW, "x"), "weights must be numbers"),
        (lambda: selection.select(FEW, ["snmi"], 1), "strategy must be one of"),
        (lambda: consensus_runs(HOLED, [2], 2), "features must be finite and below 1e"),
        (lambda: consensus_runs(POINTS * 1e200, [2], 2), "features must be finite and below 1e"),
        (lambda: consensus_runs(POINTS[:, 0], [2], 2), "features must be a matrix of at least 2 objects"),
        (lambda: consensus_runs(np.ma.array(POINTS, mask=POINTS > 1), [2], 2), "features must be finite"),
        (lambda: weighted_kmeans(POINTS * 1e200, np.ones(20), 2, RNG), "points must be finite and below 1e"),
        (lambda: weighted_kmeans(POINTS, np.ones(3), 2, RNG), "weights must be 20 finite numbers"),
        (lambda: weighted_kmeans(POINTS, -np.ones(20), 2, RNG), "weights must be 20 finite numbers, none negative"),
        (lambda: weighted_kmeans(POINTS, np.ones(20), 21, RNG), "n_clusters must be at most 20"),
        (lambda: choose_k(MORE, features=np.ones((30, 0))), "matrix of 30 objects x at least 1 feature"),
        (lambda: choose_k(MORE, effort=Effort(10, 4, 0)), "splits must be an integer of at least 1"),
        (lambda: choose_k(MORE, effort=Effort(10, -1, 2)), "null_sets must be an integer"),
        (lambda: choose_k(MORE, effort=["quick"]), "effort must be one of quick"),
        (lambda: choose_k(MORE, effort=np.array(["quick", "full"])), "effort must be one of quick"),
        (lambda: choose_k(MORE, criteria=[["pac"]]), "criterion must be one of"),
        (lambda: structure([np.nan] * 2, np.full((4, 2), 0.3)), r"PAC must be in \[0, 1\]. Got nan"),
        (lambda: structure([], np.ones((4, 0))), "PAC of at least one k"),
        (lambda: structure(["a"], [[0.1]] * 4), "PAC must be numbers"),
        (lambda: MORE.microclusters.block_means(np.eye(N + 1), [0], [0], 1), "one row a microcluster"),
        (lambda: MORE.microclusters.expand_matrix(np.eye(N - 1), [0], [0]), "one row a microcluster"),
        (lambda: matrices.link_quality(np.eye(N + 1), MORE.microclusters, range(30), [0, 1]), "one row a microcluster"),
        (lambda: matrices.link_quality(np.eye(N), MORE.microclusters, range(30), [np.nan]), "ascending values"),
        (lambda: matrices.link_quality(np.eye(N), MORE.microclusters, range(30), 0.5), "ascending values"),
        (lambda: weighted_of_gaps(np.ones(2)), r"clustering_weights must have shape \(3,\). Got \(2,\)"),
        (lambda: weighted_of_gaps([1, np.nan, 1]), "clustering_weights must be finite"),
        (lambda: matrices.weighted_co_association(FEW, np.full(5, np.inf)), "weights must be finite"),
        (lambda: BipartiteGraph.of(FEW, np.ones(2)), r"weights must have shape \(5,\)"),
        (lambda: BipartiteGraph.of(FEW, -np.ones(5)), "weights must not be negative"),
        (lambda: partitions.partition_tree({2: [0, -7, 1]}), "labels from 0 on, -1 for none"),
        (lambda: communities(*TRIANGLE, resolution=-1), "resolution must be"),
        (lambda: communities(*TRIANGLE, resolution=np.nan), "resolution must be"),
        (lambda: communities(TRIANGLE[0], -np.ones(3), TRIANGLE[2]), "weights must be finite and above 0"),
        (lambda: communities(([0, 1, 9], [1, 2, 0]), *TRIANGLE[1:]), "ends must be nodes from 0 to 2"),
        (lambda: communities(*TRIANGLE, quality=["rb"]), "quality must be one of"),
        (lambda: matrices.enhance(SQUARE * np.nan, SQUARE, [1, 1]), "similarity must be finite"),
        (lambda: matrices.enhance(SQUARE, SQUARE * np.nan, [1, 1]), "co_association must be finite"),
        (lambda: matrices.enhance(SQUARE, SQUARE, [1, np.inf]), "sizes must be 2 positive numbers"),
        (lambda: matrices.enhance(SQUARE[:0, :0], SQUARE[:0, :0], []), "sizes must be 0 positive numbers"),
        (lambda: matrices.enhance(SQUARE, SQUARE, [1, 1], max_iter=2.5), "max_iter must be an integer"),
        (lambda: matrices.enhance(SQUARE, SQUARE, [1, 1], lam="a"), "lam must be a number"),
        (lambda: matrices.enhance([[1.0]], [[1.0]], [1]), "similarity must be a square float32 or float64"),
        (lambda: choose_setting(MORE, "lwae", 3, [{}]), "method must be one of"),
        (lambda: metrics.align(range(20), np.eye(20)), r"labels must be one an object, \(N,\). Got shape \(20, 20\)"),
        (lambda: metrics.align(range(20), "a"), r"labels must be one an object, \(N,\). Got shape \(\)"),
        (lambda: first_appearance(np.eye(20)), "labels must be one an object"),
        (lambda: totals_below(TREE.merges, np.ones(3)), "values must be one a leaf"),
        (lambda: node_spans(TREE.merges, np.zeros(3), np.ones(3)), "leaves must have"),
        (lambda: first_leaves(np.full((50, 2), 10**7)), "merges must join leaves 0..50 and nodes made before"),
        (lambda: first_leaves([[0, 0]]), "each once"),
        (lambda: first_leaves([[0.5, 1]]), "merges must be whole numbers"),
        (lambda: Dendrogram(TREE.merges + 1, TREE.similarities, TREE.sizes), "merges must join leaves"),
        (lambda: Dendrogram(TREE.merges, TREE.similarities, TREE.sizes[1:]), "a tree of"),
        (lambda: linkage(np.eye(3), sizes=[1, -3, 1]), "sizes must be 3 whole numbers of at least 1"),
        (lambda: linkage(np.eye(3), sizes=[1.9, 1, 1]), "sizes must be 3 whole numbers"),
        (lambda: matrices.transition_matrix(np.ones((3, 3)), [0, 0, 1]), "sizes must be 3 whole numbers"),
        (lambda: grow_trees(np.eye(3), [1, 1, 1], [0.9, 2.9]), "prototypes must be different nodes"),
        (lambda: branch(TREE, 2.5), r"node must be an integer in \[0, "),
        (lambda: meeting(TREE, 0, 2.5), r"b must be an integer in \[0, "),
        (lambda: meeting(TREE, 1, 1), "two different leaves. Got 1 twice"),
        (lambda: tied_at_cut(TREE, 2.5), "n_clusters must be an integer"),
        (lambda: newick(TREE, assignment=[]), r"assignment must give each of .* leaves an object. Got \[\]"),
        (lambda: newick(TREE, assignment=[0.5] * N), "assignment must give each of"),
        (lambda: newick(TREE, assignment=[-1, *range(N)]), "assignment must give each of"),
        (lambda: Graph.of_matrix(sparse.csr_array([[0, 1 + 5j], [1 + 5j, 0]])), "must be a matrix of numbers"),
        (lambda: lac(POINTS, 2, None), "inverse_h must be a number"),
        (lambda: lac(POINTS, 2, 1.0, tol=None), "tol must be a number"),
        (lambda: MORE.tossed(-1), "seed must be an integer"),
        (lambda: Study(("s",), ("eac",), n_clusterings=4), "n_clusterings must be a list"),
        (lambda: choose_setting(MORE, "lwea", 3, [{"tetha": 0.4}]), "tetha"),
        (lambda: save_ensemble(FEW, BytesIO(), rows=list("abcde")), "rows must be whole numbers"),
        (lambda: save_ensemble(FEW, None), "path must be a path, or an open binary file. Got None"),
        (lambda: load_ensemble(None), "path must be a path, or an open binary file. Got None"),
        (lambda: selection.chance(MORE, "eac", 3, 2, score=["x"]), "measure must be one of"),
        (lambda: selection.enough(MORE, "eac", 2, sizes=3), "sizes must be integers from 2 to 6. Got 3"),
        (lambda: CLOUD.value([[0], [1, 2]]), "rows of different lengths"),
        (lambda: CLOUD.percentile("a"), "value must be a number"),
        (lambda: CLOUD.sentence(np.nan), "value must be a number"),
        (lambda: partitions.resolution_curve(Graph.of_edges([0], [1]), "ab"), "resolutions must be numbers above 0"),
        (lambda: partitions.resolution_curve(None, [0.1]), "graph must be a Graph"),
        (lambda: partitions.partition_tree({2: [0, 2**40]}), "partitions must be whole numbers of 32 bits"),
        (lambda: partitions.partition_tree([[0, 1]]), "partitions must be a mapping"),
    ],
)
def test_a_slip_is_refused_in_words(made, said):
    with pytest.raises(EngineError, match=said):
        made()


@pytest.mark.parametrize(
    "asked",
    [
        lambda labels: leave_one_out("eac", labels, 2),
        lambda labels: consensus_of_sample("eac", labels, 2, 2),
        lambda labels: confidence.support(labels, [0, 0, 1, 1]),
        lambda labels: confidence.nmi_with_each(labels, [0, 0, 1, 1]),
        lambda labels: confidence.resampled(labels, "eac", 2),
        lambda labels: selection.select(labels, "snmi", 1),
        lambda labels: selection.enough(labels, "eac", 2),
        lambda labels: choose_k(labels, "lwea"),
        lambda labels: choose_method(labels, 2),
        lambda labels: choose_setting(labels, "lwea", 2, [{}]),
    ],
)
@pytest.mark.parametrize("labels", [[[0, 0], [0, 0], [1, 1], [1, 1]], np.array([[0, 0], [0, 0], [1, 1], [1, 1]])])
def test_whoever_brings_labels_for_an_ensemble_is_told_how_to_make_one(asked, labels):
    with pytest.raises(EngineError, match=r"make one: Ensemble.from_labels\(...\)"):
        asked(labels)


def test_rows_of_words_are_no_features_of_data():
    with pytest.raises(data.DataError, match="matrix of numbers"):
        data.scale(WORDS, "standard")
    with pytest.raises(data.DataError, match="matrix of numbers"):
        data.scale([[1, 2], [3]], "none")
    with pytest.raises(data.DataError, match="matrix of numbers"):
        data.scale([[10**400]], "none")


def test_a_data_set_is_named_by_text():
    with pytest.raises(data.DataError, match="must be text, got None"):
        data.load(None)


def test_columns_of_a_labels_file_are_as_long_as_the_labels():
    with pytest.raises(ValueError, match="'margin' must have 2 values, one a label. Got 1"):
        tables.labels_csv([0, 1], {"margin": [1.0]})
    with pytest.raises(ValueError, match="'object' must have 2 values"):
        tables.labels_csv([0, 1], rows=[4])


def test_no_cut_is_a_table_without_columns():
    assert cut_all(TREE, []).shape == (N, 0)


def test_a_mapping_of_parameters_is_those_parameters():
    named = mixed_ensemble(POINTS, 4, {"k_range": (3, 3)})
    np.testing.assert_array_equal(named.labels, mixed_ensemble(POINTS, 4, RPCLParams(k_range=(3, 3))).labels)
    assert named.provenance["k_range"] == (3, 3)


def test_lists_are_matrices():
    rows = [[1, 0.5, 0.2], [0.5, 1, 0.7], [0.2, 0.7, 1]]
    matrix = np.array(rows)
    np.testing.assert_array_equal(linkage(rows).merges, linkage(matrix).merges)
    np.testing.assert_array_equal(matrices.high_confidence(rows, 0.6), matrices.high_confidence(matrix, 0.6))
    np.testing.assert_array_equal(Graph.of_matrix(rows).weights, Graph.of_matrix(matrix).weights)

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import squareform

from engine import Ensemble, InvalidParameterError, Monitor, partition, run_consensus
from engine.graphs.spectral_cuts import transfer_embedding
from engine.trees.dendrograms import tied_at_cut
from tests import naive
from tests.monitors import Heard
from tests.strategies import label_matrices, random_labels, same_partition


def random_similarity(n, seed):
    matrix = np.random.default_rng(seed).random((n, n))
    return (matrix + matrix.T) / 2


@pytest.mark.parametrize("method", ["average", "complete", "single"])
@pytest.mark.parametrize("n", [2, 3, 40])
def test_trees_equal_scipy_where_nothing_ties(method, n):
    similarity = random_similarity(n, seed=n)
    tree = partition.linkage(similarity, method=method)
    theirs = scipy_linkage(squareform(1 - similarity, checks=False), method)
    np.testing.assert_allclose(1 - tree.similarities, theirs[:, 2], atol=1e-12)
    assert (tree.merges == np.sort(theirs[:, :2].astype(int), axis=1)).all()


@given(label_matrices(max_objects=25, max_clusterings=4))
def test_complete_link_on_co_association_breaks_ties_as_scipy_does(labels):
    from engine.evidence import distance_steps

    steps = distance_steps(Ensemble.from_labels(labels), refine=False).astype(np.float64)
    if len(steps) < 2:
        return
    tree = partition.linkage(labels.shape[1] - steps, method="complete")
    theirs = scipy_linkage(squareform(steps), "complete")
    assert (labels.shape[1] - tree.similarities == theirs[:, 2]).all()
    assert (tree.merges == np.sort(theirs[:, :2].astype(int), axis=1)).all()


def test_tied_merges_are_counted_and_recorded():
    kept = Heard()
    similarity = np.array([[1, 0.9, 0, 0], [0.9, 1, 0, 0], [0, 0, 1, 0.5], [0, 0, 0.5, 1]])
    assert partition.linkage(similarity, monitor=kept).n_tied_merges == kept.trace["tied_merges"] == 0
    assert partition.linkage(np.full((5, 5), 0.5)).n_tied_merges == 4
    similarity[2:, 2:] = 0.9
    assert partition.linkage(similarity).n_tied_merges == 2
    assert run_consensus("eac", Ensemble.from_labels([[0, 0], [0, 1], [1, 2]]), 2).trace["tied_merges"] == 0


@settings(max_examples=30)
@given(st.integers(3, 8), st.integers(0, 10_000), st.sampled_from(["average", "complete", "single"]))
def test_sizes_stand_for_repeated_objects(n, seed, method):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, n)
    similarity = random_similarity(n, seed)
    owner = np.repeat(np.arange(n), sizes)
    on_objects = similarity[np.ix_(owner, owner)]
    on_objects[owner[:, None] == owner] = 1.0
    tree = partition.linkage(similarity, sizes, method)
    for k in range(1, n + 1):
        assert same_partition(partition.cut(tree, k)[owner], naive.agglomerate(on_objects, k, method))


@given(label_matrices())
def test_heights_never_rise_and_children_come_first(labels):
    ensemble = Ensemble.from_labels(labels)
    from engine.evidence import co_association

    tree = partition.linkage(co_association(ensemble), ensemble.microclusters.sizes)
    n = tree.n_leaves
    assert (np.diff(tree.similarities) <= 0).all()
    assert (tree.merges < n + np.arange(n - 1)[:, None]).all()
    assert sorted(tree.merges.ravel().tolist()) == list(range(2 * n - 2))


@given(st.integers(2, 9), st.data())
def test_cut_gives_exactly_k_even_if_all_heights_tie(n, data):
    tree = partition.linkage(np.full((n, n), 0.5, np.float32))
    k = data.draw(st.integers(1, n))
    labels = partition.cut(tree, k)
    assert sorted(set(labels.tolist())) == list(range(k))
    assert partition.cut_all(tree, [1, n]).shape == (n, 2)


def test_cuts_are_nested():
    tree = partition.linkage(random_similarity(30, 5))
    for k in range(2, 30):
        fine, coarse = partition.cut(tree, k), partition.cut(tree, k - 1)
        assert len(set(zip(fine.tolist(), coarse.tolist(), strict=True))) == k


def test_a_tie_at_the_cut_is_seen():
    tied = partition.linkage(np.full((4, 4), 0.5))
    assert tied_at_cut(tied, 2)
    assert not tied_at_cut(tied, 1)
    assert not tied_at_cut(partition.linkage(random_similarity(6, 0)), 3)
    tiny = 1e-12 * random_similarity(6, 0)  # as LWEA's at a small theta
    assert not any(tied_at_cut(partition.linkage(tiny), k) for k in range(2, 6))
    assert tied_at_cut(partition.linkage(np.full((4, 4), 5e-13)), 2)
    noise = np.where(np.eye(6) > 0, 1.0, 1e-16 * random_similarity(6, 0))  # as ECMC's where nothing is left
    noise[0, 1] = noise[1, 0] = 0.9
    assert tied_at_cut(partition.linkage(noise), 3)


def test_the_matrix_given_is_spared_unless_offered():
    similarity = random_similarity(9, 1)
    before = similarity.copy()
    partition.linkage(similarity)
    assert (similarity == before).all()
    partition.linkage(similarity, overwrite=True)
    assert (similarity != before).any()


@pytest.mark.parametrize("k", [0, 5])
def test_cut_refuses_what_it_cannot_do(k):
    with pytest.raises(InvalidParameterError, match=r"\[1, 4\]"):
        partition.cut(partition.linkage(np.eye(4)), k)


def test_linkage_refuses_unknown_names_and_shapes():
    with pytest.raises(InvalidParameterError, match="average, complete, single"):
        partition.linkage(np.eye(3), method="ward")
    with pytest.raises(InvalidParameterError, match="shape"):
        partition.linkage(np.eye(3), sizes=[1, 2])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 4))
def test_embedding_equals_the_dense_one_on_objects(seed, k):
    labels = random_labels(30, 4, 4, seed)
    ensemble = Ensemble.from_labels(labels)
    weights = np.random.default_rng(seed).uniform(0.2, 1, ensemble.n_clusters_total)
    graph = partition.BipartiteGraph.of(ensemble, weights)
    ours = ensemble.microclusters.expand(transfer_embedding(graph, ensemble.microclusters.sizes, k))
    dense = ensemble.incidence.toarray() * weights
    values = np.sort(np.linalg.eigvalsh(_normalised(dense)))[::-1]
    if values[k - 1] - values[min(k, len(values) - 1)] < 1e-6:
        return  # the k-th direction is not determined
    theirs = naive.tcut_embedding(dense, k)
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-7)


def _normalised(b):
    w = b.T @ np.diag(1 / b.sum(axis=1)) @ b
    d = w.sum(axis=1) ** -0.5
    return d[:, None] * w * d


def test_a_dense_graph_gives_the_same_embedding():
    ensemble = Ensemble.from_labels(random_labels())
    graph = partition.BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    sizes = ensemble.microclusters.sizes
    rows = ensemble.incidence.toarray()[ensemble.microclusters.representatives]
    dense = transfer_embedding(partition.DenseGraph(rows.astype(float)), sizes, 4)
    sparse = transfer_embedding(graph, sizes, 4)
    np.testing.assert_allclose(dense @ dense.T, sparse @ sparse.T, atol=1e-10)


def test_both_graphs_have_the_same_products():
    ensemble = Ensemble.from_labels(random_labels(50, 5, 4, 2))
    rng = np.random.default_rng(0)
    weights, sizes = rng.uniform(0.2, 1, ensemble.n_clusters_total), rng.integers(1, 5, len(ensemble.microclusters))
    rows = ensemble.incidence.toarray()[ensemble.microclusters.representatives] * weights
    degrees, vectors = rows.sum(axis=1), rng.normal(size=(len(weights), 3))
    for graph in (partition.BipartiteGraph.of(ensemble, weights), partition.DenseGraph(rows)):
        between = rows.T @ np.diag(sizes / degrees) @ rows
        np.testing.assert_allclose(graph.between_clusters(sizes.astype(float), Monitor()), between, atol=1e-12)
        np.testing.assert_allclose(graph.lift(vectors, Monitor()), rows @ vectors / degrees[:, None], atol=1e-12)


def test_many_clusters_take_the_iterative_solver_to_the_same_embedding(monkeypatch):
    ensemble = Ensemble.from_labels(random_labels(200, 8, 9, 3))
    graph = partition.BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    sizes = ensemble.microclusters.sizes
    direct = transfer_embedding(graph, sizes, 9)
    for limit in ("_DENSE_SOLVER_LIMIT", "_FIXED_LIMIT"):
        monkeypatch.setattr(f"engine.graphs.eigenvectors.{limit}", 10)
    iterative = transfer_embedding(graph, sizes, 9)
    assert not (direct == iterative).all()
    np.testing.assert_allclose(direct @ direct.T, iterative @ iterative.T, atol=1e-8)


def test_empty_parts_are_filled_by_the_least_tied_of_the_heaviest():
    labels, n = partition.fill_empty_parts([0, 0, 0, 1], [1, 1, 1, 9], 4, lambda members: -members.astype(float))
    assert labels.tolist() == [0, 3, 2, 1]
    assert n == 2
    halves, _ = partition.fill_empty_parts([0] * 6, [1] * 6, 2, lambda members: members, give="half")
    assert halves.tolist() == [1, 1, 1, 0, 0, 0]


def test_kmeans_on_coinciding_points_still_gives_k():
    labels, repaired = partition.weighted_kmeans(np.zeros((5, 2)), np.ones(5), 3, np.random.default_rng(0))
    assert sorted(set(labels.tolist())) == [0, 1, 2]
    assert repaired == 2


@pytest.mark.parametrize("seed", range(4))
def test_leaves_of_every_cut_stand_together(seed):
    tree = partition.linkage(random_similarity(25, seed))
    order = partition.leaf_order(tree)
    assert sorted(order.tolist()) == list(range(25))
    for k in range(1, 25):
        assert (np.diff(partition.cut(tree, k)[order]) != 0).sum() == k - 1


@pytest.mark.parametrize("seed", range(4))
def test_a_meeting_is_where_cuts_begin_to_join(seed):
    tree = partition.linkage(random_similarity(20, seed))
    for a, b in [(0, 1), (3, 17), (19, 4)]:
        found = partition.meeting(tree, a, b)
        k = 20 - found.merge - 1
        joined, apart = partition.cut(tree, k), partition.cut(tree, k + 1)
        assert joined[a] == joined[b]
        assert apart[a] != apart[b]
        assert (found.sides[0] == np.flatnonzero(apart == apart[a])).all()
        assert (found.sides[1] == np.flatnonzero(apart == apart[b])).all()
        assert found.similarity == tree.similarities[found.merge]
    with pytest.raises(InvalidParameterError, match="different leaves"):
        partition.meeting(tree, 2, 2)


def tied_similarity(n, seed, dtype, shift):
    """Co-association of two clusterings, plus a constant: three values in all, and zeros of both signs."""
    labels = np.random.default_rng(seed).integers(0, 5, (n, 2))
    shifted = (labels[:, None] == labels[None]).mean(axis=2).astype(dtype) + dtype(shift)
    odd = np.add.outer(range(n), range(n)) % 2 == 1
    return np.where((shifted == 0) & odd, dtype(-0.0), shifted)


def nearest_neighbor_chain(similarity, sizes, method):
    """Merges and heights, rows and columns written at every merge; ties as `linkage` documents them."""
    s, sizes, n = similarity.copy(), sizes.astype(float), len(similarity)
    alive, chain, height, pairs = list(range(n)), [], {}, []
    node = list(range(n))
    while len(alive) > 1:
        chain = chain or [alive[0]]
        while True:
            a, previous = chain[-1], chain[-2] if len(chain) > 1 else -1
            b = max((c for c in alive if c != a), key=lambda c: (s[a, c], c == previous, -c))  # noqa: B023
            if b == previous:
                break
            chain.append(b)
        del chain[-2:]
        a, b = (max(a, b), min(a, b)) if method == "complete" else (min(a, b), max(a, b))
        pairs.append((node[a], node[b]))
        height[n + len(pairs) - 1] = min([float(s[a, b]), *(height[c] for c in pairs[-1] if c >= n)])
        share = sizes[a] / (sizes[a] + sizes[b])
        mean = (share * s[a].astype(float) + (1 - share) * s[b].astype(float)).astype(s.dtype)
        s[a] = {"average": mean, "complete": np.minimum(s[a], s[b]), "single": np.maximum(s[a], s[b])}[method]
        s[:, a] = s[a]
        sizes[a] += sizes[b]
        alive.remove(b)
        node[a] = n + len(pairs) - 1
    order = sorted(height, key=lambda c: -height[c])  # stable: equal heights keep the chain's order
    name = {c: c for c in range(n)} | {c: n + place for place, c in enumerate(order)}
    return [sorted(name[c] for c in pairs[c - n]) for c in order], [height[c] for c in order]


@pytest.mark.parametrize("method", ["average", "complete", "single"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shift", [0, 0.25, -0.5, -1, -3])
def test_a_tree_full_of_ties_equals_the_chain_step_by_step(method, dtype, shift):
    similarity = tied_similarity(150, 7, dtype, shift)
    similarity[140, 147] = similarity[147, 140] = 2 + shift  # the nearest is beyond the first 128 columns
    sizes = np.random.default_rng(1).integers(1, 4, 150)
    tree = partition.linkage(similarity, sizes, method)
    merges, heights = nearest_neighbor_chain(similarity, sizes, method)
    assert tree.merges.tolist() == merges
    assert tree.similarities.tolist() == heights


def test_what_is_never_similar_merges_last():
    tree = partition.linkage(np.array([[0, -np.inf, -1], [-np.inf, 0, -np.inf], [-1, -np.inf, 0]]))
    assert tree.merges.tolist() == [[0, 2], [1, 3]]
    assert tree.similarities.tolist() == [-1, -np.inf]

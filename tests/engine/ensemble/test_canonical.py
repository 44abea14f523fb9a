"""No order decides: rows, columns and label names may be shuffled, the canonical form stays."""

import io
import itertools
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Ensemble, Graph, load_ensemble, run_consensus, save_ensemble
from engine.ensemble import canonical
from engine.metrics import ari
from engine.partition import cut
from tests import naive
from tests.crossed import designs
from tests.strategies import label_matrices, random_labels


def shuffled(labels, random, rows=True):
    """The same ensemble in another order, with other names; where its objects and base clusterings come from."""
    objects, columns = list(range(len(labels))), list(range(labels.shape[1]))
    random.shuffle(columns)
    if rows:
        random.shuffle(objects)
    return 17 - 3 * labels[objects][:, columns], objects


@given(label_matrices(), st.randoms())
def test_the_order_of_columns_and_names_never_matter(labels, random):
    other, _ = shuffled(labels, random, rows=False)
    ensemble, renamed = Ensemble.from_labels(labels), Ensemble.from_labels(other)
    assert ensemble.canonical.fingerprint == renamed.canonical.fingerprint
    assert (ensemble.microclusters.assignment == renamed.microclusters.assignment).all()


@given(label_matrices(max_objects=30, max_clusterings=8), st.randoms())
def test_the_order_of_rows_does_not_matter_where_no_symmetry_is_left(labels, random):
    other, objects = shuffled(labels, random)
    ensemble, moved = Ensemble.from_labels(labels), Ensemble.from_labels(other)
    assert ensemble.form.n_symmetric == moved.form.n_symmetric
    if not ensemble.form.n_symmetric:
        assert ensemble.canonical.fingerprint == moved.canonical.fingerprint
        assert (ensemble.microclusters.assignment[objects] == moved.microclusters.assignment).all()


def test_ordinary_ensembles_have_no_symmetry_left():
    for seed in range(5):
        assert Ensemble.from_labels(random_labels(150, 12, 5, seed, noise=0.3)).form.n_symmetric == 0


def codes_of(labels, rounds=2):
    """The refinement by loops: size, rows by the codes of their clusters, and twice (overlap, other's code)."""
    flat = list(itertools.chain(*naive.clusters(labels.tolist())))
    sizes = [len(a) for a in flat]
    rows = [(len(g), sorted(sizes[j] for j, b in enumerate(flat) if g[0] in b)) for g in naive.microclusters(labels)]
    groups = naive.microclusters(labels)
    codes = [(len(a), tuple(sorted(str(row) for row, g in zip(rows, groups, strict=True) if g[0] in a))) for a in flat]
    for _ in range(rounds):
        codes = [
            (codes[i], tuple(sorted((len(a & b), codes[j]) for j, b in enumerate(flat) if a & b)))
            for i, a in enumerate(flat)
        ]
    return codes


@given(label_matrices(max_objects=20))
def test_symmetric_clusters_are_those_the_refinement_by_loops_leaves_alike(labels):
    ensemble = Ensemble.from_labels(labels)
    codes = codes_of(labels)
    bases = [codes[a:b] for a, b in itertools.pairwise(ensemble.offsets.tolist())]
    alike = [sum(count for count in Counter(base).values() if count > 1) for base in bases]
    partitions = [tuple(column) for column in ensemble.labels.T.tolist()]
    for m, base in enumerate(bases):
        if any(
            Counter(other) == Counter(base) and p != partitions[m] for other, p in zip(bases, partitions, strict=True)
        ):
            alike[m] = len(base)  # another base clustering looks the same and is not: all are in doubt
    assert ensemble.form.n_symmetric == sum(alike)


@pytest.mark.parametrize(("n", "m", "missing"), [(12, 5, 0.0), (40, 9, 0.3), (300, 64, 0.0), (300, 80, 0.2)])
def test_overlaps_by_tables_and_by_members_are_the_same_codes(monkeypatch, n, m, missing):
    labels = random_labels(n, m, 6, seed=n, noise=0.3)
    labels[np.random.default_rng(n).random(labels.shape) < missing] = -1
    clusters = Ensemble.from_labels(labels).clusters
    codes = np.random.default_rng(1).integers(0, 2**64, len(clusters), np.uint64)
    found = []
    for roomy in (10**6, 0):
        monkeypatch.setattr(canonical, "_ROOMY", roomy)
        found.append(canonical._refined_by_overlaps(clusters, codes))
    assert (found[0] == found[1]).all()


def test_overlaps_of_many_are_not_counted_where_only_copies_are_alike(monkeypatch):
    labels = random_labels(60, 8, 5, noise=0.3)
    names = np.random.default_rng(0).permutation(8)[labels[:, [2, 2, 5]]]  # copies by other names
    monkeypatch.setattr(canonical, "_LARGE", 10)
    monkeypatch.setattr(canonical, "_refined_by_overlaps", None)
    ensemble = Ensemble.from_labels(np.hstack([labels, names]))
    assert ensemble.form.n_symmetric == 0
    of_two, of_five = ([ensemble.form.clusterings.tolist().index(m) for m in alike] for alike in ([2, 8, 9], [5, 10]))
    assert np.ptp(of_two) == 2
    assert np.ptp(of_five) == 1


@pytest.mark.parametrize("missing", [0, 0.2])
def test_rows_that_differ_late_alone_are_in_lexicographic_order_too(missing):
    rng = np.random.default_rng(0)
    labels = np.tile(rng.integers(0, 3, (40, 1)), (1, 90))  # of which a word holds some thirty
    labels[rng.integers(40, size=60), rng.integers(90, size=60)] += 3
    labels[rng.random(labels.shape) < missing] = -1
    labels[:, 0] = np.maximum(labels[:, 0], 0)
    rows = Ensemble.from_labels(labels).form.clusters.columns(np.uint32).T.tolist()  # missing labels are the largest
    assert len(rows) > 20
    assert rows == sorted(rows)


def test_symmetries_are_counted():
    two_ways = [[0, 0], [0, 1], [1, 0], [1, 1]]  # either column may be renamed, and both exchanged
    assert Ensemble.from_labels(two_ways).form.n_symmetric == 4
    assert Ensemble.from_labels([[0, 0], [0, 0], [1, 1]]).form.n_symmetric == 0  # copies are no symmetry


@given(label_matrices())
def test_clusters_come_by_size_and_microclusters_in_lexicographic_order(labels):
    ensemble = Ensemble.from_labels(labels)
    canonical = ensemble.canonical
    for low, high in itertools.pairwise(canonical.offsets):
        assert (np.diff(canonical.cluster_sizes[low:high]) <= 0).all()
    rows = [tuple(row) for row in canonical.labels.tolist()]
    assert rows == sorted(rows)
    assert (canonical.microclusters.assignment == np.sort(ensemble.microclusters.assignment)).all()
    assert (canonical.microclusters.sizes == ensemble.microclusters.sizes).all()


@given(label_matrices())
def test_the_canonical_form_is_the_same_ensemble(labels):
    ensemble = Ensemble.from_labels(labels)
    canonical = ensemble.canonical
    together = (labels[:, None] == labels).sum(axis=2)
    seen = (canonical.labels[:, None] == canonical.labels).sum(axis=2)
    assert (together[np.ix_(canonical.objects, canonical.objects)] == seen).all()
    assert (ensemble.objects_in_given_order(canonical.objects) == np.arange(len(labels))).all()
    assert (ensemble.in_given_order(canonical.cluster_sizes) == ensemble.cluster_sizes).all()
    assert canonical.canonical is canonical


def test_values_on_clusters_return_to_the_order_given():
    ensemble = Ensemble.from_labels(random_labels())
    values = ensemble.canonical.cluster_sizes
    assert (ensemble.in_given_order(values) == ensemble.cluster_sizes).all()
    assert not (values == ensemble.cluster_sizes).all()


def test_soft_ensembles_have_one_canonical_form_whatever_the_order():
    rng = np.random.default_rng(3)
    labels = np.tile([[0, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 1]], (5, 1))  # the first two are equal
    soft, rows = rng.random((20, 6)), rng.permutation(20)
    ensemble = Ensemble.from_labels(labels, soft)
    assert ensemble.form.n_symmetric == 0  # memberships tell apart what labels cannot
    swapped = Ensemble.from_labels(labels[rows][:, [1, 2, 0]], soft[rows][:, [2, 3, 4, 5, 0, 1]])
    assert ensemble.canonical.fingerprint == swapped.canonical.fingerprint
    assert ensemble.canonical.fingerprint != Ensemble.from_labels(labels, soft[:, ::-1]).canonical.fingerprint


def test_ids_reach_clusters_through_the_table_and_back():
    ensemble = Ensemble.from_labels(random_labels(60, 6, 5))
    clusters = ensemble.clusters
    first, members = clusters.members
    for c in range(len(clusters)):
        inside = np.flatnonzero((ensemble.cluster_index == c).any(axis=1))
        assert (
            members[first[c] : first[c + 1]].tolist() == np.unique(ensemble.microclusters.assignment[inside]).tolist()
        )
        assert clusters.sizes[c] == len(inside)
    assert (clusters.columns().T[ensemble.microclusters.assignment] == ensemble.labels).all()
    assert (clusters.incidence().toarray()[ensemble.microclusters.assignment] == ensemble.incidence.toarray()).all()


def test_an_ensemble_remembers_what_was_made_once():
    ensemble, made = Ensemble.from_labels([[0], [1]]), []
    for _ in range(2):
        assert ensemble.remember("answer", lambda: made.append(1) or 42) == 42
    assert made == [1]
    with pytest.raises(AttributeError):
        ensemble.labels = None


@pytest.mark.parametrize(
    ("name", "labels"), [one for one in designs() if len(one[1]) <= 64], ids=lambda one: str(one)[:20]
)
def test_mirror_images_have_one_canonical_form_whatever_the_order(name, labels):
    """Only which image is which hangs on the order: there, any choice is as good as another."""
    form = Ensemble.from_labels(labels)
    random = Random(name)
    for _ in range(4):
        other = Ensemble.from_labels(shuffled(labels, random)[0] + 1000)  # no name is -1
        assert form.canonical.fingerprint == other.canonical.fingerprint
        assert "which is which is a toss" in other.form.symmetry


def test_groups_that_were_doubled_have_one_canonical_form_whatever_the_order():
    one, random = random_labels(40, 6, 4, 1, noise=0.3), Random(0)
    doubled = np.concatenate([one, one + 10])
    prints = {Ensemble.from_labels(shuffled(doubled, random)[0] + 1000).canonical.fingerprint for _ in range(8)}
    assert len(prints) == 1
    assert "mirror images" in Ensemble.from_labels(doubled).form.symmetry
    assert not Ensemble.from_labels(one).form.symmetry


@pytest.mark.parametrize("method", ["eac", "lwgp"])
def test_the_seed_tosses_which_of_two_mirror_images_is_which(method):
    """Rows and columns of a grid: each comes out half of the time, in whatever order the rows of the file stand."""
    rng, i = np.random.default_rng(0), np.arange(36)
    grid = np.column_stack([i // 6, i % 6])
    found = []
    for order in (i, rng.permutation(36)):
        ensemble = Ensemble.from_labels(grid[order])
        answers = [run_consensus(method, ensemble, 2, seed=seed).labels[np.argsort(order)] for seed in range(40)]
        for_rows = [ari(grid[:, 0], labels) > ari(grid[:, 1], labels) for labels in answers]
        assert 10 <= sum(for_rows) <= 30
        found.append({tuple(sorted(round(ari(column, labels), 9) for column in grid.T)) for labels in answers})
    assert found[0] == found[1]  # the same but for which is which
    assert "Another seed tosses anew" in ensemble.form.symmetry


def linked_labels(seed):
    """Few objects under few labels, so that groups are mirror images by them, and a graph."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(5, 13)), int(rng.integers(1, 5))
    labels = np.column_stack([rng.integers(int(rng.integers(2, 4)), size=n) for _ in range(m)])
    ends = np.nonzero(np.triu(rng.random((n, n)) < 0.35, 1))
    return labels, Graph.of_edges(*ends, None, n)


@pytest.mark.parametrize("seed", [14, 33, 97, 169, 196, 202])
def test_a_graph_tells_apart_what_is_mirrored_by_labels(seed):
    labels, graph = linked_labels(seed)
    assert Ensemble.from_labels(labels).form.mirrored
    ensemble = Ensemble.from_labels(labels, graph=graph)
    assert not ensemble.form.mirrored
    assert ensemble.form.n_symmetric == 0
    answer = run_consensus("fast_consensus", ensemble, None, seed=3).labels
    for other in range(4):
        rows = np.random.default_rng(other).permutation(len(labels))
        moved = Ensemble.from_labels(labels[rows], graph=graph.of_nodes(rows))
        assert (moved.canonical.labels == ensemble.canonical.labels).all()
        assert moved.canonical.graph.fingerprint == ensemble.canonical.graph.fingerprint
        assert ari(run_consensus("fast_consensus", moved, None, seed=3).labels, answer[rows]) == 1


def test_what_a_graph_mirrors_too_is_a_toss():
    i = np.arange(16)
    grid = np.column_stack([i // 4, i % 4])
    torus = Graph.of_edges(np.tile(i, 2), np.concatenate([i // 4 * 4 + (i + 1) % 4, (i + 4) % 16]))
    ensemble = Ensemble.from_labels(grid, graph=torus)
    assert (ensemble.form.mirrored, ensemble.form.n_symmetric) == (True, 8)
    part = Ensemble.from_labels(grid, graph=Graph.of_edges([0, 0], [1, 2], None, 16))  # a row, a corner, two columns
    assert 0 < part.form.n_symmetric < 8
    leaves = Graph.of_edges([3, 3, 3, 3, 4], [0, 1, 2, 4, 5])
    alike = Ensemble.from_labels([[0], [1], [2], [3], [3], [3]], graph=leaves).form
    assert (alike.mirrored, alike.n_symmetric) == (False, 3)
    assert "objects are interchangeable" in alike.symmetry


def test_a_large_graph_leaves_what_labels_tell_apart(monkeypatch):
    """It has two rounds however long they take, and takes none from the labels."""
    monkeypatch.setattr(canonical, "_SORTED", 1_000_000_000)
    mirrored, told_apart = linked_labels(33)
    assert not Ensemble.from_labels(mirrored, graph=told_apart).form.mirrored
    i = np.arange(360)
    labels = np.column_stack([i % 6, i // 6 % 6, (i % 6 + i // 6 % 6) % 6])
    graph = Graph.of_edges(i, (i + 7) % 360)
    ensemble = Ensemble.from_labels(labels, graph=graph)
    for seed in range(3):
        rows = np.random.default_rng(seed).permutation(360)
        moved = Ensemble.from_labels(labels[rows], graph=graph.of_nodes(rows))
        assert (moved.canonical.labels == ensemble.canonical.labels).all()


def test_what_is_tossed_stays_so_and_stands_for_itself():
    i = np.arange(36)
    ensemble = Ensemble.from_labels(np.column_stack([i // 6, i % 6]))
    tossed = ensemble.tossed(3)
    assert tossed.tossed(4) is tossed is ensemble.tossed(3)
    assert tossed.fingerprint not in (ensemble.fingerprint, ensemble.tossed(4).fingerprint)
    assert (tossed.labels == ensemble.labels).all()
    assert (run_consensus("eac", tossed, 2, seed=9).labels == run_consensus("eac", ensemble, 2, seed=3).labels).all()
    for one in (ensemble, tossed):
        file = io.BytesIO()
        save_ensemble(one, file)
        loaded = load_ensemble(io.BytesIO(file.getvalue()))
        assert (loaded.fingerprint, loaded.toss) == (one.fingerprint, one.toss)
    plain = Ensemble.from_labels(random_labels(40, 6, 4, 1, noise=0.3))
    assert plain.tossed(3) is plain


def test_a_trace_stands_on_the_microclusters_of_its_own_answer():
    i = np.arange(36)
    ensemble = Ensemble.from_labels(np.column_stack([i // 6, i % 6]))
    for seed in range(8):
        found = run_consensus("eac", ensemble, 2, seed=seed, record=("co_association",))
        of = found.microclusters.assignment
        votes = (ensemble.labels[:, None] == ensemble.labels).mean(axis=2)
        assert np.allclose(found.trace["co_association"][np.ix_(of, of)], votes)
        assert ari(found.microclusters.expand(cut(found.trace["dendrogram"], 2)), found.labels) == 1


def test_objects_that_are_interchangeable_are_called_so():
    labels, random = np.repeat(random_labels(40, 4, 3, 1, noise=0.3), 1, axis=0), Random(0)
    apart = np.column_stack([labels, np.arange(len(labels)) + 100])  # every object a cluster of its own
    assert "interchangeable" in Ensemble.from_labels(apart).form.symmetry
    prints = {Ensemble.from_labels(shuffled(apart, random)[0] + 1000).canonical.fingerprint for _ in range(8)}
    assert len(prints) == 1


@pytest.mark.parametrize("method", ["eac", "lwea", "lwgp", "pta", "sec"])
def test_of_mirror_images_a_method_finds_the_same_but_for_which_is_which(method):
    one, random = random_labels(30, 6, 4, 2, noise=0.3), Random(1)
    doubled = np.concatenate([one, one + 10])
    found = []
    for _ in range(6):
        ensemble = Ensemble.from_labels(shuffled(doubled, random)[0] + 1000)
        labels = run_consensus(method, ensemble, 5, seed=3).labels
        agreed = sorted(round(ari(column, labels), 9) for column in ensemble.labels.T)
        found.append((sorted(np.bincount(labels).tolist()), agreed))
    assert all(other == found[0] for other in found)


def test_which_clusters_share_a_base_clustering_tells_clusters_apart():
    """By rows and overlaps alone two clusters are mirror images here; no order of rows maps one column to another."""
    labels = np.array([[3, 3, 0, 3, 1, 2], [0, 3, 0, 0, 3, 0], [1, 3, 0, 0, 1, 1]] + 2 * [[1, 0, 2, 1, 3, 2]])
    labels = np.vstack([labels, 2 * [[2, 2, 0, 2, 2, 3]]])
    ensemble, rng = Ensemble.from_labels(labels), np.random.default_rng(0)
    assert not ensemble.form.mirrored
    for _ in range(20):
        rows, columns = rng.permutation(7), rng.permutation(6)
        other = Ensemble.from_labels(labels[rows][:, columns])
        assert other.canonical.fingerprint == ensemble.canonical.fingerprint

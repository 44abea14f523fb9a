"""Worked examples and averages printed in Huang, Lai and Wang (2016)."""

import numpy as np
import pytest
from scipy import sparse
from scipy.io import loadmat

from engine import Ensemble, evidence, metrics, run_consensus

#: Table 3: eight objects under pi^1 and pi^2.
TABLE_3 = np.array([(1, 1), (1, 1), (1, 1), (1, 2), (2, 2), (2, 2), (2, 3), (2, 3)])
#: The first object of y_1 to y_4.
FIRST = [0, 3, 4, 6]
#: Fig. 6: y_1, y_2 and y_3 hold four, one and two objects; both links, to y_3, weigh 0.7.
FIG_6 = sparse.csr_array([[0, 0, 0.7], [0, 0, 0.7], [0.7, 0.7, 0]])
SIZES = np.array([4, 1, 2])


def test_microclusters_are_those_of_table_3():
    micro = Ensemble.from_labels(TABLE_3).microclusters
    y = micro.assignment[FIRST]
    assert [y.tolist().index(number) for number in micro.assignment] == [0, 0, 0, 1, 2, 2, 3, 3]
    assert micro.sizes[y].tolist() == [3, 1, 2, 2]


def test_the_microclusters_of_table_3_make_a_chain():
    """Neighbours share one of two clusters; by hand, p_21 : p_23 = 3 : 2 and p_32 : p_34 = 1 : 2."""
    ensemble = Ensemble.from_labels(TABLE_3)
    y = ensemble.microclusters.assignment[FIRST]
    sizes, graph = ensemble.microclusters.sizes[y], evidence.microcluster_elite_graph(ensemble, None)[y][:, y]
    assert graph.toarray().tolist() == [[0, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0]]
    transitions = evidence.transition_matrix(graph, sizes).toarray()
    expected = [[0, 1, 0, 0], [0.6, 0, 0.4, 0], [0, 1 / 3, 0, 2 / 3], [0, 0, 1, 0]]
    np.testing.assert_allclose(transitions, expected, rtol=1e-15)
    similarity = evidence.trajectory_similarity(graph, sizes, 1, dtype=np.float64)
    by_hand = np.eye(4)
    by_hand[0, 2] = by_hand[2, 0] = 1 / np.sqrt(5)
    by_hand[1, 3] = by_hand[3, 1] = 0.4 / np.sqrt(0.52)
    np.testing.assert_allclose(similarity, by_hand, atol=1e-15)


def test_going_to_y1_is_four_times_as_likely_as_going_to_y2_in_fig_6():
    transitions = evidence.transition_matrix(FIG_6, SIZES).toarray()
    np.testing.assert_allclose(transitions, [[0, 0, 1], [0, 0, 1], [0.8, 0.2, 0]], rtol=1e-15)
    without_sizes = evidence.transition_matrix(FIG_6, np.ones(3)).toarray()
    np.testing.assert_allclose(without_sizes[2], [0.5, 0.5, 0], rtol=1e-15)


@pytest.mark.parametrize("form", ["horner", "spectral"])
def test_walkers_of_fig_6(form):
    """y_1 and y_2 both step to y_3 and share every step after; y_3 is never where they are."""
    np.testing.assert_allclose(
        evidence.probability_trajectory(FIG_6, SIZES, start=0, T=3), [[0, 0, 1], [0.8, 0.2, 0], [0, 0, 1]], rtol=1e-15
    )
    similarity = evidence.trajectory_similarity(FIG_6, SIZES, 3, dtype=np.float64, form=form)
    np.testing.assert_allclose(similarity, [[1, 1, 0], [1, 1, 0], [0, 0, 1]], atol=1e-15)


@pytest.mark.parametrize(
    ("name", "n_nodes", "ratios"),
    [
        ("MNIST", 1438, {1: 0.006, 8: 0.029, 64: 0.162}),
        ("IS", 297, {1: 0.020, 8: 0.105, 64: 0.701}),
        ("FC", 1837, {1: 0.005, 8: 0.024, 64: 0.152}),
    ],
)
def test_preserved_links_are_those_of_tables_5_and_6(published_data, name, n_nodes, ratios):
    """Averages over draws of 10 base clusterings from a pool of 200: ours are other draws."""
    members = loadmat(published_data / "pools" / "pta" / f"{name}.mat")["members"]
    rng = np.random.default_rng(0)
    nodes, found = [], {K: [] for K in ratios}
    for _ in range(8):
        ensemble = Ensemble.from_labels(members[:, rng.choice(members.shape[1], 10, replace=False)])
        similarity = evidence.co_association(ensemble)
        nodes.append(len(similarity))
        for K in ratios:
            graph = evidence.elite_neighbor_graph(similarity, K)
            found[K].append(evidence.preserved_link_ratio(graph, similarity))
    assert np.mean(nodes) == pytest.approx(n_nodes, rel=0.1)
    for K, ratio in ratios.items():
        assert np.mean(found[K]) == pytest.approx(ratio, rel=0.2, abs=0.001)


@pytest.mark.parametrize(("name", "k", "printed"), [("IS", 7, 0.442), ("MNIST", 10, 0.203)])
def test_complete_link_on_co_association_is_that_of_table_9(published_data, name, k, printed):
    """NMI at true k, where nearly every merge is a tie: the mean of 100 draws is printed, ours has 20."""
    pool = loadmat(published_data / "pools" / "pta" / f"{name}.mat")
    members, truth = pool["members"], pool["gt"].ravel()
    rng, found = np.random.default_rng(0), []
    for _ in range(20):
        ensemble = Ensemble.from_labels(members[:, rng.choice(members.shape[1], 10, replace=False)])
        result = run_consensus("eac", ensemble, k, {"linkage": "complete"})
        assert result.trace["tied_merges"] > 0.5 * len(ensemble.microclusters)
        found.append(metrics.nmi(result.labels, truth, "max"))
    assert np.mean(found) == pytest.approx(printed, abs=0.05)

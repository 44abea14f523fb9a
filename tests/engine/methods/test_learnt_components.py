"""Components as clusters, and how their number is mended."""

import numpy as np
import pytest

from engine.methods.learnt_graphs import has_components
from engine.partition import component_clusters
from tests.monitors import Heard

#: Three pairs, the first two alike.
SIMILARITY = np.array(
    [
        [1.0, 0.9, 0.5, 0.5, 0.0, 0.1],
        [0.9, 1.0, 0.5, 0.4, 0.0, 0.0],
        [0.5, 0.5, 1.0, 0.8, 0.1, 0.0],
        [0.5, 0.4, 0.8, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.1, 0.0, 1.0, 0.7],
        [0.1, 0.0, 0.0, 0.0, 0.7, 1.0],
    ]
)
PAIRS = np.kron(np.eye(3), np.ones((2, 2)))
SIZES = np.array([3, 1, 1, 1, 1, 2])


@pytest.mark.parametrize(
    ("k", "labels", "repaired"),
    [
        (3, [0, 0, 1, 1, 2, 2], 0),
        (2, [0, 0, 0, 0, 1, 1], 1),
        (4, [0, 0, 1, 1, 2, 3], 1),  # the least coherent pair is split
        (6, [0, 1, 2, 3, 4, 5], 3),
    ],
)
def test_the_most_similar_are_merged_and_the_least_coherent_split(k, labels, repaired):
    kept = Heard()
    assert component_clusters(PAIRS, SIMILARITY, SIZES, k, kept).tolist() == labels
    assert kept.trace == {"repaired": repaired}


def test_objects_weigh_in_the_merges():
    chained = np.array([[1, 0, 0], [0, 1, 0.0], [0, 0, 1]])
    similarity = np.array([[1, 0.5, 0.4], [0.5, 1, 0.45], [0.4, 0.45, 1]])
    assert component_clusters(chained, similarity, np.array([1, 1, 1]), 2).tolist() == [0, 0, 1]
    assert component_clusters(np.ones((3, 3)), similarity, np.array([1, 1, 1]), 2).tolist() == [0, 0, 1]


def test_what_hangs_together_by_little_is_one_component():
    graph = np.array([[1e4, 1e-10, 0], [1e-10, 1, 0], [0, 0, 1]])
    assert [has_components(graph, k) for k in (1, 2, 3)] == [False, True, False]

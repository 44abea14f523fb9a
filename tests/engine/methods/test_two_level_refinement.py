"""TOME: the refined co-association, its paths and its cut, on microclusters and on objects."""

import numpy as np
import pytest

from engine import Ensemble, InvalidParameterError, TooLargeError, run_consensus
from engine.evidence import two_level_co_association
from tests import naive_medians
from tests.strategies import random_labels


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_refinement_paths_and_cut_on_microclusters_are_those_on_objects(published, seed):
    ensemble = Ensemble.from_labels(random_labels(40, 5, 3, seed, noise=0.15)).canonical
    objects = ensemble.microclusters.assignment
    refined, stability = two_level_co_association(ensemble, published)
    expected, scaled = naive_medians.two_level_co_association(ensemble.labels.tolist(), published)
    np.testing.assert_allclose(np.sort(stability), np.sort(scaled), atol=1e-12)
    whole = refined[np.ix_(objects, objects)]
    np.fill_diagonal(whole, 1)
    np.testing.assert_allclose(whole, expected, atol=1e-12)
    variant = {"variant": "published-code" if published else "paper"}
    names = ("path_similarity", "refined_co_association")
    trace = run_consensus("tome", ensemble, 3, variant, record=names).trace
    paths = naive_medians.best_paths(expected)
    found = trace["path_similarity"][np.ix_(objects, objects)].copy()
    np.fill_diagonal(found, 1)
    np.testing.assert_allclose(found, paths, atol=1e-12)
    values, gram = naive_medians.smoothest_generalised(paths, 4)
    assert values[3] - values[2] > 1e-6
    rows = trace["embedding"][objects]
    np.testing.assert_allclose(rows @ rows.T, naive_medians.smoothest_generalised(paths, 3)[1], atol=1e-9)


def test_clusters_that_are_equally_stable_count_alike():
    ensemble = Ensemble.from_labels(np.tile(np.arange(12)[:, None] % 3, 4))
    refined, stability = two_level_co_association(ensemble.canonical)
    assert (stability == 1).all()
    assert (refined == np.eye(3)).all()


def test_single_objects_cannot_be_refined():
    ensemble = Ensemble.from_labels(np.arange(6)[:, None])
    with pytest.raises(InvalidParameterError, match="a cluster of two objects"):
        run_consensus("tome", ensemble, 3)


def test_what_does_not_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "10K")
    with pytest.raises(TooLargeError, match="refined co-association"):
        two_level_co_association(Ensemble.from_labels(random_labels()))

"""The estimators, by scikit-learn's own checks, and what they promise beyond these."""

import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from engine import Ensemble, InvalidEnsembleError, InvalidParameterError, run_consensus
from engine.estimators import ConsensusClustering, EnsembleClustering
from engine.generators import make_ensemble

#: What scikit-learn asks of every clusterer, and a consensus of labels cannot give.
NOT_OF_LABELS = {
    "check_clustering": "it hands over features, which are no labels",
    "check_dtype_object": "it hands over features, which are no labels",
    "check_pipeline_consistency": "its features come to two labels, and three clusters are asked for",
    "check_positive_only_tag_during_fit": "it hands over features, which are no labels",
}


@parametrize_with_checks([EnsembleClustering()])
def test_scikit_learn_takes_it_for_a_clusterer_of_features(estimator, check):
    check(estimator)


@parametrize_with_checks([ConsensusClustering()], expected_failed_checks=lambda _: NOT_OF_LABELS)
def test_scikit_learn_takes_it_for_a_clusterer_of_labels(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def points():
    return make_blobs(90, centers=3, cluster_std=0.4, random_state=4)


def test_features_give_what_the_engine_gives(points):
    found = EnsembleClustering("eac", "subspaces", 9, 3, {"linkage": "complete"}, {"k_range": (3, 6)}, 5).fit(points[0])
    ensemble = make_ensemble("subspaces", points[0], 9, {"k_range": (3, 6)}, 5)
    expected = run_consensus("eac", ensemble, 3, {"linkage": "complete"}, 5)
    assert found.ensemble_.fingerprint == ensemble.fingerprint
    assert (found.labels_ == expected.labels).all()
    assert (found.n_clusters_, found.consensus_.method, found.n_features_in_) == (3, "eac", 2)


def test_labels_give_what_the_engine_gives():
    labels = np.random.default_rng(0).integers(4, size=(40, 6)).astype(float)
    labels[3, 2] = np.nan
    found = ConsensusClustering("lwgp", 3, {"theta": 0.8}, random_state=2).fit(labels)
    assert (found.labels_ == run_consensus("lwgp", Ensemble.from_labels(labels), 3, {"theta": 0.8}, 2).labels).all()
    assert found.ensemble_.n_missing == 1
    assert found.n_features_in_ == 6


def test_labels_may_be_words():
    words = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"], ["b", "z"]]
    assert ConsensusClustering("eac", 2).fit_predict(np.array(words)).tolist() == [0, 0, 1, 1, 1]


def test_new_objects_find_their_cluster(points):
    X, truth = points
    found = EnsembleClustering(n_clusters=3, random_state=0).fit(X)
    assert (found.predict(X) == found.labels_).mean() > 0.95
    new, groups = make_blobs(
        60, centers=[X[truth == g].mean(axis=0) for g in range(3)], cluster_std=0.4, random_state=8
    )
    assert adjusted_rand_score(found.predict(new), groups) > 0.95
    assert (found.predict(new)[7:9] == found.predict(new[7:9])).all()


def test_one_cluster_holds_everything(points):
    found = EnsembleClustering(n_clusters=1).fit(points[0])
    assert (found.labels_.any(), found.n_clusters_, found.consensus_) == (False, 1, None)
    assert not found.predict(points[0]).any()
    assert EnsembleClustering(generator="lac", n_clusters=1).fit(points[0]).n_clusters_ == 1


def test_a_number_of_clusters_is_of_no_account_where_the_method_finds_it(points):
    pytest.importorskip("igraph")
    labels = EnsembleClustering("ecg", generator="leiden", random_state=0)
    found = [labels.set_params(n_clusters=k).fit(points[0]).labels_.tolist() for k in (1, 2, 7)]
    assert found[0] == found[1] == found[2]
    assert labels.n_clusters_ > 1


@pytest.mark.long
def test_it_works_in_pipelines_clones_searches_and_processes(points):
    X, truth = points
    pipeline = make_pipeline(StandardScaler(), EnsembleClustering(n_clusterings=6, random_state=1))
    labels = clone(pipeline).fit_predict(X)
    assert (pickle.loads(pickle.dumps(pipeline.fit(X)))[-1].labels_ == labels).all()
    everything = PredefinedSplit(np.where(np.arange(len(X)) < 45, 0, -1))
    search = GridSearchCV(
        pipeline,
        {"ensembleclustering__n_clusters": [2, 3], "ensembleclustering__method": ["eac", "lwea"]},
        scoring=lambda one, rows, classes: adjusted_rand_score(classes, one.predict(rows)),
        cv=everything,
    ).fit(X, truth)
    assert search.best_params_["ensembleclustering__n_clusters"] == 3
    twice = joblib.Parallel(n_jobs=2)(joblib.delayed(pipeline.fit_predict)(X) for _ in range(2))
    assert all((one == labels).all() for one in twice)


def test_a_random_state_may_be_anything_scikit_learn_takes(points):
    X, _ = points
    first = EnsembleClustering("eac", random_state=np.random.RandomState(3)).fit(X)
    again = EnsembleClustering("eac", random_state=np.random.RandomState(3)).fit(X)
    assert first.ensemble_.fingerprint == again.ensemble_.fingerprint
    assert EnsembleClustering("eac").fit(X).n_clusters_ == 3


def test_bad_input_is_named(points):
    X, _ = points
    with pytest.raises(InvalidParameterError, match="method must be one of"):
        EnsembleClustering("guess").fit(X)
    with pytest.raises(InvalidParameterError, match="generator must be one of"):
        EnsembleClustering(generator="guess").fit(X)
    with pytest.raises(InvalidParameterError, match="n_clusters must be"):
        EnsembleClustering(n_clusters=0).fit(X)
    for k in (True, 1.0):
        with pytest.raises(InvalidParameterError, match="n_clusters must be"):
            EnsembleClustering(n_clusters=k).fit(X)
    with pytest.raises(InvalidParameterError, match="method must be one of"):
        EnsembleClustering("guess", n_clusters=1).fit(X)
    for k in (1, 2):
        with pytest.raises(InvalidParameterError, match="'nope' is no parameter here; known: theta"):
            ConsensusClustering("lwea", n_clusters=k, params={"nope": 3}).fit([[0, 0], [0, 1], [1, 1]])
    with pytest.raises(InvalidEnsembleError, match="whole numbers"):
        ConsensusClustering().fit(X)
    with pytest.raises(NotFittedError):
        EnsembleClustering().predict(X)
    with pytest.raises(ValueError, match="3 features"):
        EnsembleClustering().fit(X).predict(np.zeros((2, 3)))

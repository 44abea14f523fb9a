"""RPCL, U-SPEC, and k-means with RPCL as base clusterers."""

import numpy as np
import pytest

from engine import Cancelled, InvalidParameterError, Monitor, generators, metrics
from engine.generators import known_generators, rival_runs, spectral_runs
from engine.generators.rival_runs import RPCLParams
from tests.monitors import stopping_at_tick

MAKERS = {
    "rpcl": generators.rpcl_ensemble,
    "uspec": lambda *args, **named: generators.uspec_ensemble(*args, **({"k_range": (3, 8)} | named)),
    "pool": lambda *args, **named: generators.mixed_ensemble(
        *args, **{("params" if name == "k_range" else name): value for name, value in named.items()}
    ),
}


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(3 * c, 0.4, (40, 3)) for c in range(4)])


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_same_seed_gives_the_same_labels_on_any_number_of_threads(points, make, monkeypatch):
    one = make(points, 6, seed=3)
    for threads in ("1", "2"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        assert make(points, 6, seed=3).fingerprint == one.fingerprint
    assert make(points, 6, seed=4).fingerprint != one.fingerprint


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("first", [1, 2, 4])
def test_a_larger_ensemble_continues_a_smaller_one(points, make, first):
    large, small, rest = (
        make(points, 5, seed=1),
        make(points, first, seed=1),
        make(points, 5 - first, seed=1, first=first),
    )
    assert (large.labels == np.column_stack([small.labels, rest.labels])).all()


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_cancel_is_heard_inside_one_clustering(points, make, monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "1")  # with more, another thread may leave this one too few ticks to count

    with pytest.raises(Cancelled):
        make(points, 4, monitor=stopping_at_tick(4))


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_makes_no_sense_is_refused(points, make):
    for bad in (0, -1, 2.5):
        with pytest.raises(InvalidParameterError, match="n_clusterings"):
            make(points, bad)
    with pytest.raises(InvalidParameterError, match="finite"):
        make(np.where(points > 8, np.nan, points), 2)


@pytest.mark.parametrize("key", MAKERS)
def test_objects_that_are_all_alike_are_one_cluster(key):
    ensemble = generators.make_ensemble(key, np.ones((30, 2)), 4)
    assert (ensemble.n_clusters_each == 1).all()


@pytest.mark.parametrize("key", MAKERS)
def test_defaults_suit_few_objects_and_say_what_they_did(points, key):
    ensemble = generators.make_ensemble(key, points[::8], 4, seed=1)
    assert (ensemble.n_clusters_each >= 2).all()
    assert ensemble.provenance["generator"] != "pool"  # that is a pool somebody brought
    assert ensemble.provenance["seed"] == 1
    assert known_generators()[key].nested


def competed(points, order, units, winner_rate, rival_rate):
    """One epoch, straight from the rule."""
    wins = [1.0] * len(units)
    for i in order:
        far = [w / sum(wins) * sum((points[i] - u) ** 2) for w, u in zip(wins, units, strict=True)]
        winner, rival = np.argsort(far, kind="stable")[:2]
        wins[winner] += 1
        units[winner] = units[winner] + winner_rate * (points[i] - units[winner])
        units[rival] = units[rival] - rival_rate * (points[i] - units[rival])
    return np.array(units), wins


@pytest.mark.parametrize("k", [2, 3, 7])
def test_an_epoch_is_that_of_the_rule(points, k):
    rng = np.random.default_rng(k)
    order, units, wins = rng.permutation(len(points)), points[rng.choice(len(points), k)], np.ones(k)
    expected, won = competed(points, order, list(units.copy()), 0.05, 0.01)
    rival_runs._epoch_kernel(points, order, 0.05, 0.01, units, wins)
    np.testing.assert_allclose(units, expected)
    assert wins.tolist() == won


def test_hard_penalties_drive_units_out_and_soft_ones_do_not(points):
    soft, hard = (generators.rpcl_ensemble(points, 6, (10, 10), rival_rate=(rate, rate)) for rate in (0.0005, 0.02))
    assert soft.n_clusters_each.mean() > hard.n_clusters_each.mean()
    assert hard.provenance["k_at_start"] == [10] * 6
    assert (hard.n_clusters_each == hard.provenance["k"]).all()


def test_a_run_that_leaves_one_cluster_is_drawn_anew(points):
    ensemble = generators.rpcl_ensemble(points[:40], 6, (2, 2), rival_rate=(0.05, 0.05), epochs=60)
    assert (ensemble.n_clusters_each == 2).all()


def test_a_mixed_ensemble_takes_turns(points):
    params = RPCLParams((3, 5))
    mixed = generators.mixed_ensemble(points, 5, params, seed=2)
    plain = generators.kmeans_ensemble(points, 3, (3, 5), seed=2)
    rival = generators.rpcl_ensemble(points, 2, (3, 5), seed=2)
    assert (mixed.labels[:, ::2] == plain.labels).all()
    assert (mixed.labels[:, 1::2] == rival.labels).all()


def test_links_lead_to_the_nearest_representatives(points):
    centres = points[np.random.default_rng(0).choice(160, 12, replace=False)] + 0.01
    graph = spectral_runs._links(points.astype(np.float32), centres, 3, Monitor()).toarray()
    far = np.linalg.norm(points.astype(np.float32)[:, None] - centres, axis=2)
    near = np.argsort(far, axis=1)[:, :3]
    width = np.take_along_axis(far, near, axis=1).mean()
    expected = np.zeros_like(graph)
    np.put_along_axis(expected, near, np.exp(-(np.take_along_axis(far, near, axis=1) ** 2) / (2 * width**2)), axis=1)
    np.testing.assert_allclose(graph, np.maximum(expected, np.where(graph > 0, np.finfo(float).eps, 0)), rtol=1e-9)
    whole = np.block([[np.zeros((160, 160)), graph], [graph.T, np.zeros((12, 12))]])
    root = 1 / np.sqrt(whole.sum(axis=1))
    values, vectors = np.linalg.eigh(whole * root * root[:, None])
    vectors = vectors[:, -4:] * root[:, None] * values[-4:]  # lifted from the representatives: times the eigenvalue
    rows = vectors[:160] / np.linalg.norm(vectors[:160], axis=1, keepdims=True)
    found = spectral_runs._embedding(spectral_runs._links(points.astype(np.float32), centres, 3, Monitor()), 4)
    np.testing.assert_allclose(found @ found.T, rows @ rows.T, atol=1e-8)


def test_uspec_finds_shapes_k_means_cannot(points):
    angle = np.random.default_rng(0).random(800) * 2 * np.pi
    rings = np.column_stack([np.cos(angle), np.sin(angle)]) * np.where(np.arange(800) < 400, 1, 3)[:, None]
    ensemble = generators.uspec_ensemble(rings, 5, (2, 2), representatives=200)
    scores = [metrics.nmi(column, np.arange(800) < 400) for column in ensemble.labels.T]
    assert np.median(scores) > 0.9


def test_uspec_sees_what_is_rare_among_copies():
    """Of 1,005 objects six differ: candidates drawn among all of them would be copies of one."""
    points = np.concatenate([np.zeros((1000, 2)), [[1, 0], [0, 1], [1, 1], [2, 0], [0, 2]]])
    made = generators.uspec_ensemble(points, 10, (3, 3))
    assert made.n_clusters_each.tolist() == [3] * 10

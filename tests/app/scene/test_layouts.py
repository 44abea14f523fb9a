"""Where objects stand that have labels only."""

import numpy as np
import pytest

from data import Dataset, Pool
from engine.generators import kmeans_ensemble
from engine.monitor import SILENT
from ui.scene import places


def placed(labels):
    points, axes, equal = places.placed((Pool("own", np.asarray(labels), None, "here"), len(labels[0]), 7), SILENT)
    assert np.isfinite(points).all()
    assert equal
    assert "1 - co-association" in axes[0]
    return points


@pytest.mark.parametrize("groups", [1, 2, 3, 30])
def test_objects_that_nothing_tells_apart_all_are_seen(groups):
    labels = np.repeat(np.arange(groups), 600 // groups)[:, None] + np.zeros((1, 4), int)
    points = placed(labels)
    apart = np.hypot(*(points[:, None] - points).transpose(2, 0, 1)) + np.eye(len(points)) * 9e9
    assert apart.min() > 0.004 * np.ptp(points, axis=0).max()


def test_features_that_say_the_same_lie_on_a_line():
    celsius = np.linspace(-20, 40, 60)
    source = Dataset("t", np.column_stack([celsius, 1.8 * celsius + 32, celsius + 273]), None, "")
    points, _, _ = places.placed((source, "none", "plain"), SILENT)
    assert np.ptp(points[:, 0]) > 1
    assert (points[:, 1] == 0).all()


def test_groups_in_a_line_stand_in_a_line():
    labels = np.column_stack([np.repeat([0, 0, 1], 10)] * 5 + [np.repeat([0, 1, 1], 10)] * 6)
    points = placed(labels)
    middles = np.array([points[at : at + 10].mean(axis=0) for at in (0, 10, 20)])
    near, far, whole = (np.hypot(*(middles[a] - middles[b])) for a, b in ((1, 2), (0, 1), (0, 2)))
    assert near < far < whole


def test_groups_stand_apart_and_the_picture_is_the_same_every_time():
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(at, 0.4, (80, 2)) for at in ((0, 0), (6, 0), (0, 6))])
    labels = kmeans_ensemble(points, 12, (3, 9), seed=2).labels
    found = placed(labels)
    assert (found == placed(labels)).all()
    own = np.repeat([0, 1, 2], 80)
    centres = np.array([found[own == c].mean(axis=0) for c in range(3)])
    nearest = ((found[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == own).mean() > 0.95


def test_of_many_microclusters_a_part_has_places_and_the_others_join_those_they_resemble(monkeypatch):
    monkeypatch.setattr(places, "LANDMARKS", 60)
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(at, 0.4, (200, 2)) for at in ((0, 0), (6, 0), (0, 6))])
    labels = kmeans_ensemble(points, 12, (3, 20), seed=2).labels
    found, own = placed(labels), np.repeat([0, 1, 2], 200)
    assert len(np.unique(found.round(9), axis=0)) == len(found)
    centres = np.array([found[own == c].mean(axis=0) for c in range(3)])
    assert (((found[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1) == own).mean() > 0.9

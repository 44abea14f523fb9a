"""The data sets that come with the app: generated shapes, Gaussians, and four from scikit-learn."""

from collections.abc import Callable
from functools import partial

import numpy as np

from . import gaussians, shapes
from .cleaning import constant_note
from .records import Dataset

TITLES = {
    "moons": "Moons",
    "spirals": "Spirals",
    "uneven_blobs": "Uneven blobs",
    "bridged_blobs": "Bridged blobs",
    "circles": "Circles",
    "two_gaussian": "Two Gaussians",
    "two_gaussian_overlap": "Two Gaussians (overlapping)",
    "three_gaussian": "Three Gaussians",
    "iris": "Iris",
    "wine": "Wine",
    "breast_cancer": "Breast cancer (Wisconsin)",
    "digits": "Handwritten digits",
}

_GENERATED: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "moons": shapes.moons,
    "spirals": shapes.spirals,
    "uneven_blobs": shapes.uneven_blobs,
    "bridged_blobs": shapes.bridged_blobs,
    "circles": shapes.circles,
    **{name: partial(gaussians.sample, name) for name in gaussians.MIXTURES},
}


def load_bundled(name: str) -> Dataset:
    """Return a bundled data set.

    >>> load_bundled("moons").features.shape
    (500, 2)
    """
    if name in _GENERATED:
        features, labels = _GENERATED[name]()
        return Dataset(name, features, labels, "generated, fixed seed", ("x", "y"))
    return _from_sklearn(name)


def _from_sklearn(name: str) -> Dataset:
    """Return one of the four sets scikit-learn carries."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    names = tuple(str(feature) for feature in bunch.feature_names)
    notes = constant_note(bunch.data, names)
    source = "UCI Machine Learning Repository, through scikit-learn"
    called = tuple(str(one) for one in bunch.target_names)
    return Dataset(name, bunch.data, bunch.target.astype(np.int64), source, names, notes, class_names=called)

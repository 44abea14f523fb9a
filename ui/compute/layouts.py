"""Where objects stand on the page: the data themselves, a projection, or a layout of the labels alone."""

import numpy as np

import data
from data import Dataset, Pool
from engine import Monitor
from engine.partition import spectral_layout
from ui.compute import pipeline
from ui.compute.generating import drawn
from ui.compute.jobs import Job
from ui.compute.work import start
from ui.session.run_config import RunConfig

_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def positions(config: RunConfig) -> Job:
    """Job: (points (N, 2), axis names, whether the axes share a unit).

    Features: the data if they are two columns, else two principal components, or t-SNE if chosen. Labels only: the
    spectral layout of the base clusterings, those switched off included, equal objects spread a little.
    """
    source = pipeline.dataset(config)
    if isinstance(source, Pool):
        return start(from_labels, source, pipeline.n_clusterings(config), config.seed, slot="layout")
    return start(from_features, source, config.scaling, config.view, slot="layout")


def from_features(source: Dataset, scaling: str, view: str, monitor: Monitor):
    """Objects with features in the plane."""
    monitor.tick("laying out the objects", 0, 1)
    points = data.scale(source.features, scaling)
    if points.shape[1] == 1:
        return np.column_stack([points[:, 0], np.zeros(len(points))]), (*source.columns, ""), False
    if view == "tsne":
        return _tsne(points, monitor), ("t-SNE 1", "t-SNE 2"), True
    if points.shape[1] == 2:
        return points, source.columns, True
    return _principal(points, 2)


def _principal(points: np.ndarray, n: int):
    from sklearn.decomposition import PCA

    fit = PCA(n, svd_solver="auto", random_state=0)
    placed = fit.fit_transform(points)
    shares = fit.explained_variance_ratio_
    return placed, tuple(f"component {i + 1} ({share:.0%} of variance)" for i, share in enumerate(shares)), True


def _tsne(points: np.ndarray, monitor: Monitor) -> np.ndarray:
    """t-SNE of at most 50 components; started from the principal components, so that it is the same every time."""
    from sklearn.manifold import TSNE

    if points.shape[1] > 50:
        points = _principal(points, 50)[0]
    monitor.tick("laying out the objects by t-SNE", 0, 1)
    perplexity = min(30.0, (len(points) - 1) / 3)
    return TSNE(2, init="pca", perplexity=perplexity, random_state=0).fit_transform(points).astype(float)


def from_labels(pool: Pool, m: int, seed: int, monitor: Monitor):
    """Spectral layout; the objects of one microcluster form a small sunflower around its place."""
    made = drawn(pool, m, seed)
    micro = made.microclusters
    placed = spectral_layout(made, monitor)
    rank = np.empty(made.n_objects, int)
    order = np.argsort(micro.assignment, kind="stable")
    starts = np.concatenate([[0], np.cumsum(micro.sizes)[:-1]])
    rank[order] = np.arange(made.n_objects) - starts[micro.assignment[order]]
    radius = 0.02 * np.sqrt(rank / max(1, micro.sizes.max()))
    spread = np.column_stack([np.cos(_GOLDEN_ANGLE * rank), np.sin(_GOLDEN_ANGLE * rank)]) * radius[:, None]
    return micro.expand(placed) + spread, ("spectral 1 (from labels)", "spectral 2 (from labels)"), False

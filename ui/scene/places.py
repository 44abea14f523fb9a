"""Where objects stand on the page: the data themselves, a projection, or a layout of the labels alone."""

from functools import partial

import numpy as np

import data
from data import Dataset, Graph, Pool
from data.records import Content
from engine import Ensemble, Monitor
from engine.graphs.layouts import graph_layout
from engine.graphs.library_calls import tsne
from ui.compute import data_sets
from ui.compute.generating import drawn
from ui.figures.objects.density import shaded_edges
from ui.saying import percent

#: What progress is called.
_BY_TSNE = "laying out the objects by t-SNE"
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def layout(source: Content, n_clusterings: int, seed: int, scaling: str, view: str) -> tuple:
    """What decides where objects stand: for features their scaling and projection, for labels which are drawn."""
    if isinstance(source, Pool):
        return source, n_clusterings, seed
    if isinstance(source, Graph) and (view == "plain" or source.features is None):
        return (source,)
    return source, scaling, view


def placed(layout: tuple, monitor: Monitor) -> tuple:
    """Laying out the objects: points (N, 2), names of the axes, and whether these share a unit.

    Features: the data if they are two columns, else two principal components, or t-SNE if chosen. Labels only: t-SNE
    of how seldom the base clusterings put objects together, those switched off included. A graph: as its file says,
    else its nodes are drawn to those they are linked to.
    """
    if isinstance(layout[0], Pool):
        pool, m, seed = layout
        return _from_labels(pool, m, seed, monitor)
    if len(layout) == 1:
        return _from_edges(layout[0], monitor)
    source, scaling, view = layout
    return _from_features(source, scaling, view, monitor)


def edges_shade(placed: tuple, edges: np.ndarray, monitor: Monitor) -> np.ndarray:
    """Shading the edges: their density, for where they are too many for lines, (tall, wide) uint8."""
    return shaded_edges(placed[0], edges, partial(monitor.tick, "shading the edges"))


def node_places(placed: tuple, ensemble: Ensemble) -> np.ndarray:
    """Mean place of the objects of each microcluster: (n, 2)."""
    micro = ensemble.microclusters
    return np.column_stack([np.bincount(micro.assignment, column) / micro.sizes for column in placed[0].T])


#: The axes of a graph say where its places come from; no unit has a meaning there.
OF_FILE, OF_EDGES = ("as the file places them", ""), ("linked objects stand close", "")


def _from_edges(source: Graph, monitor: Monitor):
    """Nodes of a graph in the plane."""
    if source.coordinates is not None:
        return source.coordinates, OF_FILE, True
    return graph_layout(data_sets.linked(source), monitor=monitor), OF_EDGES, True


def _from_features(source: Dataset | Graph, scaling: str, view: str, monitor: Monitor):
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
    with np.errstate(invalid="ignore"):  # all objects equal: there is no variance to have a share of
        placed = fit.fit_transform(points)
    placed[np.abs(placed) < 1e-12 * np.abs(placed).max(initial=0)] = 0  # a line is one: the rest is rounding
    shares = np.nan_to_num(fit.explained_variance_ratio_)  # 0 of no variance, where all objects are equal
    return placed, tuple(f"component {i + 1} ({percent(share, 1)} of variance)" for i, share in enumerate(shares)), True


def _tsne(points: np.ndarray, monitor: Monitor) -> np.ndarray:
    """t-SNE of at most 50 components; started from the principal components, so that it is the same every time."""
    if points.shape[1] > 50:
        points = _principal(points, 50)[0]
    return tsne(points, _BY_TSNE, monitor)


#: Microclusters laid out at most, and what comparing the others with these may cost; those join the most similar.
LANDMARKS, COMPARISONS = 600, 2e9
#: The axes of such a layout say what it is.
FROM_LABELS = ("t-SNE 1 (of 1 - co-association)", "t-SNE 2 (equal objects fan out)")
#: Share of the picture that its dots cover together, and rounds in which discs push each other apart.
_COVERED, _ROUNDS = 0.2, 80


def _from_labels(pool: Pool, m: int, seed: int, monitor: Monitor):
    """t-SNE of the distances 1 - co-association; objects that no base clustering tells apart fan out in a disc.

    Discs are as large as their objects need and stand beside each other. Of many microclusters the largest have a
    place, and the others share that of the one they resemble most.
    """
    made = drawn(pool, m, seed)
    micro = made.microclusters
    most = int(np.clip(COMPARISONS / (len(micro) * made.n_clusterings), 60, LANDMARKS))
    landmarks = np.sort(_largest(micro.sizes, most))
    labels = made.labels[micro.representatives]
    home = _home(labels, landmarks, monitor)
    own = home[micro.assignment]
    sizes = np.bincount(own, minlength=len(landmarks))
    places, step = _pushed_apart(_placed(1 - _agreement(labels[landmarks], labels[landmarks]), monitor), sizes)
    order = np.argsort(own, kind="stable")
    rank = np.empty(made.n_objects, int)
    rank[order] = np.arange(made.n_objects) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    turned = np.column_stack([np.cos(_GOLDEN_ANGLE * rank), np.sin(_GOLDEN_ANGLE * rank)])
    return places[own] + turned * (step * np.sqrt(rank))[:, None], FROM_LABELS, True


def _largest(sizes: np.ndarray, most: int) -> np.ndarray:
    """The largest microclusters; of equals any, drawn always alike."""
    return np.lexsort((np.random.default_rng(0).random(len(sizes)), -sizes))[:most]


def _home(labels: np.ndarray, landmarks: np.ndarray, monitor: Monitor) -> np.ndarray:
    """The landmark that each microcluster resembles most, itself if it is one: (n,)."""
    n, step, home = len(labels), 500, np.empty(len(labels), int)
    for begin in range(0, n if len(landmarks) < n else 0, step):
        monitor.tick("comparing labels", begin, n)
        home[begin : begin + step] = _agreement(labels[begin : begin + step], labels[landmarks]).argmax(axis=1)
    home[landmarks] = np.arange(len(landmarks))
    return home


def _agreement(labels: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Share of the base clusterings seeing both that put two of them together: (n, L) float32."""
    both, same = (np.zeros((len(labels), len(others)), np.float32) for _ in range(2))
    for m in range(labels.shape[1]):
        seen = (labels[:, m] >= 0)[:, None] & (others[:, m] >= 0)
        both += seen
        same += seen & (labels[:, m, None] == others[:, m])
    return same / np.maximum(both, 1)


def _placed(distances: np.ndarray, monitor: Monitor) -> np.ndarray:
    """Places (L, 2) after distances: t-SNE begun from classical scaling; of a few microclusters that scaling alone."""
    n = len(distances)
    if n < 3:
        return np.column_stack([np.arange(n), np.zeros(n)]).astype(float)
    if n >= 12:
        return tsne(distances, _BY_TSNE, monitor, distances=True)
    from sklearn.manifold import ClassicalMDS

    with np.errstate(invalid="ignore"):  # of microclusters in a line the second eigenvalue is 0, or just below it
        places = ClassicalMDS(2, metric="precomputed").fit_transform(distances.astype(float))
    return np.nan_to_num(places)


def _pushed_apart(places: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, float]:
    """Places at which discs of these sizes hardly overlap, and how far dots stand from each other inside them."""
    wide = np.maximum(np.ptp(places, axis=0), 0.3 * np.ptp(places)) if len(places) > 1 else np.ones(2)
    step = float(np.sqrt(_COVERED * wide.prod() / (np.pi * sizes.sum())))
    reach = 1.15 * step * np.sqrt(sizes)
    places = places + np.random.default_rng(0).normal(0, 1e-3 * step, places.shape)
    for _ in range(_ROUNDS):
        push = _push(places.astype(np.float32), reach.astype(np.float32))
        if not push.any():
            break
        # The sum over the others of push times the way from them.
        places = places + 0.35 * (push.sum(axis=1)[:, None] * places - push @ places)
    return places, step


def _push(places: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """By how much of their distance two discs overlap: (L, L) float32."""
    across, down = (axis[:, None] - axis for axis in places.T)
    distance = np.hypot(across, down, out=across)
    np.fill_diagonal(distance, np.inf)
    push = np.subtract(reach[:, None] + reach, distance, out=down)
    return np.divide(np.maximum(push, 0, out=push), distance, out=push)


def extent() -> tuple[float, ...] | None:
    """The part of the plane that densities show: left, right, bottom, top; None is all of it. A page knows it."""
    return None


def picked_nodes(picked_mask: np.ndarray | None, ensemble: Ensemble) -> np.ndarray | None:
    """Which microclusters hold a picked object, (n,) bool; None if nothing is picked."""
    return None if picked_mask is None else np.bincount(ensemble.microclusters.assignment, picked_mask) > 0


def most_dots() -> int | None:
    """Dots that stand for all objects where these are too many to draw; None where their density is drawn instead."""
    return None

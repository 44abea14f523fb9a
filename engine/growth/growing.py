"""Trees that grow from prototypes towards whatever is tied to one of them most clearly (Li, Qian and Wang 2021).

Prototypes are set apart by Otsu's threshold: the division of values into low and high with means furthest apart.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble.microclusters import as_sizes
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor


def otsu_threshold(values: NDArray, counts: NDArray) -> float:
    """Largest value of the lower class in the division that maximises the variance between the classes.

    Parameters
    ----------
    values : (v,) int
        Distinct, ascending.
    counts : (v,) int
        How often each occurs, at least once.

    Returns
    -------
    float
        Of equally good divisions the lowest; the value itself if there is one.

    Notes
    -----
    Otsu, "A threshold selection method from gray-level histograms", 1975, on the values themselves, not on bins.

    Examples
    --------
    >>> otsu_threshold(np.array([0, 1, 8, 9]), np.array([5, 5, 1, 1]))
    1.0
    """
    if len(values) == 1:
        return float(values[0])
    below, sums = np.cumsum(counts), np.cumsum(counts * values)
    n, total = below[-1], sums[-1]
    gap = (n * sums - below * total)[:-1].astype(np.float64)
    between = gap * (gap / (below * (n - below))[:-1])
    return float(values[np.flatnonzero(between >= between.max() * (1 - 1e-12))[0]])


def gray_threshold(values: NDArray[np.float64]) -> float:
    """Otsu's threshold on 256 bins, as MATLAB's graythresh: the mean of the best divisions, in [0, 1].

    >>> round(gray_threshold(np.array([0, 0, 0, 1.0])), 3)
    0.498
    """
    counts = np.bincount(np.floor(values * 255 + 0.5).astype(np.int64), minlength=256)
    share = counts / counts.sum()
    omega, mu = np.cumsum(share), np.cumsum(share * np.arange(1, 257))
    inside = omega * (1 - omega)
    between = np.divide((mu[-1] * omega - mu) ** 2, inside, out=np.full(256, -1.0), where=inside > 0)
    return float(np.flatnonzero(between == between.max()).mean() / 255)


@dataclass(frozen=True, eq=False)
class Growth:
    """A forest, and how it grew. Prototype t is the root of tree t; rounds count from 1.

    Attributes
    ----------
    tree : (n,) int32
        Tree every node ends in, 0..k-1.
    linked_to : (n,) int32
        Node it was tied to when it joined, a member of the same tree from an earlier round; -1 for prototypes.
    round : (n,) int32
        When it joined; 0 for prototypes.
    margin : (n,) float64
        How clearly it belonged there when it joined; nan for prototypes.
    joined : (n_rounds,) int64
        Objects that joined in each round, the companions of a prototype in its microcluster among them.
    threshold : (n_rounds,) float64
        Otsu's threshold: who was above it joined. In a round whose margins are all equal it is that margin, and
        whoever was tied to a tree joined.
    smallest_margin : (n_rounds,) float64
        Lowest margin of those who joined.
    margins : tuple of n_rounds pairs ((v,) float64, (v,) int64)
        The distinct margins of those who waited, ascending, and how many objects had each.
    """

    tree: NDArray[np.int32]
    linked_to: NDArray[np.int32]
    round: NDArray[np.int32]
    margin: NDArray[np.float64]
    joined: NDArray[np.int64]
    threshold: NDArray[np.float64]
    smallest_margin: NDArray[np.float64]
    margins: tuple[tuple[NDArray[np.float64], NDArray[np.int64]], ...]

    @property
    def n_rounds(self) -> int:
        """Rounds until everybody had joined."""
        return len(self.joined)


def grow_trees(
    co_association: NDArray,
    sizes: NDArray,
    prototypes: ArrayLike,
    monitor: Monitor = SILENT,
    distance: NDArray | None = None,
    unit: float = 1e-6,
) -> Growth:
    """Let one tree a prototype grow until every node is in a tree (Algorithm 2).

    The margin of a node is the difference between its tie to the nearest tree and to the second nearest, where
    ot(x, t) = max {a(x, b) : b in t}   (eq. 8). In every round all whose margin exceeds Otsu's threshold of the
    margins join their nearest tree, linked to the node there they are tied to most   (eqs. 9 to 11).

    Parameters
    ----------
    co_association : (n, n) float
        Symmetric, in [0, 1], diagonal 1.
    sizes : (n,) int
        Objects each node stands for.
    prototypes : (k,) int
        Different nodes, at least one.
    monitor : Monitor, optional
    distance : (n, n) real, optional
        Refined distance, for nodes that are tied to no tree.
    unit : float
        Margins are rounded to multiples of it. With 1 / M, ties are exact.

    Returns
    -------
    Growth

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    Nodes weigh as their objects would. The companions of a prototype in its microcluster wait with their margin
    until a round selects them: they bring nothing new to their tree, but count for the threshold.

    If all margins are equal the threshold divides nobody, and all join who are tied to a tree; the others wait for a
    tie to those. Once nobody is tied, the rest joins the tree nearest in `distance` (the first tree without it),
    linked to the nearest node. Ties: the lower tree, then the node that joined earlier, then the lower index.

    A node keeps its highest tie and the highest to another tree, and every newcomer is compared with each waiting
    node once: O(n^2) time in all, O(n) memory. The sum in the paper's loop condition starts at tree 1; the printed
    2 is a slip.

    References
    ----------
    li2021got, Algorithm 2.

    Examples
    --------
    >>> a = np.array([[1, 0.8, 0.2, 0], [0.8, 1, 0.4, 0.2], [0.2, 0.4, 1, 0.6], [0, 0.2, 0.6, 1]])
    >>> growth = grow_trees(a, np.ones(4, int), [0, 3])
    >>> growth.tree.tolist(), growth.linked_to.tolist(), growth.round.tolist()
    ([0, 0, 1, 1], [-1, 0, 3, -1], [0, 1, 2, 0])
    """
    sizes, roots = _check(co_association, sizes, prototypes)
    forest = _Forest(co_association, roots, distance)
    waiting, total = sizes.copy(), int(sizes.sum())
    waiting[roots] -= 1
    rounds: list[tuple] = []
    while left := int(waiting.sum()):
        monitor.tick("growing trees", total - left, total)
        nodes = np.flatnonzero(waiting)
        margins = forest.margins(nodes, unit)
        values, counts = _distinct(margins, waiting[nodes])
        threshold = otsu_threshold(values, counts)
        chosen = margins > threshold if len(values) > 1 else forest.tied(nodes)
        n_joined, lowest = waiting[nodes[chosen]].sum(), margins[chosen].min()
        rounds.append((n_joined, threshold * unit, lowest * unit, (values * unit, counts)))
        forest.join(nodes[chosen], margins[chosen] * unit, len(rounds))
        waiting[nodes[chosen]] = 0
    monitor.tick("growing trees", total, total)
    return forest.growth(rounds)


def _check(matrix: NDArray, sizes: ArrayLike, prototypes: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sizes and prototypes as integers, if they fit the matrix."""
    sizes, roots = as_sizes(sizes, np.size(sizes)), np.array(prototypes)
    n = len(sizes)
    if matrix.shape != (n, n):
        raise InvalidParameterError(f"co_association must be square with one size a node. Got {matrix.shape}")
    if roots.ndim != 1 or not len(roots) or len(set(roots.tolist())) < len(roots) or not set(roots) <= set(range(n)):
        raise InvalidParameterError(f"prototypes must be different nodes in 0..{n - 1}. Got {roots.tolist()}")
    return sizes, roots.astype(np.int64)


def _distinct(margins: NDArray[np.int64], weights: NDArray[np.int64]) -> tuple[NDArray, NDArray[np.int64]]:
    """Distinct margins, ascending, and the objects that have each."""
    values, place = np.unique(margins, return_inverse=True)
    return values, np.bincount(place, weights).astype(np.int64)


class _Forest:
    """Trees while they grow, and for every node the nearest tree, the tie to it, and the tie to the second."""

    def __init__(self, matrix: NDArray, prototypes: NDArray[np.int64], distance: NDArray | None):
        n = len(matrix)
        self.matrix, self.distance, self.prototypes = matrix, distance, prototypes
        self.tree, self.linked_to, self.near_tree, self.near_node = (np.full(n, -1, np.int32) for _ in range(4))
        self.round, self.margin = np.zeros(n, np.int32), np.full(n, np.nan)
        self.tie, self.second = np.zeros(n), np.zeros(n)
        self.tree[prototypes] = np.arange(len(prototypes))
        self._reach(prototypes)

    def margins(self, nodes: NDArray, unit: float) -> NDArray[np.int64]:
        """Margins of nodes (eq. 8), in multiples of `unit`."""
        return np.rint((self.tie[nodes] - self.second[nodes]) / unit).astype(np.int64)

    def tied(self, nodes: NDArray) -> NDArray[np.bool_]:
        """Which nodes are tied to a tree; all of them if none is, for then waiting is of no use."""
        tied = self.tie[nodes] > 0
        return tied if tied.any() else ~tied

    def join(self, nodes: NDArray, margins: NDArray, number: int) -> None:
        """Add nodes to their nearest trees; the companions of prototypes are there already."""
        fresh = self.tree[nodes] < 0
        nodes, margins = nodes[fresh], margins[fresh]
        stray = nodes[self.tie[nodes] == 0]
        if len(stray):
            self.near_node[stray] = self._nearest_members(stray)
            self.near_tree[stray] = self.tree[self.near_node[stray]]
        self.tree[nodes], self.linked_to[nodes] = self.near_tree[nodes], self.near_node[nodes]
        self.round[nodes], self.margin[nodes] = number, margins
        self._reach(nodes)

    def growth(self, rounds: list[tuple]) -> Growth:
        """What has grown."""
        joined, threshold, lowest, margins = zip(*rounds, strict=True) if rounds else ((), (), (), ())
        arrays = (
            self.tree,
            self.linked_to,
            self.round,
            self.margin,
            np.array(joined, np.int64),
            np.array(threshold, np.float64),
            np.array(lowest, np.float64),
        )
        for array in (*arrays, *(part for pair in margins for part in pair)):
            array.setflags(write=False)
        return Growth(*arrays, margins)

    def _reach(self, newcomers: NDArray) -> None:
        """Let every node know the newcomers."""
        _reach_kernel(self.matrix, newcomers, self.tree, self.near_tree, self.near_node, self.tie, self.second)

    def _nearest_members(self, stray: NDArray) -> NDArray:
        """Members of the forest nearest to nodes that are tied to none."""
        if self.distance is None:
            return np.full(len(stray), self.prototypes[0])
        members = np.flatnonzero(self.tree >= 0)
        members = members[np.lexsort((members, self.round[members], self.tree[members]))]
        return np.array([members[np.argmin(self.distance[node, members])] for node in stray])


@njit(cache=True, nogil=True)
def _reach_kernel(matrix, newcomers, tree, near_tree, near_node, tie, second):
    """Update the two highest ties of every node; of equal ties the lower tree is nearer, then the earlier node."""
    for new in newcomers:
        t, row = tree[new], matrix[new]
        for i in range(len(tie)):
            a = row[i]
            if a <= 0:
                continue
            if near_tree[i] == t:
                if a > tie[i]:
                    tie[i], near_node[i] = a, new
            elif a > tie[i] or (a == tie[i] and t < near_tree[i]):
                second[i] = tie[i]
                tie[i], near_tree[i], near_node[i] = a, t, new
            elif a > second[i]:
                second[i] = a

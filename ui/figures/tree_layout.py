"""Where the top of a hierarchy is drawn: positions, heights, counts and clusters of its nodes."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tree:
    """What of a hierarchy is drawn; nodes are its leaves 0..n-1 and its merges n..2n-2."""

    merges: np.ndarray  # (n-1, 2)
    first: int  # the first merge drawn
    n_clusters: int
    height: np.ndarray  # (2n-1,) similarity at which a node came to be
    x: np.ndarray  # (2n-1,) nan where not drawn
    tips: np.ndarray  # nodes at the lower edge, from left to right
    objects: np.ndarray  # (2n-1,) objects under a node
    cluster: np.ndarray  # (2n-1,) cluster of one leaf under a node

    @property
    def n_leaves(self):
        """Leaves of the whole hierarchy."""
        return len(self.merges) + 1

    @property
    def cut(self):
        """Similarity between the last merge kept and the first one undone; None for one cluster."""
        undone = self.n_leaves - self.n_clusters
        if undone >= len(self.merges):
            return None
        above = self.height[self.n_leaves + undone]
        below = self.height[self.n_leaves + undone - 1] if undone else self.height[0]
        return float(above + below) / 2


def dendrogram_tree(merges, similarities, sizes, n_clusters, cluster_of_leaf=None, top=60):
    """Positions, heights, counts and clusters of the nodes drawn; see `dendrogram_figure`."""
    merges, n = np.asarray(merges, np.int64), len(sizes)
    first = n - 1 - min(n - 1, max(top, n_clusters))
    tips = _tips_in_order(merges, first, n)
    x = np.full(2 * n - 1, np.nan)
    x[tips] = np.arange(len(tips))
    for t in range(first, n - 1):
        x[n + t] = x[merges[t]].mean()
    if cluster_of_leaf is None:
        cluster_of_leaf = _clusters_left_to_right(merges, n - n_clusters, n)
    return Tree(
        merges=merges,
        first=first,
        n_clusters=n_clusters,
        height=_heights(similarities, n),
        x=x,
        tips=tips,
        objects=_fold(merges, sizes, np.sum),
        cluster=_fold(merges, cluster_of_leaf, lambda pair: pair[0]),
    )


def _heights(similarities, n):
    """Similarity of every node; a leaf is as similar to itself as anything gets."""
    similarities = np.asarray(similarities, float)
    own = max(1.0, float(similarities.max(initial=0)))
    return np.concatenate([np.full(n, own), similarities])


def _fold(merges, of_leaf, join):
    """Value of every node from those of the leaves."""
    n = len(merges) + 1
    values = np.concatenate([np.asarray(of_leaf), np.zeros(n - 1, np.asarray(of_leaf).dtype)])
    for t, pair in enumerate(merges):
        values[n + t] = join(values[pair])
    return values


def _tips_in_order(merges, first, n):
    """Nodes that merges from `first` on hang from, left to right: no two branches cross."""
    tips, stack = [], [2 * n - 2]
    while stack:
        node = stack.pop()
        if node >= n + first:
            stack.extend(merges[node - n][::-1].tolist())
        else:
            tips.append(node)
    return np.array(tips)


def _clusters_left_to_right(merges, undone, n):
    """Clusters (n,) of the leaves under a cut, numbered as they hang."""
    cluster = np.full(2 * n - 1, -1)
    roots = _tips_in_order(merges, undone, n)
    cluster[roots] = np.arange(len(roots))
    for t in range(undone - 1, -1, -1):
        cluster[merges[t]] = cluster[n + t]
    return cluster[:n]

"""Where the top of a hierarchy, or of one branch, is drawn: positions, heights, counts and clusters of its nodes."""

from dataclasses import dataclass

import numpy as np

from engine.partition import Dendrogram, branch, first_leaves, roots_above, totals_below


@dataclass(frozen=True)
class Tree:
    """What of a hierarchy is drawn; nodes are its leaves 0..n-1 and its merges n..2n-2."""

    merges: np.ndarray  # (n-1, 2)
    first: int  # the first merge drawn
    n_clusters: int  # clusters that are here
    cut: float | None  # similarity between the last merge kept and the first one undone; None for one cluster
    height: np.ndarray  # (2n-1,) similarity at which a node came to be
    x: np.ndarray  # (2n-1,) nan where not drawn
    tips: np.ndarray  # nodes at the lower edge, from left to right
    objects: np.ndarray  # (2n-1,) objects under a node
    cluster: np.ndarray  # (2n-1,) cluster of one leaf under a node
    nodes: np.ndarray  # (2n-1,) what they are called in the whole hierarchy

    @property
    def n_leaves(self):
        """Leaves of what is drawn."""
        return len(self.merges) + 1


def dendrogram_tree(merges, similarities, sizes, n_clusters, cluster_of_leaf=None, top=60, opened=None):
    """Positions, heights, counts and clusters of the nodes drawn; see `dendrogram_figure`."""
    whole = Dendrogram(np.asarray(merges, np.int64), np.asarray(similarities, float), np.asarray(sizes))
    n = whole.n_leaves
    if cluster_of_leaf is None:
        cluster_of_leaf = _clusters_left_to_right(whole.merges, n - n_clusters, n)
    part = branch(whole, 2 * n - 2 if opened is None else opened)
    k = 1 + int((part.nodes >= 2 * n - n_clusters).sum())  # the merges undone come last
    cluster = np.asarray(cluster_of_leaf)[part.nodes[: part.tree.n_leaves]]
    return _laid_out(part, k, cluster, top, _cut(whole, n_clusters) if k > 1 else None)


def _laid_out(part, n_clusters, cluster_of_leaf, top, cut):
    """The last merges of a branch."""
    merges, n = part.tree.merges, part.tree.n_leaves
    first = n - 1 - min(n - 1, max(top, n_clusters))
    tips = _tips_in_order(merges, first, n)
    x = np.full(2 * n - 1, np.nan)
    x[tips] = np.arange(len(tips))
    for t in range(first, n - 1):
        x[n + t] = x[merges[t]].mean()
    return Tree(
        merges=merges,
        first=first,
        n_clusters=n_clusters,
        cut=cut,
        height=_heights(part.tree.similarities, n),
        x=x,
        tips=tips,
        objects=totals_below(merges, part.tree.sizes),
        cluster=cluster_of_leaf[first_leaves(merges)],
        nodes=part.nodes,
    )


def _cut(tree, n_clusters):
    """Midway between the last merge kept and the first one undone."""
    height, undone = _heights(tree.similarities, tree.n_leaves), tree.n_leaves - n_clusters
    above = height[tree.n_leaves + undone]
    below = height[tree.n_leaves + undone - 1] if undone else height[0]
    return float(above + below) / 2


def _heights(similarities, n):
    """Similarity of every node; a leaf is as similar to itself as anything gets."""
    similarities = np.asarray(similarities, float)
    own = max(1.0, float(similarities.max(initial=0)))
    return np.concatenate([np.full(n, own), similarities])


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
    return roots_above(merges, _tips_in_order(merges, undone, n))

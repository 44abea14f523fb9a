"""A tree with its cut: laid out, drawn, and its branches clickable."""

from dataclasses import dataclass

import numpy as np

from engine.partition import Dendrogram, branch, first_leaves, roots_above, totals_below
from ui.figures import spec
from ui.figures.style import INKS, cluster_colors, finish
from ui.saying import counted

#: Room below and above what is drawn, as a share of its height.
_MARGIN = 0.06

NAMED_TIPS = 30


def dendrogram_figure(
    merges, similarities, sizes, n_clusters, theme, *, cluster_of_leaf=None, top=60, height=380, opened=None
):
    """Top of a hierarchy, most similar at the bottom, cut into k clusters.

    `merges` (n-1, 2) as in SciPy, `similarities` (n-1,) not increasing, `sizes` (n,). `top` merges are drawn, never
    fewer than the cut needs, of the branch of merge `opened` (n + t) alone if given; what is below is a tip with its
    object count. One trace a colour; then the merges and the tips as dots, whose `customdata` is the node in the whole
    hierarchy and its objects.
    """
    tree = dendrogram_tree(merges, similarities, sizes, n_clusters, cluster_of_leaf, top, opened)
    ink, fig = INKS[theme], spec.Figure()
    for color, x, y in _branches(tree, ink.muted):
        line = {"color": color, "width": 1.6, "shape": "linear"}
        fig.add_trace(spec.scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    fig.add_trace(_joints(tree, ink))
    fig.add_trace(_tips(tree))
    _dendrogram_axes(fig, tree)
    if tree.cut is not None:
        _draw_cut(fig, tree.cut, n_clusters, ink)
    fig.update_layout(margin_r=8 + 46 * (tree.cut is not None))
    return finish(fig, theme, _alt(tree), height=height)


def _branches(tree, above_color):
    """Colour, x and y of the lines: one entry per colour, pieces separated by NaN.

    A merge is a bar over two legs. What hangs below the cut has its cluster's colour, so the leg of a
    cluster's root changes colour where it crosses the cut.
    """
    n = tree.n_leaves
    made = np.arange(tree.first, n - 1)
    pair, level = tree.merges[made], tree.height[n + made]
    above = made >= n - tree.n_clusters
    floor = _floor(tree)
    foot = np.where(pair < n + tree.first, floor, tree.height[pair])
    crossing = above[:, None] & (pair < n + (n - tree.n_clusters))
    bend = np.where(crossing, level[:, None] if tree.cut is None else tree.cut, level[:, None])
    under = crossing | ~above[:, None]
    colors = np.where(under, cluster_colors(tree.cluster[pair]), above_color)
    bar_colors = np.where(above, above_color, cluster_colors(tree.cluster[pair[:, 0]]))
    leg, top_level = tree.x[pair], np.repeat(level[:, None], 2, axis=1)
    pieces = [
        (colors.ravel(), _runs(leg, leg), _runs(foot, bend)),
        (
            np.full(crossing.sum(), above_color),
            _runs(leg[crossing], leg[crossing]),
            _runs(bend[crossing], top_level[crossing]),
        ),
        (bar_colors, _runs(leg[:, 0], leg[:, 1]), _runs(level, level)),
    ]
    color, x, y = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    return [(str(c), x[color == c].ravel(), y[color == c].ravel()) for c in np.unique(color)]


def _runs(start, end):
    """Start, end and a NaN for each piece: (pieces, 3)."""
    start, end = np.ravel(start), np.ravel(end)
    return np.stack([start, end, np.full(len(start), np.nan)], axis=1).astype(np.float32)


def _floor(tree):
    """Where the tips hang: a little below the most similar thing drawn."""
    drawn = tree.height[tree.n_leaves + tree.first :]
    return float(drawn.max() + _MARGIN * (np.ptp(drawn) or 1))


def _joints(tree, ink):
    """A faint dot on every merge drawn: the place to click for a whole branch."""
    nodes = np.arange(tree.n_leaves + tree.first, 2 * tree.n_leaves - 1)
    return spec.scatter(
        x=tree.x[nodes].astype(np.float32),
        y=tree.height[nodes].astype(np.float32),
        customdata=np.column_stack([tree.nodes[nodes], tree.objects[nodes]]).tolist(),
        mode="markers",
        marker={"size": 7, "color": ink.muted, "opacity": 0.35},
        meta={"target": True},
        hovertemplate="%{customdata[1]:,} objects<br>joined at similarity %{y:.3g}<extra></extra>",
    )


def _tips(tree):
    """Dot per tip, its area by objects, its colour by cluster."""
    objects = tree.objects[tree.tips]
    area = objects / max(objects.max(), 1)
    widest = float(np.clip(260 / len(tree.tips), 4, 11))  # dots stay apart on a narrow screen
    return spec.scatter(
        x=np.arange(len(tree.tips), dtype=np.float32),
        y=np.full(len(tree.tips), _floor(tree), np.float32),
        customdata=np.column_stack([tree.nodes[tree.tips], objects]).tolist(),
        mode="markers",
        marker={"size": (3 + widest * np.sqrt(area)).astype(np.float32), "opacity": 1, "line": {"width": 0}}
        | {"color": cluster_colors(tree.cluster[tree.tips])},
        cliponaxis=False,
        text=[counted(int(n), "object") for n in objects],
        hovertemplate="%{text}<extra></extra>",
    )


def _dendrogram_axes(fig, tree):
    """Similarity downwards, counts under the tips as long as they fit."""
    drawn, floor = tree.height[tree.n_leaves + tree.first :], _floor(tree)
    margin = _MARGIN * (np.ptp(drawn) or 1)
    fig.update_yaxes(range=[floor + 0.4 * margin, drawn.min() - margin], title_text="similarity")
    named = len(tree.tips) <= NAMED_TIPS
    words = f"{len(tree.tips)} groups" + (", with their objects" if named else ", dots by their objects")
    counts = [f"{count:,}" for count in tree.objects[tree.tips]] if named else []
    fig.update_xaxes(
        range=[-0.7, len(tree.tips) - 0.3],
        tickvals=np.arange(len(counts)),
        ticktext=counts,
        tickangle=-90,
        showgrid=False,
        title_text=words,
    )


def _draw_cut(fig, cut, n_clusters, ink):
    """Draw the cut as a dashed line with its k."""
    line = {"color": ink.accent, "width": 1.5, "dash": "dash"}
    fig.add_shape(
        type="line",
        x0=0,
        x1=1,
        xref="x domain",
        y0=cut,
        y1=cut,
        line=line,
        name="cut",
        layer="below",
    )
    text = f"<b>k = {n_clusters}</b>"
    fig.add_annotation(
        {"text": text, "x": 1, "xref": "x domain", "xanchor": "left", "xshift": 4, "y": cut, "yanchor": "middle"}
        | {"font": {"color": ink.accent}}
    )


def _alt(tree):
    """Hierarchy in a sentence."""
    cut = "" if tree.cut is None else f", cut at similarity {tree.cut:.3g}"
    cut = ", cut before the first" if cut and tree.n_clusters == tree.n_leaves else cut
    return f"The last {len(tree.tips) - 1:,} merges of a hierarchy of {int(tree.objects[-1]):,} objects{cut}."


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
    """Midway between the last merge kept and the first one undone; where all are undone, right before the first."""
    height, undone = _heights(tree.similarities, tree.n_leaves), tree.n_leaves - n_clusters
    above = height[tree.n_leaves + undone]
    if not undone:
        return float(above + 0.5 * _MARGIN * (np.ptp(tree.similarities) or 1))  # where tips hang, or a little higher
    return float(above + height[tree.n_leaves + undone - 1]) / 2


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

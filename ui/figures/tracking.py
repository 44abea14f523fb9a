"""What ConsensusClusterPlus draws beside its matrices: where objects go over k, and item and cluster consensus."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import FIRST, numbers
from ui.figures.style import INKS, cluster_colors, cluster_scale, finish, painted

#: Objects drawn at most; of more, evenly chosen ones stand for the others.
MOST = 600


def drawn(order):
    """The objects that are drawn, of an order of all of them."""
    order = np.asarray(order)
    return order[np.unique(np.linspace(0, len(order) - 1, min(MOST, len(order))).round().astype(int))]


def tracking_figure(partitions, colors, order, theme, *, height=None):
    """One row a k, one column an object: its cluster, in a colour that its objects keep from row to row."""
    shown, ks = drawn(order), list(partitions)
    places = np.array([painted(partitions[k][shown], colors[k]) for k in ks])
    own = numbers(np.array([partitions[k][shown] for k in ks])).astype(np.int32)
    top = int(places.max(initial=0)) + 1
    image = spec.heatmap(
        z=numbers(places).astype(np.int16),
        x=np.arange(len(shown), dtype=np.float32),
        y=np.arange(len(ks), dtype=np.float32),
        customdata=np.dstack(np.broadcast_arrays(own, numbers(shown), np.array(ks)[:, None])).tolist(),
        zmin=FIRST - 1.5,
        zmax=FIRST + top - 0.5,
        colorscale=cluster_scale(top),
        showscale=False,
        ygap=2,
        hovertemplate="k = %{customdata[2]}: object %{customdata[1]:,}<br>cluster %{customdata[0]:,}<extra></extra>",
    )
    fig = spec.Figure([image])
    some = f", {len(shown):,} of {len(order):,}" if len(shown) < len(order) else ""
    title = f"objects, in the order of the largest k{some}"
    fig.update_xaxes(showticklabels=False, showgrid=False, title_text=title, range=[-0.5, len(shown) - 0.5])
    down = {"range": [len(ks) - 0.5, -0.5], "tickvals": np.arange(len(ks)), "ticktext": [str(k) for k in ks]}
    fig.update_yaxes(title_text="k", showgrid=False, **down)
    alt = f"Clusters of {len(order):,} objects for {ks[0]} to {ks[-1]} clusters."
    return finish(fig, theme, alt, height=height or 90 + 22 * len(ks))


def cluster_consensus_figure(means, sizes, colors, theme, *, height=260):
    """Cluster consensus, by k: a bar a cluster, its mean item consensus, the clusters of every k beside each other."""
    x, y, ink, hover, ticks, at = [], [], [], [], [], 0.0
    for k, own in means.items():
        x += (at + np.arange(k)).tolist()
        y += np.asarray(own).tolist()
        ink += cluster_colors(np.asarray(colors[k])).tolist()
        hover += [
            f"k = {k}, cluster {c + FIRST}: {v:.2f}, {n:,} objects"
            for c, (v, n) in enumerate(zip(own, sizes[k], strict=True))
        ]
        ticks.append(at + (k - 1) / 2)
        at += k + 1.5
    bars = spec.bar(
        x=np.array(x, np.float32),
        y=np.array(y, np.float32),
        marker={"color": ink},
        text=hover,
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
    )
    fig = spec.Figure([bars])
    names = [str(k) for k in means]
    across = {"tickvals": ticks, "ticktext": names, "tickangle": 0, "title_text": "clusters k, side by side"}
    fig.update_xaxes(showgrid=False, range=[-1, at - 1], **across)
    fig.update_yaxes(range=[0, 1.02], title_text="cluster consensus")
    alt = f"Cluster consensus for {min(means)} to {max(means)} clusters."
    return finish(fig, theme, alt, height=height)


def item_consensus_figure(own, other, labels, neighbour, colors, theme, *, height=260):
    """Item consensus: a bar an object, how often it meets its own cluster; a dot, how often the nearest other one.

    Clusters beside each other, the firmest object first in each.
    """
    shown = drawn(np.lexsort((-np.asarray(own), labels)))
    x, ink = np.arange(len(shown), dtype=np.float32), INKS[theme]
    said = np.stack([numbers(shown), numbers(labels[shown]), numbers(neighbour[shown])], axis=1).tolist()
    words = "object %{customdata[0]:,}<br>cluster %{customdata["
    bars = spec.bar(
        x=x,
        y=np.asarray(own, np.float32)[shown],
        width=1.0,
        marker={"color": cluster_colors(painted(labels[shown], colors)), "line": {"width": 0}},
        customdata=said,
        hovertemplate=words + "1]}: %{y:.2f}<extra></extra>",
    )
    dots = spec.scatter(
        x=x,
        y=np.asarray(other, np.float32)[shown],
        mode="markers",
        marker={
            "size": 5,
            "color": cluster_colors(painted(neighbour[shown], colors)),
            "line": {"width": 0.8, "color": ink.text},
        },
        customdata=said,
        hovertemplate=words + "2]} (the nearest other): %{y:.2f}<extra></extra>",
    )
    fig = spec.Figure([bars, dots])
    some = f", {len(shown):,} of {len(labels):,}" if len(shown) < len(labels) else ""
    title = f"objects by cluster, the firmest first{some}"
    fig.update_xaxes(showticklabels=False, showgrid=False, title_text=title, range=[-0.5, len(shown) - 0.5])
    fig.update_yaxes(range=[0, 1.02], title_text="item consensus")
    fig.update_layout(bargap=0)
    alt = f"Item consensus of {len(labels):,} objects, mean {float(np.mean(own)):.2f}."
    return finish(fig, theme, alt, height=height)

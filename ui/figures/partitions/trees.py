"""Who goes where from one partition to the next: the tree of answers, and what ConsensusClusterPlus draws over k."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import FIRST, number, numbers
from ui.figures.partitions.maps import color_key
from ui.figures.style import (
    INKS,
    SIMILARITY_SCALE,
    UNASSIGNED,
    cluster_colors,
    cluster_scale,
    finish,
    ink_on,
    painted,
    scale_color,
    translucent,
)
from ui.outside import html
from ui.saying import counted

#: Flows of a smaller share of the objects are thin: lines, for as ribbons nobody would see them.
THIN = 0.01
#: Half the height of a node, where rows are 1 apart; the room between nodes beside the width of all objects.
_HALF, _GAPS = 0.14, 0.3
#: Where the rings that take a row stand.
_RING = -0.05
#: Pixels a node must be wide for its number to fit, and those that are taken for the width of the plot.
_LETTERS, _WIDE = 18, 520
#: Objects drawn at most; of more, evenly chosen ones stand for the others.
MOST = 600


def partition_tree_figure(
    tree, theme, *, row_name="clusters k", stability="stability", words=None, now=None, height=None
):
    """Rows of clusters, and ribbons between them as wide as the objects that go that way.

    `words` stand beside the rows instead of their keys; with `now`, every row begins with a ring to click, and this one
    with a full dot. Flows of less than a hundredth of the objects are grey lines with their share said. A node carries
    its row and cluster, a ring its row, a flow nothing.
    """
    ink, spans = INKS[theme], _spans(tree)
    wide, thin, meeting = _ribbons(tree, spans)
    fig = spec.Figure()
    if wide:
        x, y = (np.concatenate([one[axis] for one in wide]) for axis in (0, 1))
        fill = {"fill": "toself", "fillcolor": translucent(ink.muted, 0.28), "line": {"width": 0}}
        fig.add_trace(spec.scatter(x=x, y=y, mode="lines", name="flows", hoverinfo="skip", **fill))
    if thin:
        x, y = (np.concatenate([one[axis] for one in thin]) for axis in (0, 1))
        line = {"color": translucent(UNASSIGNED, 0.75), "width": 1}
        fig.add_trace(spec.scatter(x=x, y=y, mode="lines", name="thin flows", hoverinfo="skip", line=line))
    fig.add_traces(_nodes(tree, spans, ink))
    fig.add_trace(_targets(tree, spans, meeting, stability))
    if any(np.isfinite(node.stability) for node in tree.nodes):
        fig.add_trace(color_key(0.0, 1.0, stability, ticks=(0, 0.25, 0.5, 0.75, 1)))
    keys, rows = [str(key) for key in words or tree.keys], np.arange(len(tree.keys))
    if now is not None:
        fig.add_trace(_rings(tree, now, ink))
    held = np.bincount([node.row for node in tree.nodes], [node.size for node in tree.nodes])
    across = f"width: objects, {tree.n_objects:,} a row" if len(rows) else ""
    if (held < tree.n_objects).any():
        across = "width: objects, those with a label"
    fig.update_xaxes(
        range=[-0.01 if now is None else 2 * _RING, 1 + _GAPS + 0.01],
        showticklabels=False,
        showgrid=False,
        title_text=across,
    )
    down = {"range": [len(keys) - 1 + 0.35, -0.35], "tickvals": rows, "ticktext": keys}
    fig.update_yaxes(title_text=row_name, showgrid=False, **down)
    alt = f"Tree over {row_name} {keys[0]} to {keys[-1]}: {len(tree.nodes):,} clusters, {len(tree.flows):,} flows."
    return finish(fig, theme, alt, height=height or 110 + 56 * len(keys), notes=_thin_words(tree))


def _thin(flow, tree):
    return flow.objects < THIN * tree.n_objects


def _thin_words(tree):
    """How much goes where a ribbon would be too thin to be seen."""
    thin, all_of_them = ([f.objects for f in tree.flows if wide or _thin(f, tree)] for wide in (False, True))
    if not thin:
        return []
    share = 100 * sum(thin) / sum(all_of_them)
    flows = f"{len(thin):,} flow{'s' * (len(thin) > 1)}"
    return [f"grey lines: {flows} of less than 1 % each, in all {share:.1f} %"]


def _spans(tree):
    """Left and right end of every node, by row and cluster: rows are centred."""
    sizes = {(node.row, node.cluster): node.size / tree.n_objects for node in tree.nodes}
    most = max((len(row) for row in tree.order), default=1)
    gap = _GAPS / max(most - 1, 1)
    found = {}
    for row, clusters in enumerate(tree.order):
        own = sum(sizes[row, cluster] for cluster in clusters) + gap * (len(clusters) - 1)
        at = (1 + _GAPS - own) / 2
        for cluster in clusters:
            found[row, cluster] = (at, at + sizes[row, cluster])
            at += sizes[row, cluster] + gap
    return found


def _ribbons(tree, spans):
    """Outlines of wide flows and lines of thin ones, each ending in a gap; and the middle of every flow."""
    place = [{cluster: i for i, cluster in enumerate(row)} for row in tree.order]
    out, into = ({key: left for key, (left, _) in spans.items()} for _ in range(2))
    starts = {}
    for flow in sorted(tree.flows, key=lambda f: (f.row, place[f.row][f.source], place[f.row + 1][f.target])):
        starts[flow] = out[flow.row, flow.source]
        out[flow.row, flow.source] += flow.objects / tree.n_objects
    wide, thin, middles = [], [], {}
    bend = (1 - np.cos(np.linspace(0, np.pi, 16))) / 2
    for flow in sorted(tree.flows, key=lambda f: (f.row, place[f.row + 1][f.target], place[f.row][f.source])):
        width, a, b = flow.objects / tree.n_objects, starts[flow], into[flow.row + 1, flow.target]
        into[flow.row + 1, flow.target] += width
        x = a + (b - a) * bend
        y = np.linspace(flow.row + _HALF, flow.row + 1 - _HALF, len(bend))
        middles[flow] = ((a + b + width) / 2, flow.row + 0.5)
        if _thin(flow, tree):
            thin.append((np.append(x + width / 2, np.nan), np.append(y, np.nan)))
        else:
            both = np.concatenate([x, (x + width)[::-1], [np.nan]]), np.concatenate([y, y[::-1], [np.nan]])
            wide.append(both)
    return wide, thin, middles


def _nodes(tree, spans, ink):
    """A box a cluster, and its number where it fits."""
    written: dict[str, list] = {}
    for node in tree.nodes:
        (left, right), tone = spans[node.row, node.cluster], UNASSIGNED
        shade = np.array([[140, 144, 151]])
        if np.isfinite(node.stability):
            shade = scale_color(SIMILARITY_SCALE, np.array([np.clip(node.stability, 0, 1)]))
            tone = "#" + bytes(shade[0].round().astype(np.uint8)).hex()
        up, down = node.row - _HALF, node.row + _HALF
        box = {"x": np.array([left, right, right, left, left]), "y": np.array([up, up, down, down, up])}
        edge = {"fill": "toself", "fillcolor": tone, "line": {"width": 0.8, "color": ink.muted}}
        yield spec.scatter(**box, mode="lines", hoverinfo="skip", **edge)
        if (right - left) / (1 + _GAPS) * _WIDE >= _LETTERS:
            word = ((left + right) / 2, node.row, number(node.cluster))
            written.setdefault(str(ink_on(shade)[0]), []).append(word)
    for tone, words in written.items():
        x, y, text = zip(*words, strict=True)
        font = {"size": 12, "color": tone}
        yield spec.scatter(x=np.array(x), y=np.array(y), mode="text", text=list(text), textfont=font, hoverinfo="skip")


def _targets(tree, spans, middles, stability):
    """Unseen dots that say what is under the pointer."""
    x = [sum(spans[node.row, node.cluster]) / 2 for node in tree.nodes] + [x for x, _ in middles.values()]
    y = [node.row for node in tree.nodes] + [y for _, y in middles.values()]
    said = [_node_words(tree, node, stability) for node in tree.nodes] + [_flow_words(tree, flow) for flow in middles]
    carried = [[node.row, node.cluster] for node in tree.nodes] + [[] for _ in middles]
    look = {"mode": "markers", "marker": {"size": 16, "opacity": 0}, "hovertemplate": "%{text}<extra></extra>"}
    return spec.scatter(
        x=np.array(x), y=np.array(y, float), text=said, customdata=carried, meta={"target": True}, **look
    )


def _rings(tree, now, ink):
    """A ring before every row, for a click takes its key; the one that is taken is full."""
    fill = [ink.accent if key == now else ink.paper for key in tree.keys]
    marker = {"size": 13, "color": fill, "line": {"width": 1.6, "color": ink.accent}}
    said = [f"{html(key)}: taken now" if key == now else f"take {html(key)}" for key in tree.keys]
    rows = np.arange(len(tree.keys), dtype=np.float32)
    carried = [[row] for row in range(len(tree.keys))]
    place = {"x": np.full(len(rows), _RING, np.float32), "y": rows, "customdata": carried, "text": said}
    return spec.scatter(**place, mode="markers", name="rows", marker=marker, hovertemplate="%{text}<extra></extra>")


def _node_words(tree, node, stability):
    firm = f"<br>{stability} {node.stability:.2f}" if np.isfinite(node.stability) else ""
    return f"{html(tree.keys[node.row])}: cluster {number(node.cluster)}<br>{counted(node.size, 'object')}{firm}"


def _flow_words(tree, flow):
    ends = f"cluster {number(flow.source)} of {html(tree.keys[flow.row])}, cluster {number(flow.target)}"
    return f"{ends} of {html(tree.keys[flow.row + 1])}:<br>{counted(flow.objects, 'object')}"


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
        meta={"cell": {"value": 0, "x": 1}},  # of customdata: the cluster, and the object
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
            f"k = {k}, cluster {c + FIRST}: {v:.2f}, {counted(int(n), 'object')}"
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

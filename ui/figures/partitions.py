"""The ensemble as a whole: a map of its partitions, and the tree of the answers over k."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import number
from ui.figures.style import INKS, SIMILARITY_SCALE, UNASSIGNED, finish, ink_on, scale_color, translucent
from ui.outside import html

#: Diameters of dots in pixels, of the base clusterings that agree least and most with the others.
DIAMETERS = (7, 17)
#: Marks are at least this share of the map apart: as wide as one is on a telephone.
_REACH, _GOLDEN = 0.16, (np.sqrt(5) - 1) / 2
#: Flows of a smaller share of the objects are thin: lines, for as ribbons nobody would see them.
THIN = 0.01
#: Half the height of a node, where rows are 1 apart; the room between nodes beside the width of all objects.
_HALF, _GAPS = 0.14, 0.3
#: Where the rings that take a row stand.
_RING = -0.05
#: Pixels a node must be wide for its number to fit, and those that are taken for the width of the plot.
_LETTERS, _WIDE = 18, 520


def color_key(low, high, title, *, ticks=None):
    """A trace that shows nothing but the bar of a colour scale: heatmaps have one in stills, too."""
    bar = {"title": {"text": title, "side": "right", "font": {"size": 13}}, "thickness": 10, "outlinewidth": 0}
    if ticks is not None:
        bar |= {"tickvals": list(ticks), "ticktext": [f"{tick:,g}" for tick in ticks]}
    return spec.heatmap(
        z=[[low]],
        x0=-1e7,
        y0=-1e7,
        zmin=low,
        zmax=high,
        colorscale=SIMILARITY_SCALE,
        showscale=True,
        colorbar=bar,
        hoverinfo="skip",
    )


def partition_map_figure(points, ks, agreement, names, marks, theme, *, unit, height=440):
    """A dot a base clustering, and other partitions among them: what is near is alike.

    `points` (M + p, 2) hold the base clusterings, coloured by `ks` (M,) and sized by mean agreement (M,), then the
    `marks`. Dots on one another are one dot with their number in it; a dot carries the base clusterings it stands for.
    """
    points, ks, agreement = np.asarray(points, float), np.asarray(ks), np.asarray(agreement, float)
    m, ink = len(ks), INKS[theme]
    spread = max(float(np.ptp(points, axis=0).max()), 1e-9)
    places, first, which = _coinciding(points[:m], spread)
    counts = np.bincount(which)
    low, high = int(ks.min()), int(ks.max())
    ends = (low, high) if high > low else (low - 0.5, low + 0.5)
    sizes = np.maximum(_diameters(agreement)[first], np.where(counts > 1, 15, 0))
    here = [np.flatnonzero(which == place) for place in range(len(places))]
    said = [_who(names, ks, agreement, members) for members in here]
    fig = spec.Figure([_dots(places, sizes, ks[first], ends, said, [members.tolist() for members in here], ink)])
    if high > low:
        fig.add_trace(color_key(low, high, "clusters k", ticks=np.unique(np.linspace(low, high, 5).round())))
    if several := np.flatnonzero(counts > 1).tolist():
        fig.add_traces(_counts(places, counts, several, (ks[first] - ends[0]) / (ends[1] - ends[0])))
    shown = _apart(points[m:], _REACH * spread)
    away = np.linalg.norm(shown - points[m:], axis=1) > 0.1 * _REACH * spread
    if away.any():
        fig.add_trace(_threads(points[m:][away], shown[away], ink))
    fig.add_traces(_shapes(shown, marks, ink))
    x_range, y_range = (_room(axis, spread) for axis in np.concatenate([points, shown]).T)
    # In a narrow box the map grows upwards, else it were a strip. Across it does not, or every new size of the window
    # would widen both axes a little further.
    fig.update_xaxes(title_text=f"first axis, {unit}", range=x_range, showline=True, constrain="domain")
    fig.update_yaxes(title_text=f"second axis, {unit}", range=y_range, scaleanchor="x", constrain="range")
    legend = {"orientation": "h", "x": 0, "y": -0.16, "xanchor": "left", "yanchor": "top"}
    fig.update_layout(showlegend=len(marks) > 0, legend=legend)
    notes = [f"size: mean NMI with the others, {agreement.min():.2f} to {agreement.max():.2f}"] if m > 1 else []
    notes += ["thin lines lead marks to their places"] if away.any() else []
    alt = f"Map of {m:,} base clusterings of {low:,} to {high:,} clusters{_and(marks)}."
    return finish(fig, theme, alt, height=height, notes=notes)


def _room(places, spread):
    """Range of an axis: never so flat that the map becomes a strip."""
    middle, half = float(places.min() + places.max()) / 2, max(float(np.ptp(places)), 0.5 * spread) / 2
    return [middle - half - 0.14 * spread, middle + half + 0.14 * spread]


def _coinciding(points, spread):
    """Places that differ, the first dot at each, and the place of every dot."""
    cells = np.round(points / (1e-4 * spread)).astype(np.int64)
    _, first, which = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    return points[first], first, which.ravel()


def _diameters(agreement):
    width = float(np.ptp(agreement))
    share = (agreement - agreement.min()) / width if width > 1e-9 else np.full(len(agreement), 0.5)
    return DIAMETERS[0] + (DIAMETERS[1] - DIAMETERS[0]) * share


def _who(names, ks, agreement, members):
    """What a dot says: the base clusterings at its place, of many the first few."""
    told = "<br>".join(f"{names[i]}: k = {ks[i]:,}, mean NMI {agreement[i]:.2f}" for i in members[:5])
    return told + (f"<br>and {len(members) - 5:,} more" if len(members) > 5 else "")


def _dots(places, sizes, ks, ends, said, members, ink):
    marker = {"size": sizes.astype(np.float32), "color": ks.astype(np.float32), "cmin": ends[0], "cmax": ends[1]}
    marker |= {"colorscale": SIMILARITY_SCALE, "line": {"width": 0.8, "color": ink.muted}}
    hover = {"text": said, "hovertemplate": "%{text}<extra></extra>"}
    x, y = places.astype(np.float32).T
    return spec.scatter(
        x=x, y=y, mode="markers", name="base clusterings", marker=marker, customdata=members, showlegend=False, **hover
    )


def _counts(places, counts, several, shares):
    """Numbers on dots that stand for several: dark ones and light ones."""
    tones = ink_on(scale_color(SIMILARITY_SCALE, shares))
    for tone in sorted(set(tones[several])):
        here = [place for place in several if tones[place] == tone]
        x, y = places[here].astype(np.float32).T
        words = {"text": [str(counts[place]) for place in here], "textfont": {"size": 11, "color": str(tone)}}
        yield spec.scatter(x=x, y=y, mode="text", hoverinfo="skip", showlegend=False, **words)


def _apart(points, reach):
    """Points moved as little as it takes for no two to be nearer than a mark is wide, the same way every time."""
    moved, angle = points.copy(), 2 * np.pi * _GOLDEN
    moved += 1e-3 * reach * np.column_stack([f(angle * np.arange(len(points))) for f in (np.cos, np.sin)])
    for _ in range(300):
        between = moved[:, None] - moved[None]
        length = np.linalg.norm(between, axis=2) + np.eye(len(moved)) * 2 * reach
        lacking = np.maximum(reach * 1.01 - length, 0)
        if not lacking.any():
            break
        moved += 0.5 * ((lacking / length)[:, :, None] * between).sum(axis=1)
    near = np.linalg.norm(moved - points, axis=1) < 2e-3 * reach
    return np.where(near[:, None], points, moved)


def _threads(places, shown, ink):
    """Lines from marks to where they belong."""
    ends = np.stack([places, shown, np.full_like(shown, np.nan)], axis=1).reshape(-1, 2).astype(np.float32)
    line = {"color": ink.accent, "width": 1}
    return spec.scatter(
        x=ends[:, 0], y=ends[:, 1], mode="lines", name="threads", hoverinfo="skip", showlegend=False, line=line
    )


def _shapes(points, marks, ink):
    """Marked partitions, each with an open form of its own: what lies below is still seen."""
    for (x, y), name, symbol in zip(points, marks, _forms(len(marks)), strict=True):
        marker = {"size": 14, "symbol": f"{symbol}-open", "color": ink.accent, "line": {"width": 2.5}}
        here = {
            "x": np.array([x], np.float32),
            "y": np.array([y], np.float32),
            "mode": "markers",
            "name": name,
            "showlegend": True,
        }
        yield spec.scatter(**here, marker=marker, hovertemplate=f"{name}<extra></extra>")


def _forms(n):
    forms = (
        "diamond",
        "star",
        "square",
        "triangle-up",
        "cross",
        "x",
        "triangle-down",
        "hexagram",
        "hourglass",
        "bowtie",
    )
    return [forms[place % len(forms)] for place in range(n)]


def _and(marks):
    return f", with {' and '.join(marks)} among them" if len(marks) else ""


def stress_figure(stress, theme, *, height=230):
    """Stress of maps of one dimension, two, and more: the plane is the second."""
    stress, ink = np.asarray(stress, np.float32), INKS[theme]
    steps, fig = np.arange(1, len(stress) + 1), spec.Figure()
    marker = {"size": 10, "line": {"width": 1.8, "color": ink.accent}}
    marker["color"] = np.where(steps == 2, ink.accent, ink.paper)
    look = {"line": {"color": ink.muted, "width": 1.4}, "marker": marker}
    said = "%{x} dimensions: stress 1 %{y:.3f}<extra></extra>"
    fig.add_trace(spec.scatter(x=steps, y=stress, mode="lines+markers", name="stress 1", hovertemplate=said, **look))
    fig.update_xaxes(title_text="dimensions of the map", tickvals=steps, showline=True)
    fig.update_yaxes(title_text="stress 1", range=[0, max(1.1 * float(stress.max()), 0.05)])
    alt = f"Stress 1 of maps of 1 to {len(stress)} dimensions: {', '.join(f'{one:.3f}' for one in stress)}."
    return finish(fig, theme, alt, height=height, notes=["full dot: the plane that is shown"])


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
    across = f"width: objects, {tree.n_objects:,} a row" if len(rows) else ""
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
    return f"{html(tree.keys[node.row])}: cluster {number(node.cluster)}<br>{node.size:,} objects{firm}"


def _flow_words(tree, flow):
    ends = f"cluster {number(flow.source)} of {html(tree.keys[flow.row])}, cluster {number(flow.target)}"
    return f"{ends} of {html(tree.keys[flow.row + 1])}:<br>{flow.objects:,} objects"

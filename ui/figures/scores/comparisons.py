"""Methods beside each other: time and quality, agreement, flows between two answers; scores beside printed ones."""

from itertools import product

import numpy as np

from ui.figures import spec
from ui.figures.cells import category_axis, cell_numbers, cell_targets, score_tiles, waiting_tiles
from ui.figures.numbering import number
from ui.figures.style import (
    INKS,
    PALETTE,
    UNASSIGNED,
    cluster_colors,
    finish,
    log_ticks,
    padded_range,
    painted,
    translucent,
)
from ui.saying import counted

#: Clusters a side in a flow figure; the rest are drawn together.
MAX_CLUSTERS = 40
#: Names stand beside the nodes up to so many a side.
NAMED_CLUSTERS = 16
#: Pixels of the narrowest plot: what is apart here is apart on a wider page too.
NARROW = 400
_LETTER, _LINE, _GAP = 7.3, 16, 8
#: Offsets of a name's near edge or middle from its dot: beside it, above and below, then further off with a leader.
_OFFSETS = [
    (x * r, y * r)
    for r in (1, 2.6, 4.4, 6.4)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
]


def time_quality_figure(
    seconds, quality, names, theme, *, time_name="seconds a run", y_name="NMI with the truth", height=420
):
    """Time against score, a dot a method; the thin steps join those that none beats in both.

    `seconds` and `quality` are (n_methods,); a method with nan is left out, and the figure says so. `customdata` is the
    index of the method.
    """
    seconds, quality, ink = np.asarray(seconds, float), np.asarray(quality, float), INKS[theme]
    shown = np.flatnonzero(np.isfinite(seconds) & np.isfinite(quality) & (seconds > 0))
    front = shown[pareto_front(seconds[shown], quality[shown])]
    fig = spec.Figure()
    fig.add_trace(
        spec.scatter(
            x=seconds[front],
            y=quality[front],
            mode="lines",
            hoverinfo="skip",
            name="front",
            line={"color": ink.accent, "width": 1.2, "shape": "hv"},
        )
    )
    fig.add_trace(_method_dots(shown, seconds, quality, names, np.isin(shown, front), y_name, ink))
    x_range, y_range = _room(np.log10(seconds[shown]), 0.3), _room(quality[shown], 0.05)
    dots = np.log10(seconds[shown]), quality[shown]
    steps = _steps(np.log10(seconds[front]), quality[front])
    for note in placed_names(*dots, [str(names[m]) for m in shown], steps, x_range, y_range, height - 90, ink):
        fig.add_annotation(note)
    fig.update_xaxes(
        title_text=time_name,
        type="log",
        range=x_range,
        tickformat="~g",
        showline=True,
        tickvals=log_ticks(*10.0 ** np.array(x_range)),
    )
    fig.update_yaxes(title_text=y_name, range=y_range)
    missing = [str(names[m]) for m in range(len(names)) if m not in shown]
    notes = [f"no result: {', '.join(missing)}"] if missing else []
    best = ", ".join(str(names[m]) for m in front)
    alt = f" of {len(shown)} methods; none beats {best} in both." if best else ": no results."
    return finish(fig, theme, f"{y_name} against {time_name}{alt}", height=height, notes=notes)


def difference_figure(names, intervals, theme, *, x_name, height=None):
    """How far each method lies behind a reference, draw by draw: `intervals` (n_methods, 3) are mean, low, high.

    An interval that leaves 0 out is drawn full, another one hollow.
    """
    intervals, ink = np.asarray(intervals, float), INKS[theme]
    mean, low, high = np.ascontiguousarray(intervals.T)
    apart = (low > 0) | (high < 0)
    rows = np.arange(len(names), dtype=np.float32)
    ends = {"array": high - mean, "arrayminus": mean - low, "thickness": 1.4, "width": 4, "color": ink.muted}
    marker = {"size": 9, "color": np.where(apart, ink.accent, ink.paper), "line": {"width": 1.6, "color": ink.accent}}
    hover = [f"{n}: {m:+.3f}, from {a:+.3f} to {b:+.3f}" for n, m, a, b in zip(names, mean, low, high, strict=True)]
    fig = spec.Figure(
        [
            spec.scatter(
                x=mean.astype(np.float32),
                y=rows,
                mode="markers",
                error_x=ends,
                marker=marker,
                text=hover,
                hovertemplate="%{text}<extra></extra>",
            )
        ]
    )
    fig.add_vline(0, line={"color": ink.text, "width": 1, "dash": "dot"})
    fig.update_xaxes(title_text=x_name, range=padded_range(np.append(intervals[np.isfinite(intervals)], 0.0)))
    fig.update_yaxes(range=[len(names) - 0.5, -0.5], tickvals=rows, ticktext=list(names), showgrid=False)
    told = ", ".join(str(name) for name, one in zip(names, apart, strict=True) if one) or "none"
    alt = f"{x_name} of {len(names)} methods with their intervals; told apart from 0: {told}."
    return finish(fig, theme, alt, height=height or 90 + 30 * len(names))


def flow_figure(left_labels, right_labels, theme, titles=("left", "right"), *, colors=(None, None), height=None):
    """Which objects go from which cluster of one answer to which of another, as ribbons; -1 is "not yet assigned".

    At most 40 nodes a side: the largest clusters, the rest together as "others".
    """
    sides = [_largest(np.asarray(labels)) for labels in (left_labels, right_labels)]
    (left, kept_left, hidden_left), (right, kept_right, hidden_right) = sides
    counts = np.zeros((len(kept_left), len(kept_right)), np.int64)
    np.add.at(counts, (left, right), 1)
    source, target = np.nonzero(counts)
    places = [_places(kept, paint) for kept, paint in zip((kept_left, kept_right), colors, strict=True)]
    inks = [_node_colors(side) for side in places]
    words = [_cluster_name(c) for c in (*kept_left, *kept_right)]
    whose = [f"{word} of {titles[i >= len(kept_left)]}" for i, word in enumerate(words)]
    named = max(counts.shape) <= NAMED_CLUSTERS
    node = {
        "label": words if named else [""] * len(words),
        "customdata": whose,
        "color": inks[0] + inks[1],
        "pad": 16 if named else 8,
        "thickness": 16,
    }
    objects = "<br>%{value:,d} objects<extra></extra>"
    link: dict[str, object] = {"source": source, "target": len(kept_left) + target, "value": counts[source, target]}
    link |= {"color": [translucent(inks[0][s], 0.38) for s in source]}
    node |= {"line": {"width": 0}, "hovertemplate": "%{customdata}" + objects}
    link |= {"hovertemplate": "%{source.customdata} to<br>%{target.customdata}" + objects}
    font = {"color": INKS[theme].text, "size": 13}
    fig = spec.Figure([spec.sankey(node=node, link=link, valueformat=",d", textfont=font)])
    ends = ((0, "left", kept_left, hidden_left), (1, "right", kept_right, hidden_right))
    for (x, anchor, kept, hidden), title in zip(ends, titles, strict=True):
        n_clusters = sum(c is not None and c >= 0 for c in kept) + hidden
        text = f"<b>{title}</b>, {counted(int(n_clusters), 'cluster')}"
        fig.add_annotation(text=text, x=x, y=1, xref="paper", yref="paper", yshift=6, xanchor=anchor, yanchor="bottom")
    alt = f"Flows of {len(left):,} objects from {titles[0]} to {titles[1]}. {_stayed(counts, *places)}"
    for title, hidden in zip(titles, (hidden_left, hidden_right), strict=True):
        alt += f" {hidden:,} small clusters of {title} are drawn together as others." if hidden else ""
    return finish(fig, theme, alt, height=height or int(np.clip(120 + 16 * max(counts.shape), 260, 760)))


#: Methods whose numbers have room in their cells, in two fifths of a page.
_NUMBERED = 8


def agreement_figure(values, names, theme, *, name="NMI", height=None):
    """Agreement (n_methods, n_methods) on the scale from 0 to 1 of all similarities; nan is not there yet.

    The last trace holds an unseen square a cell, so that a click is reported: `customdata` is [row, column].
    """
    values = np.asarray(values, float)
    fig = spec.Figure([waiting_tiles(values, INKS[theme]), score_tiles(values, 0, 1, name, INKS[theme])])
    if len(names) <= _NUMBERED:  # their numbers say what the colours are
        fig.update_trace(1, showscale=False)
        fig.add_traces(cell_numbers(values, 0, 1, lambda value: f"{value:.2f}".replace("0.", ".", 1)))
    pairs = zip(product(names, repeat=2), values.ravel(), strict=True)
    hover = [f"{a} and {b}<br>{name} " + ("not yet" if np.isnan(v) else f"{v:.3f}") for (a, b), v in pairs]
    fig.add_trace(cell_targets(values.shape, hover))
    category_axis(fig.update_xaxes, names, None)
    if len(names) > _NUMBERED:  # standing names would be longer than cells are wide
        fig.update_xaxes(showticklabels=False, title_text="the same, in the same order")
    category_axis(fig.update_yaxes, names, None)
    fig.update_yaxes(range=[len(names) - 0.5, -0.5])
    fig.update_layout(hovermode="closest", hoverdistance=-1)  # the nearest square is the cell pointed at
    apart = values[~np.eye(len(values), dtype=bool)]
    range_ = f", from {np.nanmin(apart):.2f} to {np.nanmax(apart):.2f}" if np.isfinite(apart).any() else ""
    alt = f"{name} between {len(names)} methods{range_}."
    return finish(fig, theme, alt, height=height or 110 + max(28, 46 - len(names)) * len(names))


def pareto_front(seconds, quality):
    """Indices of what nothing beats in both, from the fastest on; of equals the first."""
    order = np.lexsort((-quality, seconds))
    before = np.concatenate([[-np.inf], np.maximum.accumulate(quality[order])[:-1]])
    return order[quality[order] > before]


def _steps(x, y):
    """Boxes (left, right, bottom, top) along the steps of the front."""
    across, up = np.stack([x[:-1], x[1:], y[:-1], y[:-1]], axis=1), np.stack([x[1:], x[1:], y[:-1], y[1:]], axis=1)
    return np.concatenate([across, up])


def _room(values, least):
    """Axis range with room for names beside the outermost dots."""
    if not values.size:
        return [0, 1]
    low, high = float(np.min(values)), float(np.max(values))
    margin = max(0.09 * (high - low), least)
    return [low - margin, high + margin]


def _method_dots(shown, seconds, quality, names, leading, y_name, ink):
    """Dots; those on the front are full."""
    hover = [f"{names[m]}: {seconds[m]:.3g} s<br>{y_name} {quality[m]:.3f}" for m in shown]
    steady = {"marker": {"opacity": 1}}
    colors = np.where(leading, ink.accent, ink.paper)
    return spec.scatter(
        x=seconds[shown],
        y=quality[shown],
        mode="markers",
        customdata=shown,
        text=hover,
        hovertemplate="%{text}<extra></extra>",
        name="methods",
        selected=steady,
        unselected=steady,
        marker={"size": 9, "color": colors, "line": {"width": 1.6, "color": ink.accent}},
    )


def _largest(labels):
    """Place of every object's cluster among those kept, (N,), their ids with None for the others, how many hidden."""
    ids, places, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if len(ids) <= MAX_CLUSTERS:
        return places, ids.tolist(), 0
    kept = np.sort(np.argsort(-sizes, kind="stable")[: MAX_CLUSTERS - 1])
    place_of = np.full(len(ids), MAX_CLUSTERS - 1)
    place_of[kept] = np.arange(MAX_CLUSTERS - 1)
    return place_of[places], [*ids[kept].tolist(), None], len(ids) - len(kept)


def _places(kept, colors):
    """Place in the palette of every cluster kept, None for the others."""
    return [None if cluster is None else int(painted(np.array([cluster]), colors)[0]) for cluster in kept]


def _node_colors(places):
    return [UNASSIGNED if place is None else str(cluster_colors(np.array([place]))[0]) for place in places]


def _cluster_name(cluster):
    return "others" if cluster is None else "not yet assigned" if cluster < 0 else f"cluster {number(cluster)}"


def _stayed(counts, left, right):
    """How many objects keep their colour."""
    same = sum(int(counts[i, right.index(place)]) for i, place in enumerate(left) if place in right)
    return f"{same:,} of them keep their cluster."


def placed_names(x, y, names, lines, x_range, y_range, height, ink):
    """Annotations that name dots, the crowded ones at the end of a short line.

    In axis units, logarithms on a logarithmic axis: `x`, `y` (n,), and straight `lines` (l, 4) to keep clear: left,
    right, bottom, top. `height` is the plot's, in pixels.
    """
    scale = NARROW / (x_range[1] - x_range[0]), height / (y_range[1] - y_range[0])
    px, py = (x - x_range[0]) * scale[0], (y - y_range[0]) * scale[1]
    corner, units = np.repeat([x_range[0], y_range[0]], 2), np.repeat(scale, 2)
    paths = (lines - corner) * units + [-2, 2, -2, 2]
    taken = np.vstack([np.column_stack([px - 6, px + 6, py - 6, py + 6]), paths])
    notes = []
    for dot, name in enumerate(names):
        boxes = np.array([_box(px[dot], py[dot], offset, _LETTER * len(name)) for offset in _OFFSETS])
        costs = _overlaps(boxes, taken) + 40 * _outside(boxes, height) + 0.01 * np.arange(len(boxes))
        best = int(costs.argmin())
        taken = np.vstack([taken, boxes[best]])
        notes.append(_note(x[dot], y[dot], name, _OFFSETS[best], ink))
    return notes


def _box(x, y, offset, width):
    """Left, right, bottom and top of a name in pixels."""
    middle = x + offset[0] * _GAP + np.sign(offset[0]) * width / 2, y + offset[1] * (_GAP + _LINE / 2)
    return middle[0] - width / 2, middle[0] + width / 2, middle[1] - _LINE / 2, middle[1] + _LINE / 2


def _overlaps(boxes, taken):
    """Pixels that each box shares with what is taken."""
    wide = np.minimum(boxes[:, None, 1], taken[:, 1]) - np.maximum(boxes[:, None, 0], taken[:, 0])
    tall = np.minimum(boxes[:, None, 3], taken[:, 3]) - np.maximum(boxes[:, None, 2], taken[:, 2])
    return (np.clip(wide, 0, None) * np.clip(tall, 0, None)).sum(axis=1)


def _outside(boxes, height):
    """Pixels by which each box leaves the plot."""
    beyond = np.column_stack([-boxes[:, 0], boxes[:, 1] - NARROW, -boxes[:, 2], boxes[:, 3] - height])
    return np.clip(beyond, 0, None).sum(axis=1)


def _note(x, y, name, offset, ink):
    """A name at its offset; a thin leader where it stands further off."""
    side = {1: "left", 0: "center", -1: "right"}[int(np.sign(offset[0]))]
    note = {"x": x, "y": y, "text": name, "xanchor": side, "yanchor": "middle", "font": {"color": ink.text, "size": 13}}
    right, up = offset[0] * _GAP, offset[1] * (_GAP + _LINE / 2)
    if max(map(abs, offset)) == 1:
        return note | {"xshift": right, "yshift": up}
    leader = {"showarrow": True, "arrowhead": 0, "arrowwidth": 0.8, "arrowcolor": ink.muted, "standoff": 5}
    return note | leader | {"ax": right, "ay": -up}


def printed_figure(printed, ours, sd_printed, sd_ours, within, names, theme, *, measure="NMI (max)", height=460):
    """A dot a number: what the paper prints across, ours up, with both spreads; on the line they agree.

    nan in `ours` is not there yet, in a spread not printed. Two traces of dots: within the spread, and outside.
    """
    ink, fig = INKS[theme], spec.Figure()
    fig.add_trace(
        spec.scatter(
            x=[0, 1],
            y=[0, 1],
            mode="lines",
            hoverinfo="skip",
            name="equal",
            showlegend=False,
            line={"color": ink.muted, "width": 1.2, "dash": "dot"},
        )
    )
    inside, judged = np.array([one is True for one in within]), np.array([one is not None for one in within])
    kinds = [("within the spread", inside, ink.accent), ("outside", judged & ~inside, PALETTE[5])]
    kinds += [("not judged yet", ~judged, ink.muted)] if not judged.all() else []
    for title, shown, color in kinds:
        line = {"color": color, "thickness": 1, "width": 0}
        bars = {
            f"error_{axis}": {"array": np.nan_to_num(np.asarray(sd)[shown]), **line}
            for axis, sd in (("x", sd_printed), ("y", sd_ours))
        }
        hover = [f"{name}<br>printed {a:.3f}, ours {b:.3f}" for name, a, b in zip(names, printed, ours, strict=True)]
        fig.add_trace(
            spec.scatter(
                x=np.asarray(printed)[shown],
                y=np.asarray(ours)[shown],
                mode="markers",
                name=title,
                text=np.array(hover, dtype=object)[shown],
                hovertemplate="%{text}<extra></extra>",
                marker={"color": color, "size": 8},
                **bars,
            )
        )
    both = np.concatenate([printed, np.asarray(ours)[np.isfinite(ours)]])
    lowest = float(np.min(both))
    low, high = max(min(0.0, lowest - 0.02), lowest - 0.05), min(1.02, float(np.max(both)) + 0.05)
    fig.update_xaxes(title_text=f"{measure}, printed", range=[low, high], constrain="domain")
    fig.update_yaxes(title_text=f"{measure}, ours", range=[low, high], scaleanchor="x", constrain="domain")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, margin_t=44)
    there = np.isfinite(ours)
    alt = f"{there.sum()} of {len(printed)} printed scores beside ours; {(inside & there).sum()} within the spread."
    return finish(fig, theme, alt, height=height)

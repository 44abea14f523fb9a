"""A map of partitions and how faithful it is; choices among them against chance, and how many are enough."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, PALETTE, SIMILARITY_SCALE, finish, ink_on, padded_range, scale_color, translucent
from ui.saying import counted

#: Diameters of dots in pixels, of the base clusterings that agree least and most with the others.
DIAMETERS = (7, 17)
#: Marks are at least this share of the map apart: as wide as one is on a telephone.
_REACH, _GOLDEN = 0.16, (np.sqrt(5) - 1) / 2
_LEGEND = {"orientation": "h", "itemsizing": "constant", "x": 0, "y": -0.16, "xanchor": "left", "yanchor": "top"}
#: Of the map in pixels: with its sentence below it stands inside the first screen of a laptop.
_HEIGHT = 385
#: How much wider than needed room may stay that marks had before.
_WIDER = 1.5
#: Up to this share those that are left out are rings on the dots of a map of many.
_FEW_OFF = 1 / 3
LED = "thin lines lead marks to their places"
#: Forms of marks, as a picture names them and as words show them.
_LETTERS = {"diamond": "◇", "star": "☆", "square": "□", "triangle-up": "△", "cross": "✚", "x": "✕"}
_LETTERS |= {"triangle-down": "▽", "hexagram": "✡", "hourglass": "⧗", "bowtie": "⋈"}
#: How forms differ where there are more marks than forms: what their names end with, and what words say of it.
_FILLINGS = {"-open": "", "": " (full)", "-open-dot": " (with a dot)"}


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
        meta={"key": True},  # to colours: no data of its own
    )


def partition_map_figure(points, ks, agreement, names, marks, theme, *, unit, off=()):
    """A dot a base clustering, and other partitions among them: what is near is alike.

    `points` (M + p, 2) hold the base clusterings, coloured by `ks` (M,) and sized by mean agreement (M,), then the
    `marks`. Dots on one another are one dot with their number in it; a dot carries the base clusterings it stands for,
    and is hollow, below the others, where all of them are among those `off`.
    """
    ink = INKS[theme]
    fig = _members(points, ks, agreement, names, off, ink)
    marked, shown, led = _marks(points, len(ks), marks, ink)
    fig.add_traces(marked)
    _axes(fig, unit, tuple(_room(axis, _spread(points)) for axis in np.concatenate([points, shown]).T))
    fig.update_layout(showlegend=len(marks) > 0 or len(off) > 0, legend=_LEGEND)
    notes = [*_size_note(agreement), *([LED] if led else [])]
    return finish(fig, theme, _said(ks, off, marks), height=_HEIGHT, notes=notes)


def room_of_map(points, m, before=None):
    """Ranges of both axes for sheets: around m base clusterings and the marks behind them, in steps of a tenth.

    Room that marks had `before` is kept unless it is far too wide: else a map of many dots were drawn anew for nothing.
    """
    points = np.asarray(points, float)
    step, around = 0.1 * _spread(points[:m]), np.concatenate([points, _places_of_marks(points, m)[0]])
    needed = tuple(_room(axis, _spread(points), step) for axis in around.T)
    if before is None:
        return needed
    kept = tuple([min(own[0], its[0]), max(own[1], its[1])] for own, its in zip(needed, before, strict=True))
    return kept if all(np.ptp(one) <= _WIDER * np.ptp(own) for one, own in zip(kept, needed, strict=True)) else needed


def sheet_of_members(points, ks, agreement, names, theme, *, unit, room, off=()):
    """The lowest of three figures of one size that lie on one another and make the map of `partition_map_figure`.

    A page draws anew what is not the same to the byte: marks move alone within their room, and who is left out may be
    a ring on dots that stay. None has a legend, see `legend_of`; those above answer no pointer.
    """
    fig = _members(points, ks, agreement, names, off, INKS[theme])
    return _sheet(fig, theme, _said(ks, off, ()), unit, room, _size_note(agreement))


def sheet_of_rings(points, ks, agreement, off, below, theme, *, unit, room):
    """The sheet above it: rings on the dots of those that are left out, but for those left out in the sheet `below`."""
    where, sizes, counts, _, hollow = _stacked(points, ks, agreement, off)
    hollow &= ~_stacked(points, ks, agreement, below)[-1]
    fig = spec.Figure(list(_hollow(where[hollow], sizes[hollow], counts[hollow], INKS[theme], hoverinfo="skip")))
    return _upper(_sheet(fig, theme, f"{len(off):,} left out.", unit, room))


def sheet_of_marks(points, m, marks, theme, *, unit, room):
    """The uppermost sheet: the marks, behind m base clusterings."""
    fig = spec.Figure(_marks(points, m, marks, INKS[theme])[0])
    return _upper(_sheet(fig, theme, f"On the map{_and(marks)}.", unit, room))


def few(off, m):
    """Whether those left out of m may stay rings on the dots of a map of many: many would hide others that are on."""
    return len(off) <= _FEW_OFF * m


def legend_of(points, m, marks):
    """The legend of the sheets in words: the form of every mark, its name, and what thin lines are."""
    signs = [f"{_LETTERS[form]}{_FILLINGS[filling]}" for form, filling in _forms(len(marks))]
    shown = ", ".join(f"{sign} {name}" for sign, name in zip(signs, marks, strict=True))
    return f"{shown}; {LED}" if _places_of_marks(np.asarray(points, float), m)[1].any() else shown


def _sheet(fig, theme, alt, unit, room, notes=()):
    _axes(fig, unit, room)
    # Room around the map is given: each would find another for what it has there.
    fig.update_layout(showlegend=False, legend=_LEGEND, margin={"autoexpand": False, "l": 62, "r": 76, "b": 48})
    return finish(fig, theme, alt, height=_HEIGHT, notes=notes)


def _upper(fig):
    fig.update_xaxes(visible=False)
    fig.update_yaxes(visible=False)
    fig.update_layout(hovermode=False, meta={"sheet": True})
    return fig


def _stacked(points, ks, agreement, off):
    """Places, sizes and numbers of dots, the base clusterings at each, and which places hold none that is on."""
    m = len(ks)
    points = np.asarray(points, float)[:m]
    places, first, which = _coinciding(points, _spread(points))
    counts = np.bincount(which)
    sizes = np.maximum(_diameters(np.asarray(agreement, float))[first], np.where(counts > 1, 15, 0))
    here = np.split(np.argsort(which, kind="stable"), np.cumsum(counts)[:-1])
    hollow = np.bincount(which[np.asarray(off, int)], minlength=len(places)) == counts
    return places, sizes, counts, here, hollow


def _members(points, ks, agreement, names, off, ink):
    """A figure of the base clusterings."""
    ks = np.asarray(ks)
    places, sizes, counts, here, hollow = _stacked(points, ks, agreement, off)
    low, high = int(ks.min()), int(ks.max())
    ends = (low, high) if high > low else (low - 0.5, low + 0.5)
    at = ks[[members[0] for members in here]]
    said = [_who(names, ks, agreement, members) for members in here]
    fig = spec.Figure()
    if (out := np.flatnonzero(hollow)).size:
        told = {"hovertext": [said[place] for place in out], "hovertemplate": "%{hovertext}<extra></extra>"}
        told["customdata"] = [here[place].tolist() for place in out]
        fig.add_traces(_hollow(places[out], sizes[out], counts[out], ink, **told))
    on = np.flatnonzero(~hollow)
    carried = [here[place].tolist() for place in on]
    fig.add_trace(_dots(places[on], sizes[on], at[on], ends, [said[place] for place in on], carried, ink))
    if high > low:
        fig.add_trace(color_key(low, high, "clusters k", ticks=np.unique(np.linspace(low, high, 5).round())))
    if several := on[counts[on] > 1].tolist():
        fig.add_traces(_counts(places, counts, several, (at - ends[0]) / (ends[1] - ends[0])))
    return fig


def _marks(points, m, marks, ink):
    """Traces of the marks, behind the first m points, where they are drawn, and whether lines lead to their places."""
    points = np.asarray(points, float)
    shown, away = _places_of_marks(points, m)
    lines = [_threads(points[m:][away], shown[away], ink)] if away.any() else []
    return [*lines, *_shapes(shown, marks, ink)], shown, away.any()


def _places_of_marks(points, m):
    """Where the marks, behind the first m points, are drawn apart from one another; which are led to their places."""
    reach = _REACH * _spread(points)
    shown = _apart(points[m:], reach)
    return shown, np.linalg.norm(shown - points[m:], axis=1) > 0.1 * reach


def _axes(fig, unit, room):
    """Both axes in one scale, with the ranges given.

    In a narrow box the map grows upwards, else it were a strip. Across it does not, or every new size of the window
    would widen both axes a little further.
    """
    x_range, y_range = room
    fig.update_xaxes(title_text=f"first axis, {unit}", range=x_range, showline=True, constrain="domain")
    fig.update_yaxes(title_text=f"second axis, {unit}", range=y_range, scaleanchor="x", constrain="range")


def _spread(points):
    """How far the dots lie apart; 1 where they are all one but for rounding."""
    apart = float(np.ptp(points, axis=0).max())
    return apart if apart > 1e-6 else 1.0


def _size_note(agreement):
    several = len(agreement) > 1
    return [f"size: mean NMI with the others, {min(agreement):.2f} to {max(agreement):.2f}"] if several else []


def _said(ks, off, marks):
    many = counted(len(ks), "base clustering")
    return f"Map of {many} of {min(ks):,} to {max(ks):,} clusters{_and(marks)}{_without(off)}."


def _without(off):
    return f"; {len(off):,} left out" if len(off) else ""


def _room(places, spread, step=0.0):
    """Range of an axis: never so flat that the map becomes a strip; with a step its ends are multiples of it."""
    middle, half = float(places.min() + places.max()) / 2, max(float(np.ptp(places)), 0.5 * spread) / 2
    low, high = middle - half - 0.14 * spread, middle + half + 0.14 * spread
    return [float(np.floor(low / step) * step), float(np.ceil(high / step) * step)] if step else [low, high]


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
    marker |= {"opacity": 1, "colorscale": SIMILARITY_SCALE, "line": {"width": 0.8, "color": ink.muted}}
    hover = {"text": said, "hovertemplate": "%{text}<extra></extra>"}
    x, y = places.astype(np.float32).T
    return spec.scatter(
        x=x, y=y, mode="markers", name="base clusterings", marker=marker, customdata=members, showlegend=False, **hover
    )


def _hollow(places, sizes, counts, ink, **told):
    """Rings for those that are left out, and the numbers of those that stand for several."""
    marker = {"size": sizes.astype(np.float32), "color": ink.paper, "line": {"width": 1.2, "color": ink.muted}}
    x, y = places.astype(np.float32).T
    look = {"marker": {"opacity": 1, **marker}, "showlegend": True, **told}
    yield spec.scatter(x=x, y=y, mode="markers", name="left out", **look)
    if (several := np.flatnonzero(counts > 1)).size:
        yield _numbers(places, counts, several, ink.muted)


def _counts(places, counts, several, shares):
    """Numbers on dots that stand for several: dark ones and light ones."""
    tones = ink_on(scale_color(SIMILARITY_SCALE, shares))
    for tone in sorted(set(tones[several])):
        yield _numbers(places, counts, [place for place in several if tones[place] == tone], str(tone))


def _numbers(places, counts, here, color):
    """How many stand at some places. A browser takes long for words, also for empty ones: no others have any."""
    x, y = places[here].astype(np.float32).T
    words = {"text": [str(counts[place]) for place in here], "textfont": {"size": 11, "color": color}}
    return spec.scatter(x=x, y=y, mode="text", hoverinfo="skip", showlegend=False, **words)


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
    """Marked partitions, each with a form of its own and a rim: seen on any dot; in open ones what lies below, too."""
    forms = [form + filling for form, filling in _forms(len(marks))]
    if forms:
        x, y = points.astype(np.float32).T
        rim = {"size": 14, "symbol": [f"{form}-open" for form, _ in _forms(len(marks))], "color": ink.paper}
        rim["line"] = {"width": 6}
        yield spec.scatter(x=x, y=y, mode="markers", marker=rim, hoverinfo="skip", showlegend=False)
    for (x, y), name, form in zip(points, marks, forms, strict=True):
        marker = {"size": 14, "symbol": form, "color": ink.accent, "line": {"width": 2.5, "color": ink.accent}}
        here = {
            "x": np.array([x], np.float32),
            "y": np.array([y], np.float32),
            "mode": "markers",
            "name": name,
            "showlegend": True,
        }
        yield spec.scatter(**here, marker=marker, hovertemplate=f"{name}<extra></extra>")


def _forms(n):
    """Form and filling of every mark: three times as many as there are forms differ."""
    rounds, forms = list(_FILLINGS), list(_LETTERS)
    return [(forms[place % len(forms)], rounds[place // len(forms) % len(rounds)]) for place in range(n)]


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


def selection_figure(agreement, likeness, kept, names, theme, *, height=330):
    """A dot a base clustering: mean NMI with the others, and NMI with the consensus of all; those `kept` are full."""
    agreement, likeness, ink = np.asarray(agreement, np.float32), np.asarray(likeness, np.float32), INKS[theme]
    full = np.isin(np.arange(len(agreement)), kept)
    fig = spec.Figure()
    for name, here, fill in (("kept", full, ink.accent), ("left out", ~full, "rgba(0,0,0,0)")):
        marker = {"size": 10, "color": fill, "line": {"width": 1.6, "color": ink.accent if here is full else ink.muted}}
        text = [names[m] for m in np.flatnonzero(here)]
        said = f"%{{text}}, {name}<br>with the others %{{x:.3f}}<br>with the consensus %{{y:.3f}}<extra></extra>"
        spots = {"x": agreement[here], "y": likeness[here], "text": text, "hovertemplate": said}
        fig.add_trace(spec.scatter(mode="markers", name=name, marker=marker, showlegend=True, **spots))
    fig.update_xaxes(title_text="mean NMI (max) with the others", range=padded_range(agreement))
    fig.update_yaxes(title_text="NMI (max) with the consensus", range=padded_range(likeness))
    fig.update_layout(legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"})
    alt = (
        f"{len(agreement):,} base clusterings by agreement with the others and with the consensus, {len(kept):,} kept."
    )
    return finish(fig, theme, alt, height=height)


def selection_cloud_figure(values, inside, names, found, percentiles, outside, theme, *, x_name, height=None):
    """A dot a random choice in the first row, and below it a row a strategy: full outside the cloud, hollow inside.

    `values` (draws,) are what the random choices are worth, `inside` the ends of what can come by chance, `found` and
    `percentiles` (s,) what each strategy's choice is worth, and its place among the random ones, `outside` (s,) whether
    it is none that can come by chance.
    """
    values, found, ink = np.asarray(values, np.float32), np.asarray(found, np.float32), INKS[theme]
    lift = ((np.arange(len(values)) * _GOLDEN) % 1 - 0.5) * 0.7
    fig = spec.Figure()
    box = {"x0": float(inside[0]), "x1": float(inside[1]), "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
    fig.add_shape(type="rect", **box, fillcolor=translucent(ink.muted, 0.16), line={"width": 0})
    fig.add_trace(
        spec.scatter(
            x=values,
            y=lift.astype(np.float32),
            mode="markers",
            name="random choices",
            marker={"size": 7, "color": translucent(ink.muted, 0.6), "line": {"width": 0}},
            hovertemplate="a random choice: %{x:.3f}<extra></extra>",
        )
    )
    rows = np.arange(1, len(names) + 1, dtype=np.float32)
    said = [
        f"{n}: {v:.3f}; {p:.0f} % of the random choices are worth less, ties by half"
        for n, v, p in zip(names, found, percentiles, strict=True)
    ]
    fig.add_trace(
        spec.scatter(
            x=found,
            y=rows,
            mode="markers",
            name="strategies",
            text=said,
            hovertemplate="%{text}<extra></extra>",
            marker={"size": 11, "color": np.where(outside, ink.accent, ink.paper)}
            | {"line": {"width": 1.8, "color": ink.accent}},
        )
    )
    words = ["random choices", *(f"{name}: {p:.0f} %" for name, p in zip(names, percentiles, strict=True))]
    ticks = {"tickvals": np.arange(len(words)), "ticktext": words}
    fig.update_yaxes(range=[len(names) + 0.6, -0.7], showgrid=False, **ticks)
    fig.update_xaxes(title_text=x_name, range=padded_range(np.concatenate([values, found])), showline=True)
    told = ", ".join(name for name, one in zip(names, outside, strict=True) if one) or "none"
    alt = f"{x_name} of {len(names)} strategies against {len(values):,} random choices; outside the cloud: {told}."
    return finish(fig, theme, alt, height=height or 86 + 30 * (len(names) + 1))


def enough_figure(curves, theme, *, y_name, height=300):
    """What the consensus is worth against the number of base clusterings: median, band, and from where it is flat.

    `curves` come by method, in the order of the legend; the first has the colour of the app.
    """
    fig, x_range = spec.Figure(), padded_range(np.concatenate([one.sizes for one in curves.values()]))
    for place, (name, one) in enumerate(curves.items()):
        color = PALETTE[1] if place else INKS[theme].accent
        fig.add_traces(_curve(one, name if len(curves) > 1 else "median", color, len(curves) > 1))
        if one.flat_from is not None:
            _flat_from(fig, one.flat_from, x_range, color, f" ({name})" if len(curves) > 1 else "", place)
    fig.update_xaxes(title_text="base clusterings M", range=x_range, showline=True)
    fig.update_yaxes(
        title_text=y_name, range=padded_range(np.concatenate([one.band.ravel() for one in curves.values()]), 0.08)
    )
    fig.update_layout(margin_t=34 + 17 * (len(curves) - 1))
    fig.update_layout(legend={"orientation": "h", "x": 0, "y": -0.24, "xanchor": "left", "yanchor": "top"})
    ends = ", ".join(f"{name} from {one.median[0]:.3f} to {one.median[-1]:.3f}" for name, one in curves.items())
    return finish(fig, theme, f"{y_name} against the number of base clusterings: {ends}.", height=height)


def _curve(one, name, color, legend):
    """A band, and the line of medians in it."""
    sizes, median, band = (np.asarray(value, np.float32) for value in (one.sizes, one.median, one.band))
    around = {"x": np.concatenate([sizes, sizes[::-1]]), "y": np.concatenate([band[0], band[1][::-1]])}
    fill = {"fill": "toself", "fillcolor": translucent(color, 0.18), "line": {"width": 0}}
    yield spec.scatter(**around, mode="lines", name=f"band of {name}", hoverinfo="skip", showlegend=False, **fill)
    yield spec.scatter(
        x=sizes,
        y=median,
        mode="lines+markers",
        name=name,
        showlegend=legend,
        line={"color": color, "width": 1.8},
        marker={"size": 6, "color": color},
        text=[f"{low:.3f} to {high:.3f}" for low, high in band.T],
        hovertemplate=f"{name}, M = %{{x:,}}: median %{{y:.3f}}<br>four fifths from %{{text}}<extra></extra>",
    )


def _flat_from(fig, size, x_range, color, whose, place):
    """A line where a curve becomes flat, with its words above the picture, one method above the other."""
    line = {"color": color, "width": 1, "dash": "dot"}
    fig.add_shape(type="line", x0=size, x1=size, y0=0, y1=1, yref="y domain", line=line, layer="below")
    share = (size - x_range[0]) / (x_range[1] - x_range[0])
    anchor = "left" if share < 0.2 else "right" if share > 0.8 else "center"
    label = {"text": f"<b>flat from M = {size:,} on</b>{whose}", "x": size, "y": 1, "yref": "y domain"}
    fig.add_annotation(label, xanchor=anchor, yanchor="bottom", yshift=17 * place, font={"color": color})

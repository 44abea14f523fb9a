"""Bars: silhouettes, histograms, and one bar a class or a base clustering."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import number, numbers
from ui.figures.style import EACH_NAMED, INKS, cluster_colors, finish, ink_on_clusters, painted, whole_ticks
from ui.outside import html
from ui.saying import counted

#: Steps drawn at most; beyond it evenly chosen objects stand for the others.
MAX_STEPS = 3_000


def silhouette_figure(values, labels, theme, *, colors=None, height=380):
    """One bar an object, clusters below each other, the firmest on top in each; `values` (N,) lie in [-1, 1]."""
    values, labels = np.asarray(values), np.asarray(labels)
    ink, fig, n = INKS[theme], spec.Figure(), len(labels)
    gap, below, ticks, names = 0.02 * n, 0.0, [], []
    for cluster in np.unique(labels):
        own = np.sort(values[labels == cluster])[::-1]
        kept = np.unique(np.linspace(0, len(own) - 1, max(2, min(len(own), MAX_STEPS * len(own) // n))).round())
        y = np.concatenate([below + kept, [below + len(own)]]).astype(np.float32)
        x = own[np.append(kept, len(own) - 1).astype(int)].astype(np.float32)
        color = str(cluster_colors(painted(np.array([cluster]), colors))[0])
        said = f"cluster {number(cluster)}, {counted(len(own), 'object')}"
        fig.add_trace(
            spec.scatter(
                x=x,
                y=y,
                name=f"cluster {number(cluster)}",
                showlegend=False,
                mode="lines",
                line={"width": 0.5, "color": color, "shape": "vh"},
                fill="tozerox",
                fillcolor=color,
                hovertemplate=f"{said}, mean {own.mean():.2f}<extra></extra>",
            )
        )
        ticks.append(below + len(own) / 2)
        names.append(f"{number(cluster)}: {own.mean():.2f}")
        below += len(own) + gap
    fig.add_vline(float(values.mean()), line={"color": ink.text, "width": 1, "dash": "dot"})
    low = min(0.0, float(values.min()))
    fig.update_xaxes(range=[low - 0.03, 1.02], title_text="silhouette; dotted: the mean")
    room = _LINE * (below + gap) / (height - _AROUND)
    shown = _apart(np.array(ticks), np.unique(labels, return_counts=True)[1], room)
    named = {"tickvals": [ticks[c] for c in shown], "ticktext": [names[c] for c in shown]}
    fig.update_yaxes(range=[below, -gap], title_text="cluster: mean", showgrid=False, **named)
    alt = f"Silhouettes of {counted(n, 'object')} in {counted(len(names), 'cluster')}, mean {values.mean():.2f}."
    return finish(fig, theme, alt, height=height)


#: Pixels of a line of words, and of what stands above and below the silhouettes.
_LINE, _AROUND = 14, 80


def _apart(places, sizes, room):
    """Which of the names have `room` between them, ascending: those of the largest clusters first; a hover has all."""
    shown: list[int] = []
    for one in np.lexsort((np.arange(len(sizes)), -sizes)).tolist():
        if all(abs(places[one] - places[other]) >= room for other in shown):
            shown.append(one)
    return sorted(shown)


#: Above this many bars names would overlap: the axis then numbers them.
NAMED_BARS = 40


def class_balance(counts, names, theme, *, height=None):
    """Objects of each class, in the colour the class has everywhere; `counts` (k,) by id."""
    counts = np.asarray(counts)
    share, places, names = counts / counts.sum(), numbers(np.arange(len(counts))), [html(name) for name in names]
    hover = "class %{hovertext}<br>%{x:,} objects (%{customdata:.1%})<extra></extra>"
    colors = cluster_colors(len(counts))
    bars = spec.bar(
        x=counts,
        y=places,
        orientation="h",
        customdata=share,
        hovertext=names,
        hovertemplate=hover,
        marker={"color": colors},
    )
    if len(counts) <= 15:
        inside = {"color": ink_on_clusters(colors).tolist()}
        bars.update(text=[f"{c:,}" for c in counts], textposition="auto", textangle=0, insidetextfont=inside)
    fig = spec.Figure([bars])
    fig.update_xaxes(title_text="objects", rangemode="tozero")
    fig.update_yaxes(title_text="class", autorange="reversed", showgrid=False)
    if len(counts) <= NAMED_BARS:
        fig.update_yaxes(tickvals=places, ticktext=names)
    alt = f"{len(counts)} classes of {counts.min():,} to {counts.max():,} objects."
    return finish(fig, theme, alt, height=height or int(np.clip(90 + 26 * len(counts), 150, 460)))


#: Numbers up to which each has a bar of its own; beyond, a bar holds all up to twice those of the one before.
_EACH = 200


def histogram(values, theme, *, x_name, y_name="base clusterings", height=220):
    """How often each whole number occurs, such as the k of the base clusterings; of large ones, in bars that double."""
    values = np.asarray(values)
    if values.max() > _EACH and values.min() > 0:
        return _doubling(values, theme, x_name, y_name, height)
    found, counts = np.unique(values, return_counts=True)
    hover = f"{x_name}: %{{x:,}}<br>{y_name}: %{{y:,}}<extra></extra>"
    fig = spec.Figure([spec.bar(x=found, y=counts, marker={"color": INKS[theme].accent}, hovertemplate=hover)])
    beside = max(0.8, 3 - (found[-1] - found[0]) / 2)  # one bar alone fills no picture
    fig.update_xaxes(title_text=x_name, range=[found[0] - beside, found[-1] + beside])
    if found[-1] - found[0] < EACH_NAMED:
        fig.update_xaxes(tickvals=np.arange(found[0], found[-1] + 1))
    fig.update_yaxes(title_text=y_name, rangemode="tozero", **whole_ticks([0], counts))
    alt = f"{x_name}: {found[0]:,} to {found[-1]:,} over {len(values):,} {y_name}."
    return finish(fig, theme, alt, height=height)


def _doubling(values, theme, x_name, y_name, height):
    """How many of the numbers (>= 1) are 1, 2, 3 to 4, 5 to 8, and so on."""
    bins = np.ceil(np.log2(values)).astype(int)
    counts, ends = np.bincount(bins), 2 ** np.arange(bins.max() + 1)
    text = [f"{end:,}" if end < 3 else f"{end // 2 + 1:,} to {end:,}" for end in ends.tolist()]
    hover = f"{x_name}: %{{text}}<br>{y_name}: %{{y:,}}<extra></extra>"
    look = {"marker": {"color": INKS[theme].accent}, "textposition": "none"}
    fig = spec.Figure([spec.bar(x=np.arange(len(ends)), y=counts, text=text, hovertemplate=hover, **look)])
    named = np.arange(0, len(ends), 1 + len(ends) // 9)
    ticks = {"tickvals": named, "ticktext": [f"{end:,}" for end in ends[named].tolist()]}
    fig.update_xaxes(title_text=f"{x_name}, up to", **ticks)
    fig.update_yaxes(title_text=y_name, rangemode="tozero", **whole_ticks([0], counts))
    alt = f"{x_name}: {values.min():,} to {values.max():,} over {len(values):,} {y_name}; bars of doubled width."
    return finish(fig, theme, alt, height=height)


#: Letters of names that have room along an axis.
_NAMED = 60


def bar_by_clustering(values, theme, *, y_name, keys=(), height=260):
    """One bar a base clustering; `values` (M,) may hold nan.

    `keys` (M,) are their numbers where some are left out, or their names.
    """
    values, own = np.asarray(values, float), numbers(np.arange(len(values)))
    numbered = len(keys) and all(isinstance(key, int) for key in keys)
    places, named = np.array(keys) if numbered else own, len(keys) and not numbered
    hover = f"base clustering %{{customdata}}<br>{y_name} %{{y:.3f}}<extra></extra>"
    bars = spec.bar(x=places, y=values, customdata=own, marker={"color": INKS[theme].accent}, hovertemplate=hover)
    fig = spec.Figure([bars])
    along = (
        {"tickvals": own, "ticktext": list(map(html, keys))}
        if named and len("".join(keys)) <= _NAMED
        else whole_ticks(places)
    )
    fig.update_xaxes(title_text="base clustering", showgrid=False, **along)
    fig.update_yaxes(title_text=y_name, rangemode="tozero")
    return finish(fig, theme, f"{y_name} of {len(values):,} base clusterings.", height=height)


def lambda_figure(stars, lam, theme, *, height=260):
    """How many microclusters begin to be learnt at which lambda* (n,), on a log10 axis, and the lambda chosen."""
    stars, ink = np.log10(np.asarray(stars, float)), INKS[theme]
    low, high = min(stars.min(), np.log10(lam)) - 0.15, max(stars.max(), np.log10(lam)) + 0.15
    counts, edges = np.histogram(stars, bins=np.linspace(low, high, 40))
    hover = "lambda* about %{customdata:.3g}<br>%{y:,} microclusters<extra></extra>"
    middle = (edges[1:] + edges[:-1]) / 2
    numbers = {"x": middle.astype(np.float32), "y": counts.astype(np.int32)}
    bars = spec.bar(
        **numbers, customdata=(10**middle).astype(np.float32), marker={"color": ink.muted}, hovertemplate=hover
    )
    figure = spec.Figure([bars])
    figure.add_vline(x=np.log10(lam), line={"color": ink.accent, "width": 2.5})
    figure.add_annotation(
        x=np.log10(lam), y=1, yref="paper", yanchor="bottom", showarrow=False, text=f"<b>λ = {lam:g}</b>",
        font={"color": ink.accent},
    )  # fmt: skip
    ticks = np.arange(np.ceil(low), np.floor(high) + 1)
    words = [f"{10**tick:g}" for tick in ticks]
    figure.update_xaxes(title_text="λ* of a microcluster", range=[low, high], tickvals=ticks, ticktext=words)
    figure.update_yaxes(title_text="microclusters", range=[0, 1.08 * counts.max()])
    alt = (
        f"lambda* of {len(stars):,} microclusters, {10 ** stars.min():.3g} to {10 ** stars.max():.3g}; lambda {lam:g}."
    )
    return finish(figure, theme, alt, height=height)

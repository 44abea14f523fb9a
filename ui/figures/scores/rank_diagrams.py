"""Average ranks of methods, and which of them the critical difference tells apart."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, finish

_LETTER = 8  # pixels of a letter at size 13, on the wide side
_ROW = 23  # pixels between two names
_NAMED = 9  # ranks that have room for their numbers on a telephone


def critical_difference_figure(ranks, names, cd, groups, theme, *, over="data sets"):
    """Demsar's diagram: methods on the axis of their average ranks, a bar over each group that is not told apart.

    The best rank, 1, is on the left; `groups` are indices as `cliques` gives them, `over` is what the ranks are
    averaged over. `customdata` of a dot is the index of its method.
    """
    ranks, ink, fig = np.asarray(ranks, float), INKS[theme], spec.Figure()
    order = np.argsort(ranks, kind="stable")
    bars = stacked([(ranks[list(group)].min(), ranks[list(group)].max()) for group in groups])
    first = 0.55 * (1 + max((row for *_, row in bars), default=-1)) + 1
    left, right = order[: (len(order) + 1) // 2], order[: (len(order) - 1) // 2 : -1]
    for side, methods in (("left", left), ("right", right)):
        _fan(fig, ranks, names, methods, side, first, ink)
    fig.add_trace(_group_bars(bars, ink))
    hover = [f"{name}: average rank {rank:.2f}" for name, rank in zip(names, ranks, strict=True)]
    fig.add_trace(
        spec.scatter(
            x=ranks,
            y=np.zeros(len(ranks)),
            mode="markers",
            customdata=np.arange(len(ranks)),
            text=hover,
            hovertemplate="%{text}<extra></extra>",
            name="methods",
            marker={"size": 8, "color": ink.accent},
        )
    )
    _ruler(fig, cd, len(ranks), ink)
    depth = first + max(len(left), len(right)) - 0.4
    fig.update_yaxes(range=[depth, -2.3], visible=False, fixedrange=True)
    fig.update_xaxes(range=[1, len(ranks)], visible=False, fixedrange=True)
    room = [10 + _LETTER * max((len(_tag(names[m], ranks[m])) for m in side), default=0) for side in (left, right)]
    fig.update_layout(margin={"l": room[0], "r": room[1], "b": 4})
    note = f"average rank over {over}, 1 = best; a bar joins methods that are not told apart"
    alt = f"Average ranks: {', '.join(f'{names[m]} {ranks[m]:.2f}' for m in order)}. Critical difference {cd:.2f}."
    alt += "".join(f" Not told apart: {', '.join(str(names[m]) for m in group)}." for group in groups)
    return finish(fig, theme, alt, height=int(44 + _ROW * (depth + 2.3)), notes=_wrapped(note))


def stacked(spans):
    """Bars (start, end, row) with rows such that bars in one row do not touch."""
    ends: list[float] = []
    bars = []
    for start, end in sorted(spans):
        row = next((r for r, last in enumerate(ends) if last < start), len(ends))
        ends[row : row + 1] = [end]
        bars.append((start, end, row))
    return bars


def _tag(name, rank):
    return f"{name}  {rank:.2f}"


def _fan(fig, ranks, names, methods, side, first, ink):
    """Names down one side with leaders: the outermost on top, so that no two leaders cross."""
    edge, anchor = (1, "right") if side == "left" else (len(ranks), "left")
    x, y = [], []
    for row, method in enumerate(methods):
        depth = first + row
        x += [ranks[method], ranks[method], edge, None]
        y += [0, depth, depth, None]
        text = _tag(names[method], ranks[method])
        fig.add_annotation(
            text=text,
            x=edge,
            y=depth,
            xanchor=anchor,
            xshift=-4 if side == "left" else 4,
            font={"color": ink.text, "size": 13},
        )
    fig.add_trace(
        spec.scatter(
            x=np.array(x, float),
            y=np.array(y, float),
            mode="lines",
            hoverinfo="skip",
            name=side,
            line={"color": ink.muted, "width": 1},
        )
    )


def _group_bars(bars, ink):
    """Thick bars below the axis, from the best to the worst of each group."""
    x = [at for start, end, _ in bars for at in (start, end, None)]
    y = [at for *_, row in bars for at in [0.55 + 0.55 * row] * 2 + [None]]
    return spec.scatter(
        x=np.array(x, float),
        y=np.array(y, float),
        mode="lines",
        hoverinfo="skip",
        name="groups",
        line={"color": ink.accent, "width": 5},
    )


def _ruler(fig, cd, n_methods, ink):
    """The axis with its ticks, and the critical difference as a length above it."""
    ticks = np.arange(1, n_methods + 1)
    x = np.concatenate([[1, n_methods, np.nan], np.column_stack([ticks, ticks, np.full(n_methods, np.nan)]).ravel()])
    y = np.concatenate([[0, 0, np.nan], np.tile([0, -0.2, np.nan], n_methods)])
    fig.add_trace(
        spec.scatter(x=x, y=y, mode="lines", hoverinfo="skip", name="axis", line={"color": ink.muted, "width": 1.2})
    )
    for tick in ticks[:: -(-n_methods // _NAMED)]:
        fig.add_annotation(text=str(tick), x=tick, y=-0.2, yanchor="bottom", yshift=-2)
    end = min(1 + cd, n_methods)
    closed = [-1.45, -1.25] if end == 1 + cd else [np.nan, np.nan]
    fig.add_trace(
        spec.scatter(
            x=[1, 1, np.nan, 1, end, np.nan, end, end],
            y=[-1.45, -1.25, np.nan, -1.35, -1.35, np.nan, *closed],
            mode="lines",
            hoverinfo="skip",
            name="critical difference",
            line={"color": ink.text, "width": 2},
        )
    )
    words = f"CD = {cd:.2f}" + ("" if end == 1 + cd else ", wider than the axis")
    fig.add_annotation(text=words, x=1, y=-1.45, xanchor="left", yanchor="bottom", font={"color": ink.text})


def _wrapped(note):
    """The remark in two lines, so that it fits half a page."""
    return [part.strip() for part in note.split(";")]

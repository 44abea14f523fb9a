"""Matrices that change: over lengths of a walk, and under EC-CMS with the residuals that say when to stop."""

import numpy as np

from ui.figures import spec
from ui.figures.films import film
from ui.figures.objects.matrices import LEVELS, scale_words
from ui.figures.style import INKS, PALETTE, SIMILARITY_SCALE, finish
from ui.saying import three_digits

RESIDUALS = ("change of C", "change of E", "change of F", "A = C + E", "C = F")
#: Where the second matrix begins, and the curve with the controls below it, as shares of the width and the height.
SECOND, BESIDE, CURVE = 0.35, 0.74, 0.56


def matrix_film(images, lengths, theme, *, name="PTS", step="T", limit=1.0, height=440):
    """One similarity matrix for every length of the walk, scrubbed in the browser."""
    levels = [np.rint(100 * np.clip(image / limit, 0, 1)).astype(np.uint8) for image in images]
    beyond = any(image.max(initial=0) > limit + 1e-9 for image in images)
    bar = {
        "thickness": 9,
        "len": 0.6,
        "outlinewidth": 0,
        "tickvals": [0, 50, 100],
        "ticktext": scale_words([0, limit / 2, limit], beyond),
        "title": {"text": name, "side": "right", "font": {"size": 13}},
    }
    picture = spec.heatmap(
        z=levels[0],
        zmin=0,
        zmax=100,
        meta={"unit": limit / 100},
        colorscale=SIMILARITY_SCALE,
        colorbar=bar,
        hovertemplate=f"{name} %{{z}} %{'' if limit == 1 else f' of {limit:g}'}<extra></extra>",
    )
    fig = spec.Figure([picture])
    fig.update_xaxes(visible=False, constrain="domain")
    fig.update_yaxes(visible=False, autorange="reversed", scaleanchor="x", constrain="domain")
    frames = [spec.frame(str(T), [spec.heatmap(z=z)], [0]) for T, z in zip(lengths, levels, strict=True)]
    captions = [f"{step} = {T}: mean {image.mean():.3f}" for T, image in zip(lengths, images, strict=True)]
    finish(fig, theme, f"{name} for {len(levels)} lengths of the walk.", height=height)
    film(fig, frames, captions, theme)
    return fig


def enhancement_film(before, after, images, residuals, tol, theme, *, limit, height=370):
    """The input, and beside it the matrix iteration by iteration; the largest residual moves along.

    `images` (h, h) by iteration, the last one included; `residuals` (iterations, 5) relative, infinite where a
    reference was zero; the run stops below `tol`.
    """
    ink, fig = INKS[theme], spec.Figure()
    for place, one, left in (("", before, 0.0), ("2", after, SECOND)):
        for trace in one.data:
            bare = {"showscale": False} if trace["type"] == "heatmap" else {}
            fig.add_trace({**trace, "xaxis": f"x{place}", "yaxis": f"y{place}", **bare})
        domain = {"domain": [left, left + SECOND - 0.03]}
        fig.layout[f"xaxis{place}"] = {**one.layout["xaxis"], **domain, "anchor": f"y{place}"}
        fig.layout[f"yaxis{place}"] = {**one.layout["yaxis"], "anchor": f"x{place}", "scaleanchor": f"x{place}"}
        fig.add_annotation(spec.title_of_panel("A, the input" if one is before else "C, enhanced", left + 0.16, 1.0))
    fig.layout["yaxis2"]["showticklabels"] = False
    worst = np.fmax.reduce(np.where(np.isfinite(residuals), residuals, np.nan), axis=1)
    steps, there = np.arange(1, len(worst) + 1), {"xaxis": "x3", "yaxis": "y3"}
    fig.add_trace(spec.scatter(x=steps, y=worst, mode="lines", line={"color": ink.accent, "width": 2}, **there))
    dash = {"color": ink.muted, "width": 1.2, "dash": "dash"}
    fig.add_trace(spec.scatter(x=steps[[0, -1]], y=[tol, tol], mode="lines", line=dash, hoverinfo="skip", **there))
    moving = spec.scatter(x=[1], y=[worst[0]], mode="markers", name="now", **there)
    fig.add_trace({**moving, "marker": {"size": 11, "color": PALETTE[5]}})
    fig.update_layout(
        xaxis3={"anchor": "y3", "domain": [BESIDE, 1], "title": {"text": "iteration"}},
        yaxis3={"anchor": "x3", "domain": [CURVE, 1], "type": "log", "dtick": 1, "tickformat": "~g"},
    )
    # Beside its axis the title would lie on the matrix where the window is narrow.
    fig.add_annotation(spec.title_of_panel("largest residual", (1 + BESIDE) / 2, 1.0))
    image, frames, captions = len(before.data), [], []
    for t, pixels in images.items():
        z = np.rint(np.clip(pixels / limit * LEVELS, 0, LEVELS)).astype(np.uint8)
        at = worst[min(t, len(worst)) - 1] if t else worst[0]
        dot = spec.scatter(x=[max(t, 1)], y=[at])
        frames.append(spec.frame(str(t), [spec.heatmap(z=z), dot], [image, len(fig.data) - 1]))
        said = three_digits(at) if np.isfinite(at) else "not defined"
        captions.append(f"iteration {t}: largest residual {said}")
    alt = f"A matrix before and during {len(worst)} iterations of EC-CMS; it stops below {tol:g}."
    finish(fig, theme, alt, height=height)
    return film(fig, frames, captions, theme, beside=(BESIDE, CURVE - 0.2))


def residual_figure(residuals, tol, theme, *, height=300):
    """The five residuals (iterations, 5) by iteration, with the tolerance under which the run stops."""
    ink, fig = INKS[theme], spec.Figure()
    steps = np.arange(1, len(residuals) + 1)
    for name, values, color in zip(RESIDUALS, np.asarray(residuals).T, (0, 1, 2, 5, 6), strict=True):
        shown = np.where(np.isfinite(values) & (values > 0), values, np.nan)
        line = {"color": PALETTE[color], "width": 1.8}
        fig.add_trace(spec.scatter(x=steps, y=shown, mode="lines", name=name, line=line))
    line = {"color": ink.accent, "width": 1.4, "dash": "dash"}
    fig.add_trace(spec.scatter(x=[1, len(steps)], y=[tol, tol], mode="lines", name=f"tolerance {tol:g}", line=line))
    fig.update_xaxes(title_text="iteration")
    fig.update_yaxes(title_text="relative residual", type="log", dtick=1, tickformat="~g")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, margin_t=56)
    return finish(fig, theme, f"Residuals over {len(steps)} iterations, tolerance {tol:g}.", height=height)

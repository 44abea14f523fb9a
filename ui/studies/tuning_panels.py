"""What the page Compare shows of settings."""

import numpy as np
import streamlit as st

from engine.statistics.differences import paired_verdict, spread
from ui.figures import tuning_heatmap, tuning_line
from ui.figures.numbering import carried
from ui.saying import counted, three_digits
from ui.session.run_config import RunConfig
from ui.session.state import become, config, theme
from ui.studies import sweeps
from ui.widgets.chart import chart
from ui.widgets.terms import say


def picture(chosen: RunConfig, table: np.ndarray) -> None:
    """A line with its spread, or a heatmap; a click loads the setting."""
    first, second = sweeps.axes(chosen)
    n = (~np.isnan(table)).sum(axis=2)
    with np.errstate(invalid="ignore"):
        mean = np.where(n, np.nansum(table, axis=2) / np.maximum(n, 1), np.nan)
        sd = np.sqrt(np.nansum((table - mean[:, :, None]) ** 2, axis=2) / np.maximum(n - 1, 1))
    if second is None:
        figure = tuning_line(
            first.values,
            mean[:, 0],
            sd[:, 0],
            n[:, 0],
            theme(),
            x_name=first.label,
            y_name=sweeps.score_title(chosen, [chosen.data]),
            marked=sweeps.present(chosen, first),
            log_x=getattr(first.spec.kind, "log", False),
        )
    else:
        marked = sweeps.present(chosen, first), sweeps.present(chosen, second)
        figure = tuning_heatmap(
            first.values,
            second.values,
            mean,
            sd,
            theme(),
            row_name=first.label,
            col_name=second.label,
            marked=marked,
            name=sweeps.score_title(chosen, [chosen.data]),
        )
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, "tuning", on_select=_take_cell, selection_mode="points")


def _take_cell() -> None:
    points = [p for p in st.session_state["tuning"].selection.points if "customdata" in p]
    if not points:
        return
    first, second = sweeps.axes(config())
    become(sweeps.moved_to(config(), list(zip([a for a in (first, second) if a], carried(points[0])))))  # noqa: B905


def sentence(chosen: RunConfig, table: np.ndarray) -> None:
    """The best setting, the present one, and whether they can be told apart."""
    full = ~np.isnan(table).any(axis=2)
    if not full.any():
        return
    named = [axis for axis in sweeps.axes(chosen) if axis]
    best = np.unravel_index(int(np.where(full, table.mean(axis=2), -np.inf).argmax()), full.shape)
    now = tuple(axis.values.index(sweeps.present(chosen, axis)) for axis in named) + (0,) * (2 - len(named))
    setting = ", ".join(
        f"{axis.spec.symbol} = {axis.spec.kind.text(axis.values[at])}" for axis, at in zip(named, best, strict=False)
    )
    words = f"Best over {counted(table.shape[2], 'draw')}: {spread_words(table[best])} at {setting}. "
    if now == best:
        words += "That is the present setting. "
    elif full[now]:
        verdict = paired_verdict(table[best], table[now])
        told = "no sure difference" if verdict.outcome == "tie" else "worse by a paired t-test"
        p = f" (p = {verdict.p:.2g})" if np.isfinite(verdict.p) else ""
        words += f"The present setting has {spread_words(table[now])}: {told}{p}. "
    say(words + "Click a point or a cell to use its setting on every page.")


def spread_words(values: np.ndarray) -> str:
    """Mean and standard deviation over draws."""
    found = spread(values)
    return f"**{three_digits(found.mean)}** (sd {three_digits(found.sd)})"

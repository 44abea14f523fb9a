"""Tuning: how the score moves with the parameters, over many draws."""

import numpy as np
import streamlit as st

from engine.experiments.statistics import paired_verdict, spread
from ui import pipeline, study_panel, sweep_knobs, sweeps
from ui.chart import chart
from ui.figures import tuning_heatmap, tuning_line
from ui.run_config import MEASURES, RunConfig
from ui.shell import present
from ui.state import config, theme
from ui.url_values import as_text
from ui.widgets import counted, three_digits


def picture(chosen: RunConfig, table: np.ndarray) -> None:
    """A line with its spread, or a heatmap; a click loads the setting."""
    first, second = sweeps.axes(chosen)
    n = (~np.isnan(table)).sum(axis=2)
    with np.errstate(invalid="ignore"):
        mean = np.where(n, np.nansum(table, axis=2) / np.maximum(n, 1), np.nan)
        sd = np.sqrt(np.nansum((table - mean[:, :, None]) ** 2, axis=2) / np.maximum(n - 1, 1))
    if second is None:
        figure = tuning_line(first.values, mean[:, 0], sd[:, 0], n[:, 0], theme(), x_name=first.label,
                             y_name=MEASURES[chosen.measure], marked=sweeps.present(chosen, first),
                             log_x=first.spec.log)  # fmt: skip
    else:
        marked = sweeps.present(chosen, first), sweeps.present(chosen, second)
        figure = tuning_heatmap(first.values, second.values, mean, sd, theme(), row_name=first.label,
                                col_name=second.label, marked=marked, name=MEASURES[chosen.measure])  # fmt: skip
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, "tuning", on_select=_take_cell, selection_mode="points")


def _take_cell() -> None:
    points = [p for p in st.session_state["tuning"].selection.points if "customdata" in p]
    if not points:
        return
    first, second = sweeps.axes(config())
    places = np.atleast_1d(points[0]["customdata"]).astype(int).tolist()
    st.session_state.run_config = sweeps.moved_to(config(), list(zip([a for a in (first, second) if a], places)))  # noqa: B905


def sentence(chosen: RunConfig, table: np.ndarray) -> None:
    """The best setting, the present one, and whether they can be told apart."""
    full = ~np.isnan(table).any(axis=2)
    if not full.any():
        return
    named = [axis for axis in sweeps.axes(chosen) if axis]
    best = np.unravel_index(int(np.where(full, table.mean(axis=2), -np.inf).argmax()), full.shape)
    now = tuple(axis.values.index(sweeps.present(chosen, axis)) for axis in named) + (0,) * (2 - len(named))
    setting = ", ".join(
        f"{axis.spec.symbol} = {as_text(axis.values[at])}" for axis, at in zip(named, best, strict=False)
    )
    words = f"Best over {counted(table.shape[2], 'draw')}: {spread_words(table[best])} at {setting}. "
    if now == best:
        words += "That is the present setting. "
    elif full[now]:
        verdict = paired_verdict(table[best], table[now])
        told = "no sure difference" if verdict.outcome == "tie" else "worse by a paired t-test"
        p = f" (p = {verdict.p:.2g})" if np.isfinite(verdict.p) else ""
        words += f"The present setting has {spread_words(table[now])}: {told}{p}. "
    st.markdown(words + "Click a point or a cell to use its setting on every page.")


def spread_words(values: np.ndarray) -> str:
    """Mean and standard deviation over draws."""
    found = spread(values)
    return f"**{three_digits(found.mean)}** (sd {three_digits(found.sd)})"


def page() -> None:
    """The page, top to bottom."""
    st.title("Which setting would you trust?")
    st.markdown("Every point is the mean over several ensembles, never one lucky run; the band is one sd.")
    chosen = config()
    sweep_knobs.knobs(*sweeps.asked(chosen))
    if pipeline.truth(chosen) is None:
        st.info("Scores need classes, and this data set has none. Choose another in the sidebar.")
        return
    study = sweeps.study(chosen)
    wanted = study_panel.tasks(study)
    found, running = study_panel.control(
        [study], wanted, live=lambda there: picture(chosen, sweeps.scores(chosen, there))
    )
    if found and not running:
        table = sweeps.scores(chosen, found)
        picture(chosen, table)
        sentence(chosen, table)
    elif not running:
        st.caption(f"Here the score appears, over {counted(len(wanted), 'task')}: every setting on every draw.")
    study_panel.failures(found)
    study_panel.files(study, found, study.name.replace(" ", "_").replace("/", "-"))
    study_panel.imported(sweeps.taken_over, sweeps.study)
    study_panel.workers()


present(page)

"""The error of LAC against 1/h beside consensus methods, over several draws."""

import numpy as np
import streamlit as st

from data import bayes_error
from ui.figures import error_figure
from ui.scene import Scene, nodes
from ui.scene.subspaces import CURVE_DRAWS, ErrorCurve
from ui.session.state import theme
from ui.widgets.around import beside
from ui.widgets.chart import chart
from ui.widgets.page_scene import begin, here, job_of
from ui.widgets.progress import settle
from ui.widgets.terms import inform, note, say, subtitle


def panel(scene: Scene) -> None:
    """The error curve: made on request, in the background, and shown while it fills."""
    subtitle("Does an ensemble spare us the choice of 1/h?")
    if scene.truth is None:
        inform("This data set has no classes to count errors against.", icon=":material/info:")
        return
    job = job_of(scene, "error_curve")
    if job is None:
        say(
            f"Runs LAC at {len(scene.tried_h)} values of 1/h from {CURVE_DRAWS} different starts, gives all runs of a "
            "start to WSPA, WBPA, CSPA and MCLA, and draws the share of objects that each gets wrong."
        )
        st.button("Draw the error curve", key="draw_errors", on_click=_draw)
        return
    held = scene.curve_so_far
    settle(job, nodes()["error_curve"].doing, "error_curve", live=lambda: _shown(here()), again=_draw)
    if job.future.done() and held.lac:
        _shown(scene)
        _verdict(held, scene.truth)


def _draw() -> None:
    begin(beside(), "error_curve")


def _shown(scene: Scene) -> None:
    """The picture of the draws that are there, also while others are made."""
    held = scene.curve_so_far
    n = len(held.lac)  # another draw may end at any moment
    if not n:
        return
    by_method = {name: values[:n] for name, values in held.by_method().items()}
    options = {"bayes": bayes_error(scene.config.data), "marked": scene.config.lac_inverse_h}
    chart(error_figure(held.inverse_h, np.array(held.lac[:n]), by_method, theme(), **options), "error_curve")


def _verdict(held: ErrorCurve, truth: np.ndarray) -> None:
    """Who errs least on average, and what METIS's balance has to do with it."""
    by_value = np.mean(held.lac, axis=0)
    best = int(by_value.argmin())
    scores = ", ".join(f"{name} {v.mean():.1%} (sd {v.std():.1%})" for name, v in held.by_method().items())
    say(
        f"Over {len(held.lac)} draws LAC errs **{by_value.mean():.1%}** on average over all values of 1/h, "
        f"{by_value[best]:.1%} at the best (1/h = {held.inverse_h[best]:.3g}) and {by_value.max():.1%} at the worst. "
        f"On all runs together: {scores}."
    )
    sizes = np.bincount(truth)
    words = "All four cut a graph with METIS, which makes parts of nearly equal weight. "
    if sizes.max() > 1.5 * sizes.min():
        words += f"The classes here have {sizes.min():,} to {sizes.max():,} objects, which equal parts cannot match."
    else:
        words += "Here the classes are of like size, and that does no harm."
    note(words)

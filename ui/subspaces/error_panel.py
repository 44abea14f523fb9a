"""The error of LAC against 1/h beside consensus methods, over several draws."""

import numpy as np
import streamlit as st

import data
from ui.figures import error_figure
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.session.state import config, theme
from ui.subspaces import views


def panel(truth) -> None:
    """The error curve: made on request, in the background, and shown while it fills."""
    st.subheader("Does an ensemble spare us the choice of 1/h?")
    if truth is None:
        st.info("This data set has no classes to count errors against.", icon=":material/info:")
        return
    job = views.errors_so_far(config())
    if job is None:
        st.markdown(
            f"Runs LAC at {views.VALUES} values of 1/h from {views.DRAWS} different starts, gives all runs of a start "
            "to WSPA, WBPA, CSPA and MCLA, and draws the share of objects that each gets wrong."
        )
        st.button("Draw the error curve", key="draw_errors", on_click=views.errors, args=(config(),))
        return
    held = views.curve(config())
    settle(job, "Drawing the error curve", "errors", live=lambda: _growing(held), again=lambda: views.errors(config()))
    if job.future.done() and held.lac:
        _shown(held)
        _verdict(held, truth)


def _growing(held) -> None:
    """The draws that are there, while others are made."""
    if held.lac:
        _shown(held)


def _shown(held) -> None:
    """The picture of the draws that are there."""
    n = len(held.lac)  # another draw may end at any moment
    by_method = {name: values[:n] for name, values in held.by_method().items()}
    figure = error_figure(
        held.inverse_h,
        np.array(held.lac[:n]),
        by_method,
        theme(),
        bayes=data.bayes_error(config().data),
        marked=config().lac_inverse_h,
    )
    chart(figure, "error_curve")


def _verdict(held, truth) -> None:
    """Who errs least on average, and what METIS's balance has to do with it."""
    by_value = np.mean(held.lac, axis=0)
    best = int(by_value.argmin())
    scores = ", ".join(f"{name} {v.mean():.1%} (sd {v.std():.1%})" for name, v in held.by_method().items())
    st.markdown(
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
    st.caption(words)

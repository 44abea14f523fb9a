"""Start: an ensemble disagrees, and a consensus settles it; no click needed."""

import numpy as np
import streamlit as st

from engine.metrics import align
from ui import layouts, pipeline, stages
from ui.chart import chart
from ui.figures import scatter, score_strip, small_multiples
from ui.run_config import MEASURES, RunConfig
from ui.selection import mask, picking_chart
from ui.shell import present
from ui.state import change, config, theme
from ui.thumbnails import thumbnail
from ui.widgets import bound, three_digits

PRESETS = ("moons", "spirals", "uneven_blobs", "digits")
PANELS = 9
PICTURE = 380


def presets(chosen: RunConfig) -> None:
    """Thumbnails that switch the data set."""
    with st.container(horizontal=True):
        for name in PRESETS:
            preset = RunConfig(data=name)
            points = layouts.positions(preset).future.result()[0]
            with st.container(width=118):
                st.image(thumbnail(name, points, pipeline.truth(preset)), width=110)
                st.button(
                    pipeline.title(preset), key=f"preset_{name}", width="stretch",
                    type="primary" if chosen.data == name else "secondary", on_click=change, kwargs={"data": name},
                )  # fmt: skip


def picture(chosen: RunConfig, made, result, points, axes, equal) -> None:
    """Base clusterings, the consensus, and the truth, in the same colours."""
    classes = pipeline.truth(chosen)
    reference = result.labels if classes is None else classes
    shown = range(min(PANELS, made.n_clusterings))
    panels = [align(made.labels[:, m], reference) for m in shown]
    titles = [_panel_title(made, m, chosen, classes) for m in shown]
    left, middle, right = st.columns([1.15, 1, 1], gap="medium")
    with left:
        first = f"the first {PANELS}, " if made.n_clusterings > PANELS else ""
        st.markdown(f"**Base clusterings** ({first}each with its k" + ("" if classes is None else " and score") + ")")
        chart(small_multiples(points, panels, titles, theme(), equal=equal, panel_height=90), "start_base")
    with middle:
        st.markdown("**What they agree on**")
        figure = scatter(
            points,
            align(result.labels, reference),
            theme(),
            axis_names=axes,
            equal=equal,
            height=PICTURE,
            selected=mask(len(points)),
        )
        picking_chart(figure, "start_consensus", "the consensus")
    with right:
        st.markdown("**The truth**" if classes is not None else "**The truth** is not known here")
        if classes is not None and chosen.truth:
            figure = scatter(
                points, classes, theme(), axis_names=axes, equal=equal, height=PICTURE, selected=mask(len(points))
            )
            chart(figure, "start_truth")


def _panel_title(made, m: int, chosen: RunConfig, classes) -> str:
    k = made.n_clusters_each[m]
    if classes is None:
        return f"k = {k}"
    return f"k = {k}, {three_digits(pipeline.score(made.labels[:, m], classes, chosen.measure))}"


def agreement(chosen: RunConfig, made, result) -> None:
    """The strip of scores, the slider that moves it, and a sentence with the live numbers."""
    classes = pipeline.truth(chosen)
    with st.container(horizontal=True, gap="large", vertical_alignment="center"):
        switch = st.container(width=160) if classes is not None else None
        bound(st.slider, "Base clusterings M", "m", key="start_m", min_value=1, max_value=max(50, chosen.m))
    if classes is None:
        return
    with switch:
        bound(st.toggle, "Show the truth", "truth", key="show_truth")
    name = MEASURES[chosen.measure]
    scores = pipeline.base_scores(pipeline.ensemble_key(chosen), chosen.measure, made, classes)
    agreed = pipeline.score(result.labels, classes, chosen.measure)
    chart(score_strip(scores, agreed, theme(), name=f"{name} with the truth", height=136), "start_strip")
    better = int((scores < agreed).sum())
    st.markdown(
        f"The consensus scores **{three_digits(agreed)}** ({name}; 1 is perfect); its {len(scores):,} base "
        f"clusterings average {three_digits(scores.mean())} (sd {three_digits(float(np.std(scores)))}). "
        f"It beats {better:,} of them."
    )


def explanation() -> None:
    """What one is looking at, for somebody who has never met the idea."""
    st.markdown(
        "Each small picture is one *clustering* of the same points: k-means, run with a different number of clusters "
        "and a different start. No two agree, and none has to be right. But whenever two points belong together, most "
        "clusterings put them in the same cluster, whatever else they do. Concord counts how often each pair is put "
        "together, the *co-association* (for two objects: the share of base clusterings that put them into "
        "the same cluster), trusts clusters that others confirm more, and joins what meets most. "
        "Nothing but the labels is used."
    )
    st.markdown(
        "> **Try this**: move M to 1, then slowly up. Or roll the dice in the sidebar, and see whether it was luck."
    )


def page() -> None:
    """The page, top to bottom."""
    chosen = config()
    st.title(f"{chosen.m} clusterings disagree. What do they agree on?" if chosen.m > 1 else "One clustering alone")
    presets(chosen)
    made = stages.ensemble()
    result, placed = stages.consensus(made), stages.layout(made)
    if result is None or placed is None:
        return
    picture(chosen, made, result, *placed)
    agreement(chosen, made, result)
    explanation()


present(page)

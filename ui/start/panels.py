"""What the Start page is made of."""

import streamlit as st

from data import Pool
from engine.generators import known_generators
from ui.compute import layouts, pipeline
from ui.figures import score_strip, small_multiples
from ui.parts.chart import chart
from ui.parts.colours import alike
from ui.parts.dots import dots
from ui.parts.ensemble_size import ensemble_size
from ui.parts.names import clustering_names, clusterings_on_hover
from ui.parts.terms import say
from ui.parts.widgets import bound
from ui.parts.words import alone, spread_words, three_digits
from ui.session.run_config import MEASURES, RunConfig
from ui.session.selection import mask
from ui.session.state import change, config, theme
from ui.start.thumbnails import thumbnail

PRESETS = ("moons", "spirals", "uneven_blobs", "digits")
PANELS = 9
PICTURE = 300


def presets(chosen: RunConfig) -> None:
    """A row of thumbnails that are the buttons of the preset data sets."""
    st.html(f"<style>{''.join(_face(name) for name in PRESETS)}</style>")
    with st.container(horizontal=True, key="presets"):
        for name in PRESETS:
            st.button(
                pipeline.title(RunConfig(data=name)),
                key=f"preset_{name}",
                type="primary" if chosen.data == name else "secondary",
                on_click=change,
                kwargs={"data": name},
            )


@st.cache_data(show_spinner=False, max_entries=16)
def _face(name: str) -> str:
    """The rule that draws a data set on its button: our own SVG, as an address."""
    preset = RunConfig(data=name)
    points = layouts.positions(preset).future.result()[0]
    image = thumbnail(name, points, pipeline.truth(preset))
    return f'.st-key-preset_{name} button {{ background-image: url("{image}"); }}'


def picture(chosen: RunConfig, made, result, points, axes, equal) -> None:
    """Base clusterings, the consensus, and the truth, in the same colours."""
    truth = pipeline.truth(chosen)
    reference = result.labels if truth is None else truth
    shown = range(min(PANELS, made.n_clusterings))
    panels = [made.labels[:, m] for m in shown]
    colors = [alike(labels, reference) for labels in panels]
    titles = [_panel_title(made, m, chosen, truth) for m in shown]
    left, middle, right = st.columns([1.15, 1, 1], gap="medium")
    with left:
        first = f"the first {PANELS}, " if made.n_clusterings > PANELS else ""
        st.markdown(f"**Base clusterings** ({first}k" + ("" if truth is None else ", score") + ")")
        chosen_objects = mask(len(points))
        form = {"colors": colors, "equal": equal, "panel_height": 68, "selected": chosen_objects}
        figure = small_multiples(points, panels, titles, theme(), **form)
        chart(figure, "start_base")
    with middle:
        st.markdown("**What they agree on**")
        options = {"axis_names": axes, "equal": equal, "height": PICTURE, "selected": chosen_objects}
        own = alike(result.labels, reference)
        dots(points, result.labels, "start_consensus", "the consensus", colors=own, **options)
    with right:
        st.markdown("**The truth**" if truth is not None else "**The truth** is not known here")
        if truth is not None and chosen.truth:
            dots(points, truth, "start_truth", "the truth", classes=pipeline.class_names(chosen), **options)


def _panel_title(made, m: int, chosen: RunConfig, truth) -> str:
    k = made.n_clusters_each[m]
    if truth is None:
        return f"k = {k}"
    return f"k = {k}, {three_digits(pipeline.score_where_seen(made.labels[:, m], truth, chosen.measure))}"


def agreement(chosen: RunConfig, made, result) -> None:
    """The slider of M beside the strip of scores it moves, and a sentence with the live numbers."""
    truth = pipeline.truth(chosen)
    left, right = st.columns([1, 2.4], gap="large", vertical_alignment="center")
    with left:
        ensemble_size("start_m", 50)
        if truth is not None:
            bound(st.toggle, "Show the truth", "truth", key="show_truth")
    if truth is None:
        return
    name = MEASURES[chosen.measure]
    scores = pipeline.base_scores(chosen.measure, made, truth)
    agreed = pipeline.score(result.labels, truth, chosen.measure)
    with right:
        strip = score_strip(scores, agreed, theme(), name=f"{name} with the truth", height=132)
        chart(clusterings_on_hover(strip, clustering_names(made)), "start_strip")
    words = f"The consensus scores **{three_digits(agreed)}** ({name}; 1 is perfect); "
    if len(scores) == 1:
        words += f"its only base clustering scores {three_digits(scores[0])}. {alone(made, result)}"
    else:
        words += f"of its {len(scores):,} base clusterings it beats {int((scores < agreed).sum()):,}: "
        words += f"{spread_words(scores)}."
    st.markdown(words)


def explanation() -> None:
    """What one is looking at, for somebody who has never met the idea."""
    say(
        f"Each small picture is one *clustering* of the same points: {_made_by()}. No two agree, and none has to be "
        "right. But whenever two points belong together, most "
        "clusterings put them in the same cluster, whatever else they do. Concord counts how often each pair is put "
        "together, the *co-association* (for two objects: the share of base clusterings that put them into "
        "the same cluster), trusts clusters that others confirm more, and joins what meets most. "
        "Nothing but the labels is used."
    )


def _made_by() -> str:
    """Where the base clusterings come from, in words."""
    if isinstance(pipeline.dataset(config()), Pool):
        return "one of those that came with the file"
    if config().generator == "kmeans":
        return "k-means, run with a different number of clusters and a different start"
    return f"{known_generators()[config().generator].title}, run anew for each of them"
